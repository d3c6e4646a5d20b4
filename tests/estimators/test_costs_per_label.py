"""Costs where a row may have several labels: w_i c(k, Y_ik) exp(-Y_ik F_k(x_i))."""

import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import underdog.workers
from tests.estimators import fits
from tests.estimators.small import stages, two_kinds
from tests.twins import boosters as twin
from underdog import AdaBoostClassifier, AdaBoostMHClassifier, BoostingClassifier, Costs
from underdog.core.counts import Counts
from underdog.losses import Exponential

FN, FP = np.array([20.0, 3.0, 0.5]), np.array([1.0, 4.0, 0.5])
COSTS = Costs.per_label([Costs(fn, fp) for fn, fp in zip(FN, FP, strict=True)])
ROWS, ROUNDS = 200, 25
each_learner = pytest.mark.parametrize(
    "learner", ["real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp"]
)


@pytest.fixture(scope="module")
def data():
    """Nine columns of all kinds, three labels."""
    X = fits.numbers(ROWS)
    return X, fits.targets(X)["labels"][0]


def booster(costs=COSTS, **parameters):
    return AdaBoostMHClassifier(costs=costs, **{"n_estimators": ROUNDS, **parameters})


@each_learner
@pytest.mark.parametrize("weighted", [False, True])
def test_equal_to_the_textbook(learner, weighted, data, monkeypatch):
    X, Y = data
    sign = 2 * Y - 1
    prices = np.where(sign > 0, FN, FP)
    even = twin.start

    def start(*given):
        D, e = even(*given)
        return D * prices / (D * prices).sum(), e

    monkeypatch.setattr(twin, "start", start)
    weight = np.random.default_rng(7).uniform(0.2, 4, ROWS) if weighted else None
    scores, records = twin.adaboost_mh(X, sign, learner, 12, sample_weight=weight)
    model = booster(learner=learner, n_estimators=12).fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(stages(model, X), scores, rtol=1e-8, atol=1e-8)
    for key in ("coefficient", "z", "edge"):
        wanted = [record[key] for record in records]
        np.testing.assert_allclose(model.history_[key], wanted, rtol=1e-8, atol=1e-8)


def test_a_tree_for_each_label_sees_the_costs(data):
    """Other libraries' learners get the same weights: one round under costs, by hand."""
    X, Y = np.nan_to_num(data[0]), data[1]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = booster(learner=tree, n_estimators=1, smoothing=0.0).fit(X, Y)
    for label in range(3):
        prices = np.where(Y[:, label] == 1, FN[label], FP[label])
        alone = DecisionTreeClassifier(max_depth=2, random_state=0)
        alone.fit(X, Y[:, label], sample_weight=prices)
        votes = 2 * alone.predict(X) - 1
        np.testing.assert_array_equal(np.sign(model.decision_function(X)[:, label]), votes)


@two_kinds
def test_equal_costs_are_no_costs(learner, data):
    X, Y = data
    plain = booster(None, learner=learner).fit(X, Y)
    for costs in (Costs(3, 3), Costs(2, 1, tn=-1), Costs.per_label([Costs(7, 7)] * 3)):
        same = booster(costs, learner=learner).fit(X, Y)
        fits.assert_same(plain, same, X)
        np.testing.assert_array_equal(plain.predict_proba(X), same.predict_proba(X))
        assert plain.certificate_ == same.certificate_


@two_kinds
def test_one_pair_of_costs_is_that_of_every_label(learner, data):
    X, Y = data
    one = booster(Costs(fn=20, fp=2, tp=-1), learner=learner).fit(X, Y)
    other = booster(Costs.per_label([Costs(fn=21, fp=2)] * 3), learner=learner).fit(X, Y)
    fits.assert_same(one, other, X)


@two_kinds
@pytest.mark.parametrize("factor", [7, 3, 0.1])
def test_any_multiple_gives_the_same_bits(learner, factor, data):
    X, Y = data
    pairs = zip(factor * FN, factor * FP, strict=True)
    other = booster(Costs.per_label([Costs(fn, fp) for fn, fp in pairs]), learner=learner)
    fits.assert_same(booster(learner=learner).fit(X, Y), other.fit(X, Y), X)


@two_kinds
def test_a_column_twice_is_the_binary_booster_with_the_same_costs(learner, data):
    X, Y = data
    costs = Costs(fn=6, fp=2, tn=-1)
    binary = AdaBoostClassifier(costs=costs, learner=learner, n_estimators=ROUNDS).fit(X, Y[:, 0])
    twice = booster(costs, learner=learner).fit(X, Y[:, [0, 0]])
    for label in range(2):
        np.testing.assert_allclose(
            twice.decision_function(X)[:, label], binary.decision_function(X), rtol=0, atol=1e-8
        )
        np.testing.assert_allclose(
            twice.predict_proba(X)[:, label], binary.predict_proba(X)[:, 1], rtol=0, atol=1e-8
        )
        np.testing.assert_array_equal(twice.predict(X)[:, label], binary.predict(X))
    assert twice.certificate_ == pytest.approx(binary.certificate_.own)


