"""Rows that early stopping leaves out together: those of a group, or the last ones."""

import numpy as np
import pytest

from underdog import Table
from underdog.data.folds import FoldRows, group_numbers, left_out_together


def test_groups_are_left_out_together():
    rng = np.random.default_rng(0)
    group = rng.integers(17, size=200)
    X, y = rng.normal(size=(200, 3)), rng.integers(2, size=200)
    rows = FoldRows(Table.from_data(X), y, True, groups=group)
    folds = left_out_together(rows, 0)
    assert sorted(set(folds.tolist())) == [0, 1, 2, 3, 4]
    for own in range(17):
        assert len(set(folds[group == own].tolist())) == 1
    order = rng.permutation(200)
    again = FoldRows(
        Table.from_data(X[order]), y[order], True, groups=group_numbers(group[order], 200)
    )
    np.testing.assert_array_equal(left_out_together(again, 0), folds[order])
    one = FoldRows(Table.from_data(X), y, True, groups=np.zeros(200, dtype=int))
    assert set(left_out_together(one, 0).tolist()) == {-1}
    three = FoldRows(Table.from_data(X), y, True, groups=group % 3)
    assert set(left_out_together(three, 0).tolist()) == {0, 1, 2}


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (np.arange(10), [-1] * 8 + [0] * 2),
        ([1, 1, 1, 1, 1, 1, 1, 2, 2, 2], [-1] * 7 + [0] * 3),
        ([1] + [2] * 9, [-1] + [0] * 9),
        ([1] * 10, [-1] * 10),
        (np.arange(10)[::-1], [0] * 2 + [-1] * 8),
    ],
    ids=["a fifth", "together", "at least the last", "one time", "backwards"],
)
def test_the_last_rows_are_left_out(time, expected):
    rows = FoldRows(
        Table.from_data(np.zeros((10, 1))), np.arange(10) % 2, True, time=np.array(time)
    )
    assert left_out_together(rows, 0).tolist() == expected
