"""Rules under the names of scikit-learn's AdaBoost, and the page of a model in a notebook."""

import pickle
import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import AdaBoostClassifier as PlainAdaBoost
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.small import BOOSTERS
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    GradientBoostingClassifier,
    LPBoostClassifier,
    load,
)

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
HOSTILE = "</td><script>alert('x')</script>&<b title=\"y\">"


def cells():
    return load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_the_rules_times_their_weights_are_the_score(booster):
    X, y = cells()
    model = booster(n_estimators=6, pos_label=0).fit(X, y)
    rules, weights = model.estimators_, model.estimator_weights_
    assert len(rules) == len(weights) == model.n_iter_ == len(list(rules))
    total = sum(w * rule.decision_function(X) for w, rule in zip(weights, rules, strict=True))
    start = model._labels.decision(np.tile(model.model_.start, (len(X), 1)))
    np.testing.assert_allclose(start + total, model.decision_function(X), atol=1e-8)
    for rule in rules:
        said = rule.decision_function(X)
        sure = said != 0
        assert set(rule.predict(X)) <= set(model.classes_)
        np.testing.assert_array_equal(rule.predict(X)[sure] == 1, said[sure] > 0)


def test_weights_and_errors_are_those_of_scikit_learn():
    """Where both are given the same weak learner; our coefficients are half of its weights."""
    X, y = cells()
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    plain = PlainAdaBoost(tree, n_estimators=8, random_state=0).fit(X, y)
    ours = AdaBoostClassifier(learner=tree, n_estimators=8).fit(X, y)
    np.testing.assert_allclose(ours.estimator_errors_, plain.estimator_errors_, rtol=1e-7)
    np.testing.assert_allclose(2 * ours.estimator_weights_, plain.estimator_weights_, rtol=1e-7)
    for rule, peer in zip(ours.estimators_, plain.estimators_, strict=True):
        np.testing.assert_array_equal(rule.predict(X), peer.predict(X))


def test_errors_are_those_of_the_weights_of_the_round():
    X, y = cells()
    names = np.array(["bad", "good"])[y]
    model = AdaBoostClassifier(learner="discrete", n_estimators=5).fit(X, names)
    weight = np.full(len(y), 1 / len(y))
    for rule, error, coefficient in zip(
        model.estimators_, model.estimator_errors_, model.estimator_weights_, strict=True
    ):
        wrong = rule.predict(X) != names
        assert weight[wrong].sum() == pytest.approx(error, rel=1e-9)
        weight *= np.exp(np.where(wrong, coefficient, -coefficient))
        weight /= weight.sum()


def test_errors_of_pairs_of_example_and_label():
    X, y = load_iris(return_X_y=True)
    model = AdaBoostMHClassifier(learner="discrete", n_estimators=3).fit(X, y)
    sign = np.where(y[:, np.newaxis] == model.classes_, 1, -1)
    wrong = model.estimators_[0].decision_function(X) * sign < 0
    assert wrong.mean() == pytest.approx(model.estimator_errors_[0], rel=1e-9)


def test_rules_that_do_not_vote_have_no_errors():
    X, y = cells()
    real = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert not hasattr(real, "estimator_errors_")
    with pytest.raises(AttributeError, match=r"no estimator_errors_: .* such as 'discrete', or"):
        _ = real.estimator_errors_
    np.testing.assert_array_equal(real.estimator_weights_, np.ones(3))
    mixed = AdaBoostClassifier(learner="discrete", n_estimators=3).fit(X, y)
    first, *others = mixed.model_.members
    half = first.hypothesis.values / 2
    mixed.model_.members = (
        first._replace(hypothesis=type(first.hypothesis).stump(first.hypothesis.test, half)),
        *others,
    )
    assert np.isnan(mixed.estimator_errors_).tolist() == [True, False, False]


def test_early_stopping_leaves_the_errors_of_the_rules_that_are_kept():
    X, y = cells()
    model = AdaBoostClassifier(
        learner="discrete", n_estimators=60, early_stopping=True, n_iter_no_change=3
    ).fit(X, y)
    assert len(model.history_["edge"]) > model.n_iter_
    assert len(model.estimator_errors_) == len(model.estimators_) == model.n_iter_


def test_rules_are_made_when_they_are_asked_for(tmp_path):
    X, y = cells()
    model = LPBoostClassifier(nu=0.3, n_estimators=10).fit(X, y)
    before = len(pickle.dumps(model))
    assert len(pickle.dumps(model.estimators_[0])) > before  # a rule holds its booster
    assert [repr(rule) for rule in model.estimators_[-2:]] == [
        repr(model.estimators_[number]) for number in (-2, -1)
    ]
    assert len(pickle.dumps(model)) == before
    assert "estimators_" not in vars(model)
    model.save(tmp_path / "model.udg")
    again = load(tmp_path / "model.udg")
    np.testing.assert_array_equal(again.estimators_[1].predict(X), model.estimators_[1].predict(X))
    with pytest.raises(IndexError):
        model.estimators_[10**6]


@pytest.mark.parametrize("name", ["estimators_", "estimator_weights_", "estimator_errors_"])
def test_before_fit_there_are_none(name):
    assert not hasattr(AdaBoostClassifier(), name)
    with pytest.raises(NotFittedError):
        getattr(AdaBoostClassifier(), name)


