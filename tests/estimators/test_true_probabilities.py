"""Probabilities are the true ones, whatever the examples weighed in training.

The classes are drawn with known probabilities in finitely many cells. The whole population, given
as counts of examples, has no sampling error, and what is learned from it must be the truth itself.
Of samples the probabilities must be as far from the truth as chance alone explains.
"""

import dataclasses
import itertools

import numpy as np
import pytest
from scipy.stats import chi2
from sklearn.tree import DecisionTreeClassifier

import underdog
from underdog import (
    AdaBoostAClassifier,
    AdaUBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    LogisticAdaBoostClassifier,
)
from underdog.codes.base import sigmoid
from underdog.estimators.support.base import Booster
from underdog.estimators.support.blended import Blended
from underdog.estimators.support.hull import HullBooster

BOOSTERS = [
    booster
    for booster in (getattr(underdog, name) for name in underdog.__all__)
    if isinstance(booster, type)
    and issubclass(booster, Booster)
    and hasattr(booster(), "predict_proba")
    and not issubclass(booster, (Blended, HullBooster))  # regularised: not the truth
]
EXAMPLES = 10**8
"""Of a population: counts are rounded, and the rarest cell still has tens of thousands."""
RESOLUTION = 1e-3
"""Of log-odds. Tests whose Z differs by less than 1e-11 are ties, and a step gains its square only:
steps of sqrt(1e-11), by the share of a cell and by beta, are not told apart."""
CHANCE = 1e-4
"""How seldom a sample is further from the truth than a test here allows."""
ROUNDS = 4000
"""More than any run takes until no rule has an edge left."""


def slow(name):
    return pytest.param(name, marks=pytest.mark.slow)


def has(booster, parameter):
    return parameter in {field.name for field in dataclasses.fields(booster)}


def weightings(classes):
    """Parameters that make the classes weigh differently in training."""
    even = [{}, {"class_weight": "balanced"}]
    if classes == 2:
        costs = Costs(fn=20, fp=1)
        unlike = [{"class_weight": {0: 1, 1: 50}}, {"class_weight": {0: 50, 1: 1}}]
    else:
        costs = Costs.matrix([[0, 1, 9], [5, 0, 5], [30, 10, 0]], [0, 1, 2])
        unlike = [{"class_weight": {0: 1, 1: 50, 2: 5}}]
    return [*even, *unlike, {"costs": costs}]


def cases(classes):
    """Every booster with every weighting that it takes; rules that vote and rules with values."""
    found = []
    for booster, learner in itertools.product(BOOSTERS, ("real", "discrete")):
        if classes > 2 and not booster().__sklearn_tags__().classifier_tags.multi_class:
            continue
        if has(booster, "beta") and learner == "discrete":
            continue  # see below
        if learner == "discrete" and booster()._make_loss().reads == "newton":
            continue  # there are no votes on gradients
        own = [{"beta": 2.0}, {"beta": 10.0, "class_weight": {0: 7, 1: 1}}]
        for weighting in [*weightings(classes), *(own if has(booster, "beta") else [])]:
            parameters = {"learner": learner, **weighting}
            name = f"{booster.__name__}-{learner}-{weighting}"
            found.append(pytest.param(booster, parameters, id=name))
    return found


def make(booster, parameters):
    costs = parameters.get("costs")
    uneven = has(booster, "beta") or (costs is not None and costs.is_pair())
    pos_label = {"pos_label": 1} if uneven else {}  # which may favour the larger class
    # Votes under bounded weights settle slowly.
    slow = booster is LogisticAdaBoostClassifier and parameters["learner"] == "discrete"
    rounds = 4 * ROUNDS if slow else ROUNDS
    # Bounded responses make LogitBoost's steps short where a class is rare.
    far = {"z_max": 1e6} if has(booster, "z_max") else {}
    return booster(n_estimators=rounds, **pos_label, **far, **parameters)


def additive(base):
    """Cells of three columns whose log-odds are sums over columns; and how common they are."""
    X = np.array(list(itertools.product(range(3), range(3), range(2))))
    parts = ([-1.2, 0.1, 1.0], [0.6, -0.7, 0.2], [-0.3, 0.4])
    odds = base + sum(np.array(encoded)[X[:, column]] for column, encoded in enumerate(parts))
    p = sigmoid(odds)
    common = np.linspace(1.0, 2.0, len(X))
    return X.astype(float), np.column_stack([1.0 - p, p]), common / common.sum()


