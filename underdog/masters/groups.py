"""Examples that no hypothesis so far tells apart.

The programmes of totally corrective boosting have a variable or a constraint per example. Examples
with the same label and the same pattern of tests are one group, and a group is enough: there are
hundreds of groups where there are many thousands of examples. A new hypothesis splits only those
groups that have examples on both sides of its test, so a round costs what its test touches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from underdog.data.hashing import Keys, mix
from underdog.types import Codes, Flags, Floats, Indices, Integers


class Box(NamedTuple):
    """What the weights of an example may be: between lower[sign] and upper[sign] times its share.

    Shares sum to one over the examples, and so do weights.
    """

    lower: Floats
    upper: Floats


class Groups:
    """A partition of the examples by label and by the tests so far.

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
    values : (J, 2)
        What hypothesis j says where its test touches no row, and where it does.
    keys, hypothesis_keys : (G,), (J,)
        Numbers that do not depend on the order of anything: see `underdog.keys`.
    """

    def __init__(self, sign: Codes, share: Floats, box: Box) -> None:
        self.box, self.share = box, share
        self.of_row: Indices = sign.astype(np.int32)
        self._rows = np.bincount(self.of_row, minlength=2)
        self._share = np.bincount(self.of_row, weights=share, minlength=2)
        self.sign: Codes = np.array([0, 1], dtype=np.uint8)
        self.keys: Keys = mix(np.array([1, 2], dtype=np.uint64))
        self._inside: Indices = np.empty((2, 0), dtype=np.int32)
        self.values: Floats = np.empty((0, 2))
        self.hypothesis_keys: Keys = np.empty(0, dtype=np.uint64)
        self._measure()

    def __len__(self) -> int:
        return len(self.sign)

    @property
    def n_hypotheses(self) -> int:
        return len(self.values)

    def _measure(self) -> None:
        self.y: Floats = 2.0 * self.sign.astype(np.float64) - 1.0
        self.lower: Floats = self._share * self.box.lower[self.sign]
        self.upper: Floats = self._share * self.box.upper[self.sign]

    def pattern(self, some: Integers) -> Flags:
        """(some, J): whether each of these groups is on the touched side of each hypothesis."""
        place = np.full(len(self), -1, dtype=np.int64)
        place[some] = np.arange(len(some))
        group, number = self._inside
        wanted = place[group] >= 0
        result: Flags = np.zeros((len(some), self.n_hypotheses), dtype=bool)
        result[place[group[wanted]], number[wanted]] = True
        return result

    def inside(self, hypothesis: int) -> Integers:
        """The groups on the touched side of a hypothesis."""
        group, number = self._inside
        result: Integers = group[number == hypothesis].astype(np.int64)
        return result

    def split(self, rows: Indices, other: float, touched: float, key: np.uint64) -> Integers:
        """Take a hypothesis that says `touched` on these rows and `other` elsewhere.

        Returns the groups that had rows on both sides. The touched part of each is a new group:
        the last ones, in this order.
        """
        before = len(self)
        here = self.of_row[rows]
        rows_in = np.bincount(here, minlength=before)
        share_in = np.bincount(here, weights=self.share[rows], minlength=before)
        hit = np.flatnonzero(rows_in)
        parents = hit[rows_in[hit] < self._rows[hit]]
        whole = hit[rows_in[hit] == self._rows[hit]]
        children = before + np.arange(len(parents))
        moved = np.full(before, -1, dtype=np.int32)
        moved[parents] = children
        self.of_row[rows] = np.where(moved[here] >= 0, moved[here], here)
        self._rows = np.concatenate([self._rows, rows_in[parents]])
        self._rows[parents] -= rows_in[parents]
        self._share = np.concatenate([self._share, share_in[parents]])
        self._share[parents] = np.maximum(self._share[parents] - share_in[parents], 0.0)
        self.sign = np.concatenate([self.sign, self.sign[parents]])
        self.keys = np.concatenate([self.keys, self.keys[parents]])
        inside = np.concatenate([whole, children])
        group, number = self._inside
        inherited = np.flatnonzero(moved[group] >= 0)
        self._inside = np.concatenate(
            [
                self._inside,
                [moved[group[inherited]], number[inherited]],
                [inside, np.full(len(inside), self.n_hypotheses)],
            ],
            axis=1,
            dtype=np.int32,
        )
        self.keys[inside] += key
        self.values = np.concatenate([self.values, [[other, touched]]])
        self.hypothesis_keys = np.append(self.hypothesis_keys, key)
        self._measure()
        return parents

    def margins(self, coefficients: Floats) -> Floats:
        """(G,) y f, with f the sum of the first hypotheses with these coefficients."""
        group, number = self._inside
        other, touched = self.values[: len(coefficients)].T
        steps = np.zeros(self.n_hypotheses)
        steps[: len(coefficients)] = coefficients * (touched - other)
        inside = np.bincount(group, weights=steps[number], minlength=len(self))
        result: Floats = self.y * (float(coefficients @ other) + inside)
        return result

    def matrix(self) -> Floats:
        """(G, J) y h_j."""
        other, touched = self.values.T
        inside = self.pattern(np.arange(len(self)))
        result: Floats = self.y[:, np.newaxis] * np.where(inside, touched, other)
        return result

    def edges(self, weights: Floats) -> Floats:
        """(J,) sum of weight y h_j, with weights[g] that of a whole group."""
        signed = self.y * weights
        other, touched = self.values.T
        group, number = self._inside
        inside = np.bincount(number, weights=signed[group], minlength=self.n_hypotheses)
        result: Floats = other * float(signed.sum()) + (touched - other) * inside
        return result

    def soft_margin(self, coefficients: Floats) -> float:
        """The least that the sum of weight y f can be for weights in the box."""
        return soft_margin(self.margins(coefficients), self.lower, self.upper)


def soft_margin(margins: Floats, lower: Floats, upper: Floats) -> float:
    """The least mean of the margins under weights in [lower, upper] that sum to one.

    All weight that is free goes to the smallest margins. With upper = 1 / (m nu) and lower = 0 it
    is the mean of the nu-th part with the smallest margins.

    Examples
    --------
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
