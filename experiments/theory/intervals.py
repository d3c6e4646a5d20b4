"""95% intervals of Student's t, and what they say."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

Floats = NDArray[np.float64]


def interval(values: Floats) -> tuple[float, float]:
    """The mean, and half of its 95% interval; NaN for a single value."""
    count = len(values)
    if count < 2:
        return float(values.mean()), float("nan")
    half = float(student.ppf(0.975, count - 1) * values.std(ddof=1) / np.sqrt(count))
    return float(values.mean()), half


def shown(mean: float, half: float) -> str:
    """A mean with its interval."""
    return f"{mean:.4f} ± {half:.4f}"


def more(mean: float, half: float) -> str:
    """A difference with its interval."""
    return f"{mean:+.4f} ± {half:.4f}"


def verdict(mean: float, half: float, above: str, below: str) -> str:
    """What an interval says of a difference."""
    if not abs(mean) > half:
        return "not decided"
    return above if mean > 0 else below
