"""All bounds of theory on a vote for two classes, from what is known at the end of a fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.certificates import bounds
from underdog.certificates.certificate import Certificate
from underdog.certificates.margin_sums import MarginSums
from underdog.core import Member
from underdog.data import Schema
from underdog.hypotheses import Tree
from underdog.types import Floats

THETA, DELTA = 0.1, 0.05
"""The margin, and the probability that a bound may fail, of the certificates of a fit."""
NAMES = (
    "product_of_edges", "exponent_of_edges", "margins", "margins_not_normalised",
    "new_examples_by_rounds", "new_examples_by_margin", "new_examples_by_norm", "uneven_loss",
)  # fmt: skip
"""All certificates, in their order."""
NOT_ARTANH = 1e-6
"""Coefficients that differ by more from 1/2 ln((1 + r) / (1 - r)) are others."""


@dataclass(frozen=True, eq=False)
class Facts:
    """What bounds on a vote depend on.

    Attributes
    ----------
    members, schema : of the model
    edges : (T,) of the rounds; None if they were not measured
    reach : float
        The largest score that the start and the steps allow, by which margins are divided.
    margins : MarginSums
    rounds : int
        How many were allowed.
    beta : float
        How many negatives a positive counts for.
    log_loss : float, optional
        The mean log loss, if that is the loss of the scores.
    weighted : bool
        Whether examples or classes have weights.
    why_none : str
        What else makes the rules other than independent examples and a known set of rules.
    sized_by_data : bool
        Whether the data decides how many leaves rules have; else they are stumps.
    """

    members: Sequence[Member]
    schema: Schema
    edges: Floats | None
    reach: float
    margins: MarginSums
    rounds: int
    beta: float = 1.0
    log_loss: float | None = None
    weighted: bool = False
    why_none: str = ""
    sized_by_data: bool = False


def bounds_of(facts: Facts, theta: float = THETA, delta: float = DELTA) -> dict[str, Certificate]:
    """All certificates by name; docs/certificates.md explains each of them."""
    return {**_by_edges(facts, theta), **_of_new_examples(facts, delta)}


def titles(theta: float, reach: float, beta: float) -> dict[str, str]:
    """What each certificate is about."""
    what = (
        "training error, product of Z",
        "training error, by how much rules are better than chance",
        f"share of margins up to {theta:g}",
        f"share of y f up to {theta * reach:.4g}",
        "error on new examples, by the number of rounds",
        "error on new examples, by margins",
        "log loss of new examples, by the sum of coefficients",
        f"{beta:g} P(f <= 0, +) + P(f >= 0, -) on new examples",
    )
    return dict(zip(NAMES, what, strict=True))


def _by_edges(facts: Facts, theta: float) -> dict[str, Certificate]:
    """On the training rows."""
    wrong, below = facts.margins.share(0.0), facts.margins.share(theta)
    of, scale = titles(theta, facts.reach, facts.beta), math.exp(min(theta * facts.reach, 700.0))
    rows: dict[str, tuple[float, Callable[[Floats], float]]] = {
        "product_of_edges": (wrong, bounds.product_of_edges),
        "exponent_of_edges": (wrong, bounds.exponent_of_edges),
        "margins": (below, lambda r: bounds.share_below(theta, r)),
        "margins_not_normalised": (below, lambda r: scale * bounds.exponent_of_edges(r)),
    }
    why = _why_no_edges(facts)
    edges = np.empty(0) if facts.edges is None else facts.edges[: len(facts.members)]
    return {
        name: Certificate(of[name], math.nan if why else found(edges), seen, why)
        for name, (seen, found) in rows.items()
    }


def _why_no_edges(facts: Facts) -> str:
    """Why the rules are no votes with AdaBoost's coefficients; empty if they are."""
    if facts.why_none:
        return facts.why_none
    if facts.edges is None or not all(_votes(member) for member in facts.members):
        return "it is about rules that say -1 or 1"
    edges = np.minimum(facts.edges[: len(facts.members)], 1.0 - 1e-15)
    own = np.array([member.coefficient for member in facts.members])
    if not np.abs(own - np.arctanh(np.maximum(edges, -1.0 + 1e-15))).max() <= NOT_ARTANH:
        return "coefficients are not 1/2 ln((1 + r) / (1 - r)) as AdaBoost's are"
    return "examples have weights of their own" if facts.weighted else ""


