"""The master against linprog on single examples, and its optimum: one, whatever the way to it.

Optima of these programmes are rarely unique. What is returned must depend on the rules and examples
only: not on the method, the order of rows or rules, or the rounds in which the rules came.
"""

import numpy as np
import pytest
from highspy import Highs, HighsModelStatus
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.masters.blocks import two_blocks
from tests.masters.direct import GAP, assert_optimal, best_coefficients, best_weights
from tests.masters.problems import ExamplesWithBounds
from underdog.data.hashing import mix, unit_interval
from underdog.masters.groups import Groups
from underdog.masters.linear import ABSENT, EDGE_COST, TILT, LinearMaster, SolverError

VALUE, COEFFICIENT = 1e-7, 1e-9
SEEDS = range(30)
VOTES = np.array([[-1.0, 1.0], [1.0, -1.0]])


class Problem(ExamplesWithBounds):
    """Examples with shares and bounds, and rules that are tests, values and keys."""

    def __init__(self, seed, rows=24, rules=8):
        super().__init__(seed, rows)
        rng = self.rng
        self.truth = rng.random((rules, rows)) < rng.choice([0.2, 0.5])
        self.values = VOTES[rng.integers(0, 2, rules)]
        self.bound(nu=rng.choice([1 / rows, 0.2, 0.5]))
        self.keys = mix(rng.integers(0, 2**62, 4 * rules).astype(np.uint64))

    def __len__(self):
        return len(self.truth)

    def split(self, groups, j, rows=slice(None)):
        touched = np.flatnonzero(self.truth[j, rows]).astype(np.int32)
        return groups.split(*two_blocks(touched, *self.values[j], self.keys[j]))

    def at_once(self, method="dual", order=None, rows=None):
        return LinearMaster.from_groups(self.groups(order, rows), len(self), method).solve()

    def round_by_round(self, method="dual"):
        """The optimum after each rule."""
        groups = Groups(self.sign, self.share, self.box)
        master = LinearMaster(groups, method)
        for j in range(len(self)):
            master.add(self.split(groups, j))
            yield master.solve()

    @property
    def margins(self):
        """(rules, rows) y h."""
        h = np.where(self.truth, self.values[:, 1:], self.values[:, :1])
        return (2.0 * self.sign - 1.0) * h


def plain(seed):
    return Problem(seed)


def real(seed):
    """Real values and shares."""
    problem = Problem(seed)
    values = problem.rng.uniform(-1, 1, (len(problem), 2))
    problem.values = values / np.abs(values).max(axis=1, keepdims=True)
    share = problem.rng.random(len(problem.sign)) + 0.1
    problem.share = share / share.sum()
    return problem


def uneven(seed):
    """Positives count more, shares are whole numbers, some have lower bounds, even tight ones."""
    problem = Problem(seed)
    rng = problem.rng
    share = rng.integers(1, 5, len(problem.sign)).astype(float)
    problem.share = share / share.sum()
    beta, nu = rng.choice([1.5, 3.0]), rng.choice([0.2, 0.5])
    positives = problem.share[problem.sign == 1].sum()
    reach = (1.0 - positives + beta * positives) / nu
    return problem.bound(nu, beta, rng.choice([0.0, 1.01 * reach, 50.0]))


def duplicates(seed):
    """The same few rules again and again, with keys of their own."""
    problem = Problem(seed)
    again = problem.rng.integers(0, 3, len(problem))
    problem.truth, problem.values = problem.truth[again], problem.values[again]
    return problem


def opposites(seed):
    """Every rule and its opposite: f = 0 is a solution, and often there is no better one."""
    problem = Problem(seed)
    half = len(problem) // 2
    problem.truth[half:], problem.values[half:] = problem.truth[:half], -problem.values[:half]
    return problem


def constants(seed):
    """Both constants are among the rules."""
    problem = Problem(seed)
    problem.values[-2:] = [[1.0, 1.0], [-1.0, -1.0]]
    return problem