def test_a_label_that_costs_three_times_as_much_is_a_label_three_times():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 4, (400, 3)).astype(float)
    Y = (X[:, :2] + rng.normal(size=(400, 2)) * 2 > 2).astype(int)
    costs = Costs.per_label([Costs(3, 3), Costs(1, 1)])
    one = booster(costs, smoothing=0.0).fit(X, Y)
    other = booster(None, smoothing=0.0).fit(X, Y[:, [0, 0, 0, 1]])
    np.testing.assert_allclose(
        one.decision_function(X), other.decision_function(X)[:, [0, 3]], rtol=0, atol=1e-8
    )


@two_kinds
@pytest.mark.parametrize("form", ["another order", "csr", "frame", "two threads", "recounted"])
def test_bits_do_not_depend_on_form_order_or_threads(learner, form, data, monkeypatch):
    X, Y = data
    plain = booster(learner=learner, n_jobs=1).fit(X, Y)
    other_X, rows = X, np.arange(ROWS)
    if form == "another order":
        rows = np.random.default_rng(1).permutation(ROWS)
    elif form == "csr":
        other_X = sp.csr_array(X)
    elif form == "frame":
        other_X = pd.DataFrame(X)
    elif form == "two threads":
        monkeypatch.setattr(underdog.workers, "MIN_WORK", 1)
    else:
        update = Counts.update

        def count_anew(self):
            self._version = -2
            return update(self)

        monkeypatch.setattr(Counts, "update", count_anew)
    given = other_X.iloc[rows] if form == "frame" else other_X[rows]
    other = booster(learner=learner, n_jobs=2).fit(given, Y[rows])
    fits.assert_same(plain, other, X, other_X)


@two_kinds
def test_integer_sample_weights_are_repeated_rows(learner, data):
    X, Y = data
    repeats = np.random.default_rng(2).integers(0, 4, ROWS)
    rows = np.repeat(np.arange(ROWS), repeats)
    weighted = booster(learner=learner).fit(X, Y, sample_weight=repeats)
    repeated = booster(learner=learner).fit(X[rows], Y[rows])
    fits.assert_same(weighted, repeated, X)
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


@two_kinds
def test_a_warm_start_goes_on_with_the_same_bits(learner, data):
    X, Y = data
    straight = booster(learner=learner).fit(X, Y)
    resumed = booster(learner=learner, n_estimators=9, warm_start=True).fit(X, Y)
    resumed.set_params(n_estimators=ROUNDS).fit(X, Y)
    fits.assert_same(straight, resumed, X)
    np.testing.assert_array_equal(straight.predict_proba(X), resumed.predict_proba(X))


def test_costs_given_to_fit_are_those_of_the_booster(data):
    X, Y = data
    fits.assert_same(booster().fit(X, Y), booster(None).fit(X, Y, costs=COSTS), X)


@two_kinds
def test_the_certificate_is_about_the_cost_of_mistakes(learner, data):
    X, Y = data
    model = booster(learner=learner).fit(X, Y)
    prices = np.where(Y == 1, FN, FP)
    wrong = model.predict(X) != Y
    share = (prices * wrong).sum() / prices.sum()
    assert model.certificate_["training_error"] == pytest.approx(share)
    assert 0 < share <= model.certificate_["bound"]


def known_labels(rows, rng):
    """Cells of a column, and in each the known probabilities of three labels."""
    truth = np.array([[0.02, 0.3, 0.6], [0.04, 0.1, 0.5], [0.1, 0.7, 0.25], [0.3, 0.45, 0.05]])
    cell = rng.integers(0, 4, rows)
    return truth, cell, (rng.random((rows, 3)) < truth[cell]).astype(int)


@pytest.mark.parametrize("loss", [Exponential(), Exponential(beta=3.0)], ids=["even", "uneven"])
@pytest.mark.parametrize(
    "costs",
    [Costs(fn=20, fp=1), Costs.per_label([Costs(20, 1), Costs(1, 1), Costs(1, 20, tn=-2)])],
    ids=["shared", "per label"],
)
def test_probabilities_are_those_of_the_data(costs, loss):
    """Costs of 20 to 1, and still within 4.5 standard deviations of the truth in every cell."""
    rows = 20_000
    truth, cell, Y = known_labels(rows, np.random.default_rng(11))
    model = BoostingClassifier(loss=loss, costs=costs, n_estimators=300)
    model.fit(cell[:, np.newaxis].astype(float), Y)
    cells = np.arange(4.0)[:, np.newaxis]
    found = model.predict_proba(cells)
    counts = np.bincount(cell)[:, np.newaxis]
    assert (np.abs(found - truth) < 4.5 * np.sqrt(truth * (1 - truth) / counts)).all()
    shares = np.array([Y[cell == c].mean(axis=0) for c in range(4)])
    np.testing.assert_allclose(found, shares, atol=5e-4)  # smoothing
    # The label that holds is decided for from the threshold of its costs on.
    alarm, miss = costs.label_mistakes(range(3))
    if loss.beta == 1.0:
        np.testing.assert_array_equal(model.predict(cells), truth > alarm / (alarm + miss))
    np.testing.assert_array_equal(list(model.staged_predict_proba(cells))[-1], found)


