"""What every booster reports: history, certificates, sizes of steps."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.small import (
    CORRECTIVE_KEYS,
    KEYS,
    assert_one_entry_per_round,
    each_corrective,
    each_exponential,
    each_real_booster,
    keys,
    learnable,
    make,
    measured_error,
    noisy,
    stages,
    three_classes,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    NotConverged,
    UnderdogWarning,
)


@each_exponential
@two_kinds
def test_history(booster, learner):
    X, y = noisy()
    model = booster(learner=learner, n_estimators=7).fit(X, y)
    assert set(model.history_) >= keys(booster)
    assert "validation_score" not in model.history_
    assert_one_entry_per_round(model, 7)
    assert (model.n_iter_, model.stop_reason_) == (7, "all rounds done")
    history = model.history_
    if "z" in history:
        before = history["log_loss"] - np.cumsum(np.log(history["z"]))  # of the start
        np.testing.assert_allclose(before, before[0], rtol=1e-7, atol=1e-9)
        assert model.model_.start.any() or before[0] == pytest.approx(0.0, abs=1e-9)
        np.testing.assert_allclose(np.exp(history["log_loss"]), history["loss"])
    assert (history["seconds"] >= 0).all()
    assert len(stages(model, X)) == 7


@each_corrective
@two_kinds
def test_history_of_coefficients_found_anew(booster, learner):
    X, y = noisy()
    with pytest.warns(NotConverged, match="reached n_estimators=7 before it converged"):
        model = booster(learner=learner, n_estimators=7).fit(X, y)
    history = model.history_
    assert set(history) == CORRECTIVE_KEYS
    assert_one_entry_per_round(model, 7)
    assert (model.n_iter_, model.stop_reason_) == (7, "all rounds done")
    assert not model.converged_
    np.testing.assert_array_equal(history["loss"], -history["primal_value"])
    np.testing.assert_array_equal(history["best_edge"], np.minimum.accumulate(history["edge"]))
    # Weak duality, up to what decides between equally good solutions.
    assert (history["primal_value"] <= history["dual_value"] + 1e-8).all()
    assert (np.abs(history["edge"]) <= 1 + 1e-12).all()
    assert (history["hypotheses"] >= 1).all()
    assert (history["hypotheses"] <= np.arange(1, 8)).all()
    assert (history["seconds"] >= 0).all()
    assert len(stages(model, X)) == 7
    certificate = model.certificate_
    assert certificate["soft_margin"] == pytest.approx(history["primal_value"][-1], abs=1e-8)
    assert certificate["training_error"] == pytest.approx(
        measured_error(model, X, y, 1.0 + (getattr(model, "beta", 1.0) - 1.0) * y)
    )
    assert np.isfinite(certificate["upper_bound"]) == (learner == "discrete")


def test_history_of_adaboost_a():
    X, y = noisy()
    model = AdaBoostAClassifier(initial="zipf", n_estimators=6).fit(X, y)
    history = model.history_
    assert set(history) == KEYS | {"wrong_share", "ratio", "bound"}
    share = history["wrong_share"]
    np.testing.assert_allclose(history["ratio"], 2 * np.sqrt(share * (1 - share)), rtol=1e-9)
    np.testing.assert_allclose(history["bound"], np.cumprod(history["ratio"]))


@each_real_booster
@two_kinds
@unfinished
def test_importances_sum_to_one(booster, learner):
    X, y = learnable(booster)
    importances = make(booster, learner=learner, n_estimators=20).fit(X, y).feature_importances_
    assert importances.shape == (4,)
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1.0)
    assert set(np.argsort(importances)[-2:]) == {0, 1}


def test_importances_of_one_column_are_its_drops():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    drop = -np.log(model.history_["z"])
    columns = [member.hypothesis.test.column for member in model.model_.members]
    expected = np.bincount(columns, weights=drop, minlength=4) / drop.sum()
    np.testing.assert_allclose(model.feature_importances_, expected)


def test_importances_of_other_learners():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(learner=tree, n_estimators=4, random_state=0).fit(X, y)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    model = AdaBoostClassifier(learner=KNeighborsClassifier(), n_estimators=2, random_state=0)
    with pytest.warns(UnderdogWarning):
        model.fit(X, y)
    assert not hasattr(model, "feature_importances_")


def test_describe():
    X, y = noisy()
    frame = pd.DataFrame(X, columns=["age", "size", "c", "d"])
    model = AdaBoostClassifier(n_estimators=30).fit(frame, np.where(y == 1, "spam", "ham"))
    lines = model.describe().splitlines()
    assert lines[0] == (
        "AdaBoostClassifier: 30 rules; score > 0 means 'spam', else 'ham' (all rounds done)"
    )
    assert re.fullmatch(
        r"   1\. (age|size) > -?\d\S* +[+-]\d\.\d{3}   else [+-]\d\.\d{3}", lines[1]
    )
    assert lines[-2].strip() == "... and 10 more"
    assert lines[-1].startswith("training error: at most")
    assert len(lines) == 23
    assert len(model.describe(None).splitlines()) == 32
    assert len(model.describe(2).splitlines()) == 5


def test_describe_speaks_of_the_positive_class():
    """A rule's numbers are added to the score that the first line explains."""
    X, y = noisy()
    labels = np.where(y == 1, "spam", "ham")
    text = AdaBoostClassifier(n_estimators=1, pos_label="ham").fit(X, labels).describe()
    mirrored = AdaBoostClassifier(n_estimators=1).fit(X, labels).describe()
    assert "score > 0 means 'ham', else 'spam'" in text
    found, other = (re.findall(r"[+-]\d\.\d{3}(?!\d)", lines) for lines in (text, mirrored))
    assert [float(value) for value in found] == [-float(value) for value in other]


