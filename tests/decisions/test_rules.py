"""Rules that choose a threshold, beside a search over all thresholds."""

import itertools
import re

import numpy as np
import pytest

from underdog import Costs, UnderdogWarning
from underdog.decisions.rules import best_threshold, check_choice_of_threshold, trace


def sample(seed, rows=40, levels=12):
    """Scores with ties, labels that follow them, whole weights."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, levels, rows) / 8.0 - 0.5
    positive = rng.random(rows) < 0.15 + 0.6 * (scores - scores.min()) / np.ptp(scores)
    positive[:2] = True, False
    return scores, positive, rng.integers(1, 4, rows).astype(float)


def every_threshold(scores):
    """No alarms, all midpoints from above, nothing but alarms."""
    levels = sorted(set(scores.tolist()), reverse=True)
    middles = [(high + low) / 2 for high, low in itertools.pairwise(levels)]
    return [np.inf, *middles, -np.inf]


def counts(threshold, scores, positive, weights):
    """tp, fp, fn and tn by going through the examples."""
    found = {"tp": 0.0, "fp": 0.0, "fn": 0.0, "tn": 0.0}
    for score, true, weight in zip(scores, positive, weights, strict=True):
        alarm = score > threshold
        found[("t" if alarm == true else "f") + ("p" if alarm else "n")] += weight
    return found


def precision(c):
    return c["tp"] / (c["tp"] + c["fp"]) if c["tp"] + c["fp"] else 0.0


def recall(c):
    return c["tp"] / (c["tp"] + c["fn"])


def fbeta(c, beta):
    if not c["tp"]:
        return 0.0
    p, r = precision(c), recall(c)
    return (1 + beta**2) * p * r / (beta**2 * p + r)


def alarms_within(c, most):
    alarms = c["tp"] + c["fp"]
    allowed = most * sum(c.values()) if isinstance(most, float) else most
    return alarms if alarms <= allowed + 1e-9 else -1.0


TWINS = {
    "f1": lambda c: fbeta(c, 1.0),
    ("fbeta", 2.0): lambda c: fbeta(c, 2.0),
    ("fbeta", 0.5): lambda c: fbeta(c, 0.5),
    ("precision", 0.6): lambda c: recall(c) if precision(c) >= 0.6 else -1.0,
    ("precision", 0.5): lambda c: recall(c) if precision(c) >= 0.5 else -1.0,
    ("recall", 0.8): lambda c: precision(c) if recall(c) >= 0.8 else -1.0,
    ("recall", 1.0): lambda c: precision(c) if recall(c) >= 1.0 else -1.0,
    ("alarms", 10): lambda c: alarms_within(c, 10),
    ("alarms", 0.29): lambda c: alarms_within(c, 0.29),
}


@pytest.mark.filterwarnings("ignore:no threshold has")
@pytest.mark.parametrize("choose", TWINS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_of_all_thresholds(choose, weighted):
    for seed in range(25):
        scores, positive, weights = sample(seed)
        weights = weights if weighted else np.ones(len(scores))
        curve = trace(scores, positive, weights)
        tried = every_threshold(scores)
        values = [TWINS[choose](counts(t, scores, positive, weights)) for t in tried]
        if choose[0] == "precision" and max(values) < 0:
            continue  # a test of its own
        best = next(t for t, v in zip(tried, values, strict=True) if v >= max(values) - 1e-12)
        assert curve["threshold"][best_threshold(choose, curve)] == best


@pytest.mark.parametrize("own", [False, True])
def test_the_least_cost_of_all_thresholds(own):
    for seed in range(25):
        scores, positive, weights = sample(seed)
        rng = np.random.default_rng(seed)
        n = len(scores)
        costs = Costs(fn=rng.uniform(1, 9, n) if own else 4, fp=1.5, tp=-1, tn=0.5)
        y = positive.astype(int)
        both = tuple(costs.each(y, np.full(n, decided), [0, 1]) for decided in (0, 1))
        curve = trace(scores, positive, weights, both)
        tried = every_threshold(scores)
        spent = [
            sum(weights * costs.each(y, (scores > threshold).astype(int), [0, 1]))
            for threshold in tried
        ]
        np.testing.assert_allclose(curve["cost"], spent, atol=1e-9)
        assert curve["threshold"][best_threshold(costs, curve)] == tried[int(np.argmin(spent))]


def test_the_curve_counts_what_each_threshold_does():
    scores, positive, weights = sample(3)
    curve = trace(scores, positive, weights)
    assert curve["threshold"].tolist() == every_threshold(scores)
    for i, threshold in enumerate(curve["threshold"]):
        expected = counts(threshold, scores, positive, weights)
        assert {name: curve[name][i] for name in expected} == expected
        assert curve["alarms"][i] == expected["tp"] + expected["fp"]
        assert curve["recall"][i] == recall(expected)
        assert curve["precision"][i] == precision(expected) or (i == 0)
    assert np.isnan(curve["precision"][0])
    assert len({len(values) for values in curve.values()}) == 1


def test_scores_that_differ_by_rounding_are_not_parted():
    scores = np.array([0.3, 0.1 + 0.2, 0.7])
    curve = trace(scores, np.array([True, False, True]), np.ones(3))
    assert curve["threshold"][1:-1].tolist() == [(0.7 + 0.3) / 2]


def test_an_example_of_weight_0_is_none():
    scores, positive, weights = sample(5)
    weights[::3] = 0.0
    kept = weights > 0
    curve, twin = (
        trace(scores + 0.001 * np.arange(len(scores)) * ~kept, positive, weights),
        trace(scores[kept], positive[kept], weights[kept]),
    )
    for name, values in twin.items():
        np.testing.assert_array_equal(curve[name], values)


def test_of_equally_good_thresholds_it_is_the_highest():
    scores, positive = np.array([4.0, 3.0, 2.0, 1.0]), np.array([True, False, False, True])
    curve = trace(scores, positive, np.ones(4))
    # Two thirds with one alarm and with four.
    assert best_threshold("f1", curve) == 1
    positive = np.array([False, True, False, True])
    curve = trace(scores, positive, np.ones(4))
    # Precision one half with two alarms and with four.
    assert best_threshold(("recall", 0.5), curve) == 2


def test_a_precision_that_none_has():
    scores, positive = np.array([4.0, 3.0, 2.0, 1.0]), np.array([False, True, False, True])
    curve = trace(scores, positive, np.ones(4))
    message = (
        "no threshold reaches an out-of-fold precision of 0.9: the threshold with the highest "
        "precision, 0.5, is used"
    )
    with pytest.warns(UnderdogWarning, match=re.escape(message)):
        chosen = best_threshold(("precision", 0.9), curve)
    # Of the two with precision one half, the one with more recall.
    assert curve["recall"][chosen] == 1.0


def test_alarms_that_cannot_be_told_apart_are_not_raised():
    curve = trace(np.ones(5), np.array([True, True, False, False, False]), np.ones(5))
    assert curve["threshold"][best_threshold(("alarms", 2), curve)] == np.inf
    assert curve["threshold"][best_threshold(("alarms", 5), curve)] == -np.inf


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        (
            "f2",
            "choose='f2' must be 'f1', ('fbeta', b), ('precision', p), ('recall', r), ('alarms'",
        ),
        (None, "choose=None must be"),
        (0.5, "choose=0.5 must be"),
        (("precision",), "choose=('precision',) must be"),
        (("accuracy", 0.5), "choose=('accuracy', 0.5) must be"),
        (("fbeta", 0), "choose: fbeta=0 must be a finite number above 0"),
        (("fbeta", "2"), "choose: fbeta='2' must be a finite number above 0"),
        (("precision", 90), "choose: precision=90 must be a share above 0 and at most 1"),
        (("precision", True), "choose: precision=True must be a share"),
        (("recall", 0.0), "choose: recall=0.0 must be a share above 0 and at most 1"),
        (("recall", np.nan), "choose: recall=nan must be a share"),
        (("alarms", 0), "choose: alarms=0 must be a whole number, at least 1"),
        (("alarms", 50.0), "alarms=50.0 must be a share above 0 and at most 1, or a whole number"),
        (("alarms", None), "choose: alarms=None must be a share"),
    ],
)
def test_rules_that_make_no_sense(choose, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_choice_of_threshold(choose)


@pytest.mark.parametrize(
    "choose",
    ["f1", ("fbeta", 2), ["recall", 1], ("alarms", np.int64(3)), ("alarms", 1.0), Costs(2, 1)],
)
def test_rules_that_do(choose):
    check_choice_of_threshold(choose)
