"""Certificates: their formulas, their conditions, and samples in which they must hold."""

import itertools
import math

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from underdog import (
    AdaBoostClassifier,
    AdaUBoostClassifier,
    HullBoostClassifier,
    LogisticAdaBoostClassifier,
    Table,
)
from underdog.games import bounds, certificates, voting_margins

COLUMNS = 6
INPUTS = np.array(list(itertools.product([0.0, 1.0], repeat=COLUMNS)))
CHANCES = 1.0 / (1.0 + np.exp(-(INPUTS @ [2.0, -1.5, 1.0, 0.5, 0.0, 0.0] - 2.0)))


def sample(seed, m):
    rng = np.random.default_rng(seed)
    which = rng.integers(0, len(INPUTS), m)
    return INPUTS[which], np.where(rng.random(m) < CHANCES[which], 1, -1)


def fitted(seed=0, m=400, **options):
    X, y = sample(seed, m)
    options = {"learner": "discrete", "n_estimators": 15, "smoothing": 0.0} | options
    return AdaBoostClassifier(**options).fit(X, y), X, y


def test_bounds_by_edges_are_the_formulas_of_the_papers():
    model, X, y = fitted()
    found = certificates(model, X, y, theta=0.2)
    r, a = model.history_["edge"], model.history_["coefficient"]
    wrong = (1.0 - r) / 2.0
    product = np.prod(2.0 * np.sqrt(wrong * (1.0 - wrong)))
    assert found["product of edges"].bound == pytest.approx(product)
    assert found["training error"].bound == pytest.approx(product)
    assert found["exponent of edges"].bound == pytest.approx(
        np.exp(-2 * ((0.5 - wrong) ** 2).sum())
    )
    share = np.prod(2.0 * np.sqrt(wrong ** (1 - 0.2) * (1 - wrong) ** (1 + 0.2)))
    assert found["margins"].bound == pytest.approx(share)
    gamma = 0.2 * a.sum()
    assert found["margins not normalised"].bound == pytest.approx(
        np.exp(gamma - 2 * ((0.5 - wrong) ** 2).sum())
    )
    for name in ("training error", "product of edges", "exponent of edges", "margins"):
        assert found[name].measured <= found[name].bound
    assert found["margins"].measured == (voting_margins(model, X, y) <= 0.2).mean()


@pytest.mark.parametrize("theta", [1e-6, 0.01, 0.1, 0.3, 0.7])
def test_shares_of_margins_are_below_their_bounds_in_every_round(theta):
    model, X, y = fitted(1, n_estimators=30)
    edges, a = model.history_["edge"], model.history_["coefficient"]
    for number, scores in enumerate(model.staged_decision_function(X), 1):
        total = a[:number].sum()
        share = (y * scores / total <= theta).mean()
        assert share <= bounds.share_below(theta, edges[:number]) + 1e-12
        assert share <= math.exp(theta * total) * bounds.exponent_of_edges(edges[:number]) + 1e-12


def test_rules_are_counted_by_the_kind_of_their_columns():
    X = Table.hstack([np.random.default_rng(0).normal(size=(50, 3))])
    y = np.arange(50) % 2
    schema = AdaBoostClassifier(n_estimators=2).fit(X, y).model_.schema
    assert bounds.log_rules(schema, 50) == pytest.approx(math.log(3 * 49 + 1))
    trees = 3 * (math.log(3 * 49 + 1) + math.log(4)) + 4 * math.log(2)
    assert bounds.log_rules(schema, 50, leaves=4) == pytest.approx(trees)


def test_bounds_on_new_examples_are_sums_of_their_terms():
    m, log_n, delta = 1000, math.log(61), 0.05
    margins = np.linspace(-0.2, 1.0, m)
    found = bounds.by_margin(margins, log_n, delta)
    rest = 2 / found.theta * math.sqrt(2 * math.log(122) / m)
    last = math.sqrt(math.log(11 / delta) / (2 * m))
    assert found.bound == pytest.approx((margins <= found.theta).mean() + rest + last)
    chosen = math.log(math.comb(61, 4)) + math.log(2 * sum(math.comb(999, k) for k in range(5)))
    expected = 0.1 + math.sqrt(2 * chosen / m) + math.sqrt(math.log(20) / (2 * m))
    assert bounds.with_rounds(0.1, log_n, m, 3, delta) == pytest.approx(expected)
    norm = bounds.by_norm(np.full(m, 0.3), 3.0, log_n, delta)
    assert norm.theta == 4.0
    middle, end = 8 * math.sqrt(2 * math.log(122) / m), 4 * math.sqrt(math.log(260) / (2 * m))
    assert norm.bound == pytest.approx(0.3 + middle + end)
    assert bounds.by_norm(np.full(m, 0.3), 3000.0, log_n, delta) is None
    few = bounds.uneven_loss(margins, np.arange(m) < 10, 5.0, log_n, delta)
    many = bounds.uneven_loss(margins, np.arange(m) < 900, 5.0, log_n, delta)
    assert few.bound < many.bound


