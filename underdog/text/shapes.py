"""Shapes of terms with several words, and how terms are written and parsed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

GAP = "*"
"""Stands for an arbitrary word."""


@dataclass(frozen=True)
class NGramPattern:
    """A number of words, with a number of arbitrary words between neighbours."""

    n_words: int
    gap: int = 0

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Positions of the words relative to the first.

        >>> from underdog.text.shapes import NGramPattern
        >>> NGramPattern(3).offsets, NGramPattern(2, gap=2).offsets
        ((0, 1, 2), (0, 3))
        """
        return tuple(range(0, self.n_words * (self.gap + 1), self.gap + 1))

    @cached_property
    def span(self) -> int:
        """Number of words from the first to the last, with gaps."""
        return self.offsets[-1] + 1

    @cached_property
    def separator(self) -> str:
        """The text between the words: a space, and a star for every skipped word.

        >>> from underdog.text.shapes import NGramPattern
        >>> NGramPattern(2, gap=1).separator.join(["oil", "price"])
        'oil * price'
        """
        return " " + f"{GAP} " * self.gap

    def read(self, written: Sequence[str]) -> tuple[str, ...] | None:
        """The words of a term that is split at its spaces; None if it has another shape.

        >>> from underdog.text.shapes import NGramPattern
        >>> NGramPattern(2, gap=1).read(["oil", "*", "price"])
        ('oil', 'price')
        >>> NGramPattern(2).read(["oil", "*", "price"])
        """
        if len(written) != self.span or "" in written:
            return None
        words = tuple(written[:: self.gap + 1])
        stars = len(written) - len(words)
        if stars and self.separator.join(words) != " ".join(written):
            return None
        return words


def all_shapes(ngram_range: tuple[int, int], max_gap: int) -> list[NGramPattern]:
    """The shapes of the terms of a vectorizer.

    Pairs with a gap come first, so that "oil * price" is parsed as a pair even if there are n-grams
    of three words.
    """
    shortest, longest = ngram_range
    pairs = [NGramPattern(2, gap) for gap in range(1, max_gap + 1)]
    return pairs + [NGramPattern(n) for n in range(shortest, longest + 1)]


def read_term(
    term: str, shapes: Sequence[NGramPattern]
) -> tuple[NGramPattern, tuple[str, ...]] | None:
    """Shape and words of a term; None if no shape fits."""
    written = term.split(" ")
    for shape in shapes:
        words = shape.read(written)
        if words is not None:
            return shape, words
    return None


def find(
    shape: NGramPattern, words: tuple[str, ...], places: Sequence[tuple[str, tuple[int, int]]]
) -> list[tuple[int, int]]:
    """Positions of a term, given the words of a text with their positions."""
    starts: Sequence[int] = range(len(places) - shape.offsets[-1])
    for offset, word in zip(shape.offsets, words, strict=True):
        starts = [start for start in starts if places[start + offset][0] == word]
    return [(places[start][1][0], places[start + shape.offsets[-1]][1][1]) for start in starts]
