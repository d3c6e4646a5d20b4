"""Data as given (`Table`), as described (`Schema`) and as learners see it (`Part`)."""

from underdog.data.encoded import Layout, Part
from underdog.data.schema import Schema
from underdog.data.table import Table

__all__ = ["Layout", "Part", "Schema", "Table"]
