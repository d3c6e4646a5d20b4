"""Weights that stay as even as they can: relative entropy in the master problem."""

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
"""A smaller tolerance would need a price of entropy at which its programme is ill-conditioned."""


class Entropic(Corrective):
    """What combiners with relative entropy share: weights start in proportion to their bounds."""

    def check_loss(self, loss: Loss) -> None:
        super().check_loss(loss)
        if getattr(loss, "lower_bound_ratio", 0.0):
            raise ValueError(
                f"{type(self).__name__} knows no lower bounds of the weights: use "
                f"lower_bound_ratio=0 in {loss!r}"
            )


def _start(groups: Groups) -> tuple[Floats, Flags]:
    """Weights of groups in proportion to their upper bounds; which of them weigh anything."""
    upper = groups.upper
    start: Floats = upper / upper.sum()
    return start, start > 0.0


def _spread(weights: Floats, some: Flags) -> Floats:
    """Weights of all groups, from those of some: the others weigh nothing."""
    result = np.zeros(len(some))
    result[some] = weights
    return result


@dataclass
class _Bracket:
    """Bounds of the regularised optimum.

    lower is the optimum of the hypotheses so far, divergence the price of its weights, upper the
    least value that any weights had under the best hypothesis against them.
    """

    lower: float = -math.inf
    upper: float = math.inf
    divergence: float = 0.0


class EntropyRegularised(Entropic):
    r"""The linear programme of the soft margin, with relative entropy as a price on the weights.

    Minimises :math:`\max_j \sum_i u_i y_i h_j(x_i) + \frac{1}{\eta} \sum_i u_i \ln(u_i / u^0_i)`
    over weights in their bounds, u^0 being in proportion to the upper ones. The weights are unique
    and move smoothly, so that the run cannot stall, and it needs no more than :math:`O(\ln(1/\nu) /
    tol^2)` rounds.

    Parameters
    ----------
    tol : float, default=0.01
        :math:`\eta = 2 D / tol`, D being the greatest divergence that the bounds allow,
        :math:`\ln(1/\nu)`. The run has converged when the regularised optimum is known to tol/2,
        and then the soft margin is within tol of the best. Less than 1e-5 is taken as 1e-5.

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
        start, some = _start(groups)
        before = memory.optimum.coefficients if memory.optimum is not None else np.empty(0)
        guess = np.append(before, np.zeros(groups.n_hypotheses - len(before)))
        found = regularised(groups.matrix()[some], start[some], groups.upper[some], eta, guess)
        solution = Solution.from_groups(groups, found.coefficients, _spread(found.weights, some))
        bracket: _Bracket = memory.solver
        bracket.lower, bracket.divergence = found.dual, found.primal - solution.edge
        return solution, None

    def _eta(self, run: Run) -> float:
        most = math.log(max(float(run.memory.groups.upper.sum()), 1.0))
        return max(2.0 * most / max(self.tol, MIN_TOL), 0.5)

    def has_converged(self, run: Run, edge: float) -> bool:
        bracket: _Bracket = run.memory.solver
        bracket.upper = min(bracket.upper, edge + bracket.divergence)
        return bracket.upper - bracket.lower <= max(self.tol, MIN_TOL) / 2.0


@dataclass
class _Descent:
    """How the limit of a projection is lowered.

    multipliers are those of the last projection, stride is how far below the best edge the limit
    is if that is more than tol, reached is the best edge when it was last lowered.
    """

    multipliers: Floats = field(default_factory=lambda: np.empty(0))
    stride: float = 0.0
    reached: float = math.inf


class EntropyProjection(Entropic):
    r"""The nearest weights under which no hypothesis so far has an edge near the best.

    Minimises :math:`\sum_i u_i \ln(u_i / u^0_i)` over weights in their bounds under which no edge
    is above :math:`\hat\gamma - tol`, the least edge that a best hypothesis had being
    :math:`\hat\gamma`. When there are no such weights the soft margin of the hypotheses so far is
    within tol of :math:`\hat\gamma`, and the linear programme finds their coefficients. A learner
    that repeats itself shows that the limit can be lower: by tol, as in the papers, and by twice as
    much each time until it finds something new or the limit is too low.

    Parameters
    ----------
    tol : float, default=0.01

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
        """The nearest weights that keep the limit, and the multipliers as coefficients."""
        memory: CorrectiveMemory = run.memory
        groups, descent = memory.groups, memory.solver
        limit = memory.best_edge - max(self.tol, descent.stride, NOISE)
        start, some = _start(groups)
        before = descent.multipliers
        guess = np.append(before, np.zeros(groups.n_hypotheses - len(before)))
        found = projected(groups.matrix()[some], start[some], groups.upper[some], limit, guess)
        if not found.feasible:
            return None
        descent.multipliers = coefficients = found.coefficients
        if not coefficients.any():
            coefficients = np.ones_like(coefficients)
        return Solution.from_groups(groups, coefficients, _spread(found.weights, some))

    def _programme(self, memory: CorrectiveMemory, count: int) -> Solution:
        return LinearMaster.from_groups(memory.groups, count).solve()

    def has_converged(self, run: Run, edge: float) -> bool:
        return False  # only when no weights are left, which the master finds

    def repeated(self, run: Run) -> AskAgain | Stop:
        """The best rule is a member already, so the limit can be lowered.

        By tol, and by twice as much each time; if that was too much, by tol once more. When even
        that leaves no weights, or the best edge no longer falls, the run has converged.
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
        """Coefficients with the greatest soft margin, for a run that ended before it converged.

        While that margin is 0 or less many coefficients have it, and few of them mean anything;
        then those of the last projection are kept.
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
        """Give the members the coefficients of the linear programme."""
        run.state.replace_coefficients(optimum.coefficients)
        run.history.rows[len(run.state.members) - 1].update(
            loss=-optimum.margin, primal_value=optimum.margin, dual_value=optimum.edge
        )
