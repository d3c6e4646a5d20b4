"""The same model, bit for bit, from rows in one process or in several, for every booster."""

import warnings
from inspect import signature

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import underdog
from tests.together.data import (
    COUNTS,
    FRAME,
    LABELS,
    REPEATS,
    THREE,
    TWO,
    VALUE,
    WEIGHT,
    WORDS,
    N,
    assert_same,
)
from tests.together.threads import fit_together
from underdog.data import Schema, Table, together
from underdog.estimators import all_boosters, all_rankers, all_regressors
from underdog.learners import C45LikeLearner, TreeLearner

EARLY = {"early_stopping": True, "n_iter_no_change": 2, "validation_fraction": 0.3, "tol": 0.01}
EVERY = {**all_boosters(), **all_regressors(), **all_rankers()}
CASES = {
    "two classes": ("AdaBoostClassifier", {}, FRAME, TWO, {}),
    "three classes": ("AdaBoostClassifier", {"learner": "discrete"}, FRAME, THREE, {}),
    "repeats": ("AdaBoostClassifier", {}, FRAME, TWO, {"sample_weight": REPEATS}),
    "weights": (
        "AdaBoostClassifier",
        {"class_weight": "balanced", "costs": underdog.Costs(fn=3, fp=1), "pos_label": "yes"},
        FRAME,
        TWO,
        {"sample_weight": WEIGHT},
    ),
    "words": ("AdaBoostClassifier", {}, WORDS, TWO, {}),
    "sparse numbers": ("AdaBoostClassifier", {}, COUNTS, TWO, {}),
    "early stopping": ("AdaBoostClassifier", EARLY, FRAME, TWO, {}),
    "folds": ("AdaBoostClassifier", {**EARLY, "cv": 2, "scoring": "loss"}, WORDS, TWO, {}),
    "several labels": ("AdaBoostMHClassifier", {}, WORDS, LABELS, {}),
    "uneven": ("AdaUBoostClassifier", {"pos_label": "yes"}, FRAME, TWO, {}),
    "two weightings": (
        "AdaBoostAClassifier",
        {},
        FRAME,
        TWO,
        {"cost": WEIGHT, "initial_weight": WEIGHT[::-1].copy()},
    ),
    "Gentle": ("GentleAdaBoostClassifier", {}, FRAME, TWO, {}),
    "logistic": ("LogisticAdaBoostClassifier", {}, FRAME, TWO, {}),
    "LogitBoost": ("LogitBoostClassifier", {}, FRAME, THREE, {}),
    "trees": ("GradientBoostingClassifier", {}, FRAME, TWO, {"sample_weight": REPEATS}),
    "trees, three classes": ("GradientBoostingClassifier", {**EARLY}, WORDS, THREE, {}),
    "drawn trees": (
        "GradientBoostingClassifier",
        {"subsample": 0.5, "max_features": 0.5},
        FRAME,
        TWO,
        {},
    ),
    "large trees": (
        "GradientBoostingClassifier",
        {"max_depth": None, "max_leaf_nodes": 60, "min_samples_leaf": 2},
        FRAME,
        TWO,
        {"sample_weight": REPEATS},
    ),
    "leaves of many examples": (
        "GradientBoostingClassifier",
        {"max_depth": None, "max_leaf_nodes": 12, "min_samples_leaf": 30},
        FRAME,
        THREE,
        {},
    ),
    "leaves of many words": (
        "GradientBoostingClassifier",
        {"max_depth": 4, "max_leaf_nodes": None, "min_samples_leaf": 40},
        WORDS,
        TWO,
        {},
    ),
    "level by level": (
        "GradientBoostingClassifier",
        {
            "learner": TreeLearner(
                max_depth=5, max_leaf_nodes=9, growth="depth", min_samples_leaf=4
            ),
            "max_leaf_nodes": None,
        },
        FRAME,
        TWO,
        {},
    ),
    "random cuts of weighted rows": (
        "GradientBoostingClassifier",
        {"cuts": "random", "bootstrap": True, "max_leaf_nodes": 8},
        FRAME,
        TWO,
        {},
    ),
    "constrained trees": (
        "GradientBoostingRegressor",
        {
            "monotonic_cst": {"u": 1, "v": -1},
            "interaction_cst": [["u", "v"], ["w", "level"]],
            "max_leaf_nodes": 8,
        },
        FRAME,
        VALUE,
        {},
    ),
    "trees by gain ratio": (
        "BoostingClassifier",
        {"learner": C45LikeLearner()},
        FRAME,
        TWO,
        {},
    ),
    "squared": ("GradientBoostingRegressor", EARLY, FRAME, VALUE, {}),
    "absolute": ("GradientBoostingRegressor", {"loss": "absolute"}, FRAME, VALUE, {}),
    "huber": (
        "GradientBoostingRegressor",
        {"loss": "huber"},
        FRAME,
        VALUE,
        {"sample_weight": WEIGHT},
    ),
    "poisson": ("GradientBoostingRegressor", {"loss": "poisson"}, FRAME, np.abs(THREE), {}),
    "trees of AdaBoost": ("BoostingClassifier", {"learner": "tree"}, FRAME, TWO, {}),
    "composed": ("BoostingRegressor", {}, FRAME, VALUE, {}),
}


