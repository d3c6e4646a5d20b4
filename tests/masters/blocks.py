"""Hypotheses with any number of blocks, in the form in which groups are told of them."""

import numpy as np


def listed(block, n_blocks, rest):
    """Rows block after block and their ends, from the block of each row; the rest is not listed."""
    lists = [np.flatnonzero((block == b) & (b != rest)) for b in range(n_blocks)]
    return np.concatenate(lists).astype(np.int32), np.cumsum([len(rows) for rows in lists]), rest


def two_blocks(rows, other, touched, key):
    """A hypothesis that says one thing on some rows and another elsewhere."""
    keys = np.array([0, key], dtype=np.uint64)
    return rows, np.array([0, len(rows)]), 0, np.array([other, touched]), keys
