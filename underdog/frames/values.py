"""Single values as people write them: which are missing, which are numbers."""

from __future__ import annotations

import re
from typing import Any

from underdog.checks import is_missing

ABSENT = frozenset(
    ("", "?", "-", ".", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None", "NONE")
)
"""Written in place of a number that is not known. Among words only "" is missing."""

NUMBER = r"^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf)$"
"""A number as programs write it."""

PADDED = r"^[+-]?0[0-9]"
"""A number that begins with zeros, such as 007: a code, which would lose them."""

EXACT = 2**53
"""Up to here every whole number is a float."""

_is_number = re.compile(NUMBER).match
_is_whole = re.compile(r"^[+-]?[0-9]+$").match
_is_padded = re.compile(PADDED).match


def is_absent(value: Any) -> bool:
    """Whether a value of a column of numbers is missing."""
    return value.strip() in ABSENT if isinstance(value, str) else is_missing(value)


def is_code(text: str) -> bool:
    """Whether a number would lose digits of it: leading zeros, or more digits than a float has."""
    text = text.strip()
    if _is_padded(text):
        return True
    return _is_whole(text) is not None and abs(float(text)) > EXACT


def number_of(value: Any) -> float | None:
    """The number that a value is, or None if it is not a number."""
    if isinstance(value, str):
        text = value.strip()
        return float(text) if _is_number(text) else None
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        return None


def as_text(value: Any) -> str | None:
    """How a value is written as a category: 3.0 and 3 are "3", True is "true"; None if missing."""
    if is_missing(value) or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def shown(value: Any) -> str:
    """A value for a message, shortened."""
    text = str(value)
    return repr(text if len(text) <= 40 else text[:37] + "...")
