"""Scores and block values of tests, and the sums that bounds are made of."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from tests.kernels import twins
from tests.kernels.every_criterion import EVERY_RULE
from underdog.kernels import criteria
from underdog.kernels.elementary import log

MASSES = st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4).map(
    lambda m: [w / sum(m) for w in m] if sum(m) > 1e-3 else [0.25] * 4
)
POSITIVE = st.lists(st.floats(0.01, 1.0), min_size=4, max_size=4)
EDGES = [
    [0.25, 0.25, 0.25, 0.25],
    [0.5, 0.0, 0.0, 0.5],
    [0.0, 0.0, 0.5, 0.5],
    [1.0, 0.0, 0.0, 0.0],
    [0.3, 0.3, 0.2, 0.2],
    [0.0, 0.6, 0.0, 0.4],
    [0.5, 2.0**-60, 0.1, 0.4],
]


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.sampled_from([0.0, 1e-6, 0.01]))
def test_log_odds(plus, minus, smooth):
    found = criteria.log_odds(plus, minus, smooth)
    assert found == pytest.approx(twins.log_odds(plus, minus, smooth), rel=1e-12, abs=1e-14)
    assert found == -criteria.log_odds(minus, plus, smooth)


def test_log_odds_of_empty_and_pure_blocks():
    assert criteria.log_odds(0.0, 0.0, 0.0) == criteria.log_odds(0.3, 0.3, 0.1) == 0.0
    assert criteria.log_odds(1.0, 0.0, 0.0) == pytest.approx(30 * math.log(2.0))


VOTES = pytest.mark.parametrize(
    "criterion", [criteria.SIGN_EDGE, criteria.SIGN_ROOT, criteria.SIGN_SLOPE]
)


@VOTES
@pytest.mark.parametrize("masses", EDGES)
def test_signs_of_ties_and_pure_blocks(criterion, masses):
    assert criteria.values(criterion, *masses, 1e-3, 1.0) == twins.signs(*masses)


@VOTES
@given(masses=MASSES)
def test_signs(criterion, masses):
    found = criteria.values(criterion, *masses, 1e-3, 1.0)
    assert found == twins.signs(*masses)
    assert set(map(abs, found)) == {1.0}


@VOTES
@given(masses=MASSES)
def test_only_a_tied_block_is_told_by_the_other(criterion, masses):
    """A block alone has its majority, or 0; the votes of a stump are these but for the zeros."""
    alone = [criteria.block_value(criterion, *own, 1e-3, 1.0) for own in (masses[:2], masses[2:])]
    both = criteria.values(criterion, *masses, 1e-3, 1.0)
    for own, said in zip(alone, both, strict=True):
        assert own in (0.0, said)
    assert both == criteria.opposed(*alone)


@EVERY_RULE
@pytest.mark.parametrize("beta", [1.0, 2.0, 8.0])
@given(masses=st.one_of(MASSES, st.sampled_from(EDGES)))
def test_values_and_score(criterion, beta, masses):
    smooth, work = 1e-3, np.empty(criteria.SCRATCH)
    found = criteria.values(criterion, *masses, smooth, beta)
    assert found == pytest.approx(
        twins.values(criterion, *masses, smooth, beta), rel=1e-10, abs=1e-12
    )
    wanted = twins.score(criterion, *masses, smooth, beta)
    assert criteria.score(criterion, *masses, smooth, beta, work) == pytest.approx(
        wanted, rel=1e-9, abs=1e-9
    )


@EVERY_RULE
@given(masses=st.one_of(MASSES, st.sampled_from(EDGES)))
def test_score_does_not_depend_on_which_block_is_called_true(criterion, masses):
    """Up to a tie: a sparse column that stores its lower value must not be ranked differently."""
    tp, tm, fp, fm = masses
    work = np.empty(criteria.SCRATCH)
    one = criteria.score(criterion, tp, tm, fp, fm, 1e-3, 3.0, work)
    other = criteria.score(criterion, fp, fm, tp, tm, 1e-3, 3.0, work)
    assert abs(one - other) <= criteria.TIE / 100
    assert one == other or criterion == criteria.SIGN_ROOT


@given(POSITIVE, st.sampled_from([1.0, 2.0, 5.0, 100.0]), st.sampled_from([0.0, 1e-3]))
def test_uneven_score_is_the_least_z(masses, beta, smooth):
    """UNEVEN_Z's closed form is what its own values reach, up to the constant factor.

    With smoothing both are those of W+/beta + e and W- + e.
    """
    tp, tm, fp, fm = masses
    work = np.empty(criteria.SCRATCH)
    true, false = criteria.values(criteria.UNEVEN_Z, tp, tm, fp, fm, smooth, beta)
    smoothed = (tp + beta * smooth, tm + smooth, fp + beta * smooth, fm + smooth)
    reached = twins.z_at(1.0, true, false, *smoothed, beta)
    factor = 1.0 + beta  # W+/beta and W- each appear once at the minimum, beta of the first
    found = criteria.score(criteria.UNEVEN_Z, tp, tm, fp, fm, smooth, beta, work)
    assert factor * found == pytest.approx(reached, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("beta", [2.0, 16.0, 100.0])
def test_no_negatives_are_no_proof_where_there_are_few_positives(beta):
    """60 positives, 6000 negatives: a word of 30 and 10 of them is worth more than one of 2 and 0.

    Without smoothing the second one's block has Z = 0, and with beta = 100 it would be chosen.
    """
    unit, work = 1.0 / (60 * beta + 6000), np.empty((2, 4))

    def score(plus, minus):
        masses = plus * beta * unit, minus * unit, (60 - plus) * beta * unit, (6000 - minus) * unit
        return criteria.score(criteria.UNEVEN_Z, *masses, 1 / 6060, beta, work)

    assert score(30, 10) < score(2, 0)


def test_minimiser_of_two_masses_is_the_closed_form():
    for plus, minus in ((0.7, 0.3), (0.5, 0.5), (0.999, 0.001), (1e-9, 1 - 1e-9)):
        found = criteria.minimiser(np.array([plus, minus]), np.array([1.0, -1.0]))
        assert found == pytest.approx(0.5 * math.log(plus / minus), rel=1e-10, abs=1e-12)


@given(st.lists(st.tuples(st.floats(0.01, 1.0), st.floats(0.1, 3.0)), min_size=1, max_size=6))
def test_minimiser_is_the_root_of_the_derivative(pairs):
    mass = np.array([m for m, _ in pairs] + [0.3])
    slope = np.array([s for _, s in pairs] + [-0.7])
    a = criteria.minimiser(mass, slope)
    pulls = mass * slope * np.exp(-a * slope)
    assert abs(pulls.sum()) <= 1e-9 * np.abs(pulls).sum()


def test_minimiser_of_one_sided_masses_goes_to_the_end():
    assert criteria.minimiser(np.array([1.0]), np.array([1.0])) > 30.0
    assert criteria.minimiser(np.array([1.0]), np.array([-1.0])) < -30.0
    assert criteria.minimiser(np.empty(0), np.empty(0)) == 0.0
    assert criteria.minimiser(np.zeros(3), np.ones(3)) == 0.0


@given(st.floats(0, 1), st.floats(0, 1), st.floats(-20, 20), st.sampled_from([1.0, 4.0]))
def test_uneven_z(plus, minus, value, beta):
    wanted = plus * math.exp(-value / beta) + minus * math.exp(value)
    assert criteria.uneven_z(plus, minus, value, beta) == pytest.approx(wanted, rel=1e-13)


def sums_and_units(n_labels, seed=0, n_blocks=2):
    rng = np.random.default_rng(seed)
    sums = rng.integers(0, 2**55, (n_blocks, 2, n_labels))
    if n_labels > 1:
        sums[:, :, 0] = 0
        sums[0, :, 1] = 0
    unit = rng.uniform(1e-18, 1e-17, (2, n_labels))
    return sums, unit


@EVERY_RULE
@pytest.mark.parametrize("n_labels", [1, 4])
def test_fill(criterion, n_labels):
    sums, unit = sums_and_units(n_labels)
    out = np.empty((2, n_labels))
    criteria.fill(criterion, sums, unit, 1e-4, 2.0, out)
    for k in range(n_labels):
        tp, tm, fp, fm = (
            float(sums[b, s, k] * unit[s, k]) for b, s in ((1, 1), (1, 0), (0, 1), (0, 0))
        )
        true, false = twins.values(criterion, tp, tm, fp, fm, 1e-4, 2.0)
        np.testing.assert_allclose(out[:, k], [false, true], rtol=1e-10, atol=1e-12)


@EVERY_RULE
@pytest.mark.parametrize("n_blocks", [1, 3])
def test_blocks_that_are_not_a_stump_speak_for_themselves(criterion, n_blocks):
    """A tied vote says nothing there."""
    sums, unit = sums_and_units(4, n_blocks=n_blocks)
    unit[1] = unit[0]
    sums[0, 1, 3] = sums[0, 0, 3]
    out = np.empty((n_blocks, 4))
    criteria.fill(criterion, sums, unit, 1e-4, 2.0, out)
    for (b, k), found in np.ndenumerate(out):
        plus, minus = float(sums[b, 1, k] * unit[1, k]), float(sums[b, 0, k] * unit[0, k])
        wanted = twins.value(criterion, plus, minus, 1e-4, 2.0)
        assert found == pytest.approx(wanted, rel=1e-10, abs=1e-12)
    assert out[0, 0] == 0.0 or criterion == criteria.UNEVEN_Z


@pytest.mark.parametrize("n_labels", [1, 4])
@pytest.mark.parametrize("n_blocks", [1, 2, 5])
def test_edge_and_normaliser(n_labels, n_blocks):
    sums, unit = sums_and_units(n_labels, n_blocks=n_blocks)
    values, rate = np.random.default_rng(1).normal(size=(n_blocks, n_labels)), np.array([1.0, 0.5])
    masses = sums * unit
    edge = (values[:, np.newaxis] * masses * np.array([[-1.0], [1.0]])).sum()
    assert criteria.edge_of(values, sums, unit) == pytest.approx(edge, rel=1e-12)
    y_rate = np.array([-1.0, 1.0])[:, np.newaxis] * rate[:, np.newaxis]
    z = (masses * np.exp(-y_rate * values[:, np.newaxis])).sum()
    assert criteria.normaliser(values, sums, unit, rate) == pytest.approx(z, rel=1e-12)


@pytest.mark.parametrize("shape", [(2, 1), (2, 5)])
def test_on_grid(shape):
    values = np.random.default_rng(2).normal(size=shape) * 20
    out = np.empty(shape)
    largest = criteria.on_grid(values, 0.3, out)
    np.testing.assert_array_equal(out, np.rint(0.3 * values * 2.0**36) / 2.0**36)
    assert largest == np.abs(out).max()


def test_measure_is_its_parts_in_one_call():
    rng = np.random.default_rng(0)
    values, rate = rng.normal(size=(2, 3)), np.array([1.0, 0.5])
    sums, unit = rng.integers(0, 100, (2, 2, 3)), rng.random((2, 3)) / 600
    steps, wanted = np.empty((2, 3)), np.empty((2, 3))
    found = criteria.measure(values, 0.7, sums, unit, rate, steps)
    largest = criteria.on_grid(values, 0.7, wanted)
    z = criteria.normaliser(wanted, sums, unit, rate)
    np.testing.assert_array_equal(steps, wanted)
    assert found == (largest, z, log(z), criteria.edge_of(values, sums, unit))
    nothing = criteria.measure(values, 0.7, 0 * sums, unit, rate, steps)
    assert nothing[1:] == (criteria.MIN_Z, log(criteria.MIN_Z), 0.0)


@pytest.mark.parametrize("n_labels", [1, 5])
def test_normalise(n_labels):
    """Also where the logarithms are far beyond the range of a float."""
    rng = np.random.default_rng(3)
    totals = rng.integers(2**50, 2**60, (2, n_labels))
    logs = rng.normal(size=(2, n_labels)) * 5 + 30_000.0
    if n_labels > 1:
        totals[1, 2], logs[1, 2] = 0, 1e6  # no example: its unit does not count
    out = np.empty((2, n_labels))
    criteria.normalise(totals, logs, out)
    there = totals > 0
    everything = logsumexp(logs[there] + np.log(totals[there]))
    np.testing.assert_allclose(out[there], np.exp(logs[there] - everything), rtol=1e-11)
    assert not out[~there].any()
    assert (out * totals).sum() == pytest.approx(1.0, rel=1e-12)
