"""How rows are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw

from underdog.inspection.words import plain_label


@dataclass(frozen=True, eq=False, repr=False)
class RowNumbers:
    """Rows by number and, where a data frame has an index of its own, by that.

    Attributes
    ----------
    first : int
        The number of the first row of the data.
    numbers : sequence of int, optional
        The numbers of the rows; by default they follow each other.
    index : index of a pandas frame, optional
    """

    first: int = 0
    numbers: Sequence[int] | None = None
    index: Any = None

    @classmethod
    def from_data(cls, X: Any) -> RowNumbers:
        """The numbers from 0 on, and the index if it is anything else."""
        index = getattr(X, "index", None)
        if not nw.dependencies.is_pandas_index(index) or index.tolist() == list(range(len(index))):
            return cls()
        return cls(index=index)

    def __repr__(self) -> str:
        return f"RowNumbers({self.note})"

    @property
    def note(self) -> str:
        """From what rows are numbered."""
        return f"numbered from {self.first}"

    def number(self, position: int) -> int:
        """The number of the row at a position, which is counted from 0."""
        return position + self.first if self.numbers is None else int(self.numbers[position])

    def known(self, position: int) -> dict[str, Any]:
        """The number of a row and, if there is one, its entry of the index."""
        found = {"row": self.number(position)}
        return (
            found if self.index is None else {**found, "index": plain_label(self.index[position])}
        )

    def name(self, position: int) -> str:
        """A row in words: "row 3 (numbered from 0, index 512)"."""
        index = "" if self.index is None else f", index {self.index[position]}"
        return f"row {self.number(position)} ({self.note}{index})"
