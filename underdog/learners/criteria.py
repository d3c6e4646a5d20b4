"""Criteria, which score the blocks of a test and give their values.

Channel 0 has the weights of the negative examples, channel 1 those of the positive ones. Every
criterion has its formulas twice: in NumPy here, for readers and tests, and by its `number` in
`kernels.criteria`, for the search. Only "disc.u" needs both blocks of a stump at once (`SignRoot`).

Each of the six learners of Leskovec and Shawe-Taylor (2003, section 3) is a criterion, defined by
the values of the blocks (signs or smoothed log-odds) and by what is minimised (Z, minus the edge,
or the uneven Z).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from underdog.core import ChoosesBy, ConvergesTo, Criterion, Reads
from underdog.core.votes import heaviest_class
from underdog.kernels import criteria
from underdog.types import Floats

NAMES = ("real", "discrete", "real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u")


class RealZ(Criterion):
    """Smoothed log-odds, chosen by the least Z = 2 sum sqrt(W_+ W_-)."""

    number = criteria.REAL_Z

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(np.sqrt(plus * minus))

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total((plus * np.exp(-value) + minus * np.exp(value)) / 2.0)

    def value(self, masses: Floats, smooth: float) -> Floats:
        return _log_odds(*_sides(masses), smooth)


class RealEdge(RealZ):
    """Smoothed log-odds, chosen by the greatest edge."""

    number = criteria.REAL_EDGE

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(-self.value(masses, smooth) * (plus - minus))

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(-value * (plus - minus))


class Entropy(RealZ):
    """Smoothed log-odds, chosen by the least entropy of positives and negatives, in nats.

    The drop of the score from a node to the blocks of a test is the information gain times the
    weight of the node. With several labels it is the sum over the labels.
    """

    number = criteria.ENTROPY

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        both = np.where(plus + minus > 0.0, plus + minus, 1.0)
        found = np.zeros(both.shape)
        for side in (minus, plus):
            found -= side * np.log(np.where(side > 0.0, side / both, 1.0))
        return _total(found)

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(plus * np.log1p(np.exp(-2.0 * value)) + minus * np.log1p(np.exp(2.0 * value)))


class ClassEntropy(RealZ):
    """Smoothed log-odds, chosen by the least entropy of the classes, in nats.

    For signals that count every row in all labels: as positive in the one that is its class, as
    negative in all others. So both sides of a label are the weight of the block, whose entropy is
    the sum over the labels.
    """

    number = criteria.CLASS_ENTROPY
    reads: ClassVar[Reads] = "classes"

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        mixed = (plus > 0.0) & (minus > 0.0)
        return _total(
            -plus * np.log(np.where(mixed, plus / np.where(mixed, plus + minus, 1.0), 1.0))
        )

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        return Entropy().score_at(masses, value, smooth)


class UnevenUnit(RealZ):
    """Smoothed log-odds, chosen by the least uneven Z at coefficient 1."""

    number = criteria.UNEVEN_UNIT

    def score(self, masses: Floats, smooth: float) -> Floats:
        return self.score_at(masses, self.value(masses, smooth), smooth)

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(plus * np.exp(-value / self.beta) + minus * np.exp(value))


class UnevenZ(Criterion):
    """The values that minimise the smoothed uneven Z, chosen by that minimum."""

    number = criteria.UNEVEN_Z
    converges_to = "minimum"

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        logs = self.beta * np.log(plus / self.beta + smooth) + np.log(minus + smooth)
        return _total(np.exp(logs / (1.0 + self.beta)))

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        for_plus = (plus + self.beta * smooth) * np.exp(-value / self.beta)
        return _total((for_plus + (minus + smooth) * np.exp(value)) / (1.0 + self.beta))

    def value(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        share = self.beta / (1.0 + self.beta)
        return 2.0 * share * _log_odds(minus, plus / self.beta, smooth)


class SignEdge(Criterion):
    """The sign of the heavier side, chosen by the greatest edge, equivalent to the least Z."""

    number = criteria.SIGN_EDGE
    final = False
    converges_to: ClassVar[ConvergesTo] = "unknown"
    maximises_edge = True

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(-np.abs(plus - minus))

    def value(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _sign(plus - minus, plus + minus)


class Vote(SignEdge):
    """The sign of the heavier side, of rules that were chosen by another measure than the edge.

    These are trees that vote, and classifiers of other libraries.
    """

    maximises_edge = False


class ClassVote(Criterion):
    """One class for a block, the heaviest: 1 for it and -1 for all others. Chosen by least error.

    The score is minus the weight of that class, which depends on all labels together. For signals
    that count every row in all labels, as `ClassEntropy`.
    """

    number = criteria.CLASS_VOTE
    reads: ClassVar[Reads] = "classes"
    final = False
    converges_to: ClassVar[ConvergesTo] = "unknown"

    def score(self, masses: Floats, smooth: float) -> Floats:
        _, plus = _sides(masses)
        result: Floats = -plus.max(axis=-1)
        return result

    def value(self, masses: Floats, smooth: float) -> Floats:
        return heaviest_class(masses)


class SignSlope(SignEdge):
    """The sign that decreases the uneven Z, chosen by its slope."""

    number = criteria.SIGN_SLOPE
    converges_to = "minimum"
    maximises_edge = False

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(-np.abs(plus / self.beta - minus))

    def value(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _sign(plus / self.beta - minus, plus / self.beta + minus)


class SignRoot(SignEdge):
    """The sign of the heavier side, chosen by the uneven Z at its best coefficient.

    The coefficient depends on both blocks, so a single block has no score. For stumps only.
    """

    number = criteria.SIGN_ROOT
    maximises_edge = False

    def score(self, masses: Floats, smooth: float) -> Floats:
        raise TypeError("disc.u scores both blocks of a stump together, not single blocks")


class GentleNewton(Criterion):
    """The Newton step for the exponential loss, chosen by the predicted decrease."""

    number = criteria.GENTLE

    def score(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(-self.value(masses, smooth) * (plus - minus))

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        return _total(value**2 * (plus + minus) - 2.0 * value * (plus - minus))

    def value(self, masses: Floats, smooth: float) -> Floats:
        minus, plus = _sides(masses)
        both = plus + minus
        return np.divide(plus - minus, both, out=np.zeros_like(both), where=both > 0.0)


class Newton(Criterion):
    """Gradient divided by curvature and e, chosen by the drop that this step promises.

    Channel 0 has the gradients, channel 1 the curvatures. e is the l2 penalty on values.
    """

    number = criteria.NEWTON
    reads: ClassVar[Reads] = "newton"
    converges_to: ClassVar[ConvergesTo] = "minimum"

    def score(self, masses: Floats, smooth: float) -> Floats:
        gradient, _ = _sides(masses)
        return _total(-(gradient * self.value(masses, smooth)))

    def score_at(self, masses: Floats, value: Floats, smooth: float) -> Floats:
        gradient, curvature = _sides(masses)
        return _total(value**2 * (curvature + smooth) - 2.0 * value * gradient)

    def value(self, masses: Floats, smooth: float) -> Floats:
        gradient, curvature = _sides(masses)
        both = curvature + smooth
        return np.divide(gradient, both, out=np.zeros_like(both), where=both > 0.0)


def criterion(name: str, beta: float = 1.0, by: ChoosesBy = "z") -> Criterion:
    """The criterion with this name, for a loss in which a positive counts for `beta` negatives.

    "real" and "discrete" adapt to the loss. `by` is what the loss chooses rules by: the greatest
    edge (with "votes" all of them vote), the Newton step or the least Z. In the last case they
    are "real.mh" and "disc.mh" if beta = 1, otherwise the criteria of the uneven Z. At beta = 1 all
    uneven criteria are the even ones, with the same arithmetic.

    Examples
    --------
    >>> from underdog.learners.criteria import criterion
    >>> criterion("discrete").final
    False
    >>> criterion("disc.u") == criterion("disc.mh")
    True
    """
    if name not in NAMES:
        raise ValueError(f"learner={name!r} is not one of {', '.join(NAMES)}")
    if by == "newton" and name == "real":
        return GentleNewton(beta)
    if by == "edge" and name in ("real", "discrete"):
        name = {"real": "real.lp", "discrete": "disc.lp"}[name]
    if by == "votes":
        name = "disc.lp"
    uneven = beta != 1.0
    kinds: dict[str, type[Criterion]] = {
        "real": UnevenZ if uneven else RealZ,
        "discrete": SignSlope if uneven else SignEdge,
        "real.mh": RealZ,
        "disc.mh": SignEdge,
        "real.lp": RealEdge,
        "disc.lp": SignEdge,
        "real.u": UnevenUnit,
        "disc.u": SignRoot if uneven else SignEdge,
    }
    return kinds[name](beta)


def _sides(masses: Floats) -> tuple[Floats, Floats]:
    """Weights of negatives and of positives, (..., label)."""
    return masses[..., 0, :], masses[..., 1, :]


def _total(by_label: Floats) -> Floats:
    result: Floats = by_label.sum(axis=-1)
    return result


def _log_odds(minus: Floats, plus: Floats, smooth: float) -> Floats:
    above = np.maximum(plus + smooth, criteria.MIN_WEIGHT)
    below = np.maximum(minus + smooth, criteria.MIN_WEIGHT)
    result: Floats = 0.5 * (np.log(above) - np.log(below))
    return result


def _sign(difference: Floats, both: Floats) -> Floats:
    """-1 or 1; 0 if both sides have the same weight up to rounding."""
    return np.where(np.abs(difference) > criteria.TIE * both, np.sign(difference), 0.0)
