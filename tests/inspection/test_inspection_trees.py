"""Models with trees of several leaves and rules that abstain: what can be told of them."""

import json

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.files.models import categorical, frame, labels, numbers, two_classes
from tests.model.hand_made_trees import with_trees
from underdog import AdaBoostClassifier, AdaBoostMHClassifier
from underdog.inspection import contributions, hardest, rules, rules_needed, shapes

X = numbers()
ROWS = frame(X)


@pytest.fixture(scope="module")
def model():
    booster = AdaBoostClassifier(n_estimators=6, max_bins=8, **categorical("categories"))
    return with_trees(booster.fit(ROWS, two_classes(X)))


@pytest.fixture(scope="module")
def of_labels():
    return with_trees(AdaBoostMHClassifier(n_estimators=6, max_bins=8).fit(X, labels(X)))


def is_true(test, row):
    """Whether a test of the data for JSON is true of a row."""
    value = row[test["column"]]
    if value is None or value != value:
        return test["missing"]
    if "levels" in test:
        return str(value) in test["levels"]
    return value > test["above"]


def on_path(tests, row):
    return all(is_true(test, row) == test["answer"] for test in tests)


def says(rule, row):
    """What a rule of the data for JSON says of a row."""
    if "leaves" in rule:
        ways = [leaf for leaf in rule["leaves"] if leaf["tests"] is not None]
        found = [leaf for leaf in ways if on_path(leaf["tests"], row)]
        found = found or [leaf for leaf in rule["leaves"] if leaf["tests"] is None]
        assert len(found) == 1
        return found[0]["says"]
    if "tests" in rule:
        return rule["yes" if on_path(rule["tests"], row) else "no"]
    return rule["yes" if "column" not in rule or is_true(rule, row) else "no"]


@pytest.mark.parametrize("name", ["model", "of_labels"])
def test_a_model_can_be_computed_from_its_rules(name, request):
    fitted = request.getfixturevalue(name)
    given = ROWS if name == "model" else X
    read = json.loads(json.dumps(rules(fitted).to_dict(), allow_nan=False))
    assert [("leaves" in rule, "tests" in rule) for rule in read["rules"]] == [
        (False, False), (False, False), (False, True), (True, False), (True, False), (True, False)
    ]  # fmt: skip
    total = np.zeros((len(given), len(read["labels"])))
    values = given.astype(object).to_numpy() if name == "model" else given
    for place, row in enumerate(values.tolist()):
        row[-1] = float(row[-1]) if row[-1] is not None else None  # sizes are levels of floats
        for rule in read["rules"]:
            total[place] += [says(rule, row)[label] for label in read["labels"]]
    np.testing.assert_array_equal(fitted._labels.decision(total), fitted.decision_function(given))


@pytest.mark.parametrize("name", ["model", "of_labels"])
def test_contributions_by_rule_add_up_and_name_the_leaf(name, request):
    fitted = request.getfixturevalue(name)
    given = ROWS if name == "model" else X
    found = contributions(fitted, given, by="rule")
    np.testing.assert_array_equal(found.decision, fitted.decision_function(given))
    members = fitted.model_.members
    for row in range(len(given)):
        for t, member in enumerate(members):
            words = found.words(row, t)
            leaves = found._parts[t].places
            assert found.values[row, t].tolist() == member.steps[leaves.index(words)].tolist()
    assert found.names[3].startswith("tree on ")
    assert found.words(0, 1) == "always"
    assert f"elsewhere in the {found.names[5]}" in {found.words(i, 5) for i in range(len(given))}
    assert "always" in found.text(0)
    json.dumps(found.to_dict(0), allow_nan=False)


def test_the_leaf_is_told_apart_from_one_that_says_the_same(model):
    members = list(model.model_.members)
    same = np.zeros_like(members[3].steps)
    members[3] = members[3]._replace(steps=same, size=1.0)
    other = with_trees(model)
    other.model_ = type(model.model_)(members, model.model_.schema, 1)
    found = contributions(other, ROWS, by="rule")
    words = {found.words(row, 3) for row in range(len(ROWS))}
    assert words == set(members[3].hypothesis.leaf_words(model.model_.schema))


def test_columns_have_no_step_function_of_their_own(model):
    with pytest.raises(ValueError, match=r"use several columns at once.*contributions\(model"):
        shapes(model)


def test_texts(model):
    text = rules(model).text(None)
    assert "   4. town is not Ulm\n        size not in {2.0, 3.0}  " in text
    merged = rules(model).text(None, merged=True)
    assert "   2. town is not Ulm\n        size not in {2.0, 3.0}  " in merged
    assert len(rules(model)) == 6


def test_hard_examples_and_sizes(model):
    y = two_classes(X)
    assert len(hardest(model, ROWS, y, 5)) == 5
    assert rules_needed(model, ROWS, y).rules.tolist() == [1, 2, 3, 4, 5, 6]


def test_a_constant_is_always_so():
    """A rule with one block has no answer but yes."""
    model = AdaBoostClassifier(n_estimators=2).fit(np.ones((6, 2)), [0, 0, 0, 0, 1, 1])
    found = contributions(model, np.ones((1, 2)), by="rule")
    assert found.words(0, 0) == "always"
    assert found.to_dict(0)["contributions"][0]["is"] == "always"


def test_rules_that_split_each_label_in_another_way():
    learner = DecisionTreeClassifier(max_depth=1, random_state=0)
    fitted = AdaBoostMHClassifier(n_estimators=2, learner=learner).fit(X[:, :2], labels(X))
    found = contributions(fitted, X[:, :2], by="rule")
    for row in range(len(X)):
        for t, member in enumerate(fitted.model_.members):
            own = found.values[row, t]
            yes = [member.steps[1, k] == value for k, value in enumerate(own)]
            expected = "DecisionTreeClassifier" if any(yes) else "not: DecisionTreeClassifier"
            assert found.words(row, t) == expected


def test_examples_that_are_equally_hard_come_in_their_order():
    """Two classes with one example each differ in nothing but the order of their labels."""
    y = np.array(["no", "no", "no", "no", "yes", "perhaps"])
    for names in (["no", "perhaps", "yes"], ["b", "a", "c"], ["a", "b", "c"], ["c", "a", "b"]):
        renamed = np.array(names)[np.searchsorted(["no", "perhaps", "yes"], y)]
        model = AdaBoostMHClassifier().fit(np.ones((6, 1)), renamed)
        found = hardest(model, np.ones((6, 1)), renamed, 6)
        assert found.rows == [4, 5, 0, 1, 2, 3]
        assert found.each[0].share == found.each[1].share
