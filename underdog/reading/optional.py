"""Polars, which only reading needs."""

from __future__ import annotations

from typing import Any


def polars() -> Any:
    """The package, or how to get it."""
    try:
        import polars
    except ImportError:
        raise ImportError('reading data files needs polars: pip install "underdog[cli]"') from None
    return polars
