"""The three forms of columns: where they are, some of their rows, and as part of a wider table."""

import numpy as np
import pytest
import scipy.sparse as sp

from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns

MATRIX = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
PLACES = np.array([4, 6], dtype=np.int32)
LEVELS = tuple(MATRIX.astype(object).T)

FORMS = {
    "numbers": NumberColumns(PLACES, MATRIX),
    "sparse": SparseColumns(4, sp.csr_array(MATRIX)),
    "categories": CategoryColumns(PLACES, LEVELS),
}
WHERE = {"numbers": [4, 6], "sparse": [4, 5], "categories": [4, 6]}


def values(group):
    if isinstance(group, NumberColumns):
        return group.matrix.tolist()
    if isinstance(group, SparseColumns):
        return group.matrix.toarray().tolist()
    return np.column_stack(group.values).tolist()


@pytest.mark.parametrize("form", FORMS)
def test_where_they_are(form):
    group = FORMS[form]
    assert group.n_columns == 2
    assert group.positions.tolist() == WHERE[form]
    assert group.positions.dtype == np.int32


@pytest.mark.parametrize("rows", [[2, 0], slice(1, 3), np.array([True, False, True]), []])
@pytest.mark.parametrize("form", FORMS)
def test_some_rows(form, rows):
    chosen = np.asarray(rows, dtype=int) if isinstance(rows, list) else rows
    some = FORMS[form].take(chosen)
    assert type(some) is type(FORMS[form])
    assert values(some) == MATRIX[chosen].tolist()
    assert some.positions.tolist() == WHERE[form]


@pytest.mark.parametrize("form", FORMS)
def test_as_part_of_a_wider_table(form):
    group = FORMS[form]
    moved = group.moved(10)
    assert moved.positions.tolist() == [place + 10 for place in WHERE[form]]
    assert moved.positions.dtype == np.int32
    assert values(moved) == MATRIX.tolist()
    assert group.positions.tolist() == WHERE[form]  # the old one is as it was


def test_the_one_value_is_kept():
    words = SparseColumns(0, sp.csr_array(np.eye(3)), 1.0)
    assert words.take([0, 2]).value == words.moved(2).value == 1.0
