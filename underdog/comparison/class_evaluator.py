"""Measures of predicted classes with error bars, and the confusion matrix."""

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
    ClassShares,
    Estimate,
    f1_interval,
    macro_intervals,
    mean_interval,
    population_intervals,
    ranking_intervals,
    wilson,
)
from underdog.comparison.measures import squared_errors
from underdog.comparison.names import TITLES
from underdog.comparison.paired import interval
from underdog.costs import Costs
from underdog.model.writing import counted
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

    def measure(
        self, true: Integers, answers: HeldOutPredictions, population: ClassShares | None = None
    ) -> dict[str, float]:
        """Measures of the positive class; of more than two classes, means over the classes.

        Average precision and ROC AUC do not exist if a class is missing. With `population` the
        measures are for other shares of the classes than those of the rows.
        """
        count, decided = len(self.classes), answers.decided
        each = self._each(true, answers)
        weights = None if population is None else population.weights
        which: dict[str, Any] = {"average": "macro"}
        if count == 2:
            which = {"average": "binary", "pos_label": self.positive}
        precision, recall, f1, _ = precision_recall_fscore_support(
            true, decided, zero_division=0.0, sample_weight=weights, **which
        )
        values = {"precision": precision, "recall": recall, "f1": f1}
        if len(np.unique(true)) == count:
            truth, scores = self._ranked(true, answers)
            known = {"sample_weight": weights}
            values["average_precision"] = average_precision_score(truth, scores, **known)
            values["roc_auc"] = roc_auc_score(truth, scores, **known)
        values |= {name: np.average(every, weights=weights) for name, every in each.items()}
        values["accuracy"] = np.average(true == decided, weights=weights)
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

    def estimate(
        self, true: Integers, answers: HeldOutPredictions, population: ClassShares | None = None
    ) -> dict[str, Estimate]:
        """The measures with 95% confidence intervals.

        Those of shares (and of F1 of two classes) are Wilson's, the others are found by drawing the
        rows again and again. Rankings, and means over classes, have none if a class has fewer than
        10 rows. With other shares of the classes, which are known, rows are drawn in each class.
        """
        confusion = self.confusion(true, answers.decided)
        found = {
            name: mean_interval(each, population)
            for name, each in self._each(true, answers).items()
        }
        found["accuracy"] = wilson(float(np.trace(confusion)), len(true))
        enough = self.smallest_class(true)[1] >= MIN_ROWS
        if population is not None:
            known = population_intervals(confusion, population.shares, self.positive)
            if len(self.classes) == 2 and confusion[self.positive].any():
                hits = float(confusion[self.positive, self.positive])
                known["recall"] = wilson(hits, confusion[self.positive].sum())
            found |= known if len(self.classes) == 2 or enough else {"accuracy": known["accuracy"]}
        elif len(self.classes) == 2:
            hits = float(confusion[self.positive, self.positive])
            real, alarms = confusion[self.positive].sum(), confusion[:, self.positive].sum()
            found["precision"], found["recall"] = wilson(hits, alarms), wilson(hits, real)
            found["f1"] = f1_interval(hits, real + alarms - 2.0 * hits)
        elif enough:
            found |= macro_intervals(confusion)
        if enough:
            truth, scores = self._ranked(true, answers)
            found |= ranking_intervals(scores, truth, population)
        values = self.measure(true, answers, population)
        if population is not None:  # a share of 0 or 1 is the end of its interval
            found = {
                name: (min(found[name][0], value), max(found[name][1], value))
                for name, value in values.items()
                if name in found
            }
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


@dataclass(frozen=True, eq=False)
class MeasuredClasses:
    """Classes of rows, as indices, and predictions.

    `weights`, (K,) what a row of each class counts for, are for a population with other shares.
    """

    judge: Evaluator
    true: Integers
    answers: HeldOutPredictions
    weights: Floats | None = None

    @property
    def population(self) -> ClassShares | None:
        """The shares of classes for which these rows stand; None if they are those of the rows."""
        if self.weights is None:
            return None
        sums = np.bincount(self.true, minlength=len(self.weights)) * self.weights
        return ClassShares(self.true, sums / sums.sum())

    @property
    def compared(self) -> str:
        return "roc_auc" if len(self.judge.classes) == 2 else "accuracy"

    @property
    def shown(self) -> tuple[str, ...]:
        return (
            ("roc_auc", "precision", "recall")
            if len(self.judge.classes) == 2
            else ("accuracy", "f1")
        )

    def __len__(self) -> int:
        return len(self.true)

    def take(self, rows: Integers) -> MeasuredClasses:
        judge, costs = self.judge, self.judge.costs
        if costs is not None and costs.n_examples is not None:
            judge = Evaluator(judge.classes, judge.positive, costs.take(rows))
        return MeasuredClasses(judge, self.true[rows], self.answers.take(rows), self.weights)

    def estimate(self) -> dict[str, Estimate]:
        return self.judge.estimate(self.true, self.answers, self.population)

    def base(self) -> dict[str, float]:
        if len(self.judge.classes) > 2:
            return {}
        positive, answers = self.judge.positive, self.answers
        shares = (
            answers.decided == positive
            if answers.probabilities is None
            else answers.probabilities[:, positive]
        )
        known = self.population
        weights = None if known is None else known.weights
        return {
            "base_rate": float(np.average(self.true == positive, weights=weights)),
            "predicted": float(np.average(shares, weights=weights)),
        }

    @property
    def about_base(self) -> str:
        if len(self.judge.classes) > 2:
            return ""
        label = repr(to_python(self.judge.classes[self.judge.positive]))
        if self.answers.probabilities is None:
            return f"base rate: the share of {label}; predicted: how often it is predicted."
        return f"base rate: the share of {label}; predicted: its mean probability."

    def too_few(self) -> str:
        label, rows = self.judge.smallest_class(self.true)
        if rows >= MIN_ROWS:
            return ""
        return f"class {label!r} has only {counted(rows, 'row')}, fewer than {MIN_ROWS}"


def over_folds(by_fold: list[dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Mean and half-width of its 95% interval, over the folds in which the measure exists."""
    names = [name for name in TITLES if any(name in values for values in by_fold)]
    return {
        name: interval(np.array([values.get(name, np.nan) for values in by_fold])) for name in names
    }
