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

from underdog.checks import to_python
from underdog.comparison.intervals import (
    MIN_ROWS,
    Estimate,
    f1_interval,
    macro_intervals,
    mean_interval,
    ranking_intervals,
    wilson,
)
from underdog.comparison.measures import squared_errors
from underdog.comparison.names import TITLES
from underdog.comparison.paired import interval
from underdog.costs import Costs
from underdog.types import Flags, Floats, Integers

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

    def take(self, rows: Integers) -> HeldOutPredictions:
        """Those of some rows."""
        own = None if self.probabilities is None else self.probabilities[rows]
        return HeldOutPredictions(self.decided[rows], self.scores[rows], own)


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
        each = self._each(true, answers)
        which: dict[str, Any] = {"average": "macro"}
        if count == 2:
            which = {"average": "binary", "pos_label": self.positive}
        precision, recall, f1, _ = precision_recall_fscore_support(
            true, decided, zero_division=0.0, **which
        )
        values = {"precision": precision, "recall": recall, "f1": f1}
        if len(np.unique(true)) == count:
            truth, scores = self._ranked(true, answers)
            values["average_precision"] = average_precision_score(truth, scores)
            values["roc_auc"] = roc_auc_score(truth, scores)
        values |= {name: np.mean(every) for name, every in each.items()}
        values["accuracy"] = np.mean(true == decided)
        return {name: float(values[name]) for name in TITLES if name in values}

    def _ranked(self, true: Integers, answers: HeldOutPredictions) -> tuple[Flags, Floats]:
        """What is to be ranked first, and the scores: (n,) for two classes, else (n, K)."""
        if len(self.classes) == 2:
            sign = 2 * self.positive - 1
            return true == self.positive, sign * answers.scores
        truth: Flags = np.eye(len(self.classes), dtype=bool)[true]
        return truth, answers.scores if answers.probabilities is None else answers.probabilities

    def _each(self, true: Integers, answers: HeldOutPredictions) -> dict[str, Floats]:
        """Measures that are means over rows: (n,) the value of each row."""
        found = {}
        if answers.probabilities is not None:
            found["brier"] = squared_errors(true, answers.probabilities)
        if self.costs is not None:
            found["cost"] = self.costs.each(true, answers.decided, self.classes, self.positive)
        return found

    def estimate(self, true: Integers, answers: HeldOutPredictions) -> dict[str, Estimate]:
        """The measures with 95% confidence intervals.

        Those of shares (and of F1 of two classes) are Wilson's, the others are found by drawing the
        rows again and again. Rankings, and means over classes, have none if a class has fewer than
        10 rows.
        """
        confusion = self.confusion(true, answers.decided)
        found = {name: mean_interval(each) for name, each in self._each(true, answers).items()}
        found["accuracy"] = wilson(float(np.trace(confusion)), len(true))
        enough = self.smallest_class(true)[1] >= MIN_ROWS
        if len(self.classes) == 2:
            hits = float(confusion[self.positive, self.positive])
            real, alarms = confusion[self.positive].sum(), confusion[:, self.positive].sum()
            found["precision"], found["recall"] = wilson(hits, alarms), wilson(hits, real)
            found["f1"] = f1_interval(hits, real + alarms - 2.0 * hits)
        elif enough:
            found |= macro_intervals(confusion)
        if enough:
            truth, scores = self._ranked(true, answers)
            found |= ranking_intervals(scores, truth)
        values = self.measure(true, answers)
        return {name: Estimate(value, *found.get(name, ())) for name, value in values.items()}

    def smallest_class(self, true: Integers) -> tuple[Any, int]:
        """The class with the fewest rows, and how many it has."""
        counts = np.bincount(true, minlength=len(self.classes))
        place = int(np.argmin(counts))
        return to_python(self.classes[place]), int(counts[place])

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
