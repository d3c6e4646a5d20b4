"""A learner that chooses from the columns of a given matrix, and rules that say one column."""

import numpy as np

from underdog.core import Learner, Proposal, Test, every_row, weight_per_unit
from underdog.hypotheses import Tree
from underdog.learners.criteria import Vote, criterion


class Columns(Learner):
    """The column with the greatest edge; `said[i, j]` is what rule j says of row i.

    X must have one column with the numbers of the rows, and at least two values.
    """

    def __init__(self, said=None):
        self.said = said

    def criterion(self, loss):
        return Vote() if loss.chooses_by == "votes" else criterion("disc.lp")

    def start(self, run):
        n, rows = len(self.said), np.eye(len(self.said), dtype=np.uint8)
        own = [Test(0, np.append(rows[i], 0).astype(np.uint8)) for i in range(n)]
        paths = tuple(((test, 1),) for test in own[:-1])
        leaves = ("rest", *paths)  # the last row is on no path
        values = [np.append(column[-1:], column[:-1])[:, np.newaxis] for column in self.said.T]
        return run, [Tree(leaves, each) for each in values]

    def fit(self, memory, question):
        run, rules = memory
        shard, signal = run.rows.only, question.signals[0]
        amounts = np.zeros((2, len(self.said), 1), dtype=np.int64)
        channels = signal.channel_of(shard)
        for channel in range(2):
            signal.amounts(shard, every_row(len(self.said)), 0, channel, amounts[channel])
            if channels is not None:
                amounts[channel][channels != channel] = 0
        unit = weight_per_unit(signal, amounts.sum(axis=1))
        weights = (amounts * unit[:, np.newaxis])[:, :, 0]
        edges = (weights[1] - weights[0]) @ self.said
        rule = rules[int(np.flatnonzero(edges >= edges.max() - 1e-12)[0])]
        partition = run.rows.place(rule)
        sums = run.rows.sums(signal, partition, len(rule.values))
        return Proposal(rule, partition, (sums,), (unit,))


def numbers(n):
    """The only column: the numbers of the rows."""
    return np.arange(float(n))[:, np.newaxis]
