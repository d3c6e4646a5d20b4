"""Groups of examples that no hypothesis so far separates.

The programmes of totally corrective boosting have a variable or a constraint per example. Examples
with the same label and in the same block of every hypothesis can share one: they form a group.
Many thousands of examples make hundreds of groups. A new hypothesis splits only the groups with
examples in several of its blocks, so a round costs time only for the rows of all its blocks except
one, the rest, which should be the largest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from underdog.data.hashing import Keys, mix
from underdog.types import Codes, Floats, Indices, Integers

MANY_CODES = 1 << 20
"""With more possible codes than this, sorting is faster than a lookup table."""


class Box(NamedTuple):
    """Bounds on the weight of an example: lower[sign] and upper[sign] times its share.

    Both shares and weights sum to one over the examples.
    """

    lower: Floats
    upper: Floats


class Groups:
    """A partition of the examples by label and by the blocks of the hypotheses so far.

    The blocks of all hypotheses are numbered consecutively; the first of each hypothesis is its
    rest. Memberships in other blocks are stored as pairs of a group and a block.

    Parameters
    ----------
    sign : (n,), 0 or 1
    share : (n,)
        Share of each row in the examples, with sum 1.
    box : Box

    Attributes
    ----------
    of_row : (n,)
        The group of each row.
    sign : (G,), 0 or 1
    y : (G,), -1 or 1
    lower, upper : (G,)
        Bounds on the weight of a whole group.
    values : (K,)
        The value of each block of all hypotheses.
    hypothesis : (K,)
        The hypothesis of each block.
    rest : (J,)
        The block of each hypothesis that is its rest.
    keys, hypothesis_keys : (G,), (J,)
        Keys that do not depend on the order of examples, hypotheses or columns; see
        `underdog.data.keys`.
    """

    def __init__(self, sign: Codes, share: Floats, box: Box) -> None:
        self.box, self.share = box, share
        self.of_row: Indices = sign.astype(np.int32)
        self._rows = np.bincount(self.of_row, minlength=2)
        self._share = np.bincount(self.of_row, weights=share, minlength=2)
        self.sign: Codes = np.array([0, 1], dtype=np.uint8)
        self.keys: Keys = mix(np.array([1, 2], dtype=np.uint64))
        self._inside: Indices = np.empty((2, 0), dtype=np.int32)
        self.values: Floats = np.empty(0)
        self.hypothesis: Integers = np.empty(0, dtype=np.int64)
        self.rest: Integers = np.empty(0, dtype=np.int64)
        self.hypothesis_keys: Keys = np.empty(0, dtype=np.uint64)
        self._measure()

    def __len__(self) -> int:
        return len(self.sign)

    @property
    def n_hypotheses(self) -> int:
        return len(self.rest)

    @property
    def rises(self) -> Floats:
        """(K,) the value of each block minus that of the rest of its hypothesis."""
        result: Floats = self.values - self.values[self.rest[self.hypothesis]]
        return result

    def _measure(self) -> None:
        self.y: Floats = 2.0 * self.sign.astype(np.float64) - 1.0
        self.lower: Floats = self._share * self.box.lower[self.sign]
        self.upper: Floats = self._share * self.box.upper[self.sign]

    def pattern(self, chosen: Integers) -> Integers:
        """(len(chosen), J): the block of each hypothesis in which each of these groups is."""
        place = np.full(len(self), -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        group, block = self._inside
        wanted = place[group] >= 0
        group, block = group[wanted], block[wanted]
        result = np.tile(self.rest, (len(chosen), 1))
        result[place[group], self.hypothesis[block]] = block
        return result

    def inside(self, hypothesis: int) -> tuple[Integers, Integers]:
        """The groups outside the rest of a hypothesis, and the block of each."""
        group, block = self._inside
        first, end = np.searchsorted(self.hypothesis, [hypothesis, hypothesis + 1])
        own = np.flatnonzero((block >= first) & (block < end))
        return group[own].astype(np.int64), block[own].astype(np.int64)

    def answers(self, hypothesis: int) -> Floats:
        """(G,) the value of a hypothesis in each group."""
        group, block = self.inside(hypothesis)
        result = np.full(len(self), self.values[self.rest[hypothesis]])
        result[group] = self.values[block]
        return result

    def split(
        self, rows: Indices, ends: Integers, rest: int, values: Floats, keys: Keys
    ) -> Integers:
        """Add a hypothesis, and split each group that has rows in several of its blocks.

        Parameters
        ----------
        rows : the rows of all blocks except `rest`, sorted by block
        ends : (B,)
            Block b has rows[ends[b - 1]:ends[b]]; this is empty for the rest, which has all other
            rows.
        rest : int
        values : (B,)
            The value of the hypothesis in each block.
        keys : (B,)
            A key for each block. The key of the hypothesis is their sum. A block is identified by
            its key plus that of the rest; with two blocks both are the same.

        Returns
        -------
        parents : the group that each new group was a part of, in ascending order
            New groups are numbered last. The part in the rest keeps the number of the group, or, if
            it has no rows, the part in the first block that has some.
        """
        before, n_blocks = len(self), len(ends)
        here = self.of_row[rows].astype(np.int64)
        block = np.searchsorted(ends, np.arange(len(rows)), side="right")
        piece, of_listed = distinct_codes(here * n_blocks + block, before * n_blocks)
        group, block = np.divmod(piece, n_blocks)
        count = np.bincount(of_listed)
        share = np.bincount(of_listed, weights=self.share[rows])
        none_left = np.bincount(here, minlength=before) == self._rows
        first = np.ones(len(group), dtype=bool)
        first[1:] = group[1:] != group[:-1]
        stays = none_left[group] & first
        moves = ~stays
        parents: Integers = group[moves]
        group[moves] = before + np.arange(len(parents))
        self.of_row[rows] = group[of_listed]
        self._rows = np.append(self._rows, count[moves])
        np.subtract.at(self._rows, parents, count[moves])
        self._share = np.append(self._share, share[moves])
        np.subtract.at(self._share, parents, share[moves])
        self._share = np.maximum(self._share, 0.0)
        self.sign = np.append(self.sign, self.sign[parents])
        self.keys = np.append(self.keys, self.keys[parents])
        self.keys[group] += keys[block] + keys[rest]
        self._inherit(parents)
        number = len(self.values) + block + (block < rest)  # the rest comes first
        new = [np.append(of[stays], of[moves]) for of in (group, number)]
        self._inside = np.concatenate([self._inside, new], axis=1, dtype=np.int32)
        self.hypothesis = np.append(self.hypothesis, np.full(n_blocks, self.n_hypotheses))
        self.rest = np.append(self.rest, len(self.values))
        rest_first = values[rest : rest + 1], values[:rest], values[rest + 1 :]
        self.values = np.concatenate([self.values, *rest_first])
        self.hypothesis_keys = np.append(self.hypothesis_keys, np.sum(keys, dtype=np.uint64))
        self._measure()
        return parents

    def _inherit(self, parents: Integers) -> None:
        """Add the new groups, which are the last ones, to the blocks of their parents."""
        before = len(self) - len(parents)
        n_children = np.bincount(parents, minlength=before)
        first = before + np.cumsum(n_children) - n_children
        group, block = self._inside
        own = np.flatnonzero((n_children > 0)[group])
        group, block = group[own], block[own]
        repeats = n_children[group]
        nth = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        new = [np.repeat(first[group], repeats) + nth, np.repeat(block, repeats)]
        self._inside = np.concatenate([self._inside, new], axis=1, dtype=np.int32)

    def margins(self, coefficients: Floats) -> Floats:
        """(G,) y f, where f is the sum of the first hypotheses with these coefficients."""
        group, block = self._inside
        count = len(coefficients)
        every = np.zeros(self.n_hypotheses)
        every[:count] = coefficients
        steps = every[self.hypothesis] * self.rises
        inside = np.bincount(group, weights=steps[block], minlength=len(self))
        # A strided view: contiguous numbers are added in another order, which would change the last
        # bit of a margin compared to earlier versions.
        rest = np.repeat(self.values[self.rest[:count]], 2)[::2]
        result: Floats = self.y * (float(coefficients @ rest) + inside)
        return result

    def matrix(self) -> Floats:
        """(G, J) y h_j."""
        group, block = self._inside
        result = np.tile(self.values[self.rest], (len(self), 1))
        result[group, self.hypothesis[block]] = self.values[block]
        result *= self.y[:, np.newaxis]
        return result

    def edges(self, weights: Floats) -> Floats:
        """(J,) sum of weight y h_j, where weights[g] is the weight of a whole group.

        The value of the rest counts for all groups, and the rise of a block for the groups in it.
        """
        signed = self.y * weights
        group, block = self._inside
        parts = self.rises * np.bincount(block, weights=signed[group], minlength=len(self.values))
        parts[self.rest] = self.values[self.rest] * float(signed.sum())
        result: Floats = np.add.reduceat(parts, self.rest)
        return result

    def soft_margin(self, coefficients: Floats) -> float:
        """The minimum of the sum of weight y f over weights in the box."""
        return soft_margin(self.margins(coefficients), self.lower, self.upper)


def distinct_codes(codes: Integers, size: int) -> tuple[Integers, Integers]:
    """The sorted distinct codes below `size`, and the index of each code among them."""
    if size > max(MANY_CODES, 16 * len(codes)):
        return np.unique(codes, return_inverse=True)
    place = np.zeros(size, dtype=np.int64)
    place[codes] = 1
    found = np.flatnonzero(place)
    place[found] = np.arange(len(found))
    return found, place[codes]


def soft_margin(margins: Floats, lower: Floats, upper: Floats) -> float:
    """The minimum of the weighted mean margin over weights in [lower, upper] with sum 1.

    All free weight is on the smallest margins. With upper = 1 / (m nu) and lower = 0 it is the mean
    of the smallest margins, those of the share nu of the examples.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.masters.groups import soft_margin
    >>> margins, caps = np.array([0.9, -0.5, 0.3, 0.1]), np.full(4, 0.5)
    >>> soft_margin(margins, np.zeros(4), caps)
    -0.2
    """
    order = np.argsort(margins, kind="stable")
    free = 1.0 - float(lower.sum())
    room = np.minimum((upper - lower)[order], free)  # more would increase rounding errors
    before = np.cumsum(room) - room
    filled = np.clip(free - before, 0.0, room)
    return float(lower @ margins + filled @ margins[order])
