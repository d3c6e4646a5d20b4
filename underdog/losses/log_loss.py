"""The log loss of classes, made small by Newton's steps."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from underdog.checks import as_float, is_number
from underdog.core import Rows, Scores, Shard
from underdog.kernels import newton
from underdog.kernels.elementary import (
    GRID,
    exp_each,
    log_each,
    quick_sigmoid_each,
    softplus_each,
)
from underdog.losses.newton import NewtonLoss, weights
from underdog.types import Codes, Floats, Integers

MIN_SHARE = 1e-12
"""Of a class at the start, so that a score stays finite."""
STEPS = 2
"""For a row and label, as `Workers.run` counts them: exponentials are found in vectorised loops."""


class LogLoss(NewtonLoss):
    """The logistic loss of each label, made small by Newton's steps from its log-odds.

    Minimises the mean of u_i ln(1 + exp(-y_i F(x_i))), of several labels the sum over them. With p
    = 1 / (1 + exp(-F)) the gradient is y* - p, y* being 0 or 1, and the curvature p (1 - p). Scores
    start from the log-odds of the classes. A soft label q has the gradient q - p.

    References
    ----------
    Friedman, "Greedy function approximation", Annals of Statistics 29, 2001, algorithm 5.

    Examples
    --------
    >>> from underdog.losses import LogLoss
    >>> LogLoss().probability_scale
    1.0
    """

    takes_soft_labels: ClassVar[bool] = True

    @property
    def probability_scale(self) -> float:
        return 1.0

    decreasing: ClassVar[bool] = True

    def each(self, scores: Floats, sign: Codes) -> Floats:
        result = np.empty(scores.size)
        softplus_each(np.where(sign == 1, -scores, scores).ravel(), result)
        return result.reshape(scores.shape)

    def derivatives(self, scores: Floats, sign: Codes) -> tuple[Floats, Floats]:
        flat = np.empty(scores.size)
        quick_sigmoid_each(scores.ravel(), flat)
        own: Floats = flat.reshape(scores.shape)
        return sign - own, own * (1.0 - own)

    def fill_amounts(self, shard: Shard, weight: Floats, bits: int, out: Integers) -> None:
        scores, target = shard.scores, shard.target
        if target.soft is not None:
            super().fill_amounts(shard, weight, bits, out)
            return

        def fill(first: int, last: int) -> None:
            newton.logistic_amounts(
                scores.relative, scores.base, target.sign, weight, target.repeats,
                math.ldexp(1.0, bits), first, last, out,
            )  # fmt: skip

        shard.workers.run(fill, len(scores.relative), STEPS * scores.relative.size)

    def row_losses(self, scores: Scores, shard: Shard, weight: Floats) -> Floats:
        if shard.target.soft is not None:
            return super().row_losses(scores, shard, weight)
        out = np.empty(len(scores.relative))

        def fill(first: int, last: int) -> None:
            newton.logistic_losses(
                scores.relative, scores.base, shard.target.sign, weight, first, last, out
            )

        shard.workers.run(fill, len(out), STEPS * scores.relative.size)
        return out

    def start(self, rows: Rows) -> Floats:
        share = class_shares(rows)
        return on_grid(np.log(share) - np.log1p(-share))

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        """The loss of a mistake is ln 2 at least."""
        loss = self.training_loss(rows, costly=costly) / (rows.n_labels * math.log(2.0))
        return math.log(loss) if loss > 0.0 else -math.inf


class SoftmaxLoss(NewtonLoss):
    """The log loss of one class of K, made small by Newton's steps for each score.

    Minimises the mean of -u_i ln p_y(x_i), p = softmax(F). The gradient of class k is y*_k - p_k,
    and its curvature K/(K - 1) w_k with w_k = p_k (1 - p_k), which counts that the scores of the
    other classes move too. Scores start from the logarithms of the classes' shares.

    Where p_k is tiny and the class is k all the same, as in a leaf that a few such examples share
    with others, the curvature is tiny too and Newton's step is far too long. `z_max` bounds it:
    where |y*_k - p_k| / w_k is more, w_k is |y*_k - p_k| / z_max.

    Parameters
    ----------
    z_max : float, default=inf
        No block says more than (K - 1)/K times this.

    References
    ----------
    Friedman, "Greedy function approximation", Annals of Statistics 29, 2001, algorithm 6.
    """

    code: ClassVar[str | None] = "Softmax"
    takes_soft_labels: ClassVar[bool] = True

    def __init__(self, z_max: float = math.inf) -> None:
        self.z_max: float = as_float(z_max)

    def check(self) -> None:
        check_z_max(self.z_max)

    @property
    def probability_scale(self) -> float:
        return 1.0

    def probabilities(self, scores: Floats) -> Floats:
        """(n, K) softmax."""
        highest = scores.max(axis=1, keepdims=True)
        flat = np.empty(scores.size)
        exp_each((scores - highest).ravel(), flat)
        own: Floats = flat.reshape(scores.shape)
        total = own[:, :1].copy()
        for label in range(1, own.shape[1]):  # one after the other: the same sum on any machine
            total += own[:, label : label + 1]
        result: Floats = own / total
        return result

    def each(self, scores: Floats, sign: Codes) -> Floats:
        own = np.where(sign == 1, self.probabilities(scores), 1.0)
        logs = np.empty(own.size)
        log_each(np.maximum(own, np.finfo(float).tiny).ravel(), logs)
        return -logs.reshape(own.shape)

    def derivatives(self, scores: Floats, sign: Codes) -> tuple[Floats, Floats]:
        own, n_labels = self.probabilities(scores), scores.shape[1]
        gradient = sign - own
        raised = bounded(gradient, own * (1.0 - own), self.z_max)
        return gradient, raised * (n_labels / (n_labels - 1.0))

    def start(self, rows: Rows) -> Floats:
        return on_grid(np.log(class_shares(rows)))

    def log_bound(self, rows: Rows, costly: bool = False) -> float:
        """The loss of a mistake is ln 2 at least."""
        loss = self.training_loss(rows, costly=costly) / math.log(2.0)
        return math.log(loss) if loss > 0.0 else -math.inf


def check_z_max(z_max: float) -> None:
    """A bound on working responses is a number above 1."""
    if not is_number(z_max) or not z_max > 1.0:
        raise ValueError(f"z_max={z_max!r} must be a number above 1")


def bounded(gradient: Floats, curvature: Floats, z_max: float) -> Floats:
    """The curvature, raised where the response z = gradient / curvature is above z_max."""
    return np.maximum(curvature, np.abs(gradient) / z_max)


def class_shares(rows: Rows) -> Floats:
    """(K,) share of the weight of each label that is on positive examples."""
    highest = rows.largest(lambda shard: shard.target.log_weight(False))
    shares = []
    for label in range(rows.n_labels):

        def own(shard: Shard, label: int = label) -> Floats:
            weight = weights(shard.target, False, highest)
            return weight[:, min(label, weight.shape[1] - 1)]

        def positive(shard: Shard, label: int = label) -> Floats:
            return np.where(shard.target.sign[:, label] == 1, own(shard, label), 0.0)

        shares.append(rows.exact_sum(positive) / rows.exact_sum(own))
    return np.clip(shares, MIN_SHARE, 1.0 - MIN_SHARE)


def on_grid(scores: Floats) -> Floats:
    """Scores rounded to the score grid."""
    result: Floats = np.rint(scores * GRID) / GRID
    return result
