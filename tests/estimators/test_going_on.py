"""Warm starts and progress."""

import io
import re
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.small import (
    CORRECTIVE_KEYS,
    assert_one_entry_per_round,
    assert_same_model,
    assert_same_optimum,
    each_booster,
    each_corrective,
    each_exponential,
    getting_worse,
    keys,
    make,
    noisy,
    stages,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
)


@each_exponential
@two_kinds
def test_a_warm_start_goes_on(booster, learner):
    X, y = noisy()
    model = booster(learner=learner, n_estimators=4, warm_start=True).fit(X, y)
    model.set_params(n_estimators=11).fit(X, y)
    whole = booster(learner=learner, n_estimators=11).fit(X, y)
    assert_same_model(model, whole, X)
    assert_one_entry_per_round(model, 11)
    for name in keys(booster) - {"seconds"}:
        np.testing.assert_array_equal(model.history_[name], whole.history_[name], err_msg=name)
    assert model.certificate_ == whole.certificate_


SETTLED = ("loss", "primal_value", "dual_value")
"""What is known of coefficients, which a model that has not converged is given at its end."""


@each_corrective
@two_kinds
@pytest.mark.parametrize("rounds", [11, 60])
@unfinished
def test_a_warm_start_goes_on_to_the_same_optimum(booster, learner, rounds):
    X, y = noisy()
    model = make(booster, learner=learner, n_estimators=5, warm_start=True).fit(X, y)
    model.set_params(n_estimators=rounds).fit(X, y)
    whole = make(booster, learner=learner, n_estimators=rounds).fit(X, y)
    assert_same_optimum(model, whole)
    assert_one_entry_per_round(model)
    assert (model.n_iter_, model.stop_reason_) == (whole.n_iter_, whole.stop_reason_)
    for name in CORRECTIVE_KEYS - {"seconds"}:
        found, wanted = model.history_[name].copy(), whole.history_[name]
        if name in (*SETTLED, "hypotheses", "coefficient"):
            found[4] = wanted[4]
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-8, err_msg=name)
    found, wanted = stages(model, X), stages(whole, X)
    found[4] = wanted[4]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-8)
    assert {**model.certificate_, "stopped": ""} == pytest.approx(
        {**whole.certificate_, "stopped": ""}, abs=1e-8, nan_ok=True
    )


@each_corrective
@two_kinds
@pytest.mark.parametrize("rounds", [5, 300])
@unfinished
def test_a_warm_start_that_adds_nothing_changes_nothing(booster, learner, rounds):
    """Whether there are no more rounds to be had, or the model has converged."""
    X, y = noisy()
    model = make(booster, learner=learner, warm_start=True, n_estimators=rounds).fit(X, y)
    assert model.converged_ == (rounds == 300)
    before, known = stages(model, X), model.certificate_
    if model.converged_:
        model.set_params(n_estimators=400)
    model.fit(X, y)
    np.testing.assert_array_equal(stages(model, X), before)
    assert model.converged_ == (rounds == 300)
    for facts in (model.certificate_, known):  # more rounds may have been allowed
        facts.pop("new_examples_by_rounds")
    assert model.certificate_.keys() == known.keys()
    assert model.certificate_.pop("stopped") == known.pop("stopped") == model.stop_reason_
    assert model.certificate_ == pytest.approx(known, abs=1e-9, nan_ok=True)


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
        "n_estimators=3 must be larger or equal to the 5 rounds of the fitted model when "
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


@unfinished
@each_booster
def test_a_warm_start_without_validation_from_then_on(booster):
    X, y = noisy()
    model = booster(n_estimators=3, warm_start=True, tol=0.0)
    model.fit(X, y, X_val=X[:50], y_val=y[:50])
    before = model.history_["validation_score"]
    model.set_params(n_estimators=6).fit(X, y)
    assert_one_entry_per_round(model, model.n_iter_)
    scores = model.history_["validation_score"]
    np.testing.assert_array_equal(scores[: len(before)], before)
    assert np.isnan(scores[len(before) :]).all()


def test_a_warm_start_of_other_learners():
    X, y = noisy()
    tree = DecisionTreeClassifier(max_depth=2)
    model = AdaBoostClassifier(learner=tree, n_estimators=2, warm_start=True).fit(X, y)
    assert model.set_params(n_estimators=5).fit(X, y).n_iter_ == 5
    assert_one_entry_per_round(model, 5)


def test_a_refused_fit_leaves_the_model_as_it_was():
    X, y = noisy()
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    model = AdaBoostClassifier(n_estimators=5).fit(frame, y)
    before = model.decision_function(frame)
    for refused in (X[:, :2], np.hstack([X, X])):
        with pytest.raises(ValueError, match="only one class"):
            model.fit(refused, np.zeros(len(y)))
        np.testing.assert_array_equal(model.decision_function(frame), before)
        assert model.n_features_in_ == X.shape[1]
        assert model.feature_names_in_.tolist() == frame.columns.tolist()


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


@pytest.mark.parametrize("learner", ["real", "discrete", DecisionTreeClassifier(max_depth=1)])
@pytest.mark.parametrize("rate", [0.1, 0.25, 0.3])
def test_a_shrunken_first_rule_without_mistakes_goes_on_to_a_whole_step(learner, rate):
    """With a few shares, probabilities would be far from those of the whole step."""
    X = np.array([[float(i)] for i in range(40)])
    y = (X[:, 0] > 9).astype(int)
    whole = AdaBoostClassifier(learner=learner, n_estimators=50).fit(X, y)
    small = AdaBoostClassifier(learner=learner, n_estimators=50, learning_rate=rate).fit(X, y)
    rounds = int(np.ceil(1.0 / rate - 1e-9))
    assert (whole.n_iter_, small.n_iter_) == (1, rounds)
    assert small.stop_reason_ == whole.stop_reason_
    # Shares of a real-valued rule are not all alike: a share changes the weights of its blocks.
    np.testing.assert_allclose(
        small.decision_function(X),
        rate * rounds * whole.decision_function(X),
        rtol=0.06 if learner == "real" else 1e-6,
    )


def test_a_perfect_rule_in_two_runs_is_that_of_one():
    X = np.arange(40.0)[:, np.newaxis]
    y = (X[:, 0] > 9).astype(int)
    one = AdaBoostClassifier(n_estimators=50, learning_rate=0.1).fit(X, y)
    two = AdaBoostClassifier(n_estimators=4, learning_rate=0.1, warm_start=True).fit(X, y)
    assert two.n_iter_ == 4
    two.set_params(n_estimators=50).fit(X, y)
    assert two.n_iter_ == one.n_iter_ == 10
    np.testing.assert_array_equal(two.decision_function(X), one.decision_function(X))
