"""compare is for classifiers, compare_regressors for regressors."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict

from underdog import GradientBoostingRegressor, Table, compare, compare_regressors


@pytest.mark.parametrize(
    "model", ["GradientBoostingRegressor", GradientBoostingRegressor(), LinearRegression()]
)
def test_regressors_are_refused(model):
    X, classes = load_breast_cancer(return_X_y=True)
    message = r"predicts numbers, not classes: compare is for classifiers. Use compare_regressors"
    for y in (classes, X[:, 0]):
        with pytest.raises(ValueError, match=message):
            compare(X, y, ["AdaBoost", model])
    with pytest.raises(ValueError, match=message):
        compare(X, classes, {"mine": model})


def test_a_real_valued_target_is_refused():
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(ValueError, match="y has real numbers, from"):
        compare(X, y + 0.5)


def rmse(found, name):
    """Of each fold."""
    return found.results["rmse"][np.array(found.results["model"]) == name]


def test_regressors_of_ones_own():
    """Beside named ones, on the same folds, from an array and from a table."""
    X, y = load_diabetes(return_X_y=True)
    folds = list(KFold(3).split(X))
    mine = GradientBoostingRegressor(n_estimators=5)
    models = ["mean", mine, LinearRegression(), LinearRegression()]
    found = compare_regressors(X, y, models, cv=folds)
    assert {*found.models} == {"mean", "GradientBoosting", "LinearRegression", "LinearRegression 2"}
    guess = cross_val_predict(LinearRegression(), X, y, cv=folds)
    wanted = [np.sqrt(np.mean((guess - y)[test] ** 2)) for _, test in folds]
    np.testing.assert_allclose(rmse(found, "LinearRegression"), wanted)
    table = compare_regressors(Table.from_data(X), y, {"a": mine, "b": models[2]}, cv=folds)
    np.testing.assert_array_equal(rmse(table, "b"), rmse(found, "LinearRegression"))


@pytest.mark.parametrize("model", [LogisticRegression(), GradientBoostingRegressor, 3])
def test_what_is_no_regressor_is_refused(model):
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(ValueError, match="must be a name or a regressor object"):
        compare_regressors(X, y, [model])