def _votes(member: Member) -> bool:
    return bool((np.abs(member.hypothesis.values) == 1.0).all())


def _of_new_examples(facts: Facts, delta: float) -> dict[str, Certificate]:
    """With probability 1 - delta, each by itself."""
    beta, m = facts.beta, facts.margins.total
    coin = 0.5 * (beta * facts.margins.positives + m - facts.margins.positives) / m
    known = {
        "new_examples_by_rounds": 0.5, "new_examples_by_margin": 0.5,
        "new_examples_by_norm": math.log(2.0), "uneven_loss": coin,
    }  # fmt: skip
    log_n, why = _count_rules(facts)
    if why:
        found = dict.fromkeys(known, (math.nan, why))
    else:
        delta *= _share_of_delta(facts)
        by_margin = bounds.by_margin(facts.margins, log_n, delta)
        uneven = bounds.uneven_loss(facts.margins, beta, log_n, delta)
        found = {
            "new_examples_by_rounds": _by_rounds(facts, log_n, delta),
            "new_examples_by_margin": (by_margin.bound, f"at the margin {by_margin.theta:g}"),
            "new_examples_by_norm": _by_norm(facts, log_n, delta),
            "uneven_loss": (uneven.bound, f"at rho = {uneven.theta:g}"),
        }
    of = titles(THETA, facts.reach, beta)
    return {
        name: Certificate(of[name], found[name][0], note=found[name][1], known=own)
        for name, own in known.items()
    }


def _count_rules(facts: Facts) -> tuple[float, str]:
    """ln N of the rules that the learner chooses from, or why it is not known."""
    if facts.why_none:
        return math.nan, facts.why_none
    if facts.weighted:
        return math.nan, "classes or examples have weights, so these are no independent draws"
    if not all(isinstance(member.hypothesis, Tree) for member in facts.members):
        return math.nan, "rules of other libraries cannot be counted"
    return bounds.log_rules(facts.schema, facts.margins.total, _most_leaves(facts)), ""


def _most_leaves(facts: Facts) -> int:
    return max(_leaves(member.hypothesis) for member in facts.members)


def _share_of_delta(facts: Facts) -> float:
    """All sizes of rules share delta: 1/2 for up to two leaves, 1 / (J (J - 1)) for J of them."""
    if not facts.sized_by_data:
        return 1.0
    leaves = max(_most_leaves(facts), 2)
    return 1.0 / (leaves * (leaves - 1))


def _leaves(rule: Any) -> int:
    """The leaves of a binary tree that can say what a rule says."""
    if rule.test is not None:
        return 2
    return len(rule.values) if rule.rest is None else len(rule.tests) + 1


def _by_rounds(facts: Facts, log_n: float, delta: float) -> tuple[float, str]:
    values = [member.hypothesis.values for member in facts.members]
    if any(len(own) > 2 and bool((np.abs(own) != 1.0).any()) for own in values):
        return math.nan, "trees with real values have a dimension for each leaf"
    error, m = facts.margins.share(0.0), facts.margins.total
    bound = bounds.with_rounds(error, log_n, m, facts.rounds, delta)
    return bound, f"with the {facts.rounds} rounds that were allowed"


def _by_norm(facts: Facts, log_n: float, delta: float) -> tuple[float, str]:
    if facts.log_loss is None:
        return math.nan, "the loss is not the log loss of the scores"
    m = facts.margins.total
    found = bounds.by_norm(facts.log_loss, m, facts.reach, log_n, delta)
    if found is None:
        return math.nan, f"the coefficients have a sum above {bounds.RADII[-1]:g}"
    return found.bound, f"with the radius {found.theta:g}"
