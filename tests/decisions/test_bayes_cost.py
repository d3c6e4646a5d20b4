"""Decisions reach the least possible expected cost as data grow.

The classes are drawn with known probabilities in finitely many cells, so that the expected cost of
any decisions is known exactly. From n examples a mistake about a cell is excused if chance explains
it: if the decision costs more than the best one by no more than a few standard errors of what the
examples of that cell say about the difference. What is excused vanishes as n grows.
"""

import itertools

import numpy as np
import pytest

from tests.estimators.small import (
    CORRECTIVE,
    EXPONENTIAL,
    lopsided,
    make,
    tolerates_noise,
    unfinished,
)
from underdog import (
    AdaBoostClassifier,
    AdaUBoostClassifier,
    CalibratedAdaMECClassifier,
    Costs,
    CostSensitiveClassifier,
    ThresholdClassifier,
)
from underdog.codes.base import sigmoid

STANDARD_ERRORS = 4.0
"""That chance explains: all decisions about six cells are within, 9998 times of 10,000."""
SIZES = (300, 1500, 8000)
RARE = Costs(fn=20, fp=1)
DISEASES = Costs.matrix([[0, 1, 2], [4, 0, 4], [10, 5, 0]], [0, 1, 2])


class Cells:
    """Values of X, the probabilities of the classes there, and how common they are."""

    def __init__(self, X, p):
        self.X, self.p = np.array(X, dtype=float), np.array(p)
        common = np.linspace(1.0, 2.0, len(self.X))
        self.common, self.classes = common / common.sum(), np.arange(self.p.shape[1])
        self.learned = self.common  # share of the examples that tell about a cell

    def draw(self, size, seed=0):
        rng = np.random.default_rng(seed)
        rows = rng.choice(len(self.X), size, p=self.common)
        above = self.p[rows].cumsum(axis=1)[:, :-1]
        return self.X[rows], (rng.random((size, 1)) > above).sum(axis=1)


def additive(base):
    """Log-odds that are a sum of two columns, as those of stumps are."""
    X = np.array(list(itertools.product(range(3), range(2))))
    parts = ([-1.5, 0.2, 1.4], [-0.6, 0.8])
    odds = base + sum(np.array(part)[X[:, column]] for column, part in enumerate(parts))
    return Cells(X, np.column_stack([sigmoid(-odds), sigmoid(odds)]))


BALANCED, UNCOMMON = additive(-0.2), additive(-3.4)
THREE = Cells(
    np.arange(5.0)[:, np.newaxis],
    [(0.7, 0.2, 0.1), (0.1, 0.6, 0.3), (0.4, 0.3, 0.3), (0.05, 0.9, 0.05), (0.25, 0.05, 0.7)],
)
PROBLEMS = {
    "balanced": (BALANCED, Costs(fn=5, fp=1)),
    "1:20": (UNCOMMON, RARE),
    "three classes": (THREE, DISEASES),
}


def excess(cells, costs, decided, size):
    """What decisions cost more than the best: in all, and what chance would explain at most.

    Refuses decisions that chance does not explain.
    """
    table = np.broadcast_to(costs.table(cells.classes), (len(cells.X), *[len(cells.classes)] * 2))
    expected = costs.expected(cells.p, cells.classes)
    best = expected.argmin(axis=1)
    cell = np.arange(len(cells.X))[:, np.newaxis]
    difference = table.transpose(0, 2, 1) - table[cell[:, 0], :, best][:, np.newaxis]
    mean = (cells.p[:, np.newaxis] * difference).sum(axis=2)
    variance = (cells.p[:, np.newaxis] * difference**2).sum(axis=2) - mean**2
    error = np.sqrt(np.maximum(variance, 0.0) / (size * cells.learned[:, np.newaxis]))
    excused = mean <= STANDARD_ERRORS * error
    assert excused[cell[:, 0], decided].all(), "decisions that chance does not explain"
    most = np.where(excused, mean, 0.0).max(axis=1)
    return mean[cell[:, 0], decided] @ cells.common, most @ cells.common


def check(cells, costs, decide):
    """`decide` learns from examples and decides about all cells."""
    for size in SIZES:
        decided = np.searchsorted(cells.classes, decide(*cells.draw(size)))
        _, excused = excess(cells, costs, decided, size)
    blind = cells.p.argmax(axis=1)
    with pytest.raises(AssertionError, match="chance does not explain"):
        excess(cells, costs, blind, SIZES[-1])
    expected = costs.expected(cells.p, cells.classes)
    saved = (expected[np.arange(len(blind)), blind] - expected.min(axis=1)) @ cells.common
    assert excused < 0.1 * saved  # next to nothing in the end


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_excess_falls(name):
    cells, costs = PROBLEMS[name]
    model = CostSensitiveClassifier(AdaBoostClassifier(), costs, calibration=None)

    def mean_excess(size):
        samples = [cells.draw(size, seed) for seed in range(10)]
        decided = [model.fit(X, y).predict(cells.X) for X, y in samples]
        return np.mean([excess(cells, costs, each, size)[0] for each in decided])

    few, more, many = (mean_excess(size) for size in SIZES)
    assert few > more >= many
    assert many < 0.1 * few


