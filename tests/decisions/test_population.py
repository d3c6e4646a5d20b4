"""Fitted models in another population: prevalence and recalibration."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from underdog import (
    AdaBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    GradientBoostingClassifier,
    LPBoostClassifier,
    ThresholdClassifier,
    recalibrate,
    with_prevalence,
)
from underdog.codes.calibration import fit_line
from underdog.codes.prevalence import shifted
from underdog.files import load, save
from underdog.inspection import rules_needed

RANDOM = np.random.RandomState(0)


def drawn(count, share):
    """Rows of two classes with normal columns; the classes look the same whatever their share."""
    y = (RANDOM.rand(count) < share).astype(int)
    return RANDOM.randn(count, 2) + y[:, None], y


X, Y = drawn(2000, 0.4)
RARE, TRULY = drawn(20_000, 0.02)
NAMES = np.array(["a", "b", "c"])
MANY = NAMES[np.clip(Y + (X[:, 0] > 1.5), 0, 2)]


def again(model, tmp_path):
    save(model, tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    for method in ("decision_function", "predict", "predict_proba"):
        if hasattr(model, method):
            assert np.array_equal(getattr(loaded, method)(X), getattr(model, method)(X))
    return loaded


@pytest.fixture(scope="module")
def booster():
    return GradientBoostingClassifier(n_estimators=20).fit(X, Y)


def test_odds_are_multiplied():
    new, old = np.array([0.99, 0.01]), np.array([0.6, 0.4])
    (found,) = shifted(np.array([[0.3, 0.7]]), new, old)
    assert found[1] / found[0] == pytest.approx(0.7 / 0.3 * (0.01 / 0.4) / (0.99 / 0.6))


def test_probabilities_are_right_in_the_new_population(booster, tmp_path):
    rare = again(booster.with_prevalence(0.02), tmp_path)
    assert rare.predict_proba(RARE)[:, 1].mean() == pytest.approx(0.02, abs=0.004)
    assert booster.predict_proba(RARE)[:, 1].mean() > 0.1
    assert np.array_equal(rare.predict(RARE), rare.predict_proba(RARE)[:, 1] > 0.5)
    assert np.array_equal(rare.decision_function(RARE), booster.decision_function(RARE))
    assert "probabilities are for these shares: 0 0.98" in rare.describe()
    same = booster.with_prevalence(float(Y.mean()))
    assert same.predict_proba(X) == pytest.approx(booster.predict_proba(X))
    assert np.array_equal(same.predict(X), booster.predict(X))
    assert rules_needed(rare, RARE[:500], TRULY[:500]).scores[-1] == pytest.approx(
        np.mean(rare.predict(RARE[:500]) == TRULY[:500])
    )


def test_positive_class_and_mapping():
    model = AdaBoostClassifier(n_estimators=5, pos_label=0).fit(X, Y)
    assert np.allclose(model.class_prior_, [1 - Y.mean(), Y.mean()])
    one, two = model.with_prevalence(0.3), model.with_prevalence({1: 0.7})
    assert np.allclose(one.predict_proba(X), two.predict_proba(X))
    again_changed = one.with_prevalence(0.9)
    assert np.allclose(again_changed.predict_proba(X), model.with_prevalence(0.9).predict_proba(X))


def test_training_rows_that_were_sampled_by_class(booster):
    as_if = booster.with_prevalence(0.02, training_prevalence=0.02)
    assert np.allclose(as_if.predict_proba(X), booster.predict_proba(X))


def test_several_classes(tmp_path):
    model = AdaBoostClassifier(n_estimators=5).fit(X, MANY)
    rare = again(with_prevalence(model, {"c": 0.01}), tmp_path)
    shares = rare.prevalence_
    assert shares[2] == 0.01
    assert shares[0] / shares[1] == pytest.approx(model.class_prior_[0] / model.class_prior_[1])
    odds = rare.predict_proba(X) / model.predict_proba(X)
    expected = (shares / model.class_prior_)[2] / (shares / model.class_prior_)[0]
    assert (odds[:, 2] / odds[:, 0]) == pytest.approx(np.full(len(X), expected))
    assert np.mean(rare.predict(X) == "c") < np.mean(model.predict(X) == "c")


def test_costs_follow(tmp_path):
    costs = Costs(fn=5, fp=1)
    model = CostSensitiveClassifier(AdaBoostClassifier(n_estimators=20), costs, cv=3).fit(X, Y)
    rare = again(model.with_prevalence(0.02), tmp_path)
    positive = rare.predict_proba(RARE)[:, 1]
    assert positive.mean() == pytest.approx(0.02, abs=0.004)
    assert np.array_equal(rare.predict(RARE), positive > costs.threshold())

    def cost(each):
        return costs.total(TRULY, each.predict(RARE), [0, 1])

    assert cost(rare) < 0.8 * cost(model)


def test_thresholds_follow(tmp_path):
    model = ThresholdClassifier(AdaBoostClassifier(n_estimators=20), ("precision", 0.6), cv=3)
    model.fit(X, Y)
    rare = again(model.with_prevalence(0.1), tmp_path)
    assert rare.threshold_ > model.threshold_
    few = np.r_[np.flatnonzero(Y == 0), np.flatnonzero(Y == 1)[::6]]
    assert Y[few].mean() == pytest.approx(0.1, abs=0.01)
    alarms = rare.predict(X[few]) == 1
    assert Y[few][alarms].mean() > 0.5
    back = rare.with_prevalence(float(Y.mean()))
    assert back.threshold_ == model.threshold_
    costs = ThresholdClassifier(model.estimator, Costs(fn=3, fp=1), cv=3).fit(X, Y)
    moved = costs.with_prevalence(0.1)
    chosen = list(moved.curve_["threshold"]).index(moved.threshold_)
    curve = moved.curve_
    assert curve["cost"][chosen] == pytest.approx((3 * curve["fn"] + curve["fp"]).min())


def test_a_line_is_that_of_a_logistic_regression():
    scores = RANDOM.randn(500) * 3.0 + 7.0
    positive = RANDOM.rand(500) < 1 / (1 + np.exp(-(0.5 * scores - 3.0)))
    twice = np.ones(500)
    twice[:250] = 2.0
    slope, intercept = fit_line(scores, positive, twice)
    inside, outside = twice[positive].sum(), twice[~positive].sum()
    target = np.where(positive, (inside + 1) / (inside + 2), 1 / (outside + 2))
    peer = LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.r_[scores, scores][:, None],
        np.r_[np.ones(500), np.zeros(500)],
        sample_weight=np.r_[target * twice, (1 - target) * twice],
    )
    assert (slope, intercept) == pytest.approx((peer.coef_[0, 0], peer.intercept_[0]), rel=1e-4)
    assert fit_line(-scores, positive, twice)[0] == 0.0
    assert fit_line(np.ones(500), positive, twice)[0] == 0.0


@pytest.mark.parametrize("y", [Y, MANY], ids=["two", "three"])
@pytest.mark.parametrize("learn", [AdaBoostClassifier, GradientBoostingClassifier])
def test_overconfident_probabilities_are_corrected(learn, y, tmp_path):
    model = learn(n_estimators=60).fit(X[::4], y[::4])
    new, truth = X[1::2], y[1::2]
    better = again(recalibrate(model, new, truth), tmp_path)
    assert log_loss(truth, better.predict_proba(new)) < log_loss(truth, model.predict_proba(new))
    shares = [np.mean(truth == label) for label in model.classes_]
    # Of two classes Platt's targets move the mean a little.
    within = 0.02 if len(shares) == 2 else 1e-6
    assert better.predict_proba(new).mean(axis=0) == pytest.approx(shares, abs=within)
    assert np.array_equal(better.decision_function(X), model.decision_function(X))
    assert np.array_equal(better.predict(X), model.predict(X))
    assert model.calibration_ is None
    assert f"recalibrated on {len(new):,} rows" in better.describe()
    assert better.fit(X[::4], y[::4]).calibration_ is None


def test_softmax_of_the_slope_one_is_itself():
    model = GradientBoostingClassifier(n_estimators=5).fit(X, MANY)
    log_odds = model._labels.margins(model._scores(X))
    assert np.allclose(model._labels.calibrated(log_odds), model.predict_proba(X))


def test_several_labels(tmp_path):
    labels = np.column_stack([Y, X[:, 0] > 0.3]).astype(int)
    model = AdaBoostClassifier(n_estimators=20).fit(X[::4], labels[::4])
    better = again(recalibrate(model, X[1::2], labels[1::2]), tmp_path)
    found = better.predict_proba(X[1::2]).mean(axis=0)
    assert found == pytest.approx(labels[1::2].mean(axis=0), abs=0.02)
    rare = again(better.with_prevalence([0.05, 0.5]), tmp_path)
    assert rare.predict_proba(X)[:, 0].mean() < 0.5 * found[0]
    with pytest.raises(ValueError, match="every row has the label '1'"):
        recalibrate(model, X, np.column_stack([Y, np.ones_like(Y)]))
    with pytest.raises(ValueError, match="must be the shares of 2 labels"):
        model.with_prevalence(0.1)


def test_weights_are_numbers_of_rows():
    model = AdaBoostClassifier(n_estimators=5).fit(X[:500], Y[:500])
    times = RANDOM.randint(0, 3, 500)
    weighted = recalibrate(model, X[500:1000], Y[500:1000], times)
    each = np.repeat(np.arange(500, 1000), times)
    repeated = recalibrate(model, X[each], Y[each])
    assert np.allclose(weighted.predict_proba(X), repeated.predict_proba(X))
    assert np.allclose(weighted.class_prior_, repeated.class_prior_)


def test_margins_get_probabilities(tmp_path):
    model = LPBoostClassifier(nu=0.8, tol=0.1, class_weight="balanced").fit(X[:300], Y[:300])
    with pytest.raises(ValueError, match="recalibrate it first"):
        model.with_prevalence(0.1)
    better = again(recalibrate(model, X[300:], Y[300:]), tmp_path)
    assert brier_score_loss(Y, better.predict_proba(X)[:, 1]) < 0.25
    assert better.with_prevalence(0.01).predict_proba(X)[:, 1].mean() < 0.1


def test_deciders_and_pipelines(tmp_path):
    boost = AdaBoostClassifier(n_estimators=60)
    half, other = slice(0, 500), slice(500, 2000)
    for decider in (ThresholdClassifier(boost, cv=3), CostSensitiveClassifier(boost, cv=3)):
        model = make_pipeline("passthrough", decider).fit(X[half], Y[half])
        better = again(recalibrate(model, X[other], Y[other]), tmp_path)
        found = better.predict_proba(X[other])[:, 1]
        assert found.mean() == pytest.approx(Y[other].mean(), abs=0.01)
        assert not np.allclose(found, model.predict_proba(X[other])[:, 1])
        with pytest.raises(ValueError, match="no row has the class 1"):
            recalibrate(model, X[Y == 0], Y[Y == 0])
        rare = with_prevalence(better, 0.01)
        assert rare[-1].prevalence_[1] == 0.01


@pytest.mark.parametrize(
    ("prevalence", "message"),
    [
        (1.5, "is not above 0 and below 1"),
        ({"z": 0.5}, "'z' is not a class of the model"),
        ({0: 0.5, 1: 0.4}, "sum to 0.9, not to 1"),
        ("a lot", "is not above 0 and below 1"),
    ],
)
def test_wrong_shares(booster, prevalence, message):
    with pytest.raises(ValueError, match=message):
        booster.with_prevalence(prevalence)


def test_what_cannot_change(booster):
    many = AdaBoostClassifier(n_estimators=2).fit(X, MANY)
    with pytest.raises(ValueError, match="give a mapping"):
        many.with_prevalence(0.5)
    with pytest.raises(ValueError, match="leaves nothing for the other classes"):
        many.with_prevalence({"a": 0.6, "b": 0.4})
    with pytest.raises(TypeError, match="StandardScaler has no with_prevalence"):
        with_prevalence(StandardScaler(), 0.1)
    with pytest.raises(TypeError, match="LogisticRegression has no recalibrate"):
        recalibrate(LogisticRegression().fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="no row has the class '0'"):
        recalibrate(booster, X[Y == 1], Y[Y == 1])
    with pytest.warns(UserWarning, match="do not separate"):
        recalibrate(booster, X, 1 - Y)
    booster.class_prior_, kept = None, booster.class_prior_
    with pytest.raises(ValueError, match="give training_prevalence, too"):
        booster.with_prevalence(0.1)
    booster.class_prior_ = kept
