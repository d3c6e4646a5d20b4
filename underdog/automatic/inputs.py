"""What turns given data into columns that boosters learn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from underdog.automatic.examples import rows_of
from underdog.data import Table
from underdog.data.conversion import take_rows
from underdog.frames import FrameEncoder
from underdog.frames.encoder import RARE_FROM
from underdog.frames.errors import refuse_missing_columns
from underdog.text import TermVectorizer
from underdog.types import Integers

RARE = 2
"""With many documents, a term must be in so many of them."""
MOST = 1_000_000
"""Up to so many examples, an encoder of frames sees each row as often as its weight says."""


def fitted_encoder(X: Any, repeats: Integers) -> FrameEncoder | TermVectorizer | None:
    """An encoder of data frames or documents; None for what boosters take as it is.

    Frames of numbers and categories are taken as they are. Frames with texts, dates or unknown
    columns are encoded. A list of texts is a list of documents. A row counts as often as it is
    repeated.

    Parameters
    ----------
    X : the data
    repeats : (n,)
        How many examples each row stands for.
    """
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        if all(_is_plain(dtype) for dtype in frame.schema.values()):
            return None
        fits = repeats.sum() <= max(MOST, len(repeats))
        return FrameEncoder().fit(_repeated(X, repeats if fits else np.minimum(repeats, 1)))
    if not is_documents(X):
        return None
    least = RARE if repeats.sum() >= RARE_FROM else 1
    # which terms there are depends on whether each is in one document, or in `RARE` or more
    return TermVectorizer(min_df=least).fit(_repeated(X, np.minimum(repeats, RARE)))


def _repeated(X: Any, repeats: Integers) -> Any:
    return X if (repeats == 1).all() else take_rows(X, rows_of(repeats))


class Encoding:
    """What turns given rows into those of the booster, in the form of a transformer.

    Parameters
    ----------
    encoder : fitted encoder, or None
    names : sequence of str, or None
        The columns of the training data, if a data frame was taken as it is.
    """

    def __init__(self, encoder: Any, names: Sequence[str] | None) -> None:
        self.encoder, self.names = encoder, names

    @property
    def changes(self) -> bool:
        """Whether rows may differ from those of the booster."""
        return self.encoder is not None or self.names is not None

    @property
    def steps(self) -> list[tuple[str, Any]]:
        """As those of a pipeline."""
        return [] if self.encoder is None else [("encode", self.encoder)]

    def transform(self, X: Any) -> Any:
        """The rows as a booster takes them; terms of documents have their names."""
        if self.encoder is None or isinstance(self.encoder, str):  # "passthrough"
            return X if self.names is None else with_columns(X, self.names)
        made = self.encoder.transform(X)
        if isinstance(made, Table):
            return made
        table = Table.from_data(made)
        return Table(table.groups, len(table), list(self.encoder.get_feature_names_out()))


def with_columns(X: Any, names: Sequence[str]) -> Any:
    """A data frame with these columns, found by their names; other data are returned unchanged."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return X
    known = list(frame.columns)
    if known == list(names) or not all(isinstance(name, str) for name in known):
        return X
    refuse_missing_columns(names, known)
    return frame.select(list(names)).to_native()


def rows_in(data: Any) -> int:
    """How many rows there are, or labels of rows; 0 of what has no length, which no booster takes.

    Examples
    --------
    >>> from underdog.automatic.inputs import rows_in
    >>> rows_in([[1, 2], [3, 4], [5, 6]]), rows_in(None)
    (3, 0)
    """
    shape = getattr(data, "shape", None)
    if shape:
        return int(shape[0])
    return len(data) if hasattr(data, "__len__") and shape is None else 0


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
