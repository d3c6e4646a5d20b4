"""What displays share: where they are drawn, curves, bars, and a repr that fits into a line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from underdog.checks import import_extra
from underdog.displays.axes import HINT, SIZE, label_of, verbatim
from underdog.inspection.parameters import documented
from underdog.types import Floats

LETTER = 0.07
"""About the width of a small letter in inches."""
BARS_WIDTH, BAR_HEIGHT, BARS_MARGIN = 3.6, 0.27, 1.3
"""Room for bars beside their names, for each of them, and for the texts above and below."""


class Display(ABC):
    """A plot, drawn by matplotlib."""

    figure_: Any

    @abstractmethod
    def _summary(self) -> str:
        """What is shown, in a few words."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._summary()})"

    def _open_figure(self, size: tuple[float, float]) -> Any:
        """A new figure; says so where there is no matplotlib."""
        import_extra("matplotlib", "plot", f"{type(self).__name__}.plot")
        import matplotlib.pyplot as plt

        return plt.figure(figsize=size, layout="constrained")


class AxesDisplay(Display):
    """A plot in one pair of axes."""

    ax_: Any

    def _open(self, ax: Any, size: tuple[float, float] = SIZE) -> Any:
        """These axes, or those of a new figure."""
        self.ax_ = self._open_figure(size).add_subplot() if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_


class CurveDisplay(AxesDisplay):
    """A curve with a name, of which several can share the axes."""

    name: str | None
    line_: Any
    _legend = "best"

    @documented
    def plot(self, ax: Any = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw it.

        Parameters
        ----------
        ax, name
        **kwargs : how the curve looks, such as color or linestyle
        """
        self._draw(self._open(ax), self.name if name is None else name, kwargs)
        self.ax_.legend(loc=self._legend, fontsize="small")
        return self

    @abstractmethod
    def _draw(self, ax: Any, name: str | None, style: dict[str, Any]) -> None:
        """Draw the curve and all that belongs to it."""


def name_of(estimator: Any, name: str | None) -> str:
    """The name given, or that of the estimator's class."""
    return type(estimator).__name__ if name is None else name


def with_name(name: str | None, about: str) -> str:
    """What the legend says of a curve: its name, if it has one, and the number that matters."""
    return about if name is None else verbatim(f"{name} ({about})")


class Bars(NamedTuple):
    """Horizontal bars, from the top to the bottom."""

    names: Sequence[str]
    widths: Sequence[float]
    colors: Sequence[str] | str
    starts: Floats | float = 0.0
    form: str = ".3g"
    """How the width is written at the end of a bar."""
    name_length: int = 40
    zero: float = 0.0
    """Where a line shows from where bars go to the left and to the right."""

    @property
    def labels(self) -> list[str]:
        """The names as they are drawn."""
        return [label_of(name, self.name_length) for name in self.names]

    @property
    def size(self) -> tuple[float, float]:
        """Of a figure in which all of it can be read."""
        letters = max(map(len, self.labels), default=0)
        return BARS_WIDTH + LETTER * letters, BARS_MARGIN + BAR_HEIGHT * len(self.names)

    def limits(self, others: Sequence[float]) -> tuple[float, float]:
        """What must be seen, and room for the widths that are written at the ends of bars."""
        widths = np.asarray(self.widths)
        seen = np.concatenate([self.starts + widths, [self.zero], others])
        low, high = float(seen.min()), float(seen.max())
        room = (high - low) or 1.0
        return low - room * (0.22 if widths.min(initial=0.0) < 0.0 else 0.02), high + 0.22 * room


def largest(
    values: Floats, order: Sequence[int], name: Callable[[int], str], max_display: int | None
) -> tuple[list[str], list[float]]:
    """Names and values of the first ones in this order; all others are one, their sum."""
    count = len(order) if max_display is None else max_display
    shown, others = order[:count], order[count:]
    names, widths = [name(place) for place in shown], values[shown].tolist()
    if others:
        names.append(f"{len(others)} more")
        widths.append(float(values[others].sum()))
    return names, widths


class BarsDisplay(AxesDisplay):
    """Horizontal bars with their names on the left and their widths at their ends."""

    bars_: Any

    @documented
    def plot(self, ax: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax
        """
        bars = self._bars()
        ax = self._open(ax, bars.size)
        places = np.arange(len(bars.names))
        self.bars_ = ax.barh(places, bars.widths, 0.7, left=bars.starts, color=bars.colors)
        texts = [format(width, bars.form) for width in bars.widths]
        ax.bar_label(self.bars_, texts, padding=3, fontsize="small")
        ax.set_yticks(places, bars.labels, fontsize="small")
        ax.set_ylim(len(places) - 0.4, -0.6)
        ax.axvline(bars.zero, zorder=1.0, **HINT)
        ax.set_xlim(bars.limits(self._compare(ax)))
        return self

    @abstractmethod
    def _bars(self) -> Bars:
        """What there is to draw."""

    @abstractmethod
    def _compare(self, ax: Any) -> Sequence[float]:
        """Write what the bars are and draw the lines to compare with, and say where these are."""
