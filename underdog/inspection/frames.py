"""Results as data frames of pandas or polars."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from underdog.checks import check_choice, import_extra

BACKENDS = ("pandas", "polars")
"""Which libraries can be asked for; the first that is installed is the default."""


def make_frame(columns: Mapping[str, Any], backend: str | None = None) -> Any:
    """A data frame of these columns.

    Parameters
    ----------
    columns : mapping of str to sequence
    backend : "pandas" or "polars", optional
        By default pandas, or polars if pandas is not installed.
    """
    if backend is not None:
        check_choice("backend", backend, *BACKENDS)
    library = _import(*BACKENDS) if backend is None else _import(backend)
    return library.DataFrame({name: _typed(values) for name, values in columns.items()})


def _typed(values: Any) -> Any:
    """A list in place of an array of objects, of which polars would make a column of objects."""
    mixed = isinstance(values, np.ndarray) and values.dtype == object
    return values.tolist() if mixed else values


def _import(*names: str) -> Any:
    """The first of these libraries that is installed."""
    *others, last = names
    for name in others:
        with suppress(ImportError):
            return importlib.import_module(name)
    return import_extra(last, "frames", "to_frame()", " or ".join(names))
