"""Certificates: their formulas, their conditions, and samples in which they must hold."""

import itertools
import math
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from underdog import (
    AdaBoostClassifier,
    AdaUBoostClassifier,
    ADTreeClassifier,
    ArcGVClassifier,
    BlendedTreesClassifier,
    HullBoostClassifier,
    LogisticAdaBoostClassifier,
    LPUBoostClassifier,
    SlipperClassifier,
    Table,
    UnderdogWarning,
    load,
)
from underdog.certificates import Certificates, bounds
from underdog.certificates.margin_sums import MarginSums
from underdog.games import certificates, voting_margins

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
    found = certificates(model, X, y, theta=0.2).bounds
    r, a = model.history_["edge"], model.history_["coefficient"]
    wrong = (1.0 - r) / 2.0
    product = np.prod(2.0 * np.sqrt(wrong * (1.0 - wrong)))
    assert found["product_of_edges"].bound == pytest.approx(product)
    assert model.certificate_["bound"] == pytest.approx(product)
    assert found["exponent_of_edges"].bound == pytest.approx(
        np.exp(-2 * ((0.5 - wrong) ** 2).sum())
    )
    share = np.prod(2.0 * np.sqrt(wrong ** (1 - 0.2) * (1 - wrong) ** (1 + 0.2)))
    assert found["margins"].bound == pytest.approx(share)
    gamma = 0.2 * a.sum()
    assert found["margins_not_normalised"].bound == pytest.approx(
        np.exp(gamma - 2 * ((0.5 - wrong) ** 2).sum())
    )
    for name in ("product_of_edges", "exponent_of_edges", "margins", "margins_not_normalised"):
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
    found = bounds.by_margin(summed(margins, margins > 0.5), log_n, delta)
    rest = 2 / found.theta * math.sqrt(2 * math.log(122) / m)
    last = math.sqrt(math.log(11 / delta) / (2 * m))
    assert found.bound == pytest.approx((margins <= found.theta).mean() + rest + last)
    chosen = math.log(math.comb(61, 4)) + math.log(2 * sum(math.comb(999, k) for k in range(5)))
    expected = 0.1 + math.sqrt(2 * chosen / m) + math.sqrt(math.log(20) / (2 * m))
    assert bounds.with_rounds(0.1, log_n, m, 3, delta) == pytest.approx(expected)
    norm = bounds.by_norm(0.3, m, 3.0, log_n, delta)
    assert norm.theta == 4.0
    middle, end = 8 * math.sqrt(2 * math.log(122) / m), 4 * math.sqrt(math.log(260) / (2 * m))
    assert norm.bound == pytest.approx(0.3 + middle + end)
    assert bounds.by_norm(0.3, m, 3000.0, log_n, delta) is None
    few, many = np.arange(m) < 10, np.arange(m) < 900
    least = bounds.uneven_loss(summed(margins, few), 5.0, log_n, delta)
    assert least.bound < bounds.uneven_loss(summed(margins, many), 5.0, log_n, delta).bound
    each = np.where(few, 5.0, 1.0)
    slack = (each * np.clip(1.0 - margins / least.theta, 0.0, 1.0)).mean()
    middle = 2 / least.theta * math.sqrt(2 * math.log(122) * (each**2).sum()) / m
    last = 15 * math.sqrt(math.log(22 / delta) / (2 * m))
    assert least.bound == pytest.approx(slack + middle + last)


def summed(margins, positive):
    return MarginSums.of(margins, positive, bounds.THETAS)


def test_sums_of_margins_do_not_depend_on_order_and_repeats():
    rng = np.random.default_rng(5)
    margins = np.append(rng.uniform(-1, 1, 300), [0.0, 0.25, 1.0, -1.0])
    positive = rng.random(len(margins)) < 0.3
    one = summed(margins, positive)
    order = rng.permutation(len(margins))
    other = summed(margins[order], positive[order])
    assert np.array_equal(one.counts, other.counts)
    assert np.array_equal(one.sums, other.sums)
    for theta in (0.0, 0.25, 1.0):
        assert one.share(theta) == (margins <= theta).mean()
    hinge = np.where(positive, 3.0, 1.0) * np.clip(1.0 - margins / 0.25, 0.0, 1.0)
    assert one.hinge(0.25, 3.0) == pytest.approx(hinge.mean(), rel=1e-12)
    with pytest.raises(ValueError, match="not counted"):
        one.share(0.3)


