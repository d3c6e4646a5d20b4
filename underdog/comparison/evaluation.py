"""How good a fitted model is on new rows, with intervals, and in which subgroups."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy import stats

from underdog.comparison.intervals import MIN_ROWS, Estimate
from underdog.comparison.names import TITLES
from underdog.comparison.number_evaluator import NumberEvaluator
from underdog.comparison.paired import LEVEL, holm
from underdog.comparison.subgroups import divided
from underdog.inspection.result import Result
from underdog.model import markup
from underdog.model.writing import counted, number_format, shortened, text_table
from underdog.types import Floats, Integers

MOST_NAMED = 3
"""Subgroups in a sentence."""


class MeasuredRows(Protocol):
    """Predictions of rows beside what was observed."""

    @property
    def compared(self) -> str:
        """The measure by which subgroups are compared; it depends little on the base rate."""

    @property
    def shown(self) -> tuple[str, ...]:
        """The measures in a table of subgroups."""

    def __len__(self) -> int: ...

    def take(self, rows: Integers) -> MeasuredRows:
        """Some of the rows."""

    def estimate(self) -> dict[str, Estimate]:
        """All measures with their intervals."""

    def base(self) -> dict[str, float]:
        """What was observed and predicted on average."""

    @property
    def about_base(self) -> str:
        """What `base` is, as a sentence; empty if there is none."""

    def too_few(self) -> str:
        """Why some measures have no interval; empty if there are enough rows."""


@dataclass(frozen=True, eq=False)
class MeasuredNumbers:
    """Numbers of rows, and predictions: (n,), or (n, K) for several quantiles."""

    judge: NumberEvaluator
    y: Floats
    predicted: Floats

    @property
    def compared(self) -> str:
        return self.judge.main if self.judge.main in ("pinball", "deviance") else "mae"

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.compared, "rmse", "mae", "coverage")))

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: Integers) -> MeasuredNumbers:
        return MeasuredNumbers(self.judge, self.y[rows], self.predicted[rows])

    def estimate(self) -> dict[str, Estimate]:
        return self.judge.estimate(self.y, self.predicted)

    def base(self) -> dict[str, float]:
        center = self.judge.center(self.predicted)
        return {"observed": float(np.mean(self.y)), "predicted": float(np.mean(center))}

    @property
    def about_base(self) -> str:
        return "observed, predicted: means."

    def too_few(self) -> str:
        rows = len(self.y)
        return "" if rows >= MIN_ROWS else f"there are only {counted(rows, 'row')}"


@dataclass(frozen=True, eq=False)
class Subgroup:
    """The rows with one level of a column, or in one quartile.

    Attributes
    ----------
    column, level : str
    rows : int
    base : dict
        The share of the positive class and its mean probability, the mean number observed and
        predicted, or the number of queries that can be ranked and the mean grade.
    measures : dict of name to Estimate
    p_value : float
        Of the difference from the other subgroups of this column in `Evaluation.compared`, adjusted
        for the number of subgroups by Holm's method; NaN if it is not known.
    others : float
        The mean of the other subgroups of this column, weighted by their precision.
    """

    column: str
    level: str
    rows: int
    base: dict[str, float]
    measures: dict[str, Estimate]
    p_value: float = math.nan
    others: float = math.nan

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "column": self.column,
            "level": self.level,
            "rows": self.rows,
            **self.base,
            "measures": {name: each.to_dict() for name, each in self.measures.items()},
            "p_value": None if math.isnan(self.p_value) else self.p_value,
        }


class Evaluation(Result):
    """Measures of a model on new rows, with 95% confidence intervals; `evaluate` makes it.

    Attributes
    ----------
    rows : int
    measures : dict of name to Estimate
        `value`, and the interval from `low` to `high`, which are NaN if there is none. Precision,
        recall, F1, average precision and ROC AUC are of the positive class; of more than two
        classes, means over the classes.
    groups : list of Subgroup
        Those of each column of `by`.
    compared : str
        The measure by which subgroups are compared.
    notes : list of str
        Which measures have no interval, and why.
    """

    _see: ClassVar[str] = "text(), statement(), to_dict(), to_frame()"

    def __init__(self, measured: MeasuredRows, by: Mapping[str, Any] | None = None) -> None:
        self.rows = len(measured)
        self.compared = measured.compared
        self.about_base = measured.about_base
        self.measures = measured.estimate()
        self.notes = _why_no_interval(measured, self.measures)
        self._shown = [name for name in measured.shown if name in self.measures]
        self.groups = _compared(list(_groups(measured, by or {})), self.compared)

    def statement(self) -> str:
        """Whether a subgroup differs from the others by more than noise, in a sentence."""
        title, known = TITLES[self.compared], [g for g in self.groups if g.p_value == g.p_value]
        if not known:
            return f"There are too few rows to compare subgroups in {title}."
        far = sorted((g for g in known if g.p_value < LEVEL), key=lambda group: group.p_value)
        if not far:
            return f"No subgroup differs from the others in {title} by more than noise."
        better = _larger_is_better(self.compared)
        worse = [g for g in far if (g.measures[self.compared].value < g.others) == better]
        named = (worse or far)[:MOST_NAMED]
        values = [g.measures[self.compared].value for g in named]
        digits = "," + number_format([*values, *(g.others for g in named)], 3)
        parts = [
            f"{'lower' if value < g.others else 'higher'} for {g.column} = {g.level} "
            f"({value:{digits}}) than for the others ({g.others:{digits}})"
            for g, value in zip(named, values, strict=True)
        ]
        return f"{title[0].upper()}{title[1:]} is {', and '.join(parts)}, by more than noise."

    def columns(self) -> list[str]:
        """The columns by which rows were divided."""
        return list(dict.fromkeys(group.column for group in self.groups))

    def cells(self, column: str) -> list[list[str]]:
        """The table of the subgroups of a column as texts, head first."""
        groups = [group for group in self.groups if group.column == column]
        made = [
            [column, *(shortened(group.level, 24) for group in groups)],
            ["rows", *(f"{group.rows:,}" for group in groups)],
        ]
        for name in groups[0].base:
            each_base = [group.base[name] for group in groups]
            whole = all(isinstance(value, int) for value in each_base)
            digits = ",d" if whole else "," + number_format(each_base, 3)
            title = name.replace("_", " ")
            made.append([title, *(f"{group.base[name]:{digits}}" for group in groups)])
        for name in self._shown:
            each = [group.measures.get(name) for group in groups]
            made.append([TITLES[name], *texts_of_estimates(each)])
        return [list(row) for row in zip(*made, strict=True)]

    def text(self) -> str:
        """The measures, and a table for each column of `by`."""
        rows = [[TITLES[name], *texts_of_estimates([each])] for name, each in self.measures.items()]
        lines = [f"{counted(self.rows, 'row')}; 95% confidence intervals", *text_table(rows, 1)]
        for column in self.columns():
            lines += ["", *text_table(self.cells(column), 1)]
        return "\n".join([*lines, *self._sentences()])

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        found: dict[str, Any] = {
            "rows": self.rows,
            "measures": {name: each.to_dict() for name, each in self.measures.items()},
        }
        if self.groups:
            found["groups"] = [group.to_dict() for group in self.groups]
            found["statement"] = self.statement()
        return found

    def _sentences(self) -> list[str]:
        about = [self.about_base, self.statement()] if self.groups else []
        return ["", *self.notes, *filter(None, about)] if self.notes or about else []

    def _about(self) -> str:
        parts = [counted(self.rows, "row"), counted(len(self.measures), "measure")]
        parts += [counted(len(self.groups), "subgroup")] if self.groups else []
        return ", ".join(parts)

    def _frame_columns(self) -> dict[str, Any]:
        """A line for each measure of all rows and of each subgroup."""
        whole = Subgroup("", "", self.rows, {}, self.measures)
        lines = [
            (group.column, group.level, group.rows, name, *each)
            for group in (whole, *self.groups)
            for name, each in group.measures.items()
        ]
        names = ("column", "level", "rows", "measure", "value", "low", "high")
        return {
            name: list(values) for name, values in zip(names, zip(*lines, strict=True), strict=True)
        }

    def _html_parts(self) -> list[str]:
        rows = [[TITLES[n], *texts_of_estimates([each])] for n, each in self.measures.items()]
        parts = [markup.table([], rows, 1)]
        for column in self.columns():
            head, *body = self.cells(column)
            parts.append(markup.table(head, body, 1))
        return [*parts, *(markup.line(text) for text in self._sentences() if text)]


def texts_of_estimates(each: list[Estimate | None]) -> list[str]:
    """Measures with their intervals, all with the same decimals.

    Examples
    --------
    >>> from underdog.comparison.evaluation import texts_of_estimates
    >>> from underdog.comparison.intervals import Estimate
    >>> texts_of_estimates([Estimate(0.8123, 0.79, 0.83), Estimate(0.5), None])
    ['0.812 (0.790 to 0.830)', '0.500', '-']
    """
    known = [one for one in each if one is not None]
    # A share below 1 has three decimals, too.
    digits = "," + number_format([max(abs(one.value), 0.1) for one in known], 3)
    if all(abs(one.value) <= 1.0 for one in known):
        digits = ".3f"
    return ["-" if one is None else estimate_text(one, digits) for one in each]


def estimate_text(one: Estimate, digits: str) -> str:
    """A measure, and its interval if there is one."""
    if math.isnan(one.value):
        return "-"
    text = f"{one.value:{digits}}"
    return f"{text} ({one.low:{digits}} to {one.high:{digits}})" if one.has_interval else text


def _groups(measured: MeasuredRows, by: Mapping[str, Any]) -> Iterator[Subgroup]:
    for name, values in by.items():
        if len(values) != len(measured):
            raise ValueError(
                f"by: {name!r} has {len(values)} values, but there are {len(measured)} rows: give "
                "one for each row"
            )
        for level, rows in divided(values):
            own = measured.take(rows)
            yield Subgroup(name, level, len(rows), own.base(), own.estimate())


def _compared(groups: list[Subgroup], measure: str) -> list[Subgroup]:
    """With the difference of each subgroup from the others of its column, and its p-value."""
    found: list[tuple[float, float]] = []
    for group in groups:
        rest = [g for g in groups if g.column == group.column and g is not group]
        own = group.measures.get(measure)
        known = [g.measures[measure] for g in rest if measure in g.measures]
        known = [one for one in known if one.has_interval and one.error > 0.0]
        if own is None or not own.has_interval or not known:
            found.append((math.nan, math.nan))
            continue
        weights = np.array([one.error**-2.0 for one in known])
        mean = float(weights @ [one.value for one in known] / weights.sum())
        error = math.sqrt(own.error**2 + 1.0 / weights.sum())
        found.append((mean, 2.0 * float(stats.norm.sf(abs(own.value - mean) / error))))
    adjusted = holm([p_value for _, p_value in found])
    return [
        Subgroup(g.column, g.level, g.rows, g.base, g.measures, p_value, mean)
        for g, (mean, _), p_value in zip(groups, found, adjusted, strict=True)
    ]


def _larger_is_better(measure: str) -> bool:
    return measure in ("roc_auc", "accuracy", "ndcg")


def _why_no_interval(measured: MeasuredRows, measures: dict[str, Estimate]) -> list[str]:
    """A sentence about measures without an interval."""
    without = [TITLES[name] for name, each in measures.items() if not each.has_interval]
    if not without:
        return []
    why = measured.too_few() or "they are the same however the rows are drawn"
    return [f"No interval for {', '.join(without)}: {why}."]
