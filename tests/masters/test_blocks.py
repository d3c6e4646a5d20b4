"""Both kinds of masters with hypotheses of one to six blocks, against solvers on single examples.

Some blocks have no rows, some hypotheses abstain in a block (0) or are repeated. How blocks are
numbered does not matter, and neither does a division into blocks that say the same.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.masters.blocks import listed
from tests.masters.direct import (
    assert_optimal,
    best_coefficients,
    best_weights,
    projected_by_slsqp,
    regularised_by_slsqp,
)
from tests.masters.problems import ExamplesWithBounds
from underdog.data.keys import mix
from underdog.masters.entropy import projected, regularised
from underdog.masters.groups import Groups
from underdog.masters.linear import LinearMaster

VALUE, COEFFICIENT = 1e-8, 1e-9
SEEDS = range(20)


class Rule:
    """What a hypothesis says in each of its blocks, the block of every row, and a key per block."""

    def __init__(self, block, values, keys, rest):
        self.block, self.values, self.keys, self.rest = block, values, keys, rest

    @property
    def says(self):
        return self.values[self.block]

    def told_to(self, groups):
        blocks = listed(self.block, len(self.values), self.rest)
        return groups.split(*blocks, self.values, self.keys)

    def renumbered(self, order):
        """Block order[b] becomes block b."""
        number = np.argsort(order)
        return Rule(number[self.block], self.values[order], self.keys[order], number[self.rest])

    def merged(self):
        """The same with one block for each value, the old rest being in the rest."""
        values, number = np.unique(self.values, return_inverse=True)
        keys = np.zeros(len(values), dtype=np.uint64)
        np.add.at(keys, number, self.keys)
        return Rule(number[self.block], values, keys, number[self.rest])


class Problem(ExamplesWithBounds):
    """Examples with shares and bounds, and rules with blocks."""

    def __init__(self, seed, rows=24, rules=8):
        super().__init__(seed, rows)
        rng = self.rng
        self.rules = [self.rule(int(rng.integers(1, 7))) for _ in range(rules)]
        self.bound(nu=rng.choice([1 / rows, 0.2, 0.5]))

    def rule(self, n_blocks):
        """Blocks of all sizes, some without rows, that say -1, 0 or 1; the largest is the rest."""
        rng = self.rng
        likely = rng.choice([0.0, 0.3, 1.0], n_blocks)
        likely[rng.integers(n_blocks)] = 1.0
        block = rng.choice(n_blocks, len(self.sign), p=likely / likely.sum())
        values = rng.choice([-1.0, 0.0, 1.0], n_blocks)
        values[rng.integers(n_blocks)] = rng.choice([-1.0, 1.0])
        keys = mix(rng.integers(0, 2**62, n_blocks).astype(np.uint64))
        return Rule(block, values, keys, int(np.bincount(block, minlength=n_blocks).argmax()))

    def groups(self, rules=None):
        groups = Groups(self.sign, self.share, self.box)
        for rule in self.rules if rules is None else rules:
            rule.told_to(groups)
        return groups

    def at_once(self, rules=None, method="dual"):
        return LinearMaster.from_groups(self.groups(rules), len(self.rules), method).solve()

    @property
    def margins(self):
        """(rules, rows) y h."""
        return (2.0 * self.sign - 1.0) * np.stack([rule.says for rule in self.rules])


def votes(seed):
    return Problem(seed)


def real(seed):
    """Real values, and shares."""
    problem = Problem(seed)
    for rule in problem.rules:
        values = problem.rng.uniform(-1, 1, len(rule.values))
        rule.values = values / np.abs(values).max()
    share = problem.rng.random(len(problem.sign)) + 0.1
    problem.share = share / share.sum()
    return problem


def repeated(seed):
    """The same few rules again and again, with their blocks in other orders and other keys."""
    problem = Problem(seed)
    rng = problem.rng
    again = [problem.rules[int(rng.integers(3))] for _ in problem.rules]
    problem.rules = [rule.renumbered(rng.permutation(len(rule.values))) for rule in again]
    for rule in problem.rules:
        rule.keys = mix(rng.integers(0, 2**62, len(rule.values)).astype(np.uint64))
    return problem


def uneven(seed):
    """Positives count more, shares are whole numbers, weights have lower bounds; any rest."""
    problem = Problem(seed)
    rng = problem.rng
    share = rng.integers(1, 5, len(problem.sign)).astype(float)
    problem.share = share / share.sum()
    problem.bound(rng.choice([0.2, 0.5]), rng.choice([1.5, 3.0]), rng.choice([20.0, 50.0]))
    for rule in problem.rules:
        rule.rest = int(rng.integers(len(rule.values)))
    return problem


KINDS = [votes, real, repeated, uneven]
each_kind = pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
each_seed = pytest.mark.parametrize("seed", SEEDS)


def assert_same(coefficients, others):
    np.testing.assert_allclose(coefficients, others, rtol=0, atol=COEFFICIENT)


def test_the_problems_are_what_they_say():
    rules = [rule for seed in SEEDS for rule in votes(seed).rules]
    sizes = [np.bincount(rule.block, minlength=len(rule.values)) for rule in rules]
    assert {len(rule.values) for rule in rules} == set(range(1, 7))
    assert sum((size == 0).any() for size in sizes) > 20
    assert sum((rule.says == 0.0).any() for rule in rules) > 20
    assert sum(np.unique(rule.says).size != np.unique(rule.block).size for rule in rules) > 20


@each_kind
@each_seed
@pytest.mark.parametrize("method", ["dual", "primal"])
def test_the_linear_optimum_is_that_of_linprog_on_examples(make, seed, method):
    problem = make(seed)
    weights = best_weights(problem.margins, *problem.bounds)
    coefficients = best_coefficients(problem.margins, *problem.bounds)
    assert weights == pytest.approx(coefficients, abs=VALUE)
    groups = problem.groups()
    found = LinearMaster.from_groups(groups, len(problem.rules), method).solve()
    assert_optimal(groups, found)
    assert found.edge == pytest.approx(weights, abs=VALUE)
    assert found.margin == pytest.approx(coefficients, abs=VALUE)


@each_kind
@each_seed
def test_every_round_is_optimal_and_the_last_is_the_same_as_at_once(make, seed):
    problem = make(seed)
    groups = Groups(problem.sign, problem.share, problem.box)
    master = LinearMaster(groups)
    for count, rule in enumerate(problem.rules, 1):
        master.add(rule.told_to(groups))
        found = master.solve()
        assert_optimal(groups, found)
        value = best_weights(problem.margins[:count], *problem.bounds)
        assert found.edge == pytest.approx(value, abs=VALUE)
    assert_same(found.coefficients, problem.at_once().coefficients)


@each_kind
@each_seed
def test_the_order_of_blocks_does_not_matter(make, seed):
    problem = make(seed)
    orders = [problem.rng.permutation(len(rule.values)) for rule in problem.rules]
    other = [rule.renumbered(order) for rule, order in zip(problem.rules, orders, strict=True)]
    found, again = problem.at_once(), problem.at_once(other)
    assert_same(again.coefficients, found.coefficients)
    weights = again.weights / problem.groups(other).upper, found.weights / problem.groups().upper
    of_row = problem.groups(other).of_row, problem.groups().of_row
    np.testing.assert_allclose(weights[0][of_row[0]], weights[1][of_row[1]], atol=1e-7)


@each_kind
@each_seed
def test_the_order_of_rules_does_not_matter(make, seed):
    problem = make(seed)
    order = problem.rng.permutation(len(problem.rules))
    found = problem.at_once([problem.rules[j] for j in order], "primal")
    assert_same(found.coefficients, problem.at_once().coefficients[order])


@each_kind
@each_seed
def test_any_block_may_be_the_rest(make, seed):
    problem = make(seed)
    found = problem.at_once()
    for rule in problem.rules:
        rule.rest = int(problem.rng.integers(len(rule.values)))
    other = problem.at_once()
    assert other.edge == pytest.approx(found.edge, abs=VALUE)
    assert other.margin == pytest.approx(found.margin, abs=VALUE)


def doubled(seed):
    """A problem with two values per rule, in up to six blocks."""
    problem = Problem(seed)
    for rule in problem.rules:
        rule.values = problem.rng.choice([-0.25, 1.0], len(rule.values))
    return problem


@each_seed
def test_blocks_that_say_the_same_are_as_good_as_one(seed):
    problem = doubled(seed)
    whole = [rule.merged() for rule in problem.rules]
    assert max(len(rule.values) for rule in whole) == 2
    groups, merged = problem.groups(), problem.groups(whole)
    assert len(groups) > len(merged)
    np.testing.assert_array_equal(groups.matrix()[groups.of_row], merged.matrix()[merged.of_row])
    np.testing.assert_array_equal(groups.hypothesis_keys, merged.hypothesis_keys)
    found, expected = problem.at_once(), problem.at_once(whole)
    assert found.edge == pytest.approx(expected.edge, abs=VALUE)
    assert found.margin == pytest.approx(expected.margin, abs=VALUE)
    ours = regularised(groups.matrix(), start_of(groups), groups.upper, 30.0)
    theirs = regularised(merged.matrix(), start_of(merged), merged.upper, 30.0)
    assert_same(ours.coefficients, theirs.coefficients)


def start_of(groups):
    """Weights in proportion to their bounds."""
    return groups.upper / groups.upper.sum()


def on_examples(problem, groups, weights):
    """Weights of examples: those of a group are in proportion to their bounds."""
    upper = problem.bounds[1]
    return upper * (weights / groups.upper)[groups.of_row]


def small(make, seed):
    """A problem that a general solver can solve: few rows and rules, no lower bounds."""
    problem = make(seed)
    problem.sign, problem.share = problem.sign[:10], problem.share[:10] / problem.share[:10].sum()
    problem.rules = problem.rules[:4]
    for rule in problem.rules:
        rule.block = rule.block[:10]
    problem.bound(nu=0.4, beta=problem.rng.choice([1.0, 2.0]))
    return problem


@each_kind
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("eta", [0.5, 5.0, 50.0])
def test_the_price_of_entropy_is_that_of_examples(make, seed, eta):
    problem = small(make, seed)
    upper = problem.bounds[1]
    start = upper / upper.sum()
    value, weights = regularised_by_slsqp(problem.margins.T, start, upper, eta)
    groups = problem.groups()
    found = regularised(groups.matrix(), start_of(groups), groups.upper, eta)
    assert found.primal == pytest.approx(value, abs=1e-8)
    assert found.dual == pytest.approx(value, abs=1e-8)
    assert on_examples(problem, groups, found.weights) == pytest.approx(weights, abs=1e-4)
    direct = regularised(problem.margins.T, start, upper, eta)
    assert_same(found.coefficients, direct.coefficients)


@each_kind
@pytest.mark.parametrize("seed", range(4))
def test_the_projection_is_that_of_examples(make, seed):
    problem = small(make, seed)
    lower, upper = problem.bounds
    start = upper / upper.sum()
    least = best_weights(problem.margins, lower, upper)
    limit = 0.6 * least + 0.4 * (problem.margins @ start).max()
    value, weights = projected_by_slsqp(problem.margins.T, start, upper, limit)
    groups = problem.groups()
    found = projected(groups.matrix(), start_of(groups), groups.upper, limit)
    assert found.feasible
    assert found.primal == pytest.approx(value, abs=1e-8)
    assert on_examples(problem, groups, found.weights) == pytest.approx(weights, abs=1e-4)
    direct = projected(problem.margins.T, start, upper, limit)
    assert_same(found.coefficients, direct.coefficients)
    assert not projected(groups.matrix(), start_of(groups), groups.upper, least - 1e-4).feasible


@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS))
@settings(deadline=None, max_examples=40)
def test_any_way_leads_to_the_optimum_of_the_examples(seed, make):
    problem = make(seed)
    found = problem.at_once()
    value = best_weights(problem.margins, *problem.bounds)
    assert found.edge == pytest.approx(value, abs=VALUE)
    assert found.margin == pytest.approx(value, abs=VALUE)
    orders = [problem.rng.permutation(len(rule.values)) for rule in problem.rules]
    other = [rule.renumbered(order) for rule, order in zip(problem.rules, orders, strict=True)]
    assert_same(problem.at_once(other, "primal").coefficients, found.coefficients)
