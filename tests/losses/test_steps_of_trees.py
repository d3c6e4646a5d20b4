"""Weights that follow steps of any number of blocks: the sums are those of a new count."""

import numpy as np
import pytest

from tests.core.shards import spread
from tests.data.tables import TABLES, encoded_rows
from tests.hypotheses.trees import KINDS, full_tree, random_paths, random_tree
from underdog.core import Rows, Shard, Target, every_row
from underdog.kernels.elementary import to_grid
from underdog.losses import Exponential
from underdog.losses.exponential import MAX_TOTAL, MIN_TOTAL

ROUNDS = 12


def target_of(rng, n, n_labels, weighted):
    """Rare positives; whole weights, other weights, costs, and weights of labels if asked for."""
    sign = (rng.random((n, n_labels)) < 0.2).astype(np.uint8)
    if not weighted:
        return Target(sign, np.ones(n, dtype=np.int64), np.zeros(n))
    repeats = rng.integers(1, 5, n)
    prior = -rng.random(n) * 3
    label = np.log(rng.uniform(0.2, 1.0, (2, n_labels)))
    return Target(sign, repeats, prior, -rng.random(n) * 2, label)


def steps_on_grid(rng, tree, size):
    steps = np.array([[to_grid(x) for x in row] for row in tree.values * size])
    return steps + to_grid(float(rng.normal()))


@pytest.mark.parametrize("kind", [*KINDS, "any"])
@pytest.mark.parametrize("name", ["dense", "mixed", "wide"])
@pytest.mark.parametrize(("beta", "n_labels", "weighted"), [(1.0, 1, False), (3.0, 3, True)])
@pytest.mark.parametrize("n_shards", [1, 3])
def test_tallies_follow_the_steps_of_trees(kind, name, beta, n_labels, weighted, n_shards):
    """Steps of all sizes: some leave the unit of the weights as it is, some do not."""
    rng = np.random.default_rng(5)
    table = TABLES[name]()
    encoded = encoded_rows(table)
    target = target_of(rng, len(table), n_labels, weighted)
    rows = spread(table, encoded.schema, target, n_shards)
    signals = [Exponential(beta).make_signal(rows, costly) for costly in (False, True)]
    path = random_paths(rng, encoded, 3)[-1]
    rescaled = set()
    kept_of = {
        (signal, place): rows.keep(signal, where)
        for signal in signals
        for place, where in enumerate([(), path])
    }
    for number in range(ROUNDS):
        own = KINDS[number % len(KINDS)] if kind == "any" else kind
        tree = random_tree(rng, encoded, n_labels, own)
        steps = steps_on_grid(rng, tree, 14.0 if number % 3 == 2 else 0.7)
        placed = rows.place(tree)
        sums = [rows.sums(signal, placed, len(steps)) for signal in signals]
        rows.move(placed, steps)
        for signal, before in zip(signals, sums, strict=True):
            signal.after_step(placed, steps, before)
            rescaled.add(signal.change.any_fresh)
            for place, where in enumerate([(), path]):
                kept, anew = kept_of[signal, place](), rows.tally(signal, where)
                np.testing.assert_array_equal(kept.cells, anew.cells)
                np.testing.assert_array_equal(kept.totals, anew.totals)
            totals = rows.totals(signal)
            there = totals > 0
            assert there.any()
            assert MIN_TOTAL <= totals[there].min() <= totals.max() <= MAX_TOTAL
    assert rescaled == ({False} if kind == "constant" else {True, False})


def units_of(rows, signal):
    """Integer weights of all rows, shard after shard."""
    found = []
    for shard in rows.shards:
        out = np.empty((shard.encoded.n_rows, shard.n_labels), dtype=np.int64)
        signal.amounts(shard, every_row(shard.encoded.n_rows), 0, 0, out)
        found.append(out)
    return np.concatenate(found)


def test_a_row_that_has_all_the_weight_or_none_comes_back():
    """A step so large that the others are rounded to 0, and back again."""
    table = TABLES["dense"]()
    encoded = encoded_rows(table)
    rng = np.random.default_rng(0)
    target = target_of(rng, len(table), 1, False)
    rows = Rows([Shard(encoded, target)])
    signal = Exponential().make_signal(rows)
    start = units_of(rows, signal)
    tree = full_tree(rng, encoded, 1, "tree")
    placed = rows.place(tree)
    assert len(tree.leaves) == 5
    steps = np.array([[30.0], [-30.0], [90.0], [-90.0], [0.0]])
    lost, keep = [], rows.keep(signal)
    for sign in (1, -1, -1, 1):
        before = rows.sums(signal, placed, 5)
        rows.move(placed, sign * steps)
        signal.after_step(placed, sign * steps, before)
        kept, anew = keep(), rows.tally(signal)
        np.testing.assert_array_equal(kept.cells, anew.cells)
        lost.append(int((units_of(rows, signal) == 0).sum()))
    assert min(lost[0], lost[2]) > 0
    assert lost[1] == lost[3] == 0
    # The scores are where they began, so the weights are in the same proportions.
    assert not rows.only.scores.full().any()
    for side in range(2):
        own = (target.sign == side)[:, 0]
        end = units_of(rows, signal)[own]
        np.testing.assert_allclose(end / end.sum(), start[own] / start[own].sum(), rtol=1e-12)
