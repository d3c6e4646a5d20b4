"""Integer weights: a pure function of the score, and everything that is summed from them."""

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import twins
from underdog.core.blocks import Blocks
from underdog.kernels import weights
from underdog.kernels.elementary import to_grid


@given(st.floats(-60.0, 1.0), st.integers(0, 60))
def test_unit_is_the_rounded_formula(height, exponent):
    """Within half a unit of the exact number, and two units in the last place of a float."""
    exact = twins.exact_units(height, exponent)
    found = weights.unit(height, exponent)
    assert abs(Decimal(int(found)) - exact) <= Decimal("0.5") + 2 * Decimal(math.ulp(float(exact)))


@given(st.floats(58.0, 61.99), st.integers(-80, 61))
def test_unit_is_the_rounded_formula_up_to_the_largest_total(power, exponent):
    """Totals may come close to 2**62, and one example may hold nearly all of one."""
    height = (power - exponent) * math.log(2.0)
    exact = float(twins.exact_units(height, exponent))
    assert weights.unit(height, exponent) == pytest.approx(exact, rel=1e-15)


@pytest.mark.parametrize(
    ("height", "exponent", "wanted"),
    [(0.0, 0, 1), (0.0, 59, 2**59), (-1e6, 59, 0), (-800.0, 60, 0), (0.0, -1, 0), (0.0, -64, 0)],
)
def test_unit_at_the_ends(height, exponent, wanted):
    assert weights.unit(height, exponent) == wanted


def test_unit_stays_within_an_integer():
    assert 2**61 < weights.unit(500.0, 59) < 2**63 - 1


def test_unit_never_falls():
    found = [weights.unit(height, 50) for height in np.linspace(-40.0, 1.0, 20_001).tolist()]
    assert (np.diff(found) >= 0).all()


KINDS = ("ordinary", "no rows", "one row", "one sign", "equal scores")


def signal(kind, n_labels, seed=0):
    """The arrays of an exponential signal whose scores lie on the grid."""
    rng = np.random.default_rng(seed)
    n_rows = {"no rows": 0, "one row": 1}.get(kind, 50)
    score = np.array([[to_grid(x) for x in row] for row in 3 * rng.normal(size=(n_rows, n_labels))])
    score = score.reshape(n_rows, n_labels)
    if kind == "equal scores":
        score[:] = 0.25
    return {
        "score": score,
        "sign": (rng.random((n_rows, n_labels)) < (1.0 if kind == "one sign" else 0.3)).astype(
            np.uint8
        ),
        "log_prior": -rng.random(n_rows),
        "repeats": rng.integers(1, 5, n_rows),
        "rate": np.array([1.0, 0.25]),
        "offset": rng.normal(size=(2, n_labels)).round(3),
        "exponent": rng.integers(30, 50, (2, n_labels)),
    }


def height(s, i, k):
    """log_prior - y rate (score - offset)."""
    sign = int(s["sign"][i, k])
    y = 2 * sign - 1
    return s["log_prior"][i] - y * s["rate"][sign] * (s["score"][i, k] - s["offset"][sign, k])


def units_of(s, rows, first_label, n_labels):
    out = np.empty((len(rows), n_labels), dtype=np.int64)
    weights.units(*s.values(), rows, first_label, out)
    return out


def everyone(s):
    return np.arange(len(s["score"]), dtype=np.int32)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_labels", "first", "some"), [(1, 0, 1), (3, 0, 3), (5, 2, 2)])
def test_units(kind, n_labels, first, some):
    s = signal(kind, n_labels)
    rows = everyone(s)[::-1].copy()
    found = units_of(s, rows, first, some)
    for r, i in enumerate(rows):
        for k in range(some):
            exponent = int(s["exponent"][s["sign"][i, first + k], first + k])
            exact = float(twins.exact_units(float(height(s, i, first + k)), exponent))
            slack = int(s["repeats"][i]) * (0.5 + 4 * math.ulp(exact))
            assert abs(int(found[r, k]) - int(s["repeats"][i]) * exact) <= slack


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_labels", [1, 4])
def test_all_units_are_those_of_each_sign(kind, n_labels):
    s = signal(kind, n_labels)
    every = np.full((2, *s["sign"].shape), -1, dtype=np.int64)
    weights.all_units(*s.values(), every)
    wanted = units_of(s, everyone(s), 0, n_labels)
    for sign in range(2):
        np.testing.assert_array_equal(every[sign], np.where(s["sign"] == sign, wanted, 0))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_labels", [1, 4])
