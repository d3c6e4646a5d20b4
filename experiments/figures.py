"""Pictures that are the same byte for byte when they show the same."""

import io
from pathlib import Path
from typing import Any

import matplotlib
from PIL import Image

matplotlib.use("agg")
matplotlib.rcParams.update({"axes.spines.top": False, "axes.spines.right": False})

from matplotlib import pyplot  # noqa: E402

DPI = 100
COLOURS = 128
"""Dots and colours enough to read every number, and few enough for less than 100 kB a picture."""


def figure(rows: int, columns: int, width: float, height: float) -> tuple[Any, Any]:
    """A figure and its axes, as a table."""
    return pyplot.subplots(
        rows, columns, figsize=(width, height), squeeze=False, layout="constrained"
    )


def save(picture: Any, path: Path) -> None:
    """As a small PNG, without the version of matplotlib in it."""
    drawn = io.BytesIO()
    picture.savefig(drawn, format="png", dpi=DPI)
    few = Image.open(drawn).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    pyplot.close(picture)
