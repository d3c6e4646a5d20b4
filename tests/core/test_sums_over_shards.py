"""What comes back from rows on several shards: sums, maxima and quantiles, the same as from one."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.core.given import rows_on
from tests.core.shards import positions
from tests.data.tables import encoded_rows
from underdog import Table
from underdog.core import Blocks, LabelBlocks
from underdog.kernels import sums

N = 70
HUGE = np.iinfo(np.int64).max
each_number = pytest.mark.parametrize("n_shards", [1, 2, 3])
each_weighting = pytest.mark.parametrize("weighted", [False, True])


class Spread:
    """Rows on shards, and where each of them is."""

    def __init__(self, n_shards, n_labels=1, weighted=True, seed=0):
        self.rng = rng = np.random.default_rng(seed)
        self.repeats = rng.integers(1, 6, N) if weighted else np.ones(N, dtype=np.int64)
        table = Table.from_data(rng.normal(size=(N, 2)))
        self.where = positions(rng.integers(0, 2, (N, 1)), n_shards)
        self.rows = rows_on(table, encoded_rows(table).schema, self.where, n_labels, self.repeats)

    def of(self, values):
        """A measure that gives each shard its part of these numbers."""
        return lambda shard: values[self.where[shard.number]]

    def blocks(self, block, n_blocks):
        """A partition of each shard into the given blocks, none of them all listed."""
        rest = int(np.bincount(block, weights=self.repeats, minlength=n_blocks).argmax())
        found = []
        for own in self.where:
            listed = [np.flatnonzero((block[own] == b) & (b != rest)) for b in range(n_blocks)]
            ends = np.cumsum([len(rows) for rows in listed])
            found.append(Blocks(np.concatenate(listed).astype(np.int32), ends, rest))
        return tuple(found)


@each_number
@each_weighting
@pytest.mark.parametrize("scale", [0, -300, 250])
def test_exact_sum(n_shards, weighted, scale):
    own = Spread(n_shards, weighted=weighted)
    values = own.rng.random(N) * 10.0 ** (scale + own.rng.integers(-20, 20, N))
    values[own.rng.random(N) < 0.2] = 0.0
    assert own.rows.exact_sum(own.of(values)) == sums.exact_sum(values, own.repeats) > 0.0
    assert own.rows.exact_sum(own.of(0.0 * values)) == 0.0


@each_number
@each_weighting
@pytest.mark.parametrize("height", [0.0, 5e4, -5e4])
def test_log_sum_exp(n_shards, weighted, height):
    own = Spread(n_shards, weighted=weighted)
    logs = own.rng.normal(size=N) * 30 + height
    found = own.rows.log_sum_exp(own.of(logs))
    assert found == sums.log_sum_exp(logs, own.repeats)
    highest = logs.max()
    wanted = highest + math.log((own.repeats * np.exp(logs - highest)).sum())
    assert found == pytest.approx(wanted, rel=1e-12)
    assert own.rows.log_sum_exp(own.of(np.full(N, -np.inf))) == -np.inf


@each_number
def test_total_and_largest(n_shards):
    own = Spread(n_shards)
    values = own.rng.integers(-(2**55), 2**55, (N, 3))
    found = own.rows.total(lambda shard: own.of(values)(shard).sum(axis=0))
    np.testing.assert_array_equal(found, values.sum(axis=0))
    assert own.rows.largest(own.of(values / 3)) == (values / 3).max()
    assert own.rows.largest(lambda _: np.empty(0)) == -np.inf
    # A shard that has none of what is looked for does not hide that of the others.
    lone = own.where[-1][0]
    assert own.rows.largest(own.of(np.where(np.arange(N) == lone, -5.0, -np.inf))) == -5.0


def test_all_rows_in_one_place_or_not():
    rows = Spread(1).rows
    assert rows.only is rows.shards[0]
    with pytest.raises(ValueError, match="this needs all rows in one place, but there are 3"):
        _ = Spread(3).rows.only


def quantile(values, repeats, share):
    """The smallest value whose cumulated weight reaches share * total; None without any."""
    if not len(values):
        return 0
    reached, wanted = 0, Fraction(repr(share)) * int(repeats.sum())
    for place in np.argsort(values, kind="stable"):
        reached += int(repeats[place])
        if reached >= wanted:
            return int(values[place])
    raise AssertionError


NUMBERS = {
    "small": lambda rng: rng.integers(-3, 4, (N, 2)),
    "equal": lambda _: np.full((N, 2), -7),
    "huge": lambda rng: rng.integers(-HUGE - 1, HUGE, (N, 2), endpoint=True),
    "ends": lambda rng: rng.choice([-HUGE - 1, HUGE, 0, -1, 1], (N, 2)),
    "near": lambda rng: 2**40 + rng.integers(-(2**17), 2**17, (N, 2)),
    "scores": lambda rng: np.rint(rng.normal(size=(N, 2)) * 2.0**36).astype(np.int64),
    "powers": lambda rng: rng.choice([-1, 1], (N, 2)) * 2 ** rng.integers(0, 62, (N, 2)),
}
SHARES = [0.0, 1e-9, 0.1, 1 / 3, 0.5, 1.0 - 1e-12, 1.0]


@pytest.mark.parametrize(("n_shards", "weighted"), [(1, False), (1, True), (3, True)])
@pytest.mark.parametrize("name", NUMBERS)
def test_quantiles_of_all_rows(name, weighted, n_shards):
    own = Spread(n_shards, 2, weighted)
    values = NUMBERS[name](own.rng)
    for share in SHARES:
        found = own.rows.select(own.of(values), share)
        wanted = [quantile(values[:, k], own.repeats, share) for k in range(2)]
        assert found.tolist() == [wanted], share


@each_number
@pytest.mark.parametrize("name", NUMBERS)
def test_quantiles_of_blocks(name, n_shards):
    """Also of one that has no example."""
    own, n_blocks = Spread(n_shards, 2), 4
    values = NUMBERS[name](own.rng)
    block = own.rng.integers(0, n_blocks, N)
    block[block == 1] = 0
    partition = own.blocks(block, n_blocks)
    for share in SHARES[::3]:
        found = own.rows.select(own.of(values), share, partition, n_blocks)
        wanted = [
            [quantile(values[block == b, k], own.repeats[block == b], share) for k in range(2)]
            for b in range(n_blocks)
        ]
        assert found.tolist() == wanted, share


def test_a_quantile_is_reached_exactly():
    """Half of four examples are two; a float just above needs three."""
    own = Spread(1, weighted=False)
    values = np.arange(N)[:, np.newaxis]
    assert own.rows.select(own.of(values), 0.5).item() == N // 2 - 1
    assert own.rows.select(own.of(values), np.nextafter(0.5, 1.0)).item() == N // 2


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan])
def test_shares_that_are_none(share):
    own = Spread(1)
    with pytest.raises(ValueError, match="must be between 0 and 1"):
        own.rows.select(own.of(np.zeros((N, 1), dtype=np.int64)), share)


def test_quantiles_by_label_blocks_are_refused():
    own = Spread(1)
    partition = (LabelBlocks(np.zeros((N, 1), dtype=np.uint8)),)
    with pytest.raises(TypeError, match="blocks that are the same for all labels"):
        own.rows.select(own.of(np.zeros((N, 1), dtype=np.int64)), 0.5, partition, 2)
