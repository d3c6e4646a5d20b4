"""Matrix games: value and optimal strategies, by linear programming or multiplicative weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from underdog.checks import check_integer, check_positive
from underdog.types import Floats

LP_TOLERANCE = 1e-10
"""The smallest tolerance that HiGHS accepts; payoffs are scaled to [-1, 1] before."""

FASTEST = 1e100
"""Larger learning rates are replaced by this one, which is a best response without overflow."""


@dataclass(frozen=True, eq=False)
class GameSolution:
    """Strategies of both players, and the bounds that they guarantee.

    Attributes
    ----------
    value : float
        The middle of lower and upper; the error is at most half the gap.
    row_strategy : array of shape (n,)
        p of the minimising player: non-negative, with sum 1.
    column_strategy : array of shape (m,)
        q of the maximising player.
    lower : float
        The least that column_strategy wins, whatever the row player does: min_i (M q)_i.
    upper : float
        The most that row_strategy pays: max_j (p M)_j.
    rounds : int
        Number of rounds played; 0 for linear programming and pure strategies.
    """

    value: float
    row_strategy: Floats
    column_strategy: Floats
    lower: float
    upper: float
    rounds: int

    @property
    def gap(self) -> float:
        """upper - lower: 0 if both strategies are optimal."""
        return self.upper - self.lower


def solve_game(matrix: Any) -> GameSolution:
    """Solve a zero-sum matrix game by linear programming.

    Maximises v subject to (M q)_i >= v for all i, q >= 0, sum q = 1. The dual variables of the rows
    are the row player's strategy. If both players have an optimal pure strategy (a saddle point),
    the first of each is returned.

    Parameters
    ----------
    matrix : array of shape (n, m)
        matrix[i, j] is what the column player, who maximises, wins from the row player, who
        minimises.

    Returns
    -------
    GameSolution
        The gap is below 1e-8 times the largest absolute payoff, usually near 1e-15 times it.

    Examples
    --------
    Matching pennies in which one of the four outcomes is worth more:

    >>> from underdog.games import solve_game
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
) -> GameSolution:
    r"""Solve a zero-sum matrix game approximately, by Hedge against best responses.

    In round t the row player plays :math:`p_t(i) \propto \exp(-\eta_t \sum_{s<t} M_{i, j_s})` and
    the column player answers with the best column :math:`j_t`. The averages of both converge to
    optimal strategies: after T rounds the gap is at most :math:`R \sqrt{\ln n / T}` with the
    default rate, R being the range of the payoffs and n the number of rows. For each player the
    best strategy among pure strategies, single rounds and averages is returned, and the gap is
    measured. A round costs one product of a vector and the matrix.

    Parameters
    ----------
    matrix : array of shape (n, m)
        matrix[i, j] is what the column player, who maximises, wins from the row player, who
        minimises.
    rounds : int, default=10000
        Maximum number of rounds.
    tol : float, default=1e-3
        Stop when the gap is at most tol, in the units of the matrix. In the worst case this takes
        R^2 ln n / tol^2 rounds.
    rate : float, optional
        :math:`\eta`, the same in every round. By default :math:`\eta_t = 2 \sqrt{\ln n / t} / R`,
        which does not depend on the number of rounds.

    Returns
    -------
    GameSolution

    Examples
    --------
    >>> from underdog.games import multiplicative_weights
    >>> pennies = [[3, -1], [-1, 1]]
    >>> solution = multiplicative_weights(pennies, tol=0.01)
    >>> solution.gap <= 0.01, solution.lower <= 1 / 3 <= solution.upper
    (True, True)

    References
    ----------
    Freund and Schapire, "Game theory, on-line prediction and boosting", COLT 1996; "Adaptive game
    playing using multiplicative weights", Games and Economic Behavior 29, 1999. The falling rate
    and its bound: Bubeck, "Introduction to online optimization", lecture notes, 2011.

    Differs from the papers: by default the rate decreases from round to round, while theirs is
    fixed for a known T. Payoffs may have any range. The best strategies are kept.
    """
    check_integer("rounds", rounds, 1)
    check_positive("tol", tol, zero=True)
    if rate is not None:
        check_positive("rate", rate)
    payoffs = _payoffs(matrix)
    pure = _pure(payoffs)
    return pure if pure.gap <= tol else _hedge(payoffs, pure, rounds, tol, rate)


def _hedge(
    payoffs: Floats, pure: GameSolution, rounds: int, tol: float, rate: float | None
) -> GameSolution:
    """The rounds of `multiplicative_weights`, which begin with the best pure strategies."""
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
            # The sums above are rounded, so the gap is computed from the matrix.
            solution = _measured(payoffs, _distribution(row), column, played)
            if solution.gap <= tol:
                return solution
    return _measured(payoffs, _distribution(row), column, rounds)


def _payoffs(matrix: Any) -> Floats:
    """The matrix as finite numbers."""
    if sp.issparse(matrix):
        raise ValueError(
            f"matrix is sparse ({type(matrix).__name__}), but it must be dense: give "
            "matrix.toarray()"
        )
    try:
        given = np.ma.filled(matrix.astype(np.float64), np.nan) if np.ma.isMA(matrix) else matrix
        array = np.asarray(given)
        if array.dtype.kind not in "biufO":
            raise TypeError(f"{array.dtype} is not a type of real numbers")
        payoffs = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"matrix={matrix!r:.60} is not a matrix of real numbers ({error}): give an array with "
            "one row and one column for each pure strategy"
        ) from None
    if payoffs.ndim != 2:
        raise ValueError(
            f"matrix has the shape {payoffs.shape}, but it must have two dimensions: give an array "
            "with one row and one column for each pure strategy"
        )
    if payoffs.size == 0:
        raise ValueError(
            f"matrix has the shape {payoffs.shape} and is empty: give at least one row and one "
            "column"
        )
    wrong = np.argwhere(~np.isfinite(payoffs))
    if len(wrong):
        i, j = wrong[0].tolist()
        raise ValueError(
            f"matrix[{i}, {j}] is {payoffs[i, j]}, and {len(wrong)} of its {payoffs.size} entries "
            "are not finite: give a finite payoff for every pair of strategies"
        )
    return payoffs


def _pure(payoffs: Floats) -> GameSolution:
    """The best pure strategy of each player; of several, the first."""
    row, column = np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])
    row[payoffs.max(axis=1).argmin()] = 1.0
    column[payoffs.min(axis=0).argmax()] = 1.0
    return _measured(payoffs, row, column, 0)


def _to_unit(payoffs: Floats) -> tuple[Floats, float]:
    """Payoffs shifted and scaled to [-1, 1], for uniform tolerances, and half of their range.

    Halves are taken first, because the range of the largest floats overflows.
    """
    low, high = float(payoffs.min()), float(payoffs.max())
    half = max(high / 2.0 - low / 2.0, float(np.finfo(np.float64).smallest_subnormal))
    return (payoffs - (low / 2.0 + high / 2.0)) / half, half


def _distribution(weights: Floats) -> Floats:
    """Weights normalised to sum to one, without the negative values that a solver may leave."""
    kept = np.maximum(weights, 0.0)
    result: Floats = kept / kept.sum()
    return result


def _measured(payoffs: Floats, row: Floats, column: Floats, rounds: int) -> GameSolution:
    """The solution with the bounds that its strategies guarantee."""
    upper = float((row @ payoffs).max())
    lower = min(float((payoffs @ column).min()), upper)  # larger only by rounding
    return GameSolution(lower / 2.0 + upper / 2.0, row, column, lower, upper, rounds)
