"""A classifier with probabilities that were learned from new rows, and what that changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import typer

from underdog.checks import to_python
from underdog.cli.class_model import ClassModel
from underdog.cli.class_report import show_classes
from underdog.cli.loading import Loaded
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.tables import table
from underdog.comparison.measures import brier
from underdog.decisions.population import recalibrate
from underdog.frames.errors import counted
from underdog.reading import Data

SAME_ROWS = (
    "The new probabilities were learned from these same rows, so here they look better than they "
    "are. To find out how good they are, use underdog evaluate with other rows."
)


def recalibrated(
    loaded: Loaded, data: Data, target: str | None, screen: Screen
) -> tuple[Any, dict[str, Any]]:
    """The new model; and its probabilities before and after, as plain values."""
    if not isinstance(loaded, ClassModel):
        raise typer.BadParameter(f"{loaded.path} predicts numbers, which have no probabilities")
    y, rows = loaded.targets_of(data, target)
    if len(rows) < len(data):
        screen.note(f"left out {counted(len(data) - len(rows), 'row')} without {loaded.missing}")
    table_of_rows = loaded.table_of(data, rows)
    last = recalibrate(loaded.last, table_of_rows, y)
    made = last
    if loaded.takes_frames:
        made = type(loaded.model)([*loaded.model.steps[:-1], (loaded.model.steps[-1][0], last)])
    classes = loaded.model.classes_
    true, names = np.searchsorted(classes, y), [str(to_python(label)) for label in classes]
    counts = np.bincount(true, minlength=len(classes))
    found: dict[str, Any] = {
        "rows": len(y),
        "observed": dict(zip(names, (counts / len(y)).tolist(), strict=True)),
    }
    for when, model in (("before", loaded.last), ("after", last)):
        if hasattr(model, "predict_proba"):
            own = model.predict_proba(table_of_rows)
            means = dict(zip(names, own.mean(axis=0).tolist(), strict=True))
            found[when] = {"mean_probability": means, "brier": brier(true, own)}
    screen.print(f"{loaded.path}, recalibrated on {data.source}: {len(y):,} rows")
    show_classes(screen.print, dict(zip(names, counts.tolist(), strict=True)))
    _show(screen, found, names if len(names) > 2 else [names[loaded.positive]])
    return made, found


def _show(screen: Screen, found: dict[str, Any], names: list[str]) -> None:
    times = [when for when in ("before", "after") if when in found]
    rows = [
        [
            f"mean probability of {name}",
            *(f"{found[when]['mean_probability'][name]:.3f}" for when in times),
            f"{found['observed'][name]:.3f}",
        ]
        for name in names
    ]
    rows.append(["Brier score", *(f"{found[when]['brier']:.3f}" for when in times), ""])
    screen.print("", table(["", *times, "observed"], rows), "", Paragraph(SAME_ROWS))
