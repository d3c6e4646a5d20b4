"""What columns and rules add is the score, bit for bit, for every booster and kind of data."""

import json
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from tests.inspection.explained import BOOSTERS, forms, make, problems, targets
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    CalibratedAdaMECClassifier,
    Costs,
    CostSensitiveClassifier,
    LPBoostClassifier,
    TermVectorizer,
    ThresholdClassifier,
)
from underdog.inspection import contributions

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
CASES = [(booster, problem) for booster in BOOSTERS for problem in problems(booster)]
BOTH = ("column", "rule")


def assert_adds_up(found, booster, X):
    """The sum is the score with the same bits, in whatever order it is taken."""
    decision = booster.decision_function(X)
    np.testing.assert_array_equal(found.decision, decision)
    backwards = sum((found.values[:, u] for u in reversed(range(len(found.names)))), found.base)
    backwards = np.broadcast_to(backwards, found.scores.shape)
    np.testing.assert_array_equal(found.explained.booster._labels.decision(backwards), decision)


@pytest.mark.parametrize("form", list(forms()))
@pytest.mark.parametrize(("booster", "problem"), CASES)
def test_they_add_up_to_the_score(booster, problem, form):
    X, y = forms()[form], targets()[problem]
    model = make(booster).fit(X, y)
    new = forms(60, seed=5)[form]
    for by in BOTH:
        for rows in (X, new):
            assert_adds_up(contributions(model, rows, by=by), model, rows)


@pytest.mark.parametrize("by", BOTH)
def test_holes_and_levels_that_training_did_not_have(by):
    X, y = forms()["frame"].dropna(), targets()["two"]
    model = AdaBoostClassifier(n_estimators=10).fit(X, y[X.index])
    new = forms(seed=3)["frame"]
    new.loc[::4, "town"] = "Rom"
    found = contributions(model, new, by=by)
    assert_adds_up(found, model, new)
    if by == "column":
        assert found.words(0, found.names.index("town")) == "town is missing or new"


def test_sparse_and_dense_rows_have_the_same_scores():
    """A column of zeros adds nothing where it is sparse: it is part of the start."""
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=20).fit(sp.csr_array(X), y)
    sparse, dense = (contributions(model, rows) for rows in (sp.csr_array(X), X))
    np.testing.assert_array_equal(sparse.scores, dense.scores)
    zero = X[:, sparse.explained.shapes()[1][1].column] == 0
    assert zero.any()
    assert not sparse.values[zero, 1].any()
    empty = contributions(model, sp.csr_array((1, X.shape[1])))
    assert not empty.values.any()
    np.testing.assert_array_equal(empty.base, sparse.base)


def test_the_start_of_a_text_is_the_score_of_an_empty_one():
    texts = ["free prize now", "see you soon", "win a prize", "see the free film", "call now"]
    y = ["spam", "ham", "spam", "ham", "spam"]
    model = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=9)).fit(texts, y)
    found = contributions(model, ["unheard-of", "free prize"])
    np.testing.assert_array_equal(found.base, model.decision_function(["unheard-of"]))
    assert not found.values[0].any()
    assert set(np.flatnonzero(found.values[1, :, 0])) <= {
        found.names.index(word) for word in ("free", "prize") if word in found.names
    }
    assert_adds_up(found, model, ["unheard-of", "free prize"])


@pytest.mark.parametrize("by", BOTH)
def test_the_positive_class_may_be_the_first(by):
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=8, pos_label="no").fit(X, y)
    found = contributions(model, X, by=by)
    assert found.labels == ["no"]
    np.testing.assert_array_equal(found.decision, model.decision_function(X))
    np.testing.assert_array_equal(found.scores[:, 0], -model.decision_function(X))
    row = int(np.argmax(found.scores[:, 0]))
    text = found.text(row)
    assert text.startswith(f"row {row} (numbered from 0), score for 'no':")
    share = model.predict_proba(X)[row, 0]
    assert text.endswith(f"predicted 'no'; probability of 'no' {share:.3f}")
    assert found.to_dict(row)["score"]["no"] > 0


def deciders():
    booster = AdaBoostClassifier(n_estimators=6)
    return {
        "threshold": ThresholdClassifier(booster, cv=2),
        "costs": CostSensitiveClassifier(booster, Costs(fn=5, fp=1), cv=2),
        "own probabilities": CostSensitiveClassifier(booster, calibration=None),
        "adamec": CalibratedAdaMECClassifier(Costs(fn=5, fp=1), n_estimators=6, cv=2),
        "pipeline inside": ThresholdClassifier(
            make_pipeline(FunctionTransformer(np.nan_to_num), booster), cv=2
        ),
        "pipeline outside": make_pipeline(
            FunctionTransformer(np.nan_to_num), ThresholdClassifier(booster, cv=2)
        ),
    }


@pytest.mark.parametrize("name", list(deciders()))
def test_deciders(name):
    """The booster inside is explained; the decision is the decider's."""
    X, y = forms()["dense"], targets()["two"]
    model = deciders()[name].fit(X, y)
    for by in BOTH:
        found = contributions(model, X, by=by)
        booster = found.explained.booster
        rows = X if "pipeline" not in name else np.nan_to_num(X)
        assert_adds_up(found, booster, rows)
        np.testing.assert_array_equal(found.predicted, model.predict(X))
        np.testing.assert_array_equal(found.probabilities, model.predict_proba(X))
        assert found.text(0).splitlines()[-1] == found.explained.notes[0]


