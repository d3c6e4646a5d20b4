"""Combiners with relative entropy in the master problem."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from underdog.combiners.corrective import FAILED, NOISE, Corrective, CorrectiveMemory
from underdog.core import AskAgain, Loss, Run, Stop
from underdog.masters.entropy import projected, regularised
from underdog.masters.groups import Groups
from underdog.masters.linear import LinearMaster, Solution, SolverError
from underdog.types import Flags, Floats, Integers

MIN_TOL = 1e-5
"""With a smaller tolerance the entropy term would make the programme ill-conditioned."""


class Entropic(Corrective):
    """Base class of combiners with relative entropy to weights proportional to their bounds."""

    def check_loss(self, loss: Loss) -> None:
        super().check_loss(loss)
        if getattr(loss, "lower_bound_ratio", 0.0):
            raise ValueError(
                f"{loss!r} has lower bounds on the weights, which {type(self).__name__} does not "
                "support: use lower_bound_ratio=0"
            )


def _start(groups: Groups) -> tuple[Floats, Flags]:
    """Weights of groups proportional to their upper bounds, and which of them are above 0."""
    upper = groups.upper
    start: Floats = upper / upper.sum()
    return start, start > 0.0


def _with_zeros(weights: Floats, weighted: Flags) -> Floats:
    """Weights of all groups, given those that are above 0."""
    result = np.zeros(len(weighted))
    result[weighted] = weights
    return result


@dataclass
class _Bracket:
    """Bounds on the regularised optimum.

    lower is the optimum over the hypotheses so far, divergence the entropy term of its weights, and
    upper the least value of the objective that any weights had with their best hypothesis.
    """

    lower: float = -math.inf
    upper: float = math.inf
    divergence: float = 0.0


class EntropyRegularised(Entropic):
    r"""The linear programme of the soft margin, with a relative entropy term for the weights.

    Minimises :math:`\max_j \sum_i u_i y_i h_j(x_i) + \frac{1}{\eta} \sum_i u_i \ln(u_i / u^0_i)`
    over weights within their bounds; u^0 is proportional to the upper bounds. The weights are
    unique and change smoothly, so that the run cannot stall: it needs at most
    :math:`O(\ln(1/\nu) / tol^2)` rounds.

    Parameters
    ----------
    tol : float, default=0.01
        :math:`\eta = 2 D / tol`, where :math:`D = \ln(1/\nu)` is the greatest relative entropy
        within the bounds. The run has converged when the regularised optimum is known up to tol/2;
        then the soft margin is within tol of the optimum. Values below 1e-5 are replaced by 1e-5.

    References
    ----------
    Warmuth, Glocer and Vishwanathan, "Entropy regularized LPBoost", ALT 2008, algorithm 1.

    Examples
    --------
    >>> from underdog.combiners import EntropyRegularised
    >>> EntropyRegularised(tol=0.1)
    EntropyRegularised(tol=0.1)
    """

    def start(self, run: Run) -> CorrectiveMemory:
        memory = super().start(run)
        memory.solver = _Bracket()
        return memory

    def solve(self, run: Run, parents: Integers | None) -> tuple[Solution, str | None]:
        memory: CorrectiveMemory = run.memory
        groups, eta = memory.groups, self._eta(run)
        start, weighted = _start(groups)
        before = memory.optimum.coefficients if memory.optimum is not None else np.empty(0)
        guess = np.append(before, np.zeros(groups.n_hypotheses - len(before)))
        matrix, upper = groups.matrix()[weighted], groups.upper[weighted]
        found = regularised(matrix, start[weighted], upper, eta, guess)
        weights = _with_zeros(found.weights, weighted)
        solution = Solution.from_groups(groups, found.coefficients, weights)
        bracket: _Bracket = memory.solver
        bracket.lower, bracket.divergence = found.dual, found.primal - solution.edge
        return solution, None

    def _eta(self, run: Run) -> float:
        greatest = math.log(max(float(run.memory.groups.upper.sum()), 1.0))
        return max(2.0 * greatest / max(self.tol, MIN_TOL), 0.5)

    def has_converged(self, run: Run, edge: float) -> bool:
        bracket: _Bracket = run.memory.solver
        bracket.upper = min(bracket.upper, edge + bracket.divergence)
        return bracket.upper - bracket.lower <= max(self.tol, MIN_TOL) / 2.0


@dataclass
class _Descent:
    """How the limit on the edges in a projection is lowered.

    multipliers are those of the last projection. stride is the distance of the limit from the best
    edge if it is more than tol. reached is the best edge when the limit was last lowered.
    """

    multipliers: Floats = field(default_factory=lambda: np.empty(0))
    stride: float = 0.0
    reached: float = math.inf


class EntropyProjection(Entropic):
    r"""The weights nearest to the initial ones under which all edges are below a limit.

    Minimises :math:`\sum_i u_i \ln(u_i / u^0_i)` over weights within their bounds, such that no
    hypothesis so far has an edge above :math:`\hat\gamma - tol`, where :math:`\hat\gamma` is the
    smallest edge that a best hypothesis had. If no weights satisfy this, the soft margin of the
    hypotheses so far is within tol of :math:`\hat\gamma`, and the linear programme finds their
    coefficients. If the learner finds a member again, the limit is lowered: first by tol, as in the
    papers, then by twice as much each time until there is a new hypothesis or the limit is too low.

    Parameters
    ----------
    tol : float, default=0.01
        When the run converges, the soft margin is within tol of the optimum.

    References
    ----------
    Warmuth, Liao and Raetsch, "Totally corrective boosting algorithms that maximize the margin",
    ICML 2006, algorithm 1. Warmuth, Glocer and Raetsch, "Boosting algorithms for maximizing the
    soft margin", NIPS 2007, algorithm 1.

    Examples
    --------
    >>> from underdog.combiners import EntropyProjection
    >>> EntropyProjection(tol=0.1)
    EntropyProjection(tol=0.1)
    """

    def solve(self, run: Run, parents: Integers | None) -> tuple[Solution, str | None]:
        memory: CorrectiveMemory = run.memory
        memory.solver.stride = 0.0
        found = self._project(run)
        if found is not None:
            return found, None
        memory.optimum = self._programme(memory, memory.groups.n_hypotheses)
        memory.converged = True
        return memory.optimum, self.verdict(run)

    def start(self, run: Run) -> CorrectiveMemory:
        memory = super().start(run)
        memory.solver = _Descent()
        return memory

    def _project(self, run: Run) -> Solution | None:
        """The projected weights, with the multipliers as coefficients; None if there are none."""
        memory: CorrectiveMemory = run.memory
        groups, descent = memory.groups, memory.solver
        limit = memory.best_edge - max(self.tol, descent.stride, NOISE)
        start, weighted = _start(groups)
        before = descent.multipliers
        guess = np.append(before, np.zeros(groups.n_hypotheses - len(before)))
        matrix, upper = groups.matrix()[weighted], groups.upper[weighted]
        found = projected(matrix, start[weighted], upper, limit, guess)
        if not found.feasible:
            return None
        descent.multipliers = coefficients = found.coefficients
        if not coefficients.any():
            coefficients = np.ones_like(coefficients)
        return Solution.from_groups(groups, coefficients, _with_zeros(found.weights, weighted))

    def _programme(self, memory: CorrectiveMemory, count: int) -> Solution:
        return LinearMaster.from_groups(memory.groups, count).solve()

    def has_converged(self, run: Run, edge: float) -> bool:
        return False  # the run converges when no weights are feasible, which `solve` finds

    def repeated(self, run: Run) -> AskAgain | Stop:
        """Lower the limit, because the best rule is already a member.

        First by tol, then by twice as much each time; if that is too much, by tol again. If then no
        weights are feasible, or the best edge no longer falls, the run has converged.
        """
        memory: CorrectiveMemory = run.memory
        descent: _Descent = memory.solver
        falling = memory.best_edge < descent.reached - NOISE / 2.0
        descent.reached = memory.best_edge
        found = None
        if falling:
            descent.stride = 2.0 * max(self.tol, descent.stride, NOISE)
            found = self._project(run)
            if found is None:
                descent.stride = 0.0
                found = self._project(run)
        if found is not None:
            memory.weights.set(found.weights)
            return AskAgain()
        try:
            memory.optimum = self._programme(memory, memory.groups.n_hypotheses)
        except SolverError as error:
            return Stop(f"{FAILED} ({error}): the model is that of the round before")
        memory.converged = True
        self._keep(run, memory.optimum)
        return Stop(self.verdict(run))

    def after_last_round(self, run: Run) -> None:
        """Maximise the soft margin over the coefficients, if the run has not converged.

        If that margin is 0 or negative, many coefficients attain it and they mean little; then
        those of the last projection are kept.
        """
        memory: CorrectiveMemory = run.memory
        count = len(run.state.members)
        if memory.converged and count == memory.groups.n_hypotheses:
            return
        try:
            optimum = self._programme(memory, count)
        except SolverError:
            return
        if optimum.margin > NOISE:
            self._keep(run, optimum)

    def _keep(self, run: Run, optimum: Solution) -> None:
        """Set the coefficients of the linear programme."""
        run.state.replace_coefficients(optimum.coefficients)
        run.history.rows[len(run.state.members) - 1].update(
            loss=-optimum.margin, primal_value=optimum.margin, dual_value=optimum.edge
        )
