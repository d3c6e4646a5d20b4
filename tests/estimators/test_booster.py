"""The machinery that all boosters share: stopping, resuming, reporting, probabilities, parts."""

import io
import itertools
import pickle
import re
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    BoostingClassifier,
    UnderdogWarning,
)
from underdog.codes import Binary, OneOfK
from underdog.combiners import CostWeighted, Stagewise
from underdog.core import Combiner, Learner, Loss, Proposal, Stop, unit_weight
from underdog.learners import ForeignLearner, StumpLearner
from underdog.losses import Exponential
from underdog.partitions import RowBlocks

BOOSTERS = [
    AdaBoostClassifier,
    AdaBoostAClassifier,
    AdaUBoostClassifier,
    AdaBoostMHClassifier,
    BoostingClassifier,
]
each_booster = pytest.mark.parametrize("booster", BOOSTERS)
two_kinds = pytest.mark.parametrize("learner", ["real", "discrete"])
KEYS = {"edge", "z", "coefficient", "loss", "log_loss", "seconds"}


def noisy(rows=150, seed=0):
    """Four columns, two of which matter; a quarter of the labels is beyond them. Fewer 1s."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, (X[:, 0] + X[:, 1] + 1.2 * rng.normal(size=rows) > 0.7).astype(int)


def three_classes(rows=120):
    X, _ = noisy(rows)
    return X, np.digitize(X[:, 0] + 0.5 * X[:, 1], [-0.5, 0.5])


def stages(model, X):
    return np.array(list(model.staged_decision_function(X)))


def assert_same_model(model, other, X):
    """The same rounds, bit for bit."""
    np.testing.assert_array_equal(stages(model, X), stages(other, X))
    np.testing.assert_array_equal(model.decision_function(X), other.decision_function(X))
    assert model.describe(None) == other.describe(None)


def assert_one_entry_per_round(model, rounds=None):
    lengths = {name: len(values) for name, values in model.history_.items()}
    assert set(lengths.values()) == {model.n_iter_ if rounds is None else rounds}, lengths


# What a round leaves behind.


@each_booster
@two_kinds
def test_history(booster, learner):
    X, y = noisy()
    model = booster(learner=learner, n_estimators=7).fit(X, y)
    assert set(model.history_) >= KEYS
    assert "validation_score" not in model.history_
    assert_one_entry_per_round(model, 7)
    assert (model.n_iter_, model.stop_reason_) == (7, "all rounds done")
    history = model.history_
    np.testing.assert_allclose(np.cumsum(np.log(history["z"])), history["log_loss"])
    np.testing.assert_allclose(np.exp(history["log_loss"]), history["loss"])
    assert (history["seconds"] >= 0).all()
    assert len(stages(model, X)) == 7


def test_history_of_adaboost_a():
    X, y = noisy()
    model = AdaBoostAClassifier(initial="zipf", n_estimators=6).fit(X, y)
    history = model.history_
    assert set(history) == KEYS | {"wrong_share", "ratio", "bound"}
    share = history["wrong_share"]
    np.testing.assert_allclose(history["ratio"], 2 * np.sqrt(share * (1 - share)), rtol=1e-9)
    np.testing.assert_allclose(history["bound"], np.cumprod(history["ratio"]))


@each_booster
@two_kinds
def test_importances_sum_to_one(booster, learner):
    X, y = noisy()
    importances = booster(learner=learner, n_estimators=20).fit(X, y).feature_importances_
    assert importances.shape == (4,)
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1.0)
    assert set(np.argsort(importances)[-2:]) == {0, 1}


def test_importances_of_one_column_are_its_drops():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    drop = -np.log(model.history_["z"])
    columns = [member.hypothesis.column for member in model.model_.members]
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
    assert lines[-1].strip() == "... and 10 more"
    assert len(lines) == 22
    assert len(model.describe(None).splitlines()) == 31
    assert len(model.describe(2).splitlines()) == 4


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
    assert re.search(r"   1\. x\d > .*a [+-]\d\.\d{3}", text)
    indicator = AdaBoostMHClassifier(n_estimators=3).fit(X, np.eye(3, dtype=int)[y])
    assert "one score per label, positive ones hold: 0, 1, 2" in indicator.describe()


# Certificates.


def measured_error(model, X, y, weight):
    return float(np.average(model.predict(X) != y, weights=weight))


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


# Early stopping.


def loss_scorer(model, X, y):
    """Minus the mean exponential loss, as a callable."""
    sign = np.where(y == model.classes_[1], 1.0, -1.0)
    return -float(np.exp(-sign * model.decision_function(X)).mean())


def expected_scores(scoring, model, X, y):
    """What the validation score must have been after each round."""
    margins = stages(model, X)
    if scoring == "accuracy":
        return [accuracy_score(y, model.classes_[(f > 0).astype(int)]) for f in margins]
    if scoring == "roc_auc":
        return [roc_auc_score(y, f) for f in margins]
    sign = np.where(y == model.classes_[1], 1.0, -1.0)
    return [-np.exp(-sign * f).mean() for f in margins]


@two_kinds
@pytest.mark.parametrize("scoring", ["loss", "accuracy", "roc_auc", loss_scorer])
def test_early_stopping_with_given_data(scoring, learner):
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    shared = {"learner": learner, "scoring": scoring}
    model = AdaBoostClassifier(
        n_estimators=150, early_stopping=True, n_iter_no_change=6, **shared
    ).fit(X, y, X_val=X_val, y_val=y_val)
    rounds = len(model.history_["z"])
    whole = AdaBoostClassifier(n_estimators=rounds, **shared).fit(X, y)
    scores = model.history_["validation_score"]
    np.testing.assert_allclose(scores, expected_scores(scoring, whole, X_val, y_val), rtol=1e-12)
    best = 1
    for number, score in enumerate(scores, start=1):
        best = number if score > scores[best - 1] + 1e-7 else best
    assert (model.n_iter_, rounds) == (best, best + 6)
    assert model.stop_reason_ == (
        f"the validation score has not risen for 6 rounds: kept the first {best}"
    )
    assert_one_entry_per_round(model, rounds)
    kept = AdaBoostClassifier(learner=learner, n_estimators=best).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), kept.decision_function(X))
    assert len(stages(model, X)) == best
    np.testing.assert_array_equal(model.feature_importances_, kept.feature_importances_)


@each_booster
def test_early_stopping_with_a_fraction(booster):
    X, y = noisy(300)
    model = booster(
        n_estimators=100, early_stopping=True, validation_fraction=0.25, random_state=3
    ).fit(X, y)
    again = booster(
        n_estimators=100, early_stopping=True, validation_fraction=0.25, random_state=3
    ).fit(X, y)
    assert_same_model(model, again, X)
    assert 1 <= model.n_iter_ <= 100
    assert_one_entry_per_round(model, len(model.history_["z"]))
    assert len(model.history_["validation_score"]) >= model.n_iter_
    whole = booster(n_estimators=model.n_iter_).fit(X, y)
    assert not np.array_equal(whole.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("scoring", ["loss", "accuracy", "roc_auc_ovr", "neg_log_loss"])
def test_early_stopping_with_several_classes(scoring):
    X, y = three_classes(200)
    model = AdaBoostMHClassifier(
        n_estimators=30, early_stopping=True, scoring=scoring, random_state=0
    ).fit(X, np.array(["a", "b", "c"])[y])
    assert model.n_iter_ >= 1
    assert np.isfinite(model.history_["validation_score"]).all()


def test_early_stopping_with_several_labels():
    X, y = three_classes(200)
    Y = np.column_stack([y == 0, y >= 1]).astype(int)
    model = AdaBoostMHClassifier(n_estimators=30, early_stopping=True, random_state=0).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    given = AdaBoostMHClassifier(n_estimators=30, early_stopping=True, scoring="accuracy")
    given.fit(X, Y, X_val=X, y_val=Y)
    assert given.history_["validation_score"][-1] == pytest.approx(given.score(X, Y), abs=0.05)


def test_validation_data_without_early_stopping_are_only_watched():
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    model = AdaBoostClassifier(n_estimators=40, n_iter_no_change=1)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    assert (model.n_iter_, model.stop_reason_) == (40, "all rounds done")
    assert_one_entry_per_round(model, 40)
    assert_same_model(model, AdaBoostClassifier(n_estimators=40).fit(X, y), X)


def test_a_scorer_sees_the_validation_data():
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    seen = []

    def scorer(model, X, y):
        seen.append((np.asarray(X).copy(), np.asarray(y).copy()))
        return accuracy_score(y, model.predict(X))

    AdaBoostClassifier(n_estimators=2, scoring=scorer).fit(X, y, X_val=X_val, y_val=y_val)
    assert len(seen) == 2
    np.testing.assert_array_equal(seen[0][1], y_val)
    np.testing.assert_array_equal(seen[0][0], X_val)


def test_the_reason_tells_how_many_rounds_were_kept():
    """Also where the rounds ran out before patience did."""
    (X, y), worse = noisy(), noisy(40, seed=1)
    model = AdaBoostClassifier(n_estimators=5, early_stopping=True, scoring=getting_worse())
    model.fit(X, y, X_val=worse[0], y_val=worse[1])
    assert model.n_iter_ == 1
    assert "kept the first 1" in model.stop_reason_


def getting_worse():
    """A scorer whose first answer is its best."""
    calls = itertools.count()
    return lambda *_: -float(next(calls))


def test_a_score_that_is_not_a_number():
    """It cannot rise, so it must not be said that rounds were kept because of it."""
    X, y = noisy()
    model = AdaBoostClassifier(
        n_estimators=30, early_stopping=True, n_iter_no_change=4, scoring=lambda *_: np.nan
    ).fit(X, y, X_val=X, y_val=y)
    assert model.n_iter_ >= 1
    kept = re.search(r"kept the first (\d+)", model.stop_reason_)
    assert kept is None or int(kept.group(1)) == model.n_iter_


def test_the_certificate_is_that_of_the_rounds_kept():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=80, early_stopping=True, n_iter_no_change=20)
    model.fit(X, y, X_val=noisy(40, seed=2)[0], y_val=noisy(40, seed=2)[1])
    assert model.n_iter_ < len(model.history_["z"])
    kept = AdaBoostClassifier(n_estimators=model.n_iter_).fit(X, y)
    assert model.certificate_ == pytest.approx(kept.certificate_)


@pytest.mark.parametrize("seed", range(8))
def test_holding_rows_out_does_not_lose_a_class(seed):
    """A class with one example is for learning, not for validating."""
    X, _ = noisy(60)
    y = np.repeat(["a", "b", "rare"], [30, 29, 1])
    model = AdaBoostClassifier(n_estimators=3, early_stopping=True, random_state=seed).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "rare"]


def test_validation_rows_that_weigh_nothing_do_not_count():
    X, y = noisy()
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    shared = {"n_estimators": 20, "early_stopping": True, "random_state": 0}
    model = AdaBoostClassifier(**shared).fit(X, y, sample_weight=weight)
    kept = AdaBoostClassifier(**shared).fit(X[weight > 0], y[weight > 0])
    assert_same_model(model, kept, X)


# Going on.


@each_booster
@two_kinds
def test_a_warm_start_goes_on(booster, learner):
    X, y = noisy()
    model = booster(learner=learner, n_estimators=4, warm_start=True).fit(X, y)
    model.set_params(n_estimators=11).fit(X, y)
    whole = booster(learner=learner, n_estimators=11).fit(X, y)
    assert_same_model(model, whole, X)
    assert_one_entry_per_round(model, 11)
    for name in KEYS - {"seconds"}:
        np.testing.assert_array_equal(model.history_[name], whole.history_[name], err_msg=name)
    assert model.certificate_ == whole.certificate_


def test_a_warm_start_with_as_many_rounds_changes_nothing():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    before = model.decision_function(X)
    model.fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), before)
    assert (model.n_iter_, model.stop_reason_) == (5, "all rounds done")


def test_a_warm_start_of_a_finished_model_keeps_its_reason():
    X, _ = noisy()
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, X[:, 0] > 0)
    reason = model.stop_reason_
    model.set_params(n_estimators=9).fit(X, X[:, 0] > 0)
    assert (model.n_iter_, model.stop_reason_) == (1, reason)


def test_a_warm_start_with_fewer_rounds():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    message = (
        "n_estimators=3 must be larger or equal to the 5 rounds that the model has when "
        "warm_start==True"
    )
    with pytest.raises(ValueError, match=message):
        model.set_params(n_estimators=3).fit(X, y)


def test_a_warm_start_with_other_classes():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    message = "warm_start: y has classes [1, 2], but the model was fitted with [0, 1]"
    with pytest.raises(ValueError, match=re.escape(message)):
        model.set_params(n_estimators=8).fit(X, y + 1)


def test_a_warm_start_with_another_kind_of_labels():
    X, y = noisy()
    model = AdaBoostMHClassifier(n_estimators=3, warm_start=True)
    model.fit(X, np.column_stack([y, 1 - y]))
    with pytest.raises(ValueError, match="warm_start"):
        model.set_params(n_estimators=6).fit(X, y)


@pytest.mark.parametrize("columns", [2, 8])
def test_a_warm_start_with_another_number_of_columns(columns):
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    message = f"X has {columns} features, but AdaBoostClassifier is expecting 4"
    with pytest.raises(ValueError, match=message):
        model.set_params(n_estimators=8).fit(np.tile(X, 2)[:, :columns], y)


def test_a_warm_start_with_columns_in_another_order():
    X, y = noisy()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(frame, y)
    with pytest.raises(ValueError, match="order"):
        model.set_params(n_estimators=8).fit(frame[["b", "a", "c", "d"]], y)


def test_a_warm_start_with_another_positive_class():
    """The rules speak of the positive class, so it must stay the same."""
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="pos_label"):
        model.set_params(n_estimators=10, pos_label=0).fit(X, y)


def test_a_warm_start_does_not_forget_the_best_round():
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    model = AdaBoostClassifier(
        n_estimators=4, early_stopping=True, scoring=getting_worse(), warm_start=True
    )
    model.fit(X, y, X_val=X_val, y_val=y_val)
    assert model.n_iter_ == 1
    model.set_params(n_estimators=8).fit(X, y, X_val=X_val, y_val=y_val)
    assert model.n_iter_ == 1


def test_a_warm_start_with_validation_from_then_on():
    """One entry per round in every column, or the scores stand beside the wrong rounds."""
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    model = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(X, y)
    model.set_params(n_estimators=9).fit(X, y, X_val=X_val, y_val=y_val)
    assert_one_entry_per_round(model, 9)


def test_a_warm_start_of_other_learners():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(learner=tree, n_estimators=2, warm_start=True).fit(X, y)
    assert model.set_params(n_estimators=5).fit(X, y).n_iter_ == 5
    assert_one_entry_per_round(model, 5)


# Interruption.


class Interrupted(StumpLearner):
    """Stumps until the user presses the key before round `at` + 1."""

    def __init__(self, kind="real", at=None):
        super().__init__(kind)
        self.at = at

    def fit(self, memory, question):
        if len(memory.run.state.members) == self.at:
            raise KeyboardInterrupt
        return super().fit(memory, question)


@each_booster
@two_kinds
def test_an_interrupted_fit_is_kept_and_resumed(booster, learner):
    X, y = noisy()
    model = booster(learner=Interrupted(learner, at=4), n_estimators=10, warm_start=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (4, "interrupted")
    assert_same_model_but_reason(model, booster(learner=learner, n_estimators=4).fit(X, y), X)
    assert_one_entry_per_round(model, 4)
    assert model.predict_proba(X).shape == (len(X), 2)
    model.set_params(learner__at=None).fit(X, y)
    assert_same_model(model, booster(learner=learner, n_estimators=10).fit(X, y), X)
    assert_one_entry_per_round(model, 10)


def assert_same_model_but_reason(model, other, X):
    np.testing.assert_array_equal(stages(model, X), stages(other, X))
    assert model.describe(None).splitlines()[1:] == other.describe(None).splitlines()[1:]
    assert model.certificate_ == other.certificate_


def test_interrupted_twice():
    X, y = noisy()
    model = AdaBoostClassifier(learner=Interrupted("real", 3), n_estimators=9, warm_start=True)
    for at in (3, 6):
        model.set_params(learner__at=at)
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, y)
        assert model.n_iter_ == at
    model.set_params(learner__at=None).fit(X, y)
    assert_same_model(model, AdaBoostClassifier(n_estimators=9).fit(X, y), X)


def test_interrupted_before_the_first_round():
    X, y = noisy()
    model = AdaBoostClassifier(learner=Interrupted("real", 0))
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_interrupted_while_the_validation_data_are_scored():
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    calls = itertools.count(1)

    def scorer(model, X, y):
        if next(calls) == 5:
            raise KeyboardInterrupt
        return accuracy_score(y, model.predict(X))

    model = AdaBoostClassifier(n_estimators=9, scoring=scorer, warm_start=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y, X_val=X_val, y_val=y_val)
    assert model.stop_reason_ == "interrupted"
    assert_one_entry_per_round(model)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    whole = AdaBoostClassifier(n_estimators=9, scoring="accuracy")
    whole.fit(X, y, X_val=X_val, y_val=y_val)
    assert_same_model(model, whole, X)
    scores = whole.history_["validation_score"]
    np.testing.assert_array_equal(model.history_["validation_score"], scores)


# Progress.


def test_progress_goes_to_the_error_stream(capsys):
    X, y = noisy()
    AdaBoostClassifier(n_estimators=6, verbose=1).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    last = err.splitlines()[-1]
    assert re.fullmatch(r"\[#{24}\] 6/6 rounds, loss 0\.\d+, 0 s left", last)
    assert err.endswith("\n")
    AdaBoostClassifier(n_estimators=6).fit(X, y)
    assert capsys.readouterr() == ("", "")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("perfect", [False, True])
def test_progress_on_a_terminal_ends_its_line(monkeypatch, perfect):
    X, y = noisy()
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    AdaBoostClassifier(n_estimators=6, verbose=1).fit(X, X[:, 0] > 0 if perfect else y)
    assert screen.getvalue().startswith("\r\033[K[")
    assert screen.getvalue().endswith("\n")


# Probabilities.


def cells(shares, rows=1000):
    """One column of as many values as rows of `shares`; in each the classes have these shares."""
    X, y = [], []
    for value, share in enumerate(shares):
        for label, part in enumerate(share):
            count = round(part * rows)
            X += [[float(value)]] * count
            y += [label] * count
    return np.array(X), np.array(y)


TWO_CELLS = [(0.8, 0.2), (0.35, 0.65)]


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(),
        AdaBoostClassifier(class_weight={0: 1, 1: 7}),
        AdaBoostClassifier(class_weight="balanced"),
        AdaBoostClassifier(class_weight={0: 1, 1: 7}, pos_label=0),
        AdaBoostMHClassifier(class_weight={0: 4}),
        AdaUBoostClassifier(beta=8.0),
        AdaUBoostClassifier(beta=8.0, pos_label=0),
        AdaUBoostClassifier(beta=0.3),
        AdaUBoostClassifier(beta=8.0, class_weight={0: 1, 1: 5}),
        AdaBoostAClassifier(learner="real", class_weight={0: 1, 1: 7}),
    ],
    ids=lambda model: repr(model)[:70],
)
@pytest.mark.parametrize("rounds", [1, 40])
def test_probabilities_are_those_of_the_data(model, rounds):
    """A cell with p = .2 says .2, whatever the classes weigh."""
    X, y = cells(TWO_CELLS)
    model = pickle.loads(pickle.dumps(model)).set_params(n_estimators=rounds).fit(X, y)
    found = model.predict_proba([[0.0], [1.0]])[:, 1]
    np.testing.assert_allclose(found, [0.2, 0.65], atol=0.012)  # smoothing


@pytest.mark.parametrize("rounds", [1, 60])
@pytest.mark.parametrize("pos_label", [0, 1])
def test_probabilities_are_corrected_for_costs(rounds, pos_label):
    X, y = cells(TWO_CELLS)
    model = AdaBoostAClassifier(learner="real", pos_label=pos_label, n_estimators=rounds)
    model.fit(X, y, cost=np.where(y == 1, 6.0, 1.5))
    found = model.predict_proba([[0.0], [1.0]])[:, 1]
    np.testing.assert_allclose(found, [0.2, 0.65], atol=0.02)


@pytest.mark.parametrize("class_weight", [None, {0: 1, 1: 2, 2: 9}, "balanced"])
def test_probabilities_of_several_classes(class_weight):
    shares = [(0.5, 0.3, 0.2), (0.1, 0.1, 0.8)]
    X, y = cells(shares)
    model = AdaBoostMHClassifier(class_weight=class_weight, n_estimators=1).fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]]), shares, atol=0.012)


def test_sample_weights_are_the_data():
    """They count examples, so the probability follows them."""
    X, y = cells(TWO_CELLS)
    model = AdaBoostClassifier(n_estimators=1).fit(X, y, sample_weight=np.where(y == 1, 4.0, 1.0))
    assert model.predict_proba([[0.0]])[0, 1] == pytest.approx(0.5, abs=0.005)


@each_booster
@two_kinds
def test_labels_are_the_likeliest_without_weights(booster, learner):
    X, y = noisy()
    model = booster(learner=learner, n_estimators=15).fit(X, y)
    likeliest = model.classes_[np.argmax(model.predict_proba(X), axis=1)]
    np.testing.assert_array_equal(model.predict(X), likeliest)


def test_labels_are_the_likeliest_of_several():
    X, y = three_classes()
    for booster in (AdaBoostClassifier, AdaBoostMHClassifier, BoostingClassifier):
        model = booster(n_estimators=15).fit(X, y)
        probability = model.predict_proba(X)
        np.testing.assert_allclose(probability.sum(axis=1), 1.0)
        np.testing.assert_array_equal(model.predict(X), np.argmax(probability, axis=1))


@each_booster
@pytest.mark.parametrize("pos_label", ["no", "yes"])
@pytest.mark.filterwarnings("ignore:beta")
def test_a_positive_score_always_means_the_last_class(booster, pos_label):
    X, y = noisy()
    labels = np.where(y == 1, "yes", "no")
    model = booster(n_estimators=15, pos_label=pos_label).fit(X, labels)
    scores = model.decision_function(X)
    np.testing.assert_array_equal(model.predict(X), np.where(scores > 0, "yes", "no"))
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1] > 0.5, scores > 0)
    assert roc_auc_score(y, scores) > 0.8
    np.testing.assert_array_equal(stages(model, X)[-1], scores)


@pytest.mark.parametrize("learner", ["real", "real.mh", "real.lp"])
@pytest.mark.parametrize("booster", [AdaBoostClassifier, AdaBoostAClassifier])
def test_even_boosters_do_not_care_which_class_is_positive(booster, learner):
    X, y = noisy()
    models = [booster(learner=learner, pos_label=label, n_estimators=15) for label in (0, 1)]
    scores = [model.fit(X, y).decision_function(X) for model in models]
    np.testing.assert_array_equal(scores[0], scores[1])


def test_beta_that_favours_the_larger_class():
    X, y = noisy()
    labels = np.where(y == 1, "a rare one", "most")
    share = f"{(y == 0).mean():.0%}"
    message = (
        f"beta=4 favours the positive class 'most', which is the larger one ({share} of the "
        "examples): set pos_label to the rare class"
    )
    with pytest.warns(UnderdogWarning, match=re.escape(message)) as caught:
        AdaUBoostClassifier(beta=4, n_estimators=2).fit(X, labels)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_beta_that_says_which_class_it_favours_is_quiet():
    """Warnings are errors here."""
    X, y = noisy()
    labels = np.where(y == 1, "a rare one", "most")
    for quiet in ({"pos_label": "a rare one"}, {"pos_label": "most"}, {"beta": 1.0}, {"beta": 0.5}):
        model = AdaUBoostClassifier(**{"beta": 4.0, "n_estimators": 2, **quiet}).fit(X, labels)
        assert model.n_iter_ == 2


# Learners.


def test_a_tree_of_another_library_is_adaboost_on_trees():
    """Against ten lines of the textbook."""
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(learner=tree, n_estimators=6, random_state=0).fit(X, y)
    sign, weight, score = np.where(y == 1, 1.0, -1.0), np.ones(len(y)) / len(y), np.zeros(len(y))
    for _ in range(6):
        stump = DecisionTreeClassifier(max_depth=2, random_state=0)
        says = stump.fit(X, sign, sample_weight=weight * len(y)).predict(X)
        edge = float(weight @ (sign * says))
        step = 0.5 * np.log((1 + edge) / (1 - edge))
        score += step * says
        weight = weight * np.exp(-step * sign * says)
        weight /= weight.sum()
    np.testing.assert_allclose(model.decision_function(X), score, atol=1e-6)
    np.testing.assert_array_equal(tree.get_params()["max_depth"], 2)
    assert not hasattr(tree, "tree_")  # a clone was fitted


def test_a_classifier_without_weights_is_given_drawn_rows():
    X, y = noisy()
    message = (
        "KNeighborsClassifier takes no sample_weight: it is trained on rows drawn with replacement "
        "in proportion to their weights (set random_state to repeat the result)"
    )
    models = []
    for seed in (0, 0, 1):
        model = AdaBoostClassifier(
            learner=KNeighborsClassifier(3), n_estimators=4, random_state=seed
        )
        with pytest.warns(UnderdogWarning, match=re.escape(message)) as caught:
            models.append(model.fit(X, y))
        assert len(caught) == 1  # once a fit, not once a round
    np.testing.assert_array_equal(stages(models[0], X), stages(models[1], X))
    assert not np.array_equal(stages(models[0], X), stages(models[2], X))
    assert models[0].score(X, y) > 0.8


def test_drawn_rows_follow_the_weights():
    """Rows of next to no weight are next to never drawn."""
    X, y = noisy()
    heavy = np.arange(len(y)) < 100
    model = AdaBoostClassifier(learner=KNeighborsClassifier(1), n_estimators=1, random_state=0)
    with pytest.warns(UnderdogWarning):
        model.fit(X, np.where(heavy, y, 1 - y), sample_weight=np.where(heavy, 1.0, 1e-12))
    memory = model.model_.members[0].hypothesis.classifiers[0]._fit_X
    assert {tuple(row) for row in memory} <= {tuple(row) for row in X[heavy]}


def test_a_foreign_learner_of_several_labels_is_cloned_for_each():
    X, y = three_classes()
    model = AdaBoostMHClassifier(
        learner=DecisionTreeClassifier(max_depth=1), n_estimators=5, random_state=0
    ).fit(X, y)
    for member in model.model_.members:
        assert len(member.hypothesis.classifiers) == 3
        assert len({id(classifier) for classifier in member.hypothesis.classifiers}) == 3
        np.testing.assert_allclose(np.abs(member.steps), abs(member.coefficient), atol=1e-10)
    assert model.score(X, y) > 0.8
    assert_one_entry_per_round(model, 5)


def test_every_learner_that_is_named():
    X, y = noisy()
    names = ["real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u"]
    for name, booster in itertools.product(names, BOOSTERS):
        by_name = booster(learner=name, n_estimators=4).fit(X, y)
        by_object = booster(learner=StumpLearner(name), n_estimators=4).fit(X, y)
        assert_same_model(by_name, by_object, X)
        assert by_name.score(X, y) > 0.6


class SumIsLarge:
    """Whether the values of a row sum to more than a number."""

    def __init__(self, limit, values):
        self.limit, self.values = limit, values

    def partition(self, part):
        rows = np.flatnonzero(part.table.matrix().sum(axis=1) > self.limit).astype(np.int32)
        return RowBlocks(rows, 1, part.n_rows)

    def words(self, names):
        return f"sum > {self.limit:.3f}"


class SumLearner(Learner):
    """The smallest learner there is: one question, with another limit each round.

    Parameters
    ----------
    limits : tuple of float
    """

    def __init__(self, limits=(0.0, 1.0)):
        self.limits = limits

    def confidence(self, loss):
        return "coefficient"

    def start(self, run):
        return run

    def fit(self, memory, question):
        done = len(memory.state.members)
        if done == len(self.limits):
            return Stop("no limits are left")
        hypothesis = SumIsLarge(self.limits[done], np.array([[-1.0], [1.0]]))
        partition = hypothesis.partition(memory.part)
        sums = tuple(partition.sums(signal) for signal in question.signals)
        pairs = zip(question.signals, sums, strict=True)
        units = tuple(unit_weight(signal, counted.sum(axis=0)) for signal, counted in pairs)
        return Proposal(hypothesis, partition, sums, units)


def test_a_learner_of_ones_own():
    X, y = noisy()
    model = AdaBoostClassifier(learner=SumLearner((0.0, 1.0, -1.0))).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (3, "no limits are left")
    weight, sign = np.ones(len(y)) / len(y), np.where(y == 1, 1.0, -1.0)
    score = np.zeros(len(y))
    for limit in (0.0, 1.0, -1.0):
        says = np.where(X.sum(axis=1) > limit, 1.0, -1.0)
        edge = weight @ (sign * says)
        step = 0.5 * np.log((1 + edge) / (1 - edge))
        score += step * says
        weight *= np.exp(-step * sign * says)
        weight /= weight.sum()
    np.testing.assert_allclose(model.decision_function(X), score, atol=1e-9)
    np.testing.assert_array_equal(stages(model, X)[-1], model.decision_function(X))
    assert "1. sum > 0.000" in model.describe()
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    resumed = AdaBoostClassifier(learner=SumLearner((0.0, 1.0, -1.0)), n_estimators=1)
    resumed.set_params(warm_start=True).fit(X, y).set_params(n_estimators=9).fit(X, y)
    np.testing.assert_array_equal(resumed.decision_function(X), model.decision_function(X))


def test_a_learner_of_ones_own_that_never_finds_anything():
    X, y = noisy()
    model = AdaBoostClassifier(learner=SumLearner(())).fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (1, "no limits are left; the model is a constant")
    assert model.predict_proba(X)[0, 1] == pytest.approx(y.mean(), abs=0.01)


# Composition.


def test_every_named_algorithm_is_a_composition():
    X, y = noisy()
    cost = np.random.default_rng(2).uniform(1, 3, len(y))
    pairs = [
        (AdaBoostClassifier(), BoostingClassifier()),
        (AdaUBoostClassifier(beta=3.0), BoostingClassifier(loss=Exponential(3.0))),
        (AdaBoostClassifier(pos_label=0), BoostingClassifier(code=Binary(0))),
        (AdaBoostClassifier(learning_rate=0.5), BoostingClassifier(combiner=Stagewise(0.5))),
        (
            AdaBoostAClassifier(learner="discrete"),
            BoostingClassifier(learner="discrete", combiner=CostWeighted()),
        ),
    ]
    for named, composed in pairs:
        for model in (named, composed):
            model.set_params(n_estimators=8).fit(X, y, sample_weight=np.ceil(cost))
        np.testing.assert_array_equal(stages(named, X), stages(composed, X))


def test_two_columns_for_two_classes():
    X, y = noisy()
    model = BoostingClassifier(code=OneOfK(), n_estimators=8).fit(X, y)
    assert model.decision_function(X).shape == (len(X), 2)
    np.testing.assert_array_equal(
        model.predict(X), AdaBoostClassifier(n_estimators=8).fit(X, y).predict(X)
    )


class NoStep(Combiner):
    """Lacks step()."""


class NoWeigh(Loss):
    """Lacks weigh()."""


class NoFit(Learner):
    """Lacks everything."""


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"loss": "logistic"}, "loss='logistic' is of type str: give 'exponential' or a Loss"),
        ({"loss": Stagewise()}, "loss=Stagewise() is a Combiner: give 'exponential' or a Loss"),
        ({"loss": 3}, "loss=3 is of type int: give 'exponential' or a Loss"),
        ({"loss": NoWeigh()}, "loss=NoWeigh() lacks weigh(), which every Loss must define"),
        ({"combiner": "lp"}, "combiner='lp' is of type str: give 'stagewise' or a Combiner"),
        (
            {"combiner": Exponential()},
            "combiner=Exponential() is a Loss: give 'stagewise' or a Combiner",
        ),
        ({"combiner": NoStep()}, "combiner=NoStep() lacks step(), which every Combiner must"),
        ({"code": "ecoc"}, "code='ecoc' is of type str: give 'auto' or a Code"),
        ({"code": Stagewise()}, "code=Stagewise() is a Combiner: give 'auto' or a Code"),
        ({"code": Binary}, "code=<class 'underdog.codes.binary.Binary'> is of type type"),
        ({"learner": Exponential()}, "learner=Exponential() is not a learner: give one of real"),
        ({"learner": NoFit()}, "NoFit does not define confidence()"),
        ({"learner": StumpLearner("x")}, "learner='x' is not one of real, discrete"),
        ({"loss": Exponential(-1.0)}, "beta=-1.0 must be a finite number above 0"),
        ({"loss": Exponential(0)}, "beta=0 must be a finite number above 0"),
        ({"loss": Exponential(np.nan)}, "beta=nan must be a finite number above 0"),
        ({"combiner": Stagewise(-1.0)}, "learning_rate=-1.0 must be a finite number above 0"),
        ({"combiner": CostWeighted(stall="x")}, "stall='x' must be 'skip' or 'stop'"),
    ],
)
def test_parts_that_do_not_fit(parts, message):
    X, y = noisy()
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        BoostingClassifier(**parts).fit(X, y)


def test_a_binary_code_for_three_classes():
    X, y = three_classes()
    with pytest.raises(ValueError, match="two classes are needed for this code, but y has 3"):
        BoostingClassifier(code=Binary()).fit(X, y)


def test_a_foreign_learner_may_be_wrapped_by_hand():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=1)
    models = [
        BoostingClassifier(learner=learner, n_estimators=3, random_state=0).fit(X, y)
        for learner in (tree, ForeignLearner(tree))
    ]
    np.testing.assert_array_equal(stages(models[0], X), stages(models[1], X))


# Splits.


def all_sides(groups):
    """Every way to put groups on two sides, each once."""
    for mask in itertools.product([False, True], repeat=groups - 1):
        sides = np.array([False, *mask])
        if sides.any():
            yield sides


def least_z(plus, minus, rule, beta=1.0):
    """The least Z over all ways to put the groups on two sides, from their weights."""
    best = np.inf
    for side in all_sides(len(plus)):
        tp, tm, fp, fm = plus[side].sum(), minus[side].sum(), plus[~side].sum(), minus[~side].sum()
        if rule == "real":
            z = sum(uneven(p, m, beta) for p, m in ((tp, tm), (fp, fm)))
        else:
            z = np.sqrt(1 - (abs(tp - tm) + abs(fp - fm)) ** 2)
        best = min(best, z)
    return best


def uneven(plus, minus, beta):
    """min over c of plus exp(-c / beta) + minus exp(c)."""
    c = beta / (1 + beta) * np.log(plus / beta / minus)
    return plus * np.exp(-c / beta) + minus * np.exp(c)


@pytest.mark.parametrize("seed", range(6))
@two_kinds
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("beta", [1.0, 3.0])
def test_the_set_of_categories_is_the_best_of_all(seed, learner, missing, beta):
    if beta != 1.0 and learner == "discrete":
        learner = "real"
    rng = np.random.default_rng(seed)
    level = np.concatenate([np.repeat(np.arange(7), 2), rng.integers(0, 7, 60)])
    y = np.concatenate([np.tile([0, 1], 7), rng.integers(0, 2, 60)])
    weight = rng.uniform(0.1, 3.0, len(y))
    named = np.array([*"abcdef", None if missing else "g"], dtype=object)[level]
    model = AdaUBoostClassifier(
        beta=beta, pos_label=1, learner=learner, smoothing=0.0, n_estimators=1
    ).fit(pd.DataFrame({"c": named}), y, sample_weight=weight)
    start = weight * np.where(y == 1, beta, 1.0)
    start /= start.sum()
    plus, minus = (np.bincount(level[y == s], weights=start[y == s]) for s in (1, 0))
    assert model.history_["z"][0] == pytest.approx(least_z(plus, minus, learner, beta), rel=1e-9)


@pytest.mark.parametrize("like", ["low", "high", "neither"])
@two_kinds
def test_missing_values_go_to_the_better_side(like, learner):
    """Three groups: low, high, missing; the split is the best of the three there are."""
    value = np.repeat([0.0, 1.0, np.nan], 40)
    share = {"low": (0.1, 0.8, 0.15), "high": (0.1, 0.8, 0.75), "neither": (0.4, 0.45, 0.95)}[like]
    y = np.concatenate([np.arange(40) < round(40 * part) for part in share]).astype(int)
    X = value[:, np.newaxis]
    model = AdaBoostClassifier(learner=learner, smoothing=0.0, n_estimators=1).fit(X, y)
    plus, minus = (np.array([(y[g : g + 40] == s).sum() for g in (0, 40, 80)]) for s in (1, 0))
    expected = least_z(plus / 120, minus / 120, learner)
    assert model.history_["z"][0] == pytest.approx(expected, rel=1e-9)
    low, high, gone = model.decision_function([[0.0], [1.0], [np.nan]])
    if like == "neither":
        assert low == high
        assert low != gone
    else:
        assert gone == {"low": low, "high": high}[like]
        assert low != high
    words = {"low": "x0 > 0.5 ", "high": "x0 > 0.5 or missing", "neither": "x0 is missing"}[like]
    assert words in model.describe()


def test_missing_at_prediction_but_never_in_training_goes_with_the_majority():
    X = np.repeat([0.0, 1.0], [30, 70])[:, np.newaxis]
    y = np.concatenate([np.arange(30) < 25, np.arange(70) < 10]).astype(int)
    model = AdaBoostClassifier(n_estimators=1).fit(X, y)
    _, high, gone = model.decision_function([[0.0], [1.0], [np.nan]])
    assert gone == high


# Sizes of steps.


@each_booster
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


@each_booster
@two_kinds
def test_the_learning_rate_is_a_share_of_the_step(booster, learner):
    X, y = noisy()
    whole = booster(learner=learner, n_estimators=1).fit(X, y).decision_function(X)
    model = booster(learner=learner, n_estimators=1, learning_rate=0.25).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), 0.25 * whole, atol=2.0**-36)
    slow = booster(learner=learner, n_estimators=40, learning_rate=0.1).fit(X, y)
    assert (np.diff(slow.history_["log_loss"]) < 0).all()
    assert slow.n_iter_ == 40


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


# AdaBoost.A.


@pytest.mark.parametrize(
    ("initial", "weights"),
    [
        ("uniform", lambda i: np.ones(len(i))),
        ("zipf", lambda i: 1.0 / i),
        (("geometric", 0.97), lambda i: 0.97**i),
    ],
    ids=["uniform", "zipf", "geometric"],
)
@two_kinds
def test_initial_weightings_by_position(initial, weights, learner):
    X, y = noisy()
    w = weights(np.arange(1.0, len(y) + 1))
    model = AdaBoostAClassifier(initial=initial, learner=learner, n_estimators=10).fit(X, y)
    given = AdaBoostAClassifier(learner=learner, n_estimators=10).fit(X, y, initial_weight=7 * w)
    np.testing.assert_allclose(stages(model, X), stages(given, X), rtol=1e-7, atol=1e-9)
    # The first hypothesis is the one that AdaBoost finds if it starts from w.
    start = AdaBoostClassifier(learner=learner, n_estimators=1)
    start.fit(X, y, sample_weight=w / w.min() * 1.1)
    first = [m.model_.members[0].hypothesis for m in (model, start)]
    assert (first[0].column, first[0].threshold) == (first[1].column, first[1].threshold)


def test_positions_are_those_of_the_rows_that_were_given():
    """Rows of weight 0 keep their place in the order."""
    X, y = noisy()
    weight = (np.arange(len(y)) % 2).astype(float)
    model = AdaBoostAClassifier(initial="zipf", n_estimators=6).fit(X, y, sample_weight=weight)
    kept = np.flatnonzero(weight)
    given = AdaBoostAClassifier(n_estimators=6)
    given.fit(X[kept], y[kept], initial_weight=1.0 / (kept + 1))
    np.testing.assert_allclose(stages(model, X), stages(given, X), rtol=1e-7, atol=1e-9)


def test_a_uniform_start_is_adaboost():
    X, y = noisy()
    plain = AdaBoostClassifier(learner="discrete", n_estimators=10).fit(X, y)
    for model, given in (
        (AdaBoostAClassifier(n_estimators=10), {}),
        (AdaBoostAClassifier(n_estimators=10, initial="uniform"), {}),
        (AdaBoostAClassifier(n_estimators=10), {"cost": np.full(len(y), 3.0)}),
    ):
        np.testing.assert_array_equal(stages(model.fit(X, y, **given), X), stages(plain, X))


def test_costs_change_what_is_learned():
    X, y = noisy()
    cost = np.where(y == 1, 20.0, 1.0)
    plain = AdaBoostAClassifier(n_estimators=20).fit(X, y)
    dear = AdaBoostAClassifier(n_estimators=20).fit(X, y, cost=cost)
    assert (dear.predict(X) == 1).sum() > (plain.predict(X) == 1).sum()
    assert measured_error(dear, X, y, cost) < measured_error(plain, X, y, cost)


DISAGREE = (
    "no rule that gains under the initial weighting also gains under the cost: initial weighting "
    "and cost disagree; use the cost as initial weighting"
)
STALLED = (
    "the best rule gains nothing under the cost (A = 1/2): initial weighting and cost disagree; "
    "use the cost as initial weighting, or stall='skip'"
)


def opposed():
    """The weighting says that 1s are on the right, the cost says on the left."""
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    y = np.array([0, 1, 0, 1])
    return X, y, {"initial_weight": [2.0, 1.0, 1.0, 2.0], "cost": [1.0, 3.0, 3.0, 1.0]}


def test_weighting_and_cost_that_disagree():
    X, y, given = opposed()
    skip = AdaBoostAClassifier(stall="skip", n_estimators=9).fit(X, y, **given)
    assert (skip.n_iter_, skip.stop_reason_) == (1, f"{DISAGREE}; the model is a constant")
    np.testing.assert_allclose(skip.predict_proba(X), 0.5)
    stop = AdaBoostAClassifier(stall="stop", n_estimators=9).fit(X, y, **given)
    # The paper's form: a negative coefficient, once; then the same rule with A = 1/2.
    assert stop.stop_reason_ == STALLED
    assert (stop.n_iter_, stop.predict(X).tolist()) == (1, [1, 1, 0, 0])
    assert stop.history_["wrong_share"][0] == pytest.approx(0.75)
    assert stop.history_["coefficient"][0] == pytest.approx(0.5 * np.log(0.25 / 0.75))


@two_kinds
def test_skipping_goes_on_where_the_paper_stops(learner):
    X, y = noisy()
    shared = {"initial": ("geometric", 0.97), "learner": learner, "n_estimators": 60}
    stop = AdaBoostAClassifier(stall="stop", **shared).fit(X, y)
    skip = AdaBoostAClassifier(stall="skip", **shared).fit(X, y)
    assert stop.stop_reason_ == STALLED
    assert stop.n_iter_ < skip.n_iter_
    assert skip.history_["bound"][-1] < stop.history_["bound"][-1]
    assert (skip.history_["ratio"] <= 1 + 1e-9).all()
