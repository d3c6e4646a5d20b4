"""The small pictures of a ShapeDisplay: a column of numbers, the levels of a category, or terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, cast

import numpy as np

from underdog.displays.axes import BLUE, HINT, ORANGE, label_of
from underdog.displays.base import LETTER
from underdog.displays.spread import Spread
from underdog.model.shapes import Shape
from underdog.types import Floats

MAX_LEVELS, MAX_BARS = 12, 24
"""Levels of a category that are drawn, and bars: one for each level and label."""
NAME_LENGTH = 22
"""Letters of a level or a term."""
WIDTH, HEIGHT, MARGIN = 2.3, 2.4, 0.7
"""Of a picture without the names of bars, and of what is above and below bars, in inches."""
DATA_HEIGHT, DATA_COLOR = 0.16, "0.85"
"""How much of the height a histogram has, and its colour."""


class Curve(NamedTuple):
    """One of the labels that are drawn."""

    label: int
    name: str
    color: str
    linestyle: str


@dataclass(frozen=True, eq=False)
class NumberPanel:
    """The step function of a column of numbers.

    Attributes
    ----------
    shape : Shape
    limits : from where to where values are shown; what is missing is on the right of it
    spread : the data below the curve, if there are any
    date : the name of the date, if the values are its days since 1970
    """

    shape: Shape
    limits: tuple[float, float]
    spread: Spread | None = None
    date: str | None = None

    size = WIDTH + 0.6, HEIGHT

    @property
    def title(self) -> str:
        """The name of the column, or of the date."""
        return self.shape.name if self.date is None else self.date

    def draw(self, ax: Any, curves: Sequence[Curve], scale: tuple[float, float]) -> None:
        """Draw it into these axes."""
        shape, (low, high) = self.shape, self.limits
        beside = np.array([high, high])
        if shape.has_missing:
            beside = high + np.array([0.06, 0.2]) * (high - low)
        if self.spread is not None:
            self._draw_data(ax, self.spread, beside)
            scale = scale[0] - 1.2 * DATA_HEIGHT * (scale[1] - scale[0]), scale[1]
        edges = np.clip(np.concatenate([[-np.inf], shape.cuts, [np.inf]]), low, high)
        for label, name, color, linestyle in curves:
            style = {"color": color, "linestyle": linestyle, "linewidth": 1.8}
            ax.stairs(shape.values[:, label], edges, baseline=None, label=name, **style)
            if shape.has_missing:
                ax.plot(beside, np.full(2, shape.missing[label]), **style)
        ax.axhline(0.0, zorder=1.0, **HINT)
        ax.set(xlim=(low, beside[1]), ylim=scale)
        self._set_ticks(ax)
        if shape.has_missing:
            missing = float(shape.missing[[curve.label for curve in curves]].mean())
            self._set_missing_apart(ax, beside, missing > (scale[0] + scale[1]) / 2)

    def _draw_data(self, ax: Any, spread: Spread, beside: Floats) -> None:
        """A histogram of the values, and a bar as high as it should be for the missing ones."""
        counts, edges = np.histogram(spread.numbers, 30, self.limits)
        heights = DATA_HEIGHT * counts / max(counts.max(), 1)
        # Heights are shares of the height of the axes, whatever their scale.
        place = {"transform": ax.get_xaxis_transform(), "color": DATA_COLOR, "zorder": 0.5}
        ax.stairs(heights, edges, fill=True, **place)
        if self.shape.has_missing:
            height = DATA_HEIGHT * min(spread.n_missing / max(counts.max(), 1), 1.0)
            ax.stairs([height], beside, fill=True, **place)

    def _set_ticks(self, ax: Any) -> None:
        import matplotlib.dates
        from matplotlib import ticker

        axis, dates = ax.xaxis, cast(Any, matplotlib.dates)  # which has no types
        if self.date is not None:
            locator = dates.AutoDateLocator(minticks=2, maxticks=4)
            axis.set_major_locator(locator)
            axis.set_major_formatter(dates.ConciseDateFormatter(locator))
            return
        axis.set_major_locator(ticker.MaxNLocator(4))
        if max(map(abs, self.limits)) >= 1e4:
            axis.set_major_formatter(ticker.EngFormatter(sep=""))

    def _set_missing_apart(self, ax: Any, beside: Floats, is_high: bool) -> None:
        """A line before what is missing, and its name where there is room for it."""
        low, high = self.limits
        ticks = ax.get_xticks()
        ax.set_xticks(ticks[(low <= ticks) & (ticks <= high)])
        ax.axvline((high + beside[0]) / 2, linestyle=":", zorder=1.0, **HINT)
        ax.text(
            beside.mean(), DATA_HEIGHT + 0.03 if is_high else 0.97, "missing", rotation=90,
            transform=ax.get_xaxis_transform(), ha="center", va="bottom" if is_high else "top",
            fontsize="x-small",
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class BarsPanel:
    """Levels of a category, or terms that are present.

    Attributes
    ----------
    title : str
    names : of the bars
    values : (bars, K) what they add to the score of each label
    shares : of the rows in which they are, if that is known
    left_out : number of levels that are not drawn
    """

    title: str
    names: Sequence[str]
    values: Floats
    shares: Floats | None
    left_out: int = 0
    n_labels: int = 1

    @classmethod
    def of_category(cls, shape: Shape, spread: Spread | None, curves: Sequence[Curve]) -> Self:
        """Levels in the order of what they add, and what is missing.

        If there are too many, the most frequent ones are kept, or without rows the strongest.
        """
        names, strength = [str(level) for level in shape.levels], np.abs(shape.table).max(axis=1)
        names.append("(missing)")
        first = strength if spread is None else spread.shares
        first = np.append(first[:-1], np.inf if shape.has_missing else -1.0)
        count = len(names) if shape.has_missing else len(names) - 1
        most = min(MAX_LEVELS, MAX_BARS // len(curves))
        # Of levels that are as frequent, the strongest.
        order = np.lexsort([-strength, -first])[: min(count, most)]
        order = order[np.argsort(-shape.table[order, curves[0].label], kind="stable")]
        shares = None if spread is None else spread.shares[order]
        return cls(
            shape.name,
            [names[place] for place in order],
            shape.table[order],
            shares,
            count - len(order),
            len(curves),
        )

    @classmethod
    def of_terms(cls, terms: Sequence[tuple[Shape, Spread | None]], n_labels: int) -> Self:
        """Terms in the order in which they are given."""
        shares = [1.0 - spread.shares[0] for _, spread in terms if spread is not None]
        return cls(
            "terms that are present",
            [shape.name for shape, _ in terms],
            np.array([shape.values[-1] for shape, _ in terms]),
            np.array(shares) if shares else None,
            n_labels=n_labels,
        )

    @property
    def labels(self) -> list[str]:
        """What is written beside the bars, the last one perhaps without a bar."""
        result = [label_of(name, NAME_LENGTH) for name in self.names]
        if self.shares is not None:
            result = [
                f"{name} ({_percent(s)})" for name, s in zip(result, self.shares, strict=True)
            ]
        if self.left_out:
            rest = f"and {self.left_out} more level{'s' if self.left_out > 1 else ''}"
            if self.shares is not None:
                rest += f" ({_percent(max(1.0 - float(self.shares.sum()), 0.0))})"
            result.append(rest)
        return result

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches in which all can be read."""
        labels = self.labels
        each = 0.2 if self.n_labels == 1 else 0.07 + 0.09 * self.n_labels
        return WIDTH + LETTER * max(map(len, labels)), max(MARGIN + each * len(labels), HEIGHT)

    def draw(self, ax: Any, curves: Sequence[Curve], scale: tuple[float, float]) -> None:
        """Draw it into these axes."""
        labels = self.labels
        places = np.arange(len(self.names))
        height = 0.8 * min(len(labels) / 4, 1.0) / len(curves)  # of few bars not all there is
        for number, (label, name, color, _) in enumerate(curves):
            widths = self.values[:, label]
            colors: Any = color
            if len(curves) == 1:
                colors = np.where(widths > 0, BLUE, ORANGE)
            middle = places + (number - (len(curves) - 1) / 2) * height
            ax.barh(middle, widths, height, color=colors, label=name)
        ax.set_yticks(np.arange(len(labels)), labels, fontsize="small")
        ax.set(xlim=scale, ylim=(len(labels) - 0.5, -0.5))
        ax.axvline(0.0, zorder=1.0, **HINT)


Panel = NumberPanel | BarsPanel


def _percent(share: float) -> str:
    return "<1%" if 0.0 < share < 0.005 else f"{share:.0%}"
