"""Rows as cells: which rows a test takes, which side is smaller, and what is summed of them."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from underdog import Table
from underdog.candidates import Candidates
from underdog.cells import cells
from underdog.core import Scores, Target
from underdog.data import Part, Schema
from underdog.data.part import MANY_LABELS, DenseBlock, SparseBlock
from underdog.kernels.elementary import to_grid
from underdog.losses import Exponential
from underdog.partitions import RowBlocks
from underdog.tally import Tally
from underdog.workers import Workers

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
    "dense": lambda: Table.of(numbers()),
    "sparse": lambda: Table.of(sp.csr_array(numbers())),
    "mixed": lambda: Table.hstack([numbers()[:, :3], sp.csr_array(numbers()[:, 3:]), text()]),
    "wide": lambda: Table.of(wide_text()),
    "wide numbers": lambda: Table.of(wide_numbers()),
    "wide sparse numbers": lambda: Table.of(sp.csr_array(wide_numbers())),
    "all wide": lambda: Table.hstack(
        [wide_numbers()[:, :2], wide_text(), sp.csr_array(wide_numbers()[:, 2:])]
    ),
    "presence": lambda: Table.of(sp.csr_array((numbers()[:, [1, 2, 6]] > 0).astype(float))),
    "negative presence": lambda: Table.of(sp.csr_array((numbers()[:, [1, 2, 6]] > 0) * -2.5)),
    "one row": lambda: Table.of(np.array([[1.0, np.nan, 0.0]])),
    "all missing": lambda: Table.of(np.full((5, 2), np.nan)),
    "all missing, sparse": lambda: Table.of(sp.csr_array(np.full((5, 2), np.nan))),
    "some missing": lambda: Table.of(
        sp.csr_array(np.where(np.eye(9, 4), np.nan, numbers()[:9, :4]))
    ),
    "empty": lambda: Table.of(sp.csr_array((6, 3))),
}


def part_of(table, times=None, max_bins=None, schema=None):
    ones = np.ones(len(table), dtype=np.int64)
    max_bins = max_bins or (400 if len(table) == 900 else 6)
    schema = schema or Schema.learn(table, ones if times is None else times, max_bins)
    return Part(table, schema, times)


def bins_of(part, column):
    """The bin of every row, worked out from the values."""
    for group in part.table.groups:
        for place, position in enumerate(group.positions.tolist()):
            if position != column:
                continue
            if hasattr(group, "values"):
                return part.schema.codes_of(column, group.values[place]).astype(int)
            if isinstance(group.matrix, np.ndarray):
                values = group.column(place)
            else:
                values = group.matrix.toarray().astype(float)[:, place]
            cuts = part.schema.cuts_of(column)
            bins = (values[:, np.newaxis] > cuts).sum(axis=1)
            return np.where(np.isnan(values), len(cuts) + 1, bins)
    raise AssertionError(f"no column {column}")


def flags_of(part, column, seed=3, most=12):
    """Flags of tests: nothing, everything, one bin each, random ones."""
    bins = int(part.bins[column]) + 1
    rng = np.random.default_rng(seed)
    flags = [np.zeros(bins), np.ones(bins), *np.eye(bins)[:most]]
    flags += [rng.random(bins) < 0.5 for _ in range(4)]
    return [np.array(flag, dtype=np.uint8) for flag in flags]


@pytest.mark.parametrize("name", TABLES)
def test_rows_of_every_test(name):
    part = part_of(TABLES[name]())
    for column in range(part.schema.n_columns):
        bins = bins_of(part, column)
        for inside in flags_of(part, column):
            found = part.rows(column, inside)
            assert found.dtype == np.int32
            assert sorted(found.tolist()) == np.flatnonzero(inside[bins]).tolist()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("weighted", [False, True])
def test_smaller_side_counts_examples(name, weighted):
    table = TABLES[name]()
    times = np.random.default_rng(4).integers(1, 6, len(table)) if weighted else None
    part = part_of(table, times)
    count = np.ones(len(table), dtype=int) if times is None else times
    assert part.n_examples == count.sum()
    for column in range(part.schema.n_columns):
        bins = bins_of(part, column)
        for inside in flags_of(part, column):
            rows, touched = part.smaller_side(column, inside)
            true = inside[bins] == 1
            inner, outer = count[true].sum(), count[~true].sum()
            assert touched == int(inner <= outer)
            assert sorted(rows.tolist()) == np.flatnonzero(true == bool(touched)).tolist()


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("stored", [1.0, -1.0])
def test_on_a_tie_the_true_side_is_touched(make, stored):
    X = make(np.array([[stored], [0.0], [stored], [0.0]]))
    for times in (None, np.array([1, 2, 3, 2])):
        part = part_of(Table.of(X), times)
        for inside in ([0, 1, 0], [1, 0, 0]):
            rows, touched = part.smaller_side(0, np.array(inside, dtype=np.uint8))
            assert touched == 1
            high = stored if stored > 0 else 0.0
            true = high if inside[1] else stored + 0.0 - high
            wanted = [0, 2] if true == stored else [1, 3]
            assert sorted(rows.tolist()) == wanted


def test_a_multiplicity_can_turn_the_side():
    part = part_of(Table.of(np.array([[0.0], [1.0], [1.0]])), np.array([5, 1, 1]))
    rows, touched = part.smaller_side(0, np.array([0, 1, 0], dtype=np.uint8))
    assert (rows.tolist(), touched) == ([1, 2], 1)
    part = part_of(Table.of(np.array([[0.0], [1.0], [1.0]])))
    rows, touched = part.smaller_side(0, np.array([0, 1, 0], dtype=np.uint8))
    assert (rows.tolist(), touched) == ([0], 0)


def test_storage_forms():
    mixed = part_of(TABLES["mixed"]())
    assert [type(block) for block in mixed.blocks] == [DenseBlock, SparseBlock]
    assert isinstance(part_of(TABLES["wide"]()).blocks[-1], SparseBlock)
    wide = part_of(TABLES["wide numbers"]())
    assert [type(block) for block in wide.blocks] == [DenseBlock, SparseBlock]
    assert [block.columns.tolist() for block in wide.blocks] == [[3], [0, 1, 2]]
    assert wide.implicit.tolist() == [-1] * 4
    mixed = part_of(TABLES["all wide"]())
    assert [block.columns.tolist() for block in mixed.blocks] == [[3, 4], [0, 1, 2]]
    assert part_of(TABLES["dense"]()).implicit.tolist() == [-1] * 7
    sparse = part_of(TABLES["sparse"]())
    assert (sparse.implicit >= 0).all()
    dense = part_of(TABLES["dense"]())
    assert sparse.n_cells == dense.n_cells - 7  # zero's bin is not stored


@pytest.mark.parametrize("distinct", [254, 255, 256, 257, 65_535])
@pytest.mark.parametrize("missing", [False, True])
def test_one_byte_per_value_as_long_as_it_can_number_the_bins(distinct, missing):
    values = np.random.default_rng(2).permutation(distinct).astype(float)
    if missing:
        values = np.append(values, np.nan)
    part = part_of(Table.of(values[:, np.newaxis]), max_bins=65_535)
    assert part.n_cells == distinct + missing
    assert isinstance(part.blocks[0], DenseBlock if distinct <= 255 else SparseBlock)
    for level in (0, 1, 254, distinct // 2, distinct - 1, distinct):
        inside = np.zeros(distinct + 1, dtype=np.uint8)
        inside[level] = 1
        wanted = np.isnan(values) if level == distinct else values == level
        assert part.rows(0, inside).tolist() == np.flatnonzero(wanted).tolist()


@pytest.mark.parametrize("runs", [1, 2, 5])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_rows_of_runs_of_bins(runs, make):
    """Also beside the bin of zero, which sparse columns leave out."""
    X = wide_numbers()[:, 2:3]
    part = part_of(Table.of(make(X)))
    bins, count = bins_of(part, 0), int(part.bins[0])
    zero = int(np.searchsorted(part.schema.cuts_of(0), 0.0))
    rng = np.random.default_rng(runs)
    for first in (0, zero - 1, zero, zero + 1, *rng.integers(0, count, 20)):
        inside = np.zeros(count + 1, dtype=np.uint8)
        ends = np.sort(rng.integers(0, count + 2, 2 * runs - 1))
        for start, stop in np.sort(np.append(first, ends)).reshape(runs, 2):
            inside[start:stop] = 1
        wanted = np.flatnonzero(inside[bins]).tolist()
        assert sorted(part.rows(0, inside).tolist()) == wanted


def test_more_cells_than_can_be_numbered_are_refused(monkeypatch):
    table = TABLES["wide numbers"]()
    cells = part_of(table).n_cells
    monkeypatch.setattr("underdog.data.part.MOST_CELLS", cells)
    part_of(table)
    monkeypatch.setattr("underdog.data.part.MOST_CELLS", cells - 1)
    match = f"all columns together have {cells} bins, more than {cells - 1}: use a smaller max_bins"
    with pytest.raises(ValueError, match=match):
        part_of(table)


@pytest.mark.parametrize("make_numbers", [numbers, wide_numbers])
def test_values_that_were_never_missing_get_a_bin_when_they_are(make_numbers):
    X = np.nan_to_num(make_numbers(), nan=0.5)
    schema = part_of(Table.of(X)).schema
    assert not schema.missing.any()
    X[0] = np.nan
    for make in (np.asarray, sp.csr_array):
        part = part_of(Table.of(make(X)), schema=schema)
        assert part.missing.all()
        for column in range(X.shape[1]):
            last = np.zeros(int(part.bins[column]) + 1, dtype=np.uint8)
            last[-1] = 1
            wanted = np.flatnonzero(np.isnan(X[:, column])).tolist()
            assert sorted(part.rows(column, last).tolist()) == wanted


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("name", ["dense", "wide numbers"])
def test_new_values_land_in_the_bins_of_the_schema(make, name):
    """Values beyond, between and at the cuts of the training data."""
    schema = part_of(TABLES[name]()).schema
    rng = np.random.default_rng(9)
    X = rng.normal(size=(500, schema.n_columns)) * 3
    X[rng.random(X.shape) < 0.4] = 0.0
    X[rng.random(X.shape) < 0.1] = np.inf
    X[rng.random(X.shape) < 0.1] = -np.inf
    for column in range(schema.n_columns):
        cuts = schema.cuts_of(column)
        X[: len(cuts), column] = cuts
    part = part_of(Table.of(make(X)), schema=schema)
    for column in range(schema.n_columns):
        bins = (X[:, column][:, np.newaxis] > schema.cuts_of(column)).sum(axis=1)
        for inside in flags_of(part, column):
            wanted = np.flatnonzero(inside[bins]).tolist()
            assert sorted(part.rows(column, inside).tolist()) == wanted


# --- tallies ---


def signal_of(table, n_labels, seed=5, times=None):
    """An exponential signal with scores that have moved already."""
    rng = np.random.default_rng(seed)
    n_rows = len(table)
    sign = (rng.random((n_rows, n_labels)) < 0.3).astype(np.uint8)
    times = np.ones(n_rows, dtype=np.int64) if times is None else times
    target = Target(sign, times, np.zeros(n_rows), float(times.sum()))
    scores = Scores.zero(n_rows, n_labels)
    signal = Exponential().weigh(scores, target, target.log_prior)
    return scores, signal


def step(part, scores, signal, rng):
    """Move the scores by a test on a random column."""
    column = int(rng.integers(part.schema.n_columns))
    inside = (rng.random(int(part.bins[column]) + 1) < 0.5).astype(np.uint8)
    rows, touched = part.smaller_side(column, inside)
    blocks = RowBlocks(rows, touched, part.n_rows)
    n_labels = scores.base.shape[0]
    steps = np.array([[to_grid(x) for x in row] for row in rng.normal(size=(2, n_labels)) * 3])
    sums = blocks.sums(signal)
    blocks.move(scores, steps)
    blocks.follow(signal, steps, sums)


def brute_cells(part, signal):
    """[sign, cell, label] of every stored cell, from the bins of all rows."""
    n_labels = signal.sign.shape[1]
    units = np.empty((part.n_rows, n_labels), dtype=np.int64)
    signal.units(np.arange(part.n_rows, dtype=np.int32), 0, units)
    out = np.zeros((2, part.n_cells, n_labels), dtype=np.int64)
    for column in range(part.schema.n_columns):
        implicit = part.implicit[column]
        for i, b in enumerate(bins_of(part, column)):
            if b != implicit:
                cell = part.first_cell[column] + b - (0 <= implicit < b)
                for k in range(n_labels):
                    out[signal.sign[i, k], cell, k] += units[i, k]
    return out


MANY = MANY_LABELS + 2


@pytest.mark.parametrize(
    "name", ["dense", "sparse", "mixed", "presence", "all missing", "one row", "all wide"]
)
@pytest.mark.parametrize("n_labels", [1, 3, MANY])
def test_tally_updated_equals_counted_equals_brute_force(name, n_labels):
    table = TABLES[name]()
    times = np.random.default_rng(6).integers(1, 4, len(table))
    part, rng = part_of(table, times), np.random.default_rng(7)
    scores, signal = signal_of(table, n_labels, times=times)
    workers = Workers(1)
    updated = Tally(part, n_labels, Candidates(part), workers)
    for _ in range(8):
        updated.read(signal)
        fresh = Tally(part, n_labels, Candidates(part), workers)
        fresh.read(signal)
        np.testing.assert_array_equal(updated.cells, fresh.cells)
        np.testing.assert_array_equal(updated.totals, fresh.totals)
        np.testing.assert_array_equal(updated.unit, fresh.unit)
        step(part, scores, signal, rng)
    updated.read(signal)
    np.testing.assert_array_equal(updated.cells, brute_cells(part, signal))


@pytest.mark.parametrize(
    "name", ["dense", "sparse", "presence", "negative presence", "some missing", "wide numbers"]
)
@pytest.mark.parametrize("kind", ["real", "discrete", "real.lp", "real.u", "disc.u"])
@pytest.mark.parametrize("run_length", [1, 2, 5])
def test_labels_in_runs_give_the_split_and_sums_of_the_resident_mode(name, kind, run_length):
    n_labels = MANY + 1
    table = TABLES[name]()
    part, rng = part_of(table), np.random.default_rng(8)
    scores, signal = signal_of(table, n_labels)
    rule, workers = cells(kind, 2.0 if kind.endswith(".u") else 1.0), Workers(1)
    resident = Tally(part, n_labels, Candidates(part), workers)
    in_runs = Tally(part, n_labels, Candidates(part), workers, 16 * part.n_cells * run_length)
    assert resident.resident
    assert not in_runs.resident
    assert in_runs.cells.shape[2] == run_length
    for _ in range(4):
        resident.read(signal)
        in_runs.read(signal)
        one, other = resident.best(rule, 1e-3), in_runs.best(rule, 1e-3)
        assert (one.column, one.cut) == (other.column, other.cut)
        np.testing.assert_array_equal(one.inside, other.inside)
        np.testing.assert_array_equal(resident.scores, in_runs.scores)
        np.testing.assert_array_equal(resident.sums(one), in_runs.sums(other))
        np.testing.assert_array_equal(resident.unit, in_runs.unit)
        second, other_second = next(resident.next_best()), next(in_runs.next_best())
        assert second.column == other_second.column
        np.testing.assert_array_equal(resident.sums(second), in_runs.sums(other_second))
        step(part, scores, signal, rng)


@pytest.mark.parametrize("name", ["empty", "all missing", "all missing, sparse"])
def test_a_part_without_tests_has_no_best(name):
    part = part_of(TABLES[name]())
    tally = Tally(part, 1, Candidates(part), Workers(1))
    tally.read(signal_of(part.table, 1)[1])
    assert tally.best(cells("real"), 1e-3) is None


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_candidates_of_rows_that_are_missing_where_training_rows_were_not(make):
    """A warm start may go on with such rows: every score has its own place."""
    schema = part_of(Table.of(numbers())).schema
    X = numbers()
    X[3] = np.nan
    part = part_of(Table.of(make(X)), schema=schema)
    _, signal = signal_of(part.table, 1)
    tally = Tally(part, 1, Candidates(part), Workers(1))
    tally.read(signal)
    # One more place at the end shows what is written behind the last candidate.
    tally.scores = np.concatenate([tally.scores, [0.0]])
    tally._score(cells("real"), 1e-3)
    assert tally.scores[-1] == 0.0
    for number in range(len(tally.candidates)):
        sums = tally.sums(tally.split(number)) * tally.unit
        wanted = np.sqrt(sums[:, 0, 0] * sums[:, 1, 0]).sum()
        assert tally.scores[number] == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", TABLES)
def test_sums_of_every_candidate(name):
    """Of all tests that a tally can choose: sums equal those of their rows."""
    part = part_of(TABLES[name]())
    _, signal = signal_of(part.table, 2)
    tally = Tally(part, 2, Candidates(part), Workers(1))
    tally.read(signal)
    best = tally.best(cells("real"), 1e-3)
    splits = [] if best is None else [best, *tally.next_best()]
    assert len(splits) == len(tally.candidates)
    seen = set()
    for split in splits[:150]:
        seen.add((split.column, split.inside.tobytes()))
        rows, touched = part.smaller_side(split.column, split.inside)
        wanted = RowBlocks(rows, touched, part.n_rows).sums(signal)
        np.testing.assert_array_equal(tally.sums(split), wanted)
    assert len(seen) == len(splits[:150])
