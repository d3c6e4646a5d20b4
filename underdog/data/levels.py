"""How many levels a category may have, and when a column has too many to learn from."""

from __future__ import annotations

MAX_LEVELS = 65_535
FEW_ROWS = 10
"""With fewer rows than this all values may differ by chance."""


def mostly_different(levels: int, rows: int) -> bool:
    """Whether there are fewer than two rows for each value, as in identifiers and free text.

    Examples
    --------
    >>> from underdog.data.levels import mostly_different
    >>> mostly_different(700, 900), mostly_different(42, 900)
    (True, False)
    """
    return 2 * levels > rows
