"""Versions of the format: which one is written, and what older ones call by other names."""

from __future__ import annotations

from typing import Any

from underdog.files.errors import BadFile

SCHEMA = 2
"""Number of the format that is written; all up to this one are read."""

NEEDS = "0.2.0"
"""The oldest version of the library that reads it."""

OLD_NAMES: dict[int, dict[str, str]] = {
    1: {"excess": "log_odds_shift", "manner": "read_options"},
}
"""By the last number of the format that has them: old names, and what the next one calls them.

`manner` is in the notes of `underdog train`, the others are in the state of objects.
"""


def in_present_names(state: dict[str, Any], version: int) -> dict[str, Any]:
    """The state of an object in a file of this version, under the names of today."""
    for number in range(version, SCHEMA):
        names = OLD_NAMES.get(number, {})
        for new in names.values():
            if new in state:
                raise BadFile(f"there is a {new!r}, which version {number} of the format has not")
        state = {names.get(name, name): value for name, value in state.items()}
    return state
