"""Hashes of rows by their contents, independent of the order and storage of the rows."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from underdog.checks import is_missing
from underdog.data.columns import CategoryColumns, Coded, NumberColumns
from underdog.data.table import Table
from underdog.types import Floats, Integers

Keys = NDArray[np.uint64]

MISSING = np.uint64(0x7FF8000000000000)
"""The bits of a NaN."""
STEP = 0x9E3779B97F4A7C15
"""The increment of SplitMix64: 2**64 divided by the golden ratio."""


def mix(numbers: Keys) -> Keys:
    """Hash 64-bit numbers: the outputs of SplitMix64 in these states."""
    z = numbers + np.uint64(STEP)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: Keys = z ^ (z >> np.uint64(31))
    return result


def unit_interval(keys: Keys) -> Floats:
    """Keys as numbers in [0, 1)."""
    return np.ldexp((mix(keys) >> np.uint64(11)).astype(np.float64), -53)


def content_keys(table: Table, kinds: Integers) -> Keys:
    """(n,) a hash of the values and the kind of each row."""
    return with_kinds(content_sums(table), kinds)


def with_kinds(sums: Keys, kinds: Integers) -> Keys:
    """(n,) a hash of each row, given the sum over its values, and its kind."""
    return mix(sums + mix(kinds.astype(np.uint64)))


def content_sums(table: Table) -> Keys:
    """(n,) the sum of the hashes of the values of each row.

    Equal rows have equal sums. Zeros do not contribute, so the sparse and the dense form of the
    same numbers agree.
    """
    total = np.zeros(table.shape[0], dtype=np.uint64)
    for group in table.groups:
        if isinstance(group, CategoryColumns):
            for position, given in zip(group.positions.tolist(), group.given, strict=True):
                total += _mixed(position, _level_keys(given))
        elif isinstance(group, NumberColumns):
            for place, position in enumerate(group.positions.tolist()):
                total += _number_keys(position, group.matrix[:, place])
        else:
            matrix = group.matrix
            entries = _number_keys(group.positions[matrix.indices].astype(np.uint64), matrix.data)
            ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(entries)])
            total += ends[matrix.indptr[1:]] - ends[matrix.indptr[:-1]]
    return total


def group_keys(rows: Keys, repeats: Integers, groups: Any) -> Keys:
    """(n,) a hash of the group of each row, from the keys of its rows, not from its name."""
    names, group_of = np.unique(groups, return_inverse=True)
    total = np.zeros(len(names), dtype=np.uint64)
    np.add.at(total, group_of, rows * repeats.astype(np.uint64))
    result: Keys = mix(total)[group_of]
    return result


def numbered_keys(rows: Keys) -> Keys:
    """(n,) keys that differ between equal rows, too: a hash of the key and of which copy it is."""
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    first = np.searchsorted(ordered, ordered)
    copy = np.empty(len(rows), dtype=np.uint64)
    copy[order] = np.arange(len(rows)) - first
    return mix(rows + mix(copy))


def _number_keys(position: Any, values: Any) -> Keys:
    numbers = np.array(values, dtype=np.float64)  # a copy, which may be changed
    bits = numbers.view(np.uint64)
    bits[np.isnan(numbers)] = MISSING
    keys = _mixed(position, bits)
    keys[numbers == 0.0] = 0
    return keys


def _mixed(position: Any, keys: Keys) -> Keys:
    return mix(mix(np.asarray(position, dtype=np.uint64)[..., np.newaxis].ravel()) ^ keys)


def _level_keys(given: np.ndarray[Any, Any] | Coded) -> Keys:
    """A hash of each level as text; all missing values have the same."""
    if isinstance(given, Coded):
        of_codes: Keys = _level_keys(given.levels)[given.codes]
        return of_codes
    known: dict[Any, int] = {}
    keys = np.empty(len(given), dtype=np.uint64)
    for row, value in enumerate(given.tolist()):
        level = None if is_missing(value) else value
        if level not in known:
            digest = hashlib.blake2b(str(level).encode(errors="surrogatepass"), digest_size=8)
            known[level] = int(MISSING) if level is None else int.from_bytes(digest.digest(), "big")
        keys[row] = known[level]
    return keys
