"""Reports about numbers: the target, how good the predictions are, residuals by decile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from underdog.cli.measures_table import INTERVALS, NOT_SAVED, beside, candidate_tables
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.tables import table
from underdog.cli.wording import digits_of
from underdog.comparison.measures import ranked_by
from underdog.types import Floats

NO_BETTER_THAN_CONSTANT = (
    "In cross-validation the model is no better than the same prediction for every row. The "
    "columns may say nothing about the target; or try other options, such as --max-depth 1."
)


def about_numbers(y: Floats) -> dict[str, float]:
    """The range and the middle of a target."""
    return {
        "lowest": float(y.min()),
        "mean": float(y.mean()),
        "median": float(np.median(y)),
        "highest": float(y.max()),
    }


def show_numbers(show: Callable[[str], None], name: str, values: dict[str, float]) -> None:
    """The target in a line."""
    lowest, mean, median, highest = (_plain(values[key]) for key in values)
    show(f"{name or 'target'}: from {lowest} to {highest}, mean {mean}, median {median}")


def show_number_result(screen: Screen, summary: dict[str, Any]) -> None:
    """How good a regressor is in cross-validation, compared with the best constant."""
    if "measures" not in summary:
        return
    screen.print(f"{summary['folds']}-fold cross-validation: {INTERVALS}")
    constant = summary["baseline"]
    baselines = {**summary.get("baselines", {}), constant["name"]: constant["measures"]}
    shown = beside({summary["algorithm"]: summary["measures"]}, baselines)
    screen.print(*candidate_tables(shown, screen.width), NOT_SAVED, "")
    screen.print(Paragraph(f"{constant['name']}: {constant['meaning']}."))
    screen.print(Paragraph(ranked_by(summary["measure"])))
    if "beside_baselines" in summary:
        screen.print(Paragraph(summary["beside_baselines"]))
    show_quantiles(screen, summary.get("quantiles_below", []))
    show_deciles(screen, summary["deciles"])
    if "constant_is_as_good" in summary:
        screen.print("", Paragraph(NO_BETTER_THAN_CONSTANT))


def show_residuals(screen: Screen, found: dict[str, Any]) -> None:
    """Where predictions on new rows are too low or too high."""
    show_quantiles(screen, found.get("quantiles_below", []))
    show_deciles(screen, found["deciles"])


def show_quantiles(screen: Screen, below: list[dict[str, float]]) -> None:
    """How many rows are at or below each predicted quantile."""
    if not below:
        return
    rows = [[f"{each['quantile']:g}", f"{each['at_or_below']:.3f}"] for each in below]
    screen.print("\nShare of rows at or below each predicted quantile")
    screen.print(table(["quantile", "share"], rows, texts=()))


def show_deciles(screen: Screen, deciles: list[dict[str, float]]) -> None:
    """Residuals by decile of the prediction."""
    columns = {
        "lowest": "from",
        "highest": "to",
        "rows": "rows",
        "mean_observed": "observed",
        "mean_residual": "residual",
        "median_absolute_residual": "|residual|",
    }
    formats = dict.fromkeys(columns, ",")
    for same in (("lowest", "highest", "mean_observed"), tuple(columns)[4:]):
        formats |= dict.fromkeys(same, digits_of(each[key] for each in deciles for key in same))
    rows = [[f"{each[key]:{formats[key]}}" for key in columns] for each in deciles]
    screen.print("\nResiduals (observed - predicted) by decile of the prediction")
    screen.print("observed, residual: means; |residual|: median")
    screen.print(table(list(columns.values()), rows, texts=()))


def _plain(value: float) -> str:
    """A number as people write it."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    text = f"{value:{digits_of([value], 5)}}"
    return text.rstrip("0") if "." in text and "e" not in text else text
