"""Breiman's problems in 20 dimensions."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PROBLEMS = ("twonorm", "threenorm", "ringnorm")


def drawn(problem: str, rows: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    """So many rows of a problem, and their classes."""
    d = 20
    y = rng.integers(0, 2, rows)
    X = rng.normal(size=(rows, d))
    if problem == "ringnorm":
        a = 1.0 / np.sqrt(d)
        return np.where(y[:, None] == 1, X + a, 2.0 * X), y
    a = 2.0 / np.sqrt(d)
    if problem == "twonorm":
        return X + a * np.where(y == 1, 1.0, -1.0)[:, None], y
    either = np.where(rng.random(rows) < 0.5, 1.0, -1.0)[:, None]
    other = a * np.where(np.arange(d) % 2 == 0, 1.0, -1.0)
    return X + np.where(y[:, None] == 1, a * either, other), y
