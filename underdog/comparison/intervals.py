"""95% confidence intervals of measures: Wilson's for shares, the bootstrap over rows for others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from underdog.comparison.paired import LEVEL
from underdog.types import Flags, Floats, Integers

REPLICATES, LEAST_REPLICATES = 1000, 200
WORK = 200_000_000
"""Rows times rankings times replicates: with more there are fewer replicates, but at least 200."""
BLOCK = 1 << 20
"""Weights that are drawn at once."""
MIN_ROWS = 10
"""A class with fewer rows has no interval of a ranking or of a mean over classes."""
MANY = 1 << 16
"""How many different random numbers a weight is drawn by."""
LARGEST = 8
"""Of the weights; larger ones have a probability of one in a million."""
Z = float(stats.norm.ppf(1.0 - LEVEL / 2.0))


class Estimate(NamedTuple):
    """A measure with its 95% confidence interval; low and high are NaN if there is none."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval."""
        return not math.isnan(self.low)

    @property
    def error(self) -> float:
        """About the standard error: an interval has 2 x 1.96 of them."""
        return (self.high - self.low) / (2.0 * Z)

    def to_dict(self) -> dict[str, float | None]:
        """As plain values."""
        low, high = (self.low, self.high) if self.has_interval else (None, None)
        return {"value": self.value, "low": low, "high": high}


def wilson(hits: float, total: float) -> tuple[float, float]:
    """95% interval of a share.

    Unlike the bootstrap it is not empty if all rows, or none, are hits.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.

    Examples
    --------
    >>> from underdog.comparison.intervals import wilson
    >>> [round(limit, 3) for limit in wilson(10, 10)]
    [0.722, 1.0]
    """
    if total <= 0.0:
        return math.nan, math.nan
    share, squared = hits / total, Z * Z / total
    middle = (share + squared / 2.0) / (1.0 + squared)
    half = Z * math.sqrt(share * (1.0 - share) / total + squared / (4.0 * total)) / (1.0 + squared)
    # Exact at the ends, where rounding would leave a little.
    low = 0.0 if hits == 0.0 else middle - half
    return low, 1.0 if hits == total else middle + half


def f1_interval(true_positives: float, mistakes: float) -> tuple[float, float]:
    """95% interval of F1, a function of the share s = tp / (tp + fp + fn): F1 = 2 s / (1 + s).

    Examples
    --------
    >>> from underdog.comparison.intervals import f1_interval
    >>> [round(limit, 3) for limit in f1_interval(8, 4)]
    [0.562, 0.926]
    """
    low, high = wilson(true_positives, true_positives + mistakes)
    return 2.0 * low / (1.0 + low), 2.0 * high / (1.0 + high)


