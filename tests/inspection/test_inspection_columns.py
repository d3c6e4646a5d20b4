"""Step functions of columns, and rules: with the start they are the whole model."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier

from tests.inspection.explained import BOOSTERS, forms, make, problems, targets
from underdog import AdaBoostClassifier, AdaBoostMHClassifier
from underdog.inspection import contributions, rules, shapes
from underdog.model import Ensemble

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")


@pytest.mark.parametrize("booster", BOOSTERS)
def test_a_model_can_be_computed_from_its_data_for_json(booster):
    """Start and columns, read back from JSON, give the scores bit for bit."""
    X = forms()["frame"]
    for problem in problems(booster):
        y = targets()[problem]
        model = make(booster).fit(X, y)
        read = json.loads(json.dumps(shapes(model).to_dict()))
        total = np.tile([read["baseline"][label] for label in read["labels"]], (len(X), 1))
        for column in read["columns"]:
            values = X[column["name"]]
            table = np.array([column["values"][label] for label in read["labels"]]).T
            missing = [column["missing"][label] for label in read["labels"]]
            if column["kind"] == "category":
                place = [-1 if pd.isna(v) else column["levels"].index(v) for v in values]
            else:
                place = np.searchsorted(column["cuts"], values)
            total += np.where(values.isna().to_numpy()[:, np.newaxis], missing, table[place])
        np.testing.assert_array_equal(model._labels.decision(total), model.decision_function(X))


def test_strongest_first():
    model = AdaBoostClassifier(n_estimators=30).fit(forms()["mixed"], targets()["two"])
    found = shapes(model)
    strengths = [shape.strength for shape in found]
    assert strengths == sorted(strengths, reverse=True)
    assert len(found) > 5
    for shape in found:
        known = np.vstack([shape.values, shape.missing]) if shape.has_missing else shape.values
        assert shape.strength == known.max() - known.min()
    told = [line.split()[1] for line in found.text().splitlines() if line[4:5] == "."]
    assert told == [shape.name for shape in found][:20]


def test_kinds():
    model = AdaBoostClassifier(n_estimators=60).fit(forms()["mixed"], targets()["two"])
    kinds = {shape.kind: shape for shape in shapes(model)}
    assert set(kinds) == {"number", "presence", "category"}
    assert kinds["presence"].values[0] == 0
    assert kinds["category"].levels == ("Bonn", "Köln", "Ulm")
    assert kinds["category"].has_missing


def test_infinite_cuts_are_texts_in_json():
    X = np.where(np.arange(20) < 8, -np.inf, np.inf).reshape(-1, 1)
    model = AdaBoostClassifier(n_estimators=1).fit(X, np.arange(20) < 8)
    cuts = shapes(model).to_dict()["columns"][0]["cuts"]
    assert cuts == ["-inf"]
    json.dumps(cuts, allow_nan=False)


def test_unused_columns_are_left_out_and_a_constant_has_none():
    X, y = forms()["dense"], targets()["two"]
    assert "x4" not in [s.name for s in shapes(AdaBoostClassifier().fit(X, y))]
    none = shapes(AdaBoostClassifier().fit(np.ones((6, 2)), [0, 1, 1] * 2))
    assert len(none) == 0
    assert "baseline +" in none.text()


def test_rules_that_cancel_are_part_of_the_start():
    """Two stumps on one column, each the other's reverse, say the same about every row."""
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=1).fit(X, y)
    (member,) = model.model_.members
    steps = np.array([[0.25], [0.75]])
    pair = [member._replace(steps=steps), member._replace(steps=steps[::-1].copy())]
    model.model_ = Ensemble(pair, model.model_.schema, 1)
    found = shapes(model)
    assert len(found) == 0
    assert found.start.tolist() == [1.0]
    assert model.describe(merged=True).splitlines()[1:] == ["baseline +1.000"]
    np.testing.assert_array_equal(contributions(model, X).decision, model.decision_function(X))


def test_trees_have_rules_and_no_shapes():
    X, y = np.nan_to_num(forms()["dense"]), targets()["two"]
    learner = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = AdaBoostClassifier(learner=learner, n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match="no column has a step function of its own"):
        shapes(model)
    assert len(rules(model)) == 3
    assert rules(model).text().count("DecisionTreeClassifier") == 3
    assert rules(model).text(merged=True).count("DecisionTreeClassifier  yes +") == 3


@pytest.mark.parametrize("booster", BOOSTERS)
def test_rules_in_words_and_as_data(booster):
    X, y = forms()["dense"], targets()["two"]
    model = make(booster).fit(X, y)
    found = rules(model)
    assert found.text(None) == model.describe(None)
    read = json.loads(json.dumps(found.to_dict()))
    assert len(read["rules"]) == len(found)
    members = [member for member in model._shown.members if member.size > 0]
    for rule, member in zip(read["rules"], members, strict=True):
        assert rule["question"] == member.hypothesis.words(model.model_.schema)
        assert [rule["no"]["yes"], rule["yes"]["yes"]] == member.steps[:, 0].tolist()


def answers(rule, row):
    """Whether a rule of a JSON file says yes to a row, by nothing but what the file says."""
    value = row[rule["name"]]
    if value is None or value != value:
        return rule["missing"]
    if "levels" in rule:
        return str(value) in rule["levels"]
    return "above" in rule and value > float(rule["above"])


@pytest.mark.parametrize("booster", BOOSTERS)
def test_a_model_can_be_computed_from_its_rules(booster):
    """The rules, read back from JSON by a program without underdog, give the scores bit for bit."""
    X = forms()["frame"]
    rows = X.to_dict("records")
    for problem in problems(booster):
        model = make(booster).fit(X, targets()[problem])
        read = json.loads(json.dumps(rules(model).to_dict()))
        total = np.tile([read["baseline"][label] for label in read["labels"]], (len(X), 1))
        for rule in read["rules"]:
            always = "column" not in rule
            said = ["yes" if always or answers(rule, row) else "no" for row in rows]
            total += [[rule[answer][label] for label in read["labels"]] for answer in said]
        np.testing.assert_array_equal(model._labels.decision(total), model.decision_function(X))


def test_a_constant_has_one_answer():
    model = AdaBoostClassifier().fit(np.ones((6, 2)), [0, 1, 1] * 2)
    (rule,) = rules(model).to_dict()["rules"]
    assert rule["question"] == "always"
    assert "no" not in rule


def test_names_are_the_users():
    X = sp.csr_array(np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 1], [0, 1]], dtype=float))
    Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1]])
    model = AdaBoostMHClassifier(n_estimators=9).fit(X, Y)
    names = {"feature_names": ["oil", "wheat"], "label_names": ["crude", "grain"]}
    assert {shape.name for shape in shapes(model, **names)} == {"oil", "wheat"}
    assert shapes(model, **names).to_dict()["labels"] == ["crude", "grain"]
    assert "oil present" in rules(model, **names).text()
    with pytest.raises(ValueError, match="label_names has 'oil' more than once: give different"):
        shapes(model, label_names=["oil", "oil"])
    with pytest.raises(ValueError, match="feature_names has 'oil' more than once"):
        rules(model, feature_names=["oil", "oil"])


@pytest.mark.parametrize("most", ["x", -1, 1.5])
def test_how_many_to_tell(most):
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    why = contributions(model, X)
    for text in (rules(model).text, shapes(model).text, lambda most: why.text(0, max_display=most)):
        with pytest.raises(
            ValueError, match=f"max_display={most!r} must be a whole number, at least 0"
        ):
            text(most)
