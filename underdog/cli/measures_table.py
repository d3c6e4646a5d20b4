"""Measures of one model or several, as tables."""

from __future__ import annotations

import math
from typing import Any

from underdog.cli.plan import CrossValidation
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.tables import stacked, table
from underdog.cli.wording import format_of
from underdog.comparison.evaluation import Evaluation, estimate_text
from underdog.comparison.names import TITLES

IN_PARENTHESES = "95% confidence intervals in parentheses"
INTERVALS = "mean ± half-width of the 95% confidence interval"
NOT_SAVED = "* a baseline, measured on the same folds and not saved"


def show_measures(screen: Screen, measures: dict[str, Any]) -> None:
    """One line for each measure."""
    screen.print(table(["", ""], [_line(name, [values]) for name, values in measures.items()]))


def show_evaluation(screen: Screen, found: Evaluation) -> None:
    """One line for each measure, with its interval; then the subgroups."""
    screen.print(IN_PARENTHESES)
    rows = []
    for name, each in found.measures.items():
        rows.append([TITLES[name], estimate_text(each, format_of(name, [each.value]))])
    screen.print(table(["", ""], rows))
    screen.print(*map(Paragraph, found.notes))


def show_groups(screen: Screen, found: Evaluation) -> None:
    """The subgroups of each column, and whether one of them differs."""
    for column in found.columns():
        (_, *head), *rows = found.cells(column)
        first, *more = stacked(["", *head], rows, screen.width)
        screen.print(f"\nBy {column}", first)
        for block in more:
            screen.print("", block)
    if found.groups:
        about = [each for each in (found.about_base, found.statement()) if each]
        screen.print("", *map(Paragraph, about))


def evaluation_dict(found: Evaluation) -> dict[str, Any]:
    """The measures, their intervals and the subgroups, as plain values for JSON."""
    made: dict[str, Any] = {
        "rows": found.rows,
        "measures": {name: each.value for name, each in found.measures.items()},
        "intervals": {
            name: [each.low, each.high] if each.has_interval else None
            for name, each in found.measures.items()
        },
    }
    if found.notes:
        made["notes"] = found.notes
    if found.groups:
        made["groups"] = [group.to_dict() for group in found.groups]
        made["statement"] = found.statement()
    return made


def beside(model: dict[str, Any], baselines: dict[str, Any]) -> dict[str, Any]:
    """Measures of a model and of baselines, which are marked."""
    return model | {f"{name}*": measures for name, measures in baselines.items()}


def candidate_tables(candidates: dict[str, dict[str, Any]], width: int) -> list[Any]:
    """The measures of several models."""
    names = [name for name in TITLES if any(name in each for each in candidates.values())]
    rows = [_line(name, [values.get(name) for values in candidates.values()]) for name in names]
    return list(stacked(["", *candidates], rows, width))


def _line(name: str, each: list[Any]) -> list[str]:
    """A measure and its values, all with the same decimals."""
    pairs = [_pair(values) for values in each]
    digits = format_of(name, [mean for mean, _ in pairs])
    return [TITLES[name], *(_rounded(*pair, digits) for pair in pairs)]


def with_intervals(result: CrossValidation) -> dict[str, Any]:
    """Measures with their intervals, as plain values."""
    return {
        name: {"mean": mean, "half_interval": None if math.isnan(half) else half}
        for name, (mean, half) in result.measures.items()
    }


def _pair(values: Any) -> tuple[float, float | None]:
    if values is None:
        return math.nan, None
    return (values["mean"], values["half_interval"]) if isinstance(values, dict) else (values, None)


def _rounded(mean: float, half: float | None, digits: str) -> str:
    if math.isnan(mean):
        return "-"
    return f"{mean:{digits}}" if half is None else f"{mean:{digits}} ± {half:{digits}}"
