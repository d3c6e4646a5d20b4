"""Polars, which only reading needs."""

from __future__ import annotations

from typing import Any

from underdog.checks import import_extra


def polars() -> Any:
    """The package, or how to get it."""
    return import_extra("polars", "cli", "reading data files")
