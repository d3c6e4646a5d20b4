"""Every form in which people have data becomes the same table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from tests.data.tables import NUMBERS, categories, dense, read_only
from underdog import Table
from underdog.data.columns import NumberColumns
from underdog.data.conversion import is_missing

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


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, bool])
@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 19), (3, 12)])
def test_columns_are_those_of_the_matrix(order, dtype, start, stop):
    given = np.random.default_rng(0).normal(size=(1_100, 19)).astype(dtype, order=order)
    (group,) = Table.from_data(given).groups
    seen = []
    for first, block in group.blocks(start, stop):
        seen += range(first, first + len(block))
        assert block.dtype == np.float64
        assert block.flags.c_contiguous
        assert block.flags.writeable
        np.testing.assert_array_equal(block.T, given[:, first : first + len(block)])
    assert seen == list(range(start, stop))


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


def test_rows_of_an_array_are_copied_once():
    table = Table.from_data(np.arange(12.0).reshape(4, 3))
    taken = table[[2, 0]]
    assert taken.matrix() is taken.groups[0].matrix
    np.testing.assert_array_equal(taken.matrix(), [[6.0, 7.0, 8.0], [0.0, 1.0, 2.0]])
