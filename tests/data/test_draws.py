"""Draws depend on what rows contain, and on nothing else."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from underdog import Table
from underdog.data.draws import NEVER, Draw, fold_cuts, share_cuts, with_replacement
from underdog.data.hashing import content_keys


def some_table(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((rows, 4)) < 0.5, 0.0, rng.normal(size=(rows, 4)))
    X[rng.random(rows) < 0.1, 1] = np.nan
    kinds = (rng.random(rows) < 0.2).astype(np.int64)
    kinds[(X == 0.0).all(axis=1)] = 0  # equal rows are of the same kind
    return X, kinds


def draw_of(X, kinds, repeats=None, seed=0, **parameters):
    repeats = np.ones(len(kinds), dtype=np.int64) if repeats is None else repeats
    return Draw(Table.from_data(X), kinds, repeats, seed, **parameters)


def coarse_table(rows=300, seed=0, kinds=3):
    """Many equal rows, of the same kind or of several, with repeats."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (rows, 2)).astype(float)
    usual = rng.integers(0, kinds, (9, 9))[tuple(X.astype(int).T)]
    kind = np.where(rng.random(rows) < 0.8, usual, rng.integers(0, kinds, rows))
    return X, kind, rng.integers(1, 6, rows)


def drawn_as(X, kinds, repeats):
    """(the rarest kind of each row's copies, whether a kind has no other rows)."""
    contents = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    totals = np.bincount(kinds, repeats)
    kind, alone = kinds.copy(), np.zeros(len(X), dtype=bool)
    for content in np.unique(contents):
        own = contents == content
        kind[own] = min(np.unique(kinds[own]), key=totals.__getitem__)
        counts = np.bincount(kinds[own], repeats[own], len(totals))
        alone[own] = (counts == totals)[counts > 0].any()
    return kind, alone


def by_sorting(draw, X, kinds, repeats, count):
    """(whether a row is in a share of 1 / count, its fold), rows being sorted by their keys."""
    drawn = np.zeros(len(kinds), dtype=bool)
    fold = np.full(len(kinds), NEVER)
    kind_of, alone = drawn_as(X, kinds, repeats)
    for kind in np.unique(kinds):
        free = (kind_of == kind) & ~alone
        counted = np.where(free & (kinds == kind), repeats, 0)
        own = sorted(set(draw.keys[free].tolist()))
        total, before = counted.sum(), 0
        for key in own:
            rows = draw.keys == np.uint64(key)
            examples = counted[rows].sum()
            if key != own[-1]:
                drawn[rows] = before + examples / 2.0 < 1.0 / count * total
            fold[rows] = count * before // total
            before += examples
    return drawn, fold


def test_rows_in_another_order_are_drawn_alike():
    X, kinds = some_table()
    order = np.random.default_rng(1).permutation(len(X))
    one, other = draw_of(X, kinds), draw_of(X[order], kinds[order])
    np.testing.assert_array_equal(one.share(0.2)[order], other.share(0.2))
    np.testing.assert_array_equal(one.folds(5)[order], other.folds(5))


def test_sparse_and_dense_forms_are_drawn_alike():
    X, kinds = some_table()
    forms = [X, sp.csr_array(X), sp.csc_matrix(X), Table.hstack([X[:, :2], sp.csr_array(X[:, 2:])])]
    keys = [content_keys(Table.from_data(form), kinds) for form in forms]
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


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [2, 5, 40])
def test_cuts_are_where_sorted_rows_reach_their_share(seed, count):
    X, kinds, repeats = coarse_table(120, seed)
    repeats[:3] *= 200  # more than a fold
    kinds[3] = 3  # alone
    draw = draw_of(X, kinds, repeats, seed)
    drawn, fold = by_sorting(draw, X, kinds, repeats, count)
    np.testing.assert_array_equal(draw.share(1.0 / count), drawn)
    np.testing.assert_array_equal(draw.folds(count), fold)


