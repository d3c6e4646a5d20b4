"""How good predictions are: for each kind of target, numbers by measure."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    log_loss,
    mean_absolute_error,
    mean_pinball_loss,
    roc_auc_score,
    root_mean_squared_error,
)

from experiments.defaults.kinds import BINARY, MULTICLASS, MULTILABEL, NUMBER

Array = NDArray[Any]
Scores = dict[str, float]

LEVELS = (0.1, 0.5, 0.9)
"""The quantiles that are predicted."""


class Predicted(NamedTuple):
    """What a model says about rows.

    Attributes
    ----------
    labels : array
        What `predict` gives: classes, an indicator matrix, numbers, or (n, 3) quantiles.
    probability : array or None
        (n,) of the rare class; (n, n_classes); (n, n_labels) of each label; None for numbers.
    """

    labels: Array
    probability: Array | None = None


def judge(kind: str, y_train: Array, y: Array, said: Predicted) -> Scores:
    """All measures of a kind; y_train has the base rates, the costs and the unit of a number."""
    if kind == BINARY:
        assert said.probability is not None
        return judge_rare(y_train, y, said.labels, said.probability)
    if kind == MULTICLASS:
        assert said.probability is not None
        return judge_classes(y_train, y, said.labels, said.probability)
    if kind == MULTILABEL:
        assert said.probability is not None
        return judge_labels(y_train, y, said.labels, said.probability)
    unit = float(np.std(y_train))
    if kind == NUMBER:
        return {
            "rmse": root_mean_squared_error(y, said.labels) / unit,
            "mae": mean_absolute_error(y, said.labels) / unit,
        }
    pinball = [
        mean_pinball_loss(y, own, alpha=level)
        for level, own in zip(LEVELS, said.labels.T, strict=True)
    ]
    inside = (said.labels[:, 0] <= y) & (y <= said.labels[:, -1])
    return {"pinball": float(np.mean(pinball)) / unit, "coverage": float(inside.mean())}


def judge_rare(y_train: Array, y: Array, labels: Array, rare: Array) -> Scores:
    """Of the rare class, which is 1."""
    return {
        "f1": f1_score(y, labels, zero_division=0.0),
        "ap": average_precision_score(y, rare),
        "auc": roc_auc_score(y, rare),
        "brier": float(np.mean((rare - y) ** 2)),
        "log_loss": log_loss(y, rare, labels=[0, 1]),
        "cost": cost(y_train, y, rare),
    }


def cost(y_train: Array, y: Array, rare: Array) -> float:
    """Of the cheapest decisions by these probabilities: 1 is that of the better constant.

    A false negative costs the imbalance ratio of the rows that were learned from, a false positive
    costs 1. So the cheapest decision is "rare" where the probability is above the base rate.
    """
    positives = np.sum(y_train == 1)
    ratio = (len(y_train) - positives) / positives
    yes = rare * ratio > 1.0 - rare
    paid = ratio * np.sum((y == 1) & ~yes) + np.sum((y == 0) & yes)
    constant = min(ratio * np.sum(y == 1), np.sum(y == 0))
    return float(paid / constant)


def judge_classes(y_train: Array, y: Array, labels: Array, probability: Array) -> Scores:
    """Macro means over the classes in y, one against the others; the cost is the balanced error.

    Its cheapest decision is the class with the highest probability relative to its base rate. An
    error of 1 is that of a constant.
    """
    classes = np.arange(probability.shape[1])
    present = np.unique(y)
    truth = (y[:, np.newaxis] == classes).astype(np.int64)
    base = np.bincount(y_train, minlength=len(classes)) / len(y_train)
    choice = np.argmax(probability / base, axis=1)
    wrong = [np.mean(choice[y == each] != each) for each in present]
    return {
        "f1": f1_score(y, labels, labels=present, average="macro", zero_division=0.0),
        "ap": average_precision_score(truth[:, present], probability[:, present], average="macro"),
        "auc": roc_auc_score(truth[:, present], probability[:, present], average="macro"),
        "brier": float(np.mean(np.sum((probability - truth) ** 2, axis=1))),
        "log_loss": log_loss(y, probability, labels=classes),
        "cost": float(np.mean(wrong)) * len(present) / (len(present) - 1.0),
    }


def judge_labels(y_train: Array, y: Array, labels: Array, probability: Array) -> Scores:
    """Means over the labels that some rows have and some have not."""
    varied = [
        column
        for column in range(y.shape[1])
        if 0 < y[:, column].sum() < len(y) and 0 < y_train[:, column].sum() < len(y_train)
    ]
    every = [
        judge_rare(y_train[:, own], y[:, own], labels[:, own], probability[:, own])
        for own in varied
    ]
    return {measure: float(np.mean([each[measure] for each in every])) for measure in every[0]}


def rounded(scores: Scores) -> Scores:
    """Four digits, which keeps the files small."""
    return {measure: float(f"{value:.4g}") for measure, value in scores.items()}
