"""Small problems and comparisons that the tests of the boosters share."""

import dataclasses
import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from underdog import (
    AdaBoostECCClassifier,
    AdaBoostM1Classifier,
    AdaBoostM2Classifier,
    AdaBoostMRClassifier,
    AdaBoostOCClassifier,
    HullBoostClassifier,
    OutputCodeBoostClassifier,
    Table,
)
from underdog.estimators import all_boosters
from underdog.estimators.support.blended import Blended
from underdog.estimators.support.corrective import CorrectiveBooster

BOOSTERS = [kind for kind in all_boosters().values() if not issubclass(kind, Blended)]
"""Without blends, which have other members than one for each round (test_blended_trees.py)."""
CORRECTIVE = [booster for booster in BOOSTERS if issubclass(booster, CorrectiveBooster)]
"""All coefficients anew in every round: scores are margins in [-1, 1] and no log-odds."""
VOTES = [
    AdaBoostECCClassifier,
    AdaBoostM1Classifier,
    AdaBoostM2Classifier,
    AdaBoostMRClassifier,
    AdaBoostOCClassifier,
    OutputCodeBoostClassifier,
]
"""One step per round, of any size: scores put classes in order and are no log-odds."""
EXPONENTIAL = [
    booster
    for booster in BOOSTERS
    if booster not in (*CORRECTIVE, *VOTES) and booster()._make_loss().probability_scale is not None
]
"""One step per round, of any size: scores are log-odds."""
ROBUST = [booster for booster in BOOSTERS if booster not in (*CORRECTIVE, *VOTES, *EXPONENTIAL)]
"""One step per round, with which examples are given up: scores are margins of any size."""
HULL = [HullBoostClassifier]
"""In a convex hull: probabilities, but smaller than true log-odds, and a radius chosen by folds."""
FIXED = {booster: {"radius": 2.0} for booster in HULL}
"""Parameters without which folds would choose something."""
each_booster = pytest.mark.parametrize("booster", BOOSTERS)
each_real_booster = pytest.mark.parametrize(
    "booster", [booster for booster in BOOSTERS if booster is not AdaBoostM1Classifier]
)
"""Those whose rules may have real values, and not only answer with a class."""
each_corrective = pytest.mark.parametrize("booster", CORRECTIVE)
each_exponential = pytest.mark.parametrize(
    "booster",
    [
        booster
        for booster in EXPONENTIAL
        if booster()._make_loss().reads == "sides" and booster not in HULL
    ],
)
"""Those whose rules may vote."""
two_kinds = pytest.mark.parametrize("learner", ["real", "discrete"])
unfinished = pytest.mark.filterwarnings("ignore::underdog.NotConverged")
"""For tests whose few rounds are enough for their point, but not for an optimum."""
lopsided = pytest.mark.filterwarnings(
    "ignore:nu=.* is so large that a constant:underdog.UnderdogWarning",
    "ignore:.*no better than a constant prediction:underdog.UnderdogWarning",
)
"""For tests where next to all weight is on one class."""
ALWAYS = {"edge", "coefficient", "loss", "seconds"}
KEYS = ALWAYS | {"z", "log_loss"}
CORRECTIVE_KEYS = ALWAYS | {"primal_value", "dual_value", "best_edge", "hypotheses"}


def keys(booster):
    """Columns of the history of every run."""
    if booster in CORRECTIVE:
        return CORRECTIVE_KEYS
    made = booster()
    return {"coefficient", "seconds", *made._make_loss().facts, *made._make_combiner().facts}


def make(booster, **parameters):
    """A booster with a soft margin that noise leaves, if it has one.

    A nu of more than twice the share of wrong labels; the default is for cleaner data.
    """
    own = {}
    if booster in CORRECTIVE:
        fields = {field.name: field.default for field in dataclasses.fields(booster)}
        if "nu" in fields:
            own["nu"] = 0.2 + 0.2 * fields.get("beta", 1.0)
    return booster(**{**own, **parameters})


def tolerates_noise(booster):
    """Whether a few wrong labels leave it a margin: not so if the smallest one counts."""
    return booster not in CORRECTIVE or hasattr(booster(), "nu")


def noisy(rows=150, seed=0):
    """Four columns, two of which matter; a quarter of the labels is beyond them. Fewer 1s."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, (X[:, 0] + X[:, 1] + 1.2 * rng.normal(size=rows) > 0.7).astype(int)


def clean(rows=150, seed=0):
    """The columns of `noisy`, and labels that are a function of them."""
    X, _ = noisy(rows, seed)
    return X, (X[:, 0] + X[:, 1] > 0.7).astype(int)


def learnable(booster):
    """Data from which this booster learns which columns matter."""
    return noisy() if tolerates_noise(booster) else clean()


def three_classes(rows=120):
    X, _ = noisy(rows)
    return X, np.digitize(X[:, 0] + 0.5 * X[:, 1], [-0.5, 0.5])


def stages(model, X):
    return np.array(list(model.staged_decision_function(X)))


def rules(model):
    """What members ask and say, without coefficients."""
    return [
        (
            (test.column, test.threshold, test.inside.tolist()),
            hypothesis.values.ravel().tolist(),
        )
        for hypothesis in (member.hypothesis for member in model.model_.members)
        for test in [hypothesis.test]
    ]


def coefficients(model):
    return np.array([member.coefficient for member in model.model_.members])


def assert_same_model(model, other, X):
    """The same rounds, bit for bit."""
    np.testing.assert_array_equal(stages(model, X), stages(other, X))
    np.testing.assert_array_equal(model.decision_function(X), other.decision_function(X))
    assert model.describe(None) == other.describe(None)


def assert_same_optimum(model, other, atol=1e-9):
    """The same rules, and coefficients that differ by no more than the solver's rounding."""
    assert rules(model) == rules(other)
    np.testing.assert_allclose(coefficients(model), coefficients(other), rtol=0, atol=atol)
    assert model.converged_ == other.converged_


def assert_one_entry_per_round(model, rounds=None):
    lengths = {name: len(values) for name, values in model.history_.items()}
    assert set(lengths.values()) == {model.n_iter_ if rounds is None else rounds}, lengths


def measured_error(model, X, y, weight):
    return float(np.average(model.predict(X) != y, weights=weight))


def getting_worse():
    """A scorer whose first answer is its best."""
    calls = itertools.count()
    return lambda *_: -float(next(calls))


def binary(rows=80, seed=0):
    """Three columns, the first two of which matter, and fewer 1s than 0s."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, (X[:, 0] + 0.6 * X[:, 1] + 0.5 * rng.normal(size=rows) > 0.4).astype(int)


def mixed(rows=80):
    """The numbers of `binary` beside three sparse words, as a Table, and its labels."""
    X, y = binary(rows)
    rng = np.random.default_rng(5)
    words = sp.csr_array((rng.random((rows, 3)) < 0.3 + 0.3 * y[:, np.newaxis]).astype(float))
    return Table.hstack([X, words], names=["age", "size", "cost", "free", "win", "hello"]), y
