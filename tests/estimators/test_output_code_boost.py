"""Output codes: against the textbook, against AdaBoost and AdaBoost.MH, and their bounds."""

import numpy as np
import pytest
import scipy.sparse as sp

from tests.core.shards import fit_on
from tests.twins.output_codes import adaboost_mo
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    BoostingClassifier,
    OutputCodeBoostClassifier,
    load,
)
from underdog.codes import OutputCode
from underdog.inspection import contributions
from underdog.losses import Logistic

ROUNDS = 8
OWN = [[1, 1, 0], [-1, 1, 1], [0, -1, 1], [1, 0, -1]]
separate = pytest.mark.parametrize("shared", [True, False])


def four_classes(rows=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4)).round(2)
    y = (X[:, 0] + 0.4 * rng.normal(size=rows) > 0) * 2 + (X[:, 1] > 0.2)
    return X, np.array(list("abcd"))[y]


X, Y = four_classes()
NUMBERS = np.searchsorted(list("abcd"), Y)
WEIGHTS = np.random.default_rng(5).integers(1, 4, len(Y))


def fitted(code, X=X, y=Y, weights=None, **parameters):
    model = OutputCodeBoostClassifier(code=code, **{"n_estimators": ROUNDS, **parameters})
    return model.fit(X, y, weights)


def scores_of(model, X=X):
    """(round, row, column)."""
    return np.array(list(model._staged_scores(X)))


