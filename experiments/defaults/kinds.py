"""Kinds of targets, and an entry of the list of tasks."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

BINARY, MULTICLASS, MULTILABEL = "binary", "multiclass", "multilabel"
NUMBER, QUANTILES = "number", "quantiles"

Loaded = tuple[pd.DataFrame, NDArray[Any]]


class Entry(NamedTuple):
    """What kind of target a task has, the data set that it is cut from, and how it is read."""

    kind: str
    source: str
    load: Callable[[], Loaded]


def sample(n_rows: int, most: int) -> NDArray[np.intp]:
    """At most so many rows, always the same, in their order."""
    if n_rows <= most:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).permutation(n_rows)[:most])


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers as float64 and everything else as categories."""
    texts = frame.select_dtypes(exclude="number").columns
    kinds: dict[Any, Any] = dict.fromkeys(frame.columns, np.float64)
    return frame.astype(kinds | dict.fromkeys(texts, "category"))


def rare_first(target: pd.Series) -> NDArray[np.int64]:
    """1 for the rarer of two classes."""
    return (target == target.value_counts().idxmin()).to_numpy(np.int64)


def codes(target: pd.Series) -> NDArray[np.int64]:
    """0, 1, ... in the order of the names."""
    return np.unique(target.to_numpy(), return_inverse=True)[1].astype(np.int64)
