"""From documents to the matrix of terms, beside scikit-learn's CountVectorizer.

Both make the same matrix, which is checked before anything is timed: presence of terms in lower
case, words as `\\w+`. Stop words and stems are what users of CountVectorizer write for it: an
analyzer that asks a cached stemmer. Fitting is `fit_transform`; transforming is of the same
documents.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from benchmarks.corpora import _reuters_documents, _reuters_text, source
from benchmarks.harness import Job, Plan, Row, compare

PEER = "CountVectorizer"
PROMISES = {PEER: (1.0, 2.0)}


def run(plan: Plan) -> Iterator[Row]:
    for corpus, texts in (("Reuters", _reuters()), ("WordNet", _glosses())):
        documents = texts[: plan.size(len(texts))]
        for analysis, make in ANALYSES.items():
            work = f"{corpus}, {len(documents):,} documents, {analysis}"
            yield from _rows(work, documents, make, plan)


def _reuters() -> list[str]:
    """The training documents."""
    train = re.compile(r'TOPICS="YES" LEWISSPLIT="TRAIN"').search
    return [_reuters_text(document) for document in _reuters_documents() if train(document)]


def _glosses() -> list[str]:
    with gzip.open(source("text/wordnet_glosses.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def _rows(work: str, documents: list[str], make: Callable[[], Any], plan: Plan) -> Iterator[Row]:
    ours, theirs = make()
    X, peers = ours.fit_transform(documents), theirs.fit_transform(documents)
    if X.shape != peers.shape or (X != peers).nnz:
        raise SystemExit(f"{work}: the matrices differ, so that there is nothing to compare.")
    for act in ("fit_transform", "transform"):
        jobs = [
            Job(name, lambda method=getattr(vectorizer, act): method(documents))
            for name, vectorizer in (("underdog", ours), (PEER, theirs))
        ]
        yield from compare(f"{act}: {work}", jobs[:1], jobs[1:], plan, PROMISES)


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
