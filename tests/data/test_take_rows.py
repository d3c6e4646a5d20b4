"""Rows by number, of everything that holds rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from underdog import Costs, Table
from underdog.data.conversion import take_rows

NUMBERS = np.arange(8.0).reshape(4, 2)
ROWS = np.array([3, 0, 3])


@pytest.mark.parametrize(
    ("form", "back"),
    [
        (np.asarray, np.asarray),
        (sp.csr_array, lambda X: X.toarray()),
        (sp.csc_matrix, lambda X: X.toarray()),
        (sp.coo_array, lambda X: X.toarray()),
        (lambda X: pd.DataFrame(X, index=[3, 2, 1, 0]), np.asarray),
        (lambda X: pd.DataFrame(X, columns=["a", "a"]), np.asarray),
        (pl.DataFrame, np.asarray),
        (lambda X: pa.table({"a": X[:, 0], "b": X[:, 1]}), lambda X: X.to_pandas().to_numpy()),
        (Table.from_data, lambda X: X.matrix()),
    ],
)
def test_tables_of_any_kind(form, back):
    given = form(NUMBERS)
    assert np.array_equal(back(take_rows(given, ROWS)), NUMBERS[ROWS])
    assert back(take_rows(given, ROWS[:0])).shape == (0, 2)


@pytest.mark.parametrize("form", [list, tuple, np.array, pd.Series, pl.Series])
def test_values_of_any_kind(form):
    assert list(take_rows(form(["a", "b", "c", "d"]), ROWS)) == ["d", "a", "d"]


def test_costs_of_each_example():
    taken = take_rows(Costs(fn=[1, 2, 3, 4], fp=1), ROWS)
    assert taken.n_examples == 3