def test_draws_are_those_of_earlier_versions():
    """Models with early stopping depend on them."""
    X, kinds = some_table(40)
    draw = draw_of(X, kinds, seed=5)
    assert np.flatnonzero(draw.share(0.2)).tolist() == [8, 9, 10, 15, 19, 25, 31, 36]
    folds = [2, 1, 1, 1, 2, 0, 2, 1, 0, 0, 0, 0, 2, 1, 2, 0, 1, 2, 1, 0]
    assert draw.folds(3)[:20].tolist() == folds


def test_each_number_is_a_draw_of_its_own():
    X, kinds = some_table(1000)
    draw = draw_of(X, kinds)
    np.testing.assert_array_equal(draw.numbered(0).keys, draw.keys)
    np.testing.assert_array_equal(
        draw.numbered(3).share(0.5), draw_of(X, kinds, number=3).share(0.5)
    )
    assert (draw.numbered(1).keys != draw_of(X, kinds, seed=1).keys).all()
    drawn = np.array([draw.numbered(number).subsample(0.5) for number in range(100)])
    together = drawn.astype(float) @ drawn.T / 1000  # a quarter of the rows is in both
    assert abs(together[~np.eye(100, dtype=bool)] - 0.25).max() < 0.06
    # Every row is in about half of them; 0.05 is the standard deviation of a fair coin.
    different = np.unique(draw.keys, return_index=True)[1]
    assert 0.04 < drawn[:, different].mean(axis=0).std() < 0.06


@pytest.mark.parametrize("fraction", [0.1, 2 / 3, 1.0])
def test_a_subsample_has_something_of_every_kind(fraction):
    X, kinds, repeats = coarse_table()
    kinds, _ = drawn_as(X, kinds, repeats)
    X[0], kinds[0] = 9.0, 3
    drawn = draw_of(X, kinds, repeats).subsample(fraction)
    for kind in range(4):
        own = kinds == kind
        assert drawn[own].any()
        if kind < 3:
            share = repeats[own & drawn].sum() / repeats[own].sum()
            assert share == pytest.approx(fraction, abs=0.08)
    assert drawn.all() == (fraction == 1.0)


def test_parts_to_grow_and_to_prune():
    X, kinds, repeats = coarse_table()
    draw = draw_of(X, kinds, repeats)
    prune = draw.share(1 / 3)
    for kind in range(3):
        share = repeats[prune & (kinds == kind)].sum() / repeats[kinds == kind].sum()
        assert share == pytest.approx(1 / 3, abs=0.08)
    contents = [{*draw.keys[encoded].tolist()} for encoded in (prune, ~prune)]
    assert not contents[0] & contents[1]  # no copy is in both


@pytest.mark.parametrize("seed", range(4))
def test_equal_rows_are_drawn_together_whatever_their_kinds(seed):
    X, kinds, repeats = coarse_table(seed=seed)
    contents = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    mixed = [each for each in range(81) if len(np.unique(kinds[contents == each])) > 1]
    assert len(mixed) > 20
    draw = draw_of(X, kinds, repeats, seed)
    for part in (draw.folds(5), draw.share(0.3), draw.subsample(0.3)):
        assert all(len(np.unique(part[contents == each])) == 1 for each in mixed)
        assert len(np.unique(part)) > 1


def test_rows_of_several_kinds_are_drawn_with_the_rarest():
    """Every row of the rare kind has a copy of the frequent kind."""
    X = np.repeat(np.arange(500.0), 2)[:, np.newaxis]
    kinds = np.tile([0, 1], 500)
    kinds[200:] = 0
    X = np.vstack([X, np.zeros((200, 1))])
    kinds = np.concatenate([kinds, np.zeros(200, dtype=np.int64)])
    draw = draw_of(X, kinds)
    assert np.bincount(draw.folds(5)[kinds == 1]).tolist() == [20] * 5
    assert draw.share(0.1)[kinds == 1].sum() == 10
    # 201 of 1,100 examples of the frequent kind are equal.
    assert np.bincount(draw.folds(5)[kinds == 0]).min() > 150


def test_the_only_row_of_a_kind_is_learned_from_with_its_copies():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [4.0], [5.0]])
    kinds = np.array([0, 0, 0, 0, 1, 0])
    draw = draw_of(X, kinds)
    assert draw.folds(5)[3:5].tolist() == [NEVER, NEVER]
    assert not draw.share(0.99)[3:5].any()
    assert draw.share(0.99).sum() == 3


