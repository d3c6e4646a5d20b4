"""A comparison for people and for programs."""

from __future__ import annotations

import math
from typing import Any

from underdog.cli.screen import Paragraph
from underdog.cli.tables import stacked
from underdog.comparison.measures import MEASURES, ranked_by
from underdog.comparison.result import Comparison


def comparison_parts(result: Comparison, width: int) -> list[Any]:
    """The measures of all models, which of them differ, and what else to know."""
    summary = result.summary()
    (_, *titles), *rows = result.cells()
    _, _, notes = result.table().partition("\n\n")
    parts: list[Any] = []
    for block in stacked(["", *titles], rows, width):
        parts += [block, ""]
    about = [*notes.split("\n"), *_zero_f1(summary), "", ranked_by(result.main_measure)]
    about += differences(result)
    return [*parts, *map(Paragraph, about)]


def as_dict(result: Comparison) -> dict[str, Any]:
    """The same as data for JSON, with all digits."""
    return {
        "main_measure": result.main_measure,
        "models": {
            model: {
                name: {"mean": mean, "half_interval": half}
                for name, (mean, half) in measures.items()
            }
            for model, measures in result.summary().items()
        },
        "statement": " ".join(differences(result)),
    }


def differences(result: Comparison) -> list[str]:
    """A sentence for each difference that is larger than noise, and one about all others."""
    title = MEASURES[result.main_measure].title
    pairs = result.differences()
    if not pairs:
        return ["There is only one model."]
    larger = [pair for pair in pairs if pair.larger_than_noise]
    unknown = [pair for pair in pairs if math.isnan(pair.p_value)]
    sentences = [
        f"{pair.better} is better than {pair.other} in {title}, by {pair.amount:.2g} "
        f"({pair.low:.2g} to {pair.high:.2g})."
        for pair in larger
    ]
    if len(larger) + len(unknown) < len(pairs):
        which = "No other difference" if larger else "No difference"
        sentences.append(f"{which} in {title} is larger than noise.")
    names = sorted({name for pair in unknown for name in (pair.better, pair.other)})
    if names:
        sentences.append(f"Too few folds to compare: {', '.join(names)}.")
    return sentences


def _zero_f1(summary: dict[str, dict[str, tuple[float, float]]]) -> list[str]:
    """What an F1 of 0 means, where there is one."""
    models = [model for model, values in summary.items() if values.get("f1", (1.0,))[0] == 0.0]
    if not models:
        return []
    return [
        f"F1 of 0: {', '.join(models)} predicted no row of the positive class correctly. Often no "
        "row at all is predicted to be of a rare class; average precision does not depend on that."
    ]
