"""Criteria in NumPy and by number in the kernels: the same scores and values, block by block."""

import math

import numpy as np
import pytest

from tests.kernels import twins
from tests.learners.every_criterion import CRITERIA, each_beta, each_criterion
from underdog.core.parts import CHANNELS
from underdog.kernels import criteria
from underdog.learners.criteria import NAMES, RealZ, SignRoot, UnevenZ, criterion

SMOOTH = (1e-3, 1e-9)
EXTREME = np.array(
    [
        [0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1e-300, 1e-300], [1e-300, 1.0],
        [2.0**-60, 0.25], [0.25, 2.0**-60], [1.0, 1e-18], [0.3, 0.3 * (1 + 1e-15)],
    ]
)  # fmt: skip
"""[negatives, positives] of a block."""


def masses(seed=0, blocks=200, labels=3):
    """[block, channel, label] weights of all sizes, the extreme ones among them."""
    rng = np.random.default_rng(seed)
    found = rng.random((blocks, 2, labels)) * 10.0 ** rng.uniform(-12, 0, (blocks, 1, 1))
    found[rng.random(found.shape) < 0.1] = 0.0
    found[: len(EXTREME), :, 0] = EXTREME
    return found / labels


def block_alone(kind):
    return not issubclass(kind, SignRoot)


def test_every_criterion_can_be_made():
    assert CRITERIA.made
    assert not CRITERIA.lacking()


@each_criterion
@each_beta
@pytest.mark.parametrize("smooth", SMOOTH)
def test_values_are_those_of_the_kernel(kind, beta, smooth):
    own, weights = kind(beta), masses()
    found = own.value(weights, smooth)
    assert found.shape == (200, 3)
    assert np.isfinite(found).all()
    for block, label in np.ndindex(found.shape):
        minus, plus = weights[block, :, label].tolist()
        wanted = criteria.block_value(own.number, plus, minus, smooth, beta)
        assert found[block, label] == pytest.approx(wanted, rel=1e-12, abs=1e-14)


@each_criterion
@each_beta
@pytest.mark.parametrize("smooth", SMOOTH)
def test_scores_are_those_of_the_kernel(kind, beta, smooth):
    """The sum over labels, block by block."""
    own, weights = kind(beta), masses(1)
    if not block_alone(kind):
        with pytest.raises(TypeError, match="scores both blocks of a stump"):
            own.score(weights, smooth)
        return
    found = own.score(weights, smooth)
    assert found.shape == (200,)
    assert np.isfinite(found).all()
    for block, score in enumerate(found.tolist()):
        wanted = sum(
            criteria.block_score(own.number, plus, minus, smooth, beta)
            for minus, plus in weights[block].T.tolist()
        )
        assert score == pytest.approx(wanted, rel=1e-11, abs=1e-15)


@each_criterion
@each_beta
def test_the_score_of_a_stump_is_the_sum_of_its_blocks(kind, beta):
    own, weights = kind(beta), masses(2, labels=1)
    weights /= weights.sum(axis=(1, 2), keepdims=True).clip(1e-12)
    work = np.empty(criteria.SCRATCH)
    alone = own.score(weights, 1e-3) if block_alone(kind) else None
    for one in range(0, 198, 2):
        (fm, fp), (tm, tp) = weights[one : one + 2, :, 0].tolist()
        found = criteria.score(own.number, tp, tm, fp, fm, 1e-3, beta, work)
        if alone is None:
            wanted = twins.score(own.number, tp, tm, fp, fm, 1e-3, beta)
            assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)
        else:
            assert found == pytest.approx(alone[one] + alone[one + 1], rel=1e-11, abs=1e-15)


@each_criterion
@each_beta
def test_values_of_stumps_are_those_of_blocks_but_for_tied_votes(kind, beta):
    own, weights = kind(beta), masses(3, blocks=400, labels=1)
    weights[::7, 1] = weights[::7, 0] * beta ** (own.converges_to == "minimum")
    tied = 0
    for one in range(0, 398, 2):
        sums, out = weights[one : one + 2], np.empty((2, 1))
        (fm, fp), (tm, tp) = sums[:, :, 0].tolist()
        out[1, 0], out[0, 0] = criteria.values(own.number, tp, tm, fp, fm, 1e-3, beta)
        alone = own.value(sums, 1e-3)
        same = np.isclose(out, alone, rtol=1e-12, atol=1e-15)
        if own.final:
            assert same.all()
            continue
        assert set(np.abs(out).ravel().tolist()) == {1.0}
        assert (same | (alone == 0.0)).all()
        if (alone == 0.0).any():
            tied += 1
            assert out.sum() == 0.0
    assert own.final or tied > 10


