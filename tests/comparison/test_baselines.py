"""Baselines of other libraries: columns of any form as numbers."""

import numpy as np
import pytest
import scipy.sparse as sp

from underdog import Table
from underdog.comparison.baselines import NumberMatrix, lightgbm, number_baselines

NUMBERS = np.array([[1.0, 5.0], [3.0, np.nan], [5.0, 7.0]])
WORDS = sp.csr_array(np.array([[2, 0], [0, 1], [4, 0]]))
COLORS = np.array([["red"], ["blue"], [None]], dtype=object)


def table(colors=COLORS, numbers=NUMBERS):
    return Table.hstack([numbers, WORDS, colors], categorical=[4])


def test_dense_numbers_stay_as_they_are():
    np.testing.assert_array_equal(NumberMatrix().fit_transform(NUMBERS), NUMBERS)


def test_categories_become_indicators_and_unknown_ones_nothing():
    matrix = NumberMatrix().fit(table())
    made = matrix.transform(table()).toarray()
    np.testing.assert_array_equal(made[:, :2], NUMBERS)
    np.testing.assert_array_equal(made[:, 2:4], WORDS.toarray())
    assert sorted(map(tuple, made[:, 4:].T)) == [(0, 1, 0), (1, 0, 0)]
    others = matrix.transform(table(np.array([["green"], ["red"], ["blue"]], dtype=object)))
    np.testing.assert_array_equal(others.toarray()[:, 4:].sum(axis=1), [0, 1, 1])


def test_linear_models_see_scaled_numbers_and_what_is_missing():
    numbers = NUMBERS.copy()
    numbers[2, 1] = np.inf  # counts as missing
    made = NumberMatrix(scaled=True).fit_transform(table(numbers=numbers)).toarray()
    np.testing.assert_allclose(made[:, 0], np.array([-1, 0, 1]) * np.sqrt(1.5))
    np.testing.assert_array_equal(made[:, 1], 0.0)  # one number, and its mean
    assert made[0, 2] < 0 < made[1, 2] == made[2, 2]
    np.testing.assert_array_equal(made[:, 3:5], [[0.5, 0], [0, 1], [1, 0]])


def test_baselines_suit_the_measure():
    assert list(number_baselines("rmse", 0)) == ["ridge regression", "LightGBM"]
    assert list(number_baselines("deviance", 0)) == ["LightGBM"]
    assert number_baselines("pinball", 0) == {}
    assert lightgbm(3, "mae")[-1].get_params()["objective"] == "regression_l1"


def test_lightgbm_need_not_be_installed(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert list(number_baselines("rmse", 0)) == ["ridge regression"]
    with pytest.raises(ValueError, match="LightGBM is not installed"):
        lightgbm(0)