def test_deltas_are_the_difference_of_units(kind, n_labels):
    s, rng = signal(kind, n_labels), np.random.default_rng(1)
    rows = everyone(s)[::2].copy()
    step = np.array([to_grid(x) for x in rng.normal(size=n_labels)])
    step[-1] = 0.0 if n_labels > 1 else step[-1]
    before = units_of(s, everyone(s), 0, n_labels)
    both = np.stack([np.zeros(n_labels), step])
    weights.move(np.zeros(n_labels), s["score"], rows, np.array([0, len(rows)]), 0, both)
    after = units_of(s, everyone(s), 0, n_labels)
    fresh = np.zeros((2, n_labels), dtype=np.uint8)
    fresh[1, 0] = 1
    out, totals = np.empty((len(rows), n_labels), dtype=np.int64), np.full((2, n_labels), 7)
    weights.deltas(*s.values(), fresh, step, rows, out, totals)
    stale = fresh[s["sign"], np.arange(n_labels)] == 1
    np.testing.assert_array_equal(out, np.where(stale, 0, after - before)[rows])
    for sign in range(2):
        own = np.where(s["sign"][rows] == sign, out, 0).sum(axis=0)
        np.testing.assert_array_equal(totals[sign], 7 + own)


@pytest.mark.parametrize("kind", KINDS)
def test_peak_and_total(kind):
    s = signal(kind, 3)
    units = units_of(s, everyone(s), 0, 3)
    for sign in range(2):
        for label in range(3):
            here = np.flatnonzero(s["sign"][:, label] == sign)
            y = 2 * sign - 1
            falls = s["log_prior"][here] - y * s["rate"][sign] * s["score"][here, label]
            args = (s["score"], s["sign"], s["log_prior"])
            found = weights.peak(*args, s["rate"], sign, label)
            assert found == (falls.max() if len(here) else -np.inf)
            total = weights.total(*s.values(), sign, label)
            assert total == units[here, label].sum()


@pytest.mark.parametrize(("n_blocks", "rest"), [(2, 0), (2, 1), (4, 0), (4, 2)])
def test_project_marks_totals_that_would_leave_the_range(n_blocks, rest):
    rng = np.random.default_rng(2)
    n_labels = 60
    sums = np.rint(2.0 ** rng.uniform(0, 60, (n_blocks, 2, n_labels))).astype(np.int64)
    sums[:, :, :5] = 0  # a label without examples of a sign is left alone
    steps, rate = rng.normal(size=(n_blocks, n_labels)) * 6, np.array([1.0, 0.5])
    fresh = np.zeros((2, n_labels), dtype=np.uint8)
    marked = weights.project(sums, rest, steps, rate, 0.0, 2.0**50, 2.0**62, fresh)
    wanted = np.zeros_like(fresh)
    for sign in range(2):
        growth = np.exp(-(2 * sign - 1) * rate[sign] * (steps - steps[rest]))
        after = (sums[:, sign] * growth).sum(axis=0)
        wanted[sign] = (sums[:, sign].sum(axis=0) > 0) & ((after < 2.0**50) | (after > 2.0**62))
    np.testing.assert_array_equal(fresh, wanted)
    assert marked == wanted.sum()
    assert 0 < marked < 2 * (n_labels - 5)


def test_project_counts_what_rounding_may_have_lost():
    """A total that stays in the range leaves it with what may come back of a block that grows."""
    sums = np.array([[[2**55], [2**55]], [[0], [0]]])
    steps, rate = np.array([[0.0], [-20.0]]), np.ones(2)
    for rounding, wanted in ((0.0, [0, 0]), (2.0**20, [0, 0]), (2.0**40, [0, 1])):
        fresh = np.zeros((2, 1), dtype=np.uint8)
        marked = weights.project(sums, 0, steps, rate, rounding, 2.0**50, 2.0**62, fresh)
        assert (fresh[:, 0].tolist(), marked) == (wanted, sum(wanted))