def n_replicates(rows: int, rankings: int = 1) -> int:
    """How many times the rows are drawn."""
    return int(np.clip(WORK // max(1, rows * rankings), LEAST_REPLICATES, REPLICATES))


def weights(rows: int, replicates: int) -> Iterator[np.ndarray[Any, np.dtype[np.uint8]]]:
    """How many times each row is drawn: blocks of shape (b, rows), always the same.

    Each row is drawn a Poisson number of times with mean 1, independently of the others. For ratios
    of sums this is the bootstrap, up to terms of order 1/n.

    References
    ----------
    Chamandy, Muralidharan, Najmi and Naidu, "Estimating uncertainty for massive data streams",
    Google technical report, 2012.
    """
    at_most = np.floor(stats.poisson.cdf(np.arange(LARGEST), 1.0) * MANY).astype(np.int64)
    drawn = np.searchsorted(at_most, np.arange(MANY), side="right").astype(np.uint8)
    # The raw numbers of a bit generator never change between versions of NumPy.
    random = np.random.PCG64(0)
    size = max(1, min(replicates, BLOCK // max(1, rows)))
    for begin in range(0, replicates, size):
        count = min(size, replicates - begin) * rows
        numbers = random.random_raw((count + 3) // 4).astype("<u8").view("<u2")[:count]
        yield drawn[numbers].reshape(-1, rows)


def percentiles(found: Floats) -> tuple[float, float]:
    """The middle 95% of replicates; NaN if they do not vary, or often do not exist."""
    known = found[np.isfinite(found)]
    if len(known) < (1.0 - LEVEL) * len(found) or np.ptp(known) == 0.0:
        return math.nan, math.nan
    low, high = np.quantile(known, [LEVEL / 2.0, 1.0 - LEVEL / 2.0])
    return float(low), float(high)


class RowRanking:
    """Average precision and ROC AUC of one score under weights of the rows.

    Parameters
    ----------
    scores : (n,)
    positive : (n,)
    """

    def __init__(self, scores: Floats, positive: Flags) -> None:
        order = np.lexsort((positive, -scores))
        falling = -scores[order]
        self.order = order
        self.places = np.flatnonzero(positive[order])
        mine = falling[self.places]
        # Rows with the same score are one step: where it begins, and where it ends.
        self.first, self.last = (np.searchsorted(falling, mine, side=s) for s in ("left", "right"))
        self.first_positive, self.last_positive = (
            np.searchsorted(mine, mine, side=s) for s in ("left", "right")
        )

    def measure(self, drawn: Any) -> tuple[Floats, Floats]:
        """(b,) average precision and (b,) ROC AUC; the weights are in the order of `order`."""
        own = drawn[:, self.places].astype(np.float64)
        sums = np.int64 if drawn.dtype.kind == "u" else np.float64
        alarms, found = _running(drawn, sums), _running(own, np.float64)
        above, above_found = alarms[:, self.last], found[:, self.last_positive]
        positives = found[:, -1]
        negatives = alarms[:, -1] - positives
        wrong = above - above_found + alarms[:, self.first] - found[:, self.first_positive]
        with np.errstate(invalid="ignore", divide="ignore"):
            precision = np.where(above > 0, above_found / above, 0.0)
            average = (own * precision).sum(axis=1) / positives
            area = 1.0 - (own * wrong).sum(axis=1) / (2.0 * positives * negatives)
        return average, area


def _running(drawn: Any, dtype: Any) -> Any:
    """Sums of the first 0, 1, 2, ... columns."""
    sums = np.zeros((drawn.shape[0], drawn.shape[1] + 1), dtype=dtype)
    np.cumsum(drawn, axis=1, out=sums[:, 1:])
    return sums


@dataclass(frozen=True, eq=False)
class ClassShares:
    """Rows of several classes that stand for a population in which classes have given shares.

    The shares are known, so they are the same in every replicate.

    Attributes
    ----------
    true : (n,) the class of each row
    shares : (K,) of the classes in the population, 0 for a class without rows
    """

    true: Integers
    shares: Floats

    @property
    def weights(self) -> Floats:
        """(n,) what each row counts for; the mean is 1."""
        counts = np.bincount(self.true, minlength=len(self.shares))
        found: Floats = (len(self.true) * self.shares / np.maximum(counts, 1))[self.true]
        return found

    def weigh(self, drawn: Any, rows: Integers) -> Floats:
        """(b, n) weights in replicates, from how many times each of these rows is drawn."""
        true = self.true[rows]
        totals = drawn @ np.eye(len(self.shares))[true]
        with np.errstate(divide="ignore", invalid="ignore"):  # a class may not be drawn
            found: Floats = drawn * (self.shares / totals)[:, true]
        return found


def ranking_intervals(
    scores: Floats, positive: Flags, population: ClassShares | None = None
) -> dict[str, tuple[float, float]]:
    """95% intervals of average precision and ROC AUC.

    With (n, K) scores and flags they are those of the means over the columns. The order of the rows
    does not matter.

    Parameters
    ----------
    scores : (n,) or (n, K)
    positive : (n,) or (n, K)
    population : ClassShares, optional
        If the classes have other shares than the rows.
    """
    columns = scores.reshape(len(scores), -1), positive.reshape(len(positive), -1)
    rankings = [RowRanking(*pair) for pair in zip(columns[0].T, columns[1].T, strict=True)]
    # Weights belong to places in the first ranking, and not to places in the file.
    place = np.empty(len(scores), dtype=np.int64)
    place[rankings[0].order] = np.arange(len(scores))
    found: list[Any] = []
    for times in weights(len(scores), n_replicates(len(scores), len(rankings))):
        drawn: Any = times if population is None else population.weigh(times, rankings[0].order)
        each = [rankings[0].measure(drawn)]
        each += [own.measure(drawn[:, place[own.order]]) for own in rankings[1:]]
        found.append(np.mean(each, axis=0))
    average, area = np.concatenate(found, axis=1)
    limits = {"average_precision": percentiles(average), "roc_auc": percentiles(area)}
    if population is not None:
        own = population.weights[np.newaxis]
        value = np.mean([each.measure(own[:, each.order])[0][0] for each in rankings])
        limits["average_precision"] = reflected(limits["average_precision"], float(value))
    return limits


def reflected(limits: tuple[float, float], value: float) -> tuple[float, float]:
    """The limits of a share whose replicates are as much too large as the share itself may be.

    Their log-odds are reflected at those of the value (the basic bootstrap). If the rows with a
    large weight are few, the average precision of drawn rows is too large.

    Examples
    --------
    >>> from underdog.comparison.intervals import reflected
    >>> [round(limit, 3) for limit in reflected((0.4, 0.9), 0.6)]
    [0.2, 0.771]
    """
    if not all(0.0 < each < 1.0 for each in (*limits, value)):
        return limits
    odds = value / (1.0 - value)
    low, high = (odds * odds * (1.0 - each) / each for each in reversed(limits))
    return low / (1.0 + low), high / (1.0 + high)


def drawn_means(values: Floats) -> Floats:
    """(R, m) bootstrap replicates of the means of (n, m) values; their order does not matter."""
    values = values[np.lexsort(values.T)]
    with np.errstate(over="ignore", invalid="ignore"):
        sums = [
            (drawn @ values) / drawn.sum(axis=1, keepdims=True)
            for each in weights(len(values), n_replicates(len(values)))
            for drawn in (each.astype(np.float64),)
        ]
    result: Floats = np.concatenate(sums)
    return result


def mean_interval(values: Floats, population: ClassShares | None = None) -> tuple[float, float]:
    """95% interval of a mean."""
    if population is None:
        return percentiles(drawn_means(values[:, np.newaxis])[:, 0])
    each = np.eye(len(population.shares))[population.true]
    means = drawn_means(np.hstack([each, each * values[:, np.newaxis]]))
    count = len(population.shares)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_classes = means[:, count:] / means[:, :count]
    known = population.shares > 0.0
    return percentiles(of_classes[:, known] @ population.shares[known])


def macro_intervals(confusion: Integers) -> dict[str, tuple[float, float]]:
    """95% intervals of precision, recall and F1: means over classes, from a confusion matrix."""
    rows, count = int(confusion.sum()), len(confusion)
    occurs = (confusion.sum(axis=0) + confusion.sum(axis=1)) > 0
    # The legacy generator never changes between versions of NumPy.
    random = np.random.RandomState(0)
    drawn = random.multinomial(rows, confusion.ravel() / rows, size=REPLICATES)
    drawn = drawn.reshape(-1, count, count)
    hits = drawn[:, np.arange(count), np.arange(count)][:, occurs]
    true, decided = drawn.sum(axis=2)[:, occurs], drawn.sum(axis=1)[:, occurs]
    parts = {"precision": decided, "recall": true, "f1": (true + decided) / 2.0}
    return {
        name: percentiles((hits / np.maximum(total, 0.5)).mean(axis=1))
        for name, total in parts.items()
    }


def population_intervals(
    confusion: Integers, shares: Floats, positive: int
) -> dict[str, tuple[float, float]]:
    """95% intervals of what a confusion matrix says about classes that have other shares.

    The predictions of each class are drawn from their Dirichlet distribution after these rows, with
    the prior of Jeffreys for two classes: a class without mistakes may have some.

    Parameters
    ----------
    confusion : (K, K) counts of rows by true and predicted class
    shares : (K,) of the true classes, 0 for a class without rows
    positive : of two classes
    """
    random = np.random.RandomState(0)  # this generator never changes between versions of NumPy
    prior = 1.0 / len(shares)
    drawn = np.stack(
        [
            share * random.dirichlet(counts + prior, size=REPLICATES)
            for counts, share in zip(confusion, shares, strict=True)
        ],
        axis=1,
    )
    return {name: percentiles(each) for name, each in of_confusion(drawn, positive).items()}


def of_confusion(shares: Floats, positive: int) -> dict[str, Floats]:
    """(b,) precision, recall, F1 and accuracy of (b, K, K) shares by true and predicted class.

    Of more than two classes, means over the classes that occur.
    """
    places = np.arange(shares.shape[1])
    hits, true, decided = shares[:, places, places], shares.sum(axis=2), shares.sum(axis=1)
    parts = {"precision": decided, "recall": true, "f1": (true + decided) / 2.0}
    found = {}
    for name, total in parts.items():
        each = np.divide(hits, total, out=np.zeros_like(hits), where=total > 0.0)
        if len(places) == 2:
            found[name] = each[:, positive]
        else:
            occurs = (true + decided).max(axis=0) > 0.0
            found[name] = each[:, occurs].mean(axis=1)
    return found | {"accuracy": hits.sum(axis=1)}


def class_weights(true: Integers, shares: Floats) -> Floats:
    """(K,) what a row of each class counts for if classes have these shares in the population."""
    counts = np.bincount(true, minlength=len(shares))
    found: Floats = np.divide(shares, counts, out=np.zeros(len(shares)), where=counts > 0)
    return found
