"""Compiled scores against a walk through step functions, value by value."""

import numpy as np
import pytest
import scipy.sparse as sp

from tests.kernels import twins
from underdog.kernels import prediction

KINDS = ("ordinary", "no rows", "one row", "all missing", "constant", "extreme")
N_COLUMNS = 6
USED = np.array([0, 2, 3, 5])


class Steps:
    """Step functions of some columns, values on the score grid."""

    def __init__(self, n_labels):
        rng = np.random.default_rng(n_labels)
        self.cuts = [np.sort(rng.normal(size=size)) for size in (3, 0, 1, 12)]
        self.tables = [self._grid(rng, len(cuts) + 1, n_labels) for cuts in self.cuts]
        self.missing = self._grid(rng, len(USED), n_labels)
        self.pointers = np.cumsum([0, *map(len, self.cuts)])

    @staticmethod
    def _grid(rng, *shape):
        return np.rint(rng.normal(size=shape) * 2.0**36) / 2.0**36

    def arrays(self):
        return self.pointers, np.concatenate(self.cuts), np.concatenate(self.tables), self.missing

    def of(self, u, value):
        if np.isnan(value):
            return self.missing[u]
        return self.tables[u][twins.bin_of(value, self.cuts[u])]

    def scores(self, dense, base):
        return np.array(
            [base + sum(self.of(u, row[j]) for u, j in enumerate(USED)) for row in dense]
        ).reshape(len(dense), len(base))


def rows(kind):
    rng = np.random.default_rng(5)
    dense = rng.normal(size=({"no rows": 0, "one row": 1}.get(kind, 40), N_COLUMNS))
    dense[rng.random(dense.shape) < 0.5] = 0.0
    dense[rng.random(dense.shape) < 0.1] = np.nan
    if kind == "all missing":
        dense[:] = np.nan
    elif kind == "constant":
        dense[:] = 0.5
    elif kind == "extreme":
        dense[::2] = np.inf
        dense[1::2] = -np.inf
    return dense


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_labels", [1, 3])
def test_dense(kind, n_labels):
    dense, steps, base = rows(kind), Steps(n_labels), np.arange(n_labels) / 4
    out = np.tile(base, (len(dense), 1))
    middle = len(dense) // 2
    for start, stop in ((0, middle), (middle, len(dense))):
        prediction.predict_dense(dense, USED, *steps.arrays(), start, stop, out)
    np.testing.assert_array_equal(out, steps.scores(dense, base))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_labels", [1, 3])
def test_sparse(kind, n_labels):
    """The score of an all-zero row, and what the stored entries change of it."""
    dense, steps, base = rows(kind), Steps(n_labels), np.arange(n_labels) / 4
    pointers, cuts, table, missing = steps.arrays()
    zero = np.empty(len(USED), dtype=np.int64)
    prediction.rows_of_value(0.0, cuts, pointers, zero)
    for u, row in enumerate(zero):
        assert row == pointers[u] + u + twins.bin_of(0.0, steps.cuts[u])
    matrix = sp.csr_array(dense)
    compiled = np.full(N_COLUMNS, -1, dtype=np.int64)
    compiled[USED] = np.arange(len(USED))
    out = np.tile(base + table[zero].sum(axis=0), (len(dense), 1))
    middle = len(dense) // 2
    for start, stop in ((0, middle), (middle, len(dense))):
        prediction.predict_sparse(
            matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data, compiled,
            pointers, cuts, table, missing, zero, start, stop, out,
        )  # fmt: skip
    np.testing.assert_array_equal(out, steps.scores(dense, base))


@pytest.mark.parametrize("size", [0, 1, 30])
def test_codes(size):
    rng = np.random.default_rng(size)
    table, codes = rng.normal(size=(5, 2)), rng.integers(0, 5, size).astype(np.int32)
    out = np.ones((size, 2))
    prediction.predict_codes(codes, table, 0, size, out)
    np.testing.assert_array_equal(out, 1.0 + table[codes])


@pytest.mark.parametrize("value", [-0.4, 0.0, 2.5, np.inf])
def test_rows_of_value(value):
    steps = Steps(1)
    pointers, cuts, table, _ = steps.arrays()
    found = np.empty(len(USED), dtype=np.int64)
    prediction.rows_of_value(value, cuts, pointers, found)
    for u, row in enumerate(found):
        assert table[row].tolist() == steps.of(u, value).tolist()


@pytest.mark.parametrize("kind", ["ordinary", "no rows", "one row", "constant"])
@pytest.mark.parametrize("n_labels", [1, 3])
def test_constant(kind, n_labels):
    """One stored value: a sum over the stored columns."""
    matrix = sp.csr_array((np.nan_to_num(rows(kind)) > 0).astype(np.float64))
    gain = Steps._grid(np.random.default_rng(1), N_COLUMNS, n_labels)
    base = np.arange(1.0, n_labels + 1.0)
    out = np.full((matrix.shape[0], n_labels), np.nan)
    indptr, indices = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)
    middle = matrix.shape[0] // 2
    for start, stop in ((0, middle), (middle, matrix.shape[0])):
        prediction.predict_constant(indptr, indices, base, gain.ravel(), start, stop, out)
    np.testing.assert_array_equal(out, base + matrix.toarray() @ gain)


@pytest.mark.parametrize("length", range(12))
@pytest.mark.parametrize("before", [0, 3])
def test_sum_of_a_row(length, before):
    """Every length, at the beginning and at the end of what is stored."""
    rng = np.random.default_rng(length)
    gain = rng.integers(-99, 99, N_COLUMNS) / 8.0
    indices = rng.integers(0, N_COLUMNS, before + length + 1).astype(np.int32)
    for low in (before, before + 1):
        found = prediction.sum_of(gain, indices, np.uint64(low), np.uint64(low + length))
        assert found == gain[indices[low : low + length]].sum()


def test_no_entries_at_all():
    out = np.full((3, 1), np.nan)
    pointers, indices = np.zeros(4, dtype=np.int32), np.empty(0, dtype=np.int32)
    prediction.predict_constant(pointers, indices, np.array([2.0]), np.ones(5), 0, 3, out)
    assert out.ravel().tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(("side", "expected"), [(1.0, [0, 1, 0, 0, 1]), (-1.0, [1, 0, 0, 0, 0])])
def test_above_zero(side, expected):
    """Zero of either sign is not above zero."""
    scores = np.array([[-1.0], [5e-324], [0.0], [-0.0], [np.inf]])
    out = np.full(5, 7, dtype=np.int64)
    prediction.above_zero(scores, side, out)
    assert out.tolist() == expected