@pytest.mark.parametrize("size", [0, 1, 30])
@pytest.mark.parametrize("n_blocks", [1, 2, 4])
def test_move(size, n_blocks):
    rng = np.random.default_rng(size)
    steps = np.rint(rng.normal(size=(n_blocks, 3)) * 8) / 8
    for rest in range(n_blocks):
        base, score = np.array([0.5, 1.0, 2.0]), np.rint(rng.normal(size=(40, 3)) * 8) / 8
        block = np.full(40, rest)
        block[rng.permutation(40)[:size]] = rng.integers(0, n_blocks, size)
        listed = [np.flatnonzero((block == b) & (b != rest)) for b in range(n_blocks)]
        wanted = base + score + steps[block]
        rows, ends = np.concatenate(listed).astype(np.int32), np.cumsum([len(o) for o in listed])
        shared = base + steps[rest]
        weights.move(base, score, rows, ends, rest, steps)
        np.testing.assert_array_equal(base + score, wanted)
        np.testing.assert_array_equal(base, shared)


@pytest.mark.parametrize("kind", KINDS)
def test_block_sums(kind):
    s = signal(kind, 3)
    rows = everyone(s)[::3].copy()
    units = units_of(s, rows, 0, 3)
    out = np.full((2, 3), 11)
    weights.block_sums(units, s["sign"], rows, out)
    for sign in range(2):
        own = np.where(s["sign"][rows] == sign, units, 0).sum(axis=0)
        np.testing.assert_array_equal(out[sign], 11 + own)


@pytest.mark.parametrize("n_labels", [1, 4])
def test_log_units(n_labels):
    rng = np.random.default_rng(6)
    start, rate = np.array([0.0, math.log(3.0)]), np.array([1.0, 1 / 3])
    exponent = rng.integers(-20, 90, (2, n_labels))
    base, offset = rng.normal(size=n_labels) * 50, rng.normal(size=(2, n_labels))
    out = np.empty((2, n_labels))
    weights.log_units(start, exponent, rate, base, offset, out)
    y = np.array([[-1.0], [1.0]])
    height_ = y * rate[:, np.newaxis] * (base + offset)
    wanted = start[:, np.newaxis] - exponent * math.log(2.0) - height_
    np.testing.assert_allclose(out, wanted, rtol=1e-13)


def test_unit_weights_make_all_weights_sum_to_one():
    rng = np.random.default_rng(7)
    start, rate = np.array([0.0, math.log(3.0)]), np.array([1.0, 1 / 3])
    exponent, totals = rng.integers(50, 60, (2, 4)), rng.integers(1, 2**58, (2, 4))
    totals[1, 2] = 0
    base, offset = rng.normal(size=4), rng.normal(size=(2, 4))
    logs, out = np.empty((2, 4)), np.empty((2, 4))
    weights.unit_weights(start, exponent, rate, base, offset, totals, out)
    weights.log_units(start, exponent, rate, base, offset, logs)
    assert (out * totals).sum() == pytest.approx(1.0)
    assert out[1, 2] == 0.0
    ratio = np.exp(logs - logs[0, 0])
    ratio[1, 2] = 0.0
    np.testing.assert_allclose(out / out[0, 0], ratio, rtol=1e-12)


@pytest.mark.parametrize("n_rows", [0, 1, 50])
def test_the_block_of_each_row(n_rows):
    block = np.random.default_rng(n_rows).integers(4, size=n_rows)
    blocks = Blocks.from_numbers(block, 4, None, rest=2)
    out = np.empty(n_rows, dtype=np.int64)
    weights.number_blocks(blocks.rows, blocks.ends, blocks.rest, out)
    assert np.array_equal(out, block)
    assert np.array_equal(blocks.of_row(n_rows), block)
