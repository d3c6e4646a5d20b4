"""LPReg and QPReg: rules of AdaBoost, whose coefficients a programme has after the last round."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC

from tests.core.shards import fit_on
from tests.estimators.test_clocked import rows
from tests.twins.soft_margins import distinct_votes, lpreg, qpreg
from underdog import (
    AdaBoostClassifier,
    Costs,
    LPBoostClassifier,
    SoftMarginAdaBoostClassifier,
    Table,
    load,
    save,
)
from underdog.data import EncodedRows
from underdog.files import CannotStore
from underdog.games import voting_margins
from underdog.inspection import contributions, hardest
from underdog.learners import Pool

BOTH = pytest.mark.parametrize("penalty", ["linear", "quadratic"])
ROUNDS = 15


def made(penalty, **given):
    size = {"nu": 0.6} if penalty == "linear" else {"C": 0.1}
    return SoftMarginAdaBoostClassifier(
        penalty=penalty, **{"n_estimators": ROUNDS, **size, **given}
    )


def whole_numbers(seed=0, n=90):
    """Rows with repeated values, some labels wrong."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 6, (n, 4)).astype(float)
    y = np.where(X.sum(axis=1) > 10, 1, -1)
    return X, np.where(random.random(n) < 0.15, -y, y)


# What is solved.


@pytest.mark.parametrize("nu", [1e-12, 1 / 60, 0.1, 0.3, 0.7, 1 - 1e-9])
@pytest.mark.filterwarnings("ignore:.*they mean little")
def test_lpreg_is_the_programme_of_the_textbook(nu):
    X, y = rows()
    model = made("linear", nu=nu, smoothing=0.0).fit(X, y)
    wanted = lpreg(distinct_votes(X, y, ROUNDS), y, nu)
    certificate = model.certificate_
    assert certificate["soft_margin"] == pytest.approx(wanted, abs=1e-8)
    assert certificate["gap"] < 1e-8
    assert certificate["nu"] == nu
    # the same value from the margins of the model: the mean of the least nu m of them
    own = np.sort(y * model.decision_function(X))
    least = np.minimum(1.0, np.maximum(nu * len(y) - np.arange(len(y)), 0.0))
    assert least @ own / least.sum() == pytest.approx(wanted, abs=1e-8)
    assert sum(member.coefficient for member in model.model_.members) == pytest.approx(1.0)


def test_lpreg_is_lpboost_on_the_rules_of_adaboost():
    """LPBoost that may choose from these rules only ends with the same margins."""
    X, y = rows(1)
    model = made("linear").fit(X, y)
    ada = AdaBoostClassifier(learner="discrete", n_estimators=ROUNDS).fit(X, y)
    single = [
        AdaBoostClassifier(learner="discrete", n_estimators=1).fit(X, y) for _ in range(ROUNDS)
    ]
    for one, member in zip(single, ada.model_.members, strict=True):
        one.model_ = type(one.model_)([member], ada.model_.schema, 1)
    pool = LPBoostClassifier(nu=0.6, learner=Pool(single), tol=0.0, n_estimators=100).fit(X, y)
    assert pool.certificate_["soft_margin"] == pytest.approx(
        model.certificate_["soft_margin"], abs=1e-7
    )


@pytest.mark.parametrize("C", [0.01, 0.1, 1.0])
def test_qpreg_is_the_programme_of_the_textbook(C):
    X, y = rows()
    model = made("quadratic", C=C, smoothing=0.0).fit(X, y)
    h = distinct_votes(X, y, ROUNDS)
    a, value = qpreg(h, y, C)
    assert model.certificate_["objective"] == pytest.approx(value, rel=1e-7)
    assert model.certificate_["gap"] < 1e-10 * value
    np.testing.assert_allclose(model.decision_function(X), h @ a, atol=1e-4)


def test_qpreg_is_a_linear_support_vector_machine():
    """Where no coefficient would be negative, which a small C achieves, it is scikit-learn's."""
    X, y = rows(4)
    C = 0.002
    model = made("quadratic", C=C, smoothing=0.0, n_estimators=6).fit(X, y)
    h = distinct_votes(X, y, 6)
    machine = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=100_000)
    machine.fit(h, y)
    assert machine.coef_.min() > 0.0
    np.testing.assert_allclose(model.decision_function(X), machine.decision_function(h), atol=1e-6)