def one_column(shares):
    """Cells of a single column, with these probabilities of the classes."""
    shares = np.array(shares)
    common = np.linspace(1.0, 2.0, len(shares))
    return np.arange(len(shares), dtype=float)[:, np.newaxis], shares, common / common.sum()


def binary(shares):
    return [(1.0 - share, share) for share in shares]


POPULATIONS = {
    "balanced": additive(-0.2),
    "1:20": additive(-3.4),
    "1:200": additive(-5.8),
    "three": one_column(
        [(0.7, 0.2, 0.1), (0.1, 0.6, 0.3), (0.3, 0.3, 0.4), (0.05, 0.9, 0.05), (0.25, 0.05, 0.7)]
    ),
}
# A single column: the best that can be said of a cell is its own share, by any loss.
SAMPLED = {
    "balanced": (one_column(binary([0.3, 0.8, 0.5, 0.15, 0.6])), 2000),
    "1:20": (one_column(binary([0.02, 0.12, 0.05, 0.01, 0.06])), 20_000),
    "1:200": (one_column(binary([0.002, 0.012, 0.005, 0.001, 0.006])), 200_000),
    "three": (POPULATIONS["three"], 2000),
}


def rows(X, counts):
    """A row for each cell and class, and how many examples it stands for."""
    classes = counts.shape[1]
    return np.repeat(X, classes, axis=0), np.tile(np.arange(classes), len(X)), counts.ravel()


def drawn(population, size, seed):
    """(cells, classes) counts of a sample."""
    _, p, common = population
    joint = (common[:, np.newaxis] * p).ravel()
    return np.random.default_rng(seed).multinomial(size, joint / joint.sum()).reshape(p.shape)


def without_correction(model, X):
    """What the even link makes of the scores."""
    scores = model.decision_function(X)
    own = sigmoid(2.0 * scores)
    if scores.ndim == 1:
        return np.column_stack([1.0 - own, own])
    return own / own.sum(axis=1, keepdims=True)


def off(found, p):
    """The largest error of any class's log-odds."""
    return np.abs(np.log(found / (1.0 - found)) - np.log(p / (1.0 - p))).max()


def pearson(found, p, counts):
    """Chi-squared of probabilities that were learned from these counts, given the truth."""
    return (counts.sum(axis=1, keepdims=True) * (found - p) ** 2 / p).sum()


def shifted(model, parameters):
    """Whether the classes weighed differently."""
    return parameters.keys() - {"learner"} or getattr(model, "beta", 1.0) != 1.0


def check_population(booster, parameters, name):
    X, p, common = POPULATIONS[name]
    counts = np.rint(EXAMPLES * common[:, np.newaxis] * p)
    cells, y, repeats = rows(X, counts)
    model = make(booster, parameters).fit(cells, y, sample_weight=repeats)
    assert off(model.predict_proba(X), p) < RESOLUTION
    if shifted(model, parameters) and parameters.get("class_weight") != "balanced":
        assert off(without_correction(model, X), p) > 100 * RESOLUTION


@pytest.mark.parametrize("name", [slow("balanced"), "1:20", slow("1:200")])
@pytest.mark.parametrize(("booster", "parameters"), cases(2))
def test_the_population_gives_the_truth(booster, parameters, name):
    check_population(booster, parameters, name)


@pytest.mark.parametrize(("booster", "parameters"), cases(3))
def test_the_population_of_three_classes_gives_the_truth(booster, parameters):
    check_population(booster, parameters, "three")


def check_samples(booster, parameters, name):
    """Errors are those of shares of a sample, and fall with its size as they do."""
    population, size = SAMPLED[name]
    X, p, _ = population
    bound = chi2.ppf(1.0 - CHANCE, len(X) * (p.shape[1] - 1))
    for seed, larger in enumerate((1, 4, 16)):
        counts = drawn(population, larger * size, seed)
        cells, y, repeats = rows(X, counts)
        model = make(booster, parameters).fit(cells, y, sample_weight=repeats)
        assert pearson(model.predict_proba(X), p, counts) < bound
    if shifted(model, parameters) and parameters.get("class_weight") != "balanced":
        assert pearson(without_correction(model, X), p, counts) > 10 * bound


@pytest.mark.parametrize("name", ["balanced", slow("1:20"), slow("1:200")])
@pytest.mark.parametrize(("booster", "parameters"), cases(2))
def test_samples_are_off_by_chance_alone(booster, parameters, name):
    check_samples(booster, parameters, name)


