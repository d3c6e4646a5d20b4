"""The exponential loss and its integer weights."""

from __future__ import annotations

import numpy as np

from underdog.checks import as_float, check_positive
from underdog.core import Change, Loss, Scores, Target
from underdog.kernels import rules, weights
from underdog.kernels.elementary import GRID, log
from underdog.kernels.sums import log_sum_exp
from underdog.types import Codes, Floats, Indices, Integers

LEAST_TOTAL, MOST_TOTAL, FRESH_BITS = 2.0**50, 2.0**62, 59
"""Between these the total units of a label and sign are left alone; else they start at 2**59."""


class Exponential(Loss):
    """Exponential loss, optionally uneven between positive and negative examples.

    Minimises the sum of w_i exp(-b_i y_i F(x_i)), with b_i = 1/beta for positives and 1 for
    negatives, where every positive starts with beta times the weight of a negative. beta = 1 is
    AdaBoost's loss.

    Parameters
    ----------
    beta : float, default=1.0
        How many negatives one positive counts.

    References
    ----------
    Leskovec and Shawe-Taylor, "Linear Programming Boosting for Uneven Datasets", ICML 2003,
    eq. (10).

    Examples
    --------
    >>> Exponential().probability_scale
    2.0
    >>> Exponential(beta=4.0).probability_scale
    1.25
    """

    def __init__(self, beta: float = 1.0) -> None:
        self.beta: float = as_float(beta)

    def check(self) -> None:
        check_positive("beta", self.beta)

    def weigh(self, scores: Scores, target: Target, log_prior: Floats) -> ExponentialSignal:
        return ExponentialSignal(scores, target, log_prior, self.beta)

    def constant(self, sums: Integers, unit: Floats, smooth: float) -> Floats:
        values = np.empty((2, sums.shape[2]))
        rule = rules.REAL_Z if self.beta == 1.0 else rules.UNEVEN_Z
        rules.fill(rule, sums, unit, smooth, self.beta, values)
        values[1] = values[0]
        return values

    def log_mean(self, scores: Scores, target: Target, logs: Floats) -> float:
        own, all_ = np.empty(target.n_labels), np.empty(target.n_labels)
        for label in range(target.n_labels):
            positive = target.sign[:, label] == 1
            start = logs + np.where(positive, float(log(self.beta)), 0.0)
            if target.log_label is not None:
                start = start + target.log_label[target.sign[:, label], label]
            score = scores.relative[:, label] + scores.base[label]
            fall = np.where(positive, score / self.beta, -score)
            own[label] = log_sum_exp(start - fall, target.times)
            all_[label] = log_sum_exp(start, target.times)
        return float(log_sum_exp(own) - log_sum_exp(all_))

    def mean(self, scores: Floats, sign: Codes, weight: Floats) -> float:
        rate = np.where(sign == 1, 1.0 / self.beta, 1.0)
        fall = np.where(sign == 1, 1.0, -1.0) * rate * scores
        start = np.where(sign == 1, self.beta, 1.0)
        each = weight if weight.ndim == 2 else weight[:, np.newaxis]
        with np.errstate(divide="ignore"):
            logs = np.log(each * start).ravel()
        highest = np.log(np.finfo(float).max)
        return float(np.exp(min(log_sum_exp(logs - fall.ravel()) - log_sum_exp(logs), highest)))

    @property
    def probability_scale(self) -> float:
        """s in P(y = +1 | x) = 1 / (1 + exp(-s F)): the link at the loss's own minimiser."""
        return 1.0 + 1.0 / self.beta


class ExponentialSignal:
    """Integer weights V = rint(2**exponent exp(log_prior - y rate (F - B))), B = base + offset.

    V depends on the score alone, so untouched rows keep theirs when `base` moves (B moves along),
    and nothing drifts. B and the exponent are chosen anew, for one label and sign, only when the
    total would leave [2**50, 2**62]. What a label and sign weigh beside others is the weight of
    their unit, which is kept as a logarithm: V does not know of it.
    """

    def __init__(self, scores: Scores, target: Target, log_prior: Floats, beta: float) -> None:
        n_labels = target.n_labels
        self.scores, self.log_prior, self.times = scores, log_prior, target.times
        self.sign: Codes = target.sign
        self.rate = np.array([1.0, 1.0 / beta])
        self.log_start = np.array([0.0, float(log(beta))])
        self.log_label = target.log_label
        self.offset = np.zeros((2, n_labels))
        self.exponent = np.zeros((2, n_labels), dtype=np.int64)
        self.version = 0
        self.change: Change | None = None
        self._once = bool((self.times == 1).all())
        self._room = FRESH_BITS - int(self.times.sum()).bit_length()
        self._rescale(np.ones((2, n_labels), dtype=np.uint8))

    def units(self, rows: Indices, first_label: int, out: Integers) -> None:
        weights.units(
            self.scores.relative, self.sign, self.log_prior, self.times, self.rate, self.offset,
            self.exponent, rows, first_label, out,
        )

    def deltas(self, rows: Indices, out: Integers, totals: Integers) -> None:
        if self.change is None:
            raise ValueError("nothing is known of the last change: count anew")
        weights.deltas(
            self.scores.relative, self.sign, self.log_prior, self.times, self.rate, self.offset,
            self.exponent, self.change.fresh, self.change.step, rows, out, totals,
        )

    def unit_weight(self, totals: Integers, out: Floats) -> None:
        scales = self.log_start, self.exponent, self.rate, self.scores.base, self.offset
        if self.log_label is None:
            weights.unit_weights(*scales, totals, out)
        else:
            weights.log_units(*scales, out)
            out += self.log_label
            rules.normalise(totals, out, out)

    def follow(self, rows: Indices, step: Floats, touched: int, sums: Integers) -> None:
        fresh = np.zeros(self.offset.shape, dtype=np.uint8)
        rounding = 0.5 * (len(rows) if self._once else float(self.times[rows].sum()))
        leaving = weights.project(
            sums, touched, step, self.rate, rounding, LEAST_TOTAL, MOST_TOTAL, fresh
        )
        if leaving:
            self._rescale(fresh)
        self.change = Change(self.version, rows, step, fresh, leaving > 0)
        self.version += 1

    def restart(self) -> None:
        self._rescale(np.ones(self.offset.shape, dtype=np.uint8))
        self.change = None
        self.version += 1

    def _rescale(self, fresh: Codes) -> None:
        """Choose B and the exponent anew: total in [2**58, 2**59)."""
        for s, label in np.argwhere(fresh).tolist():
            highest = weights.peak(
                self.scores.relative, self.sign, self.log_prior, self.rate, s, label
            )
            if highest == -np.inf:  # no example of this sign
                continue
            offset = -(2 * s - 1) * highest / self.rate[s]
            self.offset[s, label] = np.rint(offset * GRID) / GRID
            self.exponent[s, label] = self._room
            counted = weights.total(
                self.scores.relative, self.sign, self.log_prior, self.times, self.rate, self.offset,
                self.exponent, s, label,
            )
            self.exponent[s, label] += FRESH_BITS - int(counted).bit_length()
