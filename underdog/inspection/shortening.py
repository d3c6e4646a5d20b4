"""A model of few rules, made of the rules of a longer one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_consistent_length

from underdog.checks import check_integer
from underdog.codes.binary import BinaryLabels
from underdog.core import MAX_SCORE, Member
from underdog.data import EncodedRows, Table
from underdog.estimators.support import inputs
from underdog.estimators.support.editing import edited
from underdog.estimators.support.predictions import Predictions
from underdog.hypotheses import Tree
from underdog.kernels.elementary import GRID
from underdog.model import used
from underdog.model.merging import merged_members
from underdog.model.writing import text_table
from underdog.types import Flags, Floats

RIDGE, STEPS = 1e-6, 30
"""The penalty on coefficients, per row, which keeps them finite; the most Newton steps."""
BITS = 2.0**16
"""Refitted coefficients are rounded to 1 / BITS: their last bits depend on the order of rows."""


class Tried(NamedTuple):
    """One way to keep few rules."""

    name: str
    rules: int
    error: float
    """Share of the rows that are predicted wrongly."""
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

    def text(self) -> str:
        """What each way costs, as a table."""
        rows = [["", "rules", "error", "log loss"]]
        rows += [[each.name, f"{each.rules}", f"{each.error:.4f}", f"{each.log_loss:.4f}"]
                 for each in self.tried]  # fmt: skip
        return "\n".join(text_table(rows, texts=1))


def shorten(model: Any, X: Any, y: Any, max_rules: int) -> Shortened:
    """The best model of so many rules of a fitted booster.

    Equal rules are one. The rules that are kept are the first ones that were found, those that move
    scores most, or those that lower the loss most, chosen one by one. Coefficients of the kept
    rules and a constant are then fitted again to minimise the log loss, and the best of the three
    models is returned. The boosters that maximise a soft margin (`LPBoostClassifier`) have few
    rules to begin with, and can be shortened further.

    Parameters
    ----------
    model : fitted booster for two classes whose rules are stumps, rules or trees
    X, y
        Rows to fit the coefficients and to measure the cost. On the training rows the cost is
        underestimated: measure the result on other rows.
    max_rules : int
        Maximum number of rules, without the constant.

    Returns
    -------
    Shortened

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, shorten
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> short = shorten(AdaBoostClassifier(n_estimators=50).fit(X, y), X, y, max_rules=5)
    >>> len(short.model.model_)
    6
    """
    check_integer("max_rules", max_rules, 1)
    check_two_classes(model, "shorten")
    table = inputs.prediction_table(model, X)
    y = np.asarray(y)
    check_consistent_length(table, y)
    positive = model._labels.sign(y)[:, 0] == 1
    pool = merged_members(list(used(model._shown.members)))
    rules = [each for each in pool if isinstance(each.hypothesis, Tree)]
    if len(rules) < len(pool):
        raise ValueError("shorten needs rules of underdog, but some are of another library")
    rules = [each for each in rules if not _is_constant(each)]
    scale = model._link.probability_scale or 2.0
    columns = _columns(rules, table, model) * scale
    ways = {
        "first rules": list(range(len(rules)))[:max_rules],
        "largest rules": np.argsort(-columns.std(axis=0), kind="stable")[:max_rules].tolist(),
        "best rules": _greedy(columns, positive, max_rules),
    }
    scores = model._scores(X)[:, 0] * scale
    tried = [Tried("whole model", len(rules), *_cost(scores, positive))]
    best: tuple[float, Any] = (np.inf, None)
    for name, chosen in ways.items():
        coefficients = _fit(columns[:, chosen], positive)
        found = columns[:, chosen] @ coefficients[1:] + coefficients[0]
        tried.append(Tried(name, len(chosen), *_cost(found, positive)))
        if tried[-1].log_loss < best[0]:
            members = _members([rules[each] for each in chosen], coefficients, scale)
            change = f"kept {len(chosen)} of {len(rules)} rules, with new coefficients ({name})"
            edit = {"change": change, "by": "shorten", "why": f"max_rules={max_rules}"}
            best = tried[-1].log_loss, edited(model, members, [edit])
    return Shortened(best[1], tried)


def check_two_classes(model: Any, name: str) -> None:
    """Refuse everything but a fitted booster of two classes with one score."""
    if not isinstance(model, Predictions):
        raise TypeError(
            f"{name} needs a fitted booster, but a {type(model).__name__} was given: take the "
            "booster out of a pipeline, as in pipeline[-1]"
        )
    model._check_fitted()
    if not isinstance(model._labels, BinaryLabels):
        raise ValueError(f"{name} is for boosters of two classes with one score")


def _is_constant(member: Member) -> bool:
    return isinstance(member.hypothesis, Tree) and member.hypothesis.is_constant


def _columns(rules: Sequence[Member], table: Table, model: Any) -> Floats:
    """(n, R) what each rule adds to the score of each row."""
    encoded = EncodedRows(table, model.model_.schema)
    found = np.zeros((len(table), len(rules)))
    for place, member in enumerate(rules):
        blocks: Any = member.hypothesis.partition(encoded)
        found[:, place] = member.steps[blocks.of_row(len(table)), 0]
    return found


def _fit(columns: Floats, positive: Flags) -> Floats:
    """(1 + R,) a constant and the coefficients with the least log loss, by Newton's method."""
    design = np.column_stack([np.ones(len(columns)), columns])
    penalty = np.full(design.shape[1], RIDGE * len(design))
    found = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chances = 1.0 / (1.0 + np.exp(-np.clip(design @ found, -500.0, 500.0)))
        slope = design.T @ (chances - positive) + penalty * found
        curvature = design.T @ (design * (chances * (1.0 - chances))[:, np.newaxis])
        step = np.linalg.solve(curvature + np.diag(penalty), slope)
        size = float(np.abs(step).max())
        found = found - step * min(1.0, 4.0 / size if size > 0.0 else 1.0)
        if size < 1e-9:
            break
    result: Floats = np.rint(found * BITS) / BITS
    return result


