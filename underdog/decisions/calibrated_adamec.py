"""Calibrated AdaBoost with the cost-optimal threshold."""

from __future__ import annotations

from typing import Any

from underdog.costs import Costs
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.estimators.adaboost import AdaBoostClassifier


class CalibratedAdaMECClassifier(CostSensitiveClassifier):
    """Calibrated AdaBoost with minimum expected cost (AdaMEC): the baseline for uneven boosters.

    `CostSensitiveClassifier` around `AdaBoostClassifier`. The paper compares fifteen cost-sensitive
    variants of AdaBoost and finds none that is better than this one.

    Parameters
    ----------
    costs : Costs, optional
        By default all mistakes cost the same.
    learner : default="real"
        See `AdaBoostClassifier`.
    n_estimators : int, default=100
        Number of rounds of AdaBoost.
    calibration : "sigmoid", "isotonic" or None, default="sigmoid"
        See `CostSensitiveClassifier`, also for the parameters below and for the attributes.
    cv : int, splitter or iterable, default=5
    pos_label : label, optional
    n_jobs : int, optional

    References
    ----------
    Nikolaou, Edakunni, Kull, Flach and Brown, "Cost-sensitive boosting algorithms: do we really
    need them?", Machine Learning 104, 2016, and the pseudocode on page 15 of its supplement.

    Differs from the paper: the sigmoid is fitted to out-of-fold scores of all examples and the
    ensemble to all examples, instead of each to one half. There may be more than two classes. The
    weak learner is a real-valued stump (`learner="discrete"` votes, as in the paper).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import CalibratedAdaMECClassifier, Costs
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = CalibratedAdaMECClassifier(Costs(fn=20, fp=1), n_estimators=20, pos_label=0)
    >>> model.fit(X[::2], y[::2]).predict(X[1:10:2]).tolist()
    [0, 0, 0, 0, 0]
    """

    def __init__(
        self,
        costs: Costs | None = None,
        *,
        learner: Any = "real",
        n_estimators: int = 100,
        calibration: str | None = "sigmoid",
        cv: Any = 5,
        pos_label: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            costs=costs, calibration=calibration, cv=cv, pos_label=pos_label, n_jobs=n_jobs
        )
        self.learner = learner
        self.n_estimators = n_estimators

    def _make_estimator(self) -> Any:
        return AdaBoostClassifier(learner=self.learner, n_estimators=self.n_estimators)
