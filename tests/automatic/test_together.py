"""Rows that belong together, or are of a later time, in models without parameters."""

import numpy as np
import pandas as pd
import pytest

from underdog import UnderdogClassifier, UnderdogRegressor


def persons(rng):
    """Rows of a person are nearly equal, and say nothing about other persons."""
    person = np.repeat(np.arange(20), 8)
    X = rng.normal(size=(20, 3))[person] + 0.01 * rng.normal(size=(160, 3))
    return person, X, rng.normal(size=20)[person]


@pytest.mark.parametrize("kind", [UnderdogClassifier, UnderdogRegressor])
def test_groups_are_left_out_together(kind):
    person, X, y = persons(np.random.default_rng(0))
    y = (y > 0).astype(int) if kind is UnderdogClassifier else y
    names = np.array([f"person {number}" for number in person])
    model, by_row = kind().fit(X, y, groups=names), kind().fit(X, y)
    losses = [each.booster_.blend_["left_out_loss"]["blend"] for each in (model, by_row)]
    assert losses[0] > 1.5 * losses[1]
    assert model.booster_.n_iter_ < by_row.booster_.n_iter_
    left_out = np.random.default_rng(1).permutation(160)
    again = kind().fit(X[left_out], y[left_out], groups=names[left_out])
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize("dates", [False, True])
def test_the_last_fifth_is_left_out(dates):
    rng = np.random.default_rng(0)
    X, time = pd.DataFrame({"a": rng.normal(size=100), "b": ["u", "v"] * 50}), rng.permutation(100)
    y = X.a > 0.3 * rng.normal(size=100)
    given = np.datetime64("2024-01-01") + time.astype("timedelta64[D]") if dates else time
    model = UnderdogClassifier().fit(X, y, time=given)
    left_out = ~np.isnan(model.booster_.left_out_scores_[:, 0])
    np.testing.assert_array_equal(left_out, time >= 80)


def test_rows_without_weight_have_no_group():
    person, X, y = persons(np.random.default_rng(0))
    weight = np.where(np.arange(160) < 80, 1, 0)
    model = UnderdogRegressor().fit(X, y, weight, groups=person)
    again = UnderdogRegressor().fit(X[:80], y[:80], groups=person[:80])
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_several_labels_have_groups():
    person, X, y = persons(np.random.default_rng(0))
    labels = np.column_stack([y > 0, y > 1]).astype(int)
    model = UnderdogClassifier().fit(X, labels, groups=person)
    assert model.booster_.blend_["left_out_loss"]["blend"] > 0.3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": [1, 2], "time": [1, 2]}, "groups and time both say which rows are left out"),
        ({"groups": [1, 2]}, "groups has 2 values for 160 rows"),
        ({"time": ["a"] * 160}, "time has values of type <U1: give numbers or dates"),
    ],
)
def test_wrong_groups_and_times_are_refused(given, message):
    _, X, y = persons(np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        UnderdogRegressor().fit(X, y, **given)


def test_one_group_leaves_no_choice():
    _, X, y = persons(np.random.default_rng(0))
    model = UnderdogRegressor().fit(X, y, groups=np.zeros(160))
    assert model.choices_[1] == "10 rounds, which were not chosen: no row could be left out."
