"""Model files: a JSON header and plain arrays, no code (docs/files.md)."""

from underdog.files.errors import BadFile, CannotStore
from underdog.files.fields import Fields
from underdog.files.plain import Parameters, Texts
from underdog.files.store import Savable, inspect, load, save

__all__ = [
    "BadFile",
    "CannotStore",
    "Fields",
    "Parameters",
    "Savable",
    "Texts",
    "inspect",
    "load",
    "save",
]
