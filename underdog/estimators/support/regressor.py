"""The base class of boosting regressors: additive models of real-valued targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from underdog.codes import Code, RealValues
from underdog.codes.real_values import RealLabels
from underdog.core import Loss, Member, Parts, Run, Target
from underdog.estimators.support import inputs
from underdog.estimators.support.base import Booster
from underdog.estimators.support.real_predictions import RealPredictions
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.validation import ScoreInUnit
from underdog.estimators.support.weights import FitArguments, Weighting
from underdog.losses import HuberLoss, RegressionLoss
from underdog.losses.descent import times_power
from underdog.losses.quantile import d2_pinball
from underdog.model import Ensemble
from underdog.types import Floats
from underdog.workers.collective import Collective, exact_sum, largest

MAX_LARGER = 6
"""By how many powers of two the target of a warm start may be larger."""
MAX_SMALLER = 20
"""The same the other way: targets then still have 22 bits in the unit of the model."""
DEGREES = {
    **dict.fromkeys(("r2", "explained_variance", "d2_absolute_error_score"), 0),
    **dict.fromkeys(("neg_mean_absolute_error", "neg_median_absolute_error"), 1),
    **dict.fromkeys(("neg_max_error", "max_error", "neg_root_mean_squared_error"), 1),
    **dict.fromkeys(("neg_mean_poisson_deviance",), 1),
    **dict.fromkeys(("neg_mean_squared_error",), 2),
}
"""Scorers of scikit-learn whose score is multiplied by c**degree if target and predictions are
multiplied by c."""
ROUNDING = 2.0**-44
"""A smaller distance of targets, in those of the largest one, is a rounding error."""


@dataclass(kw_only=True, eq=False, repr=False)
class Regressor(RealPredictions, Booster):
    """Base class of boosting regressors."""

    _certified: ClassVar[tuple[str, ...]] = ("training_loss",)

    def _why_in_memory(self) -> str | None:
        if self.early_stopping and isinstance(self._make_regression_loss(), HuberLoss):
            return "early stopping by the Huber loss needs all held-out rows in one place"
        return None

    def _make_regression_loss(self) -> RegressionLoss:
        """What is minimised."""
        raise TypeError(f"{type(self).__name__} does not define _make_regression_loss()")

    def _make_loss(self) -> Loss:
        return self._make_regression_loss()

    def _make_code(self, y: Any) -> Code:
        loss = self._make_regression_loss()
        return RealValues(loss.several, loss.log_link)

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 0.0

    def _checked_target(self, y: Any) -> Any:
        with np.errstate(invalid="ignore"):  # the sum of finite numbers may be inf - inf
            return inputs.checked_numbers(y, self._make_regression_loss().at_least)

    def _outline(self, y: Any) -> Any:
        return np.array([y.min(), y.max()]) if len(y) else y

    def _resumed_labels(self, labels: RealLabels) -> RealLabels:
        before = self._labels
        if labels.quantiles != before.quantiles or labels.log_link != before.log_link:
            raise ValueError(
                f"warm_start: in the fitted model {before.headline(before.names)}: use the same "
                "loss and quantiles, or set warm_start=False"
            )
        larger = labels.exponent - before.exponent
        if not -MAX_SMALLER <= larger <= MAX_LARGER:
            size = "larger" if larger > 0 else "smaller"
            raise ValueError(
                f"warm_start: y is much {size} than the target of the fitted model: give a target "
                "of similar size, or set warm_start=False"
            )
        return before  # with its unit

    def _make_weighting(
        self, examples: LabelledRows, labels: RealLabels, given: FitArguments
    ) -> Weighting:
        return Weighting(examples.counted.log_weight, None, np.zeros(labels.n_labels))

    def _make_target(
        self, examples: LabelledRows, labels: RealLabels, weighting: Weighting
    ) -> Target:
        value = labels.value(examples.y)
        return Target(
            np.zeros(value.shape, dtype=np.uint8),
            examples.counted.repeats,
            weighting.log_prior,
            value=value,
            unit=labels.unit,
        )

    def _make_score(
        self,
        parts: Parts,
        held_out: LabelledRows,
        labels: RealLabels,
        weighting: Weighting,
        scoring: Any,
    ) -> RegressionScore:
        return RegressionScore(held_out, labels, parts.loss, scoring)

    def _make_model(self, run: Run) -> Ensemble:
        unit = run.rows.shards[0].target.unit
        return super()._make_model(run).in_unit(unit)

    def _members(self) -> Sequence[Member]:
        return self.model_.in_unit(1.0).members

    def _start_scores(self) -> Floats:
        return self.model_.in_unit(1.0).start

    def _certify(self, run: Run) -> dict[str, Any]:
        loss: Any = run.parts.loss
        return {"training_loss": loss.training_loss(run.rows)}

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R2 of the predictions; of several quantiles the mean of their D2 scores.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional

        Returns
        -------
        float
            1 - loss / (loss of a constant), with the squared error, or with the loss of each
            quantile as in `sklearn.metrics.d2_pinball_score`: 1 is perfect, 0 is a constant.
        """
        self._check_fitted()
        several = getattr(self._labels, "quantiles", None)
        if several is None:
            return float(super().score(X, y, sample_weight))
        return d2_pinball(y, self.predict(X), several, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        try:
            loss = self._make_regression_loss()
        except (TypeError, ValueError):  # a parameter that fit will refuse
            return tags
        tags.target_tags = replace(tags.target_tags, positive_only=loss.at_least >= 0.0)
        return tags

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
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
        y : array of shape (n,)
            The target, finite numbers.
        sample_weight : array of shape (n,), optional
            How many examples each row stands for. If all weights are whole numbers,
            `min_samples_leaf` counts a row as many times, otherwise once.
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
            X, y, FitArguments(sample_weight, X_val, y_val, folds=folds, client=client)
        )


