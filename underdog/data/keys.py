"""Keys of rows, tests and groups that do not depend on the order of rows or columns.

Keys break ties between equally good solutions, so that the order of the data does not. Every row
has a 64-bit key from its contents. A column is identified by the distribution of its values over
the classes, and a set of rows by the sum of their keys. Sums may wrap around.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from underdog.data.encoded import EncodedRows
from underdog.data.hashing import Keys, mix
from underdog.kernels import binning
from underdog.kernels.draws import wrapping
from underdog.types import Codes, Integers
from underdog.workers import Workers
from underdog.workers.collective import ALONE, Collective

REFINEMENTS = 2
"""How often rows are distinguished by columns, and columns by rows."""


def either_side(inside: Keys, everything: Keys) -> Keys:
    """A key for a set of rows that its complement shares: a test and its negation are equal."""
    return np.minimum(mix(inside), mix(everything - inside))


def row_keys(encoded: EncodedRows, sign: Codes, repeats: Integers) -> Keys:
    """(n,) a key for each row, times the number of examples that it stands for."""
    examples = repeats.astype(np.uint64)
    (rows,), *_ = _refined([(encoded, mix(sign[:, 0].astype(np.uint64)), examples)])
    return rows * examples


def row_and_column_keys(
    shards: Sequence[tuple[EncodedRows, Codes, Integers]], collective: Collective = ALONE
) -> tuple[list[Keys], Keys]:
    """Keys of the rows of each shard and of all columns, given encoded rows, signs and repeats.

    Rows with the same bins have the same key, whatever their labels and however often they are
    repeated: they are drawn together.
    """
    label = mix(np.arange(shards[0][1].shape[1], dtype=np.uint64))
    _, columns, cells = _refined(
        [
            (encoded, mix((sign * label).sum(axis=1, dtype=np.uint64)), repeats.astype(np.uint64))
            for encoded, sign, repeats in shards
        ],
        collective,
    )
    rows = [
        _row_sums(encoded, np.zeros(encoded.n_rows, dtype=np.uint64), cells)
        for encoded, *_ in shards
    ]
    return rows, columns


def _refined(
    shards: Sequence[tuple[EncodedRows, Keys, Keys]], collective: Collective = ALONE
) -> tuple[list[Keys], Keys, Keys]:
    """Keys of rows, columns and cells, given encoded rows, keys of their labels and their repeats.

    Rows are first distinguished by their labels; then cells by their rows, columns by their cells,
    and rows by the columns and levels of their cells. The last three steps are done twice. The bin
    of zero does not contribute, so the sparse and the dense form of a table agree.
    """
    encoded = shards[0][0]
    columns = np.repeat(np.arange(len(encoded.stored)), encoded.stored)
    place = np.arange(encoded.n_cells) - encoded.first_cell[columns]
    implicit = encoded.implicit[columns]
    level = place + ((implicit >= 0) & (place >= implicit))
    zero = np.empty(len(encoded.stored), dtype=np.int64)
    binning.bins_of(0.0, encoded.schema.cuts, encoded.schema.cut_pointers, zero)
    is_zero = level == zero[columns]
    levels = mix(level.astype(np.uint64))
    rows = [labels for _, labels, _ in shards]
    for _ in range(REFINEMENTS):
        found = [
            cell_sums(own, keys * examples)
            for (own, _, examples), keys in zip(shards, rows, strict=True)
        ]
        summed = collective.exchange("add", np.sum(found, axis=0, dtype=np.uint64))
        cells: Keys = mix(summed + levels)
        cells[is_zero] = 0
        ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(cells, dtype=np.uint64)])
        column = mix(ends[encoded.first_cell[1:]] - ends[encoded.first_cell[:-1]])
        of_cell = mix(column[columns] + levels)
        of_cell[is_zero] = 0
        rows = [_row_sums(own, labels, of_cell) for own, labels, _ in shards]
    return rows, column, of_cell


def _row_sums(encoded: EncodedRows, labels: Keys, cells: Keys) -> Keys:
    """A key for each row from the keys of its label and of its cells."""
    total = labels.copy()
    for block in encoded.blocks:
        total += block.row_sums(cells)
    return mix(total)


def cell_sums(encoded: EncodedRows, rows: Keys) -> Keys:
    """Sums of the keys of the rows of each cell."""
    cells = np.zeros((2, encoded.n_cells, 1), dtype=np.int64)
    first = np.zeros((encoded.n_rows, 1), dtype=np.uint8)
    amounts = rows.view(np.int64)[:, np.newaxis]
    every = np.arange(encoded.n_rows, dtype=np.int32)
    with wrapping():
        for block in encoded.blocks:
            block.add(every, amounts, first, 0, cells, Workers(1))
    result: Keys = cells[0, :, 0].view(np.uint64)
    return result
