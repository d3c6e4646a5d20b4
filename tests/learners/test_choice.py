"""All tests of all columns: their sums and scores, and the best of them."""

import numpy as np
import pytest
import scipy.sparse as sp

from tests.data.tables import TABLES, bins_of, encoded_rows, numbers
from underdog import Table
from underdog.core import Blocks, Rows, Shard, Target, every_row
from underdog.data.storage import MANY_LABELS
from underdog.kernels.elementary import to_grid
from underdog.learners.candidates import Candidates
from underdog.learners.choice import Choice
from underdog.learners.criteria import criterion
from underdog.losses import Exponential
from underdog.workers import Workers

MANY = MANY_LABELS + 2


def signal_of(encoded, n_labels, seed=5, repeats=None):
    """Rows and an exponential signal on them."""
    rng = np.random.default_rng(seed)
    sign = (rng.random((encoded.n_rows, n_labels)) < 0.3).astype(np.uint8)
    repeats = np.ones(encoded.n_rows, dtype=np.int64) if repeats is None else repeats
    target = Target(sign, repeats, np.zeros(encoded.n_rows))
    rows = Rows([Shard(encoded, target)])
    return rows, Exponential().make_signal(rows)


def choice_of(rows, signal, **budget):
    return Choice(rows, signal, Candidates(rows.layout), Workers(1), **budget)


def counted_anew(rows, signal):
    """The choice of rows that have never been asked before."""
    old = rows.only
    shard = Shard(old.encoded, old.target)
    shard.scores = old.scores
    fresh = choice_of(Rows([shard]), signal)
    fresh.update()
    return fresh


def step(rows, signal, rng):
    """Move the scores by a test on a random column."""
    encoded = rows.only.encoded
    column = int(rng.integers(encoded.schema.n_columns))
    inside = (rng.random(int(encoded.bins[column]) + 1) < 0.5).astype(np.uint8)
    blocks = (Blocks.of_two(*encoded.smaller_side(column, inside)),)
    steps = rng.normal(size=(2, rows.n_labels)) * 3
    steps = np.array([[to_grid(x) for x in row] for row in steps])
    sums = rows.sums(signal, blocks, 2)
    rows.move(blocks, steps)
    signal.after_step(blocks, steps, sums)


def brute_cells(shard, signal):
    """[sign, cell, label] of every stored cell, from the bins of all rows."""
    encoded, sign = shard.encoded, shard.target.sign
    n_labels = sign.shape[1]
    units = np.empty((encoded.n_rows, n_labels), dtype=np.int64)
    signal.amounts(shard, every_row(encoded.n_rows), 0, 0, units)
    out = np.zeros((2, encoded.n_cells, n_labels), dtype=np.int64)
    for column in range(encoded.schema.n_columns):
        implicit = encoded.implicit[column]
        for i, b in enumerate(bins_of(encoded, column)):
            if b != implicit:
                cell = encoded.first_cell[column] + b - (0 <= implicit < b)
                for k in range(n_labels):
                    out[sign[i, k], cell, k] += units[i, k]
    return out


@pytest.mark.parametrize(
    "name", ["dense", "sparse", "mixed", "presence", "all missing", "one row", "all wide"]
)
@pytest.mark.parametrize("n_labels", [1, 3, MANY])
def test_tally_updated_equals_counted_equals_brute_force(name, n_labels):
    table = TABLES[name]()
    repeats = np.random.default_rng(6).integers(1, 4, len(table))
    encoded, rng = encoded_rows(table, repeats), np.random.default_rng(7)
    rows, signal = signal_of(encoded, n_labels, repeats=repeats)
    updated = choice_of(rows, signal)
    for _ in range(8):
        updated.update()
        fresh = counted_anew(rows, signal)
        np.testing.assert_array_equal(updated.cells, fresh.cells)
        np.testing.assert_array_equal(updated.totals, fresh.totals)
        np.testing.assert_array_equal(updated.unit, fresh.unit)
        step(rows, signal, rng)
    updated.update()
    np.testing.assert_array_equal(updated.cells, brute_cells(rows.only, signal))


