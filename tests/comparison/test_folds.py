"""Folds depend on what rows contain, on their groups or times, and not on their order."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold

from tests.comparison.recorder import SEEN, Recorder
from underdog import AdaBoostClassifier, Table, UnderdogWarning, compare
from underdog.comparison.compare_regressors import compare_regressors
from underdog.data.folds import (
    FoldRows,
    check_times,
    group_numbers,
    held_out_ratio,
    make_folds,
    rows_in_folds,
)

FEW = AdaBoostClassifier(n_estimators=3)


def some_rows(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, 2)).astype(float)  # many equal rows
    return X, (rng.random(n) < 0.3).astype(int), rng.integers(0, 15, n), rng.integers(0, 40, n)


def contents(folds, *columns):
    """The rows of each fold, whatever their order."""
    rows = np.column_stack(columns)
    return [[sorted(rows[part].tolist()) for part in fold] for fold in folds]


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("by", ["rows", "groups", "time"])
def test_the_order_of_rows_does_not_matter(by, classes):
    X, y, groups, time = some_rows()
    order = np.random.default_rng(1).permutation(len(X))
    weights = groups + 1.0  # equal rows may have different weights

    def folds(rows):
        more = {"groups": groups[rows]} if by == "groups" else {}
        more |= {"time": time[rows]} if by == "time" else {}
        made = FoldRows(Table.from_data(X[rows]), y[rows], classes, weights=weights[rows], **more)
        return contents(make_folds(4, made, 0), X[rows], y[rows], groups[rows])

    assert folds(np.arange(len(X))) == folds(order)


def test_classes_and_seeds():
    X, y, *_ = some_rows()
    folds = make_folds(4, FoldRows(Table.from_data(X), y, True), 0)
    shares = [y[test].sum() for _, test in folds]
    assert max(shares) - min(shares) <= 1
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(y)))
    other = make_folds(4, FoldRows(Table.from_data(X), y, True), 1)
    assert contents(folds, X, y) != contents(other, X, y)


def test_groups_stay_together_and_classes_are_spread():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), rng.integers(1, 12, 40))
    y = (groups % 8 == 0).astype(int)  # five groups are positive
    rows = FoldRows(Table.from_data(rng.normal(size=(len(y), 2))), y, True, groups)
    folds = make_folds(5, rows, 0)
    for train, test in folds:
        assert not set(groups[train]) & set(groups[test])
        assert len(set(groups[test][y[test] == 1])) == 1
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) < 0.3 * np.mean(sizes)
    assert rows.how("patient") == (
        "Rows with the same value of 'patient' are in the same fold (40 groups)."
    )


def test_folds_forward_in_time():
    X, y, _, time = some_rows()
    folds = make_folds(3, FoldRows(Table.from_data(X), y, False, time=time), 0)
    assert len(folds) == 3
    for train, test in folds:
        assert time[train].max() < time[test].min()
    for (before, block), (train, _) in pairwise(folds):
        assert sorted([*before, *block]) == train.tolist()
    sizes = [len(folds[0][0]), *(len(test) for _, test in folds)]
    assert max(sizes) - min(sizes) <= 6
    assert held_out_ratio(folds) == pytest.approx(sum(sizes[1:]) / sum(len(t) for t, _ in folds))
    rows, parts = rows_in_folds(folds)
    assert set(rows) == set(range(len(y))) - set(folds[0][0])
    for (others, own), (_, test) in zip(parts, folds, strict=True):
        np.testing.assert_array_equal(rows[own], test)
        assert set(rows[others]) == set(rows) - set(test)


def test_few_groups_few_times_and_late_classes():
    X, y, groups, time = some_rows()
    table = Table.from_data(X)
    with pytest.warns(UnderdogWarning, match="3 groups, so there are 3 folds and not 5"):
        assert len(make_folds(5, FoldRows(table, y, True, groups % 3), 0)) == 3
    with pytest.raises(ValueError, match="all rows are of one group, but folds need at least two"):
        make_folds(5, FoldRows(table, y, True, groups * 0), 0)
    with pytest.warns(UnderdogWarning, match="stay together: there are 3 folds and not 5"):
        assert len(make_folds(5, FoldRows(table, y, False, time=time % 4), 0)) == 3
    with pytest.raises(ValueError, match="time has 2 different values, too few for folds"):
        make_folds(5, FoldRows(table, y, False, time=time % 2), 0)
    late = (time > 18).astype(int)
    with pytest.warns(UnderdogWarning, match=r"2 of 5 folds are left out: class 1 is not in .* la"):
        folds = make_folds(5, FoldRows(table, late, True, time=time), 0)
    assert all(late[train].any() for train, _ in folds)
    with pytest.raises(ValueError, match="class 1 is not in the training rows of 5 of 5 folds"):
        make_folds(5, FoldRows(table, (time > 33).astype(int), True, time=time), 0)


def test_a_class_in_one_group_is_trained_on_or_its_fold_left_out():
    X, _, groups, _ = some_rows()
    rows = FoldRows(Table.from_data(X), (groups == 3).astype(int), True, groups)
    with pytest.warns(UnderdogWarning, match="1 of 5 folds are left out.*in one fold only"):
        folds = make_folds(5, rows, 0)
    assert all((groups[train] == 3).any() for train, _ in folds)


def test_dates_and_groups_of_any_type():
    days = np.array(["2024-01-03", "2024-01-01", "NaT"], dtype="datetime64[D]")
    assert check_times(days[:2], 2).argmin() == 1
    assert check_times([day.item() for day in days[:2]], 2).argmin() == 1
    for bad, message in (
        (days, "row 2 has no time"),
        ([1.0, np.nan, 2.0], "row 1 has no time"),
        (["a", "b", "c"], "give numbers or dates"),
        ([1, 2], "2 values for 3 rows"),
    ):
        with pytest.raises(ValueError, match=message):
            check_times(bad, 3)
    assert group_numbers(["b", "a", "b"], 3).tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="row 1 has no group"):
        group_numbers(["b", None, "b"], 3)


def test_compare_by_group_by_time_and_with_held_out_rows(data):
    X, y = data
    patient = np.arange(150) // 6
    found = compare(X, y, {"a": Recorder()}, cv=3, groups=patient)
    for _, rows in SEEN:
        assert not set(patient[list(rows)]) & set(np.delete(patient, list(rows)))
    assert "Rows of the same group are in the same fold (25 groups)." in found.notes()
    SEEN.clear()
    compare(X, y, {"a": Recorder()}, cv=3, time=np.arange(150) // 2)
    assert [max(rows) + 1 for _, rows in SEEN] == [len(rows) for _, rows in SEEN]
    SEEN.clear()
    held_out = np.arange(150) % 5 == 0
    last = compare(X, y, {"a": Recorder(), "b": FEW}, cv=2, held_out=held_out)
    *folds, (_, whole) = SEEN
    assert all(row % 5 for _, rows in folds for row in rows)
    assert whole == tuple(np.flatnonzero(~held_out))
    model = FEW.fit(X[~held_out], y[~held_out])
    (expected,) = compare(X, y, {"b": model}, cv=[(~held_out, held_out)] * 2).results["f1"][:1]
    assert last.held_out["b"]["f1"] == expected
    assert set(last.results["fold"]) == {0, 1}
    assert "On the held-out rows, after training on all others:" in last.table()
    assert "held-out rows" in last._repr_html_()


def test_regressors_by_time_and_with_held_out_rows(data):
    X, _ = data
    held_out = np.arange(120, 150)
    found = compare_regressors(
        X, X[:, 1] + X[:, 2], ["mean", "ridge regression"], cv=2, time=X[:, 0], held_out=held_out
    )
    assert found.how.startswith("Folds go forward in time: each is predicted by models that were")
    assert found.held_out["ridge regression"]["rmse"] < 0.1 < found.held_out["mean"]["rmse"]


def test_a_failure_on_held_out_rows_is_said(data):
    X, y = data
    bad = Recorder(fails_without=3)
    found = compare(X, y, {"bad": bad, "good": Recorder()}, cv=2, held_out=[3])
    assert found.failed_last == ["bad failed: RuntimeError: the row is not there"]
    assert np.isnan(found.held_out["bad"]["f1"])
    assert "bad failed: RuntimeError: the row is not there" in found.table().splitlines()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": np.arange(150), "time": np.arange(150)}, "groups and time both make folds"),
        ({"groups": np.arange(9)}, "groups has 9 values for 150 rows"),
        ({"time": np.arange(150), "cv": GroupKFold(2)}, "time and cv=GroupKFold.* both make folds"),
        ({"groups": np.arange(150), "cv": [([0], [1])]}, "groups and cv=.* both make folds"),
        ({"held_out": np.ones(9, dtype=bool)}, "held_out must be a mask of the 150 rows"),
        ({"held_out": np.ones(150, dtype=bool)}, "150 of 150 rows: hold out some, but not all"),
        ({"held_out": [0], "cv": [([0], [1])]}, "with held_out: give a number or a splitter"),
    ],
)
def test_contradictions(data, given, message):
    with pytest.raises(ValueError, match=message):
        compare(*data, [FEW], **given)


def test_a_splitter_gets_the_groups(data):
    patient = np.arange(150) // 6
    found = compare(*data, {"a": Recorder()}, cv=GroupKFold(5), groups=patient)
    assert len(found.results["fold"]) == 5