@each_criterion
@each_beta
def test_votes_wait_for_a_coefficient(kind, beta):
    """-1, 1, or 0 on a tie; what is final is of any size."""
    own = kind(beta)
    found = np.abs(own.value(masses(4), 1e-3))
    assert set(np.unique(found)) <= {0.0, 1.0} if not own.final else len(np.unique(found)) > 9


@each_criterion
@each_beta
def test_where_rules_are_silent(kind, beta):
    """At the least uneven loss W_+ / beta = W_-, at balance W_+ = W_-; they speak beside it."""
    own = kind(beta)
    if own.reads == "newton":
        np.testing.assert_array_equal(own.value(np.array([[0.0], [0.3]]), 0.0), 0.0)
        return
    minus = np.array([0.01, 0.2, 0.4])
    ratio = {"minimum": beta, "balance": 1.0}.get(own.converges_to)
    if ratio is None:
        assert not own.final
        return
    for factor, side in ((1.0, 0.0), (1.1, 1.0), (0.9, -1.0)):
        weights = np.stack([minus, factor * ratio * minus])
        said = own.value(weights, 0.0)
        np.testing.assert_array_equal(np.sign(said.round(12)), side)


@each_criterion
@each_beta
def test_the_greatest_edge_is_where_it_is_promised(kind, beta):
    """The score is minus the edge of votes, so the least score is the greatest edge."""
    own = kind(beta)
    if not own.maximises_edge:
        return
    weights = masses(5, labels=1)
    edges = (own.value(weights, 0.0) * (weights[:, 1] - weights[:, 0])).sum(axis=-1)
    np.testing.assert_allclose(own.score(weights, 0.0), -edges, rtol=1e-12, atol=criteria.TIE)
    assert not own.final


@each_criterion
def test_what_it_says_of_itself(kind):
    assert kind.reads in CHANNELS
    assert kind.converges_to in ("minimum", "balance", "unknown")
    assert kind() == kind(1.0) != kind(2.0)
    assert len({kind(2.0), kind(2.0)}) == 1


def test_each_number_belongs_to_one_formula():
    """Two criteria have a number in common only if they score and say the same."""
    by_number = {}
    for made in CRITERIA.made.values():
        by_number.setdefault(made.number, []).append(made)
    weights = masses(6)
    for alike in by_number.values():
        for other in alike[1:]:
            np.testing.assert_array_equal(alike[0].value(weights, 1e-3), other.value(weights, 1e-3))
    known = [
        getattr(criteria, name) for name in dir(criteria) if name.startswith(("REAL_", "SIGN_"))
    ]
    known += [
        criteria.UNEVEN_Z,
        criteria.UNEVEN_UNIT,
        criteria.GENTLE,
        criteria.NEWTON,
        criteria.CLASS_ENTROPY,
        criteria.ENTROPY,
    ]
    assert sorted(by_number) == sorted(known)


@pytest.mark.parametrize("name", NAMES)
@each_beta
@pytest.mark.parametrize("by", ["z", "edge"])
def test_every_name(name, beta, by):
    own = criterion(name, beta, by)
    assert own.beta == beta
    assert type(own).__name__ in CRITERIA.classes
    assert own.final == name.startswith(("real", "gentle"))
    if beta == 1.0 and name in ("discrete", "disc.u"):
        assert own == criterion("disc.mh", 1.0, by)
    if by == "edge" and name in ("real", "discrete"):
        assert own == criterion({"real": "real.lp", "discrete": "disc.lp"}[name], beta)


def test_even_criteria_are_the_uneven_ones_at_beta_one():
    """By the same arithmetic up to rounding."""
    weights = masses(7)
    for uneven, even in (("real.u", "real.mh"), ("disc.u", "disc.mh")):
        one, other = criterion(uneven), criterion(even)
        np.testing.assert_array_equal(one.value(weights, 1e-3), other.value(weights, 1e-3))
    np.testing.assert_allclose(
        UnevenZ(1.0).value(weights, 1e-3), RealZ(1.0).value(weights, 1e-3), rtol=1e-12
    )


def test_the_values_minimise_what_they_say():
    """Z of one block at the value that is said is the least there is."""
    for beta, kind in ((1.0, "real"), (3.0, "real"), (0.25, "real")):
        own = criterion(kind, beta)
        for minus, plus in ((0.2, 0.3), (0.01, 0.7), (0.5, 1e-4)):
            value = own.value(np.array([[minus], [plus]]), 0.0).item()

            def z(c, plus=plus, minus=minus, beta=beta):
                return plus * math.exp(-c / beta) + minus * math.exp(c)

            assert z(value) < min(z(value - 1e-4), z(value + 1e-4))
