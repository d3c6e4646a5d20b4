"""Draws depend on what rows contain, and on nothing else."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from underdog import Table
from underdog.data.draws import NEVER, Draw
from underdog.data.hashing import content_keys


def some_table(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((rows, 4)) < 0.5, 0.0, rng.normal(size=(rows, 4)))
    X[rng.random(rows) < 0.1, 1] = np.nan
    return X, (rng.random(rows) < 0.2).astype(np.int64)


def draw_of(X, kinds, repeats=None, seed=0):
    repeats = np.ones(len(kinds), dtype=np.int64) if repeats is None else repeats
    return Draw(Table.of(X), kinds, repeats, seed)


def test_rows_in_another_order_are_drawn_alike():
    X, kinds = some_table()
    order = np.random.default_rng(1).permutation(len(X))
    one, other = draw_of(X, kinds), draw_of(X[order], kinds[order])
    np.testing.assert_array_equal(one.share(0.2)[order], other.share(0.2))
    np.testing.assert_array_equal(one.folds(5)[order], other.folds(5))


def test_sparse_and_dense_forms_are_drawn_alike():
    X, kinds = some_table()
    forms = [X, sp.csr_array(X), sp.csc_matrix(X), Table.hstack([X[:, :2], sp.csr_array(X[:, 2:])])]
    keys = [content_keys(Table.of(form), kinds) for form in forms]
    for other in keys[1:]:
        np.testing.assert_array_equal(keys[0], other)
    assert len(np.unique(keys[0])) > 0.9 * len(X)


def test_repeats_are_weights_and_stay_together():
    X, kinds = some_table(120)
    repeats = np.random.default_rng(2).integers(1, 4, 120)
    which = np.repeat(np.arange(120), repeats)
    one, other = draw_of(X, kinds, repeats), draw_of(X[which], kinds[which])
    np.testing.assert_array_equal(one.share(0.3)[which], other.share(0.3))
    np.testing.assert_array_equal(one.folds(4)[which], other.folds(4))


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.5])
def test_the_share_is_that_of_every_kind(fraction):
    X, kinds = some_table(1000)
    drawn = draw_of(X, kinds).share(fraction)
    for kind in (0, 1):
        assert drawn[kinds == kind].mean() == pytest.approx(fraction, abs=0.02)


def test_folds_are_even_and_another_seed_makes_others():
    X, kinds = some_table(1000)
    folds = draw_of(X, kinds).folds(5)
    for kind in (0, 1):
        sizes = np.bincount(folds[kinds == kind])
        assert len(sizes) == 5
        assert sizes.max() - sizes.min() <= 0.1 * sizes.mean()
    assert (draw_of(X, kinds, seed=1).folds(5) != folds).mean() > 0.5


def test_the_last_row_of_a_kind_is_only_learned_from():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [4.0]])
    kinds = np.array([0, 0, 0, 1, 1])
    draw = draw_of(X, kinds)
    assert draw.folds(5)[3:].tolist() == [NEVER, NEVER]
    assert not draw.share(0.99)[3:].any()
    assert draw.share(0.99)[:3].sum() == 2


def test_levels_count_by_how_they_are_written():
    frame = pd.DataFrame({"c": ["a", "b", None, "a", np.nan]})
    keys = content_keys(Table.of(frame), np.zeros(5, dtype=np.int64))
    assert keys[0] == keys[3]
    assert keys[2] == keys[4]
    assert len({*keys[:3].tolist()}) == 3
