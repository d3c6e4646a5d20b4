"""Codes of dense columns, as they are counted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from underdog.types import Codes, Integers

MAX_VALUES = 256
"""Values of a code, which is a byte."""
ROWS_PER_VALUE = 32
"""The cells of a shared code are summed out in every node, which few rows are not worth."""


class CountedCodes(NamedTuple):
    """Codes of one column or of several.

    The code of columns with a, b and c bins is that of the first plus a times that of the second
    plus a * b times that of the third. One addition for each row then counts all of them.

    Attributes
    ----------
    words : [row, word]
        Eight codes in each word, the first one in the lowest byte.
    counted, step, joint : per column
        See `Storage`.
    n_counted : int
        Number of codes.
    """

    words: Any
    counted: Integers
    step: Integers
    joint: Integers
    n_counted: int


def counted_codes(codes: Codes, columns: Integers, sizes: Integers, share: bool) -> CountedCodes:
    """Codes [column, row] of the given columns for counting; sizes are the cells of all columns."""
    n_rows, own = codes.shape[1], sizes[columns].tolist()
    groups = _groups(own, min(MAX_VALUES, n_rows // ROWS_PER_VALUE) if share else 0)
    counted = np.full(len(sizes), -1, dtype=np.int64)
    step, joint = np.ones((2, len(sizes)), dtype=np.int64)
    out = np.zeros((n_rows, -(-len(groups) // 8) * 8), dtype=np.uint8)
    for number, group in enumerate(groups):
        values, code = 1, np.zeros(n_rows, dtype=np.uint8)
        for place in group:
            code += codes[place] * np.uint8(values)
            step[columns[place]] = values
            values *= own[place]
        out[:, number] = code
        counted[columns[group]], joint[columns[group]] = number, values
    words = out.view("<u8").astype(np.uint64, copy=False)
    return CountedCodes(words, counted, step, joint, len(groups))


def _groups(sizes: list[int], most: int) -> list[list[int]]:
    """Places of columns that share a code with at most so many values: the widest ones first.

    Each goes where it leaves the least room.
    """
    groups: list[list[int]] = []
    with_room: list[list[list[int]]] = [[] for _ in range(most + 1)]
    for place in sorted(range(len(sizes)), key=lambda place: -sizes[place]):
        size = sizes[place]
        room = next((room for room in range(size, most + 1) if with_room[room]), 0)
        if room:
            group = with_room[room].pop()
        else:
            group, room = [], most
            groups.append(group)
        group.append(place)
        with_room[room // size].append(group)
    return groups