@pytest.mark.parametrize("learner", ["real", "discrete"])
@pytest.mark.parametrize("code", ["all-pairs", "exhaustive", OWN], ids=str)
def test_shared_rules_are_those_of_the_textbook(code, learner):
    """Zeros count in no sum, and not in the smoothing."""
    model = fitted(code, weights=WEIGHTS, learner=learner)
    words = model.code_[NUMBERS]
    scores, losses = adaboost_mo(X, words, learner, ROUNDS, WEIGHTS)
    np.testing.assert_allclose(scores_of(model), scores, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(model.history_["loss"], losses, rtol=1e-8)


def test_one_against_the_rest_is_adaboost_mh():
    model, mh = fitted("one-vs-rest"), AdaBoostMHClassifier(n_estimators=ROUNDS).fit(X, Y)
    np.testing.assert_array_equal(scores_of(model), scores_of(mh))
    np.testing.assert_array_equal(model.predict(X), mh.predict(X))
    assert model.certificate_["loss"] == mh.certificate_["bound"]


@pytest.mark.parametrize("learner", ["real", "discrete", "tree", "c4.5-like"])
@pytest.mark.parametrize("code", ["one-vs-rest", "all-pairs"])
def test_separate_columns_are_boosters_of_their_own(code, learner):
    model = fitted(code, shared=False, learner=learner, weights=WEIGHTS)
    for column, words in enumerate(model.code_.T):
        own = words[NUMBERS] != 0
        alone = AdaBoostClassifier(learner=learner, n_estimators=ROUNDS)
        alone.fit(X[own], words[NUMBERS[own]], WEIGHTS[own])
        found = model._scores(X[own])[:, column]
        np.testing.assert_array_equal(found, alone.decision_function(X[own]))
        here = model.history_["column"] == column
        assert here.sum() == alone.n_iter_
        np.testing.assert_array_equal(
            model.history_["column_log_loss"][here], alone.history_["log_loss"]
        )


@separate
@pytest.mark.parametrize("decoding", ["loss", "hamming"])
@pytest.mark.parametrize("code", ["one-vs-rest", "all-pairs", "sparse"])
def test_the_bound_holds_in_every_round(code, decoding, shared):
    model = fitted(code, decoding=decoding, shared=shared, weights=WEIGHTS)
    matrix, words = model.code_, model.code_[NUMBERS]
    times = matrix.shape[1] / model.certificate_["distance"] * (1 + (decoding == "hamming"))
    for scores, predicted in zip(scores_of(model), model.staged_predict(X), strict=True):
        loss = np.average(np.exp(-words * scores).mean(axis=1), weights=WEIGHTS)
        error = np.average(predicted != Y, weights=WEIGHTS)
        assert error <= times * loss
    found = model.certificate_
    np.testing.assert_allclose(found["bound"], times * loss, rtol=1e-10)
    np.testing.assert_allclose(found["loss"], loss, rtol=1e-10)
    np.testing.assert_allclose(found["training_error"], error, rtol=1e-10)
    shown = model.history_["loss"][-1]
    share = np.average((words != 0).mean(axis=1), weights=WEIGHTS)
    np.testing.assert_allclose(share * shown + 1 - share, loss, rtol=1e-8)


@separate
@pytest.mark.parametrize("learner", ["real", "tree"])
def test_the_same_bits(learner, shared):
    """In any order, as repeated rows, sparse, by a warm start and from a file."""

    def made(*data, rounds=ROUNDS, **parameters):
        parameters = {"shared": shared, "learner": learner, **parameters}
        return fitted("sparse", *data, n_estimators=rounds, **parameters)

    model = made(X, Y, WEIGHTS)
    order = np.random.default_rng(1).permutation(len(Y))
    repeated = np.repeat(np.arange(len(Y)), WEIGHTS)
    others = [
        made(X[order], Y[order], WEIGHTS[order]),
        made(X[repeated], Y[repeated]),
        made(sp.csr_array(X), Y, WEIGHTS),
        made(X, Y, WEIGHTS, rounds=3, warm_start=True)
        .set_params(n_estimators=ROUNDS)
        .fit(X, Y, WEIGHTS),
    ]
    for other in others:
        np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
        np.testing.assert_array_equal(other.history_["log_loss"], model.history_["log_loss"])


def test_columns_go_on_from_a_file(tmp_path):
    model = fitted("all-pairs", shared=False, n_estimators=3)
    model.save(tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg").set_params(warm_start=True, n_estimators=ROUNDS).fit(X, Y)
    whole = fitted("all-pairs", shared=False)
    np.testing.assert_array_equal(loaded.decision_function(X), whole.decision_function(X))
    assert loaded.stop_reason_ == whole.stop_reason_


def test_early_stopping_waits_for_all_columns():
    given = {"shared": False, "early_stopping": True, "n_iter_no_change": 2, "n_estimators": 60}
    model = OutputCodeBoostClassifier(code="all-pairs", **given)
    model.fit(X[:60], Y[:60], X_val=X[60:], y_val=Y[60:])
    scores = model.history_["validation_score"]
    assert model.n_iter_ == int(scores.argmax()) + 1 == len(scores) - 2 * 6
    ranked = fitted("all-pairs", X, Y, **given, scoring="ranking", cv=3)
    assert "3-fold" in ranked.stop_reason_
    assert 0.5 < np.nanmax(ranked.history_["validation_score"]) <= 1.0


def test_the_loss_of_held_out_rows_leaves_out_zeros():
    model = OutputCodeBoostClassifier(code=OWN, n_estimators=3)
    model.fit(X[:60], Y[:60], X_val=X[60:], y_val=Y[60:])
    words = model.code_[NUMBERS[60:]]
    loss = np.exp(-words * model._scores(X[60:]))[words != 0].mean()
    np.testing.assert_allclose(-model.history_["validation_score"][-1], loss, rtol=1e-12)


@separate
def test_what_can_be_asked_of_a_model(shared):
    model = fitted("all-pairs", shared=shared, class_weight="balanced")
    assert model.decision_function(X).shape == (len(X), 4)
    assert "a / b" in model.describe()
    np.testing.assert_allclose(model.feature_importances_.sum(), 1.0)
    with pytest.raises(AttributeError, match="scores are those of the columns of a code"):
        _ = model.predict_proba
    why = contributions(model, X[:5])
    np.testing.assert_allclose(why.values.sum(axis=1) + why.base, model._scores(X[:5]))
    assert f"predicted '{model.predict(X[:1])[0]}'" in why.text(0)
    found = model.recalibrate(X, Y).predict_proba(X)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert f"probability of '{model.predict(X[:1])[0]}'" in contributions(model, X[:5]).text(0)


def test_a_rule_about_one_column_tells_of_no_other():
    rules = fitted("all-pairs", shared=False).describe(1).splitlines()
    assert len(rules) == 4
    assert rules[2].split()[:3] == ["a", "/", "b"]


@separate
def test_two_classes_are_adaboost(shared):
    two = Y < "c"
    model = fitted("dense", y=two, shared=shared)
    alone = AdaBoostClassifier(n_estimators=ROUNDS).fit(X, two)
    np.testing.assert_array_equal(model.decision_function(X), alone.decision_function(X))
    assert model.code_.tolist() == [[-1], [1]]
    assert model.certificate_["bound"] == alone.certificate_["bound"]


@separate
def test_a_class_with_one_example_and_as_many_classes_as_rows(shared):
    rare = Y.copy()
    rare[0] = "z"
    given = {"learner": "tree", "smoothing": 1e-3, "n_estimators": 40}
    model = fitted("all-pairs", y=rare, shared=shared, **given)
    assert model.predict(X[:1]).tolist() == ["z"]
    every = fitted("dense", X[:12], np.arange(12), shared=shared, n_estimators=30, learner="tree")
    assert every.score(X[:12], np.arange(12)) == 1.0


@separate
def test_trees_on_shards_leave_out_the_zeros_of_a_code(shared, monkeypatch):
    given = {"shared": shared, "learner": "tree", "n_estimators": 6}
    wanted = fitted("all-pairs", **given).decision_function(X)
    fit_on(monkeypatch, 3)
    np.testing.assert_array_equal(fitted("all-pairs", **given).decision_function(X), wanted)


def test_a_learner_of_another_library():
    from sklearn.tree import DecisionTreeClassifier

    for shared in (True, False):
        stump = DecisionTreeClassifier(max_depth=1)
        model = fitted("all-pairs", shared=shared, learner=stump, random_state=0)
        assert model.score(X, Y) > 0.7
        assert model.certificate_["training_error"] <= model.certificate_["bound"]


def test_what_is_refused():
    def refused(message, y=Y, **parameters):
        with pytest.raises(ValueError, match=message):
            fitted(parameters.pop("code", "dense"), y=y, **parameters)

    refused("needs one label per row, but y has 2 columns", y=np.eye(2)[np.arange(len(X)) % 2])
    refused("pos_label='a' is for two classes", pos_label="a")
    refused("shared='no' must be True or False", shared="no")
    refused("code has 2 rows, but y has 4 classes", code=[[1], [-1]])
    refused("code has 4 rows, but y has 2 classes", y=Y < "c", code=OWN)
    model = fitted("dense", warm_start=True)
    with pytest.raises(ValueError, match="the code is not that of the fitted model"):
        model.set_params(code="all-pairs", n_estimators=9).fit(X, Y)
    with pytest.raises(ValueError, match=r"y_val has labels \['e'\]"):
        OutputCodeBoostClassifier().fit(X, Y, X_val=X[:1], y_val=["e"])
    with pytest.raises(ValueError, match=r"code has zeros, which Logistic\(\) cannot leave out"):
        BoostingClassifier(loss=Logistic(), code=OutputCode("all-pairs")).fit(X, Y)
