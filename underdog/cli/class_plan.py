"""Training of a classifier: threshold, costs, cross-validation and final model.

The scores of rows that a model was not trained on are used three times: to compare it with others,
to choose the threshold (or calibrate the probabilities) of the final model, and to measure it. To
measure it, the threshold is chosen anew for each fold by the scores of the other folds, so that no
row is predicted with the help of its own label.

Blended trees leave rows out themselves, and decide by these as `UnderdogClassifier` does: in each
fold by rows of its training part.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from underdog.checks import UnderdogWarning, notify, to_python
from underdog.cli.class_model import class_answers
from underdog.cli.class_report import (
    confusion_of,
    decision_of,
    show_class_result,
    show_classes,
    show_confusion,
)
from underdog.cli.deciding import LeftOutRule
from underdog.cli.held_out import show_held_out
from underdog.cli.measures_table import evaluation_dict, with_intervals
from underdog.cli.plan import CrossValidation, Plan, Quality, Trial, in_order
from underdog.cli.screen import Screen
from underdog.cli.suspicion import NEARLY, suspect
from underdog.cli.task import Task
from underdog.cli.thresholds import THRESHOLDS, Threshold
from underdog.comparison.class_evaluator import Evaluator, HeldOutPredictions, MeasuredClasses
from underdog.comparison.evaluation import Evaluation
from underdog.comparison.measures import main_measure
from underdog.costs import Costs
from underdog.data.folds import Fold, held_out_ratio, rows_in_folds
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.out_of_fold import folds as enough_folds
from underdog.decisions.precomputed import PrecomputedScores
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.frames.errors import BadData
from underdog.types import Floats, Integers

LEAST = 1e-15
"""Of a probability whose logarithm is a score."""


@dataclass(frozen=True, eq=False)
class ClassValidation(CrossValidation):
    """The result of one model.

    Attributes
    ----------
    rows : (n,) rows that are tested in a fold
    scores : (n,) or (n, K) out of fold
    decided : (n,) positions of the predicted classes
    threshold : whether it was moved; None if costs or the user decide
    inside : whether in each fold rows of its training part decided
    """

    rows: Integers
    scores: Floats
    decided: Integers
    threshold: Threshold | None = None
    inside: bool = False

    @property
    def moved(self) -> bool:
        """Whether the threshold is not the booster's own."""
        return self.threshold is None or self.threshold.moved


