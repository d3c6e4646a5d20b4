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


def score_format(values: Iterable[float]) -> str:
    """The format of numbers in one table: signed, the largest with three or four digits.

    Examples
    --------
    >>> [f"{value:{score_format([2.71828, -0.01])}}" for value in (2.71828, -0.01)]
    ['+2.718', '-0.010']
    >>> f"{0.00271828:{score_format([0.00271828])}}"
    '+0.00272'
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    power = math.floor(math.log10(largest)) if largest else 0
    decimals = 3 - power if power >= 0 else 2 - power
    return f"+z.{min(max(decimals, 0), 12)}f"


def rounded(value: object) -> str:
    """Four digits of a number; anything else as it is."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def shortened(text: str, size: int = 40) -> str:
    """A name without its middle, where it is long: the end is often what matters."""
    tail = size // 3
    return text if len(text) <= size else f"{text[: size - 3 - tail]}...{text[-tail:]}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """ "1 row", "3 rows"."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


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
