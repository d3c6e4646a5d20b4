"""The tests on an ordered column: the bins above each of its cuts, and the sums there."""

from __future__ import annotations

import numpy as np

from underdog.core import Tally
from underdog.data import Layout
from underdog.types import Codes, Integers


def inside_of_cuts(layout: Layout, j: int) -> Codes:
    """[test, bin]: where each test on an ordered column is true, as `Candidates` numbers them."""
    bins = int(layout.bins[j])
    above = np.zeros((max(bins - 1, 0), bins + 1), dtype=np.uint8)
    for cut in range(bins - 1):
        above[cut, cut + 1 : bins] = 1
    if layout.missing[j]:
        above = np.repeat(above, 2, axis=0)
        above[1::2, bins] = 1
    if layout.schema.missing[j]:
        alone = np.zeros((1, bins + 1), dtype=np.uint8)
        alone[0, bins] = 1
        above = np.concatenate([above, alone])
    return above


def above_cuts(layout: Layout, j: int, sums: Integers) -> Integers:
    """[test, ...]: integer sums over the bins where each test of `inside_of_cuts` is true."""
    bins = int(layout.bins[j])
    above = np.cumsum(sums[:bins][::-1], axis=0)[::-1][1:]
    if layout.missing[j]:
        above = np.repeat(above, 2, axis=0)
        above[1::2] += sums[bins]
    if layout.schema.missing[j]:
        above = np.concatenate([above, sums[bins:]])
    result: Integers = above
    return result


def by_bin(layout: Layout, j: int, tally: Tally) -> Integers:
    """[bin, channel, label], the last one for missing values; what is not stored is the rest."""
    first, bins, implicit = int(layout.first_cell[j]), int(layout.bins[j]), int(layout.implicit[j])
    own = tally.cells[:, first : first + int(layout.stored[j])].transpose(1, 0, 2)
    result = np.zeros((bins + 1, *tally.totals.shape), dtype=np.int64)
    stored = np.delete(np.arange(bins), implicit) if implicit >= 0 else np.arange(bins)
    result[stored] = own[: len(stored)]
    if layout.missing[j]:
        result[bins] = own[-1]
    if implicit >= 0:
        result[implicit] = tally.totals - result.sum(axis=0)
    return result


def threshold_of(layout: Layout, j: int, inside: Codes) -> float | None:
    """The cut below the first bin that is inside, if the column is ordered."""
    first = inside.tobytes().find(1, 0, int(layout.bins[j]))
    if first < 0 or layout.is_category[j]:
        return None
    return float(layout.schema.cuts[int(layout.schema.cut_pointers[j]) + first - 1])