def _greedy(columns: Floats, positive: Flags, count: int) -> list[int]:
    """Rules one by one: the one along which the loss falls steepest, then all are fitted again."""
    chosen: list[int] = []
    size = columns.std(axis=0)
    scores = np.full(len(columns), _fit(columns[:, :0], positive)[0])
    while len(chosen) < min(count, columns.shape[1]):
        residual = positive - 1.0 / (1.0 + np.exp(-np.clip(scores, -500.0, 500.0)))
        centred = columns - columns.mean(axis=0)
        gain = np.abs(centred.T @ residual) / np.where(size > 0.0, size, np.inf)
        gain[chosen] = -1.0
        best = int(np.flatnonzero(gain >= gain.max() * (1.0 - 1e-9))[0])
        chosen.append(best)
        coefficients = _fit(columns[:, chosen], positive)
        scores = columns[:, chosen] @ coefficients[1:] + coefficients[0]
    return chosen


def _cost(scores: Floats, positive: Flags) -> tuple[float, float]:
    """The share of wrong rows and the log loss of log-odds."""
    side = np.where(positive, scores, -scores)
    return float(np.mean(side <= 0.0)), float(np.mean(np.logaddexp(0.0, -side)))


def _members(rules: Sequence[Member], coefficients: Floats, scale: float) -> list[Member]:
    """Rules with other coefficients, and a constant."""
    made = []
    for member, coefficient in zip(rules, coefficients[1:].tolist(), strict=True):
        steps = np.rint(np.clip(member.steps * coefficient, -1e3, 1e3) * GRID) / GRID
        made.append(member._replace(steps=steps, size=float(np.abs(steps).max())))
    constant = np.rint(np.array([[coefficients[0] / scale]]) * GRID) / GRID
    size = min(float(np.abs(constant).max()), MAX_SCORE)
    return [*made, Member(Tree.constant(constant), 1.0, constant, size)]
