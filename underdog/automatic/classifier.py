"""The classifier that needs no parameters."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from underdog.automatic.base import Automatic
from underdog.checks import to_python
from underdog.codes.binary import BinaryLabels
from underdog.codes.multi_label import MultiLabels
from underdog.costs import Costs
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.population import recalibrate, with_prevalence
from underdog.decisions.rules import check_choice_of_threshold
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.estimators.blended_trees import BlendedTreesClassifier
from underdog.files import Fields
from underdog.types import Floats

RARE = 0.2
"""Below this share a class is rare, and "auto" chooses the threshold by its F1."""


@dataclass(kw_only=True, eq=False, repr=False)
class UnderdogClassifier(ClassifierMixin, Automatic):  # type: ignore[misc]
    """A classifier that needs no parameters.

    It takes arrays, sparse matrices, tables, lists of texts, and data frames with numbers,
    categories, texts, dates and missing values. It fits boosted trees and a linear model, both for
    the log loss, and blends their scores (see `BlendedTreesClassifier`). What was chosen, and why,
    is in `choices_`.

    The trees depend on the number of rows:

    - fewer than 2,000: random cuts, a depth of 4 and a learning rate of 0.05;
    - fewer than 20,000: the same, or the best cuts, a depth of 6 and a learning rate of 0.1 if they
      are better for left-out rows;
    - 20,000 or more: the best cuts, 31 leaves and a learning rate of 0.1.

    The number of rounds, the weight of the linear model and the threshold are those that are best
    for left-out rows: five folds, or one fifth of the rows if there are 5,000 or more.

    Parameters
    ----------
    costs : Costs, optional
        Costs of mistakes: the class with the least expected cost is predicted.
    threshold : default="auto"
        What is predicted for two classes. None predicts the more probable class. "f1", ("fbeta",
        b), ("precision", p), ("recall", r) and ("alarms", k) choose a threshold on left-out scores,
        as `choose` of `ThresholdClassifier`. "auto" is "f1" for the rarer class if less than 20% of
        the examples are of it, otherwise None.
    pos_label : label, optional
        The positive class of `threshold` and of `Costs(fn, fp)`; by default the rarer class for
        `threshold`, and `classes_[1]` for costs.
    time_budget : float, optional
        Seconds after which no more rounds are tried. The model then depends on the speed of the
        machine. `booster_.blend_` says which trees were chosen and how many rounds were tried.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws of cuts, weights and folds. None is 0. The draws depend on the contents
        of the rows, not on their order.
    n_jobs : int, optional
        Number of threads; see `AdaBoostClassifier`.
    verbose : int, default=0
        1 shows a progress bar and prints `choices_`.

    Attributes
    ----------
    classes_ : array
    choices_ : list of str
        What was chosen and why, in three sentences.
    encoder_ : FrameEncoder, TermVectorizer or None
        What turns the given data into columns.
    booster_ : BlendedTreesClassifier
    estimator_ : the booster, or the `ThresholdClassifier` or `CostSensitiveClassifier` around it
    pipeline_ : encoder and estimator as a pipeline of scikit-learn

    See `BlendedTreesClassifier` for the references.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import UnderdogClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = UnderdogClassifier().fit(X[::2], y[::2])
    >>> round(model.score(X[1::2], y[1::2]), 2)
    0.96
    """

    costs: Costs | None = None
    threshold: Any = "auto"
    pos_label: Any = None
    time_budget: float | None = None
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix, data frame, Table or list of texts
        y : array of shape (n,), or an indicator matrix for several labels per row
        sample_weight : array of shape (n,), optional
            How many examples each row stands for.

        Returns
        -------
        self
        """
        self._check_parameters()
        booster = self._fit_booster(X, y, sample_weight, BlendedTreesClassifier)
        self.classes_ = booster.classes_
        self.estimator_ = self._decided(booster, np.asarray(y), sample_weight)
        self.choices_.append(self._about_decision())
        if self.verbose:
            print("\n".join(self.choices_))
        return self

    def _check_parameters(self) -> None:
        rule = self.threshold
        automatic = isinstance(rule, str) and rule == "auto"
        if not automatic and rule is not None:
            if isinstance(rule, Costs):
                raise ValueError("threshold is given Costs: use the parameter costs instead")
            check_choice_of_threshold(rule)
        if self.costs is not None and not automatic:
            raise ValueError(
                "costs and threshold are two rules for the same prediction: give only one of them"
            )

    def _decided(self, booster: Any, y: Any, sample_weight: Any) -> Any:
        """The booster, or what decides by its scores."""
        left_out = booster.left_out_scores_
        if y.ndim != 1 or left_out is None:
            if self.costs is not None:
                raise ValueError("costs need one class per row, and rows that can be left out")
            return booster
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
        y, weight = y[weight > 0.0], weight[weight > 0.0]  # the booster drops the others
        used = ~np.isnan(left_out).any(axis=1)
        y, weight, scores = y[used], weight[used], booster._labels.decision(left_out[used])
        if self.costs is not None:
            return CostSensitiveClassifier(
                booster, self.costs, calibration=None, pos_label=self.pos_label
            ).fit_from_scores(booster, scores, y, weight)
        if not isinstance(booster._labels, BinaryLabels):
            if self.threshold not in ("auto", None):
                raise ValueError(
                    f"threshold={self.threshold!r} is for two classes, but there are "
                    f"{len(self.classes_)}: use costs, or threshold=None"
                )
            return booster
        shares = np.array([weight[y == label].sum() for label in self.classes_]) / weight.sum()
        rule = self.threshold
        if isinstance(rule, str) and rule == "auto":
            rule = "f1" if shares.min() < RARE else None
        if rule is None or not shares.all():
            return booster
        positive = self.classes_[shares.argmin()] if self.pos_label is None else self.pos_label
        decider = ThresholdClassifier(booster, rule, pos_label=to_python(positive))
        return decider.fit_from_scores(booster, scores, y, weight)

    def _about_decision(self) -> str:
        """How the class is predicted, in one sentence."""
        decider = self.estimator_
        if isinstance(decider, CostSensitiveClassifier):
            return "The class with the least expected cost is predicted."
        if not isinstance(decider, ThresholdClassifier):
            if isinstance(self.booster_._labels, MultiLabels):
                return "Every label with a probability above 0.5 is predicted."
            return "The most probable class is predicted."
        name = to_python(self.classes_[decider._positive])
        curve = decider.curve_
        place = int(np.flatnonzero(curve["threshold"] == decider.threshold_)[0])
        tp, fp, fn = (float(curve[part][place]) for part in ("tp", "fp", "fn"))
        f1 = 2 * tp / max(2 * tp + fp + fn, 1e-300)
        probability = 1.0 / (1.0 + np.exp(-decider.threshold_))
        return (
            f"{name!r} is predicted if its probability is above {probability:.3g}, chosen by "
            f"{decider.choose!r} on left-out rows: F1 {f1:.3f}, precision "
            f"{tp / max(tp + fp, 1e-300):.3f}, recall {tp / max(tp + fn, 1e-300):.3f}."
        )

    def predict(self, X: Any) -> Any:
        """The predicted class; for several labels per row, an indicator matrix.

        Parameters
        ----------
        X : as in `fit`
        """
        table = self._encoded(X)
        return self.estimator_.predict(table)

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities, which depend neither on the threshold nor on the costs.

        Parameters
        ----------
        X : as in `fit`
        """
        table = self._encoded(X)
        probabilities: Floats = self.estimator_.predict_proba(table)
        return probabilities

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithm of `predict_proba`."""
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(probabilities)
        return logs

    def decision_function(self, X: Any) -> Floats:
        """Scores; with two classes above 0 where `classes_[1]` is predicted."""
        table = self._encoded(X)
        scores: Floats = self.estimator_.decision_function(table)
        return scores

    def with_prevalence(self, prevalence: Any, *, training_prevalence: Any = None) -> Any:
        """A copy for data in which classes have other shares; see `underdog.with_prevalence`."""
        self._check_fitted()
        made = copy(self)
        made.estimator_ = with_prevalence(
            self.estimator_, prevalence, training_prevalence=training_prevalence
        )
        return made

    def recalibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn the probabilities of scores anew from these rows; see `underdog.recalibrate`.

        Returns
        -------
        self
        """
        table = self._encoded(X)
        self.estimator_ = recalibrate(self.estimator_, table, y, sample_weight)
        return self

    def _restore(self, fields: Fields) -> None:
        kinds = (BlendedTreesClassifier, ThresholdClassifier, CostSensitiveClassifier)
        if not isinstance(self.estimator_, kinds) or not isinstance(
            self.booster_, BlendedTreesClassifier
        ):
            raise fields.wrong("estimator", "must be a BlendedTreesClassifier or decide by one")
        self.classes_ = self.booster_.classes_
        self._check_parameters()
