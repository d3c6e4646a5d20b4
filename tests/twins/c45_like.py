"""A tree by gain ratio with error-based pruning, from the rows, in the words of Quinlan's book.

A node is the mask of its rows. `weight` and the signs are (n, K), and all weights have the sum m K:
on average an example of a label weighs 1.
"""

import math
from dataclasses import dataclass

import numpy as np

from tests.data.tables import bins_of
from tests.kernels.twins import ordered_tests

TIE = 1e-9


def leaves(encoded, weight, sign, min_leaf_weight=2.0, confidence=0.25):
    """(n,) the number of the leaf of each row, the false side of every test first."""
    twin = Tree(encoded, weight, sign, min_leaf_weight * weight.shape[1])
    root = twin.grow(np.ones(len(weight), dtype=bool))
    if confidence is not None:
        twin.prune(root, confidence)
    block = np.empty(len(weight), dtype=int)
    for number, leaf in enumerate(root.leaves()):
        block[leaf.rows] = number
    return block


@dataclass
class Node:
    rows: np.ndarray
    children: tuple = ()

    def leaves(self):
        return [leaf for child in self.children for leaf in child.leaves()] or [self]


def bits(shares):
    return -sum(p * math.log2(p) for p in shares if p > 0.0)


@dataclass
class Tree:
    encoded: object
    weight: np.ndarray
    sign: np.ndarray
    least: float

    def sides(self, rows):
        """[label, sign]: the weights of negatives and of positives."""
        own = np.where(rows[:, np.newaxis], self.weight, 0.0)
        return np.stack([(own * (self.sign == side)).sum(axis=0) for side in range(2)], axis=1)

    def info(self, rows):
        """Bits per unit of weight: of each label, is it + or not."""
        sides = self.sides(rows)
        return sum(own.sum() / sides.sum() * bits(own / own.sum()) for own in sides if own.sum())

    def tests(self, column, rows):
        """The rows where each test on a column is true."""
        bins, n_bins = bins_of(self.encoded, column), int(self.encoded.bins[column])
        missing = bool(self.encoded.missing[column])
        if not self.encoded.is_category[column]:
            for inside in ordered_tests(n_bins, missing):
                yield np.array(inside)[bins]
            return
        for label in range(self.weight.shape[1]):
            shares = []
            for level in range(n_bins + missing):
                minus, plus = self.sides(rows & (bins == level))[label]
                shares.append(round(plus / (plus + minus), 9) if plus + minus else -1.0)
            order = np.argsort(shares, kind="stable")
            for cut in range(1, len(order)):
                yield np.isin(bins, order[cut:])

    def offers(self, rows):
        """(gain, gain ratio, test) of the best test of every column that gains anything."""
        for column in range(self.encoded.schema.n_columns):
            found = []
            for inside in self.tests(column, rows):
                sizes = [self.sides(side).sum() for side in (rows & ~inside, rows & inside)]
                if min(sizes) > 0.0 and min(sizes) >= self.least * 0.999:
                    shares = np.array(sizes) / sum(sizes)
                    after = shares @ [self.info(rows & ~inside), self.info(rows & inside)]
                    gain = self.info(rows) - after
                    found.append((gain, gain / bits(shares), inside))
            best = max((gain for gain, *_ in found), default=0.0)
            if best > TIE:
                yield next(each for each in found if each[0] > best - TIE)

    def grow(self, rows):
        offers = list(self.offers(rows))
        if not offers:
            return Node(rows)
        average = np.mean([gain for gain, *_ in offers])
        able = [(ratio, inside) for gain, ratio, inside in offers if gain > average - TIE]
        best = max(ratio for ratio, _ in able)
        inside = next(inside for ratio, inside in able if ratio > best - TIE)
        return Node(rows, (self.grow(rows & ~inside), self.grow(rows & inside)))

    def prune(self, node, confidence, is_root=True):
        """The expected errors of a node, whose subtrees become leaves where this is as good."""
        sides = self.sides(node.rows)
        size, errors = sides.sum(), sides.min(axis=1).sum()
        alone = errors + extra_errors(size, errors, confidence)
        if not node.children:
            return alone
        below = sum(self.prune(child, confidence, False) for child in node.children)
        if is_root or alone > below + 0.1:
            return below
        node.children = ()
        return alone


def extra_errors(size, errors, confidence):
    """What C4.5 adds to the errors of a leaf, for confidence = 0.25 or 0.1 only."""
    deviations = {0.25: 0.84 + (0.25 - 0.84) * 0.05 / 0.2, 0.1: 1.28}[confidence]
    if errors < 1e-6:
        return size * (1 - confidence ** (1 / size))
    if errors < 0.9999:
        none = size * (1 - confidence ** (1 / size))
        return none + errors * (extra_errors(size, 1.0, confidence) - none)
    if errors + 0.5 >= size:
        return 0.67 * (size - errors)
    z = deviations**2
    spread = math.sqrt(z * ((errors + 0.5) * (1 - (errors + 0.5) / size) + z / 4))
    return size * (errors + 0.5 + z / 2 + spread) / (size + z) - errors
