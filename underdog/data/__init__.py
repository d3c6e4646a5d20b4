"""Data as given (`Table`), its description (`Schema`) and its encoded form (`EncodedRows`)."""

from underdog.data.encoded import EncodedRows, Layout
from underdog.data.schema import Schema
from underdog.data.table import Table

__all__ = ["EncodedRows", "Layout", "Schema", "Table"]
