"""A model of few rules, made of the rules of a longer one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_consistent_length

from underdog.checks import check_integer
from underdog.codes.binary import BinaryLabels
from underdog.codes.multi_label import MultiLabels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.codes.output_code import CodedLabels
from underdog.codes.ranked import RankedLabels
from underdog.codes.softmax import SoftmaxLabels
from underdog.core import MAX_SCORE, Member
from underdog.data import EncodedRows, Table
from underdog.estimators.support import inputs
from underdog.estimators.support.editing import edited
from underdog.estimators.support.predictions import Predictions
from underdog.hypotheses import Tree
from underdog.hypotheses.rule import partition_key
from underdog.inspection.refitting import RuleColumns
from underdog.kernels.elementary import GRID
from underdog.model import used
from underdog.model.merging import merged_members
from underdog.model.writing import text_table
from underdog.types import Floats

LARGEST_STEP = 1e3
"""Of a rule with a new coefficient."""


class Tried(NamedTuple):
    """One way to keep few rules."""

    name: str
    rules: int
    error: float
    """Share of the rows, or of the labels if a row may have several, predicted wrongly."""
    log_loss: float


class Shortened(NamedTuple):
    """A model of few rules, and what it costs.

    Attributes
    ----------
    model : fitted booster
        With the rules that were kept.
    tried : list of Tried
        The whole model first, then all ways to shorten it; the one with the least log loss is
        `model`.
    """

    model: Any
    tried: list[Tried]

    @property
    def costs(self) -> dict[str, tuple[float, float]]:
        """error and log_loss of the whole model and of the short one."""
        whole, *ways = self.tried
        kept = min(ways, key=lambda way: way.log_loss)
        return {name: (getattr(whole, name), getattr(kept, name)) for name in ("error", "log_loss")}

    def text(self) -> str:
        """What each way costs, as a table."""
        rows = [["", "rules", "error", "log loss"]]
        rows += [[each.name, f"{each.rules}", f"{each.error:.4f}", f"{each.log_loss:.4f}"]
                 for each in self.tried]  # fmt: skip
        return "\n".join(text_table(rows, texts=1))


def shorten(
    model: Any, X: Any, y: Any, max_rules: int, *, X_val: Any = None, y_val: Any = None
) -> Shortened:
    """The best model of so many rules of a fitted booster, and what it costs in accuracy.

    Equal rules are one. There are five ways to choose the rules, of which the one with the least
    log loss wins:

    - "early rounds": the rounds before one rule more was found, as they were;
    - "first rules": the same rules;
    - "largest rules": those that move scores most;
    - "best rules": those that lower the loss most, one by one;
    - "greatest margin": those with weight in the linear programme of LPBoost over all rules, where
      so many examples may be below the margin that there are few enough of them. For two classes.

    All but the first fit the coefficients of the kept rules and a constant again, so that the log
    loss is least.

    Parameters
    ----------
    model : fitted classifier of this library whose rules are stumps, rules or trees
        For two or more classes or several labels, but not by output codes. Shorten a model before
        it is recalibrated or moved to another prevalence.
    X, y
        Rows to choose rules and fit coefficients, such as the training rows.
    max_rules : int
        Maximum number of rules, without the constant.
    X_val, y_val : optional
        Other rows, on which the ways are compared and the costs measured. Without them that is done
        on X and y, where the cost is underestimated.

    Returns
    -------
    Shortened

    Notes
    -----
    `SlipperClassifier` has a parameter `max_rules` as well, which limits its rules in training.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, shorten
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> long = AdaBoostClassifier(n_estimators=50).fit(X[::2], y[::2])
    >>> short = shorten(long, X[::2], y[::2], max_rules=5, X_val=X[1::2], y_val=y[1::2])
    >>> print(short.text())
                     rules   error  log loss
    whole model         38  0.0458    0.5132
    early rounds         5  0.0563    0.2636
    first rules          5  0.0563    0.2071
    largest rules        5  0.1021    0.2425
    best rules           5  0.1197    0.2157
    greatest margin      5  0.0739    0.2147
    """
    check_integer("max_rules", max_rules, 1)
    check_classes(model, "shorten")
    measured = _Rows(model, X, y)
    if (X_val is None) != (y_val is None):
        raise ValueError("give both of X_val and y_val, or none")
    judged = measured if X_val is None else _Rows(model, X_val, y_val)
    rules, early = _rules_of(model, max_rules)
    count = min(max_rules, len(rules))
    tried = [judged.tried("whole model", len(rules), judged.whole)]
    tried.append(judged.tried("early rounds", count, judged.scores(early)))
    made = [("as in training", early)]
    for way, members in _refitted(measured, judged, rules, count):
        tried.append(way)
        made.append(("with new coefficients", members))
    best = min(range(1, len(tried)), key=lambda place: tried[place].log_loss)
    how, members = made[best - 1]
    change = f"kept {tried[best].rules} of {len(rules)} rules, {how} ({tried[best].name})"
    edit = {"change": change, "by": "shorten", "why": f"max_rules={max_rules}"}
    return Shortened(edited(model, members, [edit]), tried)


def _refitted(
    measured: _Rows, judged: _Rows, rules: Sequence[Member], count: int
) -> Iterator[tuple[Tried, list[Member]]]:
    """So many rules with new coefficients, chosen in several ways."""
    columns, others = (each.columns(rules) for each in (measured, judged))
    ways: dict[str, list[int] | None] = {
        "first rules": list(range(count)),
        "largest rules": columns.largest(count),
        "best rules": columns.best(count),
        "greatest margin": columns.of_greatest_margin(count),
    }
    for name, chosen in ways.items():
        if chosen is not None:
            own = columns.fit(chosen)
            scores = judged.of(others.log_odds(chosen, own))
            kept = [rules[each] for each in chosen]
            yield judged.tried(name, len(chosen), scores), measured.members(kept, own)


def check_classes(model: Any, name: str) -> None:
    """Refuse everything but a fitted booster of classes with log-odds for scores."""
    if not isinstance(model, Predictions):
        raise TypeError(
            f"{name} needs a fitted booster, but a {type(model).__name__} was given: take the "
            "booster out of a pipeline, as in pipeline[-1]"
        )
    model._check_fitted()
    labels = model._labels
    known = isinstance(labels, BinaryLabels | OneOfKLabels | MultiLabels)
    if not known or isinstance(labels, CodedLabels | RankedLabels):
        raise ValueError(f"{name} is for classifiers with a score for each class or label")
    changed = getattr(model, "calibration_", None) is not None
    if changed or getattr(model, "prevalence_", None) is not None:
        raise ValueError(
            f"{name} needs the model as it was trained, but this one has other probabilities: use "
            f"{name} first, then recalibrate or with_prevalence"
        )


def check_two_classes(model: Any, name: str) -> None:
    """Refuse everything but a fitted booster of two classes with one score."""
    check_classes(model, name)
    if not isinstance(model._labels, BinaryLabels):
        raise ValueError(f"{name} is for boosters of two classes with one score")


class _Rows:
    """Labelled rows, with the scale and the weights of a model."""

    def __init__(self, model: Any, X: Any, y: Any) -> None:
        self.model, self.labels = model, model._labels
        self.table: Table = inputs.prediction_table(model, X)
        self.y = inputs.checked_labels(y)
        check_consistent_length(self.table, self.y)
        self.labels.check(self.y, "y")
        self.whole: Floats = model._scores(X)
        self.sign = self.labels.sign(self.y).astype(float)
        self.scale = model._link.probability_scale or 2.0
        self.shift = getattr(model, "_log_odds_shift", None) or 0.0

    def columns(self, rules: Sequence[Member]) -> RuleColumns:
        """What each rule adds to the log-odds of the rows."""
        encoded = EncodedRows(self.table, self.model.model_.schema)
        added = np.zeros((*self.sign.shape, len(rules)))
        for place, member in enumerate(rules):
            blocks: Any = member.hypothesis.partition(encoded)
            added[:, :, place] = member.steps[blocks.of_row(len(self.table))]
        is_softmax = isinstance(self.labels, SoftmaxLabels)
        return RuleColumns(added * self.scale, self.sign, self._weights(), is_softmax)

    def _weights(self) -> Floats:
        """(n, K) the class weights of the training, with mean 1."""
        own = self.model._log_class_weight
        if own.ndim == 2:
            found = np.take_along_axis(own, self.sign.astype(np.intp), axis=0)
        else:
            found = own[np.searchsorted(self.labels.classes, self.y)][:, np.newaxis]
        weights = np.exp(np.broadcast_to(found, self.sign.shape))
        result: Floats = weights / weights.mean()
        return result

    def scores(self, members: Sequence[Member]) -> Floats:
        """(n, K) of a model with these members."""
        own = self.columns(list(members)).added.sum(axis=2) / self.scale
        result: Floats = own + self.model._shown.start
        return result

    def of(self, log_odds: Floats) -> Floats:
        """Scores with these log-odds."""
        return log_odds / self.scale + self.shift

    def tried(self, name: str, rules: int, scores: Floats) -> Tried:
        """What a model with these scores costs."""
        error = float(np.mean(self.labels.predict(scores) != self.y))
        return Tried(name, rules, error, self.columns([]).loss(self.scale * (scores - self.shift)))

    def members(self, rules: Sequence[Member], coefficients: Floats) -> list[Member]:
        """Rules with other coefficients, and a constant."""
        k, made = self.sign.shape[1], []
        for member, own in zip(rules, coefficients[k:].tolist(), strict=True):
            steps = np.clip(member.steps * own, -LARGEST_STEP, LARGEST_STEP)
            steps = np.rint(steps * GRID) / GRID
            made.append(member._replace(steps=steps, size=float(np.abs(steps).max())))
        constant = self.of(coefficients[:k]) - self.model._shown.start
        constant = np.rint(constant[np.newaxis] * GRID) / GRID
        size = min(float(np.abs(constant).max()), MAX_SCORE)
        return [*made, Member(Tree.constant(constant), 1.0, constant, size)]


def _rules_of(model: Any, most: int) -> tuple[list[Member], list[Member]]:
    """All different rules, and the members of the rounds before there were more than `most`."""
    members = list(used(model.model_.members))
    if not all(isinstance(each.hypothesis, Tree) for each in members):
        raise ValueError("shorten needs rules of underdog, but some are of another library")
    rules = [each for each in merged_members(members) if not _is_constant(each)]
    early: list[Member] = []
    known: set[object] = set()
    for member in members:
        if not _is_constant(member):
            known.add(partition_key(member.hypothesis))
        if len(known) > most:
            break
        early.append(member)
    return rules, merged_members(early)


def _is_constant(member: Member) -> bool:
    return isinstance(member.hypothesis, Tree) and member.hypothesis.is_constant
