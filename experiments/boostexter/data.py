"""The texts as presence of terms: Reuters-21578 as words and as pairs of words, TREC questions."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from benchmarks.corpora import source
from experiments.lpuboost2003.data import Corpus
from underdog.datasets import fetch_reuters21578, fetch_trec_questions
from underdog.text import TermVectorizer

GAP = 2
"""Most words that a pair skips."""


def corpora(names: Sequence[str], documents: int | None = None) -> dict[str, Corpus]:
    """The corpora of these names.

    With `documents` only the first so many of training, and a fifth as many of test.
    """
    found: dict[str, Corpus] = {}
    if any(name.startswith("reuters") for name in names):
        found |= reuters(documents)
    if "trec/words" in names:
        found["trec/words"] = trec(documents)
    return {name: found[name] for name in names}


def reuters(documents: int | None = None) -> dict[str, Corpus]:
    """ModApte split; the words are those of `experiments.lpuboost2003.data.corpus`.

    Pairs are words next to each other or with one or two words between them, in more than three
    documents like the words themselves. The archive is slow to read, so both come from one reading.
    """
    archive = source("text/reuters21578.tar.gz")
    train, test = (fetch_reuters21578(subset=s, archive=archive) for s in ("train", "test"))
    terms = TermVectorizer(
        digits="drop", stop_words="english", stemmer="porter", min_df=4,
        ngram_range=(1, 2), max_gap=GAP,
    )  # fmt: skip
    pairs = _corpus(terms, train, test, documents)
    words = [column for column, term in enumerate(pairs.terms) if " " not in term]
    return {
        "reuters/pairs": pairs,
        "reuters/words": Corpus(
            pairs.X[:, words],
            pairs.X_test[:, words],
            pairs.Y,
            pairs.Y_test,
            pairs.topics,
            [pairs.terms[column] for column in words],
        ),
    }


def trec(documents: int | None = None) -> Corpus:
    """TREC questions and their six classes, with the published split.

    Words in at least two questions, neither stemmed nor without stop words: "who" and "where" are
    stop words, and decide.
    """
    archive = source("text/trec_questions.jsonl.gz")
    train, test = (fetch_trec_questions(subset=s, archive=archive) for s in ("train", "test"))
    for part in (train, test):
        part.target = csr_matrix(np.eye(len(part.target_names), dtype=np.int8)[part.target])
    return _corpus(TermVectorizer(min_df=2), train, test, documents)


def fingerprint(data: Mapping[str, Corpus]) -> str:
    """Changes with every entry of any of them."""
    prints = "".join(data[name].fingerprint for name in sorted(data))
    return hashlib.sha256(prints.encode()).hexdigest()[:12]


def _corpus(terms: TermVectorizer, train: Any, test: Any, documents: int | None) -> Corpus:
    some, few = slice(documents), slice(documents and documents // 5)
    return Corpus(
        csr_matrix(terms.fit_transform(train.data[some])),
        csr_matrix(terms.transform(test.data[few])),
        csr_matrix(train.target[some]),
        csr_matrix(test.target[few]),
        list(map(str, train.target_names)),
        terms.get_feature_names_out().tolist(),
    )
