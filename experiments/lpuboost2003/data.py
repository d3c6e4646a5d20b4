"""Reuters-21578 as in the paper's section 4.1, and the samples of it that are trained on."""

import hashlib
import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.model_selection import StratifiedKFold

from benchmarks.corpora import source
from underdog.datasets import fetch_reuters21578
from underdog.text import TermVectorizer

TOPICS = (
    "earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "wheat", "ship", "corn",
    "cocoa", "cotton", "zinc", "lumber", "platinum", "potato",
)  # fmt: skip
"""The ten largest, and six from 55 positives down to 3. The paper's list is known in part only."""
SMALL = range(3, 97)
"""Training documents of a small topic: at most 1 %."""
FEWEST_TESTS = 3
FOLDS = 5

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Corpus:
    """The documents as presence of terms, and their topics."""

    X: csr_matrix
    X_test: csr_matrix
    Y: csr_matrix
    Y_test: csr_matrix
    topics: list[str]
    terms: list[str]

    def label(self, topic: str) -> NDArray[np.int8]:
        """0/1 for the training documents."""
        return self.Y[:, [self.topics.index(topic)]].toarray().ravel()

    def label_test(self, topic: str) -> NDArray[np.int8]:
        """0/1 for the test documents."""
        return self.Y_test[:, [self.topics.index(topic)]].toarray().ravel()

    @property
    def fingerprint(self) -> str:
        """Changes with every entry."""
        digest = hashlib.sha256()
        for matrix in (self.X, self.X_test, self.Y, self.Y_test):
            digest.update(matrix.indptr.astype(np.int64))
            digest.update(matrix.indices.astype(np.int64))
        return digest.hexdigest()[:12]


@cache
def corpus(documents: int | None = None) -> Corpus:
    """Lower case, letters only, without stop words, Porter's stems in more than 3 documents.

    The terms are those of the training documents. With `documents` only the first so many of them.
    """
    archive = source("text/reuters21578.tar.gz")
    train = fetch_reuters21578(subset="train", archive=archive)
    test = fetch_reuters21578(subset="test", archive=archive)
    some = slice(documents)
    terms = TermVectorizer(digits="drop", stop_words="english", stemmer="porter", min_df=4)
    return Corpus(
        csr_matrix(terms.fit_transform(train.data[some])),
        csr_matrix(terms.transform(test.data[some])),
        csr_matrix(train.target[some]),
        csr_matrix(test.target[some]),
        list(train.target_names),
        terms.get_feature_names_out().tolist(),
    )


def small_topics(data: Corpus) -> list[str]:
    """All that have few training documents and enough test documents, the smallest first."""
    train, test = (np.asarray(Y.sum(axis=0)).ravel() for Y in (data.Y, data.Y_test))
    some = [
        (int(n), str(topic))
        for topic, n, tests in zip(data.topics, train, test, strict=True)
        if n in SMALL and tests >= FEWEST_TESTS
    ]
    return [topic for _, topic in sorted(some)]


@dataclass(frozen=True)
class Sample:
    """What a cell is trained on.

    Attributes
    ----------
    topic : str
    fold : int or None
        The part of a stratified partition of the training documents that is left out.
    positives : int or None
        So many positives, drawn with this seed, and all negatives.
    """

    topic: str
    fold: int | None = None
    positives: int | None = None
    seed: int = 0

    def __str__(self) -> str:
        what = "all"
        if self.fold is not None:
            what = f"fold {self.fold}"
        elif self.positives is not None:
            what = f"{self.positives} positives {self.seed}"
        return f"{self.topic}/{what}"

    @classmethod
    def parse(cls, text: str) -> "Sample":
        """The sample with this name."""
        topic, what = text.split("/")
        words = what.split()
        if words[0] == "fold":
            return cls(topic, fold=int(words[1]))
        if words[0] == "all":
            return cls(topic)
        return cls(topic, positives=int(words[0]), seed=int(words[2]))

    def rows(self, y: NDArray[np.int8]) -> tuple[Rows, Rows]:
        """Training documents to learn from, and those of the fold that is left out."""
        everything = np.arange(len(y))
        if self.fold is not None:
            parts = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
            with warnings.catch_warnings():  # fewer positives than folds: some folds have none
                warnings.simplefilter("ignore")
                return list(parts.split(everything, y))[self.fold]
        if self.positives is None:
            return everything, everything[:0]
        rng = np.random.default_rng(self.seed)
        chosen = rng.permutation(np.flatnonzero(y == 1))[: self.positives]
        return np.sort(np.concatenate([np.flatnonzero(y == 0), chosen])), everything[:0]
