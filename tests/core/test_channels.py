"""Sums over cells in any number of channels, against plain NumPy."""

import numpy as np
import pytest

from tests.core.given import Given, rows_on
from tests.core.shards import positions
from tests.data.tables import TABLES, bins_of, encoded_rows
from underdog import core
from underdog.data.storage import MANY_LABELS

NAMES = ["dense", "sparse", "mixed", "wide", "presence", "negative presence", "some missing"]
each_table = pytest.mark.parametrize("name", [*NAMES, "all missing, sparse"])
each_number = pytest.mark.parametrize("n_shards", [1, 2, 3])


def sides(rng, n, n_labels):
    """One of two channels, by side; some rows count in none."""
    channels = (rng.random((n, n_labels)) < 0.3).astype(np.uint8)
    weights = rng.integers(-(2**50), 2**50, (1, n, n_labels))
    return np.where(rng.random((1, n, 1)) < 0.2, 0, weights), channels, 2


def classes(rng, n, n_labels):
    """One channel for each of four classes; the last class has no row."""
    shape = n, n_labels
    return rng.integers(0, 2**50, (1, *shape)), rng.integers(0, 3, shape).astype(np.uint8), 4


def together(rng, n, n_labels):
    """All channels at once: gradients and curvatures, or the shares of soft labels."""
    return rng.integers(-(2**50), 2**50, (2, n, n_labels)), None, 2


def three_together(rng, n, n_labels):
    return rng.integers(-(2**50), 2**50, (3, n, n_labels)), None, 3


MANY = MANY_LABELS + 2
each_kind = pytest.mark.parametrize(
    ("kind", "n_labels"),
    [
        *((kind, n_labels) for kind in (sides, together, classes) for n_labels in (1, 3, MANY)),
        *((three_together, n_labels) for n_labels in (1, 3)),
    ],
    ids=lambda given: getattr(given, "__name__", str(given)),
)


class Setting:
    """A table on shards, a signal, and the same on one shard in NumPy."""

    def __init__(self, name, kind, n_labels, n_shards):
        rng = self.rng = np.random.default_rng(3)
        table = TABLES[name]()
        self.encoded = encoded_rows(table)
        n = len(table)
        self.weights, self.channels, n_channels = kind(rng, n, n_labels)
        labels = self.weights.shape[2]
        where = positions(rng.integers(0, 2, (n, 1)), n_shards)
        self.rows = rows_on(table, self.encoded.schema, where, labels)
        self.signal = Given(self.weights, self.channels, where, n_channels)
        self.bins = [
            bins_of(self.encoded, column) for column in range(self.encoded.schema.n_columns)
        ]

    def wanted(self, inside=None):
        """(cells, totals) of the rows that are inside."""
        encoded, signal = self.encoded, self.signal
        n_labels = signal.weights.shape[2]
        totals = np.zeros((signal.n_channels, n_labels), dtype=np.int64)
        cells = np.zeros((signal.n_channels, encoded.n_cells, n_labels), dtype=np.int64)
        for c in range(signal.n_channels):
            own = signal.weights[0 if signal.channels is not None else c]
            if signal.channels is not None:
                own = np.where(signal.channels == c, own, 0)
            if inside is not None:
                own = np.where(inside[:, np.newaxis], own, 0)
            totals[c] = own.sum(axis=0)
            for column, bins in enumerate(self.bins):
                implicit = encoded.implicit[column]
                there = bins != implicit
                cell = encoded.first_cell[column] + bins - ((implicit >= 0) & (bins > implicit))
                np.add.at(cells[c], cell[there], own[there])
        return cells, totals

    def paths(self):
        """Paths of one and of two tests, and which rows are on them."""
        tests = []
        for _ in range(2):
            column = int(self.rng.integers(len(self.bins)))
            flags = (self.rng.random(int(self.encoded.bins[column]) + 1) < 0.6).astype(np.uint8)
            tests.append((core.Test(column, flags), flags[self.bins[column]]))
        (one, first), (two, second) = tests
        yield (), np.ones(self.encoded.n_rows, dtype=bool)
        yield ((one, 1),), first == 1
        yield ((one, 0),), first == 0
        yield ((one, 1), (two, 0)), (first == 1) & (second == 0)

    def change(self, some):
        """Other integers for some of the rows."""
        new = self.signal.weights.copy()
        moved = self.rng.random(new.shape[1]) < some
        new[:, moved] += self.rng.integers(-(2**40), 2**40, new[:, moved].shape)
        return new