def test_reprs_of_rules():
    X, y = cells()
    model = AdaBoostClassifier(n_estimators=30).fit(pd.DataFrame(X).add_prefix("x" * 200), y)
    assert len(repr(model.estimators_[0])) < 100
    assert repr(model.estimators_).endswith(", ...] (30 rules)")
    assert len(repr(model.estimators_)) < 300
    one = AdaBoostClassifier(n_estimators=1).fit(X, y)
    assert re.fullmatch(r"\[Rule\('x\d+ > \S+'\)\] \(1 rule\)", repr(one.estimators_))


def block_of(page):
    """The part of a page that is about the rules, read as XML: it must be well formed."""
    found = re.findall(r'<div class="underdog">.*', page, flags=re.DOTALL)
    assert len(found) == 1
    return ET.fromstring(found[0])


def texts(element, tag):
    return ["".join(each.itertext()) for each in element.iter(tag)]


def test_the_page_of_a_fitted_model_has_the_diagram_and_the_first_rules():
    X, y = cells()
    model = AdaBoostClassifier(n_estimators=12).fit(X, y)
    page = model._repr_html_()
    assert "sk-container-id" in page
    block = block_of(page)
    found = texts(block, "td")
    lines = model.describe().splitlines()
    assert texts(block, "strong") == ["AdaBoostClassifier: score > 0 means '1', else '0'"]
    for known in ("12", model.stop_reason_, f"{model.certificate_['bound']:.4g}"):
        assert known in found
    first = found[found.index("1.") :][:4]
    assert lines[-1] == str(*model.certificate_.lines())
    assert lines[1].split() == f"{first[0]} {first[1]}  {first[2]}   else {first[3]}".split()
    assert texts(block, "p")[-1] == "... and 2 more: describe(None) prints all rules"
    assert model._repr_mimebundle_()["text/html"].count('<div class="underdog">') == 1


@pytest.mark.parametrize("booster", BOOSTERS)
def test_every_booster_has_a_page(booster):
    X, y = cells()
    block = block_of(booster(n_estimators=3).fit(X, y)._repr_html_())
    assert "1." in texts(block, "td")


def test_the_page_of_several_classes_has_a_row_for_each():
    X, y = load_iris(return_X_y=True)
    model = AdaBoostMHClassifier(n_estimators=2).fit(X, np.array(["a<b", "c", "d"])[y])
    rows = [texts(row, "td") for row in block_of(model._repr_html_()).iter("tr")]
    assert [row[2] for row in rows if len(row) == 5] == ["a<b", "c", "d"] * 2


def test_the_page_of_trees_nests_conditions_and_has_the_baseline():
    """Every line of `describe` is a row; only the first row of a tree has its number."""
    X, y = load_iris(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=2, max_depth=2).fit(X, y == 1)
    rows = [texts(row, "td") for row in block_of(model._repr_html_()).iter("tr")]
    rows = [row for row in rows if len(row) == 3]
    assert rows[0] == ["", "baseline", f"{model.model_.start[0]:+.3f}"]
    lines = model.describe().splitlines()[2:]
    lines = lines[: next((n for n, line in enumerate(lines) if line[0] != " "), None)]
    assert [" ".join(row).split() for row in rows[1:]] == [line.split() for line in lines]
    assert [row[0] for row in rows if row[0]] == ["1.", "2."]
    depths = [(len(row[1]) - len(row[1].lstrip("\N{NO-BREAK SPACE}"))) // 4 for row in rows[1:]]
    assert max(depths) == 1
    assert depths == [(len(line[6:]) - len(line[6:].lstrip())) // 2 for line in lines]
    head = texts(block_of(model._repr_html_()), "th")
    assert head == ["", "rule", "adds"]


def test_the_page_of_trees_for_several_classes_has_a_row_for_each():
    X, y = load_iris(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=1, max_depth=2).fit(X, y)
    rows = [texts(row, "td") for row in block_of(model._repr_html_()).iter("tr")]
    rows = [row for row in rows if len(row) == 4]
    said = len(model.model_.members[0].steps) + model.model_.start.any()  # leaves and baseline
    assert [row[2] for row in rows if row[3]] == ["0", "1", "2"] * said


def test_hostile_names_are_escaped():
    X, y = cells()
    frame = pd.DataFrame(X[:, :2], columns=[HOSTILE, "other"])
    model = AdaBoostClassifier(n_estimators=4).fit(frame, np.where(y, HOSTILE, "b"))
    page = model._repr_html_()
    assert "<script>alert" not in page
    block = block_of(page)
    assert block.find(".//script") is None
    assert any(HOSTILE in cell for cell in texts(block, "td"))
    assert repr(HOSTILE) in texts(block, "strong")[0]


def test_where_scikit_learn_shows_text_so_do_we():
    X, y = cells()
    unfitted = AdaBoostClassifier(n_estimators=3)
    fitted = clone(unfitted).fit(X, y)
    assert 'class="underdog"' not in unfitted._repr_html_()
    assert 'class="underdog"' not in unfitted._repr_mimebundle_()["text/html"]
    assert "sk-container-id" in unfitted._repr_html_()
    with config_context(display="text"):
        assert not hasattr(fitted, "_repr_html_")
        assert list(fitted._repr_mimebundle_()) == ["text/plain"]
    assert fitted._repr_mimebundle_()["text/plain"] == repr(fitted)
    pipeline = make_pipeline(StandardScaler(), fitted).fit(X, y)
    assert "sk-container-id" in pipeline._repr_html_()
