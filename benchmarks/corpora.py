"""The data that the benchmarks run on, parsed once and kept as `.npz` in `benchmarks/.cache`.

Text becomes yes/no: a row per document, a column per term, 1 where the term occurs. Lower case,
letters only, without scikit-learn's 318 English stop words (the Reuters papers used a list of 523),
Porter stemmer.
"""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

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
    kept = _cached("reuters-terms", _parse_reuters)
    return Texts(_matrix(kept, split), kept[f"{split}_Y"], kept["labels"].tolist())


def wordnet() -> Texts:
    """The 117,659 glosses of WordNet 3.0 and their 45 topics, terms in at least 3 glosses."""
    kept = _cached("wordnet-terms", _parse_wordnet)
    return Texts(_matrix(kept, "all"), kept["Y"], kept["labels"].tolist())


def dense(
    n: int = 200_000, d: int = 50, positives: float = 0.1, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Normal columns; positive is the top of a noisy curved score that no single column decides."""
    X, score = dense_scores(n, d, seed)
    return X, (score > np.quantile(score, 1 - positives)).astype(np.int8)


def dense_scores(
    n: int = 200_000, d: int = 50, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same columns and the score itself, a real-valued target."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.tanh(X[:, : d // 2]) @ rng.standard_normal(d // 2) + rng.standard_normal(n)


def letter() -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    """The 16,000 training rows of the letter data: 16 small whole numbers, 26 classes."""
    import pandas as pd

    rows = pd.read_csv(source("uci/letter.csv.gz"))
    rows = rows[rows.pop("split") == "train"]
    y = rows.pop("lettr").to_numpy(str)
    return rows.to_numpy(np.float64), y


def many_classes(
    n: int = 50_000, d: int = 20, classes: int = 100, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Normal clouds, one for each class, that overlap."""
    rng = np.random.default_rng(seed)
    centres, y = rng.standard_normal((classes, d)), rng.integers(classes, size=n)
    return centres[y] + rng.standard_normal((n, d)), y


def california() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """California housing: 20,640 blocks of houses and the median value of a house in each."""
    import pandas as pd

    rows = pd.read_csv(source("regression/california_housing.csv.gz"))
    y = rows.pop("medianHouseValue").to_numpy(np.float64)
    return rows.to_numpy(np.float64), y


def frame(name: str, target: str, positive: Any) -> tuple[Any, NDArray[np.int8]]:
    """A table of the shared data; text columns are categories, and one class stands against all."""
    import pandas as pd

    rows = pd.read_csv(source(f"big/{name}.csv.gz"))
    y = (rows.pop(target) == positive).to_numpy().astype(np.int8)
    texts = rows.select_dtypes(exclude="number").columns
    return rows.astype(dict.fromkeys(texts, "category")), y


def source(name: str) -> Path:
    """A file of the shared data folder."""
    folder = Path(os.environ.get("UNDERDOG_DATA", HERE.parent.parent / "shared" / "data"))
    path = folder / name
    if not path.exists():
        raise SystemExit(f"{path} is not there: set UNDERDOG_DATA to the folder that holds {name}.")
    return path


def reuters_texts(split: Literal["train", "test"]) -> Any:
    """The documents themselves, as `fetch_reuters21578` gives them."""
    from underdog.datasets import fetch_reuters21578

    return fetch_reuters21578(subset=split, archive=source("text/reuters21578.tar.gz"))


def glosses() -> tuple[list[str], list[str]]:
    """The glosses of WordNet and their topics, shuffled as they are in the file."""
    with gzip.open(source("text/wordnet_glosses.jsonl.gz"), "rt", encoding="utf-8") as lines:
        pairs = [(gloss["text"], gloss["label"]) for gloss in map(json.loads, lines)]
    return [text for text, _ in pairs], [label for _, label in pairs]


def _parse_reuters() -> Arrays:
    train, test = reuters_texts("train"), reuters_texts("test")
    terms = _terms(min_df=4)
    return {
        **_flat("train", terms.fit_transform(train.data)),
        **_flat("test", terms.transform(test.data)),
        "train_Y": train.target.toarray(),
        "test_Y": test.target.toarray(),
        "labels": np.array(train.target_names),
    }


def _parse_wordnet() -> Arrays:
    texts, names = glosses()
    labels = sorted(set(names))
    return {
        **_flat("all", _terms(min_df=3).fit_transform(texts)),
        "Y": (np.array(names)[:, np.newaxis] == labels).astype(np.int8),
        "labels": np.array(labels),
    }


def _terms(min_df: int) -> Any:
    from underdog import TermVectorizer

    return TermVectorizer(digits="drop", stop_words="english", stemmer="porter", min_df=min_df)


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
