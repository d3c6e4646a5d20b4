"""Models of every booster on every kind of data, for the tests of explanations."""

import numpy as np
import pandas as pd
import scipy.sparse as sp

from underdog import (
    AdaBoostM1Classifier,
    AdaBoostM2Classifier,
    AdaBoostR2Regressor,
    AdaBoostRRegressor,
    RidgewayRegressor,
    Table,
)
from underdog.estimators import all_boosters, all_regressors
from underdog.estimators.output_code_boost import OutputCodeBoostClassifier
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.blended import Blended
from underdog.estimators.support.corrective import CorrectiveBooster
from underdog.estimators.support.mislabels import ColouringBooster

BOOSTERS = [kind for kind in all_boosters().values() if not issubclass(kind, Blended)]
"""Without blends, whose linear models are trees (tests/automatic)."""
NOT_ADDITIVE = (AdaBoostR2Regressor, AdaBoostRRegressor, RidgewayRegressor)
"""Their predictions are no sums of rules: see test_reductions_explained.py."""
REGRESSORS = [
    kind
    for kind in all_regressors().values()
    if kind not in NOT_ADDITIVE and not issubclass(kind, Blended)
]
LOSSES = {
    "squared": {},
    "absolute": {"loss": "absolute"},
    "huber": {"loss": "huber"},
    "quantile": {"loss": "quantile", "quantiles": 0.9},
    "quantiles": {"loss": "quantile", "quantiles": [0.1, 0.5, 0.9]},
    "poisson": {"loss": "poisson"},
}
TEXTS = ["free prize now", "see you soon", "win a prize", "see the film", "see now", "see a prize"]
SPAM = ["spam", "ham", "spam", "ham", "spam", "ham"]
"""No single word tells them apart."""


def numbers(rows=80, seed=0):
    """Continuous with holes, counts, presence, negative numbers; the last column is never used."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([
        rng.normal(size=rows),
        rng.poisson(0.8, rows),
        rng.random(rows) < 0.4,
        np.rint(1.5 * rng.normal(size=rows)),
        np.ones(rows),
    ])  # fmt: skip
    X[rng.random(rows) < 0.2, 0] = np.nan
    return X


def forms(rows=80, seed=0):
    """name -> data: the ways in which people have them."""
    X = numbers(rows, seed)
    rng = np.random.default_rng(seed + 1)
    town = rng.choice(["Bonn", "Köln", "Ulm"], rows).astype(object)
    town[::9] = None
    frame = pd.DataFrame({"size": X[:, 0], "town": town, "count": X[:, 1]})
    words = sp.csr_array((rng.random((rows, 12)) < 0.3).astype(np.float32))
    return {
        "dense": X,
        "frame": frame,
        "presence": words,
        "sparse": sp.csr_array(X),
        "mixed": Table.hstack([X[:, :2], sp.csr_array(X[:, 1:4]), words, frame[["town"]]]),
    }


def targets(rows=80, seed=0):
    """name -> y; partly a function of what `forms` has."""
    X = np.nan_to_num(numbers(rows, seed), nan=0.7)
    rng = np.random.default_rng(seed + 2)
    score = X[:, 0] + X[:, 2] - 0.5 * X[:, 1] + 0.8 * rng.normal(size=rows)
    return {
        "two": np.where(score > np.quantile(score, 0.6), "yes", "no"),
        "three": np.array(["a", "b", "c"])[np.digitize(score, np.quantile(score, [0.3, 0.6]))],
        "several": np.column_stack([score > 0, score + X[:, 3] > 0.5, X[:, 1] > 1]).astype(int),
    }


def counts(rows=80, seed=0):
    """A real-valued target of at least 0, partly a function of what `forms` has."""
    X = np.nan_to_num(numbers(rows, seed), nan=0.7)
    mean = np.exp(1.0 + 0.6 * X[:, 0] + 0.5 * X[:, 2] - 0.2 * X[:, 1])
    return np.random.default_rng(seed + 3).poisson(mean).astype(float)


def regressors():
    """name -> unfitted regressor: each with stumps, with trees and with every loss it names."""
    made = {}
    for kind in REGRESSORS:
        losses = LOSSES if hasattr(kind(), "quantiles") else {"own": {}}
        for learner in ("real", "tree"):
            for loss, parameters in losses.items():
                name = f"{kind.__name__}-{learner}-{loss}"
                made[name] = kind(n_estimators=12, learner=learner, **parameters)
    return made


ONE_LABEL = (
    AdaBoostM1Classifier,
    AdaBoostM2Classifier,
    ColouringBooster,
    OutputCodeBoostClassifier,
)


def problems(booster):
    """Targets that the booster can learn."""
    if issubclass(booster, BinaryBooster):
        return ["two"]
    one_label = issubclass(booster, ONE_LABEL)
    return ["two", "three"] if one_label else ["two", "three", "several"]


def make(booster, **parameters):
    own = {"n_estimators": 12}
    if issubclass(booster, CorrectiveBooster) and hasattr(booster(), "nu"):
        own["nu"] = 0.6
    if booster().learner in ("tree", "rules", "alternating"):
        own["learner"] = "real"  # columns alone explain stumps only
    if issubclass(booster, AdaBoostM1Classifier):
        own["learner"] = "discrete"
    return booster(**{**own, **parameters})
