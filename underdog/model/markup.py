"""HTML for notebooks: tables and lines in which every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_NUMBER = ' style="text-align: right; padding: 1px 6px; font-variant-numeric: tabular-nums"'
_TEXT = ' style="text-align: left; padding: 1px 6px"'


def line(text: str) -> str:
    """A paragraph."""
    return f"<p>{escape(text)}</p>"


def title(text: str) -> str:
    """A paragraph that says what follows."""
    return f"<p><strong>{escape(text)}</strong></p>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int) -> str:
    """A table; the first `texts` columns are texts and the others numbers."""
    body = "".join(_row(row, "td", texts) for row in rows)
    top = f"<thead>{_row(head, 'th', texts)}</thead>" if head else ""
    return f"<table>{top}<tbody>{body}</tbody></table>"


def block(*parts: str) -> str:
    """Parts that belong together."""
    return f'<div class="underdog">{"".join(parts)}</div>'


def _row(cells: Sequence[str], tag: str, texts: int) -> str:
    found = [
        f"<{tag}{_TEXT if number < texts else _NUMBER}>{escape(cell)}</{tag}>"
        for number, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(found)}</tr>"


def more(count: int, shown: int, hint: str) -> str:
    """A paragraph that says how many are left out, if any, and how to see them."""
    return line(f"... and {count - shown:,} more: {hint}") if count > shown else ""
