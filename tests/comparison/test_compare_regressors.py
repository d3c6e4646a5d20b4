"""compare is for classifiers."""

import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LinearRegression

from underdog import GradientBoostingRegressor, compare


@pytest.mark.parametrize(
    "model", ["GradientBoostingRegressor", GradientBoostingRegressor(), LinearRegression()]
)
def test_regressors_are_refused(model):
    X, classes = load_breast_cancer(return_X_y=True)
    message = r"Regress\w+ predicts numbers, not classes: compare is for classifiers. Use sklearn"
    for y in (classes, X[:, 0]):
        with pytest.raises(ValueError, match=message):
            compare(X, y, ["AdaBoost", model])
    with pytest.raises(ValueError, match=message):
        compare(X, classes, {"mine": model})


def test_a_real_valued_target_is_refused():
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(ValueError, match="y has real numbers, from"):
        compare(X, y + 0.5)
