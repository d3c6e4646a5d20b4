"""What every loss of real-valued targets promises."""

import numpy as np
import pytest

from tests.core.shards import positions, spread
from tests.data.tables import TABLES, encoded_rows
from tests.losses.every_loss import OF_GRADIENTS, each_regression_loss
from underdog.core import Blocks, Target, every_row
from underdog.kernels.elementary import GRID
from underdog.losses import CustomLoss, PoissonLoss, SquaredError

STEP = 2.0**-12


class LogCosh(CustomLoss):
    """A loss of a user, here negative for small residuals."""

    def value(self, y, prediction):
        return np.logaddexp(y - prediction, prediction - y) - 1.0

    def gradient(self, y, prediction):
        return np.tanh(prediction - y)


EVERY = {**OF_GRADIENTS, "LogCosh()": LogCosh()}
each = pytest.mark.parametrize("loss", EVERY.values(), ids=EVERY)


class Setting:
    """Rows with targets, weights and scores."""

    def __init__(self, loss, seed=1):
        rng = self.rng = np.random.default_rng(seed)
        table = self.table = TABLES["mixed"]()
        n, k = len(table), len(loss.several or (0,))
        self.encoded = encoded_rows(table)
        value = np.rint(np.abs(rng.normal(size=(n, 1)) * 20) * GRID) / GRID
        if loss.log_link:
            value = np.rint(value)
        repeats = rng.integers(1, 4, n)
        self.target = Target(
            np.zeros((n, k), dtype=np.uint8), repeats, -2.0 * rng.random(n),
            value=np.repeat(value, k, axis=1), unit=4.0,
        )  # fmt: skip
        self.scores = np.rint(rng.normal(size=(n, k)) * 2.0 * 2**20) / 2**20

    def rows(self, n_shards=1):
        rows = spread(self.table, self.encoded.schema, self.target, n_shards)
        for shard, where in zip(rows.shards, self.where(n_shards), strict=True):
            shard.scores.relative[:] = self.scores[where]
        return rows

    def where(self, n_shards):
        return positions(self.target.sign, n_shards)


def test_there_are_some():
    assert len(OF_GRADIENTS) >= 7


@each
def test_gradients_are_those_of_the_loss(loss):
    own = Setting(loss)
    signal = loss.make_signal(own.rows())
    context, y = signal.context, own.target.value
    gradient = loss.derivatives(own.scores, y, context)[0]
    up, down = (loss.each(own.scores + s, y, context) for s in (STEP, -STEP))
    slope = (down - up) / (2 * STEP)
    # Half of the squared error has the residual as its gradient; a custom loss is in another unit.
    factor = 2.0 if isinstance(loss, SquaredError) else 1.0
    factor = own.target.unit if isinstance(loss, CustomLoss) else factor
    smooth = np.abs(y - own.scores) > 2 * STEP  # no kink in between
    error = np.abs(gradient * factor - slope)[smooth]
    assert error.max() <= 1e-5 * np.abs(slope).max() + factor * STEP


@each
def test_integers_are_the_gradients(loss):
    own = Setting(loss)
    rows = own.rows()
    signal, shard = loss.make_signal(rows), rows.only
    wanted = loss.derivatives(own.scores, own.target.value, signal.context)
    weight = own.target.repeats * np.exp(own.target.log_prior - own.target.log_prior.max())
    together = signal.all_amounts(shard)
    for channel in range(2):
        found = np.empty(own.scores.shape, dtype=np.int64)
        signal.amounts(shard, every_row(len(found)), 0, channel, found)
        np.testing.assert_array_equal(found, together[channel])
        exact = np.ldexp(weight[:, np.newaxis] * wanted[channel], signal.bits(channel))
        assert np.abs(found - exact).max() <= 4 + 1e-15 * np.abs(exact).max()
        assert np.abs(found).sum(axis=0).max() < 2**61


@each
@pytest.mark.parametrize("n_shards", [2, 3])
def test_rows_on_shards_give_the_same_bits(loss, n_shards):
    own = Setting(loss)
    one, several = own.rows(), own.rows(n_shards)
    signals = [loss.make_signal(rows) for rows in (one, several)]
    assert signals[0].mean_loss() == signals[1].mean_loss()
    np.testing.assert_array_equal(
        *(r.totals(s) for r, s in zip((one, several), signals, strict=True))
    )
    block = own.rng.integers(0, 3, len(own.scores))
    drawn = own.rng.random(len(own.scores)) < 0.7
    found = []
    for rows, signal, count in zip((one, several), signals, (1, n_shards), strict=True):
        where = own.where(count)
        partition = tuple(blocks_of(block[each]) for each in where)
        sums = rows.sums(signal, partition, 3)
        unit = np.empty(sums.shape[1:])
        signal.unit(sums.sum(axis=0), unit)
        newton = np.zeros((3, rows.n_labels))
        newton[:] = (sums * unit)[:, 0] / np.maximum((sums * unit)[:, 1], 1e-300)
        kept = tuple(drawn[each] for each in where)
        found.append(loss.leaf_values(signal, partition, kept, sums * unit, newton))
    assert found[0].tobytes() == found[1].tobytes()
    starts = [loss.start(own.rows(count)) for count in (1, n_shards)]
    assert starts[0].tobytes() == starts[1].tobytes()


def blocks_of(block):
    """`Blocks` of rows with these blocks, the last of which is not listed."""
    rows = [np.flatnonzero(block == number) for number in range(2)]
    ends = np.cumsum([*map(len, rows), 0])
    return Blocks(np.concatenate(rows).astype(np.int32), ends, 2)


@each_regression_loss
def test_no_constant_is_better_than_the_start(loss):
    """But for Huber's loss, which starts from the median."""
    if type(loss).__name__ == "HuberLoss":
        return
    own = Setting(loss)
    own.scores[:] = 0.0
    rows = own.rows()
    start = loss.start(rows)
    rows.start_from(start)
    best = loss.make_signal(rows).mean_loss()
    for step in (-0.5, -0.01, 0.01, 0.5):
        rows.start_from(start + step)
        assert loss.make_signal(rows).mean_loss() >= best * (1 - 1e-12)


@each_regression_loss
def test_the_mean_of_new_rows_is_that_of_the_run(loss):
    """In the unit of the target."""
    own = Setting(loss)
    weight = own.target.repeats * np.exp(own.target.log_prior)
    unit = 1.0 if loss.log_link else own.target.unit
    mean = loss.mean(own.scores * unit, own.target.value * unit, weight)
    signal = loss.make_signal(own.rows())
    assert mean == pytest.approx(signal.mean_loss() * unit**loss.degree, rel=1e-9)


def test_rates_near_the_largest_float_have_an_infinite_loss():
    """Their sum overflows; such scores come from damaged files only."""
    rows = Setting(PoissonLoss()).rows()
    rows.start_from(np.array([709.7]))
    assert PoissonLoss().training_loss(rows) == np.finfo(float).max
