"""How figures look: sizes, colours, lines and texts."""

from __future__ import annotations

from typing import Any

from underdog.model.writing import shortened

SIZE = (5.0, 4.0)
"""Width and height of a new figure in inches."""
BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "0.45"
"""Colours that everybody can tell apart (Okabe and Ito), and grey."""
HINT = {"color": "0.5", "linewidth": 1.0}
"""How lines look to which others are compared."""


def hint(ax: Any, height: float, label: str, linestyle: str) -> None:
    """A horizontal line; only once where several displays share the axes."""
    if label not in [line.get_label() for line in ax.lines]:
        ax.axhline(height, linestyle=linestyle, label=label, zorder=1.0, **HINT)


def verbatim(text: object) -> str:
    """Text that is drawn as it is written: matplotlib takes what is between dollars as mathematics.

    For all that comes from the user. Shorten it before, so that no escape is cut in two.
    """
    return str(text).replace("$", r"\$")


def label_of(text: object, length: int = 28) -> str:
    """Text of the user as a label: shortened, and drawn as it is written."""
    return verbatim(shortened(text, length))


def of_class(label: object) -> str:
    """The end of "probability of class 'spam'"; nothing where the class is not known."""
    return "" if label is None else f" of class {label_of(repr(label), 24)}"
