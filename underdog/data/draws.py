"""Rows drawn by what they contain, so that a draw does not depend on their order.

Equal rows are drawn together: three rows are one row of weight 3, and no copy of a row that was
drawn stays behind.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from underdog.data.hashing import Keys, content_keys, mix
from underdog.data.table import Table
from underdog.types import Flags, Integers

NEVER = -1
"""The fold of a row that is never held out."""


class Draw:
    """The different rows of each kind in an order that follows from a seed.

    Parameters
    ----------
    table : Table
    kinds : (n,)
        The class of each row; every class is drawn from by itself.
    repeats : (n,)
        How many examples each row stands for.
    seed : int
    """

    def __init__(self, table: Table, kinds: Integers, repeats: Integers, seed: int) -> None:
        keys = mix(content_keys(table, kinds) + np.uint64(seed % 2**63))
        self.n_rows, self._kinds, self._repeats = len(table), kinds, repeats
        self._keys: Keys
        self._keys, self._different = np.unique(keys, return_inverse=True)

    def _by_kind(self) -> Iterator[tuple[Integers, Integers, Integers]]:
        """Different rows of each kind in their order, their examples, and those before them."""
        examples = np.bincount(self._different, self._repeats).astype(np.int64)
        kind_of = np.zeros(len(self._keys), dtype=np.int64)
        kind_of[self._different] = self._kinds
        for kind in np.unique(self._kinds).tolist():
            rows = np.flatnonzero(kind_of == kind)  # sorted by their keys
            own = examples[rows]
            yield rows, own, np.cumsum(own) - own

    def share(self, fraction: float) -> Flags:
        """Rows with about this share of the examples of each kind, but never all different ones."""
        drawn = np.zeros(len(self._keys), dtype=bool)
        for rows, own, before in self._by_kind():
            wanted = fraction * float(own.sum())
            drawn[rows[:-1]] = (before + own / 2.0 < wanted)[:-1]
        result: Flags = drawn[self._different]
        return result

    def folds(self, count: int) -> Integers:
        """The fold of each row; NEVER if its kind has no other row to learn from."""
        fold = np.full(len(self._keys), NEVER, dtype=np.int64)
        for rows, own, before in self._by_kind():
            if len(rows) > 1:
                fold[rows] = count * before // int(own.sum())
        result: Integers = fold[self._different]
        return result
