"""What problems for the masters share: examples with signs, shares and bounds."""

import numpy as np

from underdog.masters.groups import Box, Groups


class ExamplesWithBounds:
    """Examples to which subclasses add hypotheses.

    They are numbered from 0 to `len(self)`, and `split(groups, j, rows)` tells groups of the j-th.
    """

    def __init__(self, seed, rows):
        self.rng = np.random.default_rng(seed)
        self.sign = self.rng.integers(0, 2, rows).astype(np.uint8)
        self.sign[:2] = 0, 1
        self.share = np.full(rows, 1 / rows)

    def bound(self, nu, beta=1.0, ratio=0.0):
        upper = np.array([1.0, beta]) / nu
        self.box = Box(upper / ratio if ratio else np.zeros(2), upper)
        return self

    def groups(self, order=None, rows=None):
        rows = np.arange(len(self.sign)) if rows is None else rows
        groups = Groups(self.sign[rows], self.share[rows], self.box)
        for j in range(len(self)) if order is None else order:
            self.split(groups, j, rows)
        return groups

    @property
    def bounds(self):
        return tuple(bound[self.sign] * self.share for bound in self.box)
