"""Trees of several leaves: which rows are in which block, and how scores are moved by them."""

import numpy as np
import pytest

from tests.core.given import Given, rows_on
from tests.core.shards import positions
from tests.data.tables import TABLES, encoded_rows
from tests.hypotheses.trees import KINDS, block_of_each, random_test, random_tree
from underdog import core
from underdog.core import Scores
from underdog.hypotheses import REST, Tree

NAMES = ["dense", "sparse", "mixed", "wide", "presence", "some missing", "one row"]
each_table = pytest.mark.parametrize("name", NAMES)
each_kind = pytest.mark.parametrize("kind", KINDS)


def draw(name, kind, seed, weighted, n_labels=3):
    rng = np.random.default_rng(seed)
    table = TABLES[name]()
    repeats = rng.integers(1, 5, len(table)) if weighted else np.ones(len(table), dtype=np.int64)
    encoded = encoded_rows(table, repeats)
    return rng, encoded, repeats, random_tree(rng, encoded, n_labels, kind)


def largest(block, repeats, n_blocks):
    return np.bincount(block, weights=repeats, minlength=n_blocks).argmax()


@each_table
@each_kind
@pytest.mark.parametrize("weighted", [False, True])
def test_the_blocks_of_rows(name, kind, weighted):
    for seed in range(4):
        _, encoded, repeats, tree = draw(name, kind, seed, weighted)
        wanted, n_blocks = block_of_each(tree, encoded), len(tree.leaves)
        found = tree.partition(encoded)
        np.testing.assert_array_equal(found.of_row(encoded.n_rows), wanted)
        sizes = np.bincount(wanted, weights=repeats, minlength=n_blocks)
        assert sizes[found.rest] == sizes.max()
        assert len(found.ends) == n_blocks
        assert found.rows.dtype == np.int32
        assert not (wanted[found.rows] == found.rest).any()
        for block, rows in found.listed_blocks():
            assert (wanted[rows] == block).all()
        for rest in range(n_blocks):
            other = tree.partition(encoded, rest)
            assert other.rest == rest
            np.testing.assert_array_equal(other.of_row(encoded.n_rows), wanted)
            assert len(other.rows) == (wanted != rest).sum()


@each_table
@each_kind
def test_scores_are_moved_by_the_steps_of_the_blocks(name, kind):
    rng, encoded, _, tree = draw(name, kind, 7, True)
    block = block_of_each(tree, encoded)
    scores = Scores(
        np.array([0.5, 0.0, -2.0]), np.rint(rng.normal(size=(encoded.n_rows, 3)) * 8) / 8
    )
    wanted = scores.full() + tree.values[block]
    partition = tree.partition(encoded)
    base, resting = scores.base + tree.values[partition.rest], block == partition.rest
    still = scores.relative[resting].copy()
    partition.move(scores, tree.values)
    np.testing.assert_array_equal(scores.full(), wanted)
    np.testing.assert_array_equal(scores.base, base)
    np.testing.assert_array_equal(scores.relative[resting], still)


@each_kind
@pytest.mark.parametrize("name", NAMES[:-1])
@pytest.mark.parametrize("n_shards", [1, 2, 3])
def test_blocks_on_shards(name, kind, n_shards):
    """The rest is the same everywhere, and the sums of blocks are those of their rows."""
    rng, encoded, repeats, tree = draw(name, kind, 3, True)
    n, n_blocks = encoded.n_rows, len(tree.leaves)
    where = positions(rng.integers(0, 2, (n, 1)), n_shards)
    rows = rows_on(encoded.table, encoded.schema, where, 3, repeats)
    block = block_of_each(tree, encoded)
    placed = rows.place(tree)
    assert {own.rest for own in placed} == {largest(block, repeats, n_blocks)}
    for own, partition in zip(where, placed, strict=True):
        np.testing.assert_array_equal(partition.of_row(len(own)), block[own])
    channels = rng.integers(0, 2, (n, 3)).astype(np.uint8)
    weights = rng.integers(0, 2**50, (2, n, 3))
    wanted = np.zeros((n_blocks, 2, 3), dtype=np.int64)
    for signs, own in ((channels, weights[:1]), (None, weights)):
        wanted[:] = 0
        for b, c in np.ndindex(n_blocks, 2):
            here = (block == b)[:, np.newaxis] & (True if signs is None else channels == c)
            wanted[b, c] = np.where(here, own[0 if signs is not None else c], 0).sum(axis=0)
        found = rows.sums(Given(own, signs, where, 2), placed, n_blocks)
        np.testing.assert_array_equal(found, wanted)
    before = [shard.scores.full() for shard in rows.shards]
    rows.move(placed, tree.values)
    for own, old, shard in zip(where, before, rows.shards, strict=True):
        np.testing.assert_array_equal(shard.scores.full(), old + tree.values[block[own]])
    assert len({shard.scores.base.tobytes() for shard in rows.shards}) == 1


