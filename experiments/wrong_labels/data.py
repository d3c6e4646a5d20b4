"""Two-class tables of the UCI repository and SMS messages, with some training labels flipped."""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from benchmarks.corpora import source
from underdog import TermVectorizer
from underdog.datasets import load_sms_spam

UCI = (
    "breast-cancer-w", "german", "hepatitis", "house-votes-84", "ionosphere", "kr-vs-kp",
    "pima-indians-diabetes",
)  # fmt: skip
TEXT = "sms-spam"
SETS = (*UCI, TEXT)
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3)
TRAINING, MOST = 2 / 3, 1000
"""Share of the rows to learn from, and at most so many."""


@dataclass(frozen=True)
class Split:
    """Rows to learn from, which of their labels were flipped, and rows to judge by."""

    X: Any
    y: NDArray[np.int64]
    flipped: NDArray[np.bool_]
    X_test: Any
    y_test: NDArray[np.int64]


@cache
def load(name: str) -> tuple[Any, NDArray[np.int64]]:
    """Numbers without missing values, categories as indicators; 1 is the rarer class."""
    if name == TEXT:
        messages, labels = load_sms_spam()
        X = TermVectorizer(min_df=3).fit_transform(messages)
        return X, (labels == "spam").astype(np.int64)
    frame = pd.read_csv(source(f"uci/{name}.csv.gz"))
    target = frame.pop(frame.columns[-1])
    rarer = target.value_counts().index[-1]
    numbers = frame.select_dtypes("number")
    numbers = numbers.fillna(numbers.median())
    X = numbers.to_numpy(float)
    others = frame.drop(columns=numbers.columns)
    if others.shape[1]:
        X = np.hstack([X, pd.get_dummies(others.fillna("?")).to_numpy(float)])
    return X, (target == rarer).to_numpy().astype(np.int64)


def split(name: str, share: float, seed: int) -> Split:
    """A stratified cut, with this share of the training labels of each class flipped."""
    X, y = load(name)
    training = min(int(TRAINING * len(y)), MOST)
    cut = StratifiedShuffleSplit(1, train_size=training, random_state=seed)
    train, test = next(cut.split(np.zeros(len(y)), y))
    flipped = np.zeros(len(train), dtype=bool)
    rng = np.random.default_rng([seed, round(1000 * share)])
    for label in (0, 1):
        rows = np.flatnonzero(y[train] == label)
        flipped[rng.permutation(rows)[: round(share * len(rows))]] = True
    return Split(X[train], np.where(flipped, 1 - y[train], y[train]), flipped, X[test], y[test])


def fingerprint(names: tuple[str, ...]) -> str:
    """Of the data."""
    digest = hashlib.sha256()
    for name in names:
        X, y = load(name)
        digest.update(np.asarray(X.sum(axis=0)).tobytes() + y.tobytes())
    return digest.hexdigest()[:16]
