"""Groups of examples against a dictionary of (label, pattern), and against sums over examples."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tests.masters.blocks import listed, two_blocks
from tests.masters.problems import ExamplesWithBounds
from underdog.data.keys import mix
from underdog.masters.groups import Box, Groups, soft_margin

SEEDS = range(40)
each_seed = pytest.mark.parametrize("seed", SEEDS)


class Problem(ExamplesWithBounds):
    """Examples, their shares and bounds, and hypotheses as blocks, values and keys.

    Hypotheses have one to six blocks, some of them without rows and some with the same value.
    """

    def __init__(self, seed, rows=40, hypotheses=9):
        super().__init__(seed, rows)
        rng = self.rng
        share = rng.random(rows) if seed % 2 else rng.integers(1, 4, rows).astype(float)
        self.share = share / share.sum()
        upper = np.array([1.0, rng.choice([1.0, 3.0])]) / rng.choice([0.2, 0.5])
        lower = upper / 20.0 if seed % 3 else np.zeros(2)
        self.box = Box(lower, upper)
        self.n_blocks = rng.integers(1, 7, hypotheses)
        self.rest = rng.integers(0, self.n_blocks)
        sizes = [rng.choice([0.0, 0.1, 0.5, 1.0], size) + 1e-9 for size in self.n_blocks]
        self.block = np.stack([rng.choice(len(p), rows, p=p / p.sum()) for p in sizes])
        self.values = [rng.uniform(-1, 1, size) for size in self.n_blocks]
        for values in self.values:
            values[rng.random(len(values)) < 0.3] = 0.0
        self.keys = [mix(rng.integers(0, 2**62, size).astype(np.uint64)) for size in self.n_blocks]
        self.y = 2.0 * self.sign - 1.0
        answers = zip(self.values, self.block, strict=True)
        self.h = np.stack([values[own] for values, own in answers])
        self.lower, self.upper = self.bounds

    def __len__(self):
        return len(self.block)

    def split(self, groups, j, rows=slice(None)):
        blocks = listed(self.block[j, rows], self.n_blocks[j], self.rest[j])
        return groups.split(*blocks, self.values[j], self.keys[j])


@each_seed
def test_groups_are_those_of_a_dictionary(seed):
    problem = Problem(seed)
    groups = Groups(problem.sign, problem.share, problem.box)
    for j in range(len(problem)):
        n_before = len(groups)
        parents = problem.split(groups, j)
        rows_of = defaultdict(list)
        for row, sign in enumerate(problem.sign):
            rows_of[sign, tuple(problem.block[: j + 1, row])].append(row)
        assert len(groups) == len(rows_of) == n_before + len(parents)
        seen = set()
        for (sign, pattern), rows in rows_of.items():
            numbers = set(groups.of_row[rows].tolist())
            assert len(numbers) == 1
            number = numbers.pop()
            seen.add(number)
            assert groups.sign[number] == sign
            assert groups.y[number] == (1.0 if sign else -1.0)
            says = [problem.values[i][b] for i, b in enumerate(pattern)]
            assert groups.values[groups.pattern(np.array([number]))[0]].tolist() == says
            assert [groups.answers(i)[number] for i in range(j + 1)] == says
            for own, bound in ((groups.lower, problem.lower), (groups.upper, problem.upper)):
                assert own[number] == pytest.approx(bound[rows].sum(), abs=1e-14)
        assert seen == set(range(len(groups)))


@each_seed
def test_new_groups_come_last_in_the_order_of_their_parents_and_blocks(seed):
    problem = Problem(seed)
    groups = Groups(problem.sign, problem.share, problem.box)
    for j in range(len(problem)):
        before, n_before = groups.of_row.copy(), len(groups)
        parents = problem.split(groups, j)
        expected, moved = [], []
        for group in range(n_before):
            own = sorted(set(problem.block[j, before == group].tolist()))
            stays = problem.rest[j] if problem.rest[j] in own else own[0]
            expected += [group] * (len(own) - 1)
            moved += [(group, block) for block in own if block != stays]
        assert parents.tolist() == expected
        for child, (group, block) in enumerate(moved, n_before):
            rows = (before == group) & (problem.block[j] == block)
            np.testing.assert_array_equal(groups.of_row == child, rows)


@each_seed
def test_margins_matrix_and_edges_are_those_of_the_examples(seed):
    problem, rng = Problem(seed), np.random.default_rng(seed)
    groups = problem.groups()
    y_h = problem.y * problem.h
    np.testing.assert_allclose(groups.matrix()[groups.of_row].T, y_h, atol=0)
    coefficients = rng.dirichlet(np.ones(len(y_h))) * (rng.random(len(y_h)) < 0.7)
    for count in (0, 4, len(y_h)):
        margins = groups.margins(coefficients[:count])[groups.of_row]
        expected = coefficients[:count] @ y_h[:count]
        np.testing.assert_allclose(margins, expected, atol=1e-14)
    weight = rng.random(len(problem.y))
    of_group = np.bincount(groups.of_row, weights=weight)
    np.testing.assert_allclose(groups.edges(of_group), y_h @ weight, atol=1e-13)
    expected = least_mean(coefficients @ y_h, problem.lower, problem.upper)
    assert groups.soft_margin(coefficients) == pytest.approx(expected, abs=1e-9)


@each_seed
def test_groups_outside_of_the_rest_are_told_with_their_blocks(seed):
    problem = Problem(seed)
    groups = problem.groups()
    one_row = np.unique(groups.of_row, return_index=True)[1]
    for j in range(len(problem)):
        inside, block = groups.inside(j)
        own = problem.block[j, one_row]
        assert sorted(inside.tolist()) == np.flatnonzero(own != problem.rest[j]).tolist()
        np.testing.assert_array_equal(groups.values[block], problem.values[j][own[inside]])
        above = problem.values[j][own[inside]] - problem.values[j][problem.rest[j]]
        np.testing.assert_array_equal(groups.rises[block], above)
        assert len(set(zip(block, own[inside], strict=True))) == len(set(block))
        assert len(set(own[inside])) == len(set(block))
        assert groups.hypothesis_keys[j] == problem.keys[j].sum()


def test_without_hypotheses_there_are_two_groups():
    problem = Problem(0)
    groups = Groups(problem.sign, problem.share, problem.box)
    assert (len(groups), groups.n_hypotheses, groups.y.tolist()) == (2, 0, [-1.0, 1.0])
    np.testing.assert_array_equal(groups.of_row, problem.sign)
    assert groups.matrix().shape == (2, 0)
    np.testing.assert_array_equal(groups.margins(np.empty(0)), np.zeros(2))
    assert groups.edges(np.full(2, 0.5)).shape == (0,)


def test_a_class_without_examples_is_never_divided():
    groups = Groups(np.ones(4, dtype=np.uint8), np.full(4, 0.25), Box(np.zeros(2), np.ones(2)))
    block = np.array([0, 1, 2, 2])
    keys = np.array([3, 4, 5], dtype=np.uint64)
    says = np.array([1.0, -1.0, 0.5])
    assert groups.split(*listed(block, 3, 2), says, keys).tolist() == [1, 1]
    assert groups.split(*listed(block, 3, 0), says, keys).tolist() == []
    assert groups.inside(1)[0].tolist() == [1, 3]
    np.testing.assert_array_equal(groups.matrix()[groups.of_row], says[block][:, None] * [1, 1])


def test_a_test_that_all_or_no_rows_pass_divides_nothing():
    problem = Problem(0)
    groups = Groups(problem.sign, problem.share, problem.box)
    every = np.arange(len(problem.sign), dtype=np.int32)
    assert groups.split(*two_blocks(every, -1.0, 1.0, 3)).tolist() == []
    assert groups.split(*two_blocks(every[:0], 1.0, -1.0, 4)).tolist() == []
    constant = every[:0], np.zeros(1, dtype=np.int64), 0, np.ones(1), np.ones(1, dtype=np.uint64)
    assert groups.split(*constant).tolist() == []
    assert groups.pattern(np.arange(2)).tolist() == [[1, 2, 4]] * 2
    np.testing.assert_array_equal(groups.matrix(), groups.y[:, None] * [[1.0, 1.0, 1.0]])


def test_constants_alone_have_edges_too():
    groups = Groups(np.array([0, 1, 1], dtype=np.uint8), np.ones(3) / 3, Problem(0).box)
    for value in (-0.5, 1.0):
        groups.split(
            *listed(np.zeros(3, dtype=int), 1, 0), np.full(1, value), np.ones(1, dtype=np.uint64)
        )
    assert len(groups) == 2
    np.testing.assert_allclose(groups.edges(np.array([0.25, 0.75])), [-0.25, 0.5], atol=0)
    np.testing.assert_allclose(groups.margins(np.array([0.5, 0.5])), [-0.25, 0.25], atol=0)


def test_room_is_made_for_many_groups_and_hypotheses():
    rng = np.random.default_rng(0)
    sign = rng.integers(0, 2, 500).astype(np.uint8)
    groups = Groups(sign, np.full(500, 1 / 500), Box(np.zeros(2), np.full(2, 5.0)))
    block = rng.integers(0, 4, (40, 500))
    values = rng.random((40, 4))
    keys = rng.integers(0, 2**62, (40, 4)).astype(np.uint64)
    for j, own in enumerate(block):
        groups.split(*listed(own, 4, 0), values[j], keys[j])
    says = groups.values[groups.pattern(np.arange(len(groups)))]
    np.testing.assert_array_equal(says[groups.of_row].T, np.take_along_axis(values, block, axis=1))


def test_two_blocks_have_one_key_and_more_have_one_each():
    keys = np.array([5, 7, 11], dtype=np.uint64)
    sign, box = np.ones(6, dtype=np.uint8), Box(np.zeros(2), np.ones(2))
    block = np.array([0, 0, 1, 1, 2, 2])
    groups = Groups(sign, np.full(6, 1 / 6), box)
    start = groups.keys[1]
    groups.split(*listed(np.minimum(block, 1), 2, 1), np.ones(2), keys[:2])
    assert (groups.keys[groups.of_row] - start).tolist() == [12, 12, 0, 0, 0, 0]
    groups = Groups(sign, np.full(6, 1 / 6), box)
    groups.split(*listed(block, 3, 1), np.ones(3), keys)
    assert (groups.keys[groups.of_row] - start).tolist() == [12, 12, 0, 0, 18, 18]
    assert groups.hypothesis_keys.tolist() == [23]


@each_seed
def test_margins_with_two_blocks_keep_their_last_bit(seed):
    """What the rests say is added as one column of two, as it was when all had two blocks."""
    rng = np.random.default_rng(seed)
    sign = rng.integers(0, 2, 60).astype(np.uint8)
    groups = Groups(sign, np.full(60, 1 / 60), Box(np.zeros(2), np.full(2, 5.0)))
    truth, values = rng.random((30, 60)) < 0.3, rng.uniform(-1, 1, (30, 2))
    for own, (other, touched) in zip(truth, values, strict=True):
        groups.split(*two_blocks(np.flatnonzero(own).astype(np.int32), other, touched, 1))
    coefficients = rng.dirichlet(np.ones(30))
    other, touched = values.T
    inside = np.zeros(60)
    for own, step in zip(truth, coefficients * (touched - other), strict=True):
        inside[own] += step
    expected = (2.0 * sign - 1.0) * (float(coefficients @ other) + inside)
    np.testing.assert_array_equal(groups.margins(coefficients)[groups.of_row], expected)


@each_seed
def test_the_order_of_blocks_does_not_matter(seed):
    problem, rng = Problem(seed), np.random.default_rng(seed)
    plain, other = problem.groups(), Groups(problem.sign, problem.share, problem.box)
    for j in range(len(problem)):
        order = rng.permutation(problem.n_blocks[j])
        number = np.argsort(order)
        blocks = listed(number[problem.block[j]], len(order), number[problem.rest[j]])
        other.split(*blocks, problem.values[j][order], problem.keys[j][order])
    np.testing.assert_array_equal(other.keys[other.of_row], plain.keys[plain.of_row])
    np.testing.assert_array_equal(other.hypothesis_keys, plain.hypothesis_keys)
    np.testing.assert_array_equal(other.matrix()[other.of_row], plain.matrix()[plain.of_row])


@each_seed
def test_keys_do_not_depend_on_the_order_of_rows_or_hypotheses(seed):
    problem, rng = Problem(seed), np.random.default_rng(seed)
    plain = problem.groups()
    rows = rng.permutation(len(problem.sign))
    permuted = problem.groups(rows=rows)
    np.testing.assert_array_equal(permuted.keys[permuted.of_row], plain.keys[plain.of_row][rows])
    np.testing.assert_array_equal(permuted.hypothesis_keys, plain.hypothesis_keys)
    order = rng.permutation(len(problem))
    other = problem.groups(order=order)
    np.testing.assert_array_equal(other.keys[other.of_row], plain.keys[plain.of_row])
    np.testing.assert_array_equal(other.hypothesis_keys, plain.hypothesis_keys[order])
    assert len(set(plain.keys.tolist())) == len(plain)


def least_mean(margins, lower, upper):
    """The least mean of the margins under weights between these bounds, by linprog."""
    bounds = np.column_stack([lower, upper])
    found = linprog(margins, A_eq=np.ones((1, len(margins))), b_eq=[1.0], bounds=bounds)
    assert found.status == 0
    return found.fun


@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=60)
def test_the_soft_margin_is_the_least_mean_under_weights_in_the_box(seed, bounded, tied):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 30))
    margins = rng.integers(-2, 3, size) / 2 if tied else rng.uniform(-1, 1, size)
    upper = rng.random(size) + 0.01
    upper *= rng.choice([1.0, 1.5, 4.0]) / upper.sum()
    lower = upper * rng.choice([0.0, 0.05, 0.2]) if bounded else np.zeros(size)
    expected = least_mean(margins, lower, upper)
    assert soft_margin(margins, lower, upper) == pytest.approx(expected, abs=1e-9)


def test_the_soft_margin_with_bounds_that_leave_no_choice_is_the_mean():
    margins, only = np.array([0.5, -1.0, 0.25]), np.array([0.25, 0.25, 0.5])
    assert soft_margin(margins, only, only) == 0.0
    assert soft_margin(margins, np.zeros(3), only) == 0.0


def test_the_soft_margin_without_room_to_spare_is_the_smallest_margin():
    margins = np.array([0.5, -0.75, 0.25])
    assert soft_margin(margins, np.zeros(3), np.ones(3)) == -0.75
