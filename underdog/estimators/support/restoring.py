"""What is left of a booster whose fit has failed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def unchanged_on_error(booster: Any) -> Iterator[None]:
    """Restore all attributes if an error occurs before the model is replaced."""
    own = booster.__dict__
    before = dict(own)
    try:
        yield
    except BaseException:
        if "model_" in before and booster.model_ is before["model_"]:
            own.clear()
            own.update(before)
        raise
