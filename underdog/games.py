"""Boosting as a game: matrix games, how to solve them, and what margins a booster could have.

Boosting is a zero-sum game between two players. The row player chooses an example, the column
player a hypothesis, and the column player wins M[i, j] = y_i h_j(x_i): +1 where the hypothesis is
right, -1 where it is wrong. A mixed row strategy p is a distribution over the examples, and the
edge of hypothesis j under it is (p M)_j. A mixed column strategy q is a vote of the hypotheses,
and the margin of example i under it is (M q)_i. By von Neumann's theorem

    min_p max_j (p M)_j  =  max_q min_i (M q)_i,

the least possible greatest edge is the greatest possible minimum margin. If on every weighting of
the examples some hypothesis has an edge of r, then some vote has a margin of r on every example:
weak learners can be made strong. AdaBoost plays the row player with multiplicative weights.

Any pair of strategies gives a bracket: what q guarantees is at most the value of the game, what p
concedes at least. Everything here is reported with its bracket, so that nothing must be believed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from underdog.checks import check_positive, check_whole
from underdog.core import Scores
from underdog.data import Part, Table
from underdog.estimators import inputs
from underdog.estimators.answers import Answers
from underdog.types import Floats
from underdog.workers import Workers

__all__ = [
    "MarginReport",
    "Solution",
    "margins",
    "multiplicative_weights",
    "solve_game",
    "voting_margins",
]

LP_TOLERANCE = 1e-10
"""The tightest feasibility that HiGHS accepts; payoffs are between -1 and 1 when it sees them."""

FASTEST = 1e100
"""A learning rate above this is taken as this: it is a best response, and does not overflow."""


@dataclass(frozen=True, eq=False)
class Solution:
    """Strategies of both players and what they guarantee, measured on the matrix itself.

    Attributes
    ----------
    value : float
        The middle of the bracket: off by at most half the gap.
    row_strategy : (n,)
        p of the minimising player: non-negative, sums to one.
    column_strategy : (m,)
        q of the maximising player.
    lower : float
        What column_strategy wins at least, whatever the row player does: min_i (M q)_i.
    upper : float
        What row_strategy pays at most: max_j (p M)_j.
    rounds : int
        Rounds that were played; 0 for linear programming and pure strategies.
    """

    value: float
    row_strategy: Floats
    column_strategy: Floats
    lower: float
    upper: float
    rounds: int

    @property
    def gap(self) -> float:
        """upper - lower: 0 where both strategies are optimal."""
        return self.upper - self.lower


def solve_game(matrix: Any) -> Solution:
    """Solve a zero-sum matrix game by linear programming.

    Maximises v subject to (M q)_i >= v for all i, q >= 0, sum q = 1. The dual variables of the rows
    are the row player's strategy. Where both players have an optimal pure strategy (a saddle point)
    the first of each is returned.

    Parameters
    ----------
    matrix : array of shape (n, m)
        matrix[i, j] is what the column player, who maximises, wins from the row player, who
        minimises.

    Returns
    -------
    Solution
        The gap is below 1e-8 of the largest absolute payoff, in general near 1e-15 of it.

    Examples
    --------
    Matching pennies in which one of the four outcomes is worth more:

    >>> solution = solve_game([[3, -1], [-1, 1]])
    >>> round(solution.value, 6)
    0.333333
    >>> solution.row_strategy.round(6).tolist()
    [0.333333, 0.666667]
    >>> solution.gap < 1e-8
    True

    References
    ----------
    von Neumann, "Zur Theorie der Gesellschaftsspiele", Mathematische Annalen 100, 1928. Freund and
    Schapire, "Game theory, on-line prediction and boosting", COLT 1996.
    """
    payoffs = _payoffs(matrix)
    pure = _pure(payoffs)
    if pure.gap == 0.0:
        return pure
    unit, _ = _to_unit(payoffs)
    n_rows, n_columns = unit.shape
    result = linprog(
        np.append(np.zeros(n_columns), -1.0),
        A_ub=np.column_stack([-unit, np.ones(n_rows)]),
        b_ub=np.zeros(n_rows),
        A_eq=np.append(np.ones(n_columns), 0.0)[np.newaxis],
        b_eq=np.ones(1),
        bounds=[(0.0, None)] * n_columns + [(None, None)],
        method="highs",
        options={
            "primal_feasibility_tolerance": LP_TOLERANCE,
            "dual_feasibility_tolerance": LP_TOLERANCE,
        },
    )
    if result.status != 0:
        raise RuntimeError(
            f"the linear programme of a {n_rows} x {n_columns} game was not solved, though every "
            f"game has a solution ({result.message}): use multiplicative_weights"
        )
    row, column = _distribution(-result.ineqlin.marginals), _distribution(result.x[:-1])
    return _measured(payoffs, row, column, 0)


def multiplicative_weights(
    matrix: Any, rounds: int = 10_000, tol: float = 1e-3, rate: float | None = None
) -> Solution:
    r"""Solve a zero-sum matrix game approximately: Hedge against best responses.

    In round t the row player plays :math:`p_t(i) \propto \exp(-\eta_t \sum_{s<t} M_{i, j_s})` and
    the column player answers with the best column :math:`j_t`. The averages of both approach
    optimal strategies: after T rounds the gap is at most :math:`R \sqrt{\ln n / T}` with the
    default rate, R being the range of the payoffs and n the number of rows. What is returned is the
    tightest that was seen of pure strategies, single rounds and averages, for each player, and the
    gap is measured. A round costs one product of a vector and the matrix.

    Parameters
    ----------
    matrix : array of shape (n, m)
        matrix[i, j] is what the column player, who maximises, wins from the row player, who
        minimises.
    rounds : int, default=10000
        Largest number of rounds.
    tol : float, default=1e-3
        Stop when the gap is not above this, in the units of the matrix. In the worst case that
        takes R^2 ln n / tol^2 rounds.
    rate : float, optional
        :math:`\eta`, the same in every round. By default :math:`\eta_t = 2 \sqrt{\ln n / t} / R`,
        which need not know when the game ends.

    Returns
    -------
    Solution

    Examples
    --------
    >>> pennies = [[3, -1], [-1, 1]]
    >>> solution = multiplicative_weights(pennies, tol=0.01)
    >>> solution.gap <= 0.01, solution.lower <= 1 / 3 <= solution.upper
    (True, True)

    References
    ----------
    Freund and Schapire, "Game theory, on-line prediction and boosting", COLT 1996; "Adaptive game
    playing using multiplicative weights", Games and Economic Behavior 29, 1999. The falling rate
    and its bound: Bubeck, "Introduction to online optimization", lecture notes, 2011.

    Differs from the papers: by default the rate falls from round to round, while theirs is fixed in
    advance for a known T; payoffs may have any range; the best strategies seen are kept.
    """
    check_whole("rounds", rounds, 1)
    check_positive("tol", tol, zero=True)
    if rate is not None:
        check_positive("rate", rate)
    payoffs = _payoffs(matrix)
    pure = _pure(payoffs)
    if pure.gap <= tol:
        return pure
    unit, half = _to_unit(payoffs)
    n_rows, n_columns = unit.shape
    row, upper = pure.row_strategy, float(unit.max(axis=1).min())
    column, lower = pure.column_strategy, float(unit.min(axis=0).max())
    mixed, paid = np.zeros(n_rows), np.zeros(n_columns)  # sums of p_t and of p_t M
    plays, lost = np.zeros(n_columns), np.zeros(n_rows)  # sums of the columns' turns and payoffs
    for played in range(1, rounds + 1):
        pace = math.sqrt(math.log(n_rows) / played) if rate is None else min(rate * half, FASTEST)
        own = np.exp(pace * (lost.min() - lost))  # the largest weight is 1: no overflow
        own /= own.sum()
        edges = own @ unit
        answer = int(edges.argmax())
        mixed += own
        paid += edges
        plays[answer] += 1.0
        lost += unit[:, answer]
        if edges[answer] < upper:
            row, upper = own, float(edges[answer])
        if paid.max() / played < upper:
            row, upper = mixed / played, float(paid.max() / played)
        if lost.min() / played > lower:
            column, lower = plays / played, float(lost.min() / played)
        if half * (upper - lower) <= tol:
            # The sums above are rounded; what is promised is measured.
            solution = _measured(payoffs, _distribution(row), column, played)
            if solution.gap <= tol:
                return solution
    return _measured(payoffs, _distribution(row), column, rounds)


@dataclass(frozen=True, eq=False)
class MarginReport:
    """The margins that a booster has, and the best that its hypotheses allow.

    Attributes
    ----------
    minimum : float
        The smallest margin of the booster.
    best : float
        The greatest minimum margin that its hypotheses reach with other coefficients; negative or 0
        if no vote of them is right on every example.
    coefficients : one per member
        Non-negative and summing to one: the vote whose minimum margin is `best`, of hypotheses
        scaled to a largest absolute value of 1. Of members that are alike the first has it all.
    gap : float
        No vote of the hypotheses has a minimum margin above best + gap.
    margins : (n,), or (n, K) for K label columns
        Of the booster: y F(x) / (sum of the largest steps of its members), between -1 and 1.
    """

    minimum: float
    best: float
    coefficients: Floats
    gap: float
    margins: Floats


def margins(booster: Answers, X: Any, y: Any) -> MarginReport:
    """The margins of a fitted booster beside the best minimum margin of its hypotheses.

    Each member is scaled so that its largest absolute value is 1, with the sign that it has in the
    model, and may be given any non-negative coefficient. So `best` is about these members only, not
    about all that a learner could find; where a hypothesis and its reverse are both among them it
    is at least 0, because the two cancel. With K > 1 label columns every pair of example and label
    counts as an example.

    Members that are alike on X are one column of the game, and examples on which all members are
    alike one row: the linear programme is as large as the data are varied.

    Parameters
    ----------
    booster : a fitted booster of this library
    X : array, sparse matrix, data frame or Table of shape (n, d)
    y : array of shape (n,), or an indicator matrix where several labels are allowed

    Returns
    -------
    MarginReport

    Examples
    --------
    The majority of three votes gives every example a margin of at least 1/3:

    >>> import numpy as np
    >>> from underdog import AdaBoostClassifier
    >>> X = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    >>> y = X.sum(axis=1) > 0
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=5).fit(X, y)
    >>> report = margins(model, X, y)
    >>> round(report.minimum, 3), round(report.best, 3)
    (0.208, 0.333)

    References
    ----------
    Schapire, Freund, Bartlett and Lee, "Boosting the margin", Annals of Statistics 26, 1998. Grove
    and Schuurmans, "Boosting in the limit: maximizing the margin of learned ensembles", AAAI 1998
    (the linear programme over AdaBoost's hypotheses).
    """
    table, side = _game_of(booster, X, y)
    members = booster.model_.members
    with Workers(booster.n_jobs) as workers:
        part = Part(table, booster.model_.schema, workers=workers)
        own = _margins(booster, table, side, workers)
    first: dict[bytes, int] = {}  # each different column of the game, and whose it is
    for number, member in enumerate(members):
        steps, size = member.steps, member.size or 1.0
        if booster.model_.path:  # of size 1, and a coefficient of 0 does not make it say nothing
            steps, size = member.hypothesis.values, 1.0
        scores = Scores.zero(*side.shape)
        member.hypothesis.partition(part).move(scores, steps)
        # Adding 0 turns -0 into 0: they are the same number, and must be the same bytes.
        column = side * (scores.full() / size) + 0.0
        first.setdefault(column.tobytes(), number)
    game = np.array([np.frombuffer(column) for column in first]).T
    solution = solve_game(np.unique(game, axis=0))
    coefficients = np.zeros(len(members))
    coefficients[list(first.values())] = solution.column_strategy
    return MarginReport(
        minimum=float(own.min()),
        best=solution.lower,
        coefficients=coefficients,
        gap=solution.gap,
        margins=own[:, 0] if own.shape[1] == 1 else own,
    )


def voting_margins(booster: Answers, X: Any, y: Any) -> Floats:
    """The margins of a fitted booster alone, without the game of its hypotheses.

    Parameters
    ----------
    booster, X, y
        See `margins`.

    Returns
    -------
    (n,), or (n, K) for K label columns
        y F(x) / (sum of the largest steps of the members), between -1 and 1.

    Examples
    --------
    >>> from underdog import AdaBoostClassifier
    >>> X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
    >>> voting_margins(AdaBoostClassifier(learner="discrete").fit(X, y), X, y).tolist()
    [1.0, 1.0, 1.0]
    """
    table, side = _game_of(booster, X, y)
    with Workers(booster.n_jobs) as workers:
        own = _margins(booster, table, side, workers)
    return own[:, 0] if own.shape[1] == 1 else own


def _game_of(booster: Any, X: Any, y: Any) -> tuple[Table, Floats]:
    """X as the booster takes it, and on which side each label of each row is."""
    if not isinstance(booster, Answers):
        raise TypeError(
            f"booster is {booster!r:.60}, which is not a booster of underdog: give a fitted one, "
            "such as AdaBoostClassifier().fit(X, y)"
        )
    check_is_fitted(booster, "model_")
    table = inputs.prediction_table(booster, X)
    y = inputs.checked_target(y)
    check_consistent_length(table, y)
    return table, _sides(booster, y)


def _margins(booster: Answers, table: Table, side: Floats, workers: Workers) -> Floats:
    reach = math.fsum(member.size for member in booster.model_.members)
    result: Floats = side * booster.model_.scores(table, workers) / (reach or 1.0) + 0.0
    return result


def _sides(booster: Answers, y: Any) -> Floats:
    """(n, K): -1 or +1 for each label of each row; refuses labels that the booster has not seen."""
    labels = booster._labels
    try:
        labels.check(y, "the y given to margins")
    except ValueError as error:
        raise ValueError(
            f"{error} (y is what fit was given): give labels that the booster knows, and drop the "
            "rows with others"
        ) from None
    return np.where(labels.sign(y) == 1, 1.0, -1.0)


def _payoffs(matrix: Any) -> Floats:
    """The matrix as numbers, if it is a game."""
    if sp.issparse(matrix):
        raise ValueError(
            f"matrix is sparse ({type(matrix).__name__}), but a game is solved on a dense one: "
            "give matrix.toarray()"
        )
    try:
        given = np.ma.filled(matrix.astype(np.float64), np.nan) if np.ma.isMA(matrix) else matrix
        array = np.asarray(given)
        if array.dtype.kind not in "biufO":
            raise TypeError(f"{array.dtype} is not a type of real numbers")
        payoffs = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"matrix={matrix!r:.60} is no table of real numbers ({error}): give an array with one "
            "row and one column for each pure strategy"
        ) from None
    if payoffs.ndim != 2:
        raise ValueError(
            f"matrix has shape {payoffs.shape}, but a game has two dimensions: give an array with "
            "one row and one column for each pure strategy"
        )
    if payoffs.size == 0:
        raise ValueError(
            f"matrix has shape {payoffs.shape}, so that a player has nothing to play: give at "
            "least one row and one column"
        )
    wrong = np.argwhere(~np.isfinite(payoffs))
    if len(wrong):
        i, j = wrong[0].tolist()
        raise ValueError(
            f"matrix[{i}, {j}] is {payoffs[i, j]}, and {len(wrong)} of its {payoffs.size} entries "
            "are not finite: give a finite payoff for every pair of strategies"
        )
    return payoffs


def _pure(payoffs: Floats) -> Solution:
    """The first of the best pure strategies of each player."""
    row, column = np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])
    row[payoffs.max(axis=1).argmin()] = 1.0
    column[payoffs.min(axis=0).argmax()] = 1.0
    return _measured(payoffs, row, column, 0)


def _to_unit(payoffs: Floats) -> tuple[Floats, float]:
    """Payoffs moved and scaled into [-1, 1], so that tolerances mean the same for all of them, and
    half their range. Halves are taken first: the range of the largest numbers is not one."""
    low, high = float(payoffs.min()), float(payoffs.max())
    half = max(high / 2.0 - low / 2.0, float(np.finfo(np.float64).smallest_subnormal))
    return (payoffs - (low / 2.0 + high / 2.0)) / half, half


def _distribution(weights: Floats) -> Floats:
    """Weights without what a solver leaves below zero, summing to one."""
    kept = np.maximum(weights, 0.0)
    result: Floats = kept / kept.sum()
    return result


def _measured(payoffs: Floats, row: Floats, column: Floats, rounds: int) -> Solution:
    """The solution with what its strategies guarantee."""
    upper = float((row @ payoffs).max())
    lower = min(float((payoffs @ column).min()), upper)  # above it by rounding only
    return Solution(lower / 2.0 + upper / 2.0, row, column, lower, upper, rounds)
