"""The step functions of the columns of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from underdog.checks import check_integer
from underdog.data import Table
from underdog.data.days import date_name
from underdog.displays.axes import BLUE, GREEN, ORANGE, PINK, SIZE, label_of, verbatim
from underdog.displays.base import LETTER, Display
from underdog.displays.panels import BarsPanel, Curve, NumberPanel, Panel
from underdog.displays.spread import Spread, ends
from underdog.inspection import Shapes, shapes
from underdog.inspection.dependence import curves
from underdog.inspection.parameters import documented
from underdog.inspection.unwrap import unwrap
from underdog.model.shapes import Shape

COLORS, STYLES = (BLUE, ORANGE, GREEN, PINK), ("-", "--", "-.", ":")
"""Of the labels that are drawn."""
ACROSS, TITLE_LENGTH = 3, 25
"""Small pictures side by side, and letters of their titles."""
LONGEST_NAME, LONGEST_LINE = 21, 35
"""Letters of the label of a score, and of a line beside an axis."""
LEGEND_HEIGHT = 0.5
"""Of the names of labels above the pictures, in inches."""


@documented
@dataclass(eq=False, repr=False)
class ShapeDisplay(Display):
    """The step functions of the columns with the largest effect, side by side.

    All panels have the same scale. Columns of numbers are steps, with missing values on the right.
    The levels of a category are bars; of many levels, the most frequent ones in the data are drawn
    (without data, those with the largest effects), and the others are counted. Terms share one
    panel, with a bar each. Up to four labels are drawn, those with the largest effects. Dates (see
    `FrameEncoder`) are shown as dates.

    In a model of trees, columns have no step functions. The curves then show how the mean score of
    the rows of X changes if all of them have the same value in a column (partial dependence).
    Interactions of columns are not shown: see `PairDisplay`.

    Parameters
    ----------
    shapes : Shapes
    max_display : int, default=6
        Number of columns to draw, those with the largest effect first.
    data : Table, optional
        Encoded rows. Their distribution is shown: a histogram below the steps, and the share of
        the rows beside each level or term.

    Attributes
    ----------
    axes_ : list of axes, one for each panel
    figure_ : figure in which it was drawn last

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, ShapeDisplay
    >>> data = load_breast_cancer(as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=20).fit(data.data, data.target)
    >>> display = ShapeDisplay.from_estimator(model, data.data, max_display=3)
    >>> display
    ShapeDisplay(3 of 12 columns)
    >>> [ax.get_title() for ax in display.axes_]
    ['worst concave points', 'worst texture', 'worst perimeter']
    """

    shapes: Shapes
    max_display: int = 6
    data: Table | None = None
    axes_: list[Any] = field(init=False)

    @classmethod
    @documented
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        *,
        max_display: int = 6,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        figure: Any = None,
    ) -> Self:
        """Draw the columns of a model with the largest effect.

        Parameters
        ----------
        estimator
        X : rows as the model takes them, optional
            The axes span nearly all their values, and show how these are distributed. By default
            they span the bins of the training data. A model of trees needs them.
        max_display : int, default=6
        feature_names, label_names
        figure
            See `plot`.
        """
        explained = unwrap(estimator, feature_names, label_names)
        if explained.has_shapes or X is None:
            found = shapes(estimator, feature_names=feature_names, label_names=label_names)
        else:
            found = Shapes(explained, *curves(explained, X))
        data = None if X is None else explained.table(X)
        return cls(found, max_display, data).plot(figure)

    def plot(self, figure: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        figure : matplotlib figure or subfigure, optional
            By default a new one.
        """
        check_integer("max_display", self.max_display, 1)
        chosen = self.shapes.each[: self.max_display]
        if not chosen:
            raise ValueError("the model uses no column: there is nothing to draw")
        curves = self._curves(chosen)
        panels = self._panels(chosen, curves)
        rows = [panels[first : first + ACROSS] for first in range(0, len(panels), ACROSS)]
        columns = [panels[first::ACROSS] for first in range(len(rows[0]))]
        widths = [max(panel.size[0] for panel in column) for column in columns]
        heights = [max(panel.size[1] for panel in row) for row in rows]
        if figure is None:
            legend = LEGEND_HEIGHT if len(self.shapes.explained.labels) > 1 else 0.0
            figure = self._open_figure(
                (max(sum(widths), SIZE[0]), max(sum(heights), SIZE[1] - 1.0) + legend)
            )
        self.figure_, self.axes_ = figure, []
        grid = figure.add_gridspec(len(rows), len(columns), height_ratios=heights)
        scale = _scale(chosen, curves)
        for number, row in enumerate(rows):
            for place, panel in enumerate(row):
                ax = figure.add_subplot(grid[number, place])
                panel.draw(ax, curves, scale)
                ax.set_title(label_of(panel.title, TITLE_LENGTH), fontsize="medium")
                self.axes_.append(ax)
            self._name_scale(row, self.axes_[-len(row) :])
        if len(self.shapes.explained.labels) > 1:
            self._draw_legend(curves)
        return self

    def _summary(self) -> str:
        count = len(self.shapes)
        return f"{min(self.max_display, count)} of {count} columns"

    def _curves(self, chosen: list[Shape]) -> list[Curve]:
        """The labels that are moved most, in their own order."""
        span = np.max([shape.span for shape in chosen], axis=0)
        labels = sorted(np.argsort(-span, kind="stable")[: len(COLORS)].tolist())
        names = self.shapes.explained.labels
        return [
            Curve(label, label_of(names[label]), color, linestyle)
            for label, color, linestyle in zip(labels, COLORS, STYLES, strict=False)
        ]

    def _panels(self, chosen: list[Shape], curves: list[Curve]) -> list[Panel]:
        """One for each column, but a single one for all terms."""
        data, schema = self.data, self.shapes.explained.schema
        result: list[Panel] = []
        terms: list[tuple[Shape, Spread | None]] = []
        for shape in chosen:
            spread = None if data is None else Spread.from_table(data, shape, schema)
            if shape.kind == "presence":
                terms.append((shape, spread))
            elif shape.kind == "category":
                result.append(BarsPanel.of_category(shape, spread, curves))
            else:
                limits = ends(shape, schema, spread)
                result.append(NumberPanel(shape, limits, spread, date_name(shape.name)))
        if terms:
            result.append(BarsPanel.of_terms(terms, len(curves)))
        return result

    def _name_scale(self, row: list[Panel], axes: list[Any]) -> None:
        """What is added to which score: below all bars, and once on the left."""
        explained = self.shapes.explained
        score = "prediction" if explained.is_regressor else "score"
        if len(explained.labels) == 1:
            score = explained.score_name(0, LONGEST_NAME)
        how = "added to the" if explained.has_shapes else "change of the mean"
        between = "\n" if len(how) + len(score) > LONGEST_LINE else " "
        what = verbatim(f"{how}{between}{score}")
        for panel, ax in zip(row, axes, strict=True):
            if isinstance(panel, BarsPanel):
                ax.set_xlabel(what, fontsize="small")
        steps = [ax for panel, ax in zip(row, axes, strict=True) if isinstance(panel, NumberPanel)]
        for ax in steps[:1]:
            ax.set_ylabel(what, fontsize="small")

    def _draw_legend(self, curves: list[Curve]) -> None:
        """As many names side by side as the figure has room for."""
        figure, count = self.figure_, len(self.shapes.explained.labels)
        longest = max(len(curve.name) for curve in curves)
        fit = int(figure.bbox.width / figure.dpi / (0.6 + 1.3 * LETTER * longest))
        handles = self.axes_[0].get_legend_handles_labels()
        title = (
            f"the {len(curves)} of {count} labels that move most" if count > len(curves) else None
        )
        figure.legend(
            *handles, loc="outside upper center", ncols=max(min(fit, len(curves)), 1), title=title
        )


def _scale(chosen: list[Shape], curves: list[Curve]) -> tuple[float, float]:
    """From the lowest to the highest value of all columns, with some room and with 0."""
    labels = [curve.label for curve in curves]
    tables = [shape.table if shape.has_missing else shape.values for shape in chosen]
    values = np.concatenate([table[:, labels].ravel() for table in tables] + [[0.0]])
    room = 0.06 * float(np.ptp(values))
    return float(values.min()) - room, float(values.max()) + room
