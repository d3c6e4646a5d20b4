"""Columns that matter together: which pairs there are, and how strong they are."""

import json

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.files.models import frame, numbers, two_classes
from tests.model.hand_made_trees import with_trees
from underdog import AdaBoostClassifier, GradientBoostingClassifier
from underdog.inspection import contributions, interactions


def of_signs(n_rows=400, seed=0):
    """The first two columns matter only together, the third alone, the fourth not at all."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    score = 3 * np.sign(X[:, 0] * X[:, 1]) + 3 * X[:, 2]
    return X, (score + rng.logistic(size=n_rows) > 0).astype(int)


@pytest.fixture(scope="module")
def signs():
    X, y = of_signs()
    return GradientBoostingClassifier(n_estimators=60, max_depth=3).fit(X, y), X


@pytest.mark.parametrize("rows", [False, True])
def test_the_pair_that_matters_is_the_first(signs, rows):
    model, X = signs
    found = interactions(model, X if rows else None, feature_names=list("abcd"))
    assert found.each[0].names == ("a", "b")
    strength = [float(pair.strength.max()) for pair in found.each]
    assert strength == sorted(strength, reverse=True)
    if rows:
        assert strength[0] > 3 * strength[1]


def test_pairs_are_the_columns_that_share_a_path(signs):
    model, _ = signs
    expected = {}
    for number, member in enumerate(model.model_.members):
        for path in member.hypothesis.leaves:
            columns = sorted({test.column for test, _ in path})
            for place, first in enumerate(columns):
                for second in columns[place + 1 :]:
                    expected.setdefault((first, second), set()).add(number)
    found = {pair.columns: pair.n_trees for pair in interactions(model).each}
    assert found == {pair: len(trees) for pair, trees in expected.items()}


def test_strength_without_rows_is_credit_on_paths():
    """One tree of two splits: what the lower one adds, in the mean over the training examples."""
    X, y = of_signs()
    X[:, 0] = np.abs(X[:, 0])
    X = X[:, :2]
    model = GradientBoostingClassifier(n_estimators=1, max_depth=2).fit(X, y)
    tree = model.model_.members[0].hypothesis
    root = tree.leaves[0][0][0].column
    lower = np.array([len(path) > 1 and path[1][0].column != root for path in tree.leaves])
    assert lower.any()
    credit = contributions(model, X).values
    expected = np.abs(credit[:, 1 - root]).mean(axis=0)
    (pair,) = interactions(model).each
    np.testing.assert_allclose(pair.strength, expected, atol=1e-9)


def test_stumps_do_not_interact():
    X, y = of_signs()
    found = interactions(AdaBoostClassifier(n_estimators=5).fit(X, y), X)
    assert len(found) == 0
    assert found.text() == "no rule tests two columns, so columns add to the score independently"
    assert len(found.to_frame()) == 0
    assert "0 pairs" in repr(found)


def test_rules_that_abstain_count():
    rows = frame(numbers())
    booster = AdaBoostClassifier(n_estimators=6, categorical_features=["town", "size"])
    found = interactions(with_trees(booster.fit(rows, two_classes(numbers()))), rows)
    assert {pair.names for pair in found.each} == {
        ("c0", "town"), ("c0", "size"), ("town", "size")
    }  # fmt: skip


def test_text_and_data(signs):
    model, X = signs
    found = interactions(model, X, feature_names=["left", "right", "size", "noise"])
    lines = found.text(2).splitlines()
    assert lines[0].startswith("columns that interact; strength: mean difference between the joint")
    assert lines[2].split() == ["columns", "strength", "trees"]
    assert lines[3].split()[:3] == ["left", "and", "right"]
    assert lines[-1] == f"  ... and {len(found) - 2} more"
    assert max(map(len, lines)) <= 80
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["pairs"][0]["names"] == ["left", "right"]
    assert data["pairs"][0]["strength"]["1"] == found.each[0].strength[0]
    table = found.to_frame()
    assert table["first"][0] == "left"
    assert table["strength"][0] == found.each[0].strength[0]


def test_several_classes_name_the_one_that_changes_most():
    X, y = of_signs()
    y = np.where(X[:, 3] > 1, "x", np.where(y, "yes", "no"))
    model = GradientBoostingClassifier(n_estimators=20).fit(X, y)
    found = interactions(model, X)
    assert found.each[0].strength.shape == (3,)
    k = int(np.argmax(found.each[0].strength))
    assert found.text(1).splitlines()[3].split()[3] == found.explained.labels[k]


def test_rules_of_another_library_are_refused():
    X, y = of_signs()
    learner = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = AdaBoostClassifier(n_estimators=2, learner=learner).fit(X, y)
    with pytest.raises(ValueError, match="of another library"):
        interactions(model, X)


def test_rows_are_needed():
    X, y = of_signs()
    model = GradientBoostingClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="0 sample"):
        interactions(model, X[:0])
