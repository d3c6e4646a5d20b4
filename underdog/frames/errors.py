"""The error for data that cannot be used, and how it names the place and the names that exist."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from typing import Any

SHOWN = 12
"""Names that a message lists."""
SIMILAR = 0.75
"""How similar a name must be to be what was meant; 1 is the same name."""


class BadData(ValueError):  # noqa: N818 (it is about the data, not a failure)
    """Data that cannot be used: one sentence with the file, the row and the column.

    Parameters
    ----------
    problem : str
        What is wrong, and what to do.
    path : str, optional
        The file, or "standard input".
    row : int, optional
        Of a file. The first data row, after the header, is 1.
    line : int, optional
        Of a file. The first line is 1.
    position : int, optional
        Of a row of a data frame. The first row is 0.
    column : str, optional

    Examples
    --------
    >>> from underdog import BadData
    >>> print(BadData("'old' is not a number", path="data.csv", row=17, column="age"))
    data.csv, row 17 (the first data row is 1), column 'age': 'old' is not a number
    >>> print(BadData("'old' is not a number", position=16, column="age"))
    row at position 16 (the first is 0), column 'age': 'old' is not a number
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str | None = None,
        row: int | None = None,
        line: int | None = None,
        position: int | None = None,
        column: str | None = None,
    ) -> None:
        self.problem, self.path, self.column = problem, path, column
        self.row, self.line, self.position = row, line, position
        place = [] if path is None else [path]
        if row is not None:
            place.append(row_number(row, line))
        elif line is not None:
            place.append(f"line {line:,}")
        elif position is not None:
            place.append(f"row at position {position} (the first is 0)")
        if column is not None:
            place.append(f"column {column!r}")
        super().__init__(f"{', '.join(place)}: {problem}" if place else problem)

    def in_file(self, path: str, rows: Sequence[Any] | None = None) -> BadData:
        """The same error about the file that a frame was read from.

        Parameters
        ----------
        path : str
        rows : (n,), optional
            Position of each row of the frame among all rows of the file, if it has not all of them.
        """
        row = self.row
        if self.position is not None:
            row = 1 + (self.position if rows is None else int(rows[self.position]))
        return BadData(self.problem, path=path, row=row, line=self.line, column=self.column)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.problem, self.path, self.row, self.line, self.position, self.column)


def _again(
    problem: str,
    path: str | None,
    row: int | None,
    line: int | None,
    position: int | None,
    column: str | None,
) -> BadData:
    return BadData(problem, path=path, row=row, line=line, position=position, column=column)


def row_number(row: int, line: int | None = None) -> str:
    """A row of a file: "row 17 (line 18)", or where rows start if the line is not known.

    Examples
    --------
    >>> from underdog.frames.errors import row_number
    >>> row_number(17)
    'row 17 (the first data row is 1)'
    """
    return f"row {row:,} (" + ("the first data row is 1)" if line is None else f"line {line:,})")


def counted(count: int, noun: str) -> str:
    """A number and a noun: "1 row", "3,000 rows"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def did_you_mean(name: str, known: Collection[str], kind: str = "names") -> str:
    """A question about the most similar name, or a list of those that exist.

    Examples
    --------
    >>> from underdog.frames.errors import did_you_mean
    >>> did_you_mean("twon", ["age", "town"]), did_you_mean("race", ["price"], "columns")
    ("did you mean 'town'?", "the columns are 'price'")
    """
    similar = similar_name(name, known)
    return f"the {kind} are {listed(known)}" if similar is None else f"did you mean {similar!r}?"


def similar_name(name: str, known: Collection[str]) -> str | None:
    """The name that is most like this one, upper and lower case aside; None if none is."""
    lower = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), lower, 1, SIMILAR)
    return lower[found[0]] if found else None


def listed(names: Collection[str]) -> str:
    """The first names, and how many more there are."""
    first = ", ".join(repr(name) for name in list(names)[:SHOWN])
    more = len(names) - SHOWN
    return first if more <= 0 else f"{first} and {more:,} more"


def unknown_column(name: str, columns: Collection[str], path: str | None = None) -> BadData:
    """The error for a column that does not exist."""
    return BadData(
        f"there is no column {name!r}: {did_you_mean(name, columns, 'columns')}", path=path
    )


def refuse_missing_columns(
    needed: Sequence[str], columns: Collection[str], path: str | None = None
) -> None:
    """Refuse data without all columns that a model was trained on.

    Examples
    --------
    >>> from underdog.frames.errors import refuse_missing_columns
    >>> refuse_missing_columns(["age", "town"], ["Age", "town", "sex"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    underdog...BadData: column 'age' of the training data is missing: did you mean 'Age'?
    """
    missing = [name for name in needed if name not in columns]
    if not missing:
        return
    others = [name for name in columns if name not in needed]
    similar = {name: similar_name(name, others) for name in missing}
    guesses = [f"{found!r} for {name!r}" for name, found in similar.items() if found]
    if len(missing) == 1:
        guesses = [repr(found) for found in similar.values() if found]
    what = f"column {missing[0]!r} of the training data is missing"
    if len(missing) > 1:
        what = f"{len(missing)} columns of the training data are missing: {listed(missing)}"
    if guesses:
        remedy = f"did you mean {', '.join(guesses[:SHOWN])}?"
    else:
        remedy = f"the data have {listed(columns)}"
    raise BadData(f"{what}{':' if len(missing) == 1 else ';'} {remedy}", path=path)