@pytest.mark.parametrize("C", [1e-9, 1e6])
def test_extreme_prices_are_solved(C):
    """Nothing is all zero; with a high price the margin is hard where the rows allow one."""
    X, y = rows(2, flipped=0.0)
    model = made("quadratic", C=C, n_estimators=40).fit(X, y)
    certificate = model.certificate_
    assert certificate["gap"] <= 1e-6 * certificate["objective"]
    scores = y * model.decision_function(X)
    assert (scores > 0.0).any()
    if C > 1.0 and model.score(X, y) == 1.0:
        assert scores.min() == pytest.approx(1.0, abs=1e-5)


# Rounds, stages, going on.


@BOTH
def test_rounds_are_those_of_adaboost(penalty):
    X, y = rows(5)
    model = made(penalty).fit(X, y)
    ada = AdaBoostClassifier(learner="discrete", n_estimators=ROUNDS).fit(X, y)
    for name in ("edge", "z", "loss", "coefficient"):
        np.testing.assert_array_equal(model.history_[name], ada.history_[name])
    stages, others = (np.array([*one.staged_decision_function(X)]) for one in (model, ada))
    np.testing.assert_array_equal(stages[:-1], others[:-1])
    np.testing.assert_array_equal(stages[-1], model.decision_function(X))
    assert not np.array_equal(stages[-1], others[-1])
    assert not hasattr(model, "predict_proba")


@BOTH
def test_order_repeats_storage_shards_and_threads_change_no_bit(penalty, monkeypatch):
    X, y = whole_numbers()
    times = np.arange(len(y)) % 3 + 1
    scores = made(penalty).fit(X, y, sample_weight=times).decision_function(X)
    order = np.random.default_rng(6).permutation(np.repeat(np.arange(len(y)), times))
    others = [
        made(penalty).fit(X[order], y[order]),
        made(penalty).fit(sp.csr_array(X), y, sample_weight=times),
        made(penalty, n_jobs=2).fit(X, y, sample_weight=times),
    ]
    placed = fit_on(monkeypatch, 3)
    others.append(made(penalty).fit(X, y, sample_weight=times))
    assert placed == [3]
    for other in others:
        np.testing.assert_array_equal(scores, other.decision_function(X))


@BOTH
def test_real_weights_count_by_their_share(penalty):
    X, y = rows(6)
    weight = np.random.default_rng(7).uniform(0.2, 3.0, len(y))
    model = made(penalty, smoothing=0.0).fit(X, y, sample_weight=weight)
    order = np.random.default_rng(8).permutation(len(y))
    again = made(penalty, smoothing=0.0).fit(X[order], y[order], sample_weight=weight[order])
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))
    h = votes(model, X)
    if penalty == "linear":
        wanted, name = lpreg(h, y, 0.6, weight), "soft_margin"
    else:
        wanted, name = qpreg(h, y, 0.1, weight * len(y) / weight.sum())[1], "objective"
    assert model.certificate_[name] == pytest.approx(wanted, rel=1e-6)


def votes(model, X):
    """(m, k) h of each different rule."""
    encoded = EncodedRows(Table.hstack([X]), model.model_.schema)
    found = [member.hypothesis for member in model.model_.members]
    return np.unique(
        [own.values[own.partition(encoded).of_row(len(X)), 0] for own in found], axis=0
    ).T