@dataclass(frozen=True, eq=False)
class ClassPlan(Plan):
    """How to train a classifier.

    Attributes
    ----------
    judge : classes, the positive one, costs
    choose : how the threshold is chosen ("f1", ("recall", 0.9), ...), or None if it is not given
    rare : whether one of two classes is rare; then a threshold is chosen by F1, else by accuracy
    automatic : whether the threshold of a rare class is always chosen, and other thresholds stay,
        as in `UnderdogClassifier`; otherwise it is moved if that is better by more than noise
    inside : whether the booster decides by training rows that it left out itself
    """

    judge: Evaluator
    choose: Any
    rare: bool
    automatic: bool = field(default=False, kw_only=True)
    inside: bool = field(default=False, kw_only=True)

    with_classes = True

    @property
    def asked(self) -> tuple[Any, ...]:
        """Costs, and how the threshold is chosen."""
        return self.costs, self.choose, self.inside

    @property
    def costs(self) -> Costs | None:
        """Costs of mistakes."""
        return self.judge.costs

    @property
    def positive(self) -> Any:
        """The positive of two classes, or None."""
        classes = self.judge.classes
        return classes[self.judge.positive] if len(classes) == 2 else None

    def decider(self, booster: Any) -> Any:
        """What predicts from the booster's scores; None if the booster does."""
        if not self.folds:
            return None
        if self.costs is not None:
            return CostSensitiveClassifier(booster, self.costs, pos_label=self.positive)
        if len(self.judge.classes) == 2 and (self.choose or self.rare or not self.automatic):
            choose = self.choose or THRESHOLDS[self.threshold_measure]
            return ThresholdClassifier(booster, choose, pos_label=self.positive)
        return None

    @property
    def rule(self) -> LeftOutRule | None:
        """How the booster decides by the rows that it left out, if it does."""
        if not self.inside:
            return None
        return LeftOutRule(self.costs, self.choose, self.positive)

    @property
    def measure(self) -> str:
        """The measure by which models are ranked, as in `underdog compare`."""
        return main_measure(len(self.judge.classes), self.costs)

    @property
    def threshold_measure(self) -> str:
        """By which a threshold is chosen, unless the user says how.

        F1 of one of two frequent classes is best where that class is predicted far too often.
        """
        return "f1" if self.rare else "accuracy"

    @property
    def by_default(self) -> bool:
        """Whether neither costs nor a threshold are given."""
        return self.costs is None and self.choose is None

    def count_folds(self, task: Task) -> int:
        """The number of folds.

        Of two classes both must be in every fold; of more, small ones are in as many as possible.
        """
        classes, counts = np.unique(task.y, return_counts=True)
        if counts.min() == 1:
            raise BadData(
                f"class {to_python(classes[counts.argmin()])!r} has only one row, but "
                "cross-validation needs two: add rows of this class, or use --cv 0",
                path=task.source,
            )
        if len(self.judge.classes) == 2 and task.fold_column is None:
            return int(enough_folds(self.folds, task.y, ""))
        if counts.min() < self.folds:
            notify(
                f"The smallest class has {counts.min()} rows, fewer than the {self.folds} folds: "
                "it is not in every fold."
            )
        return self.folds

    def predict(self, model: Any, X: Any) -> tuple[Any, Any]:
        """Scores, and probabilities if the model has them; without scores, log-odds are these."""
        own: Any = model.predict_proba(X) if hasattr(model, "predict_proba") else None
        if hasattr(model, "decision_function"):
            return model.decision_function(X), own
        logs = np.log(np.maximum(own, LEAST))
        return (logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs), own

    def validate(self, task: Task, folds: list[Fold], found: list[Trial]) -> ClassValidation:
        """Measure one model by its predictions for rows that it was not trained on."""
        found = sorted(found, key=lambda trial: trial.fold)
        scores = in_order([trial.scores for trial in found], folds)
        own = None
        if found[0].probabilities is not None:
            own = in_order([trial.probabilities for trial in found], folds)
        decider = self.decider(None)
        stays = _measured(self, task, folds, scores, own, _own_decisions(self, scores))
        if decider is None:
            return stays
        parts = [getattr(trial, "decided", None) for trial in found]
        if all(part is not None for part in parts):
            decided = in_order(parts, folds).astype(np.intp)
            moves = _measured(self, task, folds, scores, own, decided)
            moves = replace(moves, inside=True)
        else:
            moves = _judged(self, task, folds, scores, own, decider)
        if not self.by_default:
            return moves
        threshold = Threshold.from_scores(self.threshold_measure, stays, moves, self.automatic)
        return replace(moves if threshold.moved else stays, threshold=threshold)

    def assemble(
        self, task: Task, encoder: Any, booster: Any, result: ClassValidation | None
    ) -> Any:
        """The final model, from raw rows to predictions."""
        decider, last = self.decider(clone(booster)), booster
        inside = None
        if self.rule is not None and (result is None or result.inside):
            inside = self.rule.decider(booster, task.y, task.weights)
        if inside is not None:
            last = inside
        elif decider is not None and result is not None and result.moved:
            with warnings.catch_warnings():
                # It names a parameter of Python; the report says the same of an infinite threshold.
                warnings.filterwarnings("ignore", "with choose=", UnderdogWarning)
                y, weights = task.y[result.rows], task.weights_of(result.rows)
                last = decider.fit_from_scores(booster, result.scores, y, weights)
        return last if encoder is None else Pipeline([("columns", encoder), ("classifier", last)])

    def show_target(self, screen: Screen, task: Task) -> None:
        """The classes, and which one is positive."""
        show_classes(screen.message, task.counts())
        if self.positive is not None:
            screen.message(f"positive class: {to_python(self.positive)}")

    def summary(
        self, task: Task, model: Any, result: ClassValidation | None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Classes and how the model decides; measures and the confusion matrix."""
        target = {
            "classes": task.counts(),
            "positive": None if self.positive is None else str(to_python(self.positive)),
        }
        found: dict[str, Any] = {"decision": decision_of(model)}
        if result is None:
            return target, found
        true = np.searchsorted(self.judge.classes, task.y[result.rows])
        found["folds"] = len(result.by_fold)
        found["measures"] = with_intervals(result)
        found["confusion"] = confusion_of(self.judge, true, result.decided)
        complete = len(np.unique(true)) == len(self.judge.classes)
        if complete and self.judge.is_a_constant_as_good(true, result.decided):
            found["constant_is_as_good"] = True
        if (threshold := result.threshold) is not None:
            found["threshold"] = threshold.to_dict()
        return target, found

    def evaluate(self, task: Task, model: Any) -> dict[str, Any]:
        """Measures with their intervals, and the confusion matrix."""
        true = np.searchsorted(self.judge.classes, task.y)
        X = task.X
        if self.encoder is not None:
            X = task.naming_file(lambda: model[:-1].transform(task.X))
            model = model.steps[-1][1]
        answers = class_answers(model, X)
        return {
            **evaluation_dict(Evaluation(MeasuredClasses(self.judge, true, answers))),
            "positive": None if self.positive is None else str(to_python(self.positive)),
            "confusion": confusion_of(self.judge, true, answers.decided),
        }

    def decide(self, task: Task, result: ClassValidation, scores: Any, own: Any) -> Any:
        """Predictions from scores of new rows, decided as in the folds by scores of all of them.

        Parameters
        ----------
        task : the rows of the folds
        result : of the same model
        scores, own : what `predict` returns for the new rows
        """
        decider = self.decider(None)
        if decider is None or not result.moved:
            return HeldOutPredictions(_own_decisions(self, scores), scores, own)
        rows = result.rows
        return _decided(
            self, decider, result.scores, task.y[rows], task.weights_of(rows), scores, own
        )

    def show_held_out(self, screen: Screen, found: dict[str, Any]) -> None:
        """The same for people."""
        show_held_out(screen, self.name, found)
        show_confusion(screen, found["confusion"], found["positive"])

    def quality(self, task: Task, result: ClassValidation) -> Quality:
        """The accuracy, and whether there are hardly any mistakes."""
        true = np.searchsorted(self.judge.classes, task.y[result.rows])
        mistakes = result.decided != true
        return Quality(float(1.0 - mistakes.mean()), nearly_perfect(true, result.decided))

    def suspect(
        self,
        task: Task,
        booster: Any,
        result: ClassValidation,
        folds: list[Fold],
        screen: Screen,
    ) -> dict[str, Any] | None:
        """The column to check if nearly all rows are predicted correctly; else None."""
        found = suspect(self, task, booster, result, folds, screen)
        if found is None:
            return None
        true = np.searchsorted(self.judge.classes, task.y)
        return {
            "mistakes": int(np.sum(true != result.decided)), "column": found.column,
            "accuracy": found.value, "alone": found.alone, "columns": found.columns,
        }  # fmt: skip

    def show_result(self, screen: Screen, summary: dict[str, Any]) -> None:
        """Measures, the confusion matrix and how the model decides."""
        show_class_result(screen, summary)


def nearly_perfect(true: Integers, decided: Integers) -> bool:
    """Whether there are hardly any mistakes, compared with predicting the most frequent class."""
    others = len(true) - np.bincount(true).max()
    return bool(np.sum(true != decided) <= NEARLY * others)


def _judged(
    plan: ClassPlan,
    task: Task,
    folds: list[Fold],
    scores: Floats,
    own: Floats | None,
    decider: Any,
) -> ClassValidation:
    """Predict from out-of-fold scores by what other folds say, and measure that in each fold.

    Parameters
    ----------
    scores : (n,) or (n, K), of the rows that are tested in a fold
    own : (n, K) the booster's own probabilities, or None
    decider : fitted on the scores of the other folds
    """
    rows, parts = rows_in_folds(folds)
    y = task.y[rows]
    decided, shares = np.zeros(len(y), dtype=np.intp), own
    if isinstance(decider, CostSensitiveClassifier):
        shares = np.empty((len(y), len(plan.judge.classes)))
    for others, test in parts:
        known = scores[others], y[others], task.weights_of(rows[others])
        found = _decided(plan, decider, *known, scores[test], None if own is None else own[test])
        decided[test] = found.decided
        if shares is not None and found.probabilities is not None:
            shares[test] = found.probabilities
    return _measured(plan, task, folds, scores, shares, decided)


def _decided(
    plan: ClassPlan, decider: Any, known: Floats, y: Any, weights: Any, scores: Floats, own: Any
) -> HeldOutPredictions:
    """Predictions of a decider that learns from other scores, with its probabilities."""
    given = PrecomputedScores(plan.judge.classes)
    with warnings.catch_warnings():  # the final model gives the same warnings
        warnings.simplefilter("ignore", UnderdogWarning)
        rule = clone(decider).fit_from_scores(given, known, y, weights)
    if isinstance(decider, CostSensitiveClassifier):
        own = rule.predict_proba(scores)
    return HeldOutPredictions(
        np.searchsorted(plan.judge.classes, rule.predict(scores)), scores, own
    )


def _measured(
    plan: ClassPlan,
    task: Task,
    folds: list[Fold],
    scores: Floats,
    own: Floats | None,
    decided: Integers,
) -> ClassValidation:
    """Measure decisions in each fold."""
    rows, parts = rows_in_folds(folds)
    true = np.searchsorted(plan.judge.classes, task.y[rows])
    by_fold = []
    for _, test in parts:
        shares = None if own is None else own[test]
        answers = HeldOutPredictions(decided[test], scores[test], shares)
        by_fold.append(plan.judge.measure(true[test], answers))
    return ClassValidation(by_fold, held_out_ratio(folds), rows, scores, decided)


def _own_decisions(plan: ClassPlan, scores: Floats) -> Integers:
    """(n,) positions of the classes that the booster itself predicts."""
    if scores.ndim == 2:
        best: Integers = scores.argmax(axis=1)
        return best
    # A score of 0 is not enough for the positive class, whichever that is.
    return (scores > 0 if plan.judge.positive else scores >= 0).astype(np.intp)
