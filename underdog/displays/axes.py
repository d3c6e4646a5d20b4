"""What all pictures share: where they are drawn."""

from __future__ import annotations

from typing import Any

from sklearn.utils._optional_dependencies import check_matplotlib_support

SIZE = (5.0, 4.0)
"""Width and height of a new figure in inches."""
HINT = {"color": "0.5", "linewidth": 1.0}
"""How lines look to which others are compared."""


def open_axes(display: Any, ax: Any) -> Any:
    """These axes, or those of a new figure; says so where there is no matplotlib."""
    check_matplotlib_support(f"{type(display).__name__}.plot")
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=SIZE, layout="constrained")[1]


def hint(ax: Any, height: float, label: str, linestyle: str) -> None:
    """A horizontal line; only once where several displays share the axes."""
    if label not in [line.get_label() for line in ax.lines]:
        ax.axhline(height, linestyle=linestyle, label=label, zorder=1.0, **HINT)


def verbatim(text: object) -> str:
    """Text that is drawn as it is written: matplotlib takes what is between dollars as mathematics.

    For all that comes from the user. Shorten it before, so that no escape is cut in two.
    """
    return str(text).replace("$", r"\$")


def shortened(text: str, most: int = 28) -> str:
    """Text that fits beside a picture, without its middle: the end is often what matters."""
    tail = most // 3
    return text if len(text) <= most else f"{text[: most - 3 - tail]}...{text[-tail:]}"
