"""Numbers for rows, tests and groups that do not depend on the order of rows or columns.

Where two answers are equally good something must decide, and it should not be the order in which
the data happened to come. Every row gets a 64-bit number from what it contains; a column is known
by how its values are spread over the classes; sums of such numbers name sets of rows. Sums wrap
around, which does not harm.
"""

from __future__ import annotations

import numpy as np

from underdog.data.encoded import EncodedRows
from underdog.data.hashing import Keys, mix
from underdog.kernels import binning
from underdog.types import Codes, Integers
from underdog.workers import Workers

REFINEMENTS = 2
"""How often rows are told apart by columns that are told apart by rows."""


def either_side(inside: Keys, everything: Keys) -> Keys:
    """One key for a set of rows and for the rest: a test and its opposite are the same test."""
    return np.minimum(mix(inside), mix(everything - inside))


def row_keys(encoded: EncodedRows, sign: Codes, repeats: Integers) -> Keys:
    """(n,) a number for each row, times the examples that it stands for.

    Rows are first told apart by their sign. Then cells by the rows in them, columns by their cells,
    and rows anew by column and level of their cells; and all that once more. The bin of zero
    counts for nothing, so that sparse and dense forms of a table agree.
    """
    columns = np.repeat(np.arange(len(encoded.stored)), encoded.stored)
    place = np.arange(encoded.n_cells) - encoded.first_cell[columns]
    implicit = encoded.implicit[columns]
    level = place + ((implicit >= 0) & (place >= implicit))
    zero = np.empty(len(encoded.stored), dtype=np.int64)
    binning.bins_of(0.0, encoded.schema.cuts, encoded.schema.cut_pointers, zero)
    silent = level == zero[columns]
    levels = mix(level.astype(np.uint64))
    signs = mix(sign[:, 0].astype(np.uint64))
    examples = repeats.astype(np.uint64)
    rows = signs
    for _ in range(REFINEMENTS):
        cells = mix(cell_sums(encoded, rows * examples) + levels)
        cells[silent] = 0
        ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(cells, dtype=np.uint64)])
        column = mix(ends[encoded.first_cell[1:]] - ends[encoded.first_cell[:-1]])
        own = mix(column[columns] + levels)
        own[silent] = 0
        total = signs.copy()
        for block in encoded.blocks:
            total += block.row_sums(own)
        rows = mix(total)
    return rows * examples


def cell_sums(encoded: EncodedRows, rows: Keys) -> Keys:
    """Sums of the keys of the rows of each cell."""
    cells = np.zeros((2, encoded.n_cells, 1), dtype=np.int64)
    first = np.zeros((encoded.n_rows, 1), dtype=np.uint8)
    amounts = rows.view(np.int64)[:, np.newaxis]
    every = np.arange(encoded.n_rows, dtype=np.int32)
    for block in encoded.blocks:
        block.add(every, amounts, first, 0, cells, Workers(1))
    result: Keys = cells[0, :, 0].view(np.uint64)
    return result
