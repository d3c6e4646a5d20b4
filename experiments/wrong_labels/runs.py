"""One cell: all models on one cut of one set, with one share of flipped labels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict

from experiments.wrong_labels.data import SHARES, Split, split
from underdog import (
    AdaBoostClassifier,
    BrownBoostClassifier,
    GentleAdaBoostClassifier,
    GradientBoostingClassifier,
    LogisticAdaBoostClassifier,
    LogitBoostClassifier,
    RobustBoostClassifier,
    SoftMarginAdaBoostClassifier,
)
from underdog.inspection import hardest

ROUNDS, SEEDS, FOLDS = 100, 5, 3
TARGETS = {"target_error": [0.02, 0.05, 0.1, 0.2, 0.3, 0.4]}
SOFT = {"C": [0.01, 0.03, 0.1, 0.3]}

Make = Callable[[], Any]


def searched(booster: Any, grid: dict[str, list[float]]) -> Make:
    """With the parameters that are best on folds of the labels as they are."""
    return lambda: GridSearchCV(booster(n_estimators=ROUNDS), grid, cv=FOLDS)


MODELS: dict[str, Make] = {
    "AdaBoost": lambda: AdaBoostClassifier(learner="discrete", n_estimators=ROUNDS),
    "AdaBoost, real": lambda: AdaBoostClassifier(n_estimators=ROUNDS),
    "logistic": lambda: LogisticAdaBoostClassifier(n_estimators=ROUNDS),
    "Gentle": lambda: GentleAdaBoostClassifier(n_estimators=ROUNDS),
    "LogitBoost": lambda: LogitBoostClassifier(n_estimators=ROUNDS),
    "gradient boosting": lambda: GradientBoostingClassifier(n_estimators=ROUNDS),
    "BrownBoost, 0.1": lambda: BrownBoostClassifier(n_estimators=ROUNDS),
    "BrownBoost": searched(BrownBoostClassifier, TARGETS),
    "RobustBoost": searched(RobustBoostClassifier, TARGETS),
    "AdaBoost_Reg": searched(SoftMarginAdaBoostClassifier, SOFT),
    "LightGBM": lambda: LGBMClassifier(n_estimators=ROUNDS, verbose=-1, n_jobs=1),
    "random forest": lambda: RandomForestClassifier(n_estimators=200, random_state=0),
}
DETECTORS = ("AdaBoost", "logistic", "Gentle", "BrownBoost, 0.1")
"""Models whose heaviest examples are looked at."""


def names(sets: Sequence[str], seeds: int = SEEDS) -> Iterator[str]:
    """Of all cells."""
    for seed in range(seeds):
        for one in sets:
            yield from (f"{one}/{share}/{seed}" for share in SHARES)


def run(name: str) -> dict[str, Any]:
    """Errors of all models, and how many of the hardest examples were flipped."""
    which, share, seed = name.split("/")
    data = split(which, float(share), int(seed))
    errors, found = {}, {}
    for title, make in MODELS.items():
        model = make().fit(data.X, data.y)
        errors[title] = float(np.mean(model.predict(data.X_test) != data.y_test))
        if title in DETECTORS and data.flipped.any():
            found[title] = by_weight(model, data)
    if data.flipped.any():
        for title in ("gradient boosting", "logistic"):
            found[f"{title}, left out"] = left_out(MODELS[title](), data)
    return {"errors": errors, "found": found}


def by_weight(model: Any, data: Split) -> float:
    """Share of flipped labels among as many of the hardest examples."""
    count = int(data.flipped.sum())
    return float(data.flipped[hardest(model, data.X, data.y, count).rows].mean())


def left_out(model: Any, data: Split) -> float:
    """The same, by the out-of-fold probability of the given label."""
    count = int(data.flipped.sum())
    probability = cross_val_predict(model, data.X, data.y, cv=5, method="predict_proba")
    given = probability[np.arange(len(data.y)), data.y]
    return float(data.flipped[np.argsort(given, kind="stable")[:count]].mean())
