"""Counting terms as a textbook would: one word at a time, in dictionaries, without a matrix."""

import re
from collections import Counter

import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def is_word(character):
    return character.isalnum() or character == "_"


def is_digit(character):
    return character.isdecimal()


def split(text, digits, punctuation):
    """Words as (start, end), character by character."""
    places, start = [], None
    for i, c in enumerate(text):
        inside = is_word(c) and not (digits == "drop" and is_digit(c))
        if digits == "mask" and c in ".," and 0 < i < len(text) - 1:
            inside = is_digit(text[i - 1]) and is_digit(text[i + 1])
        if inside:
            start = i if start is None else start
            continue
        if start is not None:
            places.append((start, i))
            start = None
        if punctuation == "keep" and not c.isspace() and not is_word(c):
            places.append((i, i + 1))
    if start is not None:
        places.append((start, len(text)))
    return places


def words(text, options):
    """What counts in a text, as (word, start, end)."""
    stop = options.get("stop_words") or ()
    stop = ENGLISH_STOP_WORDS if stop == "english" else {word.lower() for word in stop}
    stemmer = options.get("stemmer")
    digits = options.get("digits", "keep")
    result = []
    for start, end in split(text, digits, options.get("punctuation", "drop")):
        word = text[start:end]
        if options.get("lowercase", True):
            word = word.lower()
        if digits == "mask":
            word = NUMBER.sub("0", word)
        if word.lower() in stop:
            continue
        if stemmer and is_word(word[0]):
            word = Stemmer.Stemmer(stemmer).stemWord(word)
        if word:
            result.append((word, start, end))
    return result


def terms(text, options):
    """All terms of a text with their places, as (term, start, end)."""
    found = words(text, options)
    result = []
    shortest, longest = options.get("ngram_range", (1, 1))
    for n in range(shortest, longest + 1):
        for i in range(len(found) - n + 1):
            own = found[i : i + n]
            result.append((" ".join(word for word, *_ in own), own[0][1], own[-1][2]))
    for gap in range(1, options.get("max_gap", 0) + 1):
        for i in range(len(found) - gap - 1):
            first, last = found[i], found[i + gap + 1]
            result.append((" ".join([first[0], *"*" * gap, last[0]]), first[1], last[2]))
    return result


def counts(texts, options):
    """A Counter of terms per text."""
    return [Counter(term for term, *_ in terms(text, options)) for text in texts]


def vocabulary(texts, options):
    """The terms within the limits, in order."""
    each = counts(texts, options)
    documents = Counter(term for count in each for term in count)
    often = documents if options.get("binary", True) else sum(each, Counter())
    least, most = options.get("min_df", 1), options.get("max_df", 1.0)
    least = least if isinstance(least, int) else least * len(texts)
    most = most if isinstance(most, int) else most * len(texts)
    kept = [term for term in documents if least <= documents[term] <= most]
    kept.sort(key=lambda term: (-often[term], term))
    return sorted(kept[: options.get("max_features")])


def matrix(texts, options, terms):
    """Rows of numbers, as lists."""
    each = counts(texts, options)
    if options.get("binary", True):
        return [[float(term in count) for term in terms] for count in each]
    return [[float(count[term]) for term in terms] for count in each]
