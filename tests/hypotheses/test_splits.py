"""Trees as arrays and as paths are the same trees."""

import numpy as np
import pytest

from tests.data.tables import TABLES, encoded_rows
from tests.hypotheses.trees import random_paths
from underdog.hypotheses import REST
from underdog.hypotheses.splits import SplitPaths, joined, splits_of


def as_values(path):
    return [(test.column, test.inside.tolist(), test.threshold, answer) for test, answer in path]


@pytest.mark.parametrize("n_leaves", [1, 2, 3, 9])
def test_there_and_back(n_leaves):
    rng, encoded = np.random.default_rng(n_leaves), encoded_rows(TABLES["mixed"]())
    for _ in range(20):
        paths = random_paths(rng, encoded, n_leaves)
        splits, order = splits_of(paths)
        again = SplitPaths(splits)
        assert len(again) == n_leaves == splits.n_leaves
        assert sorted(order.tolist()) == list(range(n_leaves))
        assert [as_values(path) for path in again] == [as_values(paths[leaf]) for leaf in order]
        answers = [[answer for _, answer in path] for path in again]
        assert answers == sorted(answers)
        assert splits_of(again)[0] is splits


def test_other_rules_have_no_splits():
    rng, encoded = np.random.default_rng(0), encoded_rows(TABLES["mixed"]())
    paths = random_paths(rng, encoded, 4)
    assert splits_of(paths[1:]) is None  # a side without a leaf
    assert splits_of([REST, paths[0]]) is None
    other = random_paths(rng, encoded, 4)
    assert splits_of(paths[:2] + other[2:]) is None  # not one test at the root
    assert splits_of([]) is None


def test_splits_of_several_trees_follow_each_other():
    rng, encoded = np.random.default_rng(0), encoded_rows(TABLES["mixed"]())
    trees = [splits_of(random_paths(rng, encoded, n_leaves))[0] for n_leaves in (3, 1, 5)]
    every = joined(trees)
    flags = [test.inside.tolist() for tree in trees for test in tree.tests()]
    assert [test.inside.tolist() for test in every.tests()] == flags
    assert len(every.columns) == 2 + 0 + 4
    assert len(joined([]).columns) == 0


def test_subtrees_that_become_leaves():
    rng, encoded = np.random.default_rng(0), encoded_rows(TABLES["mixed"]())
    for n_leaves in (2, 3, 9, 9, 9):
        splits, _ = splits_of(random_paths(rng, encoded, n_leaves))
        replaced = rng.random(n_leaves - 1) < 0.4
        ends = {}  # path -> its first leaf
        for leaf, path in enumerate(SplitPaths(splits)):
            spans = enumerate(splits.spans.tolist())
            above = [s for s, (first, _, stop) in spans if first <= leaf < stop]
            depth = next((d for d, s in enumerate(above) if replaced[s]), len(path))
            ends.setdefault(tuple(as_text(path[:depth])), leaf)
        left, first = splits.without(replaced)
        assert [tuple(as_text(path)) for path in SplitPaths(left)] == list(ends)
        assert first.tolist() == list(ends.values())


def as_text(path):
    return [repr(one) for one in as_values(path)]
