"""Groups of examples against a dictionary of (label, pattern), and against sums over examples."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from underdog.keys import mix
from underdog.masters.groups import Box, Groups, soft_margin

SEEDS = range(40)
each_seed = pytest.mark.parametrize("seed", SEEDS)


class Problem:
    """Examples, their shares and bounds, and hypotheses as tests, values and keys."""

    def __init__(self, seed, rows=40, tests=9):
        rng = np.random.default_rng(seed)
        self.sign = rng.integers(0, 2, rows).astype(np.uint8)
        self.sign[:2] = 0, 1
        share = rng.random(rows) if seed % 2 else rng.integers(1, 4, rows).astype(float)
        self.share = share / share.sum()
        upper = np.array([1.0, rng.choice([1.0, 3.0])]) / rng.choice([0.2, 0.5])
        lower = upper / 20.0 if seed % 3 else np.zeros(2)
        self.box = Box(lower, upper)
        self.truth = rng.random((tests, rows)) < rng.choice([0.0, 0.1, 0.5, 1.0], (tests, 1))
        self.values = rng.uniform(-1, 1, (tests, 2))
        self.keys = mix(rng.integers(0, 2**62, tests).astype(np.uint64))
        self.y = 2.0 * self.sign - 1.0
        self.h = np.where(self.truth, self.values[:, 1:], self.values[:, :1])
        self.lower, self.upper = (bound[self.sign] * self.share for bound in self.box)

    def groups(self, order=None, rows=None):
        rows = np.arange(len(self.sign)) if rows is None else rows
        groups = Groups(self.sign[rows], self.share[rows], self.box)
        for j in range(len(self.truth)) if order is None else order:
            self.split(groups, j, rows)
        return groups

    def split(self, groups, j, rows=slice(None)):
        touched = np.flatnonzero(self.truth[j, rows]).astype(np.int32)
        return groups.split(touched, *self.values[j], self.keys[j])


@each_seed
def test_groups_are_those_of_a_dictionary(seed):
    problem = Problem(seed)
    groups = Groups(problem.sign, problem.share, problem.box)
    for j in range(len(problem.truth)):
        before, n_before = groups.of_row.copy(), len(groups)
        parents = problem.split(groups, j)
        rows_of = defaultdict(list)
        for row, sign in enumerate(problem.sign):
            rows_of[sign, tuple(problem.truth[: j + 1, row])].append(row)
        assert len(groups) == len(rows_of) == n_before + len(parents)
        seen = set()
        for (sign, pattern), rows in rows_of.items():
            numbers = set(groups.of_row[rows].tolist())
            assert len(numbers) == 1
            number = numbers.pop()
            seen.add(number)
            assert groups.sign[number] == sign
            assert groups.y[number] == (1.0 if sign else -1.0)
            assert tuple(groups.pattern(np.array([number]))[0]) == pattern
            for own, bound in ((groups.lower, problem.lower), (groups.upper, problem.upper)):
                assert own[number] == pytest.approx(bound[rows].sum(), abs=1e-14)
        assert seen == set(range(len(groups)))
        both = [g for g in range(n_before) if len(set(problem.truth[j, before == g])) == 2]
        assert parents.tolist() == both
        for child, parent in enumerate(both, n_before):
            moved = (before == parent) & problem.truth[j]
            np.testing.assert_array_equal(groups.of_row == child, moved)
    np.testing.assert_array_equal(groups.values, problem.values)
    np.testing.assert_array_equal(groups.hypothesis_keys, problem.keys)


@each_seed
def test_margins_matrix_and_edges_are_those_of_the_examples(seed):
    problem, rng = Problem(seed), np.random.default_rng(seed)
    groups = problem.groups()
    y_h = problem.y * problem.h
    np.testing.assert_allclose(groups.matrix()[groups.of_row].T, y_h, atol=0)
    coefficients = rng.dirichlet(np.ones(len(y_h))) * (rng.random(len(y_h)) < 0.7)
    margins = groups.margins(coefficients)
    np.testing.assert_allclose(margins[groups.of_row], coefficients @ y_h, atol=1e-14)
    weight = rng.random(len(problem.y))
    of_group = np.bincount(groups.of_row, weights=weight)
    np.testing.assert_allclose(groups.edges(of_group), y_h @ weight, atol=1e-13)
    expected = least_mean(coefficients @ y_h, problem.lower, problem.upper)
    assert groups.soft_margin(coefficients) == pytest.approx(expected, abs=1e-9)


def test_without_hypotheses_there_are_two_groups():
    problem = Problem(0)
    groups = Groups(problem.sign, problem.share, problem.box)
    assert (len(groups), groups.n_hypotheses, groups.y.tolist()) == (2, 0, [-1.0, 1.0])
    np.testing.assert_array_equal(groups.of_row, problem.sign)
    assert groups.matrix().shape == (2, 0)
    np.testing.assert_array_equal(groups.margins(np.empty(0)), np.zeros(2))


def test_a_test_that_all_or_no_rows_pass_divides_nothing():
    problem = Problem(0)
    groups = Groups(problem.sign, problem.share, problem.box)
    every = np.arange(len(problem.sign), dtype=np.int32)
    assert groups.split(every, -1.0, 1.0, np.uint64(3)).tolist() == []
    assert groups.split(every[:0], 1.0, -1.0, np.uint64(4)).tolist() == []
    assert groups.pattern(np.arange(2)).tolist() == [[True, False]] * 2
    np.testing.assert_array_equal(groups.matrix(), groups.y[:, None] * [[1.0, 1.0]])


def test_room_is_made_for_many_groups_and_hypotheses():
    rng = np.random.default_rng(0)
    sign = rng.integers(0, 2, 500).astype(np.uint8)
    groups = Groups(sign, np.full(500, 1 / 500), Box(np.zeros(2), np.full(2, 5.0)))
    truth = rng.random((40, 500)) < 0.5
    for j, own in enumerate(truth):
        groups.split(np.flatnonzero(own).astype(np.int32), -1.0, 1.0, np.uint64(j))
    np.testing.assert_array_equal(groups.pattern(np.arange(len(groups)))[groups.of_row].T, truth)


@each_seed
def test_keys_do_not_depend_on_the_order_of_rows_or_hypotheses(seed):
    problem, rng = Problem(seed), np.random.default_rng(seed)
    plain = problem.groups()
    rows = rng.permutation(len(problem.sign))
    permuted = problem.groups(rows=rows)
    np.testing.assert_array_equal(permuted.keys[permuted.of_row], plain.keys[plain.of_row][rows])
    np.testing.assert_array_equal(permuted.hypothesis_keys, plain.hypothesis_keys)
    order = rng.permutation(len(problem.truth))
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