@pytest.mark.parametrize("n_shards", [1, 2, 3])
def test_of_blocks_of_one_size_the_first_is_not_listed(n_shards):
    """On one shard as on several, and for stumps as for other trees."""
    encoded = encoded_rows(TABLES["dense"]())
    test = core.Test(6, np.array([0, 1, 0], dtype=np.uint8), 0.5)
    no, yes = ((test, 0),), ((test, 1),)
    inside = test.answers(encoded)
    counts = np.bincount(inside)
    repeats = np.ones(encoded.n_rows, dtype=np.int64)
    repeats[np.flatnonzero(inside == counts.argmin())[0]] += counts.max() - counts.min()
    where = positions(inside[:, np.newaxis], n_shards)
    rows = rows_on(encoded.table, encoded.schema, where, 1, repeats)
    for leaves in ((no, yes), (REST, yes), (no, REST), (REST, yes, no)):
        values = np.ones((len(leaves), 1))
        first = 0 if leaves[0] != REST or len(leaves) == 2 else 1
        assert {own.rest for own in rows.place(Tree(leaves, values))} == {first}


@pytest.mark.parametrize("n_shards", [1, 2, 3])
def test_rows_on_which_a_rule_abstains_are_not_listed(n_shards):
    """Even if another block is larger: steps do not move them."""
    encoded = encoded_rows(TABLES["dense"]())
    test = core.Test(6, np.array([0, 1, 0], dtype=np.uint8), 0.5)
    tree = Tree((REST, ((test, 0),), ((test, 1),)), np.array([[0.0], [1.0], [-1.0]]))
    where = positions(test.answers(encoded)[:, np.newaxis], n_shards)
    repeats = np.ones(encoded.n_rows, dtype=np.int64)
    rows = rows_on(encoded.table, encoded.schema, where, 1, repeats)
    assert {own.rest for own in rows.place(tree)} == {0}


def test_what_kind_of_tree_it_is():
    encoded = encoded_rows(TABLES["mixed"]())
    rng = np.random.default_rng(0)
    test = random_test(rng, encoded)
    stump = Tree.stump(test, np.zeros((2, 1)))
    constant = Tree.constant(np.zeros((1, 1)))
    rule = Tree((REST, ((test, 1),)), np.zeros((2, 1)))
    turned = Tree(stump.leaves[::-1], np.zeros((2, 1)))
    assert stump.test is test
    assert [tree.test for tree in (constant, rule, turned)] == [None] * 3
    assert [tree.is_constant for tree in (constant, stump, rule)] == [True, False, False]
    assert [len(tree.tests) for tree in (constant, stump, rule)] == [0, 1, 1]
    assert [tree.tests for tree in (stump, rule, turned)] == [[test]] * 3


def test_rows_on_no_path_need_a_rest():
    encoded = encoded_rows(TABLES["dense"]())
    test = core.Test(6, np.array([0, 1, 0], dtype=np.uint8), 0.5)
    tree = Tree((((test, 1),),), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="one of the leaves must be REST"):
        tree.partition(encoded)


def test_words():
    encoded = encoded_rows(TABLES["presence"]())
    one, two = (core.Test(c, np.array([0, 1, 0], dtype=np.uint8), 0.5) for c in (0, 2))
    tree = Tree((((one, 0),), ((one, 1), (two, 0)), REST), np.zeros((3, 1)))
    texts = ["x0 absent", "x0 present and x2 absent", "else"]
    assert tree.leaf_words(encoded.schema) == texts
    assert tree.words(encoded.schema) == "tree on x0, x2"
    assert Tree.stump(one, np.zeros((2, 1))).words(encoded.schema) == "x0 present"
    assert Tree.constant(np.zeros((1, 1))).words(encoded.schema) == "always"
