"""Tables of every form, and their rows as cells."""

import numpy as np
import pandas as pd
import scipy.sparse as sp

from underdog import Table
from underdog.data import EncodedRows, Schema
from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns

ROWS = 120


def numbers(seed=0):
    """Continuous, counts with many zeros, negative and positive, presence, missing, constant."""
    rng = np.random.default_rng(seed)
    X = np.zeros((ROWS, 7))
    X[:, 0] = rng.normal(size=ROWS)
    X[:, 1] = rng.poisson(0.6, ROWS)
    X[:, 2] = np.rint(rng.normal(size=ROWS) * 1.2)
    X[:, 3] = -(rng.random(ROWS) < 0.2).astype(float)
    X[:, 4] = np.where(rng.random(ROWS) < 0.6, 0.0, rng.normal(size=ROWS))
    X[rng.random(ROWS) < 0.2, 4] = np.nan
    X[:, 5] = 3.0
    X[:, 6] = rng.random(ROWS) < 0.5
    return X


def text(seed=0):
    rng = np.random.default_rng(seed)
    few = rng.choice(["r", "g", "b"], ROWS).astype(object)
    few[rng.random(ROWS) < 0.1] = None
    many = rng.integers(0, 400, ROWS)
    frame = pd.DataFrame({"few": few, "many": [f"w{v}" for v in many]})
    frame.loc[0, "many"] = None
    return frame


def wide_text():
    """More levels than a byte can number, some rows missing."""
    values = [f"w{i % 300:03d}" for i in range(900)]
    values[5] = None
    return pd.DataFrame({"many": values})


def wide_numbers():
    """More distinct values than a byte can number, some missing; zeros; and few values."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(900, 4))
    X[rng.random(900) < 0.1, 1] = np.nan
    X[:, 2] = np.where(rng.random(900) < 0.2, 0.0, X[:, 2])
    X[:2, 2] = -np.inf, np.inf
    X[:, 3] = np.rint(X[:, 3])
    return X


TABLES = {
    "dense": lambda: Table.from_data(numbers()),
    "sparse": lambda: Table.from_data(sp.csr_array(numbers())),
    "mixed": lambda: Table.hstack([numbers()[:, :3], sp.csr_array(numbers()[:, 3:]), text()]),
    "wide": lambda: Table.from_data(wide_text()),
    "wide numbers": lambda: Table.from_data(wide_numbers()),
    "wide sparse numbers": lambda: Table.from_data(sp.csr_array(wide_numbers())),
    "all wide": lambda: Table.hstack(
        [wide_numbers()[:, :2], wide_text(), sp.csr_array(wide_numbers()[:, 2:])]
    ),
    "presence": lambda: Table.from_data(sp.csr_array((numbers()[:, [1, 2, 6]] > 0).astype(float))),
    "negative presence": lambda: Table.from_data(
        sp.csr_array((numbers()[:, [1, 2, 6]] > 0) * -2.5)
    ),
    "one row": lambda: Table.from_data(np.array([[1.0, np.nan, 0.0]])),
    "all missing": lambda: Table.from_data(np.full((5, 2), np.nan)),
    "all missing, sparse": lambda: Table.from_data(sp.csr_array(np.full((5, 2), np.nan))),
    "some missing": lambda: Table.from_data(
        sp.csr_array(np.where(np.eye(9, 4), np.nan, numbers()[:9, :4]))
    ),
    "empty": lambda: Table.from_data(sp.csr_array((6, 3))),
}


def encoded_rows(table, repeats=None, max_bins=None, schema=None):
    ones = np.ones(len(table), dtype=np.int64)
    max_bins = max_bins or (400 if len(table) == 900 else 6)
    schema = schema or Schema.learn(table, ones if repeats is None else repeats, max_bins)
    return EncodedRows(table, schema, repeats)


def bins_of(encoded, column):
    """The bin of every row, worked out from the values."""
    for group in encoded.table.groups:
        for place, position in enumerate(group.positions.tolist()):
            if position != column:
                continue
            if hasattr(group, "values"):
                return encoded.schema.codes_of(column, group.values[place]).astype(int)
            if isinstance(group.matrix, np.ndarray):
                values = group.column(place)
            else:
                values = group.matrix.toarray().astype(float)[:, place]
            cuts = encoded.schema.cuts_of(column)
            bins = (values[:, np.newaxis] > cuts).sum(axis=1)
            return np.where(np.isnan(values), len(cuts) + 1, bins)
    raise AssertionError(f"no column {column}")


NUMBERS = np.array([[1.0, -2.0, 0.0], [0.0, 5.0, 3.0], [7.0, 0.0, 0.0], [1.0, 4.0, -1.0]])


def dense(table):
    """The numbers of a table in the order of its columns; categories are NaN."""
    out = np.full(table.shape, np.nan)
    for group in table.groups:
        if isinstance(group, NumberColumns):
            for c, position in enumerate(group.positions):
                out[:, position] = group.column(c)
        elif isinstance(group, SparseColumns):
            out[:, group.positions] = group.matrix.toarray()
    return out


def categories(table):
    """position -> values, of the category columns."""
    return {
        int(position): values.tolist()
        for group in table.groups
        if isinstance(group, CategoryColumns)
        for position, values in zip(group.positions, group.values, strict=True)
    }


def read_only(array):
    array = array.copy()
    array.setflags(write=False)
    return array
