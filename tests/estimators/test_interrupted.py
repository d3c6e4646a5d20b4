"""A fit that is interrupted keeps what it has, and goes on from there."""

import itertools

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score

from tests.estimators.small import (
    CORRECTIVE,
    EXPONENTIAL,
    FIXED,
    assert_one_entry_per_round,
    assert_same_model,
    assert_same_optimum,
    each_booster,
    each_real_booster,
    keys,
    make,
    noisy,
    stages,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostClassifier,
)
from underdog.core import Blocks, History, State
from underdog.learners import StumpLearner


class Interrupted(StumpLearner):
    """Stumps until the user presses the key before round `at` + 1."""

    def __init__(self, kind="real", at=None):
        super().__init__(kind)
        self.at = at

    def fit(self, memory, question):
        if len(memory.run.state.members) == self.at:
            raise KeyboardInterrupt
        return super().fit(memory, question)


@each_real_booster
@two_kinds
@unfinished
def test_an_interrupted_fit_is_kept_and_resumed(booster, learner):
    X, y = noisy()
    own = {"learner": learner, **FIXED.get(booster, {})}
    model = booster(**own | {"learner": Interrupted(learner, at=4)}, n_estimators=10)
    model.set_params(warm_start=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (4, "interrupted")
    assert_same_model_but_reason(model, booster(**own, n_estimators=4).fit(X, y), X)
    assert_one_entry_per_round(model, 4)
    assert set(model.history_) >= keys(booster)
    assert model.predict(X).shape == (len(X),)
    model.set_params(learner__at=None).fit(X, y)
    whole = booster(**own, n_estimators=10).fit(X, y)
    if booster in EXPONENTIAL:
        assert model.predict_proba(X).shape == (len(X), 2)
    if booster in CORRECTIVE:
        assert_same_optimum(model, whole)
    else:
        assert_same_model(model, whole, X)
    assert_one_entry_per_round(model, 10)


def assert_same_model_but_reason(model, other, X):
    np.testing.assert_array_equal(stages(model, X), stages(other, X))
    assert model.describe(None).splitlines()[1:] == other.describe(None).splitlines()[1:]
    known, wanted = dict(model.certificate_), dict(other.certificate_)
    assert known.pop("stopped", "interrupted") == "interrupted"
    wanted.pop("stopped", None)
    for facts in (known, wanted):  # more rounds were allowed
        facts.pop("new_examples_by_rounds", None)
    assert known == pytest.approx(wanted, rel=0, abs=0, nan_ok=True)


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


@unfinished
@each_booster
def test_interrupted_while_scores_move(booster, monkeypatch):
    """The certificate is of the model that is kept, not of scores that are a step ahead."""
    X, y = noisy()
    own = FIXED.get(booster, {})
    model = make(booster, n_estimators=9, **own)
    calls, move = itertools.count(1), Blocks.move

    def half(self, scores, step):
        move(self, scores, step)
        if next(calls) == 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(Blocks, "move", half)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    monkeypatch.setattr(Blocks, "move", move)
    assert model.stop_reason_ == "interrupted"
    whole = make(booster, n_estimators=model.n_iter_, **own).fit(X, y)
    np.testing.assert_allclose(stages(model, X), stages(whole, X), rtol=0, atol=1e-9)
    known, expected = model.certificate_, whole.certificate_
    for fact in ("training_error", "soft_margin"):
        assert known.get(fact) == pytest.approx(expected.get(fact), abs=1e-12)


def test_interrupted_after_the_first_step_and_before_its_history(monkeypatch):
    X, y = noisy()

    def interrupt(*_):
        raise KeyboardInterrupt

    model = AdaBoostClassifier(n_estimators=3)
    apply = State.apply
    monkeypatch.setattr(State, "apply", lambda *given: (apply(*given), interrupt()))
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


@pytest.mark.parametrize("where", ["history.arrays", "_certify"])
def test_interrupted_while_the_model_is_put_together(where, monkeypatch):
    """Then there is none, rather than half of one."""

    def interrupt(*_):
        raise KeyboardInterrupt

    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=3)
    if where == "_certify":
        monkeypatch.setattr(AdaBoostClassifier, "_certify", interrupt)
    else:
        monkeypatch.setattr(History, "arrays", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)
