"""Predictions of Dask collections, which are computed partition by partition when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.types import Floats

if TYPE_CHECKING:
    from underdog.estimators.support.predictions import Predictions


def is_dask(X: Any) -> bool:
    """Whether X is a collection of Dask."""
    return hasattr(X, "__dask_graph__")


def from_scores(model: Predictions, X: Any, make: Callable[[Floats], Any]) -> Any:
    """Predictions from the scores of each row; of a Dask collection, they are not yet computed.

    Those of an array are an array, and those of a frame a series or frame with the same index.
    """
    if not is_dask(X):
        return make(model._scores(X))
    model._check_fitted()
    one = np.asarray(make(np.zeros((1, model.model_.n_labels))))
    if hasattr(X, "chunks"):
        if len(X.chunks[1]) > 1:
            X = X.rechunk({1: -1})
        width = one.shape[1:]
        return X.map_blocks(
            _of_block, model, make, dtype=one.dtype, meta=one[:0],
            chunks=(X.chunks[0], *((size,) for size in width)), drop_axis=() if width else 1,
        )  # fmt: skip
    return X.map_partitions(_of_frame, model, make, meta=_framed(one[:0], X._meta.index[:0]))


def _of_block(block: Any, model: Predictions, make: Callable[[Floats], Any]) -> Any:
    return make(model._scores(block))


def _of_frame(frame: Any, model: Predictions, make: Callable[[Floats], Any]) -> Any:
    if not len(frame):
        return _framed(np.asarray(make(np.zeros((1, model.model_.n_labels))))[:0], frame.index)
    return _framed(np.asarray(make(model._scores(frame))), frame.index)


def _framed(values: Any, index: Any) -> Any:
    import pandas as pd

    return pd.Series(values, index) if values.ndim == 1 else pd.DataFrame(values, index)
