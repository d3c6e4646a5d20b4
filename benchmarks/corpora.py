"""The data that the benchmarks run on, parsed once and kept as `.npz` in `benchmarks/.cache`.

Text becomes yes/no: a row per document, a column per term, 1 where the term occurs. Lower case,
letters only, without scikit-learn's 318 English stop words (the Reuters papers used a list of 523),
Porter stemmer.
"""

import gzip
import html
import json
import os
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"

Arrays = dict[str, NDArray[Any]]


class Texts(NamedTuple):
    """Documents as presence of terms, and their labels as an indicator matrix."""

    X: csr_matrix
    Y: NDArray[np.int8]
    labels: list[str]

    def label(self, name: str) -> NDArray[np.int8]:
        """The 0/1 column of one label."""
        return np.ascontiguousarray(self.Y[:, self.labels.index(name)])


def reuters(split: Literal["train", "test"] = "train") -> Texts:
    """Reuters-21578, ModApte split: 9,603 / 3,299 documents, terms in more than 3 of the first."""
    kept = _cached("reuters", _parse_reuters)
    return Texts(_matrix(kept, split), kept[f"{split}_Y"], kept["labels"].tolist())


def wordnet() -> Texts:
    """The 117,659 glosses of WordNet 3.0 and their 45 topics, terms in at least 3 glosses."""
    kept = _cached("wordnet", _parse_wordnet)
    return Texts(_matrix(kept, "all"), kept["Y"], kept["labels"].tolist())


def dense(
    n: int = 200_000, d: int = 50, positives: float = 0.1, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Normal columns; positive is the top of a noisy curved score that no single column decides."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    score = np.tanh(X[:, : d // 2]) @ rng.standard_normal(d // 2) + rng.standard_normal(n)
    return X, (score > np.quantile(score, 1 - positives)).astype(np.int8)


def source(name: str) -> Path:
    """A file of the shared data folder."""
    folder = Path(os.environ.get("UNDERDOG_DATA", HERE.parent.parent / "shared" / "data"))
    path = folder / name
    if not path.exists():
        raise SystemExit(f"{path} is not there: set UNDERDOG_DATA to the folder that holds {name}.")
    return path


def _parse_reuters() -> Arrays:
    splits: dict[str, list[tuple[str, list[str]]]] = {"TRAIN": [], "TEST": []}
    for document in _reuters_documents():
        split = re.search(r'TOPICS="YES" LEWISSPLIT="(TRAIN|TEST)"', document)
        if split:
            topics = re.search(r"<TOPICS>(.*?)</TOPICS>", document)
            splits[split[1]].append(
                (_reuters_text(document), re.findall(r"<D>(.*?)</D>", topics[1] if topics else ""))
            )
    (train, train_topics), (test, test_topics) = (
        tuple(zip(*splits[s], strict=True)) for s in ("TRAIN", "TEST")
    )
    labels = sorted({topic for topics in train_topics for topic in topics})
    terms = _terms(min_df=4)
    return {
        **_flat("train", terms.fit_transform(train)),
        **_flat("test", terms.transform(test)),
        "train_Y": _indicator(train_topics, labels),
        "test_Y": _indicator(test_topics, labels),
        "labels": np.array(labels),
    }


def _reuters_documents() -> Iterator[str]:
    with tarfile.open(source("text/reuters21578.tar.gz")) as archive:
        # in the order of their names, not as packed, so that rows are in the corpus' own order
        for name in sorted(name for name in archive.getnames() if name.endswith(".sgm")):
            file = archive.extractfile(name)
            assert file is not None
            yield from re.findall(
                r"<REUTERS.*?</REUTERS>", file.read().decode("latin-1"), re.DOTALL
            )


def _reuters_text(document: str) -> str:
    """Title and body; the 54 unprocessed training documents have neither, so all of their text."""
    parts = re.findall(r"<(TITLE|BODY)>(.*?)</\1>", document, re.DOTALL)
    parts = parts or re.findall(r"<(TEXT)[^>]*>(.*)</TEXT>", document, re.DOTALL)
    return html.unescape(" ".join(text for _, text in parts))


def _parse_wordnet() -> Arrays:
    with gzip.open(source("text/wordnet_glosses.jsonl.gz"), "rt", encoding="utf-8") as lines:
        texts, names = zip(
            *((gloss["text"], gloss["label"]) for gloss in map(json.loads, lines)), strict=True
        )
    labels = sorted(set(names))
    return {
        **_flat("all", _terms(min_df=3).fit_transform(texts)),
        "Y": _indicator([[name] for name in names], labels),
        "labels": np.array(labels),
    }


def _terms(min_df: int) -> CountVectorizer:
    import Stemmer  # type: ignore[import-not-found]  # needed only where nothing is cached yet

    stem = lru_cache(maxsize=None)(Stemmer.Stemmer("porter").stemWord)

    def analyse(text: str) -> list[str]:
        return [
            stem(word)
            for word in re.findall("[a-z]+", text.lower())
            if word not in ENGLISH_STOP_WORDS
        ]

    return CountVectorizer(analyzer=analyse, min_df=min_df, binary=True, dtype=np.float32)


def _indicator(lists: Iterable[Sequence[str]], labels: Sequence[str]) -> NDArray[np.int8]:
    """A row per list, a column per label; other labels (topics seen only in test) are dropped."""
    return np.array(
        [[label in present for label in labels] for present in map(set, lists)], np.int8
    )


def _flat(name: str, X: csr_matrix) -> Arrays:
    X.sort_indices()
    return {
        f"{name}_indptr": X.indptr,
        f"{name}_indices": X.indices,
        f"{name}_shape": np.array(X.shape),
    }


def _matrix(kept: Arrays, name: str) -> csr_matrix:
    """float32 ones: what every peer takes as it is, so that none has to convert."""
    indices = kept[f"{name}_indices"]
    ones = np.ones(len(indices), np.float32)
    return csr_matrix(
        (ones, indices, kept[f"{name}_indptr"]), shape=tuple(kept[f"{name}_shape"].tolist())
    )


def _cached(name: str, parse: Callable[[], Arrays]) -> Arrays:
    path = CACHE / f"{name}.npz"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        np.savez_compressed(path, **parse())  # type: ignore[arg-type]
    with np.load(path) as kept:
        return dict(kept)
