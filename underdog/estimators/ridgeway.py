"""Regression by classification: is y above a threshold?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from underdog.codes import Code, ThresholdColumns
from underdog.codes.thresholds import ThresholdLabels
from underdog.core import Loss, Member, Parts, Run, Target
from underdog.estimators.support import inputs
from underdog.estimators.support.base import Booster
from underdog.estimators.support.certificates import bound_of
from underdog.estimators.support.regressor import RegressionScore, Regressor
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import Weighting
from underdog.losses import Exponential
from underdog.model import Ensemble
from underdog.types import Floats

WEIGHT_BITS = 31
"""Of the heaviest example, where thresholds are quantiles of weighted targets."""


@dataclass(kw_only=True, eq=False, repr=False)
class RidgewayRegressor(Regressor):
    r"""Regression by classification: AdaBoost.MH on the labels y > s for several thresholds s.

    Minimises :math:`\sum_i \sum_g w_i \exp(-Y_{ig} f_g(x_i))` with :math:`Y_{ig} = 1` if
    :math:`y_i > s_g` and -1 otherwise, by the rounds of `AdaBoostMHClassifier`: all thresholds
    share the rules. The sign of :math:`f_g` says whether y is probably above :math:`s_g`. So the
    prediction, an estimate of the median of y, is the place where the scores change sign: they are
    sorted so that they fall with s, and between two thresholds it is interpolated from the least
    training target there to the largest. If all scores are negative, it is the median of the
    targets up to the first threshold; if all are positive, of those above the last. So where each
    value has an interval of its own and the training error is 0, predictions are the targets.

    Parameters
    ----------
    thresholds : int or sequence of float, default=15
        How many quantiles of y are thresholds, at equal distances, or the thresholds themselves.
    smoothing : float, optional
        e, added to the weights of a leaf, all of which sum to one. By default 1/(m K).
    n_estimators : int, default=100
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    learner : default="tree"
        "tree" for trees of depth 3, "real" or "discrete" for stumps with real values or votes, or a
        learner object such as `underdog.learners.TreeLearner`.
    monotonic_cst : None
        Not supported.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here.

    Attributes
    ----------
    thresholds_ : array
        The thresholds.
    history_ : dict of arrays
        See `AdaBoostMHClassifier`.
    certificate_ : dict
        training_error: share of the pairs of a training row and a threshold on whose wrong side its
        score is. bound: a proved bound on it.

    Notes
    -----
    y only matters by its order relative to the thresholds, so outliers do no harm. With one
    threshold this is `AdaBoostClassifier` for y > s, and there are two predictions.

    References
    ----------
    Ridgeway, Madigan and Richardson, "Boosting methodology for regression problems", AISTATS 1999.

    Differs from the paper: finitely many thresholds with equal weights in the place of all real
    numbers, trees in the place of naive Bayes, and the confidence-rated rounds of AdaBoost.MH. A
    prediction is not a threshold, but a place among the targets between two of them.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import RidgewayRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = RidgewayRegressor(n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.887
    """

    learner: Any = "tree"
    thresholds: Any = 15
    smoothing: float | None = None

    _certified: ClassVar[tuple[str, ...]] = ("bound", "training_error")

    @property
    def thresholds_(self) -> Floats:
        """The thresholds."""
        self._check_fitted()
        return self._labels.thresholds.copy()  # type: ignore[attr-defined, no-any-return]

    def _make_loss(self) -> Loss:
        return Exponential()

    def _make_code(self, y: Any) -> Code:
        return ThresholdColumns(self.thresholds)

    def _fit_code(self, code: Any, examples: LabelledRows) -> ThresholdLabels:
        counted = examples.counted
        units = np.rint(np.ldexp(np.exp(counted.log_weight), WEIGHT_BITS)).astype(np.int64)
        whole = not counted.log_weight.any()
        labels: ThresholdLabels = code.fit(
            examples.y, counted.repeats if whole else np.maximum(units, 1)
        )
        return labels

    def _check_parameters(self) -> None:
        super()._check_parameters()
        inputs.check_smoothing(self.smoothing)
        if self.monotonic_cst is not None:
            raise ValueError(
                "monotonic_cst is not supported by RidgewayRegressor, which has a score for each "
                "threshold: use GradientBoostingRegressor, or leave it at None"
            )

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 1.0 / (examples * n_labels) if self.smoothing is None else float(self.smoothing)

    def _checked_target(self, y: Any) -> Any:
        with np.errstate(invalid="ignore"):  # the sum of finite numbers may be inf - inf
            return inputs.checked_numbers(y)

    def _resumed_labels(self, labels: Any) -> Any:
        return self._labels  # with its thresholds

    def _make_target(self, examples: LabelledRows, labels: Any, weighting: Weighting) -> Target:
        return Target(labels.sign(examples.y), examples.counted.repeats, weighting.log_prior)

    def _make_score(
        self, parts: Parts, held_out: LabelledRows, labels: Any, own: Weighting, scoring: Any
    ) -> RegressionScore:
        return ThresholdScore(held_out, labels, parts.loss, scoring)

    def _make_model(self, run: Run) -> Ensemble:
        return Booster._make_model(self, run)

    def _members(self) -> Sequence[Member]:
        return Booster._members(self)

    def _start_scores(self) -> Floats:
        return Booster._start_scores(self)

    def _certify(self, run: Run) -> dict[str, Any]:
        return {"bound": bound_of(run), "training_error": run.training_error()}

    def crossing(self, X: Any) -> float:
        """Share of the rows whose scores rise somewhere, before `predict` sorts them.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        return float((np.diff(self._scores(X), axis=1) > 0.0).any(axis=1).mean())


class ThresholdScore(RegressionScore):
    """The validation score of held-out rows with a score for each threshold."""

    def _mean_loss(self, scores: Floats, y: Any = None) -> float:
        return float(self.loss.mean(scores, self.labels.sign(self.y), self.weight))  # type: ignore[attr-defined]
