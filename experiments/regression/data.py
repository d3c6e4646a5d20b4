"""Tables with a real-valued target, and the folds that they are cut into."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_diabetes
from sklearn.model_selection import KFold

from benchmarks.corpora import source

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

FOLDS = 5


@dataclass(frozen=True)
class Origin:
    """The target column of a file, the number that it is divided by, and how often it is cut."""

    target: str
    divisor: float
    unit: str
    repetitions: int


SETS = {
    "california_housing": Origin("medianHouseValue", 1000.0, "thousand dollars", 1),
    "boston_housing": Origin("class", 1.0, "thousand dollars", 2),
    "concrete": Origin("strength", 1.0, "MPa", 2),
}
BUILT_IN = {"diabetes": Origin("", 1.0, "points", 1)}
"""A set that scikit-learn brings, for the short form."""


@cache
def load(name: str) -> tuple[Floats, Floats]:
    """Columns and target."""
    if name in BUILT_IN:
        X, y = load_diabetes(return_X_y=True)
        return X, y
    frame = pd.read_csv(source(f"regression/{name}.csv.gz"))
    target = frame.pop(SETS[name].target).to_numpy(np.float64)
    return frame.to_numpy(np.float64), target / SETS[name].divisor


def origin(name: str) -> Origin:
    """Of a set."""
    return {**SETS, **BUILT_IN}[name]


@cache
def folds(name: str) -> list[tuple[Rows, Rows]]:
    """Rows to learn from and rows to judge by, of all repetitions."""
    cuts = [
        KFold(FOLDS, shuffle=True, random_state=repetition)
        for repetition in range(origin(name).repetitions)
    ]
    return [pair for cut in cuts for pair in cut.split(load(name)[0])]


def fingerprint(names: Sequence[str], settings: str) -> str:
    """Of the numbers in these sets and of how the models are set."""
    digest = hashlib.sha256(settings.encode())
    for name in names:
        digest.update(name.encode())
        for numbers in load(name):
            digest.update(numbers.tobytes())
    return digest.hexdigest()[:12]
