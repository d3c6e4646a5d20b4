"""The rows of a fit on several shards, as they would be on several machines."""

import numpy as np

import underdog.estimators.support.base
from underdog.core import Rows, Shard
from underdog.data import EncodedRows


def positions(sign, n_shards, seed=0):
    """Which rows are where: shards of very different size, in no order.

    The first shard of several has no positive example of the first label; of three shards it is
    one row. The fourth has no row.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(sign))
    if n_shards == 1:
        return [np.arange(len(sign))]
    negatives = order[sign[order, 0] == 0]
    first = negatives[: max(1, len(negatives) // 3) if n_shards == 2 else 1]
    others = order[~np.isin(order, first)]
    cut = len(others) // 4
    if n_shards == 2:
        return [first, others]
    return [first, others[:cut], others[cut:], order[:0]][:n_shards]


def spread(table, schema, target, n_shards, workers=None, seed=0):
    """`Rows` on several shards."""
    where = positions(target.sign, n_shards, seed)
    seen = np.any([EncodedRows(table[own], schema).missing for own in where], axis=0)
    shards = []
    for number, own in enumerate(where):
        encoded = EncodedRows(table[own], schema, target.repeats[own], workers, seen)
        shards.append(Shard(encoded, target.take(own), workers, number))
    return Rows(shards)


def fit_on(monkeypatch, n_shards):
    """Let every fit from now on have its rows on this many shards; returns how many it placed."""
    placed = []

    def place_rows(table, schema, target, workers):
        rows = spread(table, schema, target, n_shards, workers)
        assert sum(shard.encoded.n_rows for shard in rows.shards) == len(table)
        placed.append(len(rows))
        return rows

    monkeypatch.setattr(underdog.estimators.support.base, "place_rows", place_rows)
    return placed
