"""What turns given data into columns that boosters learn from."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from underdog.data import Table
from underdog.frames import FrameEncoder
from underdog.frames.encoder import RARE_FROM
from underdog.text import TermVectorizer


def encoder_for(X: Any) -> FrameEncoder | TermVectorizer | None:
    """An encoder of data frames or documents; None for what boosters take as it is.

    Frames of numbers and categories are taken as they are. Frames with texts, dates or unknown
    columns are encoded. A list of texts is a list of documents.
    """
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        known = all(_is_plain(dtype) for dtype in frame.schema.values())
        return None if known else FrameEncoder()
    if is_documents(X):
        return TermVectorizer(min_df=2 if len(X) >= RARE_FROM else 1)
    return None


def encoded(encoder: Any, X: Any) -> Any:
    """The rows as a booster takes them; terms of documents have their names."""
    if encoder is None:
        return X
    made = encoder.transform(X)
    if isinstance(made, Table):
        return made
    table = Table.from_data(made)
    return Table(table.groups, len(table), list(encoder.get_feature_names_out()))


def shape_of(X: Any) -> tuple[int, int]:
    """How many rows and columns there are."""
    shape = X.shape if hasattr(X, "shape") else np.asarray(X).shape
    return (int(shape[0]), int(shape[1])) if len(shape) == 2 else (len(X), 1)


def is_documents(X: Any) -> bool:
    """Whether this is a list, series or array of texts."""
    known = isinstance(X, list | tuple | np.ndarray) or hasattr(X, "to_list")
    if not known or len(np.shape(X) if isinstance(X, np.ndarray) else (0,)) != 1 or not len(X):
        return False
    return all(isinstance(text, str) for text in X)


def _is_plain(dtype: Any) -> bool:
    return bool(dtype.is_numeric() or dtype in (nw.Boolean, nw.Categorical, nw.Enum))
