"""Every booster and baseline, and the ways in which each predicts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lightgbm import LGBMClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaUBoostClassifier,
    CalibratedAdaMECClassifier,
    Costs,
    CostSensitiveClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    SoftBoostClassifier,
    ThresholdClassifier,
    TotalBoostClassifier,
)

ROUNDS = 100
FOLDS = 3
"""Of the calibration, within the half that is learned from."""
NU = 0.2
TOL = 0.02
LEAF = 5
"""Least examples in a leaf of LightGBM: its default of 20 learns nothing from the small sets."""
SETTINGS = f"{ROUNDS=} {FOLDS=} {NU=} {TOL=} {LEAF=}"


@dataclass(frozen=True)
class Task:
    """What a model may know before it is fitted.

    Attributes
    ----------
    costs : Costs
    share : float
        Of the positives in the half that is learned from.
    rounds : int
    """

    costs: Costs
    share: float
    rounds: int = ROUNDS

    @property
    def lighter(self) -> float:
        """Share of the lighter class in the weight, a positive weighing fn and a negative 1."""
        positive = self.costs.ratio() * self.share
        return min(positive, 1.0 - self.share) / (positive + 1.0 - self.share)

    @property
    def nu(self) -> float:
        """For LPBoost and SoftBoost: no more than the lighter class has of the weight.

        From twice that on, the same answer for every example has a positive soft margin.
        """
        return min(NU, self.lighter)

    @property
    def uneven_nu(self) -> float:
        """The same for LPUBoost and ERLPBoost, whose weights are not divided by their sum."""
        return min(NU, self.costs.ratio() * self.share, 1.0 - self.share)


@dataclass(frozen=True)
class Fitted:
    """Something that is fitted once and decides in one or more ways.

    Attributes
    ----------
    make : from a task to an unfitted classifier
    learns_costs : bool
        Whether it is fitted anew for each cost.
    ways : dict
        How it decides ("own", "threshold", "calibrated") -> the name in the tables.
    """

    make: Callable[[Task], Any]
    learns_costs: bool
    ways: dict[str, str]


def _calibrated(booster: Any) -> Any:
    return CostSensitiveClassifier(booster, cv=FOLDS)


def _stagewise(kind: Any, **more: Any) -> Callable[[Task], Any]:
    return lambda task: _calibrated(kind(costs=task.costs, n_estimators=task.rounds, **more))


def _margin(kind: Any, nu: str | None) -> Callable[[Task], Any]:
    def make(task: Task) -> Any:
        own = {} if nu is None else {"nu": getattr(task, nu)}
        booster = kind(
            costs=task.costs, learner="disc.lp", n_estimators=task.rounds, tol=TOL, **own
        )
        return _calibrated(booster)

    return make


def _baseline(**more: Any) -> Callable[[Task], Any]:
    return lambda task: CalibratedAdaMECClassifier(n_estimators=task.rounds, cv=FOLDS, **more)


def _lightgbm(task: Task, **more: Any) -> Any:
    return LGBMClassifier(
        n_estimators=task.rounds, min_child_samples=LEAF, n_jobs=1, random_state=0, verbosity=-1,
        **more,
    )  # fmt: skip


SPECIAL: dict[str, Callable[[Task], Any]] = {
    "AdaBoost, weighted": _stagewise(AdaBoostClassifier),
    "AdaBoost.A": _stagewise(AdaBoostAClassifier),
    "AdaBoost.A, even start": _stagewise(AdaBoostAClassifier, initial="uniform"),
    "AdaUBoost": _stagewise(AdaUBoostClassifier),
    "LPBoost": _margin(LPBoostClassifier, "nu"),
    "LPUBoost": _margin(LPUBoostClassifier, "uneven_nu"),
    "ERLPBoost": _margin(ERLPBoostClassifier, "uneven_nu"),
    "SoftBoost": _margin(SoftBoostClassifier, "nu"),
    "TotalBoost": _margin(TotalBoostClassifier, None),
}
"""Boosters trained with the costs."""
BASELINE = "Calibrated AdaMEC"
FITTED: dict[str, Fitted] = {
    BASELINE: Fitted(
        _baseline(), False, {"own": "AdaBoost", "threshold": "AdaMEC", "calibrated": BASELINE}
    ),
    "isotonic": Fitted(
        _baseline(calibration="isotonic"), False, {"calibrated": f"{BASELINE}, isotonic"}
    ),
    "votes": Fitted(_baseline(learner="discrete"), False, {"calibrated": f"{BASELINE}, votes"}),
    "out of fold": Fitted(
        lambda task: ThresholdClassifier(
            AdaBoostClassifier(n_estimators=task.rounds), task.costs, cv=FOLDS
        ),
        True,
        {"own": "AdaBoost, threshold out of fold"},
    ),
    "logistic": Fitted(
        lambda _: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        False,
        {"threshold": "logistic regression"},
    ),
    "LightGBM": Fitted(
        lambda task: _calibrated(_lightgbm(task)),
        False,
        {"threshold": "LightGBM", "calibrated": "LightGBM, calibrated"},
    ),
    "LightGBM weighted": Fitted(
        lambda task: _lightgbm(task, scale_pos_weight=task.costs.ratio()),
        True,
        {"own": "LightGBM, weighted"},
    ),
    **{
        name: Fitted(make, True, {"own": name, "calibrated": f"{name}, calibrated"})
        for name, make in SPECIAL.items()
    },
}
KINDS = {
    "boosters with costs, as they decide": list(SPECIAL),
    "the same, calibrated, cost-optimal threshold": [f"{name}, calibrated" for name in SPECIAL],
    "baselines": [
        title
        for name, fitted in FITTED.items()
        if name not in SPECIAL
        for title in fitted.ways.values()
    ],
}
"""Names in the tables."""
OWN, CALIBRATED, _ = KINDS.values()
TITLES = [title for titles in KINDS.values() for title in titles]


def places() -> Iterator[tuple[str, str, str]]:
    """Name in the tables, what is fitted for it, and how that decides."""
    for name, fitted in FITTED.items():
        for way, title in fitted.ways.items():
            yield title, name, way