def test_where_a_condition_fails_there_is_a_reason():
    model, X, y = fitted()
    assert "the log loss" in note(model, "new_examples_by_norm")
    real = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert "-1 or 1" in note(real, "margins")
    short, *_ = fitted(learning_rate=0.5)
    assert "AdaBoost's" in note(short, "exponent_of_edges")
    heavy, *_ = fitted(class_weight={-1: 1.0, 1: 3.0})
    weighted = AdaBoostClassifier(learner="discrete").fit(X, y, np.where(X[:, 0] > 0, 1.5, 0.5))
    for other in (heavy, weighted):
        for name in ("product_of_edges", "new_examples_by_margin", "uneven_loss"):
            assert math.isnan(other.certificate_[name])
            assert "weights" in note(other, name)
            assert f"no certificate: {note(other, name)}" in str(other.certificate_.bounds[name])
    tree = AdaBoostClassifier(learner=DecisionTreeClassifier(max_depth=2), n_estimators=3).fit(X, y)
    assert "other libraries" in note(tree, "new_examples_by_rounds")
    own = AdaBoostClassifier(learner="tree", n_estimators=3).fit(X, y)
    assert "each leaf" in note(own, "new_examples_by_rounds")
    assert own.certificate_["new_examples_by_margin"] > 0.0
    blend = BlendedTreesClassifier(n_estimators=5).fit(X, y)
    assert "linear part" in note(blend, "new_examples_by_margin")
    informed = LogisticAdaBoostClassifier(n_estimators=3, prior_knowledge=["if x0 > 0.5: 1 0.9"])
    assert "prior knowledge" in note(informed.fit(X, y), "margins")


def note(model, name):
    return model.certificate_.bounds[name].note


def test_the_text_lists_what_says_something():
    model, *_ = fitted()
    found = model.certificate_
    shown = found.text()
    assert "exponent" not in shown
    assert "better than chance" in shown
    assert "say nothing here" in shown
    every = found.text(every=True)
    assert len(every.splitlines()) >= len(found.bounds) + 1 == 9
    assert max(map(len, every.splitlines())) <= 80
    assert "no certificate: the loss is not the log loss" in every.replace("\n    ", " ")
    lines = model.describe(2).splitlines()
    assert lines[-5:] == found.lines()
    assert lines[-5].startswith("training error: at most")
    assert all("no certificate" not in line for line in lines)


def test_a_coin_is_what_bounds_on_new_examples_must_beat():
    model, *_ = fitted(3, 20_000, n_estimators=8)
    found = model.certificate_.bounds
    assert found["new_examples_by_rounds"].bound < 0.5
    assert str(found["new_examples_by_rounds"]) in model.describe(1)
    assert 0.5 < found["new_examples_by_margin"].bound < 1.0
    assert str(found["new_examples_by_margin"]) not in model.describe(1)
    hull = HullBoostClassifier(radius=1.0, n_estimators=8).fit(*sample(3, 60_000))
    found = hull.certificate_.bounds
    assert found["new_examples_by_norm"].bound < found["new_examples_by_norm"].known == math.log(2)
    assert str(found["new_examples_by_norm"]) in hull.describe(1)
    assert found["uneven_loss"].known == 0.5


BOOSTERS = [
    AdaBoostClassifier(learner="discrete", n_estimators=8, smoothing=0.0),
    AdaBoostClassifier(learner="tree", n_estimators=4),
    LogisticAdaBoostClassifier(n_estimators=8),
    HullBoostClassifier(radius=1.0, n_estimators=8),
    AdaUBoostClassifier(beta=2.0, n_estimators=8),
    LPUBoostClassifier(beta=2.0, learner="disc.lp"),
    ADTreeClassifier(n_estimators=4),
    SlipperClassifier(n_estimators=4),
    ArcGVClassifier(n_estimators=10),
]
each_booster = pytest.mark.parametrize("booster", BOOSTERS, ids=lambda own: type(own).__name__)


def bounds_of(model):
    found = model.certificate_
    return {name: found[name] for name in found.bounds}


@each_booster
def test_the_certificates_of_a_fit_are_those_of_its_rows(booster, tmp_path):
    X, y = sample(2, 300)
    model = clone(booster).fit(X, y)
    found, again = model.certificate_, certificates(model, X, y)
    assert isinstance(found, Certificates)
    assert list(found.bounds) == list(again.bounds)
    for name, own in found.bounds.items():
        other = again.bounds[name]
        assert (own.of, own.note, own.known) == (other.of, other.note, other.known)
        assert own.bound == pytest.approx(other.bound, rel=1e-9, nan_ok=True)
        assert own.measured == pytest.approx(other.measured, nan_ok=True)
        assert found[name] is own.bound
    order = np.random.default_rng(0).permutation(len(y))
    assert bounds_of(clone(booster).fit(X[order], y[order])) == bounds_of(model)
    twice = clone(booster).fit(X, y, sample_weight=np.full(len(y), 2))
    assert bounds_of(twice) == bounds_of(clone(booster).fit(np.r_[X, X], np.r_[y, y]))
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model").certificate_
    assert loaded == found
    assert loaded.text(every=True) == found.text(every=True)
    kept = pickle.loads(pickle.dumps(found))
    assert kept == found
    assert kept.text(every=True) == found.text(every=True)


