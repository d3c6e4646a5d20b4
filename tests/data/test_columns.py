"""The three forms of columns: where they are, some of their rows, and as part of a wider table."""

import numpy as np
import pytest
import scipy.sparse as sp

from underdog import AdaBoostClassifier, Table
from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns
from underdog.inspection import contributions

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


@pytest.mark.parametrize("value", ["one value", "numbers"])
@pytest.mark.parametrize("indices", [[0, 2, 10], [0, 2, 10**8], [-1, 2, 3]])
def test_entries_outside_of_the_matrix(indices, value):
    """SciPy takes them; kernels must not."""
    rng = np.random.default_rng(0)
    X, y = sp.csr_array((rng.random((40, 10)) < 0.4).astype(float)), np.arange(40) % 2
    X = X if value == "one value" else X * rng.random((40, 10))
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    data = np.ones(3) if value == "one value" else np.arange(1.0, 4.0)
    damaged = sp.csr_array((data, np.array(indices), np.array([0, 3, 3])), shape=(2, 10))
    message = r"shape \(2, 10\) has entries outside of its shape: its indices must be from 0"
    for use in (model.predict, lambda X: [*model.staged_predict(X)]):
        with pytest.raises(ValueError, match=message):
            use(damaged)
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier().fit(damaged, [0, 1])


def test_rows_that_end_before_they_begin():
    model = AdaBoostClassifier(n_estimators=9).fit(sp.csr_array(np.eye(6)), [0, 1] * 3)
    damaged = sp.csr_array(np.eye(6))
    damaged.indptr = np.array([0, 5, 1, 3, 4, 5, 6], dtype=np.int32)
    damaged.has_canonical_format = True
    with pytest.raises(ValueError, match="its indptr must not decrease"):
        model.predict(damaged)


@pytest.mark.parametrize("place", [31, 10**6, 2**31 - 1, -1])
@pytest.mark.parametrize("as_table", [False, True])
def test_flags_that_say_a_matrix_is_fine_are_not_believed(place, as_table):
    rng = np.random.default_rng(0)
    X, y = sp.csr_array((rng.random((40, 30)) < 0.4).astype(float)), np.arange(40) % 2
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    assert X.has_sorted_indices  # and the flag is kept
    assert X.has_canonical_format
    given = Table.from_data(X) if as_table else X
    X.indices[X.indptr[7] + 1] = place  # in the middle of a row
    uses = [
        model.predict,
        lambda X: [*model.staged_predict(X)],
        lambda X: AdaBoostClassifier().fit(X, y),
        lambda X: AdaBoostClassifier().fit(X, y, sample_weight=np.arange(40) % 3),
        lambda X: contributions(model, X),
    ]
    for use in uses:
        with pytest.raises(ValueError, match="has entries outside of its shape"):
            use(given)


def test_flags_that_say_rows_are_sorted_are_not_believed():
    """A row that has a column twice, and one whose columns fall."""
    rng = np.random.default_rng(1)
    dense = (rng.random((60, 20)) < 0.3).astype(float)
    y = np.arange(60) % 2
    model = AdaBoostClassifier(n_estimators=9).fit(dense, y)
    X = sp.csr_array(dense)
    assert X.has_canonical_format
    first, second = slice(*X.indptr[:2]), slice(*X.indptr[1:3])
    X.indices[first] = X.indices[first][::-1]
    X.indices[second.start + 1] = X.indices[second.start]
    as_scipy_adds_up = X.toarray()
    assert as_scipy_adds_up.max() == 2.0
    np.testing.assert_array_equal(
        model.decision_function(X), model.decision_function(as_scipy_adds_up)
    )
    again, twin = (AdaBoostClassifier(n_estimators=9).fit(A, y) for A in (X, as_scipy_adds_up))
    np.testing.assert_array_equal(again.decision_function(dense), twin.decision_function(dense))


def test_columns_that_a_narrower_type_would_hide():
    X = sp.csr_array(np.eye(6))
    model = AdaBoostClassifier(n_estimators=9).fit(X, [0, 1] * 3)
    X.indices = X.indices.astype(np.int64)
    X.indices[3] += 2**32
    with pytest.raises(ValueError, match="has entries outside of its shape"):
        model.predict(X)
