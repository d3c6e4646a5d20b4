"""The base class of all boosting classifiers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from underdog.certificates import Certificates
from underdog.codes import Code, Labels, choose_code
from underdog.codes.base import Classes
from underdog.core import Loss, Parts, Run, Target
from underdog.costs import Costs
from underdog.estimators.support import inputs
from underdog.estimators.support.base import Booster
from underdog.estimators.support.certificates import bound_of
from underdog.estimators.support.class_predictions import ClassPredictions
from underdog.estimators.support.population import shares_of
from underdog.estimators.support.resampling import resampled
from underdog.estimators.support.task import FitTask, LabelledRows
from underdog.estimators.support.theory import certified
from underdog.estimators.support.validation import ValidationScore
from underdog.estimators.support.weights import (
    FitArguments,
    Weighting,
    pairs_of,
    warn_of_larger_class,
    weighting_of,
)
from underdog.losses import Exponential
from underdog.model import Ensemble
from underdog.types import Integers
from underdog.workers.collective import ALONE, Collective, any_of, joint


@dataclass(kw_only=True, eq=False, repr=False)
class Classifier(ClassPredictions, Booster):
    """Base class of all boosting classifiers."""

    smoothing: float | None = None
    pos_label: Any = None
    class_weight: Any = None
    costs: Costs | None = None
    resample: bool = False

    _certified: ClassVar[tuple[str, ...]] = ("bound", "training_error")

    def _make_loss(self) -> Loss:
        return Exponential()

    def _make_parts(self) -> Parts:
        parts = super()._make_parts()
        if not self.resample:
            return parts
        return replace(parts, learner=resampled(parts.learner))

    def _make_code(self, y: Any) -> Code:
        return choose_code(y, self.pos_label)

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 1.0 / (examples * n_labels) if self.smoothing is None else float(self.smoothing)

    def _smooth_for(self, examples: LabelledRows, labels: Labels) -> float:
        mask = labels.mask(examples.y)
        if mask is None:
            return super()._smooth_for(examples, labels)
        return self._smooth(pairs_of(examples.counted, mask), 1)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        inputs.check_class_parameters(self)

    def _checked_target(self, y: Any) -> Any:
        return inputs.checked_labels(y)

    def _resumed_labels(self, labels: Labels) -> Labels:
        inputs.check_resumed(self, labels)
        return labels

    def _outline(self, y: Any) -> Any:
        return np.unique(y) if y.ndim == 1 else y[:1]

    def _classes_of_rows(
        self, y: Any, collective: Collective = ALONE
    ) -> tuple[Classes, Integers] | None:
        if y.ndim > 1:
            return None
        if collective is ALONE:
            return np.unique(y, return_inverse=True)
        classes = np.unique(joint(self._outline(y), collective))
        return classes, np.searchsorted(classes, y)

    def _make_weighting(
        self, examples: LabelledRows, labels: Labels, given: FitArguments
    ) -> Weighting:
        """Initial weights and costs of the examples."""
        costs = self._given_costs(given)
        counted, y = examples.counted, examples.y
        weighting = weighting_of(self.class_weight, costs, counted, labels, y)
        reason = self._reason_for_positives(costs)
        if reason is not None and not self._names_positive():
            warn_of_larger_class(reason, counted, labels, y)
        return weighting

    def _reason_for_positives(self, costs: Costs | None) -> str | None:
        """The parameter that gives positives more weight than negatives, if there is one."""
        own = self.costs if costs is None else costs
        if own is not None:
            return f"costs={own!r}" if own.is_pair() and own.ratio() > 1.0 else None
        beta = self._make_loss().beta
        return f"beta={beta:g}" if beta > 1.0 else None

    def _names_positive(self) -> bool:
        """Whether the user has named the positive class."""
        return self.pos_label is not None

    def _given_costs(self, given: FitArguments) -> Costs | None:
        """The costs of mistakes, from the constructor or from fit."""
        inputs.check_costs(given.costs)
        if given.costs is not None and self.costs is not None:
            raise ValueError("costs were given both to the constructor and to fit: give them once")
        return self.costs if given.costs is None else given.costs

    def _make_target(self, examples: LabelledRows, labels: Labels, weighting: Weighting) -> Target:
        return Target(
            labels.sign(examples.y),
            examples.counted.repeats,
            weighting.log_prior,
            weighting.log_cost,
            weighting.log_label,
            mask=labels.mask(examples.y),
        )

    def _make_score(
        self,
        parts: Parts,
        held_out: LabelledRows,
        labels: Labels,
        weighting: Weighting,
        scoring: Any,
    ) -> ValidationScore:
        return ValidationScore(
            held_out.table,
            held_out.y,
            held_out.counted.weights(),
            labels,
            parts.loss,
            weighting.log_class,
            parts.log_odds_shift,
            "loss" if isinstance(scoring, str) and scoring == "auto" else scoring,
            held_out.counted.collective,
        )

    def _learn(self, task: FitTask) -> None:
        counted = task.examples.counted
        same = not any_of(counted.collective, np.asarray(counted.log_weight.any()))
        weights = None if same else np.exp(counted.log_weight)
        self.class_prior_ = shares_of(
            task.labels, task.examples.y, weights, counted.repeats, counted.collective
        )
        self.prevalence_ = self.calibration_ = None
        super()._learn(task)

    def _remember(self, run: Run, labels: Labels, weighting: Weighting) -> None:
        super()._remember(run, labels, weighting)
        self._log_class_weight = weighting.log_class
        self._log_odds_shift = run.parts.log_odds_shift
        self.classes_ = labels.classes

    def _certified_by(self, run: Run, model: Ensemble) -> Certificates:
        return certified(self, run, model, self._certify(run))

    def _certify(self, run: Run) -> dict[str, Any]:
        return {"bound": bound_of(run), "training_error": run.training_error()}

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        costs: Costs | None = None,
        X_val: Any = None,
        y_val: Any = None,
        folds: Any = None,
        client: Any = None,
    ) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix, data frame, Dask collection or Table of shape (n, d)
            NaN is a missing value, and goes to the better side of each test. An absent entry of a
            sparse matrix is zero.
        y : array of shape (n,), or an indicator matrix for a multilabel problem
            The labels.
        sample_weight : array of shape (n,), optional
            How many examples each row stands for. If all weights are whole numbers,
            `min_samples_leaf` counts a row as many times, otherwise once.
        costs : Costs, optional
            Costs of mistakes per row. Costs shared by all rows are the parameter `costs`.
        X_val, y_val : optional
            Validation data for early stopping, used instead of `validation_fraction`.
        folds : array of shape (n,), optional
            The part of each row that early stopping leaves out, from 0 on; -1 for rows that are
            never left out. Use it if rows belong together, such as those of a person. By default
            parts are drawn by the contents of the rows.
        client : distributed.Client, optional
            Where to fit Dask collections; by default the current client.

        Returns
        -------
        self
        """
        return self._fit(
            X, y, FitArguments(sample_weight, X_val, y_val, costs=costs, folds=folds, client=client)
        )