@pytest.mark.parametrize(
    ("booster", "parameters"),
    [
        pytest.param(*case.values, id=case.id, marks=[pytest.mark.slow] * weighted)
        for case in cases(3)
        for weighted in ["class_weight" in case.values[1]]
    ],
)
def test_samples_of_three_classes_are_off_by_chance_alone(booster, parameters):
    check_samples(booster, parameters, "three")


@pytest.mark.parametrize("beta", [2.0, 10.0])
def test_votes_under_an_uneven_loss(beta):
    check_population(AdaUBoostClassifier, {"learner": "discrete", "beta": beta}, "1:20")


@pytest.mark.parametrize("learner", ["real.mh", "real.lp", "real.u"])
def test_even_values_under_an_uneven_loss(learner):
    check_population(AdaUBoostClassifier, {"learner": learner, "beta": 4.0}, "1:20")


ORDERS = {
    "uniform": {"initial": "uniform"},
    "zipf": {"initial": "zipf"},
    "geometric": {"initial": ("geometric", 0.999)},
    "own": {},
}
SHORT = ("zipf", "own")
"""Those that are tried with costs, which take longer."""


@pytest.mark.parametrize("learner", ["real", "discrete"])
@pytest.mark.parametrize(
    ("order", "costs"),
    [*((order, None) for order in ORDERS), *((order, Costs(fn=20, fp=1)) for order in SHORT)],
)
def test_initial_weights_only_say_where_to_look_first(order, costs, learner):
    """Examples in random order: their weights tell nothing about their classes."""
    population, size = SAMPLED["1:20"]
    X, p, _ = population
    counts = drawn(population, size, 0)
    cells, y, repeats = rows(X, counts)
    shuffled = np.random.default_rng(1).permutation(np.repeat(np.arange(len(y)), repeats))
    own = {"initial_weight": 1.0 / (1.0 + np.arange(size)) ** 2} if order == "own" else {}
    model = AdaBoostAClassifier(learner=learner, costs=costs, n_estimators=ROUNDS, **ORDERS[order])
    model.fit(cells[shuffled], y[shuffled], **own)
    bound = chi2.ppf(1.0 - CHANCE, len(X))
    assert pearson(model.predict_proba(X), p, counts) < bound
    if costs is not None:
        assert pearson(without_correction(model, X), p, counts) > 10 * bound


@pytest.mark.parametrize("learner", ["real", "discrete"])
@pytest.mark.parametrize("booster", [each for each in BOOSTERS if not has(each, "beta")])
def test_costs_of_examples_that_tell_nothing_about_x(booster, learner):
    """What an example costs depends on its class and on chance: only the class matters.

    A booster with beta has one for all examples and refuses such costs.
    """
    population, size = SAMPLED["1:20"]
    X, p, _ = population
    counts = drawn(population, size, 0)
    cells, y, repeats = rows(X, counts)
    cells, y = np.repeat(cells, repeats, axis=0), np.repeat(y, repeats)
    amounts = np.random.default_rng(2).choice([1.0, 3.0], len(y))
    model = make(booster, {"learner": learner}).fit(cells, y, costs=Costs(fn=20 * amounts, fp=1))
    # The share of costs has a variance that is larger by E[c^2] / E[c]^2 = 5 / 4 for positives.
    bound = 1.25 * chi2.ppf(1.0 - CHANCE, len(X))
    assert pearson(model.predict_proba(X), p, counts) < bound
    assert pearson(without_correction(model, X), p, counts) > 10 * bound


@pytest.mark.parametrize("learner", ["disc.mh", "disc.lp", "disc.u", DecisionTreeClassifier()])
def test_votes_that_end_before_the_least_loss_have_no_probabilities(learner):
    X, y = np.arange(20.0).reshape(-1, 1), np.arange(20) % 7 > 4
    uneven, even = (
        AdaUBoostClassifier(learner=learner, beta=beta, n_estimators=3) for beta in (2.0, 1.0)
    )
    for model in (uneven, uneven.fit(X, y)):
        with pytest.raises(AttributeError) as error:
            model.predict_proba(X)
        assert "has no predict_proba: with an uneven loss, votes" in str(error.value)
    assert even.fit(X, y).predict_proba(X).shape == (20, 2)
    calibrated = CostSensitiveClassifier(uneven, cv=2).fit(X, y)
    assert calibrated.predict_proba(X).shape == (20, 2)