def test_rules_with_several_conditions_are_counted_as_such():
    """A rule of SLIPPER has two blocks, and as many tests as conditions."""
    X, y = sample(2, 300)
    model = SlipperClassifier(n_estimators=3).fit(X, y)
    tests = max(len(member.hypothesis.tests) for member in model.model_.members)
    assert tests > 1
    schema, m = model.model_.schema, len(y)
    log_n, leaves = bounds.log_rules(schema, m, tests + 1), tests + 1
    margins = summed(voting_margins(model, X, y), y > 0)
    delta = 0.05 / (leaves * (leaves - 1))
    expected = bounds.by_margin(margins, log_n, delta).bound
    assert model.certificate_["new_examples_by_margin"] == pytest.approx(expected)


def test_edited_models_and_older_files_have_none(tmp_path):
    model, X, y = fitted()
    edited = model.edit("me").drop(1, why="a test").done()
    assert not edited.certificate_.bounds
    assert "edited: no bound" in edited.certificate_.text(every=True)
    edited.save(tmp_path / "edited")
    again = load(tmp_path / "edited").certificate_
    assert again.text(every=True) == edited.certificate_.text(every=True)
    three = AdaBoostClassifier(n_estimators=2).fit(X, np.arange(len(y)) % 3).certificate_
    assert set(three) == {"bound", "training_error"}
    assert "it is for two classes" in three.text(every=True)


def test_what_cannot_be_is_refused():
    model, X, y = fitted()
    with pytest.raises(ValueError, match=r"delta=0\.6"):
        certificates(model, X, y, delta=0.6)
    with pytest.raises(ValueError, match="theta=-1"):
        certificates(model, X, y, theta=-1)
    three = AdaBoostClassifier(n_estimators=2).fit(X, np.arange(len(y)) % 3)
    with pytest.raises(ValueError, match="two classes"):
        certificates(three, X, np.arange(len(y)) % 3)


SIMULATED = [
    AdaBoostClassifier(learner="discrete", n_estimators=8),
    LogisticAdaBoostClassifier(n_estimators=8),
    HullBoostClassifier(radius=1.0, n_estimators=8),
    AdaUBoostClassifier(beta=2.0, n_estimators=8),
    LPUBoostClassifier(beta=2.0, learner="disc.lp"),
    AdaBoostClassifier(learner="tree", n_estimators=8),
]


def check_samples(seeds, m):
    """The true error of all inputs against each certificate; how often each failed and spoke."""
    failed = dict.fromkeys(["bound", *fitted(0, 50)[0].certificate_.bounds], 0)
    given, spoke = dict(failed), dict(failed)
    for seed in seeds:
        X, y = sample((seed, 1), m)
        model = clone(SIMULATED[seed % len(SIMULATED)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnderdogWarning)
            model.fit(X, y)
        scores = model.decision_function(INPUTS)
        error = np.where(scores > 0.0, 1.0 - CHANCES, CHANCES).mean()
        loss = CHANCES * np.logaddexp(0, -scores) + (1 - CHANCES) * np.logaddexp(0, scores)
        beta = model._link.beta
        uneven = (beta * CHANCES * (scores <= 0) + (1 - CHANCES) * (scores >= 0)).mean()
        truth = {
            "new_examples_by_rounds": error, "new_examples_by_margin": error,
            "new_examples_by_norm": loss.mean(), "uneven_loss": uneven,
        }  # fmt: skip
        found = model.certificate_
        if "bound" in found:
            failed["bound"] += found["training_error"] > found["bound"]
        for name, own in found.bounds.items():
            failed[name] += truth.get(name, own.measured) > own.bound + 1e-12
            given[name] += not math.isnan(own.bound)
            spoke[name] += own.says_something
    return failed, given, spoke


def test_no_certificate_is_violated_in_some_samples():
    failed, given, _ = check_samples(range(18), 500)
    assert not any(failed.values())
    assert all(given[name] for name in given if name != "bound")


@pytest.mark.slow
def test_no_certificate_is_violated_more_often_than_it_says():
    """In 1,000 samples; those about the training rows never."""
    failed, given, spoke = check_samples(range(1000), 3000)
    print({name: (failed[name], given[name], spoke[name]) for name in failed})
    for name, count in failed.items():
        assert count <= (0.05 * given[name] if "new" in name or "uneven" in name else 0), name
    assert all(spoke[name] for name in ("exponent_of_edges", "margins"))
