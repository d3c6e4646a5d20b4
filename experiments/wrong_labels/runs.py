"""A cell: the first models, or one more, on one cut of one set with one share of flipped labels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV

from experiments.wrong_labels.data import SHARES, split
from underdog import (
    AdaBoostClassifier,
    BoostByMajorityClassifier,
    BrownBoostClassifier,
    GentleAdaBoostClassifier,
    GradientBoostingClassifier,
    LogisticAdaBoostClassifier,
    LogitBoostClassifier,
    RobustBoostClassifier,
    SoftMarginAdaBoostClassifier,
)

ROUNDS, SEEDS, FOLDS = 100, 5, 3
TREES = "c4.5-like"
TARGETS = {"target_error": [0.02, 0.05, 0.1, 0.2, 0.3, 0.4]}
SOFT = {"C": [0.01, 0.03, 0.1, 0.3]}
EDGES = {"gamma": [0.05, 0.1, 0.15, 0.2]}
LINEAR = {"penalty": ["linear"], "nu": [0.1, 0.2, 0.4, 0.6, 0.8]}
QUADRATIC = {"penalty": ["quadratic"], "C": [0.003, 0.01, 0.03, 0.1, 1.0]}

Make = Callable[[], Any]


def searched(booster: Any, grid: dict[str, list[Any]]) -> Make:
    """With the parameters that are best on folds of the labels as they are."""
    return lambda: GridSearchCV(booster(n_estimators=ROUNDS), grid, cv=FOLDS)


def bagged() -> Any:
    """The vote of trees, each grown on rows that are drawn with replacement."""
    tree = AdaBoostClassifier(learner=TREES, n_estimators=1)
    return BaggingClassifier(tree, n_estimators=ROUNDS, random_state=0)


FIRST: dict[str, Make] = {
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
"""The models of a cell `set/share/cut`."""
MORE: dict[str, Make] = {
    "AdaBoost, C4.5-like": lambda: AdaBoostClassifier(learner=TREES, n_estimators=ROUNDS),
    "bagged C4.5-like": bagged,
    "boosting by majority": searched(BoostByMajorityClassifier, EDGES),
    "LPReg": searched(SoftMarginAdaBoostClassifier, LINEAR),
    "QPReg": searched(SoftMarginAdaBoostClassifier, QUADRATIC),
}
"""Each has a cell of its own, `set/share/cut/model`, so that others can be added later."""
MODELS = FIRST | MORE


def names(sets: Sequence[str], seeds: int = SEEDS) -> Iterator[str]:
    """Of all cells."""
    for seed in range(seeds):
        for one in sets:
            for share in SHARES:
                yield f"{one}/{share}/{seed}"
                yield from (f"{one}/{share}/{seed}/{model}" for model in MORE)


def run(name: str) -> dict[str, Any]:
    """Test errors of the models of a cell."""
    which, share, seed, *more = name.split("/")
    data = split(which, float(share), int(seed))
    errors = {}
    for title in more or FIRST:
        said = MODELS[title]().fit(data.X, data.y).predict(data.X_test)
        errors[title] = float(np.mean(said != data.y_test))
    return {"errors": errors}
