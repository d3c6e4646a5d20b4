"""AdaBoost.M1, M2 and MR: the textbook, what they are equal to, bounds, and odd classes."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.test_against_twins import (
    assert_same_bits,
    assert_same_run,
    binary,
    features,
    multi_label,
    petals,
    stages,
    weighting,
)
from tests.twins import several_classes as twin
from underdog import (
    AdaBoostClassifier,
    AdaBoostM1Classifier,
    AdaBoostM2Classifier,
    AdaBoostMHClassifier,
    AdaBoostMRClassifier,
    Costs,
    load,
    save,
)
from underdog.learners import C45LikeLearner, TreeLearner

ROUNDS = 12
ALL = {
    "M1": AdaBoostM1Classifier(learner="discrete", n_estimators=ROUNDS),
    "M1, C4.5-like": AdaBoostM1Classifier(n_estimators=4),
    "M2": AdaBoostM2Classifier(n_estimators=ROUNDS),
    "MR": AdaBoostMRClassifier(n_estimators=ROUNDS),
}
each = pytest.mark.parametrize("model", ALL.values(), ids=ALL)


def several(kind="continuous", n_classes=4):
    """More classes than a stump can tell apart."""
    X = features(kind)
    return X, np.digitize(np.nan_to_num(X, nan=0.7) @ [1.0, 0.5, 0.0, 0.0], [-0.8, 0.0, 0.8])


# The textbook.


@pytest.mark.parametrize("weights", ["none", "real"])
def test_m1(weights):
    (X, y), s = petals(), weighting(weights, 90)
    if weights == "real":
        for column in range(4):
            X[column::9, column] = np.nan
    model = AdaBoostM1Classifier(learner="discrete", n_estimators=ROUNDS)
    model.fit(X, np.array(["a", "b", "c"])[y], sample_weight=s)
    assert_same_run(model, X, twin.adaboost_m1(X, y, 3, ROUNDS, s))


@pytest.mark.parametrize("data", ["continuous", "few values", "missing"])
def test_m2(data):
    (X, y), s = several(data), weighting("integer")
    model = AdaBoostM2Classifier(n_estimators=ROUNDS).fit(X, y, sample_weight=s)
    assert_same_run(model, X, twin.adaboost_m2(X, y, 4, ROUNDS, s))


@pytest.mark.parametrize("data", ["few values", "missing"])
@pytest.mark.parametrize("learner", ["real", "discrete"])
def test_mr(learner, data):
    """Rows with all labels or none are among them, if no cut depends on their values."""
    (X, Y), s = multi_label(data), weighting("real")
    if data == "few values":
        Y[:3] = 1
        assert {0, 3} <= set((Y > 0).sum(axis=1).tolist())
    else:
        some = np.ptp(Y, axis=1) > 0
        X, Y, s = X[some], Y[some], s[some]
    model = AdaBoostMRClassifier(learner=learner, n_estimators=ROUNDS)
    model.fit(X, (Y > 0).astype(int), sample_weight=s)
    assert_same_run(model, X, twin.adaboost_mr(X, Y, learner, ROUNDS, s))


# What they are equal to.


@pytest.mark.parametrize("learner", ["real", "discrete", TreeLearner(max_depth=2)])
def test_m2_is_mr_with_one_class_per_row(learner):
    X, y = several()
    m2 = AdaBoostM2Classifier(learner=learner, n_estimators=ROUNDS).fit(X, y)
    for target in (y, (y[:, None] == np.arange(4)).astype(int)):
        mr = AdaBoostMRClassifier(learner=learner, n_estimators=ROUNDS).fit(X, target)
        assert_same_bits(m2, mr, X)


@pytest.mark.parametrize("learner", ["discrete", "c4.5-like", DecisionTreeClassifier(max_depth=2)])
@pytest.mark.parametrize("booster", [AdaBoostM1Classifier, AdaBoostM2Classifier])
def test_two_classes_are_binary_adaboost(booster, learner):
    X, y = binary("continuous")
    model = booster(learner=learner, n_estimators=5, random_state=0).fit(X, y)
    plain = AdaBoostClassifier(learner=learner, n_estimators=5, random_state=0).fit(X, y)
    assert_same_bits(model, plain, X)
    assert not hasattr(model, "predict_proba")


# Bounds.


@each
def test_the_bound_holds_in_every_round(model):
    X, y = (petals if model is ALL["M1"] else several)()
    model = model.fit(X, y)
    factor = 1 if isinstance(model, AdaBoostM1Classifier) else len(model.classes_) - 1
    bounds = factor * model.history_["loss"]
    np.testing.assert_allclose(model.history_["loss"], np.cumprod(model.history_["z"]), rtol=1e-9)
    for scores, bound in zip(stages(model, X), bounds, strict=True):
        own = scores[np.arange(len(y)), y]
        others = np.where(y[:, None] == np.arange(scores.shape[1]), -np.inf, scores).max(axis=1)
        assert np.mean(others >= own) <= bound
    assert model.certificate_["bound"] == pytest.approx(bounds[-1], rel=1e-9)
    assert model.certificate_["training_error"] == np.mean(others >= own)


def test_the_ranking_loss_is_below_its_bound_in_every_round():
    X, Y = multi_label("continuous")
    model = AdaBoostMRClassifier(n_estimators=ROUNDS).fit(X, (Y > 0).astype(int))
    pairs = (Y < 0)[:, :, None] & (Y > 0)[:, None, :]
    some = pairs.any(axis=(1, 2))
    for scores, bound in zip(stages(model, X), model.history_["loss"], strict=True):
        wrong = pairs & (scores[:, :, None] >= scores[:, None, :])
        loss = np.mean(wrong[some].sum(axis=(1, 2)) / pairs[some].sum(axis=(1, 2)))
        assert loss <= bound
    assert model.certificate_["ranking_loss"] == pytest.approx(loss, rel=1e-12)
    assert model.certificate_["bound"] == model.certificate_["ranking_bound"]
    assert model.certificate_["ranking_bound"] == pytest.approx(bound, rel=1e-9)


# The same bits.


@each
def test_order_repeats_and_storage_do_not_matter(model, tmp_path):
    rng = np.random.default_rng(3)
    X, y = several("few values")
    s = rng.integers(1, 4, len(y))
    wanted = stages(model.fit(X, y, sample_weight=s), X)
    path = tmp_path / "model.udg"
    save(model, path)
    np.testing.assert_array_equal(stages(load(path), X), wanted)
    again = rng.permutation(np.repeat(np.arange(len(y)), s))
    np.testing.assert_array_equal(stages(model.fit(X[again], y[again]), X), wanted)
    np.testing.assert_array_equal(stages(model.fit(sp.csr_array(X), y, s), X), wanted)


# When AdaBoost.M1 stops.


def test_m1_says_what_to_use_where_rules_are_too_weak():
    X, y = several()
    model = AdaBoostM1Classifier(learner="discrete").fit(X, y)
    assert "not below 1/2, which AdaBoost.M1 needs: use AdaBoostM2Classifier" in model.stop_reason_
    only = AdaBoostM1Classifier(learner="discrete").fit(X, (3 * X[:, 0]).astype(int))
    assert only.n_iter_ == 1
    assert only.stop_reason_.startswith("the rule of round 1 has a weighted error of")
    assert only.estimator_weights_.tolist() == [1.0]


def test_m1_stops_after_a_rule_without_mistakes():
    X, y = several()
    model = AdaBoostM1Classifier(learner=DecisionTreeClassifier(), random_state=0).fit(X, y)
    assert (model.n_iter_, model.score(X, y)) == (1, 1.0)
    assert model.stop_reason_.startswith("one rule makes no mistake")
    assert model.estimator_weights_[0] == pytest.approx(np.log(2 * len(y)) / 2)  # eps = 1/(2m)


@pytest.mark.parametrize("learner", ["real", TreeLearner(), C45LikeLearner(kind="real")])
def test_m1_refuses_rules_that_do_not_answer_with_a_class(learner):
    with pytest.raises(ValueError, match=r"gives real values, but AdaBoost\.M1 needs rules that"):
        AdaBoostM1Classifier(learner=learner).fit(*petals())


@pytest.mark.parametrize("learner", [GaussianNB(), "tree", DecisionTreeClassifier(max_depth=3)])
def test_m1_takes_what_answers_with_a_class(learner):
    X, y = petals()
    names = np.array(["x", "a", "m"])[y]
    model = AdaBoostM1Classifier(learner=learner, n_estimators=5, random_state=0).fit(X, names)
    error = 1.0 - model.score(X, names)
    assert error <= model.certificate_["training_error"] <= model.certificate_["bound"] < 0.5
    assert (np.abs(model.estimator_weights_) > 0).all()


@pytest.mark.parametrize("booster", [AdaBoostM1Classifier, AdaBoostM2Classifier])
def test_several_labels_are_refused(booster):
    X, Y = multi_label("continuous")
    with pytest.raises(ValueError, match=r"one class per row: use .*AdaBoostMRClassifier"):
        booster().fit(X, (Y > 0).astype(int))


# Odd classes and labels.


@each
def test_classes_with_one_example_and_more_classes_than_rows(model):
    """Every row a class of its own; and no class that was never seen is predicted."""
    X = np.arange(6.0)[:, None]
    y = np.array(["a", "b", "c", "c", "c", "d"])
    assert set(model.fit(X, y).predict(X)) <= set(y)
    alone = model.fit(X, np.arange(6))
    assert alone.decision_function(X).shape == (6, 6)
    assert np.isfinite(alone.decision_function(X)).all()
    with pytest.raises(ValueError, match="y_val has labels"):
        model.fit(X, y, X_val=X, y_val=np.array(["a", "b", "c", "c", "c", "new"]))


def test_rows_with_all_labels_or_none_are_left_out():
    X, Y = multi_label("few values")
    Y = (Y > 0).astype(int)
    Y[:3] = 1
    some = (Y.min(axis=1) == 0) & (Y.max(axis=1) == 1)
    model = AdaBoostMRClassifier(n_estimators=ROUNDS)
    wanted = stages(model.fit(X[some], Y[some]), X)
    np.testing.assert_array_equal(stages(model.fit(X, Y), X), wanted)
    never = np.column_stack([Y, np.zeros(len(Y), dtype=int)])  # a label that no row has
    assert not model.fit(X, never).predict(X)[:, 3].any()
    with pytest.raises(ValueError, match="no row has a label and lacks another"):
        model.fit(X, np.ones_like(Y))


def test_labels_in_order_and_above_the_cut(tmp_path):
    X, Y = multi_label("continuous")
    model = AdaBoostMRClassifier(n_estimators=ROUNDS, cut=0.5).fit(X, (Y > 0).astype(int))
    plain = AdaBoostMRClassifier(n_estimators=ROUNDS).fit(X, (Y > 0).astype(int))
    scores = plain.decision_function(X)
    np.testing.assert_array_equal(model.decision_function(X), scores - 0.5)
    np.testing.assert_array_equal(model.predict(X), scores > 0.5)
    save(model, tmp_path / "ranked.udg")
    np.testing.assert_array_equal(load(tmp_path / "ranked.udg").predict(X), scores > 0.5)
    order = model.predict_ranking(X)
    assert (np.diff(np.take_along_axis(scores, order, axis=1), axis=1) <= 0).all()
    X, y = several()
    one = AdaBoostM2Classifier(n_estimators=ROUNDS).fit(X, y)
    np.testing.assert_array_equal(one.predict_ranking(X)[:, 0], one.predict(X))
    with pytest.raises(ValueError, match="cut='high' must be a number"):
        AdaBoostMRClassifier(cut="high").fit(X, (y[:, None] == np.arange(4)).astype(int))


def test_costs_are_weights_of_rows():
    X, y = petals()
    table = {a: {b: 0.0 if a == b else 1.0 + 4.0 * (a == 2) for b in range(3)} for a in range(3)}
    for booster in (AdaBoostM1Classifier, AdaBoostM2Classifier, AdaBoostMRClassifier):
        paid = booster(learner="discrete", n_estimators=4, costs=Costs.matrix(table), smoothing=0.1)
        weighed = booster(learner="discrete", n_estimators=4, smoothing=0.1)
        weighed.fit(X, y, sample_weight=np.where(y == 2, 5.0, 1.0))
        np.testing.assert_allclose(stages(paid.fit(X, y), X), stages(weighed, X), atol=1e-9)


def test_mr_ranks_better_than_mh():
    """What each minimises: the ranking loss on training rows, with the same number of rules."""
    X, Y = multi_label("continuous")
    Y = (Y > 0).astype(int)
    pairs = (Y == 0)[:, :, None] & (Y == 1)[:, None, :]
    losses = []
    for booster in (AdaBoostMRClassifier, AdaBoostMHClassifier):
        scores = booster(n_estimators=5).fit(X, Y).decision_function(X)
        losses.append((pairs & (scores[:, :, None] >= scores[:, None, :])).sum())
    assert losses[0] < losses[1]
