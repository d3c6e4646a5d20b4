"""From candidates to a model: cross-validation, selection, threshold and final fit.

Each candidate is fitted once per fold. Its scores of the rows that it was not trained on are used
three times: to rank the candidates, to choose the threshold (or calibrate the probabilities) of the
final model, and to measure it. To measure it, the threshold is chosen anew for each fold by the
scores of the other folds, so that no row is predicted with the help of its own label.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import Pipeline

from underdog.checks import UnderdogWarning, notify, to_python
from underdog.cli.evaluator import Evaluator, HeldOutPredictions, over_folds
from underdog.cli.task import Task
from underdog.cli.wording import TITLES
from underdog.comparison.folds import Fold, make_folds
from underdog.comparison.measures import MEASURES, main_measure
from underdog.comparison.paired import corrected_error, corrected_t
from underdog.comparison.size import size_of
from underdog.costs import Costs
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.precomputed import PrecomputedScores
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.frames import FrameEncoder
from underdog.frames.errors import BadData
from underdog.types import Floats, Integers

NOISE = 0.05


@dataclass(frozen=True, eq=False)
class Plan:
    """What to train, and how.

    Attributes
    ----------
    boosters : unfitted classifiers by name, the simplest first
    encoder : unfitted FrameEncoder, or None where X is a matrix
    judge : classes, the positive one, costs
    choose : how the threshold is chosen ("f1", ("recall", 0.9), ...), or None if it is not given
    rare : whether one of two classes is rare; then a threshold is chosen by F1, else by accuracy
    folds : number of folds, 0 for none
    seed : of the folds
    """

    boosters: dict[str, Any]
    encoder: FrameEncoder | None
    judge: Evaluator
    choose: Any
    rare: bool
    folds: int
    seed: int

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
        if len(self.judge.classes) == 2:
            choose = self.choose or THRESHOLDS[self.threshold_measure]
            return ThresholdClassifier(booster, choose, pos_label=self.positive)
        return None

    @property
    def measure(self) -> str:
        """The measure by which candidates are ranked, as in `underdog compare`."""
        return main_measure(len(self.judge.classes), self.costs)

    @property
    def threshold_measure(self) -> str:
        """By which a threshold is chosen, unless the user says how.

        F1 of one of two frequent classes is best where that class is predicted far too often.
        """
        return "f1" if self.rare else "accuracy"

    @property
    def may_stay(self) -> bool:
        """Whether neither costs nor a threshold are given: it is moved only if that is better."""
        return self.costs is None and self.choose is None


THRESHOLDS = {"f1": "f1", "accuracy": Costs(fn=1, fp=1)}
"""Measures, and how a threshold is chosen for them."""
ENOUGH = 2.0
"""Standard errors that a moved threshold must gain."""


@dataclass(frozen=True)
class Threshold:
    """What is gained by another threshold than the booster's own.

    Attributes
    ----------
    measure : str
    own, chosen : float
        Mean of the measure in the folds with the booster's own threshold, and with one that was
        chosen by the scores of the other folds.
    standard_error : float
        Of the difference, corrected for folds that share examples (see `corrected_t`).
    """

    measure: str
    own: float
    chosen: float
    standard_error: float

    @classmethod
    def from_scores(cls, measure: str, own: CrossValidation, chosen: CrossValidation) -> Threshold:
        """Compare the two in each fold."""
        before, after = (
            np.array([fold[measure] for fold in each.by_fold]) for each in (own, chosen)
        )
        error = corrected_error(after - before, 1.0 / (len(before) - 1))
        return cls(measure, float(before.mean()), float(after.mean()), error)

    @property
    def gain(self) -> float:
        """By how much the chosen threshold is better."""
        return self.chosen - self.own

    @property
    def moved(self) -> bool:
        """Whether the gain is more than noise."""
        return self.gain > ENOUGH * self.standard_error


@dataclass(frozen=True)
class Trial:
    """One candidate on one fold: its predictions for the rows of the fold."""

    name: str
    fold: int
    scores: Any
    probabilities: Any
    rules: float
    seconds: float


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """The result of one candidate.

    Attributes
    ----------
    scores : (n,) or (n, K) out of fold
    decided : (n,) positions of the predicted classes
    by_fold : measures in each fold
    threshold : whether it was moved; None if costs or the user decide
    """

    scores: Floats
    decided: Integers
    by_fold: list[dict[str, float]]
    threshold: Threshold | None = None

    @property
    def moved(self) -> bool:
        """Whether the threshold is not the booster's own."""
        return self.threshold is None or self.threshold.moved

    @property
    def measures(self) -> dict[str, tuple[float, float]]:
        """Mean and half-width of its 95% interval."""
        return over_folds(self.by_fold)


def folds_of(plan: Plan, task: Task) -> list[Fold]:
    """Stratified and shuffled folds.

    Of two classes both must be in every fold; of more, small ones are in as many as possible.
    """
    if not plan.folds:
        return []
    classes, counts = np.unique(task.y, return_counts=True)
    if counts.min() == 1:
        raise BadData(
            f"class {to_python(classes[counts.argmin()])!r} has only one row, but cross-validation "
            "needs two: add rows of this class, or use --cv 0",
            path=task.source,
        )
    cv: Any = plan.folds
    if len(plan.judge.classes) > 2:
        cv = StratifiedKFold(plan.folds, shuffle=True, random_state=plan.seed)
        if counts.min() < plan.folds:
            notify(
                f"The smallest class has {counts.min()} rows, fewer than the {plan.folds} folds: "
                "it is not in every fold."
            )
    with warnings.catch_warnings():  # scikit-learn says the same in its own words
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return make_folds(cv, task.y, plan.seed)