def test_describe_several_classes():
    X, y = three_classes()
    model = AdaBoostMHClassifier(n_estimators=3).fit(X, np.array(["a", "b", "c"])[y])
    text = model.describe()
    assert "one score per class, the highest wins: a, b, c" in text
    assert re.search(r"   1\. x\d > .*\n {10}a  [+-]\d\.\d{3}   else [+-]\d\.\d{3}\n", text)
    indicator = AdaBoostMHClassifier(n_estimators=3).fit(X, np.eye(3, dtype=int)[y])
    assert "a label is predicted if its score is above 0: 0, 1, 2" in indicator.describe()


@pytest.mark.parametrize("learner", ["real", "discrete", "real.lp", "disc.u"])
@pytest.mark.parametrize("learning_rate", [1.0, 0.3])
@pytest.mark.parametrize("rounds", [1, 4, 60])
def test_the_bound_holds(learner, learning_rate, rounds):
    X, y = noisy()
    rng = np.random.default_rng(3)
    weight, cost = rng.uniform(0.5, 3, len(y)), rng.uniform(0.1, 4, len(y))
    shared = {"learner": learner, "learning_rate": learning_rate, "n_estimators": rounds}
    cases = [
        (AdaBoostClassifier(**shared), {}, np.ones(len(y))),
        (AdaBoostClassifier(**shared), {"sample_weight": weight}, weight),
        (AdaBoostClassifier(class_weight={0: 1, 1: 3}, **shared), {}, 1.0 + 2 * y),
        (AdaUBoostClassifier(beta=4.0, **shared), {}, 1.0 + 3 * y),
        (AdaBoostAClassifier(**shared), {"cost": cost}, cost),
        (AdaBoostAClassifier(initial="zipf", **shared), {"cost": cost}, cost),
    ]
    for model, given, charged in cases:
        model.fit(X, y, **given)
        certificate = model.certificate_
        error = measured_error(model, X, y, charged)
        assert certificate["training_error"] == pytest.approx(error, abs=1e-12)
        assert error <= certificate["bound"] + 1e-12


def test_the_bound_on_the_hamming_loss():
    X, y = three_classes()
    Y = np.eye(3, dtype=int)[y]
    for learner in ("real", "discrete"):
        model = AdaBoostMHClassifier(learner=learner, n_estimators=15).fit(X, Y)
        wrong = float((model.predict(X) != Y).mean())
        assert model.certificate_["training_error"] == pytest.approx(wrong)
        assert wrong <= model.certificate_["bound"]


@each_exponential
def test_scores_stop_where_their_sums_are_no_longer_exact(booster):
    X, y = noisy()
    model = booster(learner="discrete", learning_rate=2.0**15, n_estimators=1000).fit(X, y)
    assert model.stop_reason_ == (
        "scores have reached 65536, beyond which their sums are not exact: use a smaller "
        "learning_rate or fewer rounds"
    )
    assert 1 <= model.n_iter_ < 1000
    assert np.abs(model.decision_function(X)).max() < 2**16
    assert np.isfinite(model.predict_proba(X)).all()


