"""Weights that stay as even as they can: relative entropy in the master problem."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from underdog.combiners.corrective import FAILED, NOISE, Corrective, Progress
from underdog.core import Again, Loss, Run, Scores, Signal, Stop, Target
from underdog.masters.entropy import projected, regularised
from underdog.masters.groups import Groups
from underdog.masters.linear import LinearMaster, Solution, SolverError
from underdog.types import Flags, Floats, Integers


class Entropic(Corrective):
    """What combiners with relative entropy share: weights start in proportion to their bounds."""

    def signals(self, loss: Loss, scores: Scores, target: Target) -> tuple[Signal, ...]:
        signals = super().signals(loss, scores, target)
        if getattr(loss, "lower_bound_ratio", 0.0):
            raise ValueError(
                f"{type(self).__name__} knows no lower bounds of the weights: use "
                f"lower_bound_ratio=0 in {loss!r}"
            )
        return signals


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
        and then the soft margin is within tol of the best.

    References
    ----------
    Warmuth, Glocer and Vishwanathan, "Entropy regularized LPBoost", ALT 2008, algorithm 1.

    Examples
    --------
    >>> EntropyRegularised(tol=0.1)
    EntropyRegularised(tol=0.1)
    """

    def start(self, run: Run) -> Progress:
        progress = super().start(run)
        progress.solver = _Bracket()
        return progress

    def solve(self, run: Run, parents: Integers | None) -> tuple[Solution, str | None]:
        progress: Progress = run.memory
        groups, eta = progress.groups, self._eta(run)
        start, some = _start(groups)
        guess = _guess(progress, groups.n_hypotheses)
        found = regularised(groups.matrix()[some], start[some], groups.upper[some], eta, guess)
        solution = Solution.of(groups, found.coefficients, _spread(found.weights, some))
        bracket: _Bracket = progress.solver
        bracket.lower, bracket.divergence = found.dual, found.primal - solution.edge
        return solution, None

    def _eta(self, run: Run) -> float:
        most = math.log(max(float(run.memory.groups.upper.sum()), 1.0))
        return max(2.0 * most / max(self.tol, NOISE), 0.5)

    def has_converged(self, run: Run, edge: float) -> bool:
        bracket: _Bracket = run.memory.solver
        bracket.upper = min(bracket.upper, edge + bracket.divergence)
        return bracket.upper - bracket.lower <= max(self.tol / 2.0, NOISE)


class EntropyProjection(Entropic):
    r"""The nearest weights under which no hypothesis so far has an edge near the best.

    Minimises :math:`\sum_i u_i \ln(u_i / u^0_i)` over weights in their bounds under which no edge
    is above :math:`\hat\gamma - tol`, the least edge that a best hypothesis had being
    :math:`\hat\gamma`. When there are no such weights the soft margin of the hypotheses so far is
    within tol of :math:`\hat\gamma`, and the linear programme finds their coefficients. A learner
    that repeats itself is asked with the weights of that programme; to lower the limit by tol until
    it finds something new would take up to 1/tol projections.

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
    >>> EntropyProjection(tol=0.1)
    EntropyProjection(tol=0.1)
    """

    def solve(self, run: Run, parents: Integers | None) -> tuple[Solution, str | None]:
        progress: Progress = run.memory
        groups = progress.groups
        limit = progress.best_edge - max(self.tol, NOISE)
        start, some = _start(groups)
        guess = _guess(progress, groups.n_hypotheses)
        found = projected(groups.matrix()[some], start[some], groups.upper[some], limit, guess)
        if not found.feasible:
            progress.optimum = LinearMaster.of(groups, groups.n_hypotheses).solve()
            progress.converged = True
            return progress.optimum, self.verdict(run)
        progress.solver = found.coefficients
        coefficients = found.coefficients
        if not coefficients.any():
            coefficients = np.ones_like(coefficients)
        weights = _spread(found.weights, some)
        return Solution.of(groups, coefficients, weights), None

    def has_converged(self, run: Run, edge: float) -> bool:
        return False  # only when no weights are left, which the master finds

    def repeated(self, run: Run) -> Again | Stop:
        """The best rule is a member already: see what all members can do together.

        Either that is near enough to the best edge, or the learner is asked once with the weights
        of the linear programme, under which no member has an edge above their soft margin.
        """
        progress: Progress = run.memory
        best_before = progress.optimum.edge if progress.optimum is not None else math.inf
        try:
            optimum = LinearMaster.of(progress.groups, progress.groups.n_hypotheses).solve()
        except SolverError as error:
            return Stop(f"{FAILED} ({error}): the model is that of the round before")
        near = progress.best_edge <= optimum.margin + max(self.tol, NOISE)
        if near or optimum.edge >= best_before:
            progress.optimum, progress.converged = optimum, True
            self._keep(run, optimum)
            return Stop(self.verdict(run))
        progress.optimum = optimum
        progress.weights.set(optimum.weights)
        return Again()

    def settle(self, run: Run) -> None:
        """Coefficients with the greatest soft margin, for a run that ended before it converged."""
        progress: Progress = run.memory
        count = len(run.state.members)
        if progress.converged and count == progress.groups.n_hypotheses:
            return
        try:
            self._keep(run, LinearMaster.of(progress.groups, count).solve())
        except SolverError:
            return  # those of the last round are good coefficients too

    def _keep(self, run: Run, optimum: Solution) -> None:
        """Give the members the coefficients of the linear programme."""
        run.state.settle(optimum.coefficients)
        run.history.rows[len(run.state.members) - 1].update(
            loss=-optimum.margin, primal_value=optimum.margin, dual_value=optimum.edge
        )


def _guess(progress: Progress, count: int) -> Floats | None:
    """The multipliers of the round before, 0 for new hypotheses."""
    before = progress.solver if isinstance(progress.solver, np.ndarray) else None
    if before is None and progress.optimum is not None:
        before = progress.optimum.coefficients
    return None if before is None else np.append(before, np.zeros(count - len(before)))
