"""The restricted master problem of LPBoost, solved by HiGHS with a warm start in every round.

Over weights u in a box, and over coefficients a, the problems

    minimise B  subject to  sum_i u_i y_i h_j(x_i) <= B for all j,  sum u = 1,  lo <= u <= hi,
    maximise  min over u in the box of  sum_i u_i y_i f(x_i),  f = sum a_j h_j, a >= 0, sum a = 1

are dual to each other: the coefficients are the multipliers of the edges. The variables are
v = u - lo of whole groups. With D = sum y v as a further variable, a row of the matrix is sparse:
h_j = c0 + sum_b (c_b - c0) [in block b], where c0 is the value of h_j in its rest, has entries only
for B, D and the groups outside the rest.

Most groups have no weight, because their margins are not among the smallest. They are left out, and
are added if the optimum without them is not optimal for all: the reduced cost of a group is its
margin minus the margin above which groups have no weight.

Optima are often not unique, neither primal nor dual. To select one, each group has a cost of `TILT`
times a number in [0, 1), and each edge such a slack. The numbers are hashes of groups and
hypotheses (`underdog.data.keys`), so they do not depend on any order, and no value changes by more
than `TILT`. Costs and weights are scaled such that the tilts are far above the tolerance of the
solver, because among thousands of groups some have nearly equal hashes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import highspy
import numpy as np
from highspy import HighsModelStatus, HighsStatus

from underdog.data.hashing import unit_interval
from underdog.masters.groups import Groups
from underdog.types import Floats, Integers

TILT = 1e-9
"""The perturbation that selects one of several optima, in units of an edge."""
MIN_FREE = 1e-9
"""If the lower bounds leave less weight than this, the weights are fixed."""
DUST = 1e-9
"""Smaller coefficients are set to zero."""
SIZE = 1e4
"""The sum of the scaled weights; the tilt of an edge is then 1e5 times the tolerance."""
EDGE_COST = 1e5
"""The scaled cost of an edge; the tilt of a cost is then 1e6 times the tolerance."""
TOLERANCE = 1e-10
"""The smallest tolerance that HiGHS accepts."""
STRATEGIES = {"dual": 1, "primal": 4}
"""The numbers of the simplex strategies in HiGHS."""
FIRST_EDGE = 2
"""Number of rows before those of the edges: the sum of the weights, and the definition of D."""
ABSENT = -1
"""Marks a group that is left out and has no variable."""


class SolverError(RuntimeError):
    """The solver did not find an optimum."""


class Solution(NamedTuple):
    """An optimum of the master problem.

    Attributes
    ----------
    coefficients : (J,), non-negative, with sum 1
    weights : (G,), of whole groups, with sum 1
    edge : float
        The largest edge under these weights, an upper bound on the soft margin.
    margin : float
        The soft margin of these coefficients.
    """

    coefficients: Floats
    weights: Floats
    edge: float
    margin: float

    @classmethod
    def from_groups(cls, groups: Groups, coefficients: Floats, weights: Floats) -> Solution:
        """The solution with these weights and coefficients, which are scaled to sum 1."""
        scaled = coefficients / coefficients.sum()
        kept = np.where(scaled > DUST, scaled, 0.0)
        kept /= kept.sum()
        edge = float(groups.edges(weights)[: len(kept)].max())
        return cls(kept, weights, edge, groups.soft_margin(kept))


class LinearMaster:
    """The linear programme of the hypotheses so far, on groups of examples.

    Parameters
    ----------
    groups : Groups
        Owned by the caller, who calls `add` after every split.
    method : {"dual", "primal"}
        The simplex method. Both find the same optimum; the dual method is faster, because the last
        optimum stays dual feasible when a hypothesis is added.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.groups import Box, Groups
    >>> from underdog.masters.linear import LinearMaster
    >>> half = Box(lower=np.zeros(2), upper=np.full(2, 2.0))
    >>> groups = Groups(np.array([0, 0, 1, 1], dtype=np.uint8), np.full(4, 0.25), half)
    >>> master = LinearMaster(groups)
    >>> rows, ends = np.array([1, 2, 3], dtype=np.int32), np.array([0, 3])
    >>> values = np.array([-1.0, 1.0])  # of the first row, which is the rest, and of the others
    >>> master.add(groups.split(rows, ends, 0, values, np.array([7, 8], dtype=np.uint64)))
    >>> solution = master.solve()
    >>> round(solution.edge, 6), solution.coefficients.tolist()
    (0.0, [1.0])
    """

    def __init__(self, groups: Groups, method: str = "dual") -> None:
        self.groups = groups
        free = 1.0 - float(groups.lower.sum())
        if free <= MIN_FREE:
            free = 0.0  # rounding may have made it negative
        self._total = SIZE if free else 0.0
        self._scale = SIZE / free if free else SIZE
        self._highs = highs = highspy.Highs()  # type: ignore[no-untyped-call]
        options: dict[str, bool | int | float | str] = {
            "output_flag": False,
            "threads": 1,
            "solver": "simplex",
            "simplex_strategy": STRATEGIES[method],
            "presolve": "off",  # it would discard the last optimum
            "dual_simplex_cost_perturbation_multiplier": 0.0,  # the tilts serve this purpose
            "primal_simplex_bound_perturbation_multiplier": 0.0,
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        }
        for option, value in options.items():
            highs.setOptionValue(option, value)
        nothing = np.empty(0, dtype=np.int32), np.empty(0)
        infinite = highspy.kHighsInf
        highs.addCol(EDGE_COST, -infinite, infinite, 0, *nothing)  # B
        highs.addCol(0.0, -infinite, infinite, 0, *nothing)  # D
        highs.addRow(self._total, self._total, 0, *nothing)
        highs.addRow(0.0, 0.0, 1, np.array([1], dtype=np.int32), np.array([-1.0]))
        self._column = np.full(len(groups), ABSENT)
        self._free = np.ones(len(groups))  # weights are not known yet: as if all were positive
        equal = np.full(groups.n_hypotheses, 1.0 / max(groups.n_hypotheses, 1))
        self._enter(self._enough(np.argsort(groups.margins(equal), kind="stable")))

    @classmethod
    def from_groups(cls, groups: Groups, count: int, method: str = "dual") -> LinearMaster:
        """The programme of the first `count` hypotheses that have split these groups."""
        master = cls(groups, method)
        for number in range(count):
            master._add_edge(number)
        return master

    def add(self, parents: Integers) -> None:
        """Add the hypothesis that has just split the groups; `parents` as from `Groups.split`."""
        groups, highs = self.groups, self._highs
        children = np.arange(len(groups) - len(parents), len(groups))
        self._column = np.concatenate([self._column, np.full(len(parents), ABSENT)])
        self._free = np.concatenate([self._free, self._free[parents]])
        smaller = self._present(np.unique(parents))
        room = self._room(smaller)
        highs.changeColsBounds(
            len(smaller), _numbers(self._column[smaller]), np.zeros(len(smaller)), room
        )
        self._enter(children[self._free[children] > 0.0])
        self._add_edge(groups.n_hypotheses - 1)
        inside = self._present(groups.inside(groups.n_hypotheses - 1)[0])
        costs = self._costs(inside)
        highs.changeColsCost(len(inside), _numbers(self._column[inside]), costs)

    def _add_edge(self, number: int) -> None:
        """The row of one hypothesis: its edge is at most B."""
        groups = self.groups
        rest, rises = float(groups.values[groups.rest[number]]), groups.rises
        inside, block = groups.inside(number)
        least = groups.y * groups.lower
        fixed = rest * float(least.sum())
        for own in np.unique(block).tolist():
            fixed += float(rises[own]) * float(least[inside[block == own]].sum())
        key = groups.hypothesis_keys[number : number + 1]
        slack = TILT * float(unit_interval(key)[0])
        present = self._column[inside] != ABSENT
        inside, block = inside[present], block[present]
        where = np.concatenate([[0, 1], self._column[inside]])
        what = np.concatenate([[-1.0, rest], rises[block] * groups.y[inside]])
        status = self._highs.addRow(
            -highspy.kHighsInf, (slack - fixed) * self._scale, len(where), _numbers(where), what
        )
        if status != HighsStatus.kOk:
            raise SolverError(f"HiGHS rejected a row with {status}")

    def solve(self) -> Solution:
        """The optimum; SolverError if HiGHS finds none, even without a warm start."""
        groups = self.groups
        while True:
            solution = self._optimum()
            multipliers = -np.array(solution.row_dual)
            rest = groups.margins(multipliers[FIRST_EDGE:]) + multipliers[0]
            absent = np.flatnonzero((self._column == ABSENT) & (rest < -TOLERANCE))
            reduced = rest[absent] + self._costs(absent)
            worst_first = np.argsort(reduced, kind="stable")[: np.sum(reduced < -TOLERANCE)]
            if not len(worst_first):
                break
            self._enter(self._enough(absent[worst_first]))
        self._free = np.zeros(len(groups))
        present = np.flatnonzero(self._column != ABSENT)
        self._free[present] = np.array(solution.col_value)[self._column[present]] / self._scale
        weights = groups.lower + np.clip(self._free, 0.0, groups.upper - groups.lower)
        weights /= weights.sum()
        return Solution.from_groups(groups, np.maximum(multipliers[FIRST_EDGE:], 0.0), weights)

    def _optimum(self) -> Any:
        """The solution of HiGHS for the groups that have variables."""
        highs = self._highs
        highs.run()
        if highs.getModelStatus() != HighsModelStatus.kOptimal:
            self._retry()
        status = highs.getModelStatus()
        if status != HighsModelStatus.kOptimal:
            raise SolverError(f"HiGHS ended with {highs.modelStatusToString(status)!r}")
        return highs.getSolution()

    def _retry(self) -> None:
        """Continue with the other method; if that fails, start from scratch."""
        highs = self._highs
        own = highs.getOptionValue("simplex_strategy")[1]
        other = STRATEGIES["primal" if own == STRATEGIES["dual"] else "dual"]
        for method in (other, own, other):
            if highs.getModelStatus() == HighsModelStatus.kOptimal:
                break
            highs.setOptionValue("simplex_strategy", method)
            if method == own:
                highs.clearSolver()
            highs.run()
        highs.setOptionValue("simplex_strategy", own)

    def _room(self, chosen: Integers) -> Floats:
        """Upper bounds of the variables of these groups."""
        groups = self.groups
        result: Floats = (groups.upper - groups.lower)[chosen] * self._scale
        return result

    def _costs(self, chosen: Integers) -> Floats:
        """Tilts of the costs of these groups, which make the weights unique."""
        result: Floats = EDGE_COST * TILT * unit_interval(self.groups.keys[chosen])
        return result

    def _present(self, chosen: Integers) -> Integers:
        """The groups among these that have a variable."""
        result: Integers = chosen[self._column[chosen] != ABSENT]
        return result

    def _enough(self, order: Integers) -> Integers:
        """The first groups in this order whose upper bounds sum to twice the total weight."""
        room = np.cumsum(self._room(order))
        return order[: 1 + int(np.searchsorted(room, 2.0 * self._total))]

    def _enter(self, new: Integers) -> None:
        """Add variables for these groups, with their entries in the existing rows."""
        groups, highs = self.groups, self._highs
        rows = int(highs.getNumRow()) - FIRST_EDGE
        y = groups.y[new]
        rises = groups.rises[groups.pattern(new)[:, :rows]]
        entries = np.column_stack([np.ones(len(new)), y, y[:, np.newaxis] * rises])
        column, row = entries.nonzero()
        self._column[new] = int(highs.getNumCol()) + np.arange(len(new))
        highs.addCols(
            len(new),
            self._costs(new),
            np.zeros(len(new)),
            self._room(new),
            len(row),
            _numbers(np.searchsorted(column, np.arange(len(new)))),
            _numbers(row),
            entries[column, row],
        )


def _numbers(values: object) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.asarray(values, dtype=np.int32)