def assert_counted(tally, cells, totals):
    np.testing.assert_array_equal(tally.cells, cells)
    np.testing.assert_array_equal(tally.totals, totals)


@each_table
@each_kind
@each_number
def test_cells_and_totals(name, kind, n_labels, n_shards):
    own = Setting(name, kind, n_labels, n_shards)
    cells, totals = own.wanted()
    assert_counted(own.rows.tally(own.signal), cells, totals)
    np.testing.assert_array_equal(own.rows.totals(own.signal), totals)
    assert totals.any() == (own.encoded.n_rows > 0)


@each_table
@each_kind
@each_number
def test_rows_of_a_path(name, kind, n_labels, n_shards):
    own = Setting(name, kind, n_labels, n_shards)
    for path, inside in own.paths():
        assert_counted(own.rows.tally(own.signal, path), *own.wanted(inside))


@each_table
@pytest.mark.parametrize("kind", [sides, together], ids=lambda kind: kind.__name__)
@each_number
def test_some_of_the_labels(name, kind, n_shards):
    own = Setting(name, kind, MANY, n_shards)
    for path, inside in list(own.paths())[::2]:
        cells, totals = own.wanted(inside)
        for first, last in ((0, 1), (3, 4), (2, 7), (1, MANY)):
            found = own.rows.tally(own.signal, path, labels=(first, last))
            assert_counted(found, cells[:, :, first:last], totals[:, first:last])


@pytest.mark.parametrize("name", ["dense", "sparse", "mixed", "wide"])
@each_kind
@pytest.mark.parametrize("n_shards", [1, 3])
@pytest.mark.parametrize("window", [None, (0, 1)])
def test_what_is_kept_follows_the_signal(name, kind, n_labels, n_shards, window):
    """However the integers change, in all rows or in some, with other units or the same."""
    own = Setting(name, kind, n_labels, n_shards)
    signal, fresh = own.signal, np.zeros((own.signal.n_channels, own.weights.shape[2]), np.uint8)
    some = fresh.copy()
    some[1, 0] = 1
    paths = list(own.paths())[1:]
    paths = [((), np.ones(own.encoded.n_rows, dtype=bool)), *paths]
    changes = [
        lambda: None,
        lambda: signal.follow(own.change(0.3), fresh),
        lambda: signal.follow(own.change(0.02), fresh),
        lambda: signal.follow(own.change(0.3), some),
        lambda: signal.restart(own.change(0.9)),
        lambda: signal.follow(own.change(0.3), fresh),
    ]
    last = slice(*window) if window else slice(None)
    kept = [own.rows.keep(signal, path, window) for path, _ in paths]
    for change in changes:
        change()
        for keep, (_, inside) in zip(kept, paths, strict=True):
            cells, totals = own.wanted(inside)
            for _ in range(2):
                assert_counted(keep(), cells[:, :, last], totals[:, last])


@each_number
def test_what_was_not_asked_for_in_between_is_counted_anew(n_shards):
    """A change says what the last version did, not what those before it did."""
    own = Setting("mixed", sides, 3, n_shards)
    fresh = np.zeros((2, 3), dtype=np.uint8)
    keep = own.rows.keep(own.signal)
    keep()
    for _ in range(2):
        own.signal.follow(own.change(0.3), fresh)
    assert_counted(keep(), *own.wanted())


def test_two_signals_are_kept_apart():
    own = Setting("mixed", sides, 3, 2)
    other = Given(own.change(0.5), own.channels, own.signal.where, 2)
    cells, totals = own.wanted()
    keep = [own.rows.keep(signal) for signal in (other, own.signal)]
    keep[0]()
    assert_counted(keep[1](), cells, totals)
