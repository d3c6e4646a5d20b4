"""Tables whose columns are files: they are mapped into memory, and read when they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from underdog.data.columns import Columns
from underdog.data.table import Table
from underdog.memory import active, memory_limit


class DiskTable(Table):
    """A table in a folder, which `underdog.scan` makes.

    Parameters
    ----------
    groups, n_rows, names : as those of a Table
    folder : path
    memory_limit : int
        Bytes of memory for the arrays of a fit of this table; all others are on disk.
    """

    def __init__(
        self,
        groups: Sequence[Columns],
        n_rows: int,
        names: Sequence[str] | None,
        folder: Path,
        memory_limit: int,
    ) -> None:
        super().__init__(groups, n_rows, names)
        self.folder, self.memory_limit = folder, memory_limit

    def __repr__(self) -> str:
        return f"DiskTable({self.n_rows} rows, {self.n_columns} columns, {str(self.folder)!r})"


@contextmanager
def limited(X: Any) -> Iterator[None]:
    """The limit on memory of a table on disk, if X is one and there is no other limit."""
    if isinstance(X, DiskTable) and active() is None:
        with memory_limit(X.memory_limit, X.folder):
            yield
    else:
        yield
