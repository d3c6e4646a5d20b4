"""Stumps on constrained columns: tests whose values are in the wrong order are left out."""

import numpy as np

from underdog.kernels.criteria import values
from underdog.kernels.jit import kernel


@kernel
def drop_wrong_order(
    cells,
    totals,
    weight_per_unit,
    columns,
    direction,
    first_cell,
    bins,
    implicit,
    missing,
    first_candidate,
    criterion,
    smooth,
    beta,
    out,
):
    """out[t] = inf for tests whose value where true is on the wrong side of that where false.

    For one label; direction[j] is 1 if values must rise with column j, -1 if they must fall. The
    test "missing" against everything else may have any order.
    """
    up, um = weight_per_unit[1, 0], weight_per_unit[0, 0]
    low, gone, rest = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    for c in range(columns.shape[0]):
        j = columns[c]
        first, shift = first_cell[j], 1 if implicit[j] >= 0 else 0
        stored = bins[j] - shift
        for s in range(2):
            low[s] = 0
            gone[s] = cells[s, first + stored, 0] if missing[j] else 0
            rest[s] = totals[s, 0] - gone[s]
            for b in range(stored):
                rest[s] -= cells[s, first + b, 0]
        where = first_candidate[j]
        for b in range(bins[j] - 1):
            for s in range(2):
                if b == implicit[j]:
                    low[s] += rest[s]
                else:
                    low[s] += cells[s, first + b - (1 if shift and b > implicit[j] else 0), 0]
            for missing_true in range(2 if missing[j] else 1):
                fp = low[1] if missing_true else low[1] + gone[1]
                fm = low[0] if missing_true else low[0] + gone[0]
                yes, no = values(
                    criterion, (totals[1, 0] - fp) * up, (totals[0, 0] - fm) * um, fp * up,
                    fm * um, smooth, beta,
                )  # fmt: skip
                if direction[j] * (yes - no) < 0.0:
                    out[where] = np.inf
                where += 1
