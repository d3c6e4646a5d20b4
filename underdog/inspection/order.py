"""Why one row stands before another: the difference of their contributions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.checks import check_max_display
from underdog.inspection.result import Result
from underdog.model import markup
from underdog.model.writing import counted, score_format
from underdog.types import Floats

if TYPE_CHECKING:
    from underdog.inspection.rows import Contributions


@dataclass(frozen=True, eq=False, repr=False)
class Before(Result):
    """Why one row stands before another one.

    `values` are the contributions to the score of the one row minus those to the score of the
    other. They sum to the difference of the scores, bit for bit: the baseline is the same for both.

    Attributes
    ----------
    row, other : int
        Positions of the rows.
    values : (U,)
        What each of U columns or rules adds to the difference.
    names : list of str
        Of the U columns or rules.
    difference : float
        The score of the row minus that of the other; above 0 if the row stands before the other.
    """

    row: int
    other: int
    values: Floats
    contributions: Contributions
    label_number: int

    @property
    def names(self) -> list[str]:
        """Of the columns or rules."""
        return self.contributions.names

    @property
    def difference(self) -> float:
        """The score of the row minus that of the other."""
        return float(self.values.sum())

    @property
    def verdict(self) -> str:
        """Which of the rows stands first, in words."""
        one, other = (self._name(row) for row in (self.row, self.other))
        if self.difference == 0.0:
            return f"{one} and {other} have the same score"
        first, second = (one, other) if self.difference > 0.0 else (other, one)
        return f"{first} stands before {second}"

    def _name(self, row: int) -> str:
        return f"row {self.contributions.numbering.number(row)}"

    def _about(self) -> str:
        parts = counted(len(self.names), self.contributions.by)
        return f"{self._name(self.row)} before {self._name(self.other)}, {parts}"

    def strongest(self) -> list[int]:
        """Columns or rules in which the rows differ, the largest difference first."""
        own = np.abs(self.values)
        order = np.argsort(-own, kind="stable")
        return [int(u) for u in order[own[order] > 0.0]]

    def lines(self, max_display: int | None) -> Iterator[tuple[str, str]]:
        """Each difference as text, with what both rows have; the sum is last."""
        order, words, other = self.strongest(), self.contributions.words, self._name(self.other)
        shown = order[:max_display]
        spec = score_format([self.difference, *self.values[shown]])
        for u in shown:
            has = f"{words(self.row, u)}; {other}: {words(self.other, u)}"
            yield f"{self.values[u]:{spec}}", has
        if len(shown) < len(order):
            rest = self.values[order[len(shown) :]]
            yield f"{rest.sum():{spec}}", f"{len(rest)} more"
        yield f"{self.difference:{spec}}", f"total: {self.verdict}"

    def text(self, max_display: int | None = 10) -> str:
        """A table of the largest differences, and their sum.

        Parameters
        ----------
        max_display : int, optional
            How many to show; None for all.
        """
        check_max_display(max_display)
        note = self.contributions.numbering.note
        title = f"{self._name(self.row)} before {self._name(self.other)} ({note})"
        return "\n".join(
            [f"{title}:", *(f"{value:>10}  {words}" for value, words in self.lines(max_display))]
        )

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON, largest first."""
        known = self.contributions.numbering.known
        scores = self.contributions.scores[[self.row, self.other], self.label_number].tolist()
        return {
            "row": known(self.row)["row"],
            "before": known(self.other)["row"],
            "score": scores[0],
            "score_before": scores[1],
            "difference": self.difference,
            "contributions": [
                {
                    "name": self.names[u],
                    "is": self.contributions.words(self.row, u),
                    "not": self.contributions.words(self.other, u),
                    "adds": float(self.values[u]),
                }
                for u in self.strongest()
            ],
        }

    def _frame_columns(self) -> dict[str, Any]:
        listed = self.to_dict()["contributions"]
        return {key: [each[key] for each in listed] for key in ("name", "is", "not", "adds")}

    def _html_parts(self) -> Sequence[str]:
        lines = ((words, value) for value, words in self.lines(10))
        return [markup.line(self._about()), markup.table((), lines, 1)]
