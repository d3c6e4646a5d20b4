"""Every form in which people have data becomes the same table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from underdog import AdaBoostClassifier, Table
from underdog.data.columns import CategoryColumns, NumberColumns, SparseColumns
from underdog.data.conversion import is_missing

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


DTYPES = ["float64", "float32", "float16", "int8", "int16", "int32", "int64", ">f8", "<i2"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_any_number_type(dtype):
    table = Table.from_data(NUMBERS.astype(dtype))
    np.testing.assert_array_equal(dense(table), NUMBERS)
    assert table.shape == (4, 3)
    assert len(table) == 4
    assert table.names is None


@pytest.mark.parametrize("dtype", ["uint8", "uint64", "bool"])
def test_arrays_of_unsigned_and_boolean_type(dtype):
    given = np.abs(NUMBERS).astype(dtype)
    np.testing.assert_array_equal(dense(Table.from_data(given)), given.astype(float))


ARRAYS = {
    "list": NUMBERS.tolist(),
    "tuple": tuple(map(tuple, NUMBERS.tolist())),
    "fortran": np.asfortranarray(NUMBERS),
    "read-only": read_only(NUMBERS),
    "read-only fortran": read_only(np.asfortranarray(NUMBERS)),
    "not contiguous": np.repeat(np.repeat(NUMBERS, 2, axis=0), 2, axis=1)[::2, ::2],
    "backwards": NUMBERS[::-1].copy()[::-1],
    "object": NUMBERS.astype(object),
    "pandas": pd.DataFrame(NUMBERS, columns=list("abc")),
    "pandas, integer names": pd.DataFrame(NUMBERS),
    "pandas float32": pd.DataFrame(NUMBERS.astype(np.float32), columns=list("abc")),
    "pandas nullable": pd.DataFrame(NUMBERS, columns=list("abc")).astype("Int64"),
    "pandas object": pd.DataFrame(NUMBERS, columns=list("abc")).astype(object),
    "pandas, mixed types": pd.DataFrame(
        {"a": NUMBERS[:, 0].astype(np.int8), "b": NUMBERS[:, 1], "c": list(NUMBERS[:, 2])}
    ),
    "pandas arrow": pd.DataFrame(NUMBERS, columns=list("abc")).astype("double[pyarrow]"),
    "polars": pl.DataFrame(NUMBERS, schema=["a", "b", "c"]),
    "polars integer": pl.DataFrame(NUMBERS.astype(np.int32), schema=["a", "b", "c"]),
}


@pytest.mark.parametrize("form", ARRAYS)
def test_forms_of_the_same_numbers(form):
    table = Table.from_data(ARRAYS[form])
    np.testing.assert_array_equal(dense(table), NUMBERS)
    assert [type(group) for group in table.groups] == [NumberColumns]


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


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, bool])
@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 19), (3, 12)])
def test_columns_are_those_of_the_matrix(order, dtype, start, stop):
    given = np.random.default_rng(0).normal(size=(1_100, 19)).astype(dtype, order=order)
    (group,) = Table.from_data(given).groups
    seen = []
    for c, column in group.columns(start, stop):
        seen.append(c)
        assert column.dtype == np.float64
        assert column.flags.c_contiguous
        assert column.flags.writeable
        np.testing.assert_array_equal(column, given[:, c])
    assert seen == list(range(start, stop))


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


MISSING = np.array([[1.0, np.nan], [np.nan, 0.0], [np.inf, -np.inf], [0.0, 2.0]])
MISSING_FORMS = {
    "array": MISSING,
    "float32": MISSING.astype(np.float32),
    "list with None": [[None if v != v else v for v in row] for row in MISSING.tolist()],
    "pandas": pd.DataFrame(MISSING, columns=["a", "b"]),
    "pandas nullable": pd.DataFrame(
        {
            "a": pd.array([1.0, None, np.inf, 0.0], dtype="Float64"),
            "b": pd.array([None, 0.0, -np.inf, 2.0], dtype="Float64"),
        }
    ),
    "pandas object": pd.DataFrame(
        {"a": pd.Series([1, None, np.inf, 0], dtype=object), "b": [pd.NA, 0.0, -np.inf, 2.0]}
    ),
    "polars": pl.DataFrame({"a": [1.0, None, np.inf, 0.0], "b": [float("nan"), 0.0, -np.inf, 2.0]}),
    "sparse": sp.csr_array(MISSING),
    "sparse matrix": sp.csc_matrix(MISSING),
}


@pytest.mark.parametrize("form", MISSING_FORMS)
def test_missing_is_not_zero_is_not_absent_is_not_infinite(form):
    np.testing.assert_array_equal(dense(Table.from_data(MISSING_FORMS[form])), MISSING)


def test_a_stored_nan_is_missing_and_an_absent_entry_is_zero():
    matrix = sp.csr_array(([np.nan, 4.0], ([0, 1], [0, 0])), (3, 1))
    np.testing.assert_array_equal(dense(Table.from_data(matrix)), [[np.nan], [4.0], [0.0]])


@pytest.mark.parametrize(
    ("column", "wanted"),
    [
        (pd.array([True, None, False], dtype="boolean"), [1.0, np.nan, 0.0]),
        (pd.array([2, None, 0], dtype="Int8"), [2.0, np.nan, 0.0]),
        (np.array([True, False, True]), [1.0, 0.0, 1.0]),
        (pd.Series([True, None, 2.5], dtype=object), [1.0, np.nan, 2.5]),
    ],
)
def test_nullable_and_boolean_columns(column, wanted):
    table = Table.from_data(pd.DataFrame({"a": column}))
    np.testing.assert_array_equal(dense(table)[:, 0], wanted)


def test_null_booleans_and_integers_of_polars():
    frame = pl.DataFrame({"a": [True, None, False], "b": [1, None, 3], "c": [None, None, None]})
    table = Table.from_data(frame.with_columns(pl.col("c").cast(pl.Float32)))
    np.testing.assert_array_equal(
        dense(table), [[1.0, 1.0, np.nan], [np.nan, np.nan, np.nan], [0.0, 3.0, np.nan]]
    )


TEXT = ["red", "blue", None, "red"]
TEXT_FORMS = {
    "pandas text": pd.DataFrame({"n": [1, 2, 3, 4], "t": TEXT}),
    "pandas object": pd.DataFrame({"n": [1, 2, 3, 4], "t": pd.Series(TEXT, dtype=object)}),
    "pandas category": pd.DataFrame({"n": [1, 2, 3, 4], "t": pd.Categorical(TEXT)}),
    "polars text": pl.DataFrame({"n": [1, 2, 3, 4], "t": TEXT}),
    "polars categorical": pl.DataFrame({"n": [1, 2, 3, 4], "t": TEXT}).with_columns(
        pl.col("t").cast(pl.Categorical)
    ),
    "polars enum": pl.DataFrame({"n": [1, 2, 3, 4], "t": TEXT}).with_columns(
        pl.col("t").cast(pl.Enum(["blue", "red"]))
    ),
}


@pytest.mark.parametrize("form", TEXT_FORMS)
def test_text_columns_of_frames_are_categories(form):
    table = Table.from_data(TEXT_FORMS[form])
    np.testing.assert_array_equal(dense(table)[:, 0], [1.0, 2.0, 3.0, 4.0])
    (values,) = categories(table).values()
    assert [None if is_missing(v) else v for v in values] == TEXT
    assert table.names == ("n", "t")
    assert list(categories(table)) == [1]


@pytest.mark.parametrize(
    "chosen", [[1], [-1], [False, True], np.array([1]), np.array([False, True])]
)
def test_columns_of_arrays_are_categories_by_position(chosen):
    table = Table.from_data(np.array([[0.5, 3], [0.25, 7], [1.0, 3]]), chosen)
    assert categories(table) == {1: [3.0, 7.0, 3.0]}
    assert dense(table)[:, 0].tolist() == [0.5, 0.25, 1.0]


def test_text_columns_of_object_arrays_are_categories_by_position():
    table = Table.from_data(np.array([["a", 1.5], ["b", 2.0]], dtype=object), [0])
    assert categories(table) == {0: ["a", "b"]}
    assert dense(table)[:, 1].tolist() == [1.5, 2.0]


def test_columns_of_frames_are_categories_by_name():
    frame = pd.DataFrame({"a": [1, 2], "b": [0.5, 0.25]})
    assert categories(Table.from_data(frame, ["a"])) == {0: [1, 2]}
    assert categories(Table.from_data(pl.from_pandas(frame), ["b"])) == {1: [0.5, 0.25]}


@pytest.mark.parametrize(
    ("given", "chosen", "message"),
    [
        (NUMBERS, [3], "has 3, which is not a column"),
        (NUMBERS, ["a"], "has 'a', which is not a column"),
        (NUMBERS, [True, False], "mask of length 2, but the data has 3"),
        (NUMBERS, "all", "must be 'from_dtype'"),
        (sp.csr_array(NUMBERS), [0], "sparse matrix cannot be categories"),
        (pd.DataFrame({"a": ["x"], "b": [1]}), None, "column 'a' has the type"),
        (np.array([["x", 1.0]], dtype=object), [1], "not a number"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "from_dtype", "'a' appears twice"),
        (
            pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
            "from_dtype",
            "column 'a' has the type",
        ),
        (sp.coo_array(np.ones(3)), None, "expected 2D"),
        (np.empty((0, 2)), None, "0 sample"),
        (np.empty((2, 0)), None, "0 feature"),
        (pd.DataFrame({"a": []}), None, "0 sample"),
        (pd.DataFrame(index=[0, 1]), None, "0 feature"),
    ],
)
def test_what_cannot_be_a_table_is_refused(given, chosen, message):
    with pytest.raises(ValueError, match=message):
        Table.from_data(given, chosen)


def mixed():
    return Table.hstack(
        [
            np.arange(8.0).reshape(4, 2),
            sp.csr_array(NUMBERS),
            pd.DataFrame({"colour": ["r", "g", None, "r"], "size": [1, 2, 3, 4]}),
        ]
    )


def test_hstack_puts_blocks_side_by_side():
    table = mixed()
    assert table.shape == (4, 7)
    assert len(table) == 4
    assert table.names == ("x0", "x1", "x2", "x3", "x4", "colour", "size")
    found = dense(table)
    np.testing.assert_array_equal(found[:, :2], np.arange(8.0).reshape(4, 2))
    np.testing.assert_array_equal(found[:, 2:5], NUMBERS)
    np.testing.assert_array_equal(found[:, 6], [1.0, 2.0, 3.0, 4.0])
    assert list(categories(table)) == [5]


def test_hstack_takes_names_tables_and_categories():
    table = Table.hstack(
        [Table.from_data(NUMBERS[:, :1]), NUMBERS[:, 1:]], names=["a", "b", "c"], categorical=["b"]
    )
    assert table.names == ("a", "b", "c")
    assert categories(table) == {1: NUMBERS[:, 1].tolist()}
    np.testing.assert_array_equal(dense(table)[:, [0, 2]], NUMBERS[:, [0, 2]])
    again = Table.hstack([table, mixed()], names=[f"n{c}" for c in range(10)])
    assert again.shape == (4, 10)
    assert sorted(categories(again)) == [1, 8]


@pytest.mark.parametrize(
    ("blocks", "names", "message"),
    [
        ([], None, "no blocks"),
        ([NUMBERS, NUMBERS[:2]], None, "different lengths"),
        ([NUMBERS], ["a"], "1 names for 3 columns"),
        ([NUMBERS], ["a", "b", "a"], "'a' appears twice"),
        ([pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})], None, "'a' appears twice"),
    ],
)
def test_hstack_refuses(blocks, names, message):
    with pytest.raises(ValueError, match=message):
        Table.hstack(blocks, names=names)


def selections():
    return {
        "slice": slice(1, 3),
        "step": slice(None, None, 2),
        "backwards": slice(None, None, -1),
        "mask": np.array([True, False, True, True]),
        "list": [3, 0, 0],
        "array": np.array([2, 1]),
        "negative": [-1],
        "number": 2,
        "tuple": (np.array([0, 3]), slice(None)),
        "dots": ([1], ...),
        "none": [False] * 4,
    }


@pytest.mark.parametrize("how", selections())
def test_rows_are_selected_in_every_group(how):
    table, key = mixed(), selections()[how]
    chosen = table[key]
    rows = np.arange(4)[key[0] if isinstance(key, tuple) else key]
    rows = np.atleast_1d(rows)
    assert chosen.shape == (len(rows), 7)
    np.testing.assert_array_equal(dense(chosen), dense(table)[rows])
    colours = categories(table)[5]
    assert [str(v) for v in categories(chosen)[5]] == [str(colours[row]) for row in rows]
    assert chosen.names == table.names


@pytest.mark.parametrize("key", [(0, 1), ([0], [1, 2]), (0, slice(1, 2)), (0, 0, 0)])
def test_columns_cannot_be_selected(key):
    with pytest.raises(IndexError, match="selects rows only"):
        mixed()[key]


@pytest.mark.parametrize("form", ["fortran", "pandas", "polars", "list"])
def test_selected_rows_of_every_form(form):
    table = Table.from_data(ARRAYS[form])[[2, 0]]
    np.testing.assert_array_equal(dense(table), NUMBERS[[2, 0]])
    np.testing.assert_array_equal(np.asarray(table.matrix()), NUMBERS[[2, 0]])


def test_matrix_for_other_libraries():
    numbers = Table.hstack([NUMBERS, NUMBERS])
    np.testing.assert_array_equal(numbers.matrix(), np.hstack([NUMBERS, NUMBERS]))
    some = Table.hstack([NUMBERS, sp.csr_array(NUMBERS)]).matrix()
    assert sp.issparse(some)
    np.testing.assert_array_equal(some.toarray(), np.hstack([NUMBERS, NUMBERS]))
    with pytest.raises(ValueError, match="encode the categories"):
        mixed().matrix()
    assert repr(numbers) == "Table(4 rows, 6 columns)"


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(None, True), (float("nan"), True), (pd.NA, True), (pd.NaT, True), (0, False), ("", False)],
)
def test_is_missing(value, wanted):
    assert is_missing(value) is wanted


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


def test_columns_of_arrow_tables_have_their_names():
    arrow = pytest.importorskip("pyarrow")
    frame = arrow.table({"a": np.zeros(40), "b": np.zeros(40)})
    assert Table.from_data(frame).names == ("a", "b")
    assert Table.hstack([frame, np.zeros((40, 1))]).names == ("a", "b", "x2")


@pytest.mark.parametrize("missing", [None, pd.NA, np.nan])
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_a_column_without_values_is_missing_numbers(make, missing):
    if make is pl.DataFrame and missing is pd.NA:
        missing = None
    table = Table.from_data(make([{"age": missing, "city": "Rome"}]), ["city"])
    assert np.isnan(dense(Table.from_data(make([{"age": missing}]), None))).all()
    assert list(categories(table)) == [1]


def test_hstack_reads_arrays_as_the_boosters_do():
    masked = np.ma.array([[0.0], [9.0]], mask=[[0], [1]])
    np.testing.assert_array_equal(dense(Table.hstack([masked])), [[0.0], [np.nan]])
    with pytest.raises(ValueError, match="dates or times"):
        Table.hstack([np.array([["2020-01-01"], ["NaT"]], "M8[D]")])
    with pytest.raises(ValueError, match=r"call \.collect\(\) first"):
        Table.hstack([pl.LazyFrame({"a": [1.0]})])
    with pytest.raises(ValueError, match="expected 2D sparse input"):
        Table.hstack([sp.coo_array(np.ones(3))])


def test_a_block_without_columns_adds_none():
    table = Table.hstack([np.ones((4, 2)), sp.csr_array((4, 0))])
    assert table.shape == (4, 2)
    assert len(table.groups) == 1


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
