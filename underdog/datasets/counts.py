"""Is a file the corpus it should be? Its contents are counted."""

from __future__ import annotations

from collections.abc import Mapping

MAX_SHOWN = 4


def check_counts(corpus: str, found: Mapping[str, int], expected: Mapping[str, int]) -> None:
    """Compare what was counted with what the original has; ValueError if it differs.

    Examples
    --------
    >>> from underdog.datasets.counts import check_counts
    >>> check_counts("the Pet Corpus", {"cats": 2}, {"cats": 3, "dogs": 1})
    Traceback (most recent call last):
    ...
    ValueError: is not the Pet Corpus: found 2 cats instead of 3; 0 dogs instead of 1
    """
    wrong = [
        f"{found.get(what, 0)} {what} instead of {count}"
        for what, count in expected.items()
        if found.get(what, 0) != count
    ]
    if wrong:
        more = f"; and {len(wrong) - MAX_SHOWN} more" if len(wrong) > MAX_SHOWN else ""
        raise ValueError(f"is not {corpus}: found {'; '.join(wrong[:MAX_SHOWN])}{more}")
