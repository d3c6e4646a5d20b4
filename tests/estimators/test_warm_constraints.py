"""A warm start keeps all rules: it is refused if they break the constraints of the new fit."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from tests.estimators.small import assert_same_model
from underdog import AdaBoostClassifier, GradientBoostingClassifier, LPBoostClassifier
from underdog.learners import TreeLearner

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
DOWN, UP = [-1] * 4, [1] * 4

pytestmark = pytest.mark.filterwarnings("ignore::underdog.NotConverged")
each_kind = pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(),
        AdaBoostClassifier(learner="discrete"),
        AdaBoostClassifier(learner="real.lp"),
        AdaBoostClassifier(learner="tree"),
        AdaBoostClassifier(learner=TreeLearner(max_depth=None, max_leaf_nodes=20)),
        GradientBoostingClassifier(),
        LPBoostClassifier(nu=0.3),
    ],
    ids=str,
)


def first(model, **parameters):
    return clone(model).set_params(n_estimators=5, warm_start=True, **parameters)


@each_kind
def test_other_directions_are_refused(model):
    model = first(model).fit(X, Y)
    message = r"warm_start: rule \d+ of the fitted model breaks monotonic_cst, and a warm start"
    with pytest.raises(ValueError, match=message):
        model.set_params(n_estimators=8, monotonic_cst=UP).fit(X, Y)
    assert model.n_iter_ <= 5


@each_kind
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_the_same_directions_go_on(model, gaps):
    holes = np.where(np.random.default_rng(0).random(X.shape) < gaps, np.nan, X)
    model = first(model, monotonic_cst=DOWN).fit(holes, Y)
    model.set_params(n_estimators=12).fit(holes, Y)
    once = clone(model).set_params(warm_start=False).fit(holes, Y)
    if not isinstance(model, LPBoostClassifier):  # equal to 1e-9 only
        assert_same_model(model, once, holes)
    assert model.n_iter_ == once.n_iter_


def test_interactions():
    model = GradientBoostingClassifier(n_estimators=3, warm_start=True).fit(X, Y)
    for given in ("no_interactions", "pairwise", [{0, 1}, {2, 3}]):
        with pytest.raises(ValueError, match="rule 1 of the fitted model breaks interaction_cst"):
            model.set_params(n_estimators=5, interaction_cst=given).fit(X, Y)
    model.set_params(interaction_cst=[{0, 1, 2, 3}]).fit(X, Y)
    assert model.n_iter_ == 5


@pytest.mark.parametrize("given", ["no_interactions", "pairwise", [{0, 1}, {2, 3}]])
def test_the_same_interactions_go_on(given):
    model = GradientBoostingClassifier(n_estimators=3, warm_start=True, interaction_cst=given)
    model.fit(X, Y).set_params(n_estimators=6).fit(X, Y)
    assert model.n_iter_ == 6


def test_rules_of_other_libraries_are_not_known_to_keep_them():
    learner = DecisionTreeClassifier(max_depth=1)
    model = AdaBoostClassifier(learner=learner, n_estimators=2, warm_start=True).fit(X, Y)
    with pytest.raises(ValueError, match="rule 1 of the fitted model breaks monotonic_cst"):
        model.set_params(learner="discrete", n_estimators=4, monotonic_cst=DOWN).fit(X, Y)
