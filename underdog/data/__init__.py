"""Data as given (`Table`), as described (`Schema`) and as learners see it (`EncodedRows`)."""

from underdog.data.encoded import EncodedRows, Layout
from underdog.data.schema import Schema
from underdog.data.table import Table

__all__ = ["EncodedRows", "Layout", "Schema", "Table"]
