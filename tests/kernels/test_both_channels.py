"""Sums of both channels at once: equal to brute force, for any storage and number of threads."""

import numpy as np
import pytest

from underdog.data import listed, storage
from underdog.kernels.both_channels import TILE
from underdog.workers import Workers

SIZES = np.array([3, 256, 1, 40, 2])


def dense(n_rows, seed=0):
    """A block whose columns are not neighbours in the layout, with rare and empty bins."""
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(size, size=n_rows) for size in SIZES]).astype(np.uint8)
    codes[0, rng.random(n_rows) < 0.9] = 1
    codes[4] = 1
    columns = np.array([0, 2, 3, 5, 6], dtype=np.int32)
    widths = np.full(7, 4)
    widths[columns] = SIZES
    return storage.DenseBlock(columns, codes, np.cumsum([0, *widths])), int(widths.sum())


def sparse(n_rows, seed=0):
    """Five columns with three stored cells each, of which a row has one or none."""
    rng = np.random.default_rng(seed)
    stored = [np.flatnonzero(rng.random(5) < 0.4) for _ in range(n_rows)]
    pointers = np.cumsum([0, *map(len, stored)])
    cells = np.concatenate([3 * own + rng.integers(3, size=len(own)) for own in stored])
    first, width, implicit = 3 * np.arange(6), np.full(5, 3), np.zeros(5, dtype=np.int64)
    columns = np.arange(5, dtype=np.int32)
    block = storage.SparseBlock(columns, pointers, cells.astype(np.int32), first, width, implicit)
    return block, 15


def brute_force(block, amounts, n_cells):
    """Row by row, in Python's own integers."""
    expected = np.zeros((2, n_cells, 1), dtype=object)
    for i in range(amounts.shape[1]):
        if isinstance(block, storage.DenseBlock):
            own = block.first_cell + block.codes[:, i]
        else:
            own = block.cell_of_entry[block.pointers[i] : block.pointers[i + 1]]
        for cell in own:
            expected[:, cell] += amounts[:, i].astype(object)
    return expected


@pytest.mark.parametrize("few", [0, 1 << 15])
@pytest.mark.parametrize("n_rows", [1, 700, TILE + 3])
@pytest.mark.parametrize("make", [dense, sparse])
@pytest.mark.parametrize("threads", [1, 3])
def test_sums_of_both_channels(monkeypatch, few, n_rows, make, threads):
    monkeypatch.setattr(storage, "FEW_ROWS", few)
    monkeypatch.setattr("underdog.workers.MIN_WORK", 1)
    monkeypatch.setattr(listed, "MIN_ROWS", 1)
    block, n_cells = make(n_rows)
    amounts = np.random.default_rng(1).integers(-(2**45), 2**45, (2, n_rows, 1))
    expected = brute_force(block, amounts, n_cells)
    with Workers(threads) as workers:
        for _ in range(2):  # what is listed the first time is used again
            cells = np.zeros((2, n_cells, 1), dtype=np.int64)
            block.sum_both(amounts, cells, workers)
            assert np.array_equal(cells, expected)
            for _ in range(3):  # by threads that have waited for it
                cells[:] = -7 if few else 0
                block.sum_both(amounts, cells, workers)
                assert np.array_equal(cells[:, own_cells(block)], expected[:, own_cells(block)])


def own_cells(block):
    """The cells of the columns of a block."""
    if isinstance(block, storage.SparseBlock):
        return np.arange(15)
    return np.concatenate(
        [np.arange(*span) for span in zip(block.first_cell, block.first_cell + SIZES, strict=True)]
    )


def test_threads_are_sent_home_where_others_need_them(monkeypatch):
    monkeypatch.setattr("underdog.workers.MIN_WORK", 1)
    monkeypatch.setattr(listed, "MIN_ROWS", 1)
    block, n_cells = dense(500)
    amounts = np.random.default_rng(1).integers(-(2**45), 2**45, (2, 500, 1))
    expected = brute_force(block, amounts, n_cells)
    seen = []
    for _ in range(2):  # and with the threads of another fit
        with Workers(2) as workers:
            for _ in range(4):
                cells = np.zeros((2, n_cells, 1), dtype=np.int64)
                block.sum_both(amounts, cells, workers)
                workers.run(lambda *bounds: seen.append(bounds), 10, 10)
                assert np.array_equal(cells, expected)
    assert sorted(seen) == [(0, 5)] * 8 + [(5, 10)] * 8