def trials(
    plan: Plan,
    task: Task,
    roles: dict[str, str],
    folds: list[Fold],
    done: set[tuple[str, int]],
) -> Iterator[Trial]:
    """Every candidate on every fold, except those that are done.

    The roles of columns were found from all rows: with few rows the folds might disagree.
    """
    for number, (train, test) in enumerate(folds):
        names = [name for name in plan.boosters if (name, number) not in done]
        if not names:
            continue
        known, new = task.take(train), task.take(test)
        if plan.encoder is not None:
            encoder = clone(plan.encoder).set_params(roles=roles)
            known, new = encoder.fit_transform(known), encoder.transform(new)
        weights = {} if task.weights is None else {"sample_weight": task.weights[train]}
        for name in names:
            began = time.perf_counter()
            booster = clone(plan.boosters[name]).fit(known, task.y[train], **weights)
            seconds = time.perf_counter() - began
            own = booster.predict_proba(new) if hasattr(booster, "predict_proba") else None
            scores = booster.decision_function(new)
            yield Trial(name, number, scores, own, size_of(booster), seconds)


def validate(plan: Plan, task: Task, folds: list[Fold], found: list[Trial]) -> CrossValidation:
    """Measure one candidate by its predictions for rows that it was not trained on."""
    found = sorted(found, key=lambda trial: trial.fold)
    scores = _in_order([trial.scores for trial in found], folds)
    own = None
    if found[0].probabilities is not None:
        own = _in_order([trial.probabilities for trial in found], folds)
    decider = plan.decider(None)
    if decider is not None and not plan.may_stay:
        return _judged(plan, task, folds, scores, own, decider)
    stays = _judged(plan, task, folds, scores, own, None)
    if decider is None:
        return stays
    moves = _judged(plan, task, folds, scores, own, decider)
    threshold = Threshold.from_scores(plan.threshold_measure, stays, moves)
    return replace(moves if threshold.moved else stays, threshold=threshold)


def _judged(
    plan: Plan,
    task: Task,
    folds: list[Fold],
    scores: Floats,
    own: Floats | None,
    decider: Any,
) -> CrossValidation:
    """Predict from out-of-fold scores, and measure the predictions in each fold.

    Parameters
    ----------
    scores : (n,) or (n, K)
    own : (n, K) the booster's own probabilities, or None
    decider : fitted on the scores of the other folds; None for the booster's own predictions
    """
    classes = plan.judge.classes
    true, given = np.searchsorted(classes, task.y), PrecomputedScores(classes)
    decided = _own_decisions(plan, scores)
    by_fold = []
    for train, test in folds:
        shares = None if own is None else own[test]
        if decider is not None:
            weights = None if task.weights is None else task.weights[train]
            with warnings.catch_warnings():  # the final model gives the same warnings
                warnings.simplefilter("ignore", UnderdogWarning)
                rule = clone(decider).fit_from_scores(given, scores[train], task.y[train], weights)
            decided[test] = np.searchsorted(classes, rule.predict(scores[test]))
            if isinstance(decider, CostSensitiveClassifier):
                shares = rule.predict_proba(scores[test])
        answers = HeldOutPredictions(decided[test], scores[test], shares)
        by_fold.append(plan.judge.measure(true[test], answers))
    return CrossValidation(scores, decided, by_fold)


def _own_decisions(plan: Plan, scores: Floats) -> Integers:
    """(n,) positions of the classes that the booster itself predicts."""
    if scores.ndim == 2:
        best: Integers = scores.argmax(axis=1)
        return best
    # A score of 0 is not enough for the positive class, whichever that is.
    return (scores > 0 if plan.judge.positive else scores >= 0).astype(np.intp)


def best_of(plan: Plan, results: dict[str, CrossValidation]) -> tuple[str, str]:
    """The name of the candidate to use, and why.

    It is the simplest one that is within noise of the best.
    """
    simplest = next(iter(plan.boosters))
    if len(results) < 2:
        return simplest, ""
    sign = 1.0 if MEASURES[plan.measure].larger_is_better else -1.0
    values = {
        each: sign * np.array([fold[plan.measure] for fold in result.by_fold])
        for each, result in results.items()
    }
    best = max(values, key=lambda each: float(values[each].mean()))
    measure = f"{TITLES[plan.measure]} {sign * values[best].mean():.3f}"
    if best == simplest:
        return simplest, f"the best mean {measure}"
    worse = []
    for name in takewhile(lambda name: name != best, plan.boosters):
        gain, *_, p_value = corrected_t(values[best] - values[name], 1.0 / (len(values[best]) - 1))
        if not p_value < NOISE:
            return name, (
                f"the simplest model within noise of the best ({best} has {measure}, a difference "
                f"of {gain:.2g}, p = {p_value:.2g})"
            )
        worse.append(f"{name} by {gain:.2g} (p = {p_value:.2g})")
    return best, f"{measure}, better than {' and '.join(worse)}"


def assemble(
    plan: Plan, task: Task, encoder: Any, booster: Any, result: CrossValidation | None
) -> Any:
    """The final model, from raw rows to predictions."""
    decider, last = plan.decider(clone(booster)), booster
    if decider is not None and result is not None and result.moved:
        with warnings.catch_warnings():
            # It names a parameter of Python; the report says the same of an infinite threshold.
            warnings.filterwarnings("ignore", "with choose=", UnderdogWarning)
            last = decider.fit_from_scores(booster, result.scores, task.y, task.weights)
    return last if encoder is None else Pipeline([("columns", encoder), ("classifier", last)])


def _in_order(parts: list[Any], folds: list[Fold]) -> Floats:
    """Values of all folds in the order of the rows."""
    made = np.concatenate([np.asarray(part, dtype=np.float64) for part in parts])
    order = np.argsort(np.concatenate([test for _, test in folds]), kind="stable")
    result: Floats = made[order]
    return result
