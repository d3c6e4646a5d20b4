"""How corrective boosters name hypotheses and tell their groups of them, whatever the order."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.masters.blocks import listed
from underdog.combiners.corrective import Blocks, CorrectiveMemory
from underdog.combiners.linear_programme import LinearProgramme
from underdog.core import RunRecord
from underdog.data.keys import mix
from underdog.losses import SoftMargin
from underdog.masters.groups import Box, Groups

ROWS = 24
SEEDS = range(30)
each_seed = pytest.mark.parametrize("seed", SEEDS)


def memory_of(keys, repeats=None, sign=None):
    """Of rows with these keys, which stand for so many examples."""
    repeats = np.ones(len(keys), dtype=np.int64) if repeats is None else repeats
    sign = np.arange(len(keys)) % 2 if sign is None else sign
    groups = Groups(
        sign.astype(np.uint8), repeats / repeats.sum(), Box(np.zeros(2), np.full(2, 5.0))
    )
    return CorrectiveMemory(
        SimpleNamespace(groups=groups), keys * repeats.astype(np.uint64), repeats
    )


def row_keys(rng, rows=ROWS):
    return mix(rng.integers(0, 2**62, rows).astype(np.uint64))


def rule(*values):
    return SimpleNamespace(values=np.array(values)[:, np.newaxis])


def make_blocks(block, n_blocks, rest):
    return Blocks(*listed(block, n_blocks, rest))


def even_blocks(rng, n_blocks):
    """Blocks of the same size, and one that is smaller."""
    block = np.minimum(np.arange(ROWS) // (ROWS // (n_blocks - 1) - 1), n_blocks - 1)
    return rng.permutation(block)


def of_two(memory, truth, listed_block, values):
    """Rest and key of two blocks as they are defined: rest is the half with the higher key."""
    keys, repeats = memory.row_keys, memory.repeats
    sums = [keys[~truth].sum(keepdims=True), keys[truth].sum(keepdims=True)]
    rest = 1 - listed_block
    if repeats[truth].sum() == repeats[~truth].sum() and mix(sums[rest]) < mix(sums[1 - rest]):
        rest = 1 - rest
    said = np.rint(np.array(values) * 2.0**30).astype(np.int64).view(np.uint64)
    return rest, np.sum(mix(mix(np.concatenate(sums)) + said), dtype=np.uint64)


@each_seed
@pytest.mark.parametrize("half", [False, True])
def test_two_blocks_have_the_key_and_the_rest_that_they_always_had(seed, half):
    rng = np.random.default_rng(seed)
    memory = memory_of(row_keys(rng), rng.integers(1, 3, ROWS) if not half else None)
    truth = rng.permutation(ROWS) < (ROWS // 2 if half else 9)
    block = int(rng.integers(2))
    blocks = make_blocks(truth.astype(int), 2, 1 - block)
    rest, key = of_two(memory, truth, block, (0.5, -1.0))
    chosen = memory.with_rest_by_key(blocks)
    assert chosen.rest == rest
    np.testing.assert_array_equal(chosen.rows, np.flatnonzero(truth == (rest == 0)))
    assert chosen.ends.tolist() == ([0, len(chosen.rows)] if rest == 0 else [len(chosen.rows)] * 2)
    memory.split(rule(0.5, -1.0), blocks)
    assert memory.groups.hypothesis_keys.tolist() == [key]
    inside = np.unique(memory.groups.of_row[chosen.rows])
    outside = np.setdiff1d(np.arange(len(memory.groups)), inside)
    start = mix(np.array([1, 2], dtype=np.uint64))[memory.groups.sign]
    assert set((memory.groups.keys - start)[inside].tolist()) == {int(key)}
    assert set((memory.groups.keys - start)[outside].tolist()) == {0}


@each_seed
def test_of_several_largest_blocks_the_key_chooses_the_rest(seed):
    rng = np.random.default_rng(seed)
    memory = memory_of(row_keys(rng))
    n_blocks = int(rng.integers(3, 6))
    block = even_blocks(rng, n_blocks)
    sizes = np.bincount(block)
    largest = np.flatnonzero(sizes == sizes.max())
    assert len(largest) > 1
    sums = np.array([memory.row_keys[block == b].sum() for b in largest])
    expected = int(largest[mix(sums).argmax()])
    for rest in largest.tolist():
        chosen = memory.with_rest_by_key(make_blocks(block, n_blocks, rest))
        wanted = make_blocks(block, n_blocks, expected)
        assert chosen.rest == expected
        np.testing.assert_array_equal(chosen.rows, wanted.rows)
        np.testing.assert_array_equal(chosen.ends, wanted.ends)


def test_a_rest_that_is_the_only_largest_block_stays():
    rng = np.random.default_rng(0)
    memory = memory_of(row_keys(rng))
    for block in (np.zeros(ROWS, dtype=int), np.minimum(np.arange(ROWS) // 4, 3)):
        blocks = make_blocks(block, block.max() + 1, block.max())
        assert memory.with_rest_by_key(blocks) is blocks


def test_examples_are_counted_and_not_rows():
    """Two blocks of 8 rows, of which one has a row that stands for two examples."""
    repeats = np.ones(ROWS, dtype=np.int64)
    repeats[0] = 2
    block = np.arange(ROWS) // 8
    for seed in range(10):
        memory = memory_of(row_keys(np.random.default_rng(seed)), repeats)
        assert memory.with_rest_by_key(make_blocks(block, 3, 0)).rest == 0


@each_seed
def test_the_order_of_rows_and_blocks_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    keys, sign = row_keys(rng), rng.integers(0, 2, ROWS)
    rows = rng.permutation(ROWS)
    plain, other = memory_of(keys, sign=sign), memory_of(keys[rows], sign=sign[rows])
    for n_blocks in (3, 4, 5, 1, 2):
        block = even_blocks(rng, n_blocks) if n_blocks > 2 else np.arange(ROWS) % n_blocks
        values = rng.choice([-1.0, 0.0, 0.5, 1.0], n_blocks)
        sizes = np.bincount(block)
        largest = np.flatnonzero(sizes == sizes.max())
        order = rng.permutation(n_blocks)
        number = np.argsort(order)
        first = make_blocks(block, n_blocks, rng.choice(largest))
        second = make_blocks(number[block[rows]], n_blocks, number[rng.choice(largest)])
        assert not other.has(rule(*values[order]), second)
        plain.split(rule(*values), first)
        other.split(rule(*values[order]), second)
        assert other.has(rule(*values), make_blocks(block[rows], n_blocks, first.rest))
    mine, theirs = plain.groups, other.groups
    np.testing.assert_array_equal(mine.hypothesis_keys, theirs.hypothesis_keys)
    np.testing.assert_array_equal(mine.keys[mine.of_row][rows], theirs.keys[theirs.of_row])
    assert len(set(mine.keys.tolist())) == len(mine)


@each_seed
def test_rows_with_a_weight_of_two_are_two_rows(seed):
    rng = np.random.default_rng(seed)
    keys, repeats, sign = row_keys(rng), rng.integers(1, 3, ROWS), rng.integers(0, 2, ROWS)
    block = rng.integers(0, 4, ROWS)
    examples = np.repeat(np.arange(ROWS), repeats)
    rest = int(np.bincount(block, weights=repeats).argmax())
    weighted = memory_of(keys, repeats, sign)
    repeated = memory_of(keys[examples], sign=sign[examples])
    weighted.split(rule(1.0, 0.0, -1.0, 1.0), make_blocks(block, 4, rest))
    repeated.split(rule(1.0, 0.0, -1.0, 1.0), make_blocks(block[examples], 4, rest))
    mine, theirs = weighted.groups, repeated.groups
    np.testing.assert_array_equal(mine.hypothesis_keys, theirs.hypothesis_keys)
    np.testing.assert_array_equal(mine.keys[mine.of_row][examples], theirs.keys[theirs.of_row])


def test_a_member_is_known_by_its_rows_and_by_what_it_says():
    memory = memory_of(row_keys(np.random.default_rng(0)))
    block = np.arange(ROWS) % 4
    memory.split(rule(1.0, 0.0, -1.0, 0.5), make_blocks(block, 4, 0))
    memory.split(rule(-1.0, 1.0), make_blocks(block // 2, 2, 0))
    assert memory.has(rule(1.0, 0.0, -1.0, 0.5), make_blocks(block, 4, 2))
    assert not memory.has(rule(1.0, 0.0, -1.0, 0.25), make_blocks(block, 4, 2))
    assert not memory.has(rule(1.0, 0.0, -1.0, 0.5), make_blocks(np.roll(block, 1), 4, 2))
    assert not memory.has(rule(1.0), make_blocks(0 * block, 1, 0))


def test_the_same_key_is_not_yet_the_same_hypothesis():
    """Rows with equal keys, exchanged between the blocks."""
    memory = memory_of(np.repeat(row_keys(np.random.default_rng(0), ROWS // 2), 2))
    block = np.arange(ROWS) % 3
    other = block.copy()
    other[:2] = 1, 0
    said = rule(1.0, -1.0, 0.0)
    memory.split(said, make_blocks(block, 3, 2))
    keys = [memory.keys(said, make_blocks(own, 3, 2)) for own in (block, other)]
    np.testing.assert_array_equal(*keys)
    assert memory.has(said, make_blocks(block, 3, 2))
    assert not memory.has(said, make_blocks(other, 3, 2))


def test_members_may_have_different_numbers_of_blocks():
    combiner = LinearProgramme()
    history = {name: np.zeros(2) for name in (*combiner.facts, "coefficient", "seconds")}
    path = [np.array([1.0]), np.array([0.5, 0.5])]
    members = [SimpleNamespace(hypothesis=own) for own in (rule(1.0), rule(-1.0, 0.0, 0.5))]
    combiner.check_run(SoftMargin(), RunRecord(members, path, history))
    for values in ((0.5, 0.25, 0.0), (1.0, 1e-9)):
        members[1].hypothesis = rule(*values)
        with pytest.raises(ValueError, match="largest value of a rule is not 1, or a value"):
            combiner.check_run(SoftMargin(), RunRecord(members, path, history))