def test_where_a_condition_fails_there_is_a_reason():
    model, X, y = fitted()
    assert "the log loss" in certificates(model, X, y)["new examples by norm"].note
    real = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert "-1 or 1" in certificates(real, X, y)["margins"].note
    short = fitted(learning_rate=0.5)
    assert "AdaBoost's" in certificates(*short)["exponent of edges"].note
    heavy = fitted(class_weight={-1: 1.0, 1: 3.0})
    found = certificates(*heavy)
    for name in ("product of edges", "new examples by margin", "uneven loss"):
        assert math.isnan(found[name].bound)
        assert "weights" in found[name].note
        assert f"no certificate: {found[name].note}" in str(found[name])
    tree = AdaBoostClassifier(learner=DecisionTreeClassifier(max_depth=2), n_estimators=3).fit(X, y)
    assert "other libraries" in certificates(tree, X, y)["new examples by rounds"].note
    own = AdaBoostClassifier(learner="tree", n_estimators=3).fit(X, y)
    found = certificates(own, X, y)
    assert "each leaf" in found["new examples by rounds"].note
    assert found["new examples by margin"].bound > 0.0


def test_the_text_lists_what_says_something():
    found = certificates(*fitted())
    shown = found.text()
    assert "exponent" not in shown
    assert "better than chance" in shown
    assert "say nothing here" in shown
    assert len(found.text(every=True).splitlines()) >= len(found) == 9
    assert max(map(len, found.text(every=True).splitlines())) <= 80


def test_what_cannot_be_is_refused():
    model, X, y = fitted()
    with pytest.raises(ValueError, match=r"delta=0\.6"):
        certificates(model, X, y, delta=0.6)
    with pytest.raises(ValueError, match="theta=-1"):
        certificates(model, X, y, theta=-1)
    three = AdaBoostClassifier(n_estimators=2).fit(X, np.arange(len(y)) % 3)
    with pytest.raises(ValueError, match="two classes"):
        certificates(three, X, np.arange(len(y)) % 3)


def check_samples(seeds, m):
    """The true error of all inputs against each certificate; returns how often each failed."""
    failed = dict.fromkeys(certificates(*fitted(0, 50)), 0)
    for seed in seeds:
        X, y = sample((seed, 1), m)
        models = [
            AdaBoostClassifier(learner="discrete", n_estimators=8),
            LogisticAdaBoostClassifier(n_estimators=8),
            HullBoostClassifier(radius=1.0, n_estimators=8),
            AdaUBoostClassifier(beta=2.0, n_estimators=8),
        ]
        model = models[seed % 4].fit(X, y)
        scores = model.decision_function(INPUTS)
        error = np.where(scores > 0.0, 1.0 - CHANCES, CHANCES).mean()
        loss = CHANCES * np.logaddexp(0, -scores) + (1 - CHANCES) * np.logaddexp(0, scores)
        beta = 2.0 if seed % 4 == 3 else 1.0
        uneven = (beta * CHANCES * (scores <= 0) + (1 - CHANCES) * (scores >= 0)).mean()
        truth = {
            "new examples by rounds": error, "new examples by margin": error,
            "new examples by norm": loss.mean(), "uneven loss": uneven,
        }  # fmt: skip
        for name, own in certificates(model, X, y).items():
            failed[name] += truth.get(name, own.measured) > own.bound + 1e-12
    return failed


def test_no_certificate_is_violated_in_some_samples():
    assert not any(check_samples(range(12), 500).values())


@pytest.mark.slow
def test_no_certificate_is_violated_more_often_than_it_says():
    """In 1,000 samples; those about the training rows never."""
    failed = check_samples(range(1000), 3000)
    for name, count in failed.items():
        assert count <= (50 if "new" in name or "uneven" in name else 0), name