SHARDS = pytest.mark.parametrize("n_shards", [2, 3])


def assert_shards_agree(X, kinds, repeats, shard_of, n_shards, groups=None):
    """Rows are drawn by the counts of all shards as they are where all are together."""
    shared = {"seed": 4, "number": 2}
    whole = draw_of(X, kinds, repeats, groups=groups, **shared)
    totals = np.bincount(kinds if groups is None else np.zeros_like(kinds), repeats)
    places = [np.flatnonzero(shard_of == shard) for shard in range(n_shards)]
    shards = []
    for rows in places:
        own = {"totals": totals, "groups": None if groups is None else groups[rows]}
        shards.append(Draw(Table.from_data(X)[rows], kinds[rows], repeats[rows], **shared, **own))
    for fraction in (0.02, 0.3, 0.9):
        cuts = share_cuts(shards, fraction)
        expected = whole.share(fraction)
        for shard, rows in zip(shards, places, strict=True):
            np.testing.assert_array_equal(shard.parts(cuts) == 0, expected[rows])
    for count in (2, 7):
        cuts = fold_cuts(shards, count)
        for shard, rows in zip(shards, places, strict=True):
            np.testing.assert_array_equal(shard.parts(cuts), whole.folds(count)[rows])
    return whole, shards


@SHARDS
@pytest.mark.parametrize("seed", range(4))
def test_shards_draw_the_same_rows(n_shards, seed):
    X, kinds, repeats = coarse_table(200, seed)
    kinds[0] = 3  # alone, and unknown to the other shards
    shard_of = np.random.default_rng(seed).integers(0, n_shards, (9, 9))[tuple(X.astype(int).T)]
    whole, shards = assert_shards_agree(X, kinds, repeats, shard_of, n_shards)
    # No shard could have found the rows alone.
    alone = shards[1].folds(7)
    assert (alone != whole.folds(7)[shard_of == 1]).any()


def test_a_shard_without_rows():
    X, kinds, repeats = coarse_table()
    _, shards = assert_shards_agree(X, kinds, repeats, 2 * (X[:, 0] % 2), n_shards=3)
    assert [len(shard.keys) > 0 for shard in shards] == [True, False, True]


