r"""Bounds on the error of votes, with all constants.

m is the number of examples, N the number of ways in which one rule can divide them, up to its sign
(`log_rules`), and delta the probability with which a bound may fail. Bounds on new examples follow
from symmetrisation, Massart's lemma (the Rademacher complexity of N rules and their negations is at
most :math:`\sqrt{2 \ln(2 N) / m}`, and so is that of their convex hull) and McDiarmid's inequality.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from underdog.certificates.margin_sums import MarginSums
from underdog.data import Schema
from underdog.types import Floats

THETAS = tuple(2.0**-k for k in range(11))
"""The margins that a bound may choose from: fixed before any data was seen."""
RADII = tuple(2.0**k for k in range(-2, 11))
"""The sums of coefficients that a bound may choose from."""


class AtTheta(NamedTuple):
    """A bound, and the margin or radius at which it is least."""

    bound: float
    theta: float


def product_of_edges(edges: Floats) -> float:
    """prod sqrt(1 - r**2), which is prod 2 sqrt(eps (1 - eps)) with r = 1 - 2 eps."""
    return math.exp(0.5 * float(np.log1p(-np.minimum(edges**2, 1.0 - 1e-15)).sum()))


def exponent_of_edges(edges: Floats) -> float:
    """exp(-2 sum gamma**2), gamma = r / 2 being how much better than chance each rule is."""
    return math.exp(-0.5 * float((edges**2).sum()))


def share_below(theta: float, edges: Floats) -> float:
    """prod 2 sqrt(eps**(1 - theta) (1 - eps)**(1 + theta)): the share of margins up to theta."""
    wrong = np.maximum((1.0 - edges) / 2.0, 1e-300)
    logs = 0.5 * ((1.0 - theta) * np.log(wrong) + (1.0 + theta) * np.log1p(-wrong))
    return math.exp(min(float((math.log(2.0) + logs).sum()), 700.0))


def log_rules(schema: Schema, examples: int, leaves: int = 2) -> float:
    """ln N for stumps on the columns of a schema, or for trees with up to some leaves.

    An ordered column divides m examples in at most m - 1 ways, 2 (m - 1) + 1 if a value may be
    missing. A column of words has one way, a category column with L levels 2**(L - 1) - 1.
    """
    cuts = max(examples - 1, 1)
    ordered = ~schema.presence
    ordered[list(schema.categories)] = False
    words = int(schema.presence.sum()) - sum(map(bool, schema.presence[list(schema.categories)]))
    gaps = int((ordered & schema.missing).sum())
    whole = int(ordered.sum()) - gaps
    logs = [math.log(1 + words + gaps * (2 * cuts + 1) + whole * cuts)]  # 1: the constant
    for levels in schema.categories.values():
        logs.append(max(len(levels) - 1, 0) * math.log(2.0))
    one = _log_sum_exp(np.array(logs))
    if leaves <= 2:
        return one
    return (leaves - 1) * (one + math.log(leaves)) + leaves * math.log(2.0)


def with_rounds(error: float, log_n: float, examples: int, rounds: int, delta: float) -> float:
    r"""err + :math:`\sqrt{2 \ln G / m} + \sqrt{\ln(1 / \delta) / (2 m)}`.

    ln G = ln C(N, T) + ln(2 sum_{k <= T} C(m - 1, k)) counts what votes of T rules can say; T is
    the number of rounds allowed in advance plus 1 for a constant, at most N.
    """
    small = log_n <= 30.0
    rules = min(rounds + 1, round(math.exp(log_n))) if small else rounds + 1
    chosen = _log_binomial(round(math.exp(log_n)), rules) if small else rules * log_n
    if not small:  # C(N, T) <= N**T / T!
        chosen -= float(gammaln(rules + 1))
    counts = np.arange(min(rules, examples - 1) + 1, dtype=np.float64)
    halves = _log_sum_exp(_log_binomial(examples - 1, counts))
    log_g = chosen + math.log(2.0) + halves
    return error + math.sqrt(2.0 * log_g / examples) + _confidence(1.0 / delta, examples)


def by_margin(margins: MarginSums, log_n: float, delta: float) -> AtTheta:
    r"""P[margin <= theta] + :math:`(2 / \theta) \sqrt{2 \ln(2 N) / m}` + a term for delta.

    The least over the grid of theta; the last term is that of delta divided by their number.
    """
    m = margins.total
    complexity = math.sqrt(2.0 * (math.log(2.0) + log_n) / m)
    last = _confidence(len(THETAS) / delta, m)
    return min(
        AtTheta(margins.share(theta) + 2.0 / theta * complexity + last, theta) for theta in THETAS
    )


def by_norm(loss: float, examples: int, norm: float, log_n: float, delta: float) -> AtTheta | None:
    r"""mean loss + :math:`2 A \sqrt{2 \ln(2 N) / m} + A \sqrt{\ln(J / \delta) / (2 m)}`.

    For :math:`\ln(1 + e^{-y f})`, whose slope is at most 1, and scores in [-A, A], between which it
    differs by A. A is the least of a grid of J radii that is at least the norm; None if there is
    none.
    """
    radius = next((each for each in RADII if each >= norm), None)
    if radius is None:
        return None
    complexity = 2.0 * radius * math.sqrt(2.0 * (math.log(2.0) + log_n) / examples)
    last = radius * _confidence(len(RADII) / delta, examples)
    return AtTheta(loss + complexity + last, radius)


def uneven_loss(margins: MarginSums, beta: float, log_n: float, delta: float) -> AtTheta:
    r"""On beta P(f <= 0, y = +1) + P(f >= 0, y = -1), by the hinge of Leskovec and Shawe-Taylor.

    mean :math:`b_i \min(1, (1 - y_i f_i / \rho)_+) + (2 / \rho) \sqrt{2 \ln(2 N) \sum b_i^2} / m +
    3 \beta \sqrt{\ln(2 J / \delta) / (2 m)}` with b = beta for positives and 1 for negatives, where
    the middle term has :math:`\sqrt{\beta^2 m_+ + m_-}` and not :math:`\beta \sqrt m`.
    """
    m, positives = margins.total, margins.positives
    squares = beta**2 * positives + (m - positives)
    complexity = math.sqrt(2.0 * (math.log(2.0) + log_n) * squares) / m
    last = 3.0 * max(beta, 1.0) * _confidence(2.0 * len(THETAS) / delta, m)
    return min(
        AtTheta(margins.hinge(rho, beta) + 2.0 / rho * complexity + last, rho) for rho in THETAS
    )


def _confidence(odds: float, examples: int) -> float:
    """sqrt(ln(odds) / (2 m)), McDiarmid's term."""
    return math.sqrt(math.log(odds) / (2.0 * examples))


def _log_binomial(n: int, k: Floats | int) -> Floats:
    """ln C(n, k)."""
    result: Floats = gammaln(n + 1) - gammaln(np.asarray(k) + 1) - gammaln(n - np.asarray(k) + 1)
    return result


def _log_sum_exp(logs: Floats) -> float:
    """ln of the sum of exp."""
    highest = float(logs.max())
    return highest + math.log(float(np.exp(logs - highest).sum()))
