"""Documents as given, to strings; every message names the position of the document."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Any


def read_texts(documents: Any, encoding: str, errors: str) -> Iterator[str]:
    """The documents as strings, one after the other."""
    for position, document in enumerate(_checked(documents)):
        if isinstance(document, str):
            yield document
        else:
            yield read_text(document, encoding, errors, f"document {position}")


def read_text(document: Any, encoding: str, errors: str, name: str = "the document") -> str:
    """A string, or bytes decoded."""
    if isinstance(document, str):
        return document
    if not isinstance(document, bytes):
        given = f"{document!r:.60}"
        raise TypeError(
            f"{name} is not text but {given}, of type {type(document).__name__}: "
            "give str or bytes, and '' where there is no text"
        )
    try:
        return document.decode(encoding, errors)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is not encoded as {encoding!r} ({error.reason} at byte {error.start}): "
            'say what it is by encoding=..., or decode_error="replace"'
        ) from error


def check_encoding(encoding: Any) -> None:
    """An encoding that Python knows."""
    try:
        codecs.lookup(encoding)
    except (LookupError, TypeError):
        raise ValueError(
            f"encoding={encoding!r} is not known to Python: give one such as 'utf-8' or 'latin-1'"
        ) from None


def _checked(documents: Any) -> Iterable[Any]:
    """Something to iterate over that is a column of documents."""
    if isinstance(documents, (str, bytes)):
        raise ValueError(
            "one text was given where an iterable of documents is expected: "
            "write [text] if it is the only document"
        )
    dimensions = getattr(documents, "ndim", 1)
    if dimensions != 1:
        # Iterating over a frame would give the names of its columns, which are strings too.
        raise ValueError(
            f"documents have {dimensions} dimensions, of type {type(documents).__name__}: "
            "give one column of texts"
        )
    if not isinstance(documents, Iterable):
        raise TypeError(
            f"documents must be an iterable of str or bytes, not {type(documents).__name__}"
        )
    return documents
