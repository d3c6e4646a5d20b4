"""Columns that are the target under another name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from underdog.frames.columns import columns_of, texts_of

FIRST = 1000


def leaks(X: Any, target: str | Sequence[Any]) -> list[str]:
    """Columns whose values and those of the target determine each other.

    A model that learns from such a column has learned nothing: it is not there when the target is
    to be predicted.

    Parameters
    ----------
    X : data frame
    target : str or sequence
        A column of the frame, or the labels of its rows.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"ill": [1, 0, 1], "diagnosis": ["flu", "none", "flu"], "age": 33})
    >>> leaks(frame, "ill")
    ['diagnosis']
    """
    columns = dict(columns_of(X))
    labels = texts_of(columns.pop(target)) if isinstance(target, str) else target
    classes = len(set(labels))
    if classes < 2:
        return []
    return [
        name
        for name, series in columns.items()
        # Most columns have more values than that in their first rows already.
        if series.head(FIRST).n_unique() <= classes
        and series.n_unique() == classes
        and len(set(zip(texts_of(series), labels, strict=True))) == classes
    ]