def symmetrical(seed):
    """All patterns of two or three tests equally often; y is their parity, or their majority."""
    problem = Problem(seed)
    rng = problem.rng
    tests = int(rng.integers(2, 4))
    patterns = np.array(list(np.ndindex(*(2,) * tests)))
    patterns = np.tile(patterns, (int(rng.integers(1, 4)), 1))
    count = patterns.sum(axis=1)
    problem.sign = (count % 2 if seed % 2 else 2 * count > tests).astype(np.uint8)
    problem.share = np.full(len(count), 1 / len(count))
    truth = patterns.T.astype(bool)
    problem.truth = np.concatenate([truth, truth, truth])
    problem.values = np.repeat([[-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]], tests, axis=0)
    return problem


KINDS = [plain, real, uneven, duplicates, opposites, constants, symmetrical]
each_kind = pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)


@each_kind
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("method", ["dual", "primal"])
def test_the_optimum_is_that_of_linprog_on_examples(make, seed, method):
    problem = make(seed)
    weights = best_weights(problem.margins, *problem.bounds)
    coefficients = best_coefficients(problem.margins, *problem.bounds)
    assert weights == pytest.approx(coefficients, abs=GAP)
    groups = problem.groups()
    found = LinearMaster.from_groups(groups, len(problem), method).solve()
    assert_optimal(groups, found)
    assert found.edge == pytest.approx(weights, abs=VALUE)
    assert found.margin == pytest.approx(coefficients, abs=VALUE)


@each_kind
def test_every_round_is_optimal_for_its_rules(make):
    problem = make(3)
    groups = Groups(problem.sign, problem.share, problem.box)
    master = LinearMaster(groups)
    for j in range(len(problem)):
        master.add(problem.split(groups, j))
        found = master.solve()
        assert_optimal(groups, found)
        some = make(3)
        some.truth, some.values = problem.truth[: j + 1], problem.values[: j + 1]
        assert found.edge == pytest.approx(best_weights(some.margins, *some.bounds), abs=VALUE)


def test_lower_bounds_that_leave_no_choice_are_the_weights():
    problem = Problem(0).bound(nu=0.99, ratio=1 / 0.99)
    found = problem.at_once()
    groups = problem.groups()
    np.testing.assert_allclose(found.weights, groups.lower, atol=1e-12)
    assert found.edge == pytest.approx((problem.margins @ problem.share).max(), abs=GAP)
    assert found.margin == pytest.approx(found.edge, abs=GAP)


@pytest.mark.parametrize("rows", [7, 24, 1500, 9603])
def test_lower_bounds_that_rounding_pushes_over_one(rows):
    """nu = 0.1 and bounds ten times apart: shares of 1/n need not sum to one exactly."""
    problem = Problem(0, rows=rows).bound(nu=0.1, ratio=10)
    problem.share = np.full(rows, 1 / rows) * (1 + 1e-13)
    *_, last = problem.round_by_round()
    assert last.edge == pytest.approx((problem.margins @ problem.share).max(), abs=GAP)


@each_kind
@pytest.mark.parametrize("seed", SEEDS)
def test_round_by_round_is_the_same_as_at_once(make, seed):
    problem = make(seed)
    *_, last = problem.round_by_round()
    assert_same(last.coefficients, problem.at_once().coefficients)


@each_kind
@pytest.mark.parametrize("seed", SEEDS)
def test_both_methods_find_the_same_coefficients(make, seed):
    problem = make(seed)
    assert_same(problem.at_once("primal").coefficients, problem.at_once().coefficients)


@each_kind
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_examples_does_not_matter(make, seed):
    problem = make(seed)
    rows = problem.rng.permutation(len(problem.sign))
    assert_same(problem.at_once(rows=rows).coefficients, problem.at_once().coefficients)


@each_kind
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_rules_does_not_matter(make, seed):
    problem = make(seed)
    order = problem.rng.permutation(len(problem))
    found = problem.at_once(order=order).coefficients
    assert_same(found, problem.at_once().coefficients[order])


