"""What a model says about its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from sklearn.utils._optional_dependencies import check_matplotlib_support

from underdog.checks import check_integer
from underdog.displays.axes import HINT, SIZE, shortened, verbatim
from underdog.inspection import Shapes, shapes
from underdog.model.shapes import Shape
from underdog.types import Floats

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
"""For the eyes of everybody (Okabe and Ito)."""
STYLES = ("-", "--", "-.", ":")
MAX_LABELS = len(COLORS)
MAX_LEVELS = 12
"""Levels of a category that are drawn; the strongest."""
PANEL = (3.2, 2.6)
"""Width and height of the picture of one column in inches."""
ACROSS = 3
"""Small pictures side by side."""


@dataclass(eq=False)
class ShapeDisplay:
    """The step functions of the strongest columns, in small pictures side by side.

    All of them have the same scale: what is high moves the score. Numbers are steps, with what is
    missing on the right; the levels of a category are bars; words that are present or not are the
    bars of a single picture. Up to four labels are drawn, the ones that are moved most.

    Parameters
    ----------
    shapes : Shapes
    max_display : int, default=6
        How many columns to draw, the strongest first.

    Attributes
    ----------
    axes_ : list of the small pictures
    figure_ : where they were drawn last

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> data = load_breast_cancer(as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=20).fit(data.data, data.target)
    >>> display = ShapeDisplay.from_estimator(model, max_display=3)
    >>> [ax.get_xlabel() for ax in display.axes_]
    ['worst concave points', 'worst texture', 'worst perimeter']
    """

    shapes: Shapes
    max_display: int = 6
    axes_: list[Any] = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        max_display: int = 6,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        figure: Any = None,
    ) -> Self:
        """Draw the strongest columns of a model.

        Parameters
        ----------
        estimator : fitted booster, or a pipeline, search or decider with one inside
        max_display : int, default=6
        feature_names, label_names
            See `underdog.inspection.shapes`.
        figure
            See `plot`.
        """
        found = shapes(estimator, feature_names=feature_names, label_names=label_names)
        return cls(found, max_display).plot(figure)

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
        words = [shape for shape in chosen if shape.kind == "presence"]
        panels = [[shape] for shape in chosen if shape.kind != "presence"]
        panels += [words] if words else []
        rows, columns = -(-len(panels) // ACROSS), min(len(panels), ACROSS)
        self.figure_ = figure = _open_figure(self, figure, rows, columns)
        labels = self._labels(chosen)
        scale, what = self._scale(chosen, labels), self._what()
        self.axes_ = []
        named_row = -1  # the scale is named once in each row
        for number, panel in enumerate(panels):
            ax = figure.add_subplot(rows, columns, number + 1)
            self.axes_.append(ax)
            if panel[0].kind != "number":
                self._draw_bars(ax, *_bars(panel, labels[0]), labels)
                ax.set_title(_title(panel), fontsize="medium")
                ax.set_xlim(scale)
                ax.set_xlabel(what, fontsize="small")
                continue
            self._draw_steps(ax, panel[0], labels)
            ax.set(ylim=scale, xlabel=verbatim(shortened(panel[0].name)))
            if number // ACROSS > named_row:
                ax.set_ylabel(what, fontsize="small")
                named_row = number // ACROSS
        if len(self.shapes.explained.labels) > 1:
            handles = self.axes_[0].get_legend_handles_labels()
            figure.legend(*handles, loc="outside upper center", ncols=len(labels))
        return self

    def _what(self) -> str:
        names = self.shapes.explained.labels
        of = f" for {names[0]!r}" if len(names) == 1 else ""
        return verbatim(f"added to the score{of}")

    def _scale(self, chosen: list[Shape], labels: list[int]) -> tuple[float, float]:
        """From the lowest to the highest value, and some room."""
        tables = [s.table if s.has_missing else s.values for s in chosen]
        values = np.concatenate([table[:, labels].ravel() for table in tables] + [[0.0]])
        room = 0.06 * float(np.ptp(values))
        return float(values.min()) - room, float(values.max()) + room

    def _labels(self, chosen: list[Shape]) -> list[int]:
        """The labels that are moved most, in their own order."""
        span = np.max([shape.span for shape in chosen], axis=0)
        max_display: list[int] = np.argsort(-span, kind="stable")[:MAX_LABELS].tolist()
        return sorted(max_display)

    def _draw_steps(self, ax: Any, shape: Shape, labels: list[int]) -> None:
        cuts = shape.cuts[np.isfinite(shape.cuts)]
        low, high = (cuts[0], cuts[-1]) if len(cuts) else (0.0, 0.0)
        room = 0.15 * (high - low) or max(abs(low) * 0.15, 0.5)
        edges = np.clip(np.concatenate([[-np.inf], shape.cuts, [np.inf]]), low - room, high + room)
        apart = np.array([high + 1.4 * room, high + 2.2 * room])
        for j, k in enumerate(labels):
            style = {"color": COLORS[j], "linestyle": STYLES[j], "linewidth": 1.8}
            name = verbatim(self.shapes.explained.labels[k])
            ax.stairs(shape.values[:, k], edges, baseline=None, label=name, **style)
            if shape.has_missing:
                ax.plot(apart, np.full(2, shape.missing[k]), **style)
        if shape.has_missing:
            ax.axvline(high + 1.2 * room, linestyle=":", zorder=1.0, **HINT)
            ax.text(
                apart.mean(), 0.03, "missing", transform=ax.get_xaxis_transform(), rotation=90,
                ha="center", va="bottom", fontsize="x-small",
            )  # fmt: skip
        ax.axhline(0.0, zorder=1.0, **HINT)

    def _draw_bars(self, ax: Any, names: list[str], table: Floats, labels: list[int]) -> None:
        height = 0.8 / len(labels)
        places = np.arange(len(names))
        for j, k in enumerate(labels):
            widths = table[:, k]
            color: Any = COLORS[j]
            if len(labels) == 1:
                color = np.where(widths > 0, COLORS[0], COLORS[1])
            ax.barh(
                places + (j - (len(labels) - 1) / 2) * height, widths, height, color=color,
                label=verbatim(self.shapes.explained.labels[k]),
            )  # fmt: skip
        ax.set_yticks(places, [verbatim(shortened(name)) for name in names], fontsize="small")
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.axvline(0.0, zorder=1.0, **HINT)


def _bars(panel: list[Shape], label: int) -> tuple[list[str], Floats]:
    """(names, values by label): of words, or of the levels of a category."""
    first = panel[0]
    if first.kind == "presence":
        return [shape.name for shape in panel], np.array([shape.values[-1] for shape in panel])
    names, table = [str(level) for level in first.levels], first.values
    if first.has_missing:
        names, table = [*names, "(missing)"], first.table
    order = np.argsort(-np.abs(table).max(axis=1), kind="stable")[:MAX_LEVELS]
    order = order[np.argsort(-table[order, label], kind="stable")]
    return [names[place] for place in order], table[order]


def _title(panel: list[Shape]) -> str:
    words = panel[0].kind == "presence"
    return "terms that are present" if words else verbatim(shortened(panel[0].name))


def _open_figure(display: Any, figure: Any, rows: int, columns: int) -> Any:
    check_matplotlib_support(f"{type(display).__name__}.plot")
    if figure is not None:
        return figure
    import matplotlib.pyplot as plt

    size = SIZE if rows * columns == 1 else (PANEL[0] * columns, PANEL[1] * rows)
    return plt.figure(figsize=size, layout="constrained")
