"""AdaBoost.R: regression as infinitely many questions of the kind "is y above z?"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from underdog.core import Rows, Run, Shard
from underdog.estimators.support.median import MedianRegressor
from underdog.estimators.support.reweighting import (
    ONLY_ONE,
    PERFECT,
    TOO_WEAK,
    Judged,
    Reweighting,
    ReweightingMemory,
    weighted_targets,
)
from underdog.kernels.elementary import exp_each, log, log_each
from underdog.types import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostRRegressor(MedianRegressor):
    r"""AdaBoost.R: AdaBoost on the questions "is y above z?" for all z in the range of y.

    Every row has a weight for each z, at first :math:`w_i(z) = D_i |z - y_i|`. A rule h answers the
    questions with z between :math:`y_i` and :math:`h(x_i)` wrongly. In every round a tree h is
    fitted to y by least squares, and with all weights divided by their sum

    .. math:: \epsilon = \sum_i \left| \int_{y_i}^{h(x_i)} w_i(z) dz \right|, \quad
        \beta = \epsilon / (1 - \epsilon).

    Then the weights of the other z are multiplied by :math:`\beta`. The weight of the tree in the
    median is :math:`\ln(1 / \beta)`. The prediction is the smallest one at which the cumulated
    weights of the trees reach a half of all. With :math:`Z_0`, the sum of the first weights,

    .. math:: \frac{1}{m} \sum_i (y_i - F(x_i))^2 \le 2 Z_0 \prod_t 2 \sqrt{\epsilon_t (1 -
        \epsilon_t)}

    after any round. Boosting stops before a tree with :math:`\epsilon \ge 1/2`, and after a tree
    without any error.

    Parameters
    ----------
    n_estimators : int, default=100
    learning_rate : float, default=1.0
        Factor v of :math:`\ln(1 / \beta)`. Then the factor of a round in the bound is
        :math:`\epsilon e^{a/2} + (1 - \epsilon) e^{-a/2}` with :math:`a = v \ln(1 / \beta)`.
    max_depth : int, optional, default=3
    max_leaf_nodes, min_samples_leaf, l2_regularization, subsample, max_features, cuts, bootstrap
        See `GradientBoostingRegressor`.
    learner : default="tree"
        See `AdaBoostR2Regressor`. A scikit-learn regressor must support `sample_weight`, and its
        predictions are clipped to the range of y.

    See `AdaBoostR2Regressor` for the parameters and attributes that are not listed here.

    Attributes
    ----------
    estimator_errors_ : array of shape (n_iter_,)
        :math:`\epsilon` of each rule.
    history_ : dict of arrays
        loss (:math:`\epsilon`), bound (on the mean squared error), coefficient, seconds.
    certificate_ : dict
        training_loss: the mean squared error of the training rows. bound: on it.

    Notes
    -----
    A rule helps if it errs to the other side than the rules before it, which a tree that is fitted
    by least squares does only in part. So boosting often stops after a few rounds; with a smaller
    `learning_rate` it goes on.

    The weights are exact: between two past predictions for a row they are a multiple of
    :math:`|z - y_i|`. A round takes time in proportion to rows times rounds so far, and training
    keeps the predictions of all rules for all rows. A median has no additive parts: there are no
    contributions of columns to a prediction, and no shapes of columns.

    References
    ----------
    Freund and Schapire, "A decision-theoretic generalization of on-line learning and an application
    to boosting", JCSS 55, 1997, section 5.4 and theorem 12.

    Differs from the paper: y has any range, which is that of the training rows; the bound has the
    factor :math:`2 Z_0`, which the paper replaces by 1, its largest value. The paper leaves the
    weak learner open. Here row i has the weight :math:`\int w_i(z) dz`, divided by its first value,
    which makes :math:`\epsilon` least in the first round.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import AdaBoostRRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = AdaBoostRRegressor(n_estimators=20).fit(X, y)
    >>> {name: round(value) for name, value in model.certificate_.items()}
    {'training_loss': 2961, 'bound': 24073}
    """

    _clipped: ClassVar[bool] = True
    _certified: ClassVar[tuple[str, ...]] = ("training_loss", "bound")

    def _make_combiner(self) -> QuestionWeights:
        return QuestionWeights(self.learning_rate)

    def _certify(self, run: Run) -> dict[str, Any]:
        last = run.history.rows[len(run.state.members) - 1]
        return {**super()._certify(run), "bound": last["bound"]}


@dataclass
class QuestionMemory(ReweightingMemory):
    """The rules so far: signed errors h - y of the rows of each shard, and coefficients."""

    errors: list[Sequence[Floats]] = field(default_factory=list)
    coefficients: list[float] = field(default_factory=list)

    def of(self, shard: Shard) -> Floats:
        """(n, t) the errors of the rows of a shard."""
        own = np.empty((shard.encoded.n_rows, len(self.errors)))
        for number, each in enumerate(self.errors):
            own[:, number] = each[shard.number]
        return own


class QuestionWeights(Reweighting):
    """The weights of AdaBoost.R: a row has one for every question "is y above z?".

    They are kept up to the product of all beta: those of z between y and the prediction of a rule
    grow by exp(coefficient), the others stay.

    Parameters
    ----------
    learning_rate : float, default=1.0
        Factor of the coefficients.
    """

    facts: ClassVar[tuple[str, ...]] = ("bound",)

    def __init__(self, learning_rate: float = 1.0) -> None:
        super().__init__(learning_rate)

    def start(self, run: Run) -> QuestionMemory:
        return QuestionMemory()

    def judge(self, run: Run, predicted: Sequence[Floats]) -> Judged:
        wrong = self._wrong(run, _errors(run, predicted))
        everything = _sum(run.rows, self._weights(run))
        error = _sum(run.rows, wrong) / everything if everything > 0.0 else 0.0
        only, stop = not run.state.members, None
        coefficient = 1.0
        if not error > 0.0:
            stop = PERFECT
        elif error >= 0.5:
            coefficient, stop = (1.0, ONLY_ONE) if only else (0.0, TOO_WEAK)
        else:
            coefficient = self.learning_rate * float(log((1.0 - error) / error))
        product = _factor(error, coefficient)
        for row in run.history.rows[: len(run.state.members)]:
            product *= _factor(row["loss"], row["coefficient"])
        bound = 2.0 * first_sum(run.rows) * product
        loss, unit = weighted_targets(run).loss, run.rows.shards[0].target.unit
        return Judged(coefficient, {"loss": error, "bound": loss.in_unit(bound, unit)}, stop)

    def reweighed(
        self, run: Run, predicted: Sequence[Floats], coefficient: float
    ) -> Sequence[Floats]:
        run.memory.errors.append(_errors(run, predicted))
        run.memory.coefficients.append(coefficient)
        logs = []
        for shard, weights in zip(run.rows.shards, self._weights(run), strict=True):
            grown = np.empty(len(weights))
            log_each(weights / first_weights(shard, *range_of(run.rows)), grown)
            logs.append(shard.target.log_weight() + grown)
        return logs

    def _past(self, run: Run, shard: Shard) -> tuple[Floats, Floats, float]:
        """(n, t) errors of the rules so far, their coefficients, and the greatest exponent."""
        return run.memory.of(shard), np.array(run.memory.coefficients), self._highest(run)

    def _highest(self, run: Run) -> float:
        """The greatest sum of coefficients of rules that err to the same side for a row."""
        memory: QuestionMemory = run.memory

        def sums(shard: Shard) -> Floats:
            own = memory.of(shard)
            sides = [np.where(side, memory.coefficients, 0.0) for side in (own > 0, own < 0)]
            return np.asarray(np.maximum(*(side.sum(axis=1) for side in sides)))

        return float(run.rows.largest(sums))

    def _weights(self, run: Run) -> list[Floats]:
        """(n,) the integrals of the weights of each row, without its initial weight."""
        low, high = range_of(run.rows)
        found = []
        for shard in run.rows.shards:
            past, coefficients, highest = self._past(run, shard)
            y = _targets(shard)
            up = integrals(past, coefficients, high - y, highest)
            found.append(up + integrals(-past, coefficients, y - low, highest))
        return found

    def _wrong(self, run: Run, errors: Sequence[Floats]) -> list[Floats]:
        """(n,) the integrals of the weights between the targets and the predictions."""
        low, high = range_of(run.rows)
        found = []
        for shard, error in zip(run.rows.shards, errors, strict=True):
            past, coefficients, highest = self._past(run, shard)
            y = _targets(shard)
            room = np.where(error >= 0.0, high - y, y - low)
            reach = np.minimum(np.abs(error), room)
            side = np.where(error >= 0.0, 1.0, -1.0)[:, np.newaxis]
            found.append(integrals(side * past, coefficients, reach, highest))
        return found


def integrals(past: Floats, coefficients: Floats, reach: Floats, highest: float) -> Floats:
    """(n,) the integrals of z exp(c(z) - highest) from 0 to `reach`.

    c(z) is the sum of the coefficients of the rules whose error, in the columns of `past`, is at
    least z.
    """
    n_rows = len(reach)
    order = np.argsort(-past, axis=1, kind="stable")
    ends = np.take_along_axis(past, order, axis=1).clip(0.0)
    ends = np.minimum(np.concatenate([np.full((n_rows, 1), np.inf), ends], axis=1), reach[:, None])
    ends = np.concatenate([ends, np.zeros((n_rows, 1))], axis=1)
    exponents = np.zeros((n_rows, len(coefficients) + 1))
    np.cumsum(coefficients[order], axis=1, out=exponents[:, 1:])
    growth = np.empty(exponents.size)
    exp_each((np.minimum(exponents, highest) - highest).ravel(), growth)
    pieces = 0.5 * (ends[:, :-1] ** 2 - ends[:, 1:] ** 2)
    result: Floats = (growth.reshape(exponents.shape) * pieces).sum(axis=1)
    return result


def range_of(rows: Rows) -> tuple[float, float]:
    """The least and the greatest target."""
    return -rows.largest(lambda shard: -_targets(shard)), rows.largest(_targets)


def _targets(shard: Shard) -> Floats:
    return np.asarray(shard.target.observed[:, 0], dtype=np.float64)


def first_weights(shard: Shard, low: float, high: float) -> Floats:
    """(n,) the integrals of |z - y| over the range."""
    y = _targets(shard)
    result: Floats = 0.5 * ((y - low) ** 2 + (high - y) ** 2)
    return result


def first_sum(rows: Rows) -> float:
    """Z_0: the mean of the first weights of the examples."""
    low, high = range_of(rows)
    own = [first_weights(shard, low, high) for shard in rows.shards]
    return _sum(rows, own) / _sum(rows, [np.ones(len(each)) for each in own])


def _sum(rows: Rows, measured: Sequence[Floats]) -> float:
    """The sum of a number of each row, times its initial weight."""

    def weighted(shard: Shard) -> Floats:
        own = np.empty(shard.encoded.n_rows)
        exp_each(shard.target.log_weight(), own)
        return np.asarray(own * measured[shard.number])

    return rows.exact_sum(weighted)


def _errors(run: Run, predicted: Sequence[Floats]) -> list[Floats]:
    """(n,) h - y."""
    shards = run.rows.shards
    return [predicted[shard.number] - _targets(shard) for shard in shards]


def _factor(error: float, coefficient: float) -> float:
    """By what a rule multiplies the bound."""
    half = math.exp(0.5 * coefficient)
    return error * half + (1.0 - error) / half
