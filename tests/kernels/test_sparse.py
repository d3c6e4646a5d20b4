import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from underdog.kernels.sparse import CANONICAL, DAMAGED, UNSORTED, row_form


def textbook(pointers, indices, n_columns):
    ends = pointers.tolist()
    if ends[0] != 0 or ends[-1] != len(indices) or ends != sorted(ends):
        return DAMAGED
    if any(not 0 <= column < n_columns for column in indices.tolist()):
        return DAMAGED
    rows = [indices[low:high].tolist() for low, high in itertools.pairwise(ends)]
    return CANONICAL if all(row == sorted(set(row)) for row in rows) else UNSORTED


def test_against_the_textbook_on_random_changes():
    rng = np.random.default_rng(0)
    seen = {DAMAGED: 0, UNSORTED: 0, CANONICAL: 0}
    for _ in range(600):
        n_rows, n_columns = rng.integers(1, 9, 2)
        X = sp.csr_array(rng.random((n_rows, n_columns)) < rng.random())
        pointers, indices = X.indptr.astype(np.int32), X.indices.astype(np.int32)
        if len(indices) and rng.random() < 0.5:
            indices[rng.integers(len(indices))] = rng.choice([-1, 0, n_columns - 1, n_columns])
        if rng.random() < 0.3:
            pointers[rng.integers(len(pointers))] += rng.integers(-2, 3)
        expected = textbook(pointers, indices, n_columns)
        assert row_form(pointers, indices, n_columns) == expected
        seen[expected] += 1
    assert min(seen.values()) > 20


@pytest.mark.parametrize("n_rows", [0, 1, 5])
def test_rows_without_entries(n_rows):
    nothing = np.empty(0, dtype=np.int32)
    assert row_form(np.zeros(n_rows + 1, dtype=np.int32), nothing, 3) == CANONICAL
