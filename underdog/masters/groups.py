"""Examples that no hypothesis so far tells apart.

The programmes of totally corrective boosting have a variable or a constraint per example. Examples
with the same label and in the same block of every hypothesis are one group, and a group is enough:
there are hundreds of groups where there are many thousands of examples. A new hypothesis divides
only those groups that have examples in several of its blocks, so a round costs what the hypothesis
touches: all of its blocks but one, the rest, which should be the largest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from underdog.data.hashing import Keys, mix
from underdog.types import Codes, Floats, Indices, Integers

MANY_CODES = 1 << 20
"""From here on a table of all codes takes longer than sorting those that are there."""


class Box(NamedTuple):
    """What the weights of an example may be: between lower[sign] and upper[sign] times its share.

    Shares sum to one over the examples, and so do weights.
    """

    lower: Floats
    upper: Floats


class Groups:
    """A partition of the examples by label and by the blocks of the hypotheses so far.

    Blocks are numbered through, hypothesis after hypothesis; the first of each is its rest. Only
    what is not in the rest is stored, as pairs of a group and a block.

    Parameters
    ----------
    sign : (n,), 0 or 1
    share : (n,)
        Share of each row in the examples; sums to one.
    box : Box

    Attributes
    ----------
    of_row : (n,)
        The group of each row.
    sign : (G,), 0 or 1
    y : (G,), -1 or 1
    lower, upper : (G,)
        Bounds of the weight of a whole group.
    says : (K,)
        What is said in each block of all hypotheses.
    hypothesis : (K,)
        To which hypothesis each block belongs.
    rest : (J,)
        The block of each hypothesis that is its rest.
    keys, hypothesis_keys : (G,), (J,)
        Numbers that do not depend on the order of anything: see `underdog.data.keys`.
    """

    def __init__(self, sign: Codes, share: Floats, box: Box) -> None:
        self.box, self.share = box, share
        self.of_row: Indices = sign.astype(np.int32)
        self._rows = np.bincount(self.of_row, minlength=2)
        self._share = np.bincount(self.of_row, weights=share, minlength=2)
        self.sign: Codes = np.array([0, 1], dtype=np.uint8)
        self.keys: Keys = mix(np.array([1, 2], dtype=np.uint64))
        self._inside: Indices = np.empty((2, 0), dtype=np.int32)
        self.says: Floats = np.empty(0)
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
        """(K,) by how much more is said in each block than in the rest of its hypothesis."""
        result: Floats = self.says - self.says[self.rest[self.hypothesis]]
        return result

    def _measure(self) -> None:
        self.y: Floats = 2.0 * self.sign.astype(np.float64) - 1.0
        self.lower: Floats = self._share * self.box.lower[self.sign]
        self.upper: Floats = self._share * self.box.upper[self.sign]

    def pattern(self, some: Integers) -> Integers:
        """(some, J): the block of each hypothesis in which each of these groups is."""
        place = np.full(len(self), -1, dtype=np.int64)
        place[some] = np.arange(len(some))
        group, block = self._inside
        wanted = place[group] >= 0
        group, block = group[wanted], block[wanted]
        result = np.tile(self.rest, (len(some), 1))
        result[place[group], self.hypothesis[block]] = block
        return result

    def inside(self, hypothesis: int) -> tuple[Integers, Integers]:
        """The groups that are not in the rest of a hypothesis, and the block of each."""
        group, block = self._inside
        first, end = np.searchsorted(self.hypothesis, [hypothesis, hypothesis + 1])
        own = np.flatnonzero((block >= first) & (block < end))
        return group[own].astype(np.int64), block[own].astype(np.int64)

    def answers(self, hypothesis: int) -> Floats:
        """(G,) what a hypothesis says in each group."""
        group, block = self.inside(hypothesis)
        result = np.full(len(self), self.says[self.rest[hypothesis]])
        result[group] = self.says[block]
        return result

    def split(
        self, rows: Indices, ends: Integers, rest: int, values: Floats, keys: Keys
    ) -> Integers:
        """Take a hypothesis. A group with rows in several of its blocks becomes as many groups.

        Parameters
        ----------
        rows : those of all blocks but `rest`, block after block
        ends : (B,)
            Block b is rows[ends[b - 1]:ends[b]]; nothing for the rest, which is all other rows.
        rest : int
        values : (B,)
            What the hypothesis says in each block.
        keys : (B,)
            A number for each block. That of the hypothesis is their sum, and a block is known by
            its own together with that of the rest: with two blocks both are the same.

        Returns
        -------
        parents : the group that each new group was a part of, ascending
            New groups are the last ones. The part of a group that is in the rest keeps its number,
            or, if it has no rows there, the part in the first block that has some.
        """
        before, n_blocks = len(self), len(ends)
        here = self.of_row[rows].astype(np.int64)
        block = np.searchsorted(ends, np.arange(len(rows)), side="right")
        piece, of_listed = _distinct(here * n_blocks + block, before * n_blocks)
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
        number = len(self.says) + block + (block < rest)  # the rest comes first
        new = [np.append(of[stays], of[moves]) for of in (group, number)]
        self._inside = np.concatenate([self._inside, new], axis=1, dtype=np.int32)
        self.hypothesis = np.append(self.hypothesis, np.full(n_blocks, self.n_hypotheses))
        self.rest = np.append(self.rest, len(self.says))
        said = values[rest : rest + 1], values[:rest], values[rest + 1 :]
        self.says = np.concatenate([self.says, *said])
        self.hypothesis_keys = np.append(self.hypothesis_keys, np.sum(keys, dtype=np.uint64))
        self._measure()
        return parents

    def _inherit(self, parents: Integers) -> None:
        """New groups, the last ones, are in the blocks in which their parents are."""
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
        """(G,) y f, with f the sum of the first hypotheses with these coefficients."""
        group, block = self._inside
        count = len(coefficients)
        every = np.zeros(self.n_hypotheses)
        every[:count] = coefficients
        steps = every[self.hypothesis] * self.rises
        inside = np.bincount(group, weights=steps[block], minlength=len(self))
        # Every second of twice as many: numbers without gaps are added in another order, and the
        # last bit of a margin would not be that of earlier versions.
        rest = np.repeat(self.says[self.rest[:count]], 2)[::2]
        result: Floats = self.y * (float(coefficients @ rest) + inside)
        return result

    def matrix(self) -> Floats:
        """(G, J) y h_j."""
        group, block = self._inside
        result = np.tile(self.says[self.rest], (len(self), 1))
        result[group, self.hypothesis[block]] = self.says[block]
        result *= self.y[:, np.newaxis]
        return result

    def edges(self, weights: Floats) -> Floats:
        """(J,) sum of weight y h_j, with weights[g] that of a whole group.

        What is said in the rest counts for all groups, and the rise of a block for those in it.
        """
        signed = self.y * weights
        group, block = self._inside
        parts = self.rises * np.bincount(block, weights=signed[group], minlength=len(self.says))
        parts[self.rest] = self.says[self.rest] * float(signed.sum())
        result: Floats = np.add.reduceat(parts, self.rest)
        return result

    def soft_margin(self, coefficients: Floats) -> float:
        """The least that the sum of weight y f can be for weights in the box."""
        return soft_margin(self.margins(coefficients), self.lower, self.upper)


def _distinct(codes: Integers, size: int) -> tuple[Integers, Integers]:
    """The different codes below `size` in rising order, and which of them each is."""
    if size > max(MANY_CODES, 16 * len(codes)):
        return np.unique(codes, return_inverse=True)
    place = np.zeros(size, dtype=np.int64)
    place[codes] = 1
    found = np.flatnonzero(place)
    place[found] = np.arange(len(found))
    return found, place[codes]


def soft_margin(margins: Floats, lower: Floats, upper: Floats) -> float:
    """The least mean of the margins under weights in [lower, upper] that sum to one.

    All weight that is free goes to the smallest margins. With upper = 1 / (m nu) and lower = 0 it
    is the mean of the nu-th part with the smallest margins.

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
    room = np.minimum((upper - lower)[order], free)  # more would drown the smaller ones in rounding
    before = np.cumsum(room) - room
    filled = np.clip(free - before, 0.0, room)
    return float(lower @ margins + filled @ margins[order])
