"""Tables for people, laid out for the width of the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from underdog.cli.screen import clean, fold

GAP = 2
"""Spaces between columns."""
WIDEST = 44
"""Characters of a text in a line, so that numbers stand near it."""


class Indented:
    """A text that keeps its indent where it is broken into lines."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(fold(self.text, options.max_width))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, Text(self.text))


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    texts: Sequence[int] = (0,),
    names: Sequence[int] = (),
) -> Table:
    """A table of texts, which may be broken into lines, and of names and numbers, which may not.

    Parameters
    ----------
    head : sequence of str
        Not shown if all of them are empty.
    rows : sequence of sequences of str
    texts : sequence of int
        Which columns are texts.
    names : sequence of int
        Which columns are names; like texts they begin at the left.
    """
    made = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), show_header=any(head))
    for number, name in enumerate(head):
        is_text = number in texts
        made.add_column(
            clean(name),
            justify="left" if is_text or number in names else "right",
            no_wrap=not is_text,
            overflow="fold",
            max_width=WIDEST if is_text else None,
        )
    for row in rows:
        cells = [clean(cell) for cell in row]
        made.add_row(*(Indented(cell) if cell.startswith(" ") else cell for cell in cells))
    return made


def stacked(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[Table]:
    """A table whose columns are shown in several blocks, one below the other, if it is too wide.

    Every block begins with the first column.
    """
    sizes = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    blocks: list[list[int]] = [[0]]
    room = width - sizes[0]
    for number, size in enumerate(sizes[1:], start=1):
        if room < GAP + size and len(blocks[-1]) > 1:
            blocks.append([0])
            room = width - sizes[0]
        blocks[-1].append(number)
        room -= GAP + size
    return [
        table([head[c] for c in block], [[row[c] for c in block] for row in rows])
        for block in blocks
    ]


def confusion_table(names: Sequence[str], counts: Sequence[Sequence[int]], width: int) -> Table:
    """True classes down, predicted classes across; these have numbers if their names are too long.

    With numbers, the rows show which number is which class.
    """
    cells = [[f"{count:,}" for count in row] for row in counts]
    column_sizes = [max(len(name), *(len(row[c]) for row in cells)) for c, name in enumerate(names)]
    needed = max(map(len, names)) + sum(GAP + size for size in column_sizes)
    if needed <= width:
        rows = [[name, *row] for name, row in zip(names, cells, strict=True)]
        return table(["", *names], rows)
    numbers = [str(number) for number in range(1, len(names) + 1)]
    rows = [[n, name, *row] for n, name, row in zip(numbers, names, cells, strict=True)]
    return table(["", "", *numbers], rows, texts=(1,))
