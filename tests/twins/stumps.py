"""Every threshold stump of a dense matrix, and the weights that fall into its two blocks."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

TIE = 1e-11
"""What differs by less, relative to its scale, is equal: rounding must not break an exact tie."""


@dataclass(frozen=True)
class Stump:
    """The test x[column] > threshold; where x is missing the answer is `missing`."""

    column: int
    threshold: float
    missing: bool = False

    def truth(self, X: np.ndarray) -> np.ndarray:
        """One truth value for each row of X."""
        x = X[:, self.column]
        return np.where(np.isnan(x), self.missing, x > self.threshold)


def stumps(X: np.ndarray) -> Iterator[Stump]:
    """All stumps by (column, cut): every midpoint, missing values on either side, then alone."""
    for column, x in enumerate(X.T):
        seen = np.unique(x[~np.isnan(x)])
        has_missing = bool(np.isnan(x).any())
        for threshold in (seen[:-1] + seen[1:]) / 2:
            for missing in (False, True) if has_missing else (False,):
                yield Stump(column, float(threshold), missing)
        if has_missing and len(seen):
            yield Stump(column, np.inf, True)


def block_sums(truth: np.ndarray, D: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """W[stump, block, sign, label] = sum of D; block 1 is where the test is true, sign 1 is +."""
    blocks = np.stack([~truth, truth], axis=1).astype(float)
    signs = np.stack([D * (Y < 0), D * (Y > 0)])
    return np.tensordot(blocks, signs, axes=(2, 1))


def first_least(badness: np.ndarray, allowed: np.ndarray | bool = True) -> int:
    """The first stump whose badness is the least of the allowed ones, ties included."""
    badness = np.where(allowed, badness, np.inf)
    least = badness.min()
    return int(np.argmax(badness <= least + TIE * max(1.0, abs(least))))
