"""The learning problems that benchmarks share, by name, so that a fresh process can load one."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks import corpora


class Task(NamedTuple):
    """Rows and their targets.

    These are 0/1 labels, classes, an indicator matrix of the labels that occur, or real
    numbers.
    """

    title: str
    X: Any
    y: Any


def load(name: str, share: float = 1.0) -> Task:
    """The first `share` of the rows of a task."""
    X, y = TASKS[name]()
    rows = int(len(y) * share)
    X, y = X[:rows], y[:rows]
    if y.ndim == 2:
        y = y[:, y.any(axis=0)]
        about = f", {y.shape[1]} labels"
    elif y.dtype == np.float64:
        about = ""
    elif (n_classes := len(np.unique(y))) > 2:
        about = f", {n_classes} classes"
    else:
        about = f", {np.count_nonzero(y):,} positive"
    return Task(f"{name}, {X.shape[0]:,} x {X.shape[1]:,}{about}", X, y)


def _acq() -> tuple[Any, Any]:
    texts = corpora.reuters()
    return texts.X, texts.label("acq")


def _topics() -> tuple[Any, Any]:
    texts = corpora.reuters()
    return texts.X, texts.Y


def _time() -> tuple[Any, Any]:
    texts = corpora.wordnet()
    return texts.X, texts.label("noun.time")


def _adult_codes() -> tuple[Any, Any]:
    """Adult with the categories as numbers, for those who know numbers only."""
    rows, y = corpora.frame("adult", "income", ">50K")
    for name in rows.select_dtypes("category"):
        rows[name] = rows[name].cat.codes
    return rows.to_numpy(np.float64), y


TASKS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "letter": corpora.letter,
    "Reuters acq": _acq,
    "Reuters topics": _topics,
    "WordNet noun.time": _time,
    "dense": corpora.dense,
    "dense, real target": corpora.dense_scores,
    "many classes": corpora.many_classes,
    "california_housing": corpora.california,
    "higgs_sample": partial(corpora.frame, "higgs_sample", "target", 1),
    "adult": partial(corpora.frame, "adult", "income", ">50K"),
    "adult as numbers": _adult_codes,
    "fars": partial(corpora.frame, "fars", "INJURY_SEVERITY", "Fatal_Injury"),
}