@pytest.mark.parametrize(
    "name", ["dense", "sparse", "presence", "negative presence", "some missing", "wide numbers"]
)
@pytest.mark.parametrize("kind", ["real", "discrete", "real.lp", "real.u", "disc.u"])
@pytest.mark.parametrize("run_length", [1, 2, 5])
def test_labels_in_runs_give_the_split_and_sums_of_the_resident_mode(name, kind, run_length):
    n_labels = MANY + 1
    table = TABLES[name]()
    encoded, rng = encoded_rows(table), np.random.default_rng(8)
    rows, signal = signal_of(encoded, n_labels)
    rule = criterion(kind, 2.0 if kind.endswith(".u") else 1.0)
    resident = choice_of(rows, signal)
    in_runs = choice_of(rows, signal, budget=16 * encoded.n_cells * run_length)
    assert resident.resident
    assert not in_runs.resident
    assert in_runs.run_length == run_length
    for _ in range(4):
        resident.update()
        in_runs.update()
        one, other = resident.best(rule, 1e-3), in_runs.best(rule, 1e-3)
        assert in_runs.cells.shape[2] <= run_length
        assert (one.column, one.threshold) == (other.column, other.threshold)
        np.testing.assert_array_equal(one.inside, other.inside)
        np.testing.assert_array_equal(resident.scores, in_runs.scores)
        np.testing.assert_array_equal(resident.sums(one), in_runs.sums(other))
        np.testing.assert_array_equal(resident.unit, in_runs.unit)
        second, other_second = next(resident.next_best()), next(in_runs.next_best())
        assert second.column == other_second.column
        np.testing.assert_array_equal(resident.sums(second), in_runs.sums(other_second))
        step(rows, signal, rng)


@pytest.mark.parametrize("name", ["empty", "all missing", "all missing, sparse"])
def test_a_part_without_tests_has_no_best(name):
    encoded = encoded_rows(TABLES[name]())
    choice = choice_of(*signal_of(encoded, 1))
    choice.update()
    assert choice.best(criterion("real"), 1e-3) is None


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_candidates_of_rows_that_are_missing_where_training_rows_were_not(make):
    """A warm start may go on with such rows: every score has its own place."""
    schema = encoded_rows(Table.from_data(numbers())).schema
    X = numbers()
    X[3] = np.nan
    encoded = encoded_rows(Table.from_data(make(X)), schema=schema)
    choice = choice_of(*signal_of(encoded, 1))
    choice.update()
    # One more place at the end shows what is written behind the last candidate.
    choice.scores = np.concatenate([choice.scores, [0.0]])
    choice._score(criterion("real"), 1e-3)
    assert choice.scores[-1] == 0.0
    for number in range(len(choice.candidates)):
        sums = choice.sums(choice.test(number)) * choice.unit
        wanted = np.sqrt(sums[:, 0, 0] * sums[:, 1, 0]).sum()
        assert choice.scores[number] == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", TABLES)
def test_sums_of_every_candidate(name):
    """Of all tests among which can be chosen: sums equal those of their rows."""
    encoded = encoded_rows(TABLES[name]())
    rows, signal = signal_of(encoded, 2)
    choice = choice_of(rows, signal)
    choice.update()
    best = choice.best(criterion("real"), 1e-3)
    tests = [] if best is None else [best, *choice.next_best()]
    assert len(tests) == len(choice.candidates)
    seen = set()
    for test in tests[:150]:
        seen.add((test.column, test.inside.tobytes()))
        blocks = Blocks.of_two(*encoded.smaller_side(test.column, test.inside))
        np.testing.assert_array_equal(choice.sums(test), rows.sums(signal, (blocks,), 2))
    assert len(seen) == len(tests[:150])
