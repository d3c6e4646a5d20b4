"""Signals for tests: any integers, in any channels, that change as they are told to."""

import numpy as np

from underdog.core import Blocks, Change, Rows, Shard, Target
from underdog.data import EncodedRows


class Given:
    """Integers that are given for all rows, wherever they are.

    Parameters
    ----------
    weights : (C, n, K), or (1, n, K) where every row counts in one channel
    channels : (n, K) or None
        The channel in which each row counts; None: in all.
    where : list of row numbers
        The rows of each shard.
    n_channels : int
    """

    reads, mass = "sides", 1.0

    def __init__(self, weights, channels, where, n_channels):
        self.weights, self.channels, self.where = weights, channels, where
        self.n_channels, self.version, self.change = n_channels, 0, None
        self._before = weights

    def channel_of(self, shard):
        return None if self.channels is None else self.channels[self.where[shard.number]]

    def amounts(self, shard, rows, first_label, channel, out):
        own = self.weights[0 if self.channels is not None else channel]
        out[:] = own[self.where[shard.number][rows], first_label : first_label + out.shape[1]]

    def deltas(self, shard, rows, step, channel, out, totals):
        own = self.where[shard.number][rows]
        if self.channels is None:
            out[:] = (self.weights - self._before)[channel, own]
            out[:, self.change.fresh[channel] == 1] = 0
            totals[channel] += out.sum(axis=0)
            return
        out[:] = (self.weights - self._before)[0, own]
        channels = self.channels[own]
        labels = np.arange(out.shape[1])
        out[self.change.fresh[channels, labels] == 1] = 0
        np.add.at(totals, (channels, np.broadcast_to(labels, channels.shape)), out)

    def unit(self, totals, out):
        out[:] = 1.0 / totals.sum()

    def restart(self, weights):
        """Other integers for every row."""
        self.weights, self.change = weights, None
        self.version += 1

    def follow(self, weights, fresh):
        """Other integers for some rows; fresh[channel, label] are to be counted anew."""
        self._before, self.weights = self.weights, weights
        moved = (self._before != weights).any(axis=(0, 2))
        blocks = tuple(
            Blocks.of_two(np.flatnonzero(moved[own]).astype(np.int32), 1) for own in self.where
        )
        steps = np.zeros((2, weights.shape[2]))
        self.change = Change(self.version, blocks, steps, fresh, bool(fresh.any()))
        self.version += 1


def rows_on(table, schema, where, n_labels, repeats=None):
    """`Rows` of a table, without labels."""
    repeats = np.ones(len(table), dtype=np.int64) if repeats is None else repeats
    return Rows(
        [
            Shard(
                EncodedRows(table[own], schema, repeats[own]),
                bare_target(repeats[own], n_labels),
                None,
                i,
            )
            for i, own in enumerate(where)
        ]
    )


def bare_target(repeats, n_labels):
    sign = np.zeros((len(repeats), n_labels), dtype=np.uint8)
    return Target(sign, repeats, np.zeros(len(repeats)))
