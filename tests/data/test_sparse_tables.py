"""Sparse matrices and sparse columns in every form become the same table."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from tests.data.tables import NUMBERS, dense
from underdog import AdaBoostClassifier, Table
from underdog.data.columns import NumberColumns, SparseColumns


def duplicated(kind):
    """NUMBERS as coordinates with duplicates that add up, and stored zeros."""
    rows, columns = np.nonzero(np.ones_like(NUMBERS))
    values = NUMBERS.ravel()
    rows, columns = np.tile(rows, 2), np.tile(columns, 2)
    return kind((np.concatenate([values - 1.0, np.ones(values.size)]), (rows, columns)), (4, 3))


def unsorted():
    matrix = sp.csr_array(NUMBERS)
    for i in range(4):
        start, stop = matrix.indptr[i : i + 2]
        matrix.indices[start:stop] = matrix.indices[start:stop][::-1].copy()
        matrix.data[start:stop] = matrix.data[start:stop][::-1].copy()
    matrix.has_sorted_indices = False
    return matrix


def wide_indices():
    matrix = sp.csr_array(NUMBERS)
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


def stored_zeros():
    matrix = sp.csr_array(np.where(NUMBERS == 0, 9.0, NUMBERS))
    matrix.data[matrix.data == 9.0] = 0.0
    return matrix


def frozen():
    matrix = sp.csr_array(NUMBERS)
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array.setflags(write=False)
    return matrix


SPARSE = {
    **{
        f"{kind}_{form}": lambda kind=kind, form=form: getattr(sp, f"{kind}_{form}")(NUMBERS)
        for kind in ("csr", "csc", "coo", "lil", "dok", "bsr")
        for form in ("matrix", "array")
    },
    "duplicates": lambda: duplicated(sp.coo_array),
    "duplicates in csr": lambda: duplicated(sp.csr_matrix),
    "duplicates in csc": lambda: duplicated(sp.csc_array),
    "unsorted": unsorted,
    "int64 indices": wide_indices,
    "stored zeros": stored_zeros,
    "read-only": frozen,
    "integers": lambda: sp.csr_array(NUMBERS.astype(np.int16)),
    "float32": lambda: sp.csc_array(NUMBERS.astype(np.float32)),
}


@pytest.mark.parametrize("form", SPARSE)
def test_sparse_forms_of_the_same_numbers(form):
    given = SPARSE[form]()
    table = Table.from_data(given)
    np.testing.assert_array_equal(dense(table), NUMBERS)
    (group,) = table.groups
    matrix = group.matrix
    assert matrix.format == "csr"
    assert matrix.nnz == np.count_nonzero(NUMBERS)
    for i in range(4):
        own = matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]]
        assert (np.diff(own) > 0).all()


@pytest.mark.parametrize("form", ["duplicates in csr", "unsorted", "stored zeros"])
def test_the_users_matrix_is_not_changed(form):
    given = SPARSE[form]()
    before = [array.copy() for array in (given.data, given.indices, given.indptr)]
    table = Table.from_data(given)
    for old, new in zip(before, (given.data, given.indices, given.indptr), strict=True):
        np.testing.assert_array_equal(old, new)
    assert len(table[[0]]) == 1


@pytest.mark.parametrize("value", [True, 1, 3, -2.5, np.inf, np.longdouble(2)])
def test_one_stored_value_is_known(value):
    given = np.zeros((3, 2), dtype=type(value))
    given[[0, 2], [1, 0]] = value
    (group,) = Table.from_data(sp.csr_array(given)).groups
    assert group.value == float(value)
    np.testing.assert_array_equal(dense(Table.from_data(sp.csr_array(given))), given.astype(float))


def test_different_stored_values_are_not_one():
    for given in (NUMBERS, np.full((2, 2), np.nan), np.zeros((2, 2))):
        (group,) = Table.from_data(sp.csr_array(given)).groups
        assert group.value is None


def test_stored_values_that_may_not_be_written():
    for data, value in (([2.0, 2.0], 2.0), ([2.0, 3.0], None)):
        given = sp.csr_array((np.array(data), [0, 1], [0, 2]), (1, 2))
        given.data.flags.writeable = False
        (group,) = Table.from_data(given).groups
        assert group.value == value


@pytest.mark.parametrize("stored", [0, 5])
def test_a_stored_zero_among_equal_values_is_absent(stored):
    matrix = sp.csr_array(np.ones((3, 2)))
    matrix.data[stored] = 0.0
    wanted = np.ones((3, 2))
    wanted.flat[stored] = 0.0
    table = Table.from_data(matrix)
    np.testing.assert_array_equal(dense(table), wanted)
    assert table.groups[0].matrix.nnz == 5


def test_duplicates_that_cancel_are_absent():
    table = Table.from_data(sp.coo_array(([1.0, -1.0, 2.0], ([0, 0, 1], [0, 0, 1])), (2, 2)))
    np.testing.assert_array_equal(dense(table), [[0.0, 0.0], [0.0, 2.0]])
    assert table.groups[0].matrix.nnz == 1


def test_boolean_sparse_data_with_duplicates():
    table = Table.from_data(sp.coo_array(([True, True, True], ([0, 0, 1], [0, 0, 1])), (2, 2)))
    np.testing.assert_array_equal(dense(table), np.eye(2))


@pytest.mark.parametrize("extra", [5, 1_000])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix])
def test_room_for_more_entries_is_not_data(kind, extra):
    given = kind((np.arange(60).reshape(20, 3) % 2).astype(float))
    wanted = given.toarray()
    given.data = np.append(given.data, np.full(extra, np.nan))
    given.indices = np.append(given.indices, np.full(extra, 99)).astype(given.indices.dtype)
    table = Table.from_data(given)
    np.testing.assert_array_equal(dense(table), wanted)
    assert table.groups[0].value == 1.0
    assert len(given.data) == 30 + extra


@pytest.mark.parametrize("dtype", [np.float64, np.int8, bool])
def test_pandas_columns_that_leave_out_zeros(dtype):
    """They stay sparse, and a model is the same as from the matrix."""
    matrix = sp.random(40, 6, density=0.4, random_state=0, format="csr")
    matrix = sp.csr_matrix((matrix.toarray() * 9).astype(dtype))
    frame = pd.DataFrame.sparse.from_spmatrix(matrix, columns=list("abcdef"))
    table = Table.from_data(frame)
    (group,) = table.groups
    assert isinstance(group, SparseColumns)
    assert (group.matrix != matrix).nnz == 0
    assert table.names == tuple("abcdef")
    y = matrix.toarray()[:, 0] > 0
    expected = AdaBoostClassifier(n_estimators=5).fit(matrix, y).decision_function(matrix)
    found = AdaBoostClassifier(n_estimators=5).fit(frame, y).decision_function(frame)
    np.testing.assert_array_equal(found, expected)


def test_pandas_columns_that_leave_out_something_else_or_stand_beside_others():
    nothing = pd.arrays.SparseArray([np.nan, 1.0, np.nan, 2.0])
    zeros = pd.arrays.SparseArray([0, 0, 3, 0])
    frame = pd.DataFrame({"a": nothing, "b": zeros, "c": [1.5, 2.5, 3.5, 4.5]})
    (group,) = Table.from_data(frame).groups
    assert isinstance(group, NumberColumns)
    np.testing.assert_array_equal(group.matrix, frame.to_numpy(dtype=float))
    numbers, levels = Table.from_data(frame[["b"]], ["b"]).groups
    assert numbers.n_columns == 0
    assert levels.values[0].tolist() == [0, 0, 3, 0]


def test_pandas_columns_of_sparse_texts():
    frame = pd.DataFrame({"a": pd.arrays.SparseArray(np.array(["x", "y"], dtype=object))})
    with pytest.raises(ValueError, match="column 'a' has the type Unknown: convert it to"):
        Table.from_data(frame)
