"""From documents to the matrix of terms, compared with scikit-learn's CountVectorizer.

Both make the same matrix, which is checked before timing: presence of lower-case terms, words as
`\\w+`. For stop words and stems CountVectorizer has an analyzer with a cached stemmer, as its users
write it. The transformed documents are the same, and it is always the first call of a fitted
vectorizer, in which underdog builds its lookup tables.
"""

import re
from collections.abc import Callable, Iterator
from copy import copy
from functools import lru_cache, partial
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from benchmarks.corpora import glosses, reuters_texts
from benchmarks.harness import Job, Plan, Row, compare

PEER = "CountVectorizer"
PROMISES = {PEER: (1.0, 2.0)}


def run(plan: Plan) -> Iterator[Row]:
    for corpus, texts in (("Reuters", reuters_texts("train").data), ("WordNet", glosses()[0])):
        documents = texts[: plan.size(len(texts))]
        for analysis, make in ANALYSES.items():
            work = f"{corpus}, {len(documents):,} documents, {analysis}"
            yield from _rows(work, documents, make, plan)


def _rows(work: str, documents: list[str], make: Callable[[], Any], plan: Plan) -> Iterator[Row]:
    ours, theirs = make()
    mine, peers = (vectorizer.fit_transform(documents) for vectorizer in (ours, theirs))
    if mine.shape != peers.shape or (mine != peers).nnz:
        raise SystemExit(f"{work}: the matrices differ, so that there is nothing to compare.")
    for title, act in (("fit_transform", _fit_transform), ("transform", _first_transform)):
        jobs = [
            [Job(name, partial(act, vectorizer, documents))]
            for name, vectorizer in (("underdog", ours), (PEER, theirs))
        ]
        yield from compare(f"{title}: {work}", *jobs, plan, PROMISES)


def _fit_transform(vectorizer: Any, documents: list[str]) -> Any:
    return vectorizer.fit_transform(documents)


def _first_transform(vectorizer: Any, documents: list[str]) -> Any:
    return copy(vectorizer).transform(documents)


def _pair(ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[Any, Any]:
    from underdog import TermVectorizer

    return TermVectorizer(**ours), CountVectorizer(binary=True, dtype=np.float32, **theirs)


def _words() -> tuple[Any, Any]:
    return _pair({}, {"token_pattern": r"\w+"})


def _stems() -> tuple[Any, Any]:
    return _pair({"stop_words": "english", "stemmer": "porter"}, {"analyzer": _stemming()})


def _pairs_of_words() -> tuple[Any, Any]:
    grams = {"ngram_range": (1, 2)}
    return _pair(grams, {"token_pattern": r"\w+", **grams})


def _stemming() -> Callable[[str], list[str]]:
    import Stemmer  # type: ignore[import-not-found]

    stem = lru_cache(maxsize=None)(Stemmer.Stemmer("porter").stemWord)
    split = re.compile(r"\w+").findall

    def analyse(text: str) -> list[str]:
        stems = [stem(word) for word in split(text.lower()) if word not in ENGLISH_STOP_WORDS]
        return [found for found in stems if found]  # Porter leaves nothing of "s"

    return analyse


ANALYSES = {
    "words": _words,
    "words without stop words, Porter": _stems,
    "words and pairs": _pairs_of_words,
}