class PredictedRows(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor with precomputed predictions, for the scorers of scikit-learn."""

    def __init__(self, predictions: Floats) -> None:
        self.predictions = predictions

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Floats:
        return self.predictions


class RegressionScore:
    """The validation score of held-out rows, given the scores of a run.

    A score that has the unit of the target, or of its square, is compared in a unit that follows
    the held-out targets: the power of two above their mean distance from their mean. So the number
    of rounds does not depend on the unit of the target.

    Parameters
    ----------
    held_out : LabelledRows
    labels : RealLabels
    loss : RegressionLoss
    scoring : str or callable
        "auto" and "loss" are minus the mean of the loss that is minimised. Otherwise a scikit-learn
        scorer.
    """

    def __init__(self, held_out: LabelledRows, labels: RealLabels, loss: Any, scoring: Any) -> None:
        self.table, self.y, self.labels, self.loss = held_out.table, held_out.y, labels, loss
        self.weight, self.collective = held_out.counted.weights(), held_out.counted.collective
        self.scorer = None
        self._context: float | None = None
        self.degree: int | None = getattr(loss, "degree", 0) or None
        if scoring is not None and not (isinstance(scoring, str) and scoring in ("auto", "loss")):
            from sklearn.metrics import get_scorer  # slow to import

            self.scorer = get_scorer(scoring)
            self.degree = DEGREES.get(scoring) if isinstance(scoring, str) else None
        self._exponent = 0
        if self.degree is not None:
            self._exponent = size_exponent(self.y, self.weight, self.collective)

    def __call__(self, scores: Floats) -> float:
        """The validation score of a model with these (n, K) scores."""
        if self.scorer is None and self.degree is not None and self.labels.log_link:
            found = -self._mean_loss(scores)  # logarithms have no unit, but the loss has
            return ScoreInUnit(found, math.ldexp(found, -self.degree * self._exponent))
        unit = math.frexp(self.labels.unit)[1] - 1
        y = np.ldexp(self.y, -self._exponent)
        if self.scorer is None:
            own = -self._mean_loss(np.ldexp(scores, unit - self._exponent), y)
        else:
            rows = self.table if self.table.source is None else self.table.source
            predicted = self.labels.predict(np.ldexp(scores, unit))
            known = PredictedRows(np.ldexp(predicted, -self._exponent))
            own = float(self.scorer(known, rows, y))
        return ScoreInUnit(times_power(own, (self.degree or 0) * self._exponent), own)

    def _mean_loss(self, scores: Floats, y: Any = None) -> float:
        y = (self.y if y is None else y)[:, np.newaxis]
        if self._context is None:  # that of the first round, so that rounds can be compared
            self._context = self.loss.context_of(scores, y, self.weight)
        return float(self.loss.mean_in(self._context, scores, y, self.weight, self.collective))


def size_exponent(y: Floats, weight: Floats, collective: Collective) -> int:
    """The exponent of the power of two above the mean distance of numbers from their mean."""
    most = largest(collective, float(np.abs(y).max(initial=0.0)))
    if most == 0.0:
        return 0
    exponent = math.frexp(most)[1]
    own = np.ldexp(y, -exponent)
    least = -largest(collective, float(-own.min(initial=1.0)))
    total = exact_sum(collective, weight)
    mean = least + exact_sum(collective, weight * (own - least)) / total
    distance = exact_sum(collective, weight * np.abs(own - mean)) / total
    return exponent + (math.frexp(distance)[1] if distance > ROUNDING else 0)
