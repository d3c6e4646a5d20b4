"""Tokenisation: splitting a text into words, and normalising the words.

A text is split first, and each distinct word is then normalised once: lower case, masked digits,
stop words, stem. A word is always a part of the original text, so its position is known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from underdog.checks import import_extra
from underdog.types import Indices, Integers

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
"""Numbers to mask: digits, and single points and commas between them."""
WORDS = {
    "keep": r"\w+",
    "drop": r"[^\W\d]+",
    "mask": r"\w+(?:(?<=\d)[.,]\d\w*)*",
}
"""The pattern of a word for each value of `digits`."""
DIGITS = tuple(WORDS)
PUNCTUATION = ("drop", "keep")

Place = tuple[int, int]
"""Start and end of a range of characters."""


@dataclass(frozen=True)
class TokenizedDocuments:
    """The words of all documents, one document after the other, as numbers."""

    numbers: Indices
    lengths: Integers
    """Number of words of each document."""
    words: list[str]
    """The word of each number, not normalised, in order of first occurrence."""


class Analysis:
    """Tokenisation with the options of a vectorizer."""

    def __init__(
        self, lowercase: bool, digits: str, punctuation: str, stop_words: Any, stemmer: str | None
    ) -> None:
        # Dropped digits are neither words nor punctuation.
        pattern = WORDS[digits] + (r"|[^\w\s]" if punctuation == "keep" else "")
        self._pattern = re.compile(pattern)
        self._lower = lowercase
        self._mask = digits == "mask"
        self._stop_words = stop_list(stop_words)
        self.stems = stemmer is not None
        self._stem = stem_function(stemmer)
        self._ascii = self._ascii_table() if punctuation == "drop" and not self._mask else None

    def split(self, texts: Iterable[str]) -> TokenizedDocuments:
        """Split texts into words, and number the words."""
        seen: defaultdict[str, int] = defaultdict()
        seen.default_factory = seen.__len__
        number, table, find = seen.__getitem__, self._ascii, self._pattern.findall
        numbers: list[int] = []
        ends = [0]
        for text in texts:
            if table is not None and text.isascii():
                words = text.encode().translate(table).decode("ascii").split()
            else:
                words = find(text)
            numbers += map(number, words)
            ends.append(len(numbers))
        flat = np.fromiter(numbers, np.int32, len(numbers))
        return TokenizedDocuments(flat, np.diff(np.array(ends)), list(seen))

    def treat(self, word: str) -> str:
        """The normalised word; "" for a stop word."""
        form = self.form(word)
        if form.lower() in self._stop_words:
            return ""
        # Only words are stemmed: stemmers fail on half a surrogate pair.
        return self._stem(form) if form[0].isalnum() or form[0] == "_" else form

    def form(self, word: str) -> str:
        """The word with lower case and masked digits, if these options are set; not stemmed."""
        if self._lower:
            word = word.lower()
        return NUMBER.sub("0", word) if self._mask else word

    def places(self, text: str) -> Iterator[tuple[str, Place]]:
        """The normalised words of a text with their positions, without stop words."""
        treat = cache(self.treat)
        for match in self._pattern.finditer(text):
            word = treat(match[0])
            if word:
                yield word, match.span()

    def _ascii_table(self) -> bytes:
        """A table for splitting ASCII texts, which is much faster than the pattern."""
        characters = "".join(c if self._pattern.match(c) else " " for c in map(chr, range(128)))
        # Other bytes do not occur in ASCII texts, but a table must have 256 entries.
        return (characters.lower() if self._lower else characters).encode() + bytes(128)


def stop_list(stop_words: str | Collection[str] | None) -> frozenset[str]:
    """Stop words in lower case."""
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        if stop_words != "english":
            raise ValueError(
                f"stop_words={stop_words!r} is not a known list: give 'english', or a list of words"
            )
        return frozenset(ENGLISH_STOP_WORDS)
    try:
        words = list(stop_words)
    except TypeError:
        raise ValueError(
            f"stop_words={stop_words!r} must be None, 'english' or a list of words"
        ) from None
    for word in words:
        if not isinstance(word, str):
            raise ValueError(f"stop_words must be strings, but one of them is {word!r}")
    return frozenset(word.lower() for word in words)


def stem_function(stemmer: str | None) -> Callable[[str], str]:
    """The stemmer with this name; the identity if it is None."""
    if stemmer is None:
        return str
    stemmers = import_extra("Stemmer", "text", f"stemmer={stemmer!r}", "PyStemmer")
    names = stemmers.algorithms()
    if not isinstance(stemmer, str) or stemmer not in names:
        raise ValueError(f"stemmer={stemmer!r} must be None or one of {', '.join(names)}")
    # Each distinct word is stemmed once, so the stemmer needs no cache.
    stem: Callable[[str], str] = stemmers.Stemmer(stemmer, 0).stemWord
    return stem
