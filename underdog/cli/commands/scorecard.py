"""`underdog scorecard`: a model with whole points."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import FileLayout, Force, KnownTarget, ModelPath, Printing
from underdog.cli.screen import Screen


def scorecard(
    model: ModelPath,
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA", help="Labelled rows, on which the cost of rounding is measured."
        ),
    ] = None,
    points_to_double: Annotated[
        float, typer.Option(metavar="POINTS", help="So many points double the odds.")
    ] = 20.0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the model with rounded steps to a file."
        ),
    ] = None,
    target: KnownTarget = None,
    force: Force = False,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Show a model of two classes as a table of whole points that can be added by hand.

    Use underdog shorten first to have a short card.
    """
    with Screen(*printing) as screen:
        from underdog.cli.opening import check_columns, check_model, check_new_model

        if not 0.0 < points_to_double < math.inf:
            raise typer.BadParameter(f"--points-to-double {points_to_double:g} must be above 0")
        if output is not None:
            check_new_model(output, force, *([] if data is None else [data]))
        notes = check_model(model, data)["notes"]
        if data is not None:
            check_columns(data, layout, [target])

        from underdog.cli.changing import card_of, labelled, show_card, write_model
        from underdog.cli.models import load_model

        loaded = load_model(model)
        rows = None
        if data is not None:
            rows = labelled(loaded, loaded.open(data, layout, screen), target, screen)
        made, card, decision = card_of(loaded, rows, points_to_double)
        show_card(screen, card, decision)
        if output is not None:
            write_model(loaded, made, output, notes)
            screen.message(f"\nsaved {output}")
        screen.print_json({**card.to_dict(), "model_file": None if output is None else str(output)})
