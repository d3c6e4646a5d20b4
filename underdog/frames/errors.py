"""The error for data that cannot be used, with the place where it is."""

from __future__ import annotations


class BadData(ValueError):  # noqa: N818 (it is about the data, not a failure)
    """Data that cannot be used: one sentence with the file, the row and the column.

    Rows are counted from 1, the first one after the header; lines are those of the file.

    Parameters
    ----------
    problem : str
        What is wrong there, and what to do.
    path : str, optional
        The file, or "standard input".
    row, line : int, optional
    column : str, optional

    Examples
    --------
    >>> from underdog import BadData
    >>> print(BadData("'old' is not a number", path="data.csv", row=17, column="age"))
    data.csv, row 17, column 'age': 'old' is not a number
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str | None = None,
        row: int | None = None,
        line: int | None = None,
        column: str | None = None,
    ) -> None:
        self.problem, self.path, self.row, self.line, self.column = problem, path, row, line, column
        place = [] if path is None else [path]
        if row is not None:
            place.append(f"row {row:,}" + ("" if line is None else f" (line {line:,})"))
        elif line is not None:
            place.append(f"line {line:,}")
        if column is not None:
            place.append(f"column {column!r}")
        super().__init__(f"{', '.join(place)}: {problem}" if place else problem)

    def within(self, path: str) -> BadData:
        """The same error, with the file in which it happened."""
        return BadData(self.problem, path=path, row=self.row, line=self.line, column=self.column)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.problem, self.path, self.row, self.line, self.column)


def _again(
    problem: str, path: str | None, row: int | None, line: int | None, column: str | None
) -> BadData:
    return BadData(problem, path=path, row=row, line=line, column=column)
