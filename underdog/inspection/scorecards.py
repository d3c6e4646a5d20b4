"""Scorecards: a model with whole points, which can be added by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import log_loss

from underdog.checks import check_positive
from underdog.core import Member
from underdog.data import Schema
from underdog.estimators.support.editing import edited
from underdog.hypotheses import Tree
from underdog.inspection.shortening import check_two_classes
from underdog.kernels.elementary import GRID
from underdog.model import answers, used
from underdog.model.compiled import compiles
from underdog.model.reshaping import bin_values, stumps_of, stumps_on
from underdog.model.shapes import shapes_of
from underdog.model.writing import text_table
from underdog.types import Floats, Integers


@dataclass(frozen=True)
class Scorecard:
    """Whole points for each condition.

    Attributes
    ----------
    model : fitted booster
        The model with rounded steps, whose predictions are those of the card.
    points_to_double : float
        So many points double the odds of the positive class.
    even : int
        With so many points the two classes have the same probability: 0, unless the model was
        trained with weights or costs of classes.
    start : int
        Points of every row.
    lines : list of (str, int)
        Conditions and their points.
    costs : dict
        error and log_loss on the given rows, before and after rounding; empty without rows.
    points_per_score : float
        Points of a score of 1.
    """

    model: Any
    points_to_double: float
    even: int
    start: int
    lines: list[tuple[str, int]]
    costs: dict[str, tuple[float, float]]
    points_per_score: float

    def points(self, X: Any) -> Integers:
        """(n,) the points of rows; more points speak for the positive class."""
        result: Integers = np.rint(self.model._scores(X)[:, 0] * self.points_per_score).astype(
            np.int64
        )
        return result

    def to_dict(self) -> dict[str, Any]:
        """The card as data for JSON."""
        labels = self.model._labels
        return {
            "positive": labels.names[labels.positive],
            "points_to_double": self.points_to_double,
            "even": self.even,
            "start": self.start,
            "lines": [{"condition": words, "points": points} for words, points in self.lines],
            "costs": {
                name: {"before": before, "after": after}
                for name, (before, after) in self.costs.items()
            },
        }

    def text(self) -> str:
        """The card as a table."""
        labels = self.model._labels
        name = labels.names[labels.positive]
        rows = [["every row", f"{self.start:+d}"]]
        rows += [[words, f"{points:+d}"] for words, points in self.lines]
        double = f"{self.points_to_double:g} points double the odds, {self.even} is even"
        head = [f"points for {name!r}: {double}"]
        tail = [
            f"{what.replace('_', ' ')}: {before:.4f} before rounding, {after:.4f} after"
            for what, (before, after) in self.costs.items()
        ]
        return "\n".join([*head, *text_table(rows, texts=1), *tail])


def scorecard(
    model: Any, X: Any = None, y: Any = None, *, points_to_double: float = 20.0
) -> Scorecard:
    """The model with whole points.

    The score of a model of log-odds is multiplied so that `points_to_double` points double the
    odds, and what each condition adds is rounded to whole points. Where all rules are stumps, the
    conditions are the intervals and levels of columns, otherwise the rules.

    Parameters
    ----------
    model : fitted booster of two classes with probabilities
        Shorten it first (`shorten`) to have a short card; recalibrate it afterwards.
    X, y : optional
        Rows on which the cost of rounding is measured.
    points_to_double : float, default=20.0

    Returns
    -------
    Scorecard

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, scorecard
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(scorecard(model, X, y).text())
    points for '1': 20 points double the odds, 0 is even
    every row                     +185
    worst texture > 23.35          -90
    worst perimeter > 117.45      -174
    worst concave points > 0.111  -114
    error: 0.0615 before rounding, 0.0615 after
    log loss: 0.1439 before rounding, 0.1439 after
    """
    check_positive("points_to_double", points_to_double)
    check_two_classes(model, "scorecard")
    scale = model._link.probability_scale
    if scale is None:
        raise ValueError(
            f"the scores of {type(model).__name__} are no log-odds, so no points double the odds: "
            "use a booster with predict_proba"
        )
    per_score = float(points_to_double) / math.log(2.0) * scale
    shown = model._shown
    members, schema = list(used(shown.members)), shown.schema
    if compiles(members):
        rounded = _by_column(members, schema, per_score)
    else:
        rounded = [_by_rule(member, per_score) for member in members]
    start = _whole(shown.start, per_score)
    edit = {
        "change": "rounded all steps to whole points",
        "by": "scorecard",
        "why": f"{points_to_double:g} points double the odds",
    }
    changed = edited(model, [*rounded, *_constants(start - shown.start)], [edit])
    base, lines = _lines(changed, per_score)
    costs = {} if X is None else _costs(model, changed, X, y)
    even = round(_even_score(model, scale) * per_score)
    return Scorecard(changed, float(points_to_double), even, base, lines, costs, per_score)


def _even_score(model: Any, scale: float) -> float:
    """The score at which both classes have the same probability."""
    positive, weights = model._labels.positive, model._log_class_weight
    favour = float(weights[positive] - weights[1 - positive])
    return float(model._log_odds_shift or 0.0) + favour / scale


def _whole(steps: Floats, per_score: float) -> Floats:
    """Steps of whole points, on the score grid."""
    result: Floats = np.rint(np.rint(steps * per_score) / per_score * GRID) / GRID
    return result


def _constants(value: Floats) -> list[Member]:
    if not value.any():
        return []
    steps = value[np.newaxis]
    return [Member(Tree.constant(steps), 1.0, steps, float(np.abs(steps).max()))]


def _by_rule(member: Member, per_score: float) -> Member:
    steps = _whole(member.steps, per_score)
    return member._replace(steps=steps, size=float(np.abs(steps).max()))


def _by_column(members: list[Member], schema: Schema, per_score: float) -> list[Member]:
    """Step functions of columns, each with a whole number of points in every interval."""
    trees = [each.hypothesis for each in members if isinstance(each.hypothesis, Tree)]
    columns = sorted({tree.test.column for tree in trees if tree.test is not None})
    made: list[Member] = []
    for column in columns:
        values = bin_values(stumps_on(members, column), column, schema)
        made += stumps_of(column, _whole(values, per_score), schema)
    constants = [each.steps[0] for each in members if len(each.steps) == 1]
    return made + _constants(_whole(np.sum(constants, axis=0), per_score)) if constants else made


def _lines(changed: Any, per_score: float) -> tuple[int, list[tuple[str, int]]]:
    """What every row has, and the conditions with points."""
    model = changed.model_
    if compiles(model.members):
        start, shapes = shapes_of(model.compiled, model.schema)
        pieces = [
            (f"{shape.title} {words}", value)
            for shape in shapes
            for words, value in shape.pieces(0)
        ]
        return round(float(start[0]) * per_score), [
            (words, round(value * per_score)) for words, value in pieces if round(value * per_score)
        ]
    base, lines = float(model.start[0]), []
    for answer in answers(model.members, model.schema, speaking=True):
        if answer.question == "always":
            base += float(answer.yes[0])
            continue
        lines.append((answer.question, round(float(answer.yes[0]) * per_score)))
        if answer.no is not None:
            lines.append((f"not ({answer.question})", round(float(answer.no[0]) * per_score)))
    return round(base * per_score), lines


def _costs(model: Any, changed: Any, X: Any, y: Any) -> dict[str, tuple[float, float]]:
    if y is None:
        raise ValueError("X was given without y: give both, or none")
    errors = tuple(1.0 - each.score(X, y) for each in (model, changed))
    losses = tuple(
        float(log_loss(y, each.predict_proba(X), labels=each.classes_)) for each in (model, changed)
    )
    return {"error": (errors[0], errors[1]), "log_loss": (losses[0], losses[1])}
