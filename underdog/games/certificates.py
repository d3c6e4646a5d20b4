"""What theory says about a fitted booster: bounds on its error, and why there are none."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.checks import check_positive
from underdog.codes.binary import BinaryLabels
from underdog.estimators.support.predictions import Predictions
from underdog.games import bounds
from underdog.games.margin_report import _game_of, _margins
from underdog.hypotheses import Tree
from underdog.types import Floats
from underdog.workers import Workers

MOST_DELTA = 0.5


@dataclass(frozen=True)
class Certificate:
    """A bound and what it bounds, or the reason why there is none.

    Attributes
    ----------
    of : str
        What is bounded.
    bound : float
        NaN if there is none.
    measured : float
        The same of the training rows; NaN if it can be measured on new rows only.
    note : str
        At which margin or radius the bound is least, or why there is none.
    """

    of: str
    bound: float
    measured: float = math.nan
    note: str = ""

    @property
    def says_something(self) -> bool:
        """Whether the bound is below 1, which every share is."""
        return self.bound < 1.0

    def __str__(self) -> str:
        if math.isnan(self.bound):
            return f"{self.of}: no certificate: {self.note}"
        seen = "" if math.isnan(self.measured) else f" (measured {self.measured:.4g})"
        note = f", {self.note}" if self.note else ""
        return f"{self.of}: at most {self.bound:.4g}{seen}{note}"


class Certificates(Mapping[str, Certificate]):
    """Certificates by name; `text()` lists those that say something."""

    def __init__(self, found: dict[str, Certificate], delta: float) -> None:
        self._found, self.delta = found, delta

    def __getitem__(self, name: str) -> Certificate:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def text(self, every: bool = False) -> str:
        """One line for each certificate; without `every` only those below 1."""
        shown = [str(own) for own in self.values() if every or own.says_something]
        loose = len(self) - len(shown)
        if loose:
            shown.append(f"{loose} more say nothing here: text(every=True) lists them")
        return "\n".join(textwrap.fill(line, 80, subsequent_indent="    ") for line in shown)


def certificates(
    booster: Predictions, X: Any, y: Any, *, theta: float = 0.1, delta: float = 0.05
) -> Certificates:
    """All bounds that theory has for a fitted binary classifier.

    docs/certificates.md explains each of them and its conditions. Bounds on new examples are true
    and loose: they hold with probability 1 - delta (each by itself) over the draw of independent
    training examples, if columns, words and levels were chosen without looking at these, and if
    parameters were not tuned on them.

    Parameters
    ----------
    booster : a fitted booster of this library, for two classes
    X, y
        The rows that it was fitted on.
    theta : float, default=0.1
        The margin of "margins" and "margins, not normalised".
    delta : float, default=0.05

    Returns
    -------
    Certificates
        A mapping with the keys "training error", "product of edges", "exponent of edges",
        "margins", "margins not normalised", "new examples by rounds", "new examples by margin",
        "new examples by norm" and "uneven loss".

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.games import certificates
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=20).fit(X, y)
    >>> found = certificates(model, X, y)
    >>> print(found["exponent of edges"])
    training error, by how much rules are better than chance: at most 0.1042 (measured 0.008787)

    References
    ----------
    Freund and Schapire, JCSS 55, 1997. Schapire, Freund, Bartlett and Lee, Annals of Statistics 26,
    1998. Koltchinskii and Panchenko, Annals of Statistics 30, 2002. Leskovec and Shawe-Taylor, ICML
    2003, equation (1).
    """
    check_positive("theta", theta)
    check_positive("delta", delta)
    if delta > MOST_DELTA:
        raise ValueError(f"delta={delta!r} is the probability that a bound fails: at most 0.5")
    table, side = _game_of(booster, X, y)
    if side.shape[1] != 1 or not isinstance(booster._labels, BinaryLabels):
        raise ValueError("certificates are for two classes: give a binary classifier")
    with Workers(booster.n_jobs) as workers:
        margins = _margins(booster, table, side, workers)[:, 0]
    model = booster.model_
    reach = float(np.abs(model.start).max()) + math.fsum(one.size for one in model.members)
    own = _Fitted(booster, margins, side[:, 0], reach, theta, delta)
    return Certificates(own.found(), delta)


class _Fitted:
    """A booster with what its certificates need."""

    def __init__(
        self, booster: Any, margins: Floats, side: Floats, reach: float, theta: float, delta: float
    ) -> None:
        self.booster, self.margins, self.side, self.reach = booster, margins, side, reach
        self.theta, self.delta = theta, delta
        self.error = float((margins < 0.0).mean() + (margins[side < 0.0] == 0.0).sum() / len(side))
        self.wrong_or_none = float((margins <= 0.0).mean())

    def found(self) -> dict[str, Certificate]:
        bound = self.booster.certificate_.get("bound", math.nan)
        first = Certificate("training error", bound, self.error)
        if math.isnan(bound):
            first = Certificate("training error", bound, self.error, "the loss is no bound on it")
        return {"training error": first, **self._by_edges(), **self._of_new_examples()}

    def _edges(self) -> tuple[Floats, str]:
        """The edges of votes with AdaBoost's coefficients, or why these are others."""
        history, members = self.booster.history_, self.booster.model_.members
        if "edge" not in history or not all(
            bool((np.abs(member.hypothesis.values) == 1.0).all()) for member in members
        ):
            return np.empty(0), "it is about rules that say -1 or 1"
        edges = history["edge"][: len(members)]
        coefficients = np.array([member.coefficient for member in members])
        inside = np.minimum(edges, 1.0 - 1e-15)
        if np.abs(coefficients - np.arctanh(inside)).max() > 1e-6:
            return np.empty(0), "coefficients are not 1/2 ln((1 + r) / (1 - r)) as AdaBoost's are"
        if self._weighted():
            return np.empty(0), "examples have weights of their own"
        return edges, ""

    def _weighted(self) -> bool:
        return bool(np.any(getattr(self.booster, "_log_class_weight", 0.0)))

    def _by_edges(self) -> dict[str, Certificate]:
        edges, why = self._edges()
        theta, gamma = self.theta, self.theta * self.reach
        below = float((self.margins <= theta).mean())
        rows = {
            "product of edges": ("training error, product of Z", self.wrong_or_none),
            "exponent of edges": (
                "training error, by how much rules are better than chance", self.wrong_or_none,
            ),
            "margins": (f"share of margins up to {theta:g}", below),
            "margins not normalised": (f"share of y f up to {gamma:.4g}", below),
        }  # fmt: skip
        if why:
            none = {name: Certificate(of, math.nan, seen, why) for name, (of, seen) in rows.items()}
            return none
        found = {
            "product of edges": bounds.product_of_edges(edges),
            "exponent of edges": bounds.exponent_of_edges(edges),
            "margins": bounds.share_below(theta, edges),
            "margins not normalised": math.exp(min(gamma, 700.0)) * bounds.exponent_of_edges(edges),
        }
        return {name: Certificate(of, found[name], seen) for name, (of, seen) in rows.items()}

    def _rules(self) -> tuple[float, str]:
        """ln N of the rules that the learner chooses from, or why it is not known."""
        members = self.booster.model_.members
        if self._weighted():
            return math.nan, "classes or examples have weights, so these are no independent draws"
        if not all(isinstance(member.hypothesis, Tree) for member in members):
            return math.nan, "rules of other libraries cannot be counted"
        leaves = max(len(member.hypothesis.values) for member in members)
        return bounds.log_rules(self.booster.model_.schema, len(self.side), leaves), ""

    def _of_new_examples(self) -> dict[str, Certificate]:
        log_n, why = self._rules()
        beta = float(getattr(self.booster._link, "beta", 1.0))
        names = {
            "new examples by rounds": "error on new examples, by the number of rounds",
            "new examples by margin": "error on new examples, by margins",
            "new examples by norm": "log loss of new examples, by the sum of coefficients",
            "uneven loss": f"{beta:g} P(f <= 0, +) + P(f >= 0, -) on new examples",
        }
        if why:
            return {name: Certificate(of, math.nan, note=why) for name, of in names.items()}
        delta, rounds = self.delta, int(self.booster.n_estimators)
        by_margin = bounds.by_margin(self.margins, log_n, delta)
        uneven = bounds.uneven_loss(self.margins, self.side > 0.0, beta, log_n, delta)
        found = {
            "new examples by rounds": self._by_rounds(log_n, rounds),
            "new examples by margin": (by_margin.bound, f"at the margin {by_margin.theta:g}"),
            "new examples by norm": self._by_norm(log_n),
            "uneven loss": (uneven.bound, f"at rho = {uneven.theta:g}"),
        }
        return {
            name: Certificate(of, found[name][0], note=found[name][1]) for name, of in names.items()
        }

    def _by_rounds(self, log_n: float, rounds: int) -> tuple[float, str]:
        values = [member.hypothesis.values for member in self.booster.model_.members]
        if any(len(own) > 2 and bool((np.abs(own) != 1.0).any()) for own in values):
            return math.nan, "trees with real values have a dimension for each leaf"
        bound = bounds.with_rounds(self.wrong_or_none, log_n, len(self.side), rounds, self.delta)
        return bound, f"with the {rounds} rounds that were allowed"

    def _by_norm(self, log_n: float) -> tuple[float, str]:
        if self.booster._link.probability_scale != 1.0:
            return math.nan, "the loss is not the log loss of the scores"
        losses = np.logaddexp(0.0, -self.margins * self.reach)
        found = bounds.by_norm(losses, self.reach, log_n, self.delta)
        if found is None:
            return math.nan, f"the coefficients have a sum above {bounds.RADII[-1]:g}"
        return found.bound, f"with the radius {found.theta:g}"
