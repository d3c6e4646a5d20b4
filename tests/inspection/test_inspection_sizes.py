"""Scores after each round, and the smallest model that will do."""

import json

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.pipeline import make_pipeline

from tests.inspection.explained import BOOSTERS, SPAM, TEXTS, forms, make, problems, targets
from underdog import (
    AdaBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    LPBoostClassifier,
    TermVectorizer,
    ThresholdClassifier,
    cost_scorer,
)
from underdog.inspection import rules_needed

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")


@pytest.mark.parametrize("booster", BOOSTERS)
def test_scores_are_those_of_the_stages(booster):
    for problem in problems(booster):
        X, y = forms()["frame"], targets()[problem]
        model = make(booster).fit(X, y)
        found = rules_needed(model, X, y)
        stages = [accuracy_score(y, said) for said in model.staged_predict(X)]
        assert found.scores.tolist() == stages
        assert len(found.rules) == model.n_iter_
        assert found.scores[-1] == accuracy_score(y, model.predict(X))
        read = json.loads(json.dumps(found.to_dict()))
        assert read["scores"] == stages
        assert read["needed"][0]["score"] == max(stages)


def test_the_smallest_model():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=40).fit(X[:40], y[:40])
    found = rules_needed(model, X[40:], y[40:], within=(0.05, 0.2))
    best = max(found.scores)
    error = np.sqrt(best * (1 - best) / 40)
    assert found.standard_error == pytest.approx(error)
    for loss in (0.0, error, 0.05, 0.2, 1.0):
        few = found.needed(loss)
        assert found.scores[few - 1] >= best - loss
        assert (found.scores[: few - 1] < best - loss).all()
    assert found.needed(1.0) == 1
    words = [words for words, *_ in found.answers()]
    assert words == ["the best", "within one standard error", "within 0.05", "within 0.2"]


def test_a_single_loss():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=4).fit(X, y)
    assert rules_needed(model, X, y, within=0.05).within == (0.05,)


def test_rules_without_a_coefficient_do_not_count():
    X, y = forms()["dense"], targets()["two"]
    model = LPBoostClassifier(nu=0.6).fit(X, y)
    found = rules_needed(model, X, y)
    assert found.rules[-1] == model.certificate_["n_hypotheses"]
    assert found.rules.tolist() == [np.count_nonzero(c) for c in model.model_.path]


@pytest.mark.parametrize(
    ("scoring", "measure"),
    [
        ("f1_macro", lambda y, model, X: f1_score(y, model.predict(X), average="macro")),
        ("roc_auc", lambda y, model, X: roc_auc_score(y, model.decision_function(X))),
    ],
)
def test_other_scorers(scoring, measure):
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    found = rules_needed(model, X, y, scoring=scoring)
    assert found.scores[-1] == measure(y, model, X)
    assert found.standard_error is None
    assert [words for words, *_ in found.answers()] == ["the best", "within 0.01"]


def test_weights_are_for_the_scorer():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    weight = np.arange(len(y)) % 2
    found = rules_needed(model, X, y, sample_weight=weight)
    half = rules_needed(model, X[1::2], y[1::2])
    assert found.scores.tolist() == pytest.approx(half.scores.tolist())
    assert found.standard_error == pytest.approx(half.standard_error)


def test_text_and_wrappers():
    pipeline = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=5))
    decided = ThresholdClassifier(pipeline, cv=2).fit(TEXTS, SPAM)
    found = rules_needed(decided, TEXTS, SPAM)
    lines = found.text().splitlines()
    assert lines[0] == "accuracy on 6 examples:"
    assert [line.split()[0] for line in lines[2:6]] == ["1", "2", "4", "5"]
    assert lines[6].endswith(f": {found.best:.4f}, the best")


def test_the_threshold_of_the_model_decides():
    X, y = forms()["dense"], targets()["two"]
    booster = AdaBoostClassifier(n_estimators=12)
    model = ThresholdClassifier(booster, ("recall", 1.0), cv=2).fit(X, y)
    found = rules_needed(model, X, y)
    stages = [
        np.mean(np.where(scores > model.threshold_, "yes", "no") == y)
        for scores in model.estimator_.staged_decision_function(X)
    ]
    assert found.scores.tolist() == stages
    assert found.scores[-1] == accuracy_score(y, model.predict(X))
    assert found.scores[-1] != accuracy_score(y, model.estimator_.predict(X))


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic", None])
def test_the_costs_of_the_model_decide(calibration):
    X, y = forms()["dense"], targets()["two"]
    costs, booster = Costs(fn=30, fp=1), AdaBoostClassifier(n_estimators=12)
    model = CostSensitiveClassifier(booster, costs, calibration=calibration, cv=2).fit(X, y)
    assert rules_needed(model, X, y).scores[-1] == accuracy_score(y, model.predict(X))
    found = rules_needed(model, X, y, scoring="cost")
    assert found.scores[-1] == pytest.approx(-cost_scorer(costs)(model, X, y))
    assert found.best == found.scores.min()
    assert found.needed(0.1) == found.rules[found.scores <= found.best + 0.1].min()
    assert found.text().startswith(f"mean cost on {len(y)} examples:\n")


def test_a_score_of_the_positive_class():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=5, pos_label="no").fit(X, y)
    found = rules_needed(model, X, y, scoring="f1")
    assert found.scores[-1] == f1_score(y, model.predict(X), pos_label="no")


def test_wrong_calls():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="within=-1 must be a finite number"):
        rules_needed(model, X, y, within=(-1,))
    with pytest.raises(ValueError, match="scoring='cost' needs a model with costs"):
        rules_needed(model, X, y, scoring="cost")
    with pytest.raises(ValueError, match="within='all' must be a finite number"):
        rules_needed(model, X, y, within="all")
    with pytest.raises(ValueError, match="that AdaBoostClassifier was not fitted with"):
        rules_needed(model, X, np.where(y == "no", "never", y))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        rules_needed(model, X, y[1:])


def test_margins_have_no_probability_to_score():
    X, y = forms()["dense"], targets()["two"]
    model = LPBoostClassifier(nu=0.6).fit(X, y)
    message = "scoring='neg_log_loss' needs probabilities, but LPBoostClassifier has none: use a"
    with pytest.raises(ValueError, match=message):
        rules_needed(model, X, y, scoring="neg_log_loss")
    assert len(rules_needed(model, X, y, scoring="roc_auc").scores) == model.n_iter_

    def broken(estimator, X, y):
        return estimator.no_such_thing

    with pytest.raises(AttributeError, match="no_such_thing"):  # the scorer's own mistake
        rules_needed(model, X, y, scoring=broken)
