"""Random target functions, and the samples that are drawn from them.

Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
2001, section 6.1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ortho_group

Floats = NDArray[np.float64]

COLUMNS = 10
TERMS = 20
MEAN_SIZE = 2.0
"""Mean of the exponential distribution that the number of columns of a term comes from."""
NARROW, WIDE = 0.1, 2.0
"""Square roots of the eigenvalues of the matrix of a term lie between them."""
CLASSES = 5
ERRORS = ("normal", "slash")
SMALL = "small slash"
SIZES = {"normal": 1.0, "slash": 1.0, SMALL: 0.3}
"""Mean absolute errors, relative to the deviation of the target."""


@dataclass(frozen=True)
class Term:
    """a exp(-(z - m)' V (z - m) / 2), a bump in some of the columns; V is `root` times its own."""

    height: float
    columns: NDArray[np.intp]
    centre: Floats
    root: Floats

    def __call__(self, X: Floats) -> Floats:
        rotated = (X[:, self.columns] - self.centre) @ self.root
        return self.height * np.exp(-0.5 * (rotated**2).sum(axis=1))


@dataclass(frozen=True)
class Sample:
    """Rows, the value of the target in each, and the values with errors."""

    X: Floats
    exact: Floats
    y: Floats


class Target:
    """The sum of 20 random terms.

    Parameters
    ----------
    number : int
        Seeds the terms and the samples: the same number is the same target.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        rng = np.random.default_rng([number, 0])
        self.terms = [_random_term(rng) for _ in range(TERMS)]

    def __call__(self, X: Floats) -> Floats:
        return np.sum([term(X) for term in self.terms], axis=0)

    def samples(self, errors: str, sizes: tuple[int, ...]) -> list[Sample]:
        """Samples with standard normal columns and errors as large as the target varies.

        The mean absolute error is equal to the mean absolute deviation of the target from its
        median, or a part of it; see `SIZES`. Slash errors, normal divided by uniform, have
        no mean: that of the first sample is used.
        """
        rng = np.random.default_rng([self.number, 1])
        rows = [rng.standard_normal((size, COLUMNS)) for size in sizes]
        drawn = [_errors(np.random.default_rng([self.number, 2, k]), errors, size)
                 for k, size in enumerate(sizes)]  # fmt: skip
        exact = [self(X) for X in rows]
        scale = SIZES[errors] * deviation(exact[0]) / np.abs(drawn[0]).mean()
        return [
            Sample(X, own, own + scale * error)
            for X, own, error in zip(rows, exact, drawn, strict=True)
        ]


def deviation(values: Floats) -> float:
    """The mean absolute deviation from the median."""
    return float(np.abs(values - np.median(values)).mean())


def relative_error(exact: Floats, predicted: Floats) -> float:
    """The mean absolute error, relative to that of the best constant."""
    return float(np.abs(exact - predicted).mean()) / deviation(exact)


def classes(samples: list[Sample]) -> list[NDArray[np.intp]]:
    """The target cut at its quantiles into five classes, which are equally frequent in the first
    sample; without errors."""
    cuts = np.quantile(samples[0].exact, np.arange(1, CLASSES) / CLASSES)
    return [np.searchsorted(cuts, sample.exact) for sample in samples]


def _random_term(rng: np.random.Generator) -> Term:
    size = min(int(1.5 + rng.exponential(MEAN_SIZE)), COLUMNS)
    columns = rng.permutation(COLUMNS)[:size]
    turn = ortho_group.rvs(size, random_state=rng) if size > 1 else np.ones((1, 1))
    widths = rng.uniform(NARROW, WIDE, size)
    height, centre = rng.uniform(-1.0, 1.0), rng.standard_normal(size)
    return Term(float(height), columns, centre, turn * widths)


def _errors(rng: np.random.Generator, kind: str, size: int) -> Floats:
    normal = rng.standard_normal(size)
    return normal if kind == "normal" else normal / rng.uniform(size=size)
