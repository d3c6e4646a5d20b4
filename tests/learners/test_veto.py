"""A rule must gain under the second weighting: the best such test, compared with plain loops."""

import itertools

import numpy as np
import pandas as pd
import pytest

from underdog import AdaBoostAClassifier

LEVELS = "abcde"


def draw(seed):
    """A category, a number with missing values, labels and two weightings."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(8, 30))
    y = np.where(np.arange(rows) % 2, 1, -1)
    rng.shuffle(y)
    numbers = rng.integers(0, 4, rows).astype(float)
    numbers[rng.random(rows) < 0.2] = np.nan
    frame = pd.DataFrame({"c": rng.choice(list(LEVELS), rows), "x": numbers})
    return frame, y, *rng.integers(1, 10, (2, rows)).astype(float)


def runs(levels, y, weight):
    """Every set of the last levels in the order of their share of positive weight."""
    share = {
        level: weight[(levels == level) & (y > 0)].sum() / weight[levels == level].sum()
        for level in sorted(set(levels))
    }
    order = sorted(share, key=lambda level: (round(share[level] * 2**36), level))
    return [np.isin(levels, order[cut:]) for cut in range(1, len(order))]


def true_sides(frame, y, w, p):
    """The true side of every test."""
    levels = frame["c"].to_numpy()
    sides = runs(levels, y, w) + runs(levels, y, p)
    x, missing = frame["x"].to_numpy(), frame["x"].isna().to_numpy()
    known = np.unique(x[~missing])
    for low, high in itertools.pairwise(known):
        above = np.nan_to_num(x, nan=-1.0) > (low + high) / 2
        sides += [above, above | missing] if missing.any() else [above]
    return [*sides, missing] if missing.any() else sides


def vote(side, y, weight):
    """-1 or +1 for every row, by the majority on each side of a test."""
    lead = [(weight * y)[encoded].sum() for encoded in (side, ~side)]
    signs = [0.0 if abs(each) < 1e-9 else np.sign(each) for each in lead]
    here, there = signs[0] or -signs[1] or 1.0, signs[1] or -signs[0] or -1.0
    return np.where(side, here, there)


def edge(h, y, weight):
    return float((weight * y * h).sum() / weight.sum())


@pytest.mark.parametrize("seed", range(150))
def test_the_first_rule_is_the_best_that_gains_under_both(seed):
    frame, y, w, p = draw(seed)
    sides = true_sides(frame, y, w, p)
    model = AdaBoostAClassifier(n_estimators=1).fit(frame, y, initial_weight=w, cost=p)
    found = np.sign(model.decision_function(frame))
    for weight in (w, p):  # where nothing gains under both, p alone decides
        votes = [vote(side, y, weight) for side in sides]
        edges = [edge(h, y, weight) for h in votes if edge(h, y, p) > 1e-9]
        if edges:
            assert edge(found, y, p) > 1e-9
            assert edge(found, y, weight) == pytest.approx(max(edges), abs=1e-9)
            return
    assert "no rule gains" in model.stop_reason_


def test_another_set_of_levels_than_the_best_under_the_first_weighting():
    frame = pd.DataFrame({"c": list("bbcabcd")})
    y = np.array([1, 1, -1, -1, -1, 1, 1])
    w, p = np.array([6.0, 1, 8, 2, 8, 2, 2]), np.array([6.0, 1, 1, 1, 1, 5, 7])
    model = AdaBoostAClassifier(n_estimators=1).fit(frame, y, initial_weight=w, cost=p)
    assert "c in {b, d}" in model.describe()
    assert model.history_["edge"][0] == pytest.approx(0.310, abs=1e-3)
    assert 1.0 - 2.0 * model.history_["wrong_share"][0] == pytest.approx(0.455, abs=1e-3)


def test_least_weight_on_both_sides_holds_too():
    frame, y, w, p = draw(3)
    for least in (0.1, 0.3, 0.45):
        model = AdaBoostAClassifier(n_estimators=5, min_weight_fraction_leaf=least)
        model.fit(frame, y, initial_weight=w, cost=p)
        if "constant" in model.stop_reason_:
            continue
        first = next(model.staged_decision_function(frame))
        inside = w[first == first.max()].sum() / w.sum()
        assert min(inside, 1.0 - inside) >= least
