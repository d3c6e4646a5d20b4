"""Markdown tables."""

from collections.abc import Sequence
from typing import Any


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Head and rows as Markdown.

    Examples
    --------
    >>> print(table(["a", "b"], [[1, 2]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    texts = ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    texts[1] = "|" + "---|" * len(head)
    return "\n".join(texts)
