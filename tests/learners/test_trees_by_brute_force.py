"""Binary trees against a plain search of all tests, with ties, missing values and categories."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from underdog import AdaBoostClassifier, GradientBoostingClassifier, Table
from underdog.data import EncodedRows
from underdog.learners import TreeLearner

DEPTH = 3
SMOOTH = 0.01
CLOSE = 1e-6
"""Tests are chosen by sums of 31 bits."""


def problem(seed):
    """Two columns of few numbers and two of categories, with missing values, and classes."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(12, 45))
    numbers = rng.integers(0, rng.integers(2, 6), (n_rows, 2)).astype(float)
    numbers[rng.random((n_rows, 2)) < rng.choice([0.0, 0.2])] = np.nan
    frame = pd.DataFrame(numbers, columns=["a", "b"])
    for name, levels in (("c", "pqr"), ("d", "stuvw")):
        frame[name] = rng.choice(list(levels), n_rows)
        frame.loc[rng.random(n_rows) < rng.choice([0.0, 0.2]), name] = None
    pull = np.nan_to_num(numbers[:, 0]) - (frame["d"] == "t") * 2 + (frame["c"] == "p")
    y = (pull.to_numpy() + rng.normal(size=n_rows) > 1.0).astype(int)
    y[:2] = 0, 1
    return frame, y, rng.integers(1, 4, n_rows).astype(float)


def sides_of(values, here):
    """Which rows are true, for each test of a column.

    A number is above a cut of the whole column, a category in a set of levels; missing values are
    on either side, also alone.
    """
    missing = pd.isna(values)
    known = pd.unique(values[~missing])
    if values.dtype == object:
        groups = [
            np.isin(values, chosen)
            for size in range(len(known) + 1)
            for chosen in combinations(known, size)
        ]
    else:
        groups = [np.where(missing, 0.0, values) > cut for cut in np.sort(known)]
    for true in groups:
        for with_missing in (False, True):
            found = np.where(missing, with_missing, true)
            if found[here].any() and not found[here].all():
                yield found


def best_score(frame, here, score):
    """The least score of a test; infinite if there is none."""
    tests = (true for name in frame for true in sides_of(frame[name].to_numpy(), here))
    return min((score(here & true) + score(here & ~true) for true in tests), default=np.inf)


def nodes(tree, block):
    """(path, rows, whether it is a leaf) of every node."""
    leaves = [tuple((id(test), answer) for test, answer in path) for path in tree.leaves]
    for path in {leaf[:depth] for leaf in leaves for depth in range(len(leaf) + 1)}:
        below = [number for number, leaf in enumerate(leaves) if leaf[: len(path)] == path]
        yield path, np.isin(block, below), path in leaves


def check(frame, tree, block, score):
    """Every node has a test of least score, and every leaf has none that would help."""
    found = {path: (rows, leaf) for path, rows, leaf in nodes(tree, block)}
    assert () in found
    whole = abs(score(block >= 0)) + CLOSE
    for path, (rows, is_leaf) in found.items():
        least = best_score(frame, rows, score)
        if is_leaf:
            assert len(path) == DEPTH or least >= score(rows) - CLOSE * whole
            continue
        sides = [own for other, (own, _) in found.items() if other[:-1] == path and other]
        assert len(sides) == 2
        chosen = score(sides[0]) + score(sides[1])
        assert abs(chosen - least) <= CLOSE * whole
        assert chosen < score(rows)


@pytest.mark.parametrize("kind", ["real", "discrete", "newton"])
@pytest.mark.parametrize("seed", range(36))
def test_a_tree_is_what_a_plain_search_finds(kind, seed):
    frame, y, weight = problem(seed)
    learner = TreeLearner("discrete" if kind == "discrete" else "real", max_depth=DEPTH)
    shared = {"n_estimators": 3, "learner": learner, "learning_rate": 0.5}
    if kind == "newton":
        model = GradientBoostingClassifier(**shared)
    else:
        model = AdaBoostClassifier(smoothing=SMOOTH, **shared)
    model.fit(frame, y, sample_weight=weight)
    encoded = EncodedRows(Table.from_data(frame), model.model_.schema)
    sign = 2 * y - 1
    scores = np.full(len(y), model.model_.start[0])
    staged = model.staged_decision_function(frame)
    for member, after in zip(model.model_.members, staged, strict=True):
        tree = member.hypothesis
        if tree.is_constant:
            break
        if kind == "newton":
            share = 1.0 / (1.0 + np.exp(-scores))
            first, second = weight * (y - share), weight * share * (1.0 - share)

            def score(rows, first=first, second=second):
                return -(first[rows].sum() ** 2) / second[rows].sum()

            def value(rows, first=first, second=second):
                return first[rows].sum() / second[rows].sum()

        else:
            own = weight * np.exp(-sign * scores)
            plus, minus = own * (y == 1) / own.sum(), own * (y == 0) / own.sum()

            def score(rows, plus=plus, minus=minus):
                return 2.0 * np.sqrt(plus[rows].sum() * minus[rows].sum())

            def value(rows, plus=plus, minus=minus):
                high, low = plus[rows].sum(), minus[rows].sum()
                if kind == "discrete":
                    return float(np.sign(high - low)) if abs(high - low) > 1e-9 else 0.0
                return 0.5 * np.log((high + SMOOTH) / (low + SMOOTH))

        block = tree.partition(encoded).of_row(len(y))
        check(frame, tree, block, score)
        wanted = [value(block == number) for number in range(len(tree.leaves))]
        np.testing.assert_allclose(tree.values[:, 0], wanted, rtol=1e-7, atol=1e-7)
        scores = after
