"""Every loss that there is, and rows on which it can be looked at."""

import numpy as np
import pytest

from tests.core.shards import positions, spread
from tests.data.tables import TABLES, encoded_rows
from tests.discovery import Found
from underdog.core import Loss, Target, every_row
from underdog.losses import Descent, RegressionLoss

PARAMETERS = {
    "Exponential": [{"beta": 3.0}, {"beta": 0.25}],
    "SoftMargin": [
        {"nu": 0.4, "beta": 3.0},
        {"nu": 0.5, "lower_bound_ratio": 20.0},
    ],
    "Logit": [{"z_max": 1.5}],
    "SoftmaxLoss": [{"z_max": 4.0}],
    "BrownPotential": [{"total_time": 4.0, "time": 1.5}, {"total_time": 50.0}],
    "RobustPotential": [{"target_error": 0.01, "target_margin": 0.5, "time": 0.2}],
    "MajorityVotes": [{"gamma": 0.02, "rounds": 40, "time": 3.0}],
    "HuberLoss": [{"alpha": 0.5}],
    "QuantileLoss": [{"quantiles": 0.9}, {"quantiles": (0.1, 0.5, 0.9)}],
}
"""Beside the defaults."""
SHARED = {
    "PointwiseLoss",
    "NewtonLoss",
    "RegressionLoss",
    "CustomLoss",
    "_Bounded",
    "PotentialLoss",
    "TimedLoss",
}
"""Classes of which only other losses are made."""
NOT_THE_BEST = {"Gentle", "LabelRanking", "Logistic"}
"""Losses whose coefficients make them fall, but make a bound or an approximation least."""
LEAST_BOUND = {"LabelRanking"}
"""Losses whose constant makes a bound on them least."""
ONE_LABEL = {
    "SoftMargin", "BrownPotential", "RobustPotential", "MajorityVotes", "SoftExponential"
}  # fmt: skip
"""Losses for two classes, which refuse several columns of labels."""

STEPWISE = {"MajorityVotes"}
"""Losses that are constant between whole numbers."""

LOSSES = Found(
    ["underdog.losses"], Loss, PARAMETERS, SHARED, "PARAMETERS of tests/losses/every_loss.py"
)
REAL = {title: loss for title, loss in LOSSES.made.items() if isinstance(loss, RegressionLoss)}
RANKING = {title: loss for title, loss in LOSSES.made.items() if loss.code == "Grades"}
"""Losses of queries, not of single examples: see tests/estimators/test_rankboost.py."""
GRADIENTS = {title: loss for title, loss in LOSSES.made.items() if isinstance(loss, Descent)}
"""Gradients of another loss as weights of votes: see tests/estimators/test_hull_boost.py."""
SIDES = {
    title: loss
    for title, loss in LOSSES.made.items()
    if loss.reads == "sides" and title not in {**REAL, **RANKING, **GRADIENTS}
}
each_loss = pytest.mark.parametrize("loss", SIDES.values(), ids=SIDES)
OF_GRADIENTS = {title: loss for title, loss in REAL.items() if loss.reads == "newton"}
each_regression_loss = pytest.mark.parametrize("loss", OF_GRADIENTS.values(), ids=OF_GRADIENTS)
NEWTON = {
    title: loss
    for title, loss in LOSSES.made.items()
    if loss.reads == "newton" and title not in {**REAL, **RANKING}
}
each_newton_loss = pytest.mark.parametrize("loss", NEWTON.values(), ids=NEWTON)


def that_give(*names):
    """Only the losses that give these."""
    some = {
        title: loss
        for title, loss in SIDES.items()
        if {*names} <= loss.gives and not ("mean" in names and type(loss).__name__ in STEPWISE)
    }
    return pytest.mark.parametrize("loss", some.values(), ids=some)


def follows_scores(loss):
    """Whether the weights are a function of the scores, and not set by a master problem."""
    return "example_weights" in loss.gives


def widths(loss):
    """Numbers of label columns that it takes."""
    return (1,) if type(loss).__name__ in ONE_LABEL else (1, 3)


class Setting:
    """Rows with labels, weights and scores, on shards."""

    def __init__(self, n_labels=1, n_shards=1, weighted=True, spread_of_scores=2.0, seed=1):
        rng = self.rng = np.random.default_rng(seed)
        table = self.table = TABLES["mixed"]()
        n = len(table)
        self.encoded = encoded_rows(table)
        sign = (rng.random((n, n_labels)) < 0.3).astype(np.uint8)
        repeats = rng.integers(1, 4, n) if weighted else np.ones(n, dtype=np.int64)
        prior = -2.0 * rng.random(n) if weighted else np.zeros(n)
        cost = -1.5 * rng.random(n) if weighted else None
        label = np.log(rng.uniform(0.2, 1.0, (2, n_labels))) if weighted and n_labels > 1 else None
        self.target = Target(sign, repeats, prior, cost, label)
        self.scores = np.rint(rng.normal(size=(n, n_labels)) * spread_of_scores * 2**20) / 2**20
        self.n_shards = n_shards

    def rows(self, target=None, scores=None, n_shards=None):
        """`Rows` with the scores, part of which are in the base that all rows share."""
        target = self.target if target is None else target
        scores = self.scores if scores is None else scores
        rows = spread(self.table, self.encoded.schema, target, n_shards or self.n_shards)
        for shard, own in zip(rows.shards, self.where(target, len(rows)), strict=True):
            shard.scores.base[:] = 0.25
            shard.scores.relative[:] = scores[own] - 0.25
        return rows

    @staticmethod
    def where(target, n_shards):
        """Which rows are on which shard."""
        return positions(target.sign, n_shards)

    def weight(self, target=None):
        """(n, K) the weight of each row for each label at the start."""
        target = self.target if target is None else target
        logs = np.repeat(target.log_prior[:, np.newaxis], target.n_labels, axis=1)
        if target.log_label is not None:
            logs = logs + np.take_along_axis(target.log_label, target.sign.astype(int), axis=0)
        return target.repeats[:, np.newaxis] * np.exp(logs)


def integers(rows, signal, where=None):
    """(n, K) integer weights of all rows, and the channel of each, in the order of the table."""
    where = [np.arange(rows.shards[0].encoded.n_rows)] if where is None else where
    n, n_labels = sum(map(len, where)), rows.n_labels
    amounts, channels = np.empty((n, n_labels), np.int64), np.empty((n, n_labels), np.int64)
    for shard, own in zip(rows.shards, where, strict=True):
        out = np.empty((len(own), n_labels), dtype=np.int64)
        signal.amounts(shard, every_row(len(own)), 0, 0, out)
        amounts[own], channels[own] = out, signal.channel_of(shard)
    return amounts, channels


def real_weights(rows, signal, where=None):
    """(n, K) weights that sum to one, from the integers of a signal."""
    amounts, channels = integers(rows, signal, where)
    unit = np.zeros((signal.n_channels, rows.n_labels))
    signal.unit(rows.totals(signal), unit)
    return amounts * np.take_along_axis(unit, channels, axis=0)
