"""The entropic masters equal independent solvers, prove themselves, and do not mind the order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.masters.direct import best_weights, projected_by_slsqp, regularised_by_slsqp
from underdog.masters import entropy
from underdog.masters.dual import RIDGE
from underdog.masters.entropy import projected, regularised


def make(seed, groups=12, hypotheses=4, room=3.0, values=(-1.0, 1.0)):
    """Random margins, a start that is not uniform, and caps `room` times as high."""
    generator = np.random.default_rng(seed)
    margins = generator.choice(values, size=(groups, hypotheses))
    start = generator.integers(1, 6, size=groups).astype(float)
    start /= start.sum()
    return margins, start, room * start


def divergence(weights, start):
    some = weights > 0
    return float(weights[some] @ np.log(weights[some] / start[some]))


def linear_value(margins, upper):
    """The least greatest edge over the capped distributions."""
    return best_weights(margins.T, np.zeros(len(upper)), np.minimum(upper, 1.0))


def nearest(logs, upper):
    """min(upper, exp(logs) / Z) with sum 1, by bisection for ln Z."""
    caps = np.log(np.minimum(upper, 1.0))
    low, high = logs.min() - 50.0, logs.max() + 50.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if np.exp(np.minimum(caps, logs - middle)).sum() > 1.0:
            low = middle
        else:
            high = middle
    return np.exp(np.minimum(caps, logs - high))


def check_regularised(found, margins, start, upper, eta, gap=1e-10):
    """Everything that makes a pair of weights and coefficients the optimum."""
    a, d = found.coefficients, found.weights
    edges = d @ margins
    assert found.feasible
    assert (a >= 0).all()
    assert a.sum() == pytest.approx(1.0, abs=1e-12)
    assert (d >= 0).all()
    assert (d <= upper * (1 + 1e-12)).all()
    assert d.sum() == pytest.approx(1.0, abs=1e-12)
    primal = edges.max() + divergence(d, start) / eta
    assert found.primal == pytest.approx(primal, abs=1e-14 * max(1.0, 1.0 / eta))
    assert -1e-13 <= (found.primal - found.dual) * min(eta, 1.0) <= gap
    assert edges[a > 1e-6] == pytest.approx(edges.max(), abs=1e-9)
    assert d == pytest.approx(nearest(np.log(start) - eta * (margins @ a), upper), abs=1e-9)


def check_projected(found, margins, start, upper, limit):
    b, d = found.coefficients, found.weights
    edges = d @ margins
    scale = 1.0 + b.sum()
    assert found.feasible
    assert (b >= 0).all()
    assert (d >= 0).all()
    assert (d <= upper * (1 + 1e-12)).all()
    assert d.sum() == pytest.approx(1.0, abs=1e-12)
    assert edges.max() <= limit + 1.1 * RIDGE
    assert found.primal == pytest.approx(divergence(d, start), rel=1e-12, abs=1e-15)
    assert abs(found.primal - found.dual) <= 1e-10 * scale
    assert edges[b > 1e-6 * scale] == pytest.approx(limit, abs=1e-9)
    assert d == pytest.approx(nearest(np.log(start) - margins @ b, upper), abs=1e-9)


@pytest.mark.parametrize("eta", [0.5, 5.0, 50.0])
@pytest.mark.parametrize("seed", range(4))
def test_regularised_equals_a_general_solver(seed, eta):
    margins, start, upper = make(seed, groups=8, hypotheses=3, values=(-1.0, -0.3, 0.0, 1.0))
    value, weights = regularised_by_slsqp(margins, start, upper, eta)
    ours = regularised(margins, start, upper, eta)
    assert ours.primal == pytest.approx(value, abs=1e-8)
    assert ours.weights == pytest.approx(weights, abs=1e-4)
    check_regularised(ours, margins, start, upper, eta)


@pytest.mark.parametrize("seed", range(6))
def test_projected_equals_a_general_solver(seed):
    margins, start, upper = make(seed, groups=8, hypotheses=3, values=(-1.0, -0.3, 0.0, 1.0))
    limit = 0.6 * linear_value(margins, upper) + 0.4 * (start @ margins).max()
    value, weights = projected_by_slsqp(margins, start, upper, limit)
    ours = projected(margins, start, upper, limit)
    assert ours.primal == pytest.approx(value, abs=1e-8)
    assert ours.weights == pytest.approx(weights, abs=1e-5)
    check_projected(ours, margins, start, upper, limit)


@pytest.mark.parametrize("eta", [1e-6, 1e-2, 1.0, 1e2, 1e4, 1e6])
def test_regularised_is_optimal_whatever_eta(eta):
    margins, start, upper = make(1, groups=200, hypotheses=20)
    check_regularised(regularised(margins, start, upper, eta), margins, start, upper, eta)


@pytest.mark.parametrize("room", [1.2, 3.0, np.inf])
def test_the_linear_programme_is_the_limit(room):
    margins, start, upper = make(2, groups=60, hypotheses=10, room=room)
    value = linear_value(margins, upper)
    for eta in (1e1, 1e2, 1e3, 1e4, 1e5):
        ours = regularised(margins, start, upper, eta).primal
        assert value - 1e-12 <= ours <= value + np.log(1.0 / start.min()) / eta


def test_projection_at_the_edge_of_a_regularised_solution_is_that_solution():
    # Both are points of one path: the first is given the sum of the multipliers, the second
    # the edge that belongs to it.
    margins, start, upper = make(3, groups=80, hypotheses=9)
    for eta in (2.0, 10.0, 30.0):
        first = regularised(margins, start, upper, eta)
        second = projected(margins, start, upper, (first.weights @ margins).max())
        assert second.weights == pytest.approx(first.weights, abs=1e-8)
        assert second.coefficients == pytest.approx(eta * first.coefficients, abs=1e-5)


def test_nothing_moves_if_the_start_keeps_the_limit():
    margins, start, upper = make(4)
    found = projected(margins, start, upper, limit=(start @ margins).max() + 1e-9)
    assert found.feasible
    assert not found.coefficients.any()
    assert found.weights == pytest.approx(start, abs=1e-15)
    assert found.primal == pytest.approx(0.0, abs=1e-15)
    assert found.dual == pytest.approx(0.0, abs=1e-15)


def test_a_start_above_the_caps_is_brought_below_them():
    start = np.array([0.7, 0.2, 0.1])
    upper = np.array([0.4, 0.5, 0.9])
    found = projected(np.zeros((3, 1)), start, upper, limit=0.5)
    assert found.weights == pytest.approx([0.4, 0.4, 0.2], abs=1e-15)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("room", [1.5, np.inf])
@pytest.mark.parametrize("distance", [1e-1, 1e-3, 1e-6])
def test_limits_about_the_least_possible_one(seed, room, distance):
    margins, start, upper = make(seed, groups=50, hypotheses=6, room=room)
    value = linear_value(margins, upper)
    above = projected(margins, start, upper, value + distance)
    check_projected(above, margins, start, upper, value + distance)
    for guess in (None, above.coefficients, np.ones(6)):
        below = projected(margins, start, upper, value - distance, guess)
        assert not below.feasible
        assert below.primal == np.inf
        # The proof: under these coefficients every distribution has an edge above the limit.
        a = below.coefficients / below.coefficients.sum()
        assert linear_value((margins @ a)[:, None], upper) > value - distance


def test_without_caps_one_hypothesis_has_a_closed_form():
    margins, start, _ = make(5, hypotheses=1)
    free = np.full(start.size, np.inf)
    for eta in (0.1, 1.0, 30.0):
        tilted = start * np.exp(-eta * margins[:, 0])
        found = regularised(margins, start, free, eta)
        assert found.coefficients == pytest.approx([1.0])
        assert found.weights == pytest.approx(tilted / tilted.sum(), rel=1e-12)
        assert found.dual == pytest.approx(-np.log(tilted.sum()) / eta, rel=1e-12)
    # AdaBoost's step makes the edge 0, and so does the projection.
    plus = start[margins[:, 0] > 0].sum()
    found = projected(margins, start, free, 0.0)
    if plus > 0.5:
        assert found.coefficients == pytest.approx([0.5 * np.log(plus / (1 - plus))], abs=1e-9)


def test_two_groups():
    margins = np.array([[1.0, -0.5], [-1.0, 0.5]])
    even = np.full(2, 0.5)
    found = regularised(margins, even, np.ones(2), eta=7.0)
    check_regularised(found, margins, even, np.ones(2), 7.0)
    assert found.weights == pytest.approx(even, abs=1e-9)
    assert found.coefficients == pytest.approx([1 / 3, 2 / 3], abs=1e-9)


def test_one_group():
    found = regularised(np.array([[0.5, -1.0, 0.5]]), np.ones(1), np.ones(1), eta=3.0)
    assert found.coefficients == pytest.approx([0.5, 0.0, 0.5], abs=1e-12)
    assert found.primal == pytest.approx(0.5)
    assert projected(np.array([[0.5]]), np.ones(1), np.ones(1), limit=0.5).feasible
    assert not projected(np.array([[0.5]]), np.ones(1), np.ones(1), limit=0.4).feasible


@pytest.mark.parametrize("excess", [0.0, 1e-15, 1e-12, 1e-9, 1e-6])
def test_caps_that_leave_hardly_a_choice(excess):
    margins, start, _ = make(6)
    upper = start * (1.0 + excess)
    found = regularised(margins, start, upper, eta=10.0)
    assert found.weights == pytest.approx(start, abs=1e-5)
    assert found.primal - found.dual <= 1e-10
    best = (start @ margins).max()
    assert projected(margins, start, upper, best + 1e-4).feasible
    assert not projected(margins, start, upper, best - 1e-4).feasible


def dependent(seed):
    """Margins with h, -h, a copy of h, the mean of two others, and a constant."""
    margins, start, upper = make(seed, groups=40, hypotheses=5)
    h, other = margins[:, 0], margins[:, 1]
    more = np.column_stack([-h, h, 0.5 * (h + other), np.full(h.size, -0.7)])
    return np.column_stack([margins, more]), start, upper


@pytest.mark.parametrize("eta", [3.0, 100.0, 1e4])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("build", [make, dependent])
def test_order_and_guess_change_nothing(build, seed, eta):
    margins, start, upper = build(seed)
    generator = np.random.default_rng(seed)
    limit = linear_value(margins, upper) + 1.0 / eta
    by_price = regularised(margins, start, upper, eta)
    by_limit = projected(margins, start, upper, limit)
    for _ in range(4):
        rows, columns = (generator.permutation(size) for size in margins.shape)
        guess = generator.random(columns.size)
        mixed = margins[np.ix_(rows, columns)], start[rows], upper[rows]
        again = regularised(*mixed, eta, guess)
        assert again.coefficients == pytest.approx(by_price.coefficients[columns], abs=1e-9)
        assert again.weights == pytest.approx(by_price.weights[rows], abs=1e-9)
        again = projected(*mixed, limit, guess)
        scale = 1.0 + again.coefficients.sum()
        assert again.coefficients == pytest.approx(by_limit.coefficients[columns], abs=1e-9 * scale)
        assert again.weights == pytest.approx(by_limit.weights[rows], abs=1e-9)


@pytest.mark.parametrize("build", [make, dependent])
def test_split_groups_change_nothing(build):
    margins, start, upper = build(7)
    encoded = np.linspace(0.1, 0.9, start.size)
    twice = np.vstack([margins, margins])
    starts = np.concatenate([encoded * start, (1 - encoded) * start])
    uppers = np.concatenate([encoded * upper, (1 - encoded) * upper])
    for eta in (3.0, 300.0):
        whole = regularised(margins, start, upper, eta)
        split = regularised(twice, starts, uppers, eta)
        assert split.coefficients == pytest.approx(whole.coefficients, abs=1e-9)
        first, second = np.split(split.weights, 2)
        assert first + second == pytest.approx(whole.weights, abs=1e-12)
        assert first == pytest.approx(encoded * whole.weights, abs=1e-12)
    limit = linear_value(margins, upper) + 0.01
    whole = projected(margins, start, upper, limit)
    split = projected(twice, starts, uppers, limit)
    assert split.coefficients == pytest.approx(whole.coefficients, abs=1e-9)


def test_of_equal_solutions_the_one_of_least_norm():
    margins, start, upper = make(8, groups=40, hypotheses=3)
    copies = np.column_stack([margins, margins[:, 0], margins[:, 0]])
    one = regularised(margins, start, upper, 20.0).coefficients
    many = regularised(copies, start, upper, 20.0).coefficients
    assert (one > 0.01).all()
    assert many[[0, 3, 4]] == pytest.approx(one[0] / 3, abs=1e-9)
    assert many[[1, 2]] == pytest.approx(one[1:], abs=1e-9)
    # With the mean of two columns added, a step along (1, 1, -2) changes no score.
    mean = np.column_stack([margins, 0.5 * (margins[:, 0] + margins[:, 1])])
    a = regularised(mean, start, upper, 20.0).coefficients
    assert (a > 0.01).all()
    assert a[0] + a[1] - 2 * a[3] == pytest.approx(0.0, abs=1e-9)


def test_a_hypothesis_and_its_opposite_have_value_zero():
    margins, start, upper = make(9, groups=30, hypotheses=1)
    both = np.column_stack([margins, -margins])
    found = regularised(both, start, upper, 50.0)
    check_regularised(found, both, start, upper, 50.0)
    assert (found.weights @ both) == pytest.approx([0.0, 0.0], abs=1e-9)
    pinned = projected(both, start, upper, 0.0)
    check_projected(pinned, both, start, upper, 0.0)
    assert pinned.coefficients.min() == pytest.approx(0.0, abs=1e-9)


def test_columns_may_be_added_one_by_one():
    margins, start, upper = make(10, groups=150, hypotheses=25)
    guess = np.zeros(0)
    for count in range(1, 26):
        some = margins[:, :count]
        guess = np.append(guess, 0.0)
        found = regularised(some, start, upper, 80.0, guess)
        check_regularised(found, some, start, upper, 80.0)
        guess = found.coefficients


def test_input_stays_as_it_is():
    given_arrays = (*make(11, values=(-0.9, 0.1, 0.7)), np.full(4, 0.25))
    copies = [array.copy() for array in given_arrays]
    for array in given_arrays:
        array.flags.writeable = False
    margins, start, upper, guess = given_arrays
    regularised(margins, start, upper, 10.0, guess)
    projected(margins, start, upper, linear_value(margins, upper) + 0.01, guess)
    for array, copy in zip(given_arrays, copies, strict=True):
        assert np.array_equal(array, copy)


def test_an_unfinished_solution_shows_its_gap(monkeypatch):
    margins, start, upper = make(12, groups=100, hypotheses=15)
    monkeypatch.setattr(entropy, "_newton", lambda problem, b, **_: (problem.at(b), False))
    found = regularised(margins, start, upper, 1e3)
    assert 1e-12 < found.primal - found.dual < 1e-3
    monkeypatch.setattr(entropy, "interior", lambda *_: np.full(15, 1e3 / 15))
    found = regularised(margins, start, upper, 1e3)
    assert found.primal - found.dual > 1e-2


@st.composite
def problems(draw):
    groups, hypotheses = draw(st.integers(1, 12)), draw(st.integers(1, 6))
    value = st.sampled_from([-1.0, -0.5, 0.0, 0.1, 1.0]) | st.floats(-1.0, 1.0)
    margins = draw(
        st.lists(
            st.lists(value, min_size=hypotheses, max_size=hypotheses),
            min_size=groups,
            max_size=groups,
        )
    )
    mass = st.floats(1e-6, 1.0)
    start = np.array(draw(st.lists(mass, min_size=groups, max_size=groups)))
    upper = np.array(draw(st.lists(mass, min_size=groups, max_size=groups)))
    start /= start.sum()
    upper *= draw(st.sampled_from([1.01, 1.5, 4.0, np.inf])) / upper.sum()
    return np.array(margins), start, upper


@settings(max_examples=60, deadline=None)
@given(problems(), st.floats(-1.0, 4.0))
def test_any_problem_with_a_price(problem, power):
    eta = 10.0**power
    found = regularised(*problem, eta)
    check_regularised(found, *problem, eta)


@settings(max_examples=60, deadline=None)
@given(problems(), st.floats(-5.0, 0.0))
def test_any_problem_with_a_limit(problem, power):
    margins, _, upper = problem
    value = linear_value(margins, upper)
    check_projected(projected(*problem, value + 10.0**power), *problem, value + 10.0**power)
    assert not projected(*problem, value - 10.0**power).feasible