@pytest.mark.parametrize("by", BOTH)
def test_a_single_rule_and_none(by):
    X, y = forms()["dense"], targets()["two"]
    one = AdaBoostClassifier(n_estimators=1).fit(X, y)
    found = contributions(one, X, by=by)
    assert_adds_up(found, one, X)
    assert found.values.shape[1] == 1
    none = AdaBoostClassifier().fit(np.ones((10, 1)), [0, 1] * 4 + [1, 1])
    assert [member.hypothesis.words(None) for member in none.model_.members] == ["always"]
    found = contributions(none, np.ones((2, 1)), by=by)
    assert_adds_up(found, none, np.ones((2, 1)))
    assert "total: " in found.text(1)


@pytest.mark.parametrize("booster", [AdaBoostClassifier, AdaBoostMHClassifier])
def test_rules_of_another_library_are_explained_one_by_one(booster):
    X, y = np.nan_to_num(forms()["dense"]), targets()
    problem = "several" if booster is AdaBoostMHClassifier else "two"
    learner = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = booster(learner=learner, n_estimators=4).fit(X, y[problem])
    found = contributions(model, X, by="rule")
    assert_adds_up(found, model, X)
    assert "DecisionTreeClassifier" in found.text(0)
    with pytest.raises(ValueError, match=r"of another library.*by='rule'"):
        contributions(model, X)


def test_text():
    X = np.arange(12.0).reshape(-1, 1)
    y = np.where(X[:, 0] > 5, "late", "early")
    y[0] = "late"
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    found = contributions(model, X, feature_names=["hour"])
    lines = found.text(3).splitlines()
    share = model.predict_proba(X)[3, 1]
    assert lines[0] == "row 3 (numbered from 0), score for 'late':"
    assert lines[1].split(None, 1)[1] == "0.5 < hour <= 5.5"
    assert float(lines[1].split()[0]) == round(float(found.values[3, 0, 0]), 3)
    assert lines[2].endswith(f"total: predicted 'early'; probability of 'late' {share:.3f}")
    ruled = contributions(model, X, by="rule", feature_names=["hour"]).text(3, 1)
    assert ruled.splitlines()[2].endswith("  2 more")
    assert "not: hour > 5.5" in ruled


def test_text_of_several_labels():
    X, y = forms()["presence"], targets()["several"]
    model = AdaBoostMHClassifier(n_estimators=20).fit(X, y)
    found = contributions(model, X, label_names=["crude", "grain", "ship"])
    row = int(np.argmax(found.scores.max(axis=1)))
    best = found.labels[int(np.argmax(found.scores[row]))]
    assert found.text(row).startswith(f"row {row} (numbered from 0), score for {best!r}:")
    assert found.text(row, label="ship").startswith(
        f"row {row} (numbered from 0), score for 'ship':"
    )
    quiet = int(np.flatnonzero(~model.predict(X).any(axis=1))[0])
    assert "predicted none of the labels" in found.text(quiet)
    with pytest.raises(ValueError, match=r"label='fish' must be one of \['crude', 'grain', 'sh"):
        found.text(0, label="fish")


@pytest.mark.parametrize("problem", ["two", "three", "several"])
def test_data_for_json_add_up_too(problem):
    X, y = forms()["mixed"], targets()[problem]
    model = AdaBoostMHClassifier(n_estimators=15).fit(X, y)
    found = contributions(model, X)
    read = json.loads(json.dumps(found.to_dict(7)))
    for k, label in enumerate(found.labels):
        total = read["baseline"][label] + sum(part["adds"][label] for part in read["contributions"])
        assert total == read["score"][label] == found.scores[7, k]
    strengths = [max(map(abs, part["adds"].values())) for part in read["contributions"]]
    assert strengths == sorted(strengths, reverse=True)
    assert min(strengths) > 0
    if problem != "several":
        assert read["predicted"] == model.predict(X)[7]
        assert sum(read["probability"].values()) == pytest.approx(1)


def test_margins_have_no_probability():
    X, y = forms()["dense"], targets()["two"]
    found = contributions(LPBoostClassifier(nu=0.5).fit(X, y), X)
    assert found.probabilities is None
    assert "probability" not in found.text(0)
    assert "probability" not in found.to_dict(0)


@pytest.mark.parametrize("by", BOTH)
def test_they_can_be_kept(by):
    X, y = forms()["mixed"], targets()["three"]
    found = contributions(AdaBoostMHClassifier(n_estimators=5).fit(X, y), X, by=by)
    again = pickle.loads(pickle.dumps(found))
    assert again.text(3) == found.text(3)
    assert again.to_dict(3) == found.to_dict(3)


def test_messages():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="by='word' must be 'column' or 'rule'"):
        contributions(model, X, by="word")
    with pytest.raises(ValueError, match="row=80 must be a whole number, at least 0 and at"):
        contributions(model, X).text(80)
    with pytest.raises(ValueError, match="feature_names must be a sequence of 5 names"):
        contributions(model, X, feature_names=["a"])
