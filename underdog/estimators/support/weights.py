"""Weights that a user gives, turned into counts of examples and relative weights."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import assert_all_finite, compute_class_weight

from underdog.checks import notify, to_python
from underdog.codes import Labels
from underdog.codes.binary import BinaryLabels
from underdog.costs import Costs
from underdog.kernels.elementary import log_each
from underdog.kernels.sums import exact_sum, exact_sums
from underdog.types import Codes, Floats, Integers

MAX_EXAMPLES = 2**31


@dataclass(frozen=True)
class FitArguments:
    """What fit was given beside X and y."""

    sample_weight: Any = None
    X_val: Any = None
    y_val: Any = None
    initial_weight: Any = None
    cost: Any = None
    costs: Costs | None = None


@dataclass(frozen=True)
class Counted:
    """Sample weights as examples.

    Attributes
    ----------
    kept : rows of the data that fit was given which count at all
    repeats : how many examples each of them is
    log_weight : logarithm of the relative weight of each
    examples : m, the sum of the sample weights
    n_given : rows that fit was given
    """

    kept: Integers
    repeats: Integers
    log_weight: Floats
    examples: float
    n_given: int

    def weights(self) -> Floats:
        return np.asarray(self.repeats * np.exp(self.log_weight), dtype=np.float64)

    def take(self, positions: Integers) -> Counted:
        """Some of the rows; the number of examples falls in proportion to their weights."""
        weights = np.exp(self.log_weight)
        own = exact_sum(weights[positions], self.repeats[positions])
        share = float(own / exact_sum(weights, self.repeats))
        return Counted(
            self.kept[positions],
            self.repeats[positions],
            self.log_weight[positions],
            self.examples * share,
            self.n_given,
        )


@dataclass(frozen=True)
class Weighting:
    """Initial weights and costs, as logarithms: per row, and what they amount to per class.

    With several labels `log_class` is by [sign, label], and so is `log_label`, unless all weigh the
    same.
    """

    log_prior: Floats
    log_cost: Floats | None
    log_class: Floats
    log_label: Floats | None = None


def count_examples(sample_weight: Any, n_rows: int) -> Counted:
    """Whole numbers are numbers of examples; other weights are relative, and sum to their number.

    Rows of weight 0 are dropped before anything is learned from them.
    """
    if sample_weight is None:
        every = np.arange(n_rows)
        ones = np.ones(n_rows, dtype=np.int64)
        return Counted(every, ones, np.zeros(n_rows), float(n_rows), n_rows)
    given = relative_weight("sample_weight", sample_weight, n_rows)
    rows = np.flatnonzero(given)
    kept = given[rows]
    if not len(rows):
        raise ValueError(
            "sample_weight is 0 for every row: weights must contain at least one non-zero number"
        )
    try:
        examples = exact_sum(kept)
    except OverflowError:
        examples = sys.float_info.max
    if examples < 2.0:
        notify(
            f"sample_weight sums to {examples:g}: weights count examples, and smoothing is 1 / "
            "their sum; multiply them so that they sum to the number of examples"
        )
    if examples < MAX_EXAMPLES and bool((kept == np.rint(kept)).all()):
        return Counted(rows, kept.astype(np.int64), np.zeros(len(rows)), examples, n_rows)
    ones = np.ones(len(rows), dtype=np.int64)
    return Counted(rows, ones, logarithms(kept), examples, n_rows)


def logarithms(weights: Floats) -> Floats:
    """ln of positive weights against the largest, the same bits for a weight in any row."""
    logs = np.empty(len(weights))
    log_each(weights, logs)
    result: Floats = logs - logs.max()
    return result


def relative_weight(name: str, given: Any, n_rows: int) -> Floats:
    """A checked array of one weight per row."""
    try:
        weights = np.asarray(given).astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, one per row") from None
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
        per_class = exact_sums(weights, which, len(classes), counted.repeats)
        result: Floats = np.log(per_class.sum()) - np.log(len(classes) * per_class)
        return result
    weights = compute_class_weight(class_weight, classes=classes, y=y)
    if not bool((weights > 0).all() and np.isfinite(weights).all()):
        raise ValueError(
            f"class_weight={class_weight!r} has a weight that is not positive and finite: leave a "
            "class out of the data rather than giving it weight 0"
        )
    logs: Floats = np.log(weights)
    return logs


def weighting_of(
    class_weight: Any, costs: Costs | None, counted: Counted, labels: Labels, y: Any
) -> Weighting:
    """Sample weights, class weights, and what mistakes cost, multiplied."""
    if y.ndim == 2:
        if class_weight is not None:
            raise ValueError(
                "class_weight is for one label per row: with several labels give sample_weight"
            )
        if costs is None:
            return Weighting(counted.log_weight, None, np.zeros((2, labels.n_labels)))
        log_label = label_prices(costs, labels)
        return Weighting(counted.log_weight, None, log_label, log_label)
    log_class = log_class_weights(class_weight, labels.classes, y, counted)
    which = np.searchsorted(labels.classes, y)
    log_weight = counted.log_weight + log_class[which]
    if costs is not None:
        price = prices(costs, counted, labels, which)
        log_class = log_class + mean_per_class(price, counted, which)
        log_weight = log_weight + logarithms(price)
    return Weighting(log_weight, None, log_class)


def prices(costs: Costs, counted: Counted, labels: Labels, which: Integers) -> Floats:
    """(n,) what a mistake on each row that counts costs; `which` are the numbers of the classes."""
    if costs.n_examples is not None:
        if costs.n_examples != counted.n_given:
            raise ValueError(
                f"costs are given for {costs.n_examples} examples, but X has {counted.n_given} rows"
            )
        costs = costs.take(counted.kept)
    positive = labels.positive if isinstance(labels, BinaryLabels) else 1
    price = costs.mistakes(which, list(labels.classes), positive)
    if not bool((price > 0).all()):
        row = int(np.flatnonzero(price <= 0)[0])
        raise ValueError(
            f"a mistake on row {int(counted.kept[row])}, of class "
            f"{to_python(labels.classes[which[row]])!r}, costs nothing: nothing can be learned "
            "from it (to leave a row out, give it sample_weight 0)"
        )
    result: Floats = price / price.max()  # so that any multiple gives the same bits
    if not bool((result > 0).all()):
        raise ValueError(
            f"the costs of mistakes, {price.min():g} to {price.max():g}, are too far apart: beside "
            "the largest the smallest is 0"
        )
    return result


def label_prices(costs: Costs, labels: Labels) -> Floats:
    """(2, K) logarithm of what a mistake costs where a label does not hold and where it does."""
    price = costs.label_mistakes(labels.classes)
    price /= price.max() or 1.0  # so that any multiple gives the same bits
    if not bool((price > 0).all()):
        sign, label = np.argwhere(~(price > 0))[0]
        raise ValueError(
            f"{('a false alarm', 'a miss')[sign]} of label {to_python(labels.classes[label])!r} "
            "costs nothing: nothing can be learned from such rows"
        )
    return logarithms(price.ravel()).reshape(price.shape)


def mean_per_class(price: Floats, counted: Counted, which: Integers) -> Floats:
    """Logarithm of the mean price of an example of each class."""
    weights, classes = np.exp(counted.log_weight), int(which.max()) + 1
    sums, counts = (
        exact_sums(each, which, classes, counted.repeats) for each in (weights * price, weights)
    )
    result: Floats = np.log(sums / counts)
    return result


def weight_by_sign(own: Codes, repeats: Integers, log_prior: Floats) -> tuple[float, float]:
    """What negatives and positives weigh, beside the heaviest example."""
    negative, positive = exact_sums(np.exp(log_prior - log_prior.max()), own, 2, repeats).tolist()
    return negative, positive


def favours_positive(price: Floats, labels: Labels, which: Integers) -> bool:
    """Whether all mistakes on one class cost the same, and more on the positive one."""
    if not isinstance(labels, BinaryLabels):
        return False
    other, own = price[which != labels.positive], price[which == labels.positive]
    if not len(other) or not len(own):  # in a fold
        return False
    return bool((other == other[0]).all() and (own == own[0]).all() and own[0] > other[0])


def warn_of_larger_class(reason: str, counted: Counted, labels: Labels, y: Any) -> None:
    """Say so if what favours the positive class favours the larger one."""
    if not isinstance(labels, BinaryLabels):
        return
    weights, positive = np.exp(counted.log_weight), labels.classes[labels.positive]
    own = y == positive
    share = exact_sum(weights[own], counted.repeats[own]) / exact_sum(weights, counted.repeats)
    if share > 0.5:
        notify(
            f"{reason} favours the positive class {to_python(positive)!r}, which is the larger "
            f"one ({share:.0%} of the examples): set pos_label to the rare class"
        )
