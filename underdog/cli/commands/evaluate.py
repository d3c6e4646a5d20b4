"""`underdog evaluate`: how good a model is on labelled data that it was not trained on."""

from __future__ import annotations

from typing import Annotated

import typer

from underdog.cli.options import (
    COSTS,
    DataPath,
    FileLayout,
    KnownTarget,
    ModelPath,
    Prevalence,
    Printing,
)
from underdog.cli.parsing import read_costs, read_prevalence
from underdog.cli.screen import Screen


def evaluate(
    model: ModelPath,
    data: DataPath,
    target: KnownTarget = None,
    cost: Annotated[
        str | None, typer.Option(metavar="COSTS", help=f"{COSTS} The mean cost is measured, too.")
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Measure each level of a column, or each quartile of its numbers; may be "
            "repeated, or several with commas.",
        ),
    ] = None,
    prevalence: Prevalence = None,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Measure a model on labelled data, with 95% confidence intervals."""
    with Screen(*printing) as screen:
        named, shares = read_costs(cost), read_prevalence(prevalence)

        from underdog.cli.opening import check_columns, check_model, named_columns

        check_model(model, data)
        columns = named_columns(data, layout, by or [])
        check_columns(data, layout, [target, *columns])

        from underdog.cli.loading import EvaluateOptions
        from underdog.cli.models import load_model
        from underdog.frames.errors import counted

        loaded = load_model(model)
        if shares is not None:
            loaded = loaded.with_prevalence(shares)
            screen.note(loaded.about_prevalence())
        found = loaded.open(data, layout, screen)
        _, rows = loaded.targets_of(found, target)
        if len(rows) < len(found):
            lost = counted(len(found) - len(rows), "row")
            screen.note(f"left out {lost} without {loaded.missing}")
        screen.print_json(loaded.evaluate(found, EvaluateOptions(target, named, columns), screen))
