"""Integer sums of potentials and of tilted weights, beside plain NumPy."""

import math

import numpy as np
import pytest
from scipy import special

from underdog.kernels import potentials, tilted
from underdog.kernels.error_function import erfcx

UNIT = 2.0**40


def examples(n, seed=0, spread=2.0):
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=n) * spread, rng.choice([-1.0, 0.5, 1.0], n), -rng.random(n),
        rng.integers(1, 4, n),
    )  # fmt: skip


def test_the_scaled_error_function():
    x = np.concatenate([np.linspace(0.625, 30.0, 400), [100.0, 1e4, 1e8]])
    found = [erfcx(value) for value in x.tolist()]
    np.testing.assert_allclose(found, special.erfcx(x), rtol=2e-15)


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("n", [0, 1, 200])
def test_potentials_of_each(n, held):
    x = np.random.default_rng(1).normal(size=n) * 3.0
    out = np.empty(n)
    potentials.potential_each(x, held, out)
    wanted = special.erfc(x)
    np.testing.assert_allclose(out, np.minimum(wanted, 1.0) if held else wanted, rtol=1e-14)


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize(("n", "centre"), [(0, 0.0), (1, -1.0), (300, -1.0), (300, -50.0)])
def test_moments(n, centre, held):
    margin, toward, logs, repeats = examples(n)
    step, width = 0.3, 1.7
    x = (margin + step * toward - centre) / width
    counts = (x > 0.0) | (not held)
    tops = np.empty(2)
    potentials.find_highest(margin, toward, logs, step, centre, width, held, tops)
    highest = (logs - np.maximum(x, 0.0) ** 2).max(initial=-math.inf)
    heaviest = (logs - x**2)[counts].max(initial=-math.inf)
    np.testing.assert_allclose(tops, [highest, heaviest], rtol=1e-14)
    if not n:
        return
    scale = math.sqrt(max(1.0, -heaviest))
    out = np.zeros(potentials.MOMENTS, dtype=np.int64)
    potentials.add_moments(
        margin, toward, logs, repeats, step, centre, width, held, *tops, scale, UNIT, out
    )
    # With a common factor, because exp(-x**2) underflows where x is large.
    scaled = np.where(x > 0.0, special.erfcx(np.maximum(x, 0.0)), special.erfc(x))
    if held:
        scaled = np.where(x > 0.0, scaled, 1.0)
    share = repeats * np.exp(logs - np.maximum(x, 0.0) ** 2 - highest)
    w = np.where(counts, repeats * np.exp(logs - x**2 - heaviest), 0.0)
    v = x / scale
    wanted = [w, w * v, w * v**2, w * toward, w * v * toward, w * v**2 * toward]
    wanted.append(w * v * toward**2)
    sums = [UNIT * (share * scaled).sum(), *(2.0 * UNIT * each.sum() for each in wanted)]
    np.testing.assert_allclose(out, sums, rtol=1e-9, atol=UNIT * 1e-9)


@pytest.mark.parametrize("n", [0, 1, 300])
def test_tilted_sums(n):
    logs, slope, _, repeats = examples(n)
    slope = slope * 0.5
    for step in (0.0, 1.3, 40.0):
        highest = tilted.highest_tilt(logs, slope, step)
        exponents = logs - step * slope
        assert highest == exponents.max(initial=-math.inf)
        if not n:
            continue
        scale = float(np.abs(slope).max())
        out = np.zeros(3, dtype=np.int64)
        tilted.add_tilted(logs, slope, repeats, step, highest, scale, UNIT, out)
        w = UNIT * repeats * np.exp(exponents - highest)
        v = slope / scale
        wanted = [w.sum(), (w * v).sum(), (w * v * v).sum()]
        np.testing.assert_allclose(out, wanted, rtol=1e-9, atol=UNIT * 1e-9)


def test_sums_do_not_depend_on_the_order():
    margin, toward, logs, repeats = examples(500, seed=2)
    found = []
    for order in (np.arange(500), np.random.default_rng(3).permutation(500)):
        own = [np.ascontiguousarray(each[order]) for each in (margin, toward, logs, repeats)]
        out = np.zeros(potentials.MOMENTS, dtype=np.int64)
        potentials.add_moments(*own, 0.2, -1.0, 1.5, False, 0.0, 0.0, 1.0, UNIT, out)
        found.append(out.tolist())
    assert found[0] == found[1]
