"""The names in "Coming from other libraries" of the guide are those of the libraries and ours."""

import inspect
import re
from pathlib import Path

import pytest
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer

import underdog
from underdog import GradientBoostingClassifier, inspection
from underdog.estimators import all_boosters
from underdog.learners import TreeLearner

GUIDE = (Path(__file__).parents[1] / "docs" / "guide.md").read_text(encoding="utf-8")
SECTION = GUIDE[GUIDE.index("## Coming from") :].split("\n## ")[0]
FIRST, SECOND = (
    [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    for table in re.findall(r"(?:^\|.*\n)+", SECTION, re.M)
)
CODE = re.compile(r"`([^`]+)`")


def named(cells):
    """Names in code: `learner`, and those to which something is assigned, as in `costs=...`."""
    return sorted({code.split("=")[0] for cell in cells for code in CODE.findall(cell)})


def parameters(*functions):
    return {name for function in functions for name in inspect.signature(function).parameters}


def test_every_row_of_the_tables_is_read():
    assert len(FIRST) > 20
    assert {len(row) for row in FIRST} == {4}
    assert len(SECOND) > 5
    assert {len(row) for row in SECOND} == {2}


@pytest.mark.parametrize("name", named(row[3] for row in FIRST))
def test_parameters_exist_here(name):
    boosters = all_boosters().values()
    assert name in parameters(*boosters, *(booster.fit for booster in boosters))


@pytest.mark.parametrize("row", FIRST, ids=lambda row: row[3].split("`")[1])
def test_parameters_of_trees_are_those_of_gradient_boosting(row):
    own = parameters(GradientBoostingClassifier, GradientBoostingClassifier.fit)
    assert set(named([row[3]])) <= own


def test_trees_of_other_boosters_have_the_limits_too():
    limits = {"max_leaf_nodes", "max_depth", "min_samples_leaf", "subsample", "max_features"}
    assert limits <= parameters(TreeLearner)
    assert limits <= set(named(row[3] for row in FIRST))


@pytest.mark.parametrize("name", named(row[0] for row in FIRST))
def test_parameters_exist_in_scikit_learn(name):
    classes = (
        ensemble.HistGradientBoostingClassifier,
        ensemble.GradientBoostingClassifier,
        ensemble.AdaBoostClassifier,
    )
    assert name in parameters(*classes, *(each.fit for each in classes))


@pytest.mark.parametrize("name", named(row[1] for row in FIRST))
def test_parameters_exist_in_lightgbm(name):
    lightgbm = pytest.importorskip("lightgbm")
    by_name = lightgbm.basic._ConfigAliases._get_all_param_aliases()
    known = {alias for name, aliases in by_name.items() for alias in (name, *aliases)}
    own = parameters(lightgbm.LGBMClassifier, lightgbm.LGBMClassifier.fit)
    assert name in known | own


@pytest.mark.parametrize("name", named(row[2] for row in FIRST))
def test_parameters_exist_in_xgboost(name):
    xgboost = pytest.importorskip("xgboost")
    own = parameters(xgboost.XGBModel, xgboost.XGBModel.fit)
    assert name in own | {"eta"}  # an alias in the C++ code only


def test_what_is_read_or_called_exists():
    X, y = load_breast_cancer(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=2).fit(X, y, X_val=X, y_val=y)
    for name in named(row[1] for row in SECOND):
        if name == '"validation_score"':
            assert "validation_score" in model.history_
        elif name == "to_shap":
            assert hasattr(inspection.Contributions, name)
        elif name.startswith("underdog."):
            owner = inspection if "inspection" in name else underdog
            assert hasattr(owner, name.rpartition(".")[2])
        else:
            assert hasattr(model, name)
