"""Contributions in the form of shap; a small class stands in for shap's own."""

import sys
import types
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.inspection.explained import forms, targets
from underdog import AdaBoostClassifier, AdaBoostMHClassifier, GradientBoostingClassifier
from underdog.inspection import contributions


@dataclass
class Explanation:
    """The arguments of `shap.Explanation` that are used."""

    values: Any
    base_values: Any
    data: Any
    feature_names: Any
    output_names: Any = None


@pytest.fixture
def shap(monkeypatch):
    module = types.ModuleType("shap")
    module.Explanation = Explanation
    monkeypatch.setitem(sys.modules, "shap", module)


@pytest.mark.usefixtures("shap")
def test_two_classes_have_no_last_dimension():
    X, y = forms()["frame"], targets()["two"]
    why = contributions(AdaBoostClassifier(n_estimators=8).fit(X, y), X)
    found = why.to_shap()
    assert found.values.shape == (80, len(why.names))
    np.testing.assert_array_equal(found.base_values + found.values.sum(axis=1), why.scores[:, 0])
    assert found.feature_names == why.names
    assert found.output_names is None
    for u, name in enumerate(why.names):
        expected = X[name].where(X[name].notna(), None)
        own = [None if value != value else value for value in found.data[:, u]]
        assert own == [None if value != value else value for value in expected]


@pytest.mark.usefixtures("shap")
@pytest.mark.parametrize("form", ["dense", "sparse", "presence"])
def test_several_classes_and_data_of_every_form(form):
    X, y = forms()[form], targets()["three"]
    why = contributions(AdaBoostMHClassifier(n_estimators=12).fit(X, y), X)
    found = why.to_shap()
    assert found.values.shape == (80, len(why.names), 3)
    np.testing.assert_array_equal(found.base_values + found.values.sum(axis=1), why.scores)
    assert found.output_names == ["a", "b", "c"]
    dense = X if form == "dense" else X.toarray()
    used = [int(name[1:]) for name in why.names]
    np.testing.assert_array_equal(found.data, dense[:, used])
    assert found.data.dtype == np.float64


@pytest.mark.usefixtures("shap")
def test_rules_have_their_answers_as_data():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    found = contributions(model, X, by="rule").to_shap()
    steps = np.array([member.steps[:, 0] for member in model.model_.members])
    for rule in range(5):
        np.testing.assert_array_equal(steps[rule][found.data[:, rule]], found.values[:, rule])


def test_without_shap_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", None)
    X, y = forms()["dense"], targets()["two"]
    why = contributions(AdaBoostClassifier(n_estimators=2).fit(X, y), X)
    with pytest.raises(ImportError, match=r"to_shap\(\) needs shap: pip install shap"):
        why.to_shap()


@pytest.mark.usefixtures("shap")
def test_models_of_trees():
    X, y = forms()["dense"], targets()["three"]
    model = GradientBoostingClassifier(n_estimators=5).fit(X, y)
    made = contributions(model, X).to_shap()
    total = made.base_values + made.values.sum(axis=1)
    np.testing.assert_array_equal(total, model.decision_function(X))
    assert made.data.shape == made.values.shape[:2]
