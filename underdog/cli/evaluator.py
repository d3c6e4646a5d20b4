"""Measures of predictions with error bars, and the confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    precision_recall_fscore_support,
    roc_auc_score,
)

from underdog.cli.wording import TITLES
from underdog.comparison.measures import brier
from underdog.comparison.paired import interval
from underdog.costs import Costs
from underdog.types import Floats, Integers

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class HeldOutPredictions:
    """Predictions of a model.

    Attributes
    ----------
    decided : (n,) positions of the predicted classes
    scores : (n,) of the second of two classes, or (n, K)
    probabilities : (n, K), or None
    """

    decided: Integers
    scores: Floats
    probabilities: Floats | None


@dataclass(frozen=True, eq=False)
class Evaluator:
    """How predictions are measured.

    Attributes
    ----------
    classes : (K,)
    positive : position of the positive of two classes
    costs : Costs, or None
    """

    classes: Any
    positive: int
    costs: Costs | None

    def measure(self, true: Integers, answers: HeldOutPredictions) -> dict[str, float]:
        """Measures of the positive class; of more than two classes, means over the classes.

        Average precision and ROC AUC do not exist if a class is missing.
        """
        count, decided = len(self.classes), answers.decided
        which: dict[str, Any] = {"average": "macro"}
        if count == 2:
            which = {"average": "binary", "pos_label": self.positive}
        precision, recall, f1, _ = precision_recall_fscore_support(
            true, decided, zero_division=0.0, **which
        )
        values = {"precision": precision, "recall": recall, "f1": f1}
        if len(np.unique(true)) == count:
            truth: Any = np.eye(count, dtype=bool)[true]
            scores = answers.scores if answers.probabilities is None else answers.probabilities
            if count == 2:
                truth, scores = true == self.positive, answers.scores
                scores = scores if self.positive == 1 else -scores
            values["average_precision"] = average_precision_score(truth, scores)
            values["roc_auc"] = roc_auc_score(truth, scores)
        if answers.probabilities is not None:
            values["brier"] = brier(true, answers.probabilities)
        values["accuracy"] = np.mean(true == decided)
        if self.costs is not None:
            total = self.costs.total(true, decided, self.classes, self.positive)
            values["cost"] = total / len(true)
        return {name: float(values[name]) for name in TITLES if name in values}

    def is_a_constant_as_good(self, true: Integers, decided: Integers) -> bool:
        """Whether the same prediction for every row is at least as good.

        By the costs or, without them, by balanced accuracy.
        """
        every = range(len(self.classes))
        if self.costs is None:
            recalls = [float(np.mean(decided[true == each] == each)) for each in every]
            return float(np.mean(recalls)) <= 1.0 / len(self.classes) + ROUNDING
        cost, *constants = (
            self.costs.total(true, predicted, self.classes, self.positive)
            for predicted in (decided, *(np.full_like(decided, each) for each in every))
        )
        return bool(cost >= min(constants) - ROUNDING)

    def confusion(self, true: Integers, decided: Integers) -> Integers:
        """(K, K) counts by true and predicted class."""
        counts: Integers = confusion_matrix(true, decided, labels=np.arange(len(self.classes)))
        return counts


def over_folds(by_fold: list[dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Mean and half-width of its 95% interval, over the folds in which the measure exists."""
    names = [name for name in TITLES if any(name in values for values in by_fold)]
    return {
        name: interval(np.array([values.get(name, np.nan) for values in by_fold])) for name in names
    }
