"""From a text to its words: where a word begins and ends, and what is made of it.

A text is split first, and each distinct word is then treated once: lower case, masked digits, stop
words, stem. So a word is always a piece of the text as it was given, and its place is known.
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
"""What is masked: digits, and single points and commas between them."""
WORDS = {
    "keep": r"\w+",
    "drop": r"[^\W\d]+",
    "mask": r"\w+(?:(?<=\d)[.,]\d\w*)*",
}
"""What a word is, by what becomes of digits."""
DIGITS = tuple(WORDS)
PUNCTUATION = ("drop", "keep")

Place = tuple[int, int]
"""First character and the one after the last."""


@dataclass(frozen=True)
class TokenizedDocuments:
    """The words of some documents, one document after the other, as numbers."""

    numbers: Indices
    lengths: Integers
    """Words of each document."""
    words: list[str]
    """The word that a number stands for, as it was split off; numbered as they came."""


class Analysis:
    """What the options of a vectorizer say about a text."""

    def __init__(
        self, lowercase: bool, digits: str, punctuation: str, stop_words: Any, stemmer: str | None
    ) -> None:
        # Digits that are dropped are not punctuation: they are left out of both.
        pattern = WORDS[digits] + (r"|[^\w\s]" if punctuation == "keep" else "")
        self._pattern = re.compile(pattern)
        self._lower = lowercase
        self._mask = digits == "mask"
        self._stop_words = stop_list(stop_words)
        self.stems = stemmer is not None
        self._stem = stem_function(stemmer)
        self._ascii = self._ascii_table() if punctuation == "drop" and not self._mask else None

    def split(self, texts: Iterable[str]) -> TokenizedDocuments:
        """Number the words of all texts."""
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
        """What counts in place of a word; "" if nothing does."""
        form = self.form(word)
        if form.lower() in self._stop_words:
            return ""
        # Stemmers know words only, and fail on half a surrogate pair.
        return self._stem(form) if form[0].isalnum() or form[0] == "_" else form

    def form(self, word: str) -> str:
        """The word in lower case and with masked digits, if so wanted, but not stemmed."""
        if self._lower:
            word = word.lower()
        return NUMBER.sub("0", word) if self._mask else word

    def places(self, text: str) -> Iterator[tuple[str, Place]]:
        """What counts in a text, word by word, and where it stands."""
        treat = cache(self.treat)
        for match in self._pattern.finditer(text):
            word = treat(match[0])
            if word:
                yield word, match.span()

    def _ascii_table(self) -> bytes:
        """The same split as by the pattern where a text is ASCII: translating is much faster."""
        characters = "".join(c if self._pattern.match(c) else " " for c in map(chr, range(128)))
        # Bytes of another value are not in such a text, but a table has to have them.
        return (characters.lower() if self._lower else characters).encode() + bytes(128)


def stop_list(stop_words: str | Collection[str] | None) -> frozenset[str]:
    """Stop words in lower case."""
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        if stop_words != "english":
            raise ValueError(
                f"stop_words={stop_words!r} is not a list that is known: give 'english', "
                "or the words themselves as a list"
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
            raise ValueError(f"stop_words must be strings, but {word!r} is one of them")
    return frozenset(word.lower() for word in words)


def stem_function(stemmer: str | None) -> Callable[[str], str]:
    """The stemmer of that name; the word itself if there is none."""
    if stemmer is None:
        return str
    stemmers = import_extra("Stemmer", "text", f"stemmer={stemmer!r}", "PyStemmer")
    names = stemmers.algorithms()
    if not isinstance(stemmer, str) or stemmer not in names:
        raise ValueError(f"stemmer={stemmer!r} must be None or one of {', '.join(names)}")
    # Each distinct word is stemmed once: a cache of its own would only cost.
    stem: Callable[[str], str] = stemmers.Stemmer(stemmer, 0).stemWord
    return stem
