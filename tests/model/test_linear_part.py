"""What is said about the linear model in a blend is what it adds."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from underdog import BlendedTreesClassifier, BlendedTreesRegressor
from underdog.model.linear_part import (
    describe_linear,
    linear_columns,
    linear_importances,
    word_spreads,
)


def rows(seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=300),
            "town": pd.Categorical(rng.choice(["Bonn", "Rome", "Ulm"], 300)),
            "age": np.where(rng.random(300) < 0.1, np.nan, rng.integers(20, 60, 300)),
        }
    )
    height = frame["size"] + (frame["town"] == "Rome") + 0.05 * frame["age"].fillna(30)
    return frame, height + 0.3 * rng.normal(size=300)


def fitted(booster, y):
    model = booster(n_estimators=20, cv=3).fit(rows()[0], y)
    assert model.linear_members
    return model


@pytest.mark.parametrize("n_classes", [2, 3])
def test_steps_of_bins_are_what_rows_get(n_classes):
    _, height = rows()
    model = fitted(BlendedTreesClassifier, pd.qcut(height, n_classes, labels=False))
    for own, member in zip(
        sorted(linear_columns(model.linear_members), key=lambda one: one.column),
        model.linear_members,
        strict=True,
    ):
        tree = member.hypothesis
        assert {test.column for test in tree.tests} == {own.column}
        assert set(map(tuple, own.steps)) >= set(map(tuple, member.steps[tree.examples > 0]))
        added = np.repeat(member.steps, tree.examples, axis=0)
        assert own.spread == pytest.approx(np.sqrt(added.var(axis=0).sum()))


def test_importances_are_a_mean_of_both_parts():
    _, height = rows()
    model = fitted(BlendedTreesRegressor, height)
    found, weight = model.feature_importances_, model.blend_["weight"]
    assert found.sum() == pytest.approx(1.0)
    linear = linear_importances(model.linear_members, 3)
    assert linear.sum() == pytest.approx(1.0)
    trees = (found - weight * linear) / (1.0 - weight) if weight < 1.0 else found
    assert trees.min() > -1e-12


def test_columns_in_words():
    _, height = rows()
    model = fitted(BlendedTreesClassifier, height > height.median())
    lines = describe_linear(model.linear_members, model.model_.schema, None, 2)
    assert lines[-1] == "... and 1 more column"
    text = model.describe(1)
    assert "linear model, with a weight of" in text
    whole = "\n".join(describe_linear(model.linear_members, model.model_.schema, None, None))
    assert "size" in whole
    assert " to +" in whole
    assert "Rome +" in whole


def test_words_that_raise_and_lower_the_score():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.4
    X = sp.random(400, 60, 0.03, format="csr", random_state=0, data_rvs=np.ones)
    X = X.tolil()
    X[np.flatnonzero(y)[::5], 3] = 1.0
    X[np.flatnonzero(~y)[::5], 7] = 1.0
    names = [f"w{j}" for j in range(60)]
    model = BlendedTreesClassifier(n_estimators=10, cv=3).fit(X.tocsr(), y)
    rule = model.linear_members[-1].hypothesis
    spreads = word_spreads(rule)
    assert spreads.shape == rule.weights.shape
    assert (np.sign(spreads) == np.sign(rule.weights)).all()
    text = model.describe(1, feature_names=names)
    assert "words that raise the score most:\n        w3" in text
    assert "words that lower the score most:\n        w7" in text


def test_of_many_classes_the_strongest_are_shown():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 12, 600)
    X = np.column_stack([y + rng.normal(size=600), rng.normal(size=600)])
    model = BlendedTreesClassifier(n_estimators=10, cv=3).fit(X, y)
    names = [f"class {k}" for k in range(12)]
    lines = describe_linear(model.linear_members, model.model_.schema, names, 1)
    assert len(lines) == 8 + (len(model.linear_members) > 1)
    assert lines[0].startswith("x0  class 0 ")
    assert [line[:2] for line in lines[1:8]] == ["  "] * 7
