"""Numbers and lines as people read them."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 80
"""Of a line."""
INDENT = 32
"""How far a text that flows may be indented."""
NARROWEST = 24
"""Room that a text gets however much stands beside it."""
LEAST_POWER, GREATEST_POWER = -9, 12
"""Of ten, in numbers that are written without it."""


def score_format(values: Iterable[float]) -> str:
    """The format of numbers in one table: signed, the largest with three or four digits.

    Examples
    --------
    >>> from underdog.model.writing import score_format
    >>> [f"{value:{score_format([2.71828, -0.01])}}" for value in (2.71828, -0.01)]
    ['+2.718', '-0.010']
    >>> f"{0.00271828:{score_format([0.00271828])}}"
    '+0.00272'
    """
    values = list(values)
    return f"+z{number_format(values, 4 if _power(values) >= 0 else 3)}"


def number_format(values: Iterable[float], digits: int = 4) -> str:
    """The format of numbers in one column: the largest with so many digits.

    Numbers that would have too many zeros are written with a power of ten.

    Examples
    --------
    >>> from underdog.model.writing import number_format
    >>> f"{0.98765:{number_format([0.98765, 0.1])}}"
    '0.9877'
    >>> f"{98765.4e50:{number_format([98765.4e50])}}"
    '9.877e+54'
    """
    power = _power(values)
    if not LEAST_POWER <= power <= GREATEST_POWER:
        return f".{digits - 1}e"
    return f".{max(digits - 1 - power, 0)}f"


def _power(values: Iterable[float]) -> int:
    """The power of ten in the largest number."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return math.floor(math.log10(largest)) if largest else 0


def rounded(value: object) -> str:
    """Four digits of a number; anything else as it is."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def shortened(text: object, size: int = 40) -> str:
    """A name without its middle, where it is long: the end is often what matters."""
    text, tail = str(text), size // 3
    return text if len(text) <= size else f"{text[: size - 3 - tail]}...{text[-tail:]}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """ "1 row", "3 rows"."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def text_table(rows: Sequence[Sequence[str]], texts: int = 0) -> list[str]:
    """Lines of a table; the first `texts` columns begin at the left, the others end at the right.

    Examples
    --------
    >>> from underdog.model.writing import text_table
    >>> text_table([["name", "size"], ["a", "1.5"]], texts=1)
    ['name  size', 'a      1.5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < texts else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def milestones(count: int) -> list[int]:
    """1, 2, 4, 8, ... up to a number of rounds, and that number."""
    return [2**power for power in range(count.bit_length()) if 2**power < count] + [count]


def broken(text: str, width: int) -> list[str]:
    """A text in lines, broken after commas and before "and" and "or"; else between words."""
    width = max(width, NARROWEST)
    lines = [""]
    for part in re.split(r"(?<=,) | (?=and |or )", " ".join(text.split())):
        joined = f"{lines[-1]} {part}".lstrip()
        if len(joined) <= width:
            lines[-1] = joined
        else:
            words = textwrap.wrap(part, width, break_long_words=False, break_on_hyphens=False)
            lines = [line for line in lines if line] + words
    return lines


def flowing(head: str, pieces: Sequence[str]) -> list[str]:
    """Pieces after a head, separated by semicolons; lines are broken between pieces if possible."""
    indent = " " * min(len(head), INDENT)
    lines = [head]
    if len(head) > len(indent):  # a long head has the line to itself
        lines.append(indent)
    for number, piece in enumerate(pieces, start=1):
        text = piece + (";" if number < len(pieces) else "")
        if len(lines[-1]) + len(text) > WIDTH and lines[-1].strip() and number > 1:
            lines.append(indent)
        first, *more = broken(text, WIDTH - len(lines[-1]))
        lines[-1] += f"{first} "
        lines += [f"{indent}  {line} " for line in more]
    return [line.rstrip() for line in lines]
