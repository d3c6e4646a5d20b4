"""How many examples the rows stand for, before the booster has checked their weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from underdog.estimators.support.weights import count_examples
from underdog.types import Integers


def repeats_of(sample_weight: Any, n_rows: int) -> Integers:
    """(n,) how many examples each row stands for.

    Weights that are whole numbers say it. If they are not, every row with a weight above 0 is one
    example. Weights that the booster will refuse are taken as 1 each.

    Examples
    --------
    >>> from underdog.automatic.examples import repeats_of
    >>> repeats_of([2, 0, 1], 3).tolist(), repeats_of([0.5, 0.0, 2.0], 3).tolist()
    ([2, 0, 1], [1, 0, 1])
    """
    result = np.zeros(n_rows, dtype=np.int64)
    try:
        counted = count_examples(sample_weight, n_rows)
    except (TypeError, ValueError):
        return result + 1
    result[counted.kept] = counted.repeats
    return result


def rows_of(repeats: Integers) -> Integers:
    """The number of each row, as often as it is repeated."""
    return np.repeat(np.arange(len(repeats)), repeats)