def grouped(seed=0):
    """60 groups of 1 to 9 rows."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(60), rng.integers(1, 10, 60))
    X = rng.integers(0, 3, (len(groups), 3)).astype(float)
    return X, rng.integers(0, 3, len(groups)), rng.integers(1, 4, len(groups)), groups


def test_groups_are_drawn_together_by_their_contents():
    X, kinds, repeats, groups = grouped()
    draw = draw_of(X, kinds, repeats, groups=groups)
    fold, drawn = draw.folds(4), draw.share(0.3)
    for group in range(60):
        assert len(np.unique(fold[groups == group])) == 1
        assert len(np.unique(drawn[groups == group])) == 1
    assert len(np.unique(draw.keys)) > 50
    sizes = np.bincount(fold, repeats)
    assert sizes.max() - sizes.min() < 0.25 * sizes.mean()
    assert repeats[drawn].sum() / repeats.sum() == pytest.approx(0.3, abs=0.05)
    # Neither the names of the groups nor the order of the rows nor repeats matter.
    names = np.array([f"query {number}" for number in np.random.default_rng(3).permutation(60)])
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(len(X)), repeats))
    other = draw_of(X[rows], kinds[rows], groups=names[groups][rows])
    np.testing.assert_array_equal(other.keys, draw.keys[rows])
    np.testing.assert_array_equal(other.folds(4), fold[rows])
    np.testing.assert_array_equal(other.share(0.3), drawn[rows])


def test_what_a_group_contains_tells_it_apart():
    X, kinds, repeats, groups = grouped()
    key = draw_of(X, kinds, repeats, groups=groups).keys
    changed = X.copy()
    changed[0, 0] += 1.0
    own = groups == groups[0]
    other = draw_of(changed, kinds, repeats, groups=groups).keys
    assert (other[own] != key[own]).all()
    np.testing.assert_array_equal(other[~own], key[~own])
    relabelled = kinds.copy()
    relabelled[0] += 1
    assert (draw_of(X, relabelled, repeats, groups=groups).keys[own] != key[own]).all()


def test_equal_groups_are_drawn_together():
    X, kinds, repeats, groups = grouped()
    fold = draw_of(
        np.vstack([X, X]), np.tile(kinds, 2), np.tile(repeats, 2),
        groups=np.concatenate([groups, groups + 60]),
    ).folds(4)  # fmt: skip
    np.testing.assert_array_equal(fold[: len(X)], fold[len(X) :])
    assert len(np.unique(fold)) == 4


@SHARDS
def test_shards_draw_the_same_groups(n_shards):
    X, kinds, repeats, groups = grouped()
    assert_shards_agree(X, kinds, repeats, groups % n_shards, n_shards, groups)


def test_rows_drawn_with_replacement_follow_from_contents():
    X, kinds, repeats = coarse_table()
    unit = np.array([1.0, 0.3, 0.7])
    weights = repeats * (X[:, 0] + 1).astype(np.int64) * 2**45
    drawn = with_replacement(Table.from_data(X), kinds, weights, unit, 500, 0)
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(len(X)), repeats))
    for form in (np.asarray, sp.csr_array):
        table, each = Table.from_data(form(X[rows])), (weights // repeats)[rows]
        again = rows[with_replacement(table, kinds[rows], each, unit, 500, 0)]
        np.testing.assert_array_equal(X[again], X[drawn])
        np.testing.assert_array_equal(kinds[again], kinds[drawn])
    again = with_replacement(Table.from_data(X), kinds, weights, unit, 500, 1)
    for shift in range(3):
        assert (again[: 500 - shift] != drawn[shift:]).mean() > 0.9


def test_rows_are_drawn_in_proportion_to_their_weights():
    X = np.arange(6.0)[:, np.newaxis]
    kinds = np.array([0, 0, 0, 1, 1, 1])
    weights, unit = np.array([4, 0, 1, 2, 3, 0]), np.array([1.0, 2.0])
    table = Table.from_data(X)
    counts = np.zeros(6)
    for seed in range(200):
        drawn = with_replacement(table, kinds, weights, unit, 150, seed)
        counts += np.bincount(drawn, minlength=6)
    expected = 200 * 150 * np.array([4, 0, 1, 4, 6, 0]) / 15
    assert counts[[1, 5]].tolist() == [0, 0]
    some = expected > 0
    chi_square = ((counts - expected)[some] ** 2 / expected[some]).sum()
    assert 0.02 < chi_square < 17  # 3 degrees of freedom: 0.1 % lie outside


def test_levels_count_by_how_they_are_written():
    frame = pd.DataFrame({"c": ["a", "b", None, "a", np.nan]})
    keys = content_keys(Table.from_data(frame), np.zeros(5, dtype=np.int64))
    coded = content_keys(Table.from_data(frame.astype("category")), np.zeros(5, dtype=np.int64))
    assert keys.tolist() == coded.tolist()
    assert keys[0] == keys[3]
    assert keys[2] == keys[4]
    assert len({*keys[:3].tolist()}) == 3


def test_equal_rows_can_be_drawn_apart():
    X, kinds, _ = coarse_table(rows=300)
    draw = draw_of(X, kinds, apart=True)
    assert len(np.unique(draw.keys)) == len(X)
    fold = draw.folds(5)
    for kind in range(3):
        sizes = np.bincount(fold[kinds == kind], minlength=5)
        assert sizes.max() - sizes.min() <= 1
    # In another order the folds have the same contents, though perhaps other copies of a row.
    rows = np.random.default_rng(1).permutation(len(X))
    other = draw_of(X[rows], kinds[rows], apart=True).folds(5)

    def contents(fold, X, kinds):
        return sorted(map(tuple, np.column_stack([fold, kinds, X]).tolist()))

    assert contents(fold, X, kinds) == contents(other, X[rows], kinds[rows])
