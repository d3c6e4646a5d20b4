"""What texts and dictionaries about models share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from underdog.types import Floats


def by_label(labels: Sequence[str], values: Floats) -> dict[str, float]:
    """A number for each label."""
    return dict(zip(labels, values.tolist(), strict=True))


def number(value: float) -> float | str:
    """As JSON takes it, which has no infinity."""
    return value if math.isfinite(value) else str(value)


def with_notes(text: str, notes: Sequence[str]) -> str:
    """Text, and a line for each note."""
    return "\n".join([text, *notes])


def plain_label(value: Any) -> Any:
    """A label as JSON takes it; a list for a row of an indicator matrix."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return value if isinstance(value, str | int | float | list) else str(value)