@each_exponential
@two_kinds
def test_the_learning_rate_is_a_share_of_the_step(booster, learner):
    X, y = noisy()
    whole = booster(learner=learner, n_estimators=1).fit(X, y).decision_function(X)
    model = booster(learner=learner, n_estimators=1, learning_rate=0.25).fit(X, y)
    start = model.model_.start[0]  # 0 but for alternating trees
    moved = model.decision_function(X) - start
    np.testing.assert_allclose(moved, 0.25 * (whole - start), atol=2.0**-36)
    slow = booster(learner=learner, n_estimators=40, learning_rate=0.1).fit(X, y)
    assert (np.diff(slow.history_["loss"]) < 0).all()
    assert slow.n_iter_ == 40


@each_corrective
@pytest.mark.parametrize("wrong", [0.1, 2, 1e300])
def test_no_learning_rate_where_coefficients_are_found_anew(booster, wrong):
    message = (
        f"learning_rate={wrong!r} is not supported, because every round computes all coefficients "
        "again: leave it at 1"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        booster(learning_rate=wrong).fit(*noisy())


@each_corrective
def test_scores_are_margins(booster):
    X, y = learnable(booster)
    model = make(booster).fit(X, y)
    assert model.converged_
    assert model.stop_reason_.startswith("converged")
    found = np.array([member.coefficient for member in model.model_.members])
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1.0, abs=1e-9)
    scores = model.decision_function(X)
    assert np.abs(scores).max() <= 1 + 1e-9
    margins = np.where(y == 1, scores, -scores)
    assert model.certificate_["minimum_margin"] == pytest.approx(margins.min(), abs=1e-9)
    assert model.certificate_["soft_margin"] >= margins.min() - 1e-9


def test_smoothing_bounds_the_values():
    X, y = noisy()
    for smoothing in (1.0, 0.1, 1e-3):
        model = AdaBoostClassifier(smoothing=smoothing, n_estimators=1).fit(X, y)
        most = 0.5 * np.log((1 + smoothing) / smoothing)
        assert np.abs(model.decision_function(X)).max() <= most


def test_max_bins_limits_the_cuts():
    X, y = noisy(400)
    for bins in (2, 5, 255):
        model = AdaBoostClassifier(max_bins=bins, n_estimators=2).fit(X, y)
        assert model.model_.schema.bins.max() <= bins


def test_describe_by_label():
    """What a label starts from and what each question adds; the same question twice is one."""
    X = csr_matrix(np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 1], [0, 1]], dtype=np.float32))
    Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1]])
    model = AdaBoostMHClassifier(n_estimators=20).fit(X, Y)
    names = {"feature_names": ["oil", "wheat"], "label_names": ["crude", "grain"]}
    lines = model.describe(by_label=True, **names).splitlines()[1:]
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == ["crude", "grain"]
    starts = [float(line.split()[-1]) for line in lines if not line.startswith(" ")]
    scores = model.decision_function(csr_matrix((1, 2), dtype=np.float32))[0]
    np.testing.assert_allclose(starts, scores, atol=1e-3)
    first = lines[1 : lines.index(next(line for line in lines if line.startswith("grain")))]
    assert [line.split("if ")[1] for line in first] == ["oil present", "wheat present"]
    gains = [float(line.split()[0]) for line in first]
    full = model.decision_function(csr_matrix(np.ones((1, 2), dtype=np.float32)))[0]
    assert starts[0] + sum(gains) == pytest.approx(full[0], abs=2e-3)
    binary = AdaBoostMHClassifier(n_estimators=20).fit(X, Y[:, 0])
    assert binary.describe(by_label=True).splitlines()[1].startswith("score: baseline")
    short = model.describe(1, by_label=True, **names)
    assert short.count("... and 1 more") == 2


@pytest.mark.parametrize("wrong", ["oil", ["oil"], ["oil", "wheat", "corn"]])
def test_describe_says_how_many_names_it_needs(wrong):
    X, y = np.eye(4)[:, :2], np.array([0, 1, 0, 1])
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="feature_names must be a sequence of 2 names"):
        model.describe(feature_names=wrong)
    with pytest.raises(ValueError, match="label_names must be a sequence of 2 names"):
        model.describe(label_names=wrong)