@BOTH
def test_a_file_and_a_warm_start_change_no_bit(penalty, tmp_path):
    X, y = rows(5)
    whole = made(penalty).fit(X, y)
    half = made(penalty, n_estimators=6, warm_start=True).fit(X, y)
    save(half, tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    assert loaded.certificate_ == half.certificate_
    np.testing.assert_array_equal(loaded.decision_function(X), half.decision_function(X))
    stages = [np.array([*one.staged_decision_function(X)]) for one in (half, loaded)]
    np.testing.assert_array_equal(*stages)
    resumed = loaded.set_params(n_estimators=ROUNDS).fit(X, y)
    np.testing.assert_array_equal(whole.decision_function(X), resumed.decision_function(X))
    assert resumed.certificate_ == whole.certificate_


@BOTH
def test_a_file_with_other_coefficients_is_refused(penalty, tmp_path):
    X, y = rows(5)
    model = made(penalty).fit(X, y)
    model.history_["coefficient"] = model.history_["coefficient"] + 0.5
    with pytest.raises(CannotStore, match="differ from those of the path"):
        save(model, tmp_path / "model.udg")


@BOTH
@pytest.mark.parametrize("cv", [None, 3])
def test_early_stopping_measures_adaboost(penalty, cv):
    X, y = rows(9, 300)
    chosen = {"early_stopping": True, "n_iter_no_change": 3, "n_estimators": 40, "cv": cv}
    model = made(penalty, **chosen).fit(X, y)
    ada = AdaBoostClassifier(learner="discrete", scoring="loss", **chosen).fit(X, y)
    model = made(penalty, scoring="loss", **chosen).fit(X, y)
    assert model.n_iter_ == ada.n_iter_ < 40
    np.testing.assert_array_equal(
        model.history_["validation_score"], ada.history_["validation_score"]
    )
    assert len(model.model_.members) == model.n_iter_
    *_, last = model.staged_decision_function(X)
    np.testing.assert_array_equal(last, model.decision_function(X))


# What a user sees.


@BOTH
def test_it_is_described_and_explained(penalty):
    X, y = rows(5)
    model = made(penalty, n_estimators=30).fit(X, y)
    left = sum(member.coefficient > 0.0 for member in model.model_.members)
    assert f"{left} rules" in model.describe()
    parts = contributions(model, X[:5])
    np.testing.assert_array_equal(parts.scores.ravel(), model.decision_function(X[:5]))
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert len(hardest(model, X, y, 3).rows) == 3
    assert np.abs(voting_margins(model, X, y)).max() <= 1.0


@BOTH
def test_costs_and_weights_of_classes_move_the_solution(penalty):
    X, y = rows(10, 200, flipped=0.2)
    plain, costly, heavy = (
        made(penalty, **more).fit(X, y).predict(X)
        for more in ({}, {"costs": Costs(8.0, 1.0)}, {"class_weight": {-1: 1.0, 1: 8.0}})
    )
    for other in (costly, heavy):
        assert (other == 1).sum() > (plain == 1).sum()


@BOTH
def test_rules_without_an_edge_and_perfect_rules(penalty):
    model = made(penalty).fit(np.zeros((9, 1)), np.arange(9) % 2)
    assert "the model is a constant" in model.stop_reason_
    assert np.isfinite(model.decision_function(np.zeros((2, 1)))).all()
    X, _ = rows(11)
    perfect = made(penalty).fit(X, X[:, 0] > 0.1)
    assert perfect.n_iter_ == 1
    assert perfect.score(X, X[:, 0] > 0.1) == 1.0


@BOTH
def test_hard_data_end_with_a_reason(penalty):
    X, y = rows(4, 300)
    few = (np.arange(300) == 7).astype(int)
    cases = [(X, -y), (X, few), (X, X[:, 0] > 0)]
    cases.append((np.repeat(X[:4], 50, axis=0), np.arange(200) % 3 == 0))
    for data, labels in cases:
        given = {"nu": "auto"} if penalty == "linear" else {}
        model = made(penalty, n_estimators=25, **given).fit(data, labels)
        assert model.stop_reason_
        scores = model.decision_function(data)
        assert np.isfinite(scores).all()
        assert scores.any()
        assert model.certificate_.get("soft_margin", 1.0) > 0.0


def test_nu_is_raised_until_there_is_a_margin():
    X, y = rows(12, 200, flipped=0.3)
    model = made("linear", nu="auto", n_estimators=10).fit(X, y)
    assert model.certificate_["nu"] > 0.1
    assert model.certificate_["soft_margin"] > 0.0
    with pytest.warns(UserWarning, match="they mean little: use a larger nu"):
        made("linear", nu=0.05, n_estimators=10).fit(X, y)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"penalty": "none"}, "penalty='none' must be 'persistence' or 'linear' or 'quadratic'"),
        ({"penalty": "linear", "C": 0.1}, r'C=0.1 is not for penalty="linear": give nu'),
        ({"penalty": "quadratic", "nu": 0.1}, r'nu=0.1 is for penalty="linear"'),
        ({"nu": 0.1}, "but penalty is 'persistence': give C"),
        ({"penalty": "linear", "nu": 1.0}, "must be 'auto' or a number between 0 and 1"),
        ({"penalty": "linear", "nu": "few"}, "must be 'auto' or a number between 0 and 1"),
        ({"penalty": "quadratic", "C": 0.0}, "C=0.0 must be"),
    ],
)
def test_what_is_refused(given, message):
    X, y = rows()
    with pytest.raises(ValueError, match=message):
        SoftMarginAdaBoostClassifier(**given).fit(X, y)
