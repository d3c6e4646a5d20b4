"""Checking and decoding of documents; messages contain the position of the document."""

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
            f"{name} is {given}, of type {type(document).__name__}, but it must be text: give str "
            "or bytes, and '' for a missing text"
        )
    try:
        return document.decode(encoding, errors)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is not encoded as {encoding!r} ({error.reason} at byte {error.start}): "
            'set encoding=..., or decode_error="replace"'
        ) from error


def check_encoding(encoding: Any) -> None:
    """Refuse an encoding that Python does not know."""
    try:
        codecs.lookup(encoding)
    except (LookupError, TypeError):
        raise ValueError(
            f"encoding={encoding!r} is not known to Python: use 'utf-8' or 'latin-1', for example"
        ) from None


def _checked(documents: Any) -> Iterable[Any]:
    """Refuse anything but an iterable with one dimension."""
    if isinstance(documents, (str, bytes)):
        raise ValueError("a single text was given instead of an iterable of documents: give [text]")
    dimensions = getattr(documents, "ndim", 1)
    if dimensions != 1:
        # Iterating over a data frame would give its column names, which are strings as well.
        raise ValueError(
            f"documents of type {type(documents).__name__} have {dimensions} dimensions: give one "
            "column of texts"
        )
    if not isinstance(documents, Iterable):
        raise TypeError(
            f"documents must be an iterable of str or bytes, not {type(documents).__name__}"
        )
    return documents
