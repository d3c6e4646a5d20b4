"""Sample weights, class weights and costs as numbers of examples and initial weights."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import assert_all_finite, compute_class_weight

from underdog.checks import notify, to_python
from underdog.codes import Labels
from underdog.codes.binary import BinaryLabels
from underdog.core import Rows, Shard, Signal, every_row
from underdog.costs import Costs
from underdog.kernels.elementary import log_each
from underdog.types import Codes, Flags, Floats, Integers
from underdog.workers.collective import (
    ALONE,
    Collective,
    any_of,
    count,
    exact_sum,
    exact_sums,
    largest,
)

if TYPE_CHECKING:
    from underdog.estimators.support.task import Progress

MAX_EXAMPLES = 2**31


@dataclass(frozen=True)
class FitArguments:
    """The arguments of fit other than X and y."""

    sample_weight: Any = None
    X_val: Any = None
    y_val: Any = None
    initial_weight: Any = None
    cost: Any = None
    costs: Costs | None = None
    folds: Any = None
    """The part of each row that early stopping leaves out, if these are given."""
    collective: Collective = ALONE
    """The processes of this fit, if the rows are in several."""
    progress: Progress | None = None
    """Rounds of the same fit, which was interrupted."""
    client: Any = None
    """The client of Dask, if it is not the current one."""


@dataclass(frozen=True)
class Counted:
    """Sample weights as numbers of examples.

    Attributes
    ----------
    kept : rows with a weight above 0
    repeats : number of examples that each of them stands for
    log_weight : logarithm of the relative weight of each
    examples : m, the sum of the sample weights
    n_given : number of rows passed to fit
    collective : the processes with other rows
    """

    kept: Integers
    repeats: Integers
    log_weight: Floats
    examples: float
    n_given: int
    collective: Collective = ALONE

    def weights(self) -> Floats:
        return np.asarray(self.repeats * np.exp(self.log_weight), dtype=np.float64)

    def sum(self, values: Floats) -> float:
        """Sum of a non-negative number over the examples of all processes."""
        return exact_sum(self.collective, values, self.repeats)

    def sums(self, values: Floats, groups: Integers, n_groups: int) -> Floats:
        """(n_groups,) the same for the examples of each group."""
        return exact_sums(self.collective, values, groups, n_groups, self.repeats)

    def take(self, positions: Integers) -> Counted:
        """Some of the rows; the number of examples falls in proportion to their weights."""
        weights = np.exp(self.log_weight)
        own = exact_sum(self.collective, weights[positions], self.repeats[positions])
        return replace(
            self,
            kept=self.kept[positions],
            repeats=self.repeats[positions],
            log_weight=self.log_weight[positions],
            examples=self.examples * float(own / self.sum(weights)),
        )


@dataclass(frozen=True)
class Weighting:
    """Logarithms of initial weights and costs per row, and of their mean per class.

    In multilabel problems `log_class` is indexed by [sign, label]. So is `log_label`, which is None
    if all labels have the same weight.
    """

    log_prior: Floats
    log_cost: Floats | None
    log_class: Floats
    log_label: Floats | None = None


def count_examples(sample_weight: Any, n_rows: int, collective: Collective = ALONE) -> Counted:
    """Sample weights as numbers of examples.

    Integer weights are numbers of repeats. Other weights are relative, and their sum is the number
    of examples. Rows of weight 0 are dropped.
    """
    if sample_weight is None:
        every = np.arange(n_rows)
        ones = np.ones(n_rows, dtype=np.int64)
        examples = float(count(collective, n_rows))
        return Counted(every, ones, np.zeros(n_rows), examples, n_rows, collective)
    given = relative_weight("sample_weight", sample_weight, n_rows)
    rows = np.flatnonzero(given)
    kept = given[rows]
    if not count(collective, len(rows)):
        raise ValueError(
            "sample_weight is 0 for every row: weights must contain at least one non-zero number"
        )
    try:
        examples = exact_sum(collective, kept)
    except OverflowError:
        examples = sys.float_info.max
    broken = bool(any_of(collective, np.asarray((kept != np.rint(kept)).any())))
    if examples < MAX_EXAMPLES and not broken:
        whole = kept.astype(np.int64)
        return Counted(rows, whole, np.zeros(len(rows)), examples, n_rows, collective)
    ones = np.ones(len(rows), dtype=np.int64)
    return Counted(rows, ones, logarithms(kept, collective), examples, n_rows, collective)


def pairs_of(counted: Counted, mask: Flags) -> float:
    """Number of pairs of an example and a label for which it counts."""
    weights = np.exp(counted.log_weight)
    own = counted.sum(weights * mask.sum(axis=1))
    return float(counted.examples * (own / counted.sum(weights)))


def warn_of_shares(
    sample_weight: Any, examples: float, smooth: Callable[[float, int], float], why: str
) -> None:
    """Warn of sample weights that look like shares, if smoothing depends on their sum."""
    if sample_weight is None or examples >= 2.0 or smooth(examples, 1) == smooth(2 * examples, 1):
        return
    notify(
        f"sample_weight sums to {examples:g}, but a weight is a number of examples, and {why}: "
        "rescale the weights so that they sum to the number of examples"
    )


def logarithms(weights: Floats, collective: Collective = ALONE) -> Floats:
    """ln of positive weights divided by the largest; the bits do not depend on the order."""
    logs = np.empty(len(weights))
    log_each(weights, logs)
    result: Floats = logs - largest(collective, float(logs.max(initial=-np.inf)))
    return result


def relative_weight(name: str, given: Any, n_rows: int) -> Floats:
    """A checked array of one weight per row."""
    try:
        weights = np.asarray(given).astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, one per row: {given!r:.60} was given") from None
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.ndim != 1:
        raise ValueError(f"{name} must be 1D array or scalar, got {weights.ndim}D")
    if weights.shape != (n_rows,):
        raise ValueError(f"{name}.shape == {weights.shape}, expected {(n_rows,)}!")
    assert_all_finite(weights, input_name=name)
    if bool((weights < 0).any()):
        row = int(np.flatnonzero(weights < 0)[0])
        raise ValueError(f"Negative values in {name}: {weights[row]:g} in row {row}")
    return weights


def log_class_weights(
    class_weight: Any, classes: np.ndarray[Any, Any], y: np.ndarray[Any, Any], counted: Counted
) -> Floats:
    """Logarithm of the weight of each class; "balanced" counts examples, not rows."""
    if class_weight is None:
        return np.zeros(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        which = np.searchsorted(classes, y)
        weights = np.exp(counted.log_weight)
        per_class = counted.sums(weights, which, len(classes))
        result: Floats = np.log(per_class.sum()) - np.log(len(classes) * per_class)
        return result
    weights = compute_class_weight(class_weight, classes=classes, y=y)
    if not bool((weights > 0).all() and np.isfinite(weights).all()):
        raise ValueError(
            f"class_weight={class_weight!r} has a weight that is not positive and finite: to "
            "ignore a class, remove its rows"
        )
    logs: Floats = np.log(weights)
    return logs


def weighting_of(
    class_weight: Any, costs: Costs | None, counted: Counted, labels: Labels, y: Any
) -> Weighting:
    """The product of sample weights, class weights and costs of mistakes."""
    if y.ndim == 2:
        if class_weight is not None:
            raise ValueError(
                f"class_weight={class_weight!r} is not supported in multilabel problems: use "
                "sample_weight or Costs.per_label"
            )
        if costs is None:
            return Weighting(counted.log_weight, None, np.zeros((2, labels.n_labels)))
        log_label = log_label_costs(costs, labels)
        return Weighting(counted.log_weight, None, log_label, log_label)
    log_class = log_class_weights(class_weight, labels.classes, y, counted)
    class_of_row = np.searchsorted(labels.classes, y)
    log_weight = counted.log_weight + log_class[class_of_row]
    if costs is not None:
        each = costs_of_mistakes(costs, counted, labels, class_of_row)
        log_class = log_class + mean_per_class(each, counted, class_of_row, len(labels.classes))
        log_weight = log_weight + logarithms(each, counted.collective)
    return Weighting(log_weight, None, log_class)


def costs_of_mistakes(
    costs: Costs, counted: Counted, labels: Labels, class_of_row: Integers
) -> Floats:
    """(n,) cost of a mistake on each row with a weight above 0, divided by the largest."""
    if costs.n_examples is not None:
        if costs.n_examples != counted.n_given:
            raise ValueError(
                f"costs were given for {costs.n_examples} examples, but X has {counted.n_given} "
                "rows: give costs of the same rows"
            )
        costs = costs.take(counted.kept)
    positive = labels.positive if isinstance(labels, BinaryLabels) else 1
    each = costs.mistakes(class_of_row, list(labels.classes), positive)
    if not bool((each > 0).all()):
        row = int(np.flatnonzero(each <= 0)[0])
        raise ValueError(
            f"a mistake on row {int(counted.kept[row])}, of class "
            f"{to_python(labels.classes[class_of_row[row]])!r}, costs nothing, so nothing can be "
            "learned from it: give it a cost above 0, or sample_weight 0 to ignore the row"
        )
    highest = largest(counted.collective, float(each.max(initial=0.0)))
    result: Floats = each / highest  # so that any multiple gives the same bits
    if not bool((result > 0).all()):
        raise ValueError(
            f"the costs of mistakes range from {each.min():g} to {each.max():g}: relative to the "
            "largest, the smallest is rounded to 0; use costs of more similar size"
        )
    return result


def log_label_costs(costs: Costs, labels: Labels) -> Floats:
    """(2, K) logarithm of the cost of a false positive and of a false negative of each label."""
    each = costs.label_mistakes(labels.classes)
    each /= each.max() or 1.0  # so that any multiple gives the same bits
    if not bool((each > 0).all()):
        sign, label = np.argwhere(~(each > 0))[0]
        raise ValueError(
            f"a false {('positive', 'negative')[sign]} of label "
            f"{to_python(labels.classes[label])!r} costs nothing, so nothing can be learned from "
            "such rows: give it a cost above 0"
        )
    return logarithms(each.ravel()).reshape(each.shape)


def mean_per_class(
    costs: Floats, counted: Counted, class_of_row: Integers, n_classes: int
) -> Floats:
    """Logarithm of the mean cost of an example of each class."""
    weights = np.exp(counted.log_weight)
    sums, counts = (
        counted.sums(each, class_of_row, n_classes) for each in (weights * costs, weights)
    )
    result: Floats = np.log(sums / counts)
    return result


def weight_by_sign(own: Codes, repeats: Integers, log_prior: Floats) -> tuple[float, float]:
    """Total weight of negatives and of positives, relative to the heaviest example."""
    weights = np.exp(log_prior - log_prior.max())
    negative, positive = exact_sums(ALONE, weights, own, 2, repeats).tolist()
    return negative, positive


def favours_positive(costs: Floats, labels: Labels, class_of_row: Integers) -> bool:
    """Whether the cost depends only on the class, and is larger for the positive one."""
    if not isinstance(labels, BinaryLabels):
        return False
    positive = class_of_row == labels.positive
    other, own = costs[~positive], costs[positive]
    if not len(other) or not len(own):  # in a fold
        return False
    return bool((other == other[0]).all() and (own == own[0]).all() and own[0] > other[0])


def warn_of_larger_class(reason: str, counted: Counted, labels: Labels, y: Any) -> None:
    """Warn if the positive class, which `reason` favours, is the larger one."""
    if not isinstance(labels, BinaryLabels):
        return
    weights, positive = np.exp(counted.log_weight), labels.classes[labels.positive]
    share = counted.sum(np.where(y == positive, weights, 0.0)) / counted.sum(weights)
    if share > 0.5:
        notify(
            f"{reason} favours the positive class {to_python(positive)!r}, which is the larger "
            f"class ({share:.0%} of the examples): set pos_label to the rare class"
        )


def count_weightless(rows: Rows, signals: Sequence[Signal]) -> int:
    """How many rows have a weight below the resolution of the first signal; warns of any."""
    if not signals or not rows.largest(lambda shard: np.abs(shard.target.log_prior)) > 0.0:
        return 0
    signal = signals[0]

    def count(shard: Shard) -> Integers:
        n_rows = shard.encoded.n_rows
        every, amounts = every_row(n_rows), np.empty((n_rows, shard.n_labels), dtype=np.int64)
        nothing = np.ones(amounts.shape, dtype=bool)
        in_all = signal.channel_of(shard) is None
        for channel in range(signal.n_channels if in_all else 1):
            signal.amounts(shard, every, 0, channel, amounts)
            nothing &= amounts == 0
        if shard.target.mask is not None:
            nothing &= shard.target.mask
        return np.array([nothing.any(axis=1).sum(), n_rows])

    lost, n_rows = rows.total(count).tolist()
    if lost:
        notify(
            f"{lost} of {n_rows} rows weigh less than the resolution of the weights, about 2**-50 "
            "of the total. They are ignored until the weights of the others have fallen as far"
        )
    return int(lost)
