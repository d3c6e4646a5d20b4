"""The classifier that needs no parameters."""

from __future__ import annotations

import warnings
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from underdog.automatic.base import Automatic
from underdog.automatic.decision import about_decision
from underdog.checks import UnderdogWarning, to_python
from underdog.codes import choose_code
from underdog.codes.binary import BinaryLabels
from underdog.codes.multi_label import MultiLabels
from underdog.costs import Costs
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.population import recalibrate, with_prevalence
from underdog.decisions.rules import check_choice_of_threshold
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.estimators.blended_trees import BlendedTreesClassifier
from underdog.estimators.support import inputs
from underdog.estimators.support.weights import relative_weight
from underdog.files import Fields
from underdog.model.writing import counted
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

    The trees depend on the number of examples, which is that of the rows without weights:

    - fewer than 2,000: random cuts, a depth of 4 and a learning rate of 0.05;
    - fewer than 20,000: the same, or the best cuts, a depth of 6 and a learning rate of 0.1 if they
      are better for left-out rows;
    - 20,000 or more: the best cuts, 31 leaves and a learning rate of 0.1.

    The number of rounds, the weight of the linear model and the threshold are those that are best
    for left-out rows: five folds, or one fifth of the rows if there are 5,000 examples or more.

    Parameters
    ----------
    costs : Costs, optional
        Costs of mistakes: the class with the least expected cost is predicted. Costs per row are
        passed to `predict`.
    threshold : default="auto"
        What is predicted for two classes. None predicts the more probable class. "f1", ("fbeta",
        b), ("precision", p), ("recall", r) and ("alarms", k) choose a threshold on left-out scores,
        as `choose` of `ThresholdClassifier`, and need rows that can be left out. "auto" is "f1" for
        the rarer class if less than 20% of the examples are of it, otherwise None. It is None, too,
        if the same class would be predicted for all rows, or no row can be left out.
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

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, time: Any = None
    ) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix, data frame, Table or list of texts
        y : array of shape (n,), or an indicator matrix for several labels per row
        sample_weight : array of shape (n,), optional
            How many examples each row stands for.
        groups : array of shape (n,), optional
            Rows of the same group, such as those of a person, are left out together.
        time : array of shape (n,), optional
            Numbers or dates: the last fifth of the rows is left out, and choices are made for rows
            that are later still.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._check_classes(y)
        booster = self._fit_booster(X, y, sample_weight, BlendedTreesClassifier, groups, time)
        self.classes_ = booster.classes_
        self.estimator_ = self._decided(booster, inputs.checked_labels(y), sample_weight)
        self.choices_.append(about_decision(self.estimator_))
        if self.verbose:
            print("\n".join(self.choices_))
        return self

    def _check_parameters(self) -> None:
        inputs.check_costs(self.costs)
        rule = self.threshold
        if self._is_ruled:
            if isinstance(rule, Costs):
                raise ValueError("threshold is given Costs: use the parameter costs instead")
            check_choice_of_threshold(rule, "threshold", "None or 'auto'")
        if self.costs is None:
            return
        if rule is None or self._is_ruled:
            raise ValueError(
                "costs and threshold are two rules for the same prediction: give only one of them"
            )
        if self.costs.n_examples is not None:
            raise ValueError(
                f"costs={self.costs!r} are costs per example, which are not used in training: pass "
                "those of the new rows to predict, as in model.predict(X, costs=costs)"
            )

    @property
    def _is_ruled(self) -> bool:
        """Whether the threshold is chosen by a rule that was given."""
        rule = self.threshold
        return rule is not None and not (isinstance(rule, str) and rule == "auto")

    def _check_classes(self, y: Any) -> None:
        """Refuse rules that are not for several labels per row, before anything is fitted."""
        if self.costs is None and not self._is_ruled:
            return
        y = inputs.checked_labels(y)
        if y.ndim < 2:
            return
        several = f"but y has {counted(y.shape[1], 'label')} per row"
        if self.costs is not None:
            raise ValueError(
                f"costs={self.costs!r} are for one class per row, {several}: leave costs out, or "
                "fit one model for each label"
            )
        raise ValueError(
            f"threshold={self.threshold!r} is for two classes, {several}: use threshold=None, or "
            "fit one model for each label"
        )

    def _decided(self, booster: Any, y: Any, sample_weight: Any) -> Any:
        """The booster, or what decides by its scores."""
        labels, left_out = booster._labels, booster.left_out_scores_
        if isinstance(labels, MultiLabels):
            return booster
        weight = relative_weight(
            "sample_weight", 1.0 if sample_weight is None else sample_weight, len(y)
        )
        y, weight = y[weight > 0.0], weight[weight > 0.0]  # the booster drops the others
        if self.costs is not None:  # probabilities say it all: scores are not looked at
            return CostSensitiveClassifier(
                booster, self.costs, calibration=None, pos_label=self.pos_label
            ).fit_from_scores(booster, np.zeros(len(y)), y, weight)
        if not isinstance(labels, BinaryLabels):
            if self._is_ruled:
                raise ValueError(
                    f"threshold={self.threshold!r} is for two classes, but there are "
                    f"{len(self.classes_)}: use costs, or threshold=None"
                )
            return booster
        used = np.zeros(len(y), dtype=bool) if left_out is None else ~np.isnan(left_out[:, 0])
        sums = np.array([weight[used & (y == label)].sum() for label in self.classes_])
        if not sums.all():
            if self._is_ruled:
                name = to_python(self.classes_[sums == 0.0][0])
                which = f"row of {name!r}" if sums.any() else "row"
                raise ValueError(
                    f"threshold={self.threshold!r} is chosen on left-out rows, but no {which} "
                    "could be left out: give more different rows of each class, or use "
                    "threshold=None"
                )
            return booster
        rule = self.threshold
        if not self._is_ruled:
            rare = sums.min() / sums.sum() < RARE
            rule = "f1" if rule is not None and rare else None
        if rule is None:
            return booster
        positive = self.classes_[sums.argmin()] if self.pos_label is None else self.pos_label
        scores = labels.decision(left_out[used])
        decider = ThresholdClassifier(booster, rule, pos_label=to_python(positive))
        with warnings.catch_warnings():
            if not self._is_ruled:  # then nobody asked for such a threshold
                warnings.simplefilter("ignore", UnderdogWarning)
            decider.fit_from_scores(booster, scores, y[used], weight[used])
        return decider if self._is_ruled or np.isfinite(decider.threshold_) else booster

    def predict(self, X: Any, *, costs: Costs | None = None) -> Any:
        """The predicted class; for several labels per row, an indicator matrix.

        Parameters
        ----------
        X : as in `fit`
        costs : Costs, optional
            Predict the class with the least expected cost by these costs, instead of by `costs` or
            `threshold`. May have costs for each row of X.
        """
        table = self._encoded(X)
        if costs is None:
            return self.estimator_.predict(table)
        inputs.check_costs(costs)
        if isinstance(self.booster_._labels, MultiLabels):
            raise ValueError(
                f"costs={costs!r} are for one class per row, but the model predicts "
                f"{len(self.classes_)} labels per row: leave costs out"
            )
        positive = choose_code(self.classes_, self.pos_label).fit(self.classes_)
        at = getattr(positive, "positive", 1)
        decided = costs.decide(self.estimator_.predict_proba(table), self.classes_, at)
        return self.classes_[decided]

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
        made.choices_ = [*self.choices_[:-1], about_decision(made.estimator_)]
        return made

    def recalibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn the probabilities of scores anew from these rows; see `underdog.recalibrate`.

        Returns
        -------
        self
        """
        table = self._encoded(X)
        self.estimator_ = recalibrate(self.estimator_, table, y, sample_weight)
        self.choices_ = [*self.choices_[:-1], about_decision(self.estimator_)]
        return self

    def _restore(self, fields: Fields) -> None:
        kinds = (BlendedTreesClassifier, ThresholdClassifier, CostSensitiveClassifier)
        if not isinstance(self.estimator_, kinds) or not isinstance(
            self.booster_, BlendedTreesClassifier
        ):
            raise fields.wrong("estimator", "must be a BlendedTreesClassifier or decide by one")
        self.classes_ = self.booster_.classes_
        self._check_parameters()