@two_kinds
def test_the_validation_loss_is_the_training_loss(learner, data):
    X, Y = data
    model = booster(learner=learner, early_stopping=True, tol=0.0).fit(X, Y, X_val=X, y_val=Y)
    history = model.history_
    np.testing.assert_allclose(-history["validation_score"], history["loss"], rtol=1e-9)


def test_stopping_early_by_the_loss_with_costs(data):
    X, Y = data
    model = booster(early_stopping=True, n_estimators=200, n_iter_no_change=3, random_state=0)
    model.fit(X, Y)
    assert model.n_iter_ == 1 + np.argmax(model.history_["validation_score"]) < 200
    assert "has not risen for 3 rounds" in model.stop_reason_


def test_a_scorer_that_stops_early_sees_corrected_probabilities():
    truth, cell, Y = known_labels(2000, np.random.default_rng(3))
    X = cell[:, np.newaxis].astype(float)
    seen = []

    def brier(model, X, Y):
        seen.append(model.predict_proba(X))
        return -float(((seen[-1] - Y) ** 2).mean())

    model = booster(Costs(fn=20, fp=1), early_stopping=True, scoring=brier, n_estimators=60)
    model.fit(X, Y, X_val=X, y_val=Y)
    np.testing.assert_array_equal(model.predict_proba(X), seen[model.n_iter_ - 1])
    assert np.abs(seen[-1] - truth[cell]).max() < 0.1


def test_a_search_over_costs(data):
    X, Y = data
    grid = {"costs": [Costs(1, 1), COSTS]}
    search = GridSearchCV(booster(n_estimators=3), grid, cv=2).fit(X, Y)
    assert search.best_params_["costs"] in grid["costs"]


@pytest.mark.parametrize("ratio", [1e-300, 1e-30, 1e30, 1e300])
@two_kinds
def test_extreme_costs(learner, ratio, data):
    X, Y = data
    for costs in (Costs(fn=ratio, fp=1), Costs.per_label([Costs(ratio, 1), *[Costs(1, 1)] * 2])):
        model = booster(costs, learner=learner, n_estimators=5).fit(X, Y)
        assert np.isfinite(model.decision_function(X)).all()
        probability = model.predict_proba(X)
        assert ((probability >= 0) & (probability <= 1)).all()


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (Costs(fn=0, fp=1), "a false negative of label 0 costs nothing, so nothing can be learned"),
        (Costs(fn=1, fp=0), "a false positive of label 0 costs nothing"),
        (Costs(fn=0, fp=0), "a false positive of label 0 costs nothing"),
        (Costs(fn=1e-200, fp=1e200), "a false negative of label 0 costs nothing"),
        (
            Costs.per_label([Costs(1, 1), Costs(2, 1, tp=2), Costs(1, 1)]),
            "a false negative of label 1 costs",
        ),
        (
            Costs.per_label([Costs(2, 1)] * 2),
            "labels [2] have no costs: give costs for every label",
        ),
        (Costs.per_label({1: Costs(2, 1)}), "labels [0, 2] have no costs"),
        (
            Costs.per_label([Costs(2, 1)] * 4),
            "there are costs for labels [3], but y has 3 columns, numbered from 0",
        ),
        (
            Costs.per_label({**dict.fromkeys(range(3), Costs(2, 1)), "sport": Costs(2, 1)}),
            "there are costs for labels ['sport'], but y has 3 columns",
        ),
        (
            Costs(fn=np.ones(ROWS), fp=1),
            "is not for multilabel problems: give one fn and one fp for all",
        ),
        (Costs.matrix([[0, 1], [1, 0]], [0, 1]), "is not for multilabel problems"),
    ],
    ids=repr,
)
def test_costs_that_are_refused(costs, message, data):
    X, Y = data
    with pytest.raises(ValueError, match=re.escape(message)):
        booster(costs).fit(X, Y)


def test_costs_of_labels_are_not_for_one_label_per_row(data):
    X, Y = data
    message = "is for multilabel problems, but y has one label per row: give Costs(fn, fp) or"
    for y in (Y[:, 0], Y.sum(axis=1)):
        with pytest.raises(ValueError, match=re.escape(message)):
            booster().fit(X, y)