def test_a_near_tie_between_optima_is_told():
    """The two best slacks differ by a ten-thousandth of a tilt."""
    rng = np.random.default_rng(90)
    problem = Problem(0)
    problem.sign = rng.integers(0, 2, 24).astype(np.uint8)
    problem.sign[:2] = 0, 1
    problem.truth = rng.random((8, 24)) < rng.choice([0.2, 0.5])
    problem.values = np.where(rng.random((8, 1)) < 0.5, VOTES[:1], VOTES[1:])
    problem.bound(nu=rng.choice([1 / 24, 0.2, 0.5]))
    problem.keys = mix(rng.integers(0, 2**63, 8).astype(np.uint64))
    whole = problem.at_once().coefficients
    *_, last = problem.round_by_round()
    assert_same(last.coefficients, whole)
    assert_same(problem.at_once("primal").coefficients, whole)


def test_a_hundred_rows_and_forty_rules_have_one_optimum_too():
    """Larger, and with more optima that are nearly as good."""
    for seed in range(6):
        problem = Problem(seed, rows=100, rules=40)
        order = problem.rng.permutation(len(problem))
        whole = problem.at_once().coefficients
        *_, last = problem.round_by_round()
        assert_same(last.coefficients, whole)
        assert_same(problem.at_once(order=order).coefficients, whole[order])


@given(st.integers(0, 2**32 - 1), st.sampled_from(KINDS))
@settings(deadline=None, max_examples=40)
def test_any_way_leads_to_the_same_coefficients(seed, make):
    problem = make(seed)
    whole = problem.at_once().coefficients
    *_, last = problem.round_by_round()
    assert_same(last.coefficients, whole)
    assert_same(problem.at_once("primal").coefficients, whole)
    order = problem.rng.permutation(len(problem))
    assert_same(problem.at_once(order=order).coefficients, whole[order])


def assert_same(coefficients, others):
    np.testing.assert_allclose(coefficients, others, rtol=0, atol=COEFFICIENT)


def test_the_costs_of_groups_follow_their_keys():
    """A group that is wholly inside a test has a new key, and so a new tilt."""
    problem = Problem(0)
    groups = Groups(problem.sign, problem.share, problem.box)
    master = LinearMaster(groups)
    for j in range(len(problem)):
        master.add(problem.split(groups, j))
        present = np.flatnonzero(master._column != ABSENT)
        tilts = np.array(master._highs.getLp().col_cost_)[master._column[present]]
        np.testing.assert_array_equal(tilts, EDGE_COST * TILT * unit_interval(groups.keys[present]))
        assert len(present) > j


def test_groups_without_weight_are_left_out_and_enter_when_they_get_some():
    """Three rules that are right on most rows: few rows have weight, and others in each round."""
    problem = Problem(1, rows=400, rules=30).bound(nu=0.05)
    groups = Groups(problem.sign, problem.share, problem.box)
    master = LinearMaster(groups)
    late = 0
    for j in range(len(problem)):
        master.add(problem.split(groups, j))
        before = master._column.copy()
        weights = master.solve().weights
        entered = (before == ABSENT) & (master._column != ABSENT)
        late += int((weights[entered] > 0).sum())
        assert not weights[master._column == ABSENT].any()
    assert late > 0
    assert np.count_nonzero(master._column == ABSENT) > len(groups) / 2


def test_a_solver_that_fails_is_reported(monkeypatch):
    master = LinearMaster.from_groups(Problem(0).groups(), 8)
    monkeypatch.setattr(Highs, "getModelStatus", lambda _: HighsModelStatus.kIterationLimit)
    with pytest.raises(SolverError, match="HiGHS ended with"):
        master.solve()


def test_a_solver_that_fails_once_starts_from_nothing(monkeypatch):
    problem = Problem(0)
    expected = problem.at_once()
    master = LinearMaster.from_groups(problem.groups(), len(problem))
    asked = []

    def status(highs, true=Highs.getModelStatus):
        asked.append(true(highs))
        return HighsModelStatus.kUnknown if len(asked) == 1 else asked[-1]

    monkeypatch.setattr(Highs, "getModelStatus", status)
    assert_same(master.solve().coefficients, expected.coefficients)
    assert len(asked) > 1
