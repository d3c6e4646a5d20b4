"""The effect of each column of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from underdog.inspection.parameters import documented
from underdog.inspection.result import BASELINE, Result
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import by_label, number
from underdog.model import markup, strongest_labels
from underdog.model.shapes import Shape
from underdog.model.writing import counted, score_format, shortened
from underdog.types import Floats

SHOWN_COLUMNS = 10
"""Columns on the page in a notebook."""


@dataclass(frozen=True, eq=False, repr=False)
class Shapes(Result):
    """The step functions of the columns that have an effect, the largest effect first.

    The effect of a column is the difference between the largest and the smallest value that it can
    add to a score (for several scores, the largest such difference).

    Attributes
    ----------
    explained : the model and the booster inside
    start : (K,)
        The baseline of the scores. Baseline and contributions sum to the score exactly.
    each : list of Shape
    """

    explained: UnwrappedModel
    start: Floats
    each: list[Shape]

    def __len__(self) -> int:
        return len(self.each)

    def __iter__(self) -> Iterator[Shape]:
        return iter(self.each)

    def _about(self) -> str:
        strongest = f", {shortened(self.each[0].name)!r} is the strongest" if self.each else ""
        columns = counted(len(self), "column")
        return f"{columns} of {type(self.explained.booster).__name__}{strongest}"

    def text(self, max_display: int | None = 20, *, by_label: bool = False) -> str:
        """The text of the booster's `describe(merged=True)`, and how its scores are used."""
        return self.explained.describe(max_display, True, by_label)

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON, with every number as it is in the model."""
        explained = self.explained
        return {
            "model": type(explained.booster).__name__,
            "labels": explained.labels,
            "baseline": by_label(explained.labels, self.start),
            "columns": [_as_dict(shape, explained.labels) for shape in self.each],
            "notes": list(explained.notes),
        }

    def _frame_columns(self) -> dict[str, Any]:
        """A row for each label and each interval or level of a column, and the baselines.

        An interval has the values that are greater than `above` and not greater than `up_to`.
        """
        labels = self.explained.labels
        rows: list[tuple[Any, ...]] = []
        for k, label in enumerate(labels):
            rows.append(
                (BASELINE, BASELINE, label, None, None, None, BASELINE, float(self.start[k]))
            )
        for shape in self.each:
            for place, values in enumerate(shape.table):
                where = (*shape.bounds(place), shape.level(place), shape.words(place))
                rows += [
                    (shape.name, shape.kind, label, *where, float(values[k]))
                    for k, label in enumerate(labels)
                ]
        names = ("name", "kind", "label", "above", "up_to", "level", "is", "adds")
        return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    def _html_parts(self) -> Sequence[str]:
        labels, shown = self.explained.labels, self.each[:SHOWN_COLUMNS]
        spec = score_format([*self.start, *(v for s in shown for v in s.table.ravel().tolist())])
        several = len(labels) > 1
        rows = [
            [BASELINE, *([label] if several else []), "", f"{self.start[k]:{spec}}"]
            for k, label in enumerate(labels)
        ]
        for shape in shown:
            first = shape.title
            for k in strongest_labels(shape.span):
                label = labels[k]
                for words, value in shape.pieces(k):
                    name = [first, *([label] if several else [])]
                    rows.append([*name, words, f"{value:{spec}}"])
                    first = label = ""
        noun = self.explained.booster._labels.noun
        head = ["column", *([noun] if several else []), "value", "adds"]
        more = markup.more(len(self), len(shown), "text(None) prints all, to_frame() has all")
        return [
            markup.table(head, rows, len(head) - 1),
            more,
            *map(markup.line, self.explained.notes),
        ]


def _as_dict(shape: Shape, labels: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "column": shape.column,
        "name": shape.name,
        "kind": shape.kind,
        "strength": shape.strength,
    }
    if shape.kind == "category":
        result["levels"] = [str(level) for level in shape.levels]
    else:
        result["cuts"] = [number(cut) for cut in shape.cuts.tolist()]
    columns = dict(zip(labels, shape.values.T.tolist(), strict=True))
    return {
        **result,
        "values": columns,
        "missing": by_label(labels, shape.missing),
        "has_missing": shape.has_missing,
    }


@documented
def shapes(
    model: Any,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> Shapes:
    """The step function of every column that the model uses.

    All its rules must be about one column each: stumps, or the columns of a linear model that has
    all the weight of a blend.

    Parameters
    ----------
    model, feature_names, label_names

    Returns
    -------
    Shapes

    Examples
    --------
    >>> import pandas as pd
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.inspection import shapes
    >>> X = pd.DataFrame({"age": [20, 30, 40, 50, 60, 70], "town": list("xyxyxy")})
    >>> model = AdaBoostClassifier(n_estimators=5).fit(X, ["no", "yes", "yes", "no", "no", "no"])
    >>> first = shapes(model).each[0]
    >>> first.name, first.cuts.tolist(), first.values[:, 0].round(2).tolist()
    ('age', [25.0, 45.0], [-0.68, 0.83, -1.44])
    """
    explained = unwrap(model, feature_names, label_names).by_one_column()
    start, found = explained.shapes()
    return Shapes(explained, start, sorted(found, key=lambda shape: -shape.strength))
