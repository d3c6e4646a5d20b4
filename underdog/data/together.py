"""What a schema learns if every process has only a part of the rows.

Cuts depend on how often each distinct value occurs. If there are few, they are exchanged; if there
are many, only counts of values by their leading digits are, which find the same cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from underdog.checks import is_missing
from underdog.data.columns import CategoryColumns, Coded, Columns, NumberColumns, SparseColumns
from underdog.data.table import Table
from underdog.kernels import binning, occurrences
from underdog.types import Floats, Integers
from underdog.workers.collective import Collective, added

FEW = 1 << 16
"""Up to this many distinct values of a column are exchanged."""
DIGIT = 4
"""Number of bits of a value that are counted at a time. A message has 2**DIGIT counts a cut."""
SIGN = np.uint64(1 << 63)

Keys = NDArray[np.uint64]


Distinct = tuple[Floats, Integers]
"""The sorted distinct values of a column, and how often each occurs."""


def joint_cuts(columns: Sequence[Distinct], max_bins: int, collective: Collective) -> list[Floats]:
    """The cuts of columns, from their values in each process; all columns in each message."""
    sizes = np.array([len(values) for values, _ in columns], dtype=np.int64)
    most, every = collective.exchange("largest", sizes), added(collective, sizes)
    many = (most > max_bins) & (every > FEW)
    cuts: dict[int, Floats] = {}
    few, digits = (np.flatnonzero(chosen).tolist() for chosen in (~many, many))
    parts = collective.exchange("gather", [columns[c] for c in few])
    for place, c in enumerate(few):
        cuts[c] = _cuts_of([part[place] for part in parts], max_bins)
    if digits:
        by_digits = _cuts_by_digits([columns[c] for c in digits], max_bins, collective)
        cuts |= dict(zip(digits, by_digits, strict=True))
    return [cuts[c] for c in range(len(columns))]


def _cuts_of(parts: Sequence[Distinct], max_bins: int) -> Floats:
    """The cuts of one column, computed from the values of every process."""
    every = np.concatenate([values for values, _ in parts])
    order = np.argsort(every, kind="stable")
    distinct, totals = np.empty(len(every)), np.empty(len(every), dtype=np.int64)
    ordered = np.concatenate([counts for _, counts in parts])[order]
    size = occurrences.distinct_sorted(every[order], ordered, distinct, totals)
    out = np.empty(max(max_bins, 1))
    written = binning.cut_points(distinct[:size], totals[:size], max_bins, out)
    return out[:written].copy()


def _cuts_by_digits(
    columns: Sequence[Distinct], max_bins: int, collective: Collective
) -> list[Floats]:
    """For each column the first gap at or above each quantile q / max_bins of the counts.

    The value below such a gap is found digit by digit, for all quantiles and columns at once, until
    no other value begins with its digits. The value above is the smallest of what follows in each
    process.
    """
    own = [values + 0.0 for values, _ in columns]  # -0.0 equals 0.0
    bits = [values.view(np.uint64) for values in own]
    keys = [np.where(each >= SIGN, ~each, each ^ SIGN) for each in bits]  # in the order of numbers
    ends = [np.concatenate([[0], np.cumsum(counts)]) for _, counts in columns]
    everything = added(collective, np.array([each[-1] for each in ends])).tolist()
    wanted = np.array([[-(-q * n // max_bins) for q in range(1, max_bins)] for n in everything])
    first, last = np.zeros(wanted.shape, np.uint64), np.full(wanted.shape, ~np.uint64(0))
    is_open = np.ones(wanted.shape, dtype=bool)
    for shift in range(64 - DIGIT, -1, -DIGIT):
        # Quantiles with the same digits so far are counted once.
        starts = [np.unique(found[chosen]) for found, chosen in zip(first, is_open, strict=True)]
        parts = map(partial(_count_digits, shift), keys, ends, starts)
        every = np.split(
            added(collective, np.concatenate(list(parts))),
            np.cumsum([len(each) for each in starts])[:-1],
        )
        for c, counts in enumerate(every):
            at = np.searchsorted(starts[c], first[c][is_open[c]])
            is_open[c, is_open[c]] = counts[at, -1] > 1
            at = np.searchsorted(starts[c], first[c][is_open[c]])
            digit = (counts[at, :-1] < wanted[c, is_open[c], np.newaxis]).sum(axis=1)
            first[c, is_open[c]] += digit.astype(np.uint64) << np.uint64(shift)
            last[c, is_open[c]] = first[c, is_open[c]] + np.uint64((1 << shift) - 1)
        if not is_open.any():
            break
    places = [np.searchsorted(key, at, side="right") for key, at in zip(keys, last, strict=True)]
    sides = [
        [np.append(-np.inf, values)[at], -np.append(values, np.inf)[at]]
        for values, at in zip(own, places, strict=True)
    ]
    return [
        _midpoints(low, -above) for low, above in collective.exchange("largest", np.stack(sides))
    ]


def _count_digits(shift: int, keys: Keys, ends: Integers, starts: Keys) -> Integers:
    """For each start, how often a value has its digits and a next one up to 0, 1, 2, ...

    The last number is how many distinct values have its digits.
    """
    digits = np.arange(1 << DIGIT, dtype=np.uint64)
    last = starts[:, np.newaxis] + (digits << np.uint64(shift)) + np.uint64((1 << shift) - 1)
    at = np.searchsorted(keys, last, side="right")
    return np.column_stack([ends[at], at[:, -1] - np.searchsorted(keys, starts)])


def _midpoints(low: Floats, above: Floats) -> Floats:
    """The cuts in the different gaps that were found, each below a number."""
    kept = np.flatnonzero(np.concatenate([[True], low[1:] != low[:-1]]))
    cuts = [binning.midpoint(low[q], above[q]) for q in kept if above[q] < np.inf]
    return np.array(cuts, dtype=np.float64)


def joint_entries(
    matrix: Any, repeats: Integers, collective: Collective
) -> tuple[Integers, Floats, Integers]:
    """Pointers, distinct values and counts of each column of a sparse matrix, of all processes."""
    by_column = matrix.tocsc()
    columns = np.repeat(np.arange(matrix.shape[1]), np.diff(by_column.indptr))
    own = _distinct(columns, by_column.data.astype(np.float64), repeats[by_column.indices])
    parts = collective.exchange("gather", own)
    columns, values, counts = _distinct(
        *(np.concatenate([part[place] for part in parts]) for place in range(3))
    )
    pointers = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=matrix.shape[1]))])
    return pointers.astype(np.int64), values, counts


def _distinct(
    columns: Integers, values: Floats, counts: Integers
) -> tuple[Integers, Floats, Integers]:
    """The distinct pairs of a column and a value, sorted, with the sums of their counts."""
    order = np.lexsort((values, columns))
    columns, values, counts = columns[order], values[order], counts[order]
    missing = np.isnan(values)
    new = np.ones(len(columns), dtype=bool)
    same = (values[1:] == values[:-1]) | (missing[1:] & missing[:-1])
    new[1:] = (columns[1:] != columns[:-1]) | ~same
    starts = np.flatnonzero(new)
    totals = np.add.reduceat(counts, starts) if len(starts) else counts[:0]
    return columns[starts], values[starts], totals


def joint_values(values: np.ndarray[Any, Any] | Coded, collective: Collective) -> Any:
    """The distinct values of a category column in all processes; one None for missing values."""
    objects = values.distinct() if isinstance(values, Coded) else values.tolist()
    try:
        own = list({(type(o), o): o for o in objects if not is_missing(o)}.values())
    except TypeError:  # refused when levels are learned
        own = list(objects)
    if len(own) < len(objects) and any(map(is_missing, objects)):
        own.append(None)
    every = [one for part in collective.exchange("gather", own) for one in part]
    result = np.empty(len(every), dtype=object)
    result[:] = every
    return result


def agree(table: Table | None, collective: Collective) -> Table:
    """A table with the columns that all processes agree on; None has no rows.

    A column is a category if it is one in any process: where all its values are missing, its type
    does not say so. Sparse columns only indicate presence if all of their entries are equal.
    """
    own = None if table is None else _outline(table)
    outlines = [one for one in collective.exchange("gather", own) if one is not None]
    names, forms = outlines[0][0], [kind for kind, _, _ in outlines[0][1]]
    for other in outlines[1:]:
        if other[0] != names:
            raise ValueError(
                f"the partitions have different columns, {list(names or ())[:5]} and "
                f"{list(other[0] or ())[:5]}: give all partitions the same columns"
            )
    if "sparse" in forms:
        values = {value for one in outlines for _, _, value in one[1]} - {0.0}
        value = values.pop() if len(values) == 1 else None
    if table is None:
        table = _empty(outlines[0])
    elif table.names is None or "sparse" not in forms:
        chosen = {c for one in outlines for kind, at, _ in one[1] if kind == "category" for c in at}
        have = {c for kind, at, _ in _outline(table)[1] if kind == "category" for c in at}
        if chosen - have:
            table = table.with_categories(sorted(chosen - have))
    groups = [
        replace(group, value=value) if isinstance(group, SparseColumns) else group
        for group in table.groups
    ]
    return Table(groups, len(table), table.names, table.source)


def _outline(table: Table) -> tuple[Any, list[tuple[str, list[int], float | None]]]:
    """Names, and form, positions and only value of each group; 0 is the value of no entries."""
    found: list[tuple[str, list[int], float | None]] = []
    for group in table.groups:
        at = group.positions.tolist()
        if isinstance(group, SparseColumns):
            found.append(("sparse", at, group.value if group.matrix.nnz else 0.0))
        else:
            found.append(("category" if isinstance(group, CategoryColumns) else "numbers", at, 0.0))
    return table.names, found


def _empty(outline: tuple[Any, list[tuple[str, list[int], float | None]]]) -> Table:
    """A table without rows."""
    from scipy.sparse import csr_array

    names, forms = outline
    groups: list[Columns] = []
    for kind, at, _ in forms:
        positions = np.array(at, dtype=np.int32)
        if kind == "sparse":
            groups.append(SparseColumns(at[0], csr_array((0, len(at)))))
        elif kind == "category":
            groups.append(CategoryColumns(positions, (np.empty(0, dtype=object),) * len(at)))
        else:
            groups.append(NumberColumns(positions, np.empty((0, len(at)))))
    return Table(groups, 0, names)
