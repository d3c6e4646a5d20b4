"""One cell: all models on one cut of one set, with one share of flipped labels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV

from experiments.wrong_labels.data import SHARES, split
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


def names(sets: Sequence[str], seeds: int = SEEDS) -> Iterator[str]:
    """Of all cells."""
    for seed in range(seeds):
        for one in sets:
            yield from (f"{one}/{share}/{seed}" for share in SHARES)


def run(name: str) -> dict[str, Any]:
    """Test errors of all models."""
    which, share, seed = name.split("/")
    data = split(which, float(share), int(seed))
    errors = {}
    for title, make in MODELS.items():
        said = make().fit(data.X, data.y).predict(data.X_test)
        errors[title] = float(np.mean(said != data.y_test))
    return {"errors": errors}