def made(name, parameters):
    """A booster with few rounds."""
    kind = getattr(underdog, name)
    small = {"max_leaf_nodes": 4} if "max_leaf_nodes" in signature(kind).parameters else {}
    return kind(**{"n_estimators": 4, **small, **parameters})


@pytest.mark.parametrize("counts", [(1, 3), pytest.param((2, 4), marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", CASES)
def test_any_number_of_processes(case, counts):
    name, parameters, X, y, given = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", underdog.UnderdogWarning)
        alone = made(name, parameters).fit(X, y, **given)
    assert len(alone.model_.members) > 0
    for n_parts in counts:
        joint, _ = fit_together(made(name, parameters), X, y, n_parts, seed=n_parts, **given)
        assert_same(alone, joint)


def test_every_supported_booster_has_a_case():
    supported = {name for name, kind in EVERY.items() if kind._takes_parts}
    assert supported == {name for name, *_ in CASES.values()}


@pytest.mark.parametrize("kind", [k for k in EVERY.values() if not k._takes_parts])
def test_others_are_refused(kind):
    with pytest.raises(ValueError, match="needs all rows in one place"):
        fit_together(kind(), FRAME, TWO, 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"learner": DecisionTreeClassifier()}, "needs all rows in one place"),
        ({"early_stopping": True, "scoring": "f1"}, "use scoring='loss'"),
    ],
)
def test_what_needs_all_rows_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        fit_together(underdog.AdaBoostClassifier(**parameters), FRAME, TWO, 1)


def test_a_warm_start():
    whole = underdog.AdaBoostClassifier(n_estimators=6).fit(FRAME, TWO)
    half = underdog.AdaBoostClassifier(n_estimators=3, warm_start=True).fit(FRAME, TWO)
    joint, _ = fit_together(clone(half), FRAME, TWO, 2)
    assert_same(half, joint)
    joint, _ = fit_together(joint.set_params(n_estimators=6), FRAME, TWO, 2)
    assert_same(whole, joint)


def test_no_message_has_a_number_for_each_row():
    _, messages = fit_together(made("AdaBoostClassifier", {}), WORDS, TWO, 2)
    sums = [message for kind, message in messages if kind == "add"]
    assert len(sums) > 10
    assert max(np.size(each) for each in sums) < N / 4


def test_a_message_of_a_tree_has_a_whole_level():
    _, messages = fit_together(
        underdog.GradientBoostingClassifier(n_estimators=1, max_depth=3), FRAME, TWO, 1
    )
    _, more = fit_together(
        underdog.GradientBoostingClassifier(n_estimators=2, max_depth=3), FRAME, TWO, 1
    )
    assert len(more) - len(messages) < 20


def test_errors_say_what_is_wrong_with_any_part():
    with pytest.raises(ValueError, match="only one class"):
        fit_together(made("AdaBoostClassifier", {}), FRAME, np.full(N, "no"), 2)
    with pytest.raises(ValueError, match="sample_weight is 0 for every row"):
        fit_together(made("AdaBoostClassifier", {}), FRAME, TWO, 2, sample_weight=np.zeros(N))


@pytest.mark.parametrize("max_bins", [2, 7, 255])
def test_cuts_of_many_values_by_digits(max_bins, monkeypatch):
    values = np.random.default_rng(1).normal(size=(N, 1))
    values[::7] = 0.5
    values[1::50] = -0.0
    table = Table.from_data(values)
    whole = Schema.learn(table, np.ones(N, dtype=np.int64), max_bins)
    monkeypatch.setattr(together, "FEW", 0)
    booster = underdog.AdaBoostClassifier(n_estimators=1, max_bins=max_bins)
    joint, _ = fit_together(booster, values, TWO, 3)
    assert np.array_equal(whole.cuts, joint.model_.schema.cuts)
