"""AdaBoost.OC and AdaBoost.ECC: against the textbook, and what colourings promise."""

import numpy as np
import pytest
import scipy.sparse as sp

from tests.estimators.test_output_code_boost import NUMBERS, ROUNDS, WEIGHTS, X, Y, scores_of
from tests.twins.output_codes import adaboost_ecc, adaboost_oc
from underdog import AdaBoostClassifier, AdaBoostECCClassifier, AdaBoostOCClassifier, load
from underdog.estimators.support.colouring import ROOM, colouring

both = pytest.mark.parametrize("booster", [AdaBoostOCClassifier, AdaBoostECCClassifier])
SEED = 11


def fitted(booster, X=X, y=Y, weights=None, **parameters):
    given = {"n_estimators": ROUNDS, "random_state": SEED, **parameters}
    return booster(**given).fit(X, y, weights)


def colourings():
    return [colouring(SEED, number * ROOM, 4) for number in range(ROUNDS)]


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["alone", "weighted"])
def test_oc_is_m2_with_coloured_rules(weights):
    model = fitted(AdaBoostOCClassifier, weights=weights)
    scores, zs = adaboost_oc(X, NUMBERS, colourings(), weights)
    level = scores.mean(axis=2, keepdims=True)  # M2 gives the same to all labels of a row
    found = scores_of(model)
    own = found - found.mean(axis=2, keepdims=True)
    np.testing.assert_allclose(own, scores - level, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(model.history_["z"], zs, rtol=1e-8)


@pytest.mark.parametrize("learner", ["real", "discrete"])
def test_ecc_is_that_of_the_textbook(learner):
    model = fitted(AdaBoostECCClassifier, learner=learner, weights=WEIGHTS)
    scores, zs = adaboost_ecc(X, NUMBERS, colourings(), learner, WEIGHTS)
    np.testing.assert_allclose(scores_of(model), scores, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(model.history_["z"], zs, rtol=1e-8)


def test_the_step_of_ecc_is_the_better_one():
    """The first rule of both is the same, and so is its colouring."""
    oc, ecc = (
        fitted(booster, learner="discrete", n_estimators=1)
        for booster in (AdaBoostOCClassifier, AdaBoostECCClassifier)
    )
    values = [model.model_.members[0].hypothesis.values.tolist() for model in (oc, ecc)]
    assert values[0] == values[1]
    assert ecc.history_["z"][0] < oc.history_["z"][0] < 1.0
    assert ecc.history_["coefficient"][0] > oc.history_["coefficient"][0]


@both
def test_the_bound_holds_in_every_round(booster):
    model = fitted(booster, weights=WEIGHTS, n_estimators=30)
    rows, right = np.arange(len(Y)), np.arange(4) == NUMBERS[:, np.newaxis]
    for scores, predicted, loss in zip(
        scores_of(model), model.staged_predict(X), model.history_["loss"], strict=True
    ):
        ahead = scores - scores[rows, NUMBERS][:, np.newaxis]
        wrong = np.where(right, 0.0, ahead >= 0).sum(axis=1) / 3
        each = np.where(right, 0.0, np.exp(0.5 * ahead)).sum(axis=1) / 3
        np.testing.assert_allclose(np.average(each, weights=WEIGHTS), loss, rtol=1e-8)
        error = np.average(predicted != Y, weights=WEIGHTS)
        assert error <= 3 * loss
        assert np.average(wrong, weights=WEIGHTS) <= loss
    found = model.certificate_
    np.testing.assert_allclose(found["bound"], 3 * found["ranking_bound"])
    np.testing.assert_allclose(found["ranking_bound"], loss, rtol=1e-8)
    np.testing.assert_allclose(found["training_error"], np.average(wrong > 0, weights=WEIGHTS))
    assert error <= found["training_error"] <= found["bound"]
    np.testing.assert_allclose(found["ranking_loss"], np.average(wrong, weights=WEIGHTS))


@both
@pytest.mark.parametrize("n_colourings", [1, 5])
def test_the_same_bits(booster, n_colourings, tmp_path):
    def made(*data, **parameters):
        return fitted(booster, *data, n_colourings=n_colourings, **parameters)

    model = made(X, Y, WEIGHTS)
    order = np.random.default_rng(1).permutation(len(Y))
    repeated = np.repeat(np.arange(len(Y)), WEIGHTS)
    first = made(X, Y, WEIGHTS, n_estimators=3)
    first.save(tmp_path / "model.udg")
    gone_on = load(tmp_path / "model.udg").set_params(warm_start=True, n_estimators=ROUNDS)
    for other in (
        made(X[order], Y[order], WEIGHTS[order]),
        made(X[repeated], Y[repeated]),
        made(sp.csr_array(X), Y, WEIGHTS, n_jobs=2),
        gone_on.fit(X, Y, WEIGHTS),
    ):
        np.testing.assert_array_equal(other.decision_function(X), model.decision_function(X))
        np.testing.assert_array_equal(other.history_["log_loss"], model.history_["log_loss"])
    another = made(X, Y, WEIGHTS, random_state=SEED + 1)
    assert not np.array_equal(another.decision_function(X), model.decision_function(X))


def test_of_several_colourings_the_one_that_separates_most():
    """In the first round all wrong labels weigh the same: the largest classes are apart."""
    y = np.array(list("aaaaaaaabbbbbbbbcd"))
    X = np.random.default_rng(0).normal(size=(len(y), 3))
    model = fitted(AdaBoostECCClassifier, X, y, n_colourings=50, n_estimators=1)
    colours = np.sign(model.model_.members[0].steps[0])
    classes = np.searchsorted(list("abcd"), y)
    drawn = [colouring(SEED, number, 4) for number in range(50)]
    apart = [(own[classes][:, np.newaxis] != own).sum() for own in drawn]
    assert (colours[classes][:, np.newaxis] != colours).sum() == max(apart)


def test_colourings_are_halves_of_the_classes():
    drawn = np.array([colouring(3, number, 7) for number in range(200)])
    assert (np.sort(drawn, axis=1) == [-1, -1, -1, 1, 1, 1, 1]).all()
    assert (np.abs(drawn.mean(axis=0) - 1 / 7) < 0.25).all()
    assert len(np.unique(drawn, axis=0)) == 35


@both
def test_two_classes_are_adaboost(booster):
    two = Y < "c"
    model = fitted(booster, y=two)
    alone = AdaBoostClassifier(learner=model.learner, n_estimators=ROUNDS).fit(X, two)
    np.testing.assert_array_equal(model.decision_function(X), alone.decision_function(X))
    assert model.certificate_["bound"] == alone.certificate_["bound"]


@both
def test_trees_and_learners_of_other_libraries(booster):
    from sklearn.tree import DecisionTreeClassifier

    for learner in ("c4.5-like", DecisionTreeClassifier(max_depth=2)):
        model = fitted(booster, learner=learner)
        assert model.score(X, Y) > 0.8
        assert model.certificate_["training_error"] <= model.certificate_["bound"]


@both
def test_early_stopping_and_odd_classes(booster):
    model = fitted(booster, n_estimators=60, early_stopping=True, n_iter_no_change=3)
    assert model.n_iter_ == int(np.nanargmax(model.history_["validation_score"])) + 1
    rare = Y.copy()
    rare[0] = "z"
    assert fitted(booster, y=rare).classes_.tolist() == ["a", "b", "c", "d", "z"]
    every = fitted(booster, X[:9], np.arange(9), n_estimators=80)
    assert every.score(X[:9], np.arange(9)) == 1.0
    constant = fitted(booster, np.zeros((len(Y), 1)))
    assert constant.predict(np.zeros((1, 1))).tolist() == [max("abcd", key=list(Y).count)]


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"real values, but AdaBoost\.OC needs votes"):
        fitted(AdaBoostOCClassifier, learner="real")
    with pytest.raises(ValueError, match="n_colourings=0 must be a whole number"):
        fitted(AdaBoostECCClassifier, n_colourings=0)
    with pytest.raises(ValueError, match="needs one label per row, but y has 2 columns"):
        fitted(AdaBoostECCClassifier, y=np.eye(2)[np.arange(len(X)) % 2])
    with pytest.raises(AttributeError, match="its scores are margins, not log-odds"):
        _ = fitted(AdaBoostOCClassifier).predict_proba
