"""Imbalanced tables, cut into folds, and rare topics of Reuters-21578 with its test documents."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from experiments.costs import data as tables
from experiments.lpuboost2003.data import corpus

FOLDS = 3
FEWEST, MOST = 3, 100
"""Documents of a rare topic; so few must be among the test documents as well."""
EVERY = 2
"""Every so many of the rare topics, by size."""
TABLES, TEXTS = "tables", "texts"
KINDS = (TABLES, TEXTS)


@dataclass(frozen=True)
class Split:
    """Rows to learn from and rows to judge by; 1 is the rare class."""

    X: Any
    y: NDArray[np.int8]
    X_test: Any
    y_test: NDArray[np.int8]


def splits(kind: str, name: str) -> Iterator[Split]:
    """Three stratified folds of a table; the training and test documents of a topic."""
    if kind == TEXTS:
        texts = corpus()
        yield Split(texts.X, texts.label(name), texts.X_test, texts.label_test(name))
        return
    found = tables.load(name)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(found.X, found.y):
        yield Split(found.X[train], found.y[train], found.X[test], found.y[test])


def sets() -> list[str]:
    """All tables but the one that is another with its rows in another order."""
    return [name for name in tables.archive() if name not in tables.REPEATED]


@cache
def topics() -> list[str]:
    """Every second of the rare topics, the rarest first."""
    texts = corpus()
    sizes = [np.asarray(Y.sum(axis=0)).ravel() for Y in (texts.Y, texts.Y_test)]
    rare = [
        (int(count), str(topic))
        for topic, count, count_test in zip(texts.topics, *sizes, strict=True)
        if FEWEST <= count <= MOST and count_test >= FEWEST
    ]
    return [topic for _, topic in sorted(rare)][::EVERY]


def fingerprint(names: list[str], settings: str, with_texts: bool) -> str:
    """Of the data and of how the models are set."""
    return tables.fingerprint(names, settings) + (corpus().fingerprint if with_texts else "")
