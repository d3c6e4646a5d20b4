"""Pictures that are the same byte for byte when they show the same."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update(
    {"svg.hashsalt": "underdog", "axes.spines.top": False, "axes.spines.right": False}
)

from matplotlib import pyplot  # noqa: E402


def figure(rows: int, columns: int, width: float, height: float) -> tuple[Any, Any]:
    """A figure and its axes, as a table."""
    return pyplot.subplots(
        rows, columns, figsize=(width, height), squeeze=False, layout="constrained"
    )


def save(picture: Any, path: Path) -> None:
    """As SVG, without a date."""
    picture.savefig(path, metadata={"Date": None})
    pyplot.close(picture)