SEVERAL = [b for b in EXPONENTIAL if b().__sklearn_tags__().classifier_tags.multi_class]


def pairs(boosters):
    return [
        pytest.param(name, booster, id=f"{name}-{booster.__name__}")
        for name, (cells, _) in PROBLEMS.items()
        for booster in boosters
        if len(cells.classes) == 2 or booster in SEVERAL
    ]


@pytest.mark.parametrize(("name", "booster"), pairs(EXPONENTIAL))
@pytest.mark.filterwarnings("ignore:.* favours the positive")
def test_probabilities_of_ones_own(name, booster):
    cells, costs = PROBLEMS[name]
    model = CostSensitiveClassifier(booster(learner="real"), costs, calibration=None)
    check(cells, costs, lambda X, y: model.fit(X, y).predict(cells.X))


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic"])
@pytest.mark.parametrize(("name", "booster"), pairs([AdaBoostClassifier, AdaUBoostClassifier]))
@pytest.mark.filterwarnings("ignore:.* favours the positive")
def test_calibrated_probabilities(name, booster, calibration):
    cells, costs = PROBLEMS[name]
    model = CostSensitiveClassifier(booster(), costs, calibration=calibration, cv=3)
    check(cells, costs, lambda X, y: model.fit(X, y).predict(cells.X))


def test_the_baseline():
    cells, costs = PROBLEMS["1:20"]
    model = CalibratedAdaMECClassifier(costs, cv=3)
    check(cells, costs, lambda X, y: model.fit(X, y).predict(cells.X))


@pytest.mark.parametrize("name", ["balanced", "1:20"])
def test_thresholds(name):
    cells, costs = PROBLEMS[name]
    model = ThresholdClassifier(AdaBoostClassifier(), costs, cv=3)
    check(cells, costs, lambda X, y: model.fit(X, y).predict(cells.X))


@pytest.mark.parametrize("learner", ["real", "discrete"])
@pytest.mark.parametrize(
    ("name", "booster"),
    [
        (name, booster)
        for name in ("balanced", "1:20")
        for booster in EXPONENTIAL
        if "beta" not in booster().get_params() and booster()._make_loss().reads == "sides"
    ],
)
@pytest.mark.filterwarnings("ignore:.* favours the positive")
def test_boosters_that_learn_with_costs(name, booster, learner):
    """Their scores are above 0 where the positive class is the cheaper decision."""
    cells, costs = PROBLEMS[name]
    model = booster(costs=costs, learner=learner)
    check(cells, costs, lambda X, y: model.fit(X, y).predict(cells.X))


def test_beta_is_not_a_threshold():
    """The least uneven loss has a score above 0 where the probability is above 1/2."""
    X, y = UNCOMMON.draw(SIZES[-1])
    model = AdaUBoostClassifier(costs=RARE).fit(X, y)
    np.testing.assert_array_equal(model.predict(UNCOMMON.X), UNCOMMON.p.argmax(axis=1))
    decided = RARE.decide(model.predict_proba(UNCOMMON.X), UNCOMMON.classes)
    excess(UNCOMMON, RARE, decided, len(y))


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("booster", [b for b in CORRECTIVE if tolerates_noise(b)])
@pytest.mark.filterwarnings("ignore:.* favours the positive")
@lopsided
@unfinished
def test_boosters_without_probabilities(booster, calibration):
    """Margins are no log-odds. Where they tell the cells apart, calibration makes them useful.

    They need not: cells that get the same margin get the same decision, however much data there is.
    """
    cells, costs = Cells([[0.0], [1.0]], [(0.75, 0.25), (0.1, 0.9)]), Costs(fn=5, fp=1)
    model = CostSensitiveClassifier(make(booster), costs, calibration=calibration, cv=3)
    check(cells, costs, lambda X, y: model.fit(X, y).predict(cells.X))


def test_costs_of_single_examples():
    """Each example is decided about by what it costs."""
    amounts = np.array([1.0, 4.0, 40.0])
    each = np.repeat(np.arange(len(UNCOMMON.X)), len(amounts))
    cells = Cells(UNCOMMON.X[each], UNCOMMON.p[each])
    cells.learned = np.repeat(UNCOMMON.common, len(amounts))
    cells.common = cells.learned / len(amounts)
    costs = Costs(fn=np.tile(amounts, len(UNCOMMON.X)), fp=1)
    model = CostSensitiveClassifier(AdaBoostClassifier(), calibration=None)
    check(cells, costs, lambda X, y: model.fit(X, y).predict(cells.X, costs=costs))
