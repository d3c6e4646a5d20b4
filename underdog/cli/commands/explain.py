"""`underdog explain`: what a model has learned, and why a row has its score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import (
    FileLayout,
    KnownTarget,
    MaxDisplay,
    ModelPath,
    Printing,
)
from underdog.cli.parsing import whole_number
from underdog.cli.screen import Screen

PICTURES = (".png", ".svg", ".pdf")

OptionalData = Annotated[
    str | None,
    typer.Argument(
        metavar="DATA", help="Rows for --row, or labelled rows for --hardest and --needed."
    ),
]
RowNumber = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Why this row has its score; the first data row is 1.",
        parser=whole_number(1),
    ),
]
Other = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="With --row: why that row stands before this one.",
        parser=whole_number(1),
    ),
]
ByRule = Annotated[
    bool, typer.Option("--by-rule", help="With --row: by rule instead of by column.")
]
ByColumn = Annotated[
    bool,
    typer.Option(
        "--columns", help="What each column adds to the score (the default, but not in JSON)."
    ),
]
Hardest = Annotated[
    int | None,
    typer.Option(
        "--hardest",
        metavar="N",
        help="The N rows that the model finds hardest; their labels may be wrong.",
        parser=whole_number(1),
    ),
]
LeftOut = Annotated[
    bool,
    typer.Option(
        "--left-out",
        help="With --hardest: by the probability of the label in models fitted without the row; "
        "also says how many labels look wrong.",
    ),
]
Needed = Annotated[
    bool,
    typer.Option(
        "--needed",
        help="How many rules are needed for which accuracy (or F1 of a rare class, or mean cost "
        "if the model has costs).",
    ),
]
InOrder = Annotated[
    bool, typer.Option("--in-order", help="The rules, in the order in which they were found.")
]
Plot = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw it to a file (.png, .svg or .pdf)."),
]


def explain(
    model: ModelPath,
    data: OptionalData = None,
    row: RowNumber = None,
    before: Other = None,
    by_rule: ByRule = False,
    columns: ByColumn = False,
    hard: Hardest = None,
    left_out: LeftOut = False,
    needed: Needed = False,
    target: KnownTarget = None,
    max_display: MaxDisplay = 20,
    in_order: InOrder = False,
    plot: Plot = None,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Show what a model has learned, or why a row has its score.

    Without other options: what each column adds to the score, the largest effects first.
    """
    with Screen(*printing) as screen:
        about_rows = row is not None or hard is not None or needed
        if sum([row is not None, hard is not None, needed, columns, in_order]) > 1:
            raise typer.BadParameter(
                "give only one of --row, --hardest, --needed, --columns and --in-order"
            )
        if before is not None and row is None:
            raise typer.BadParameter(
                f"--before {before} needs --row: give the row that stands before row {before}"
            )
        if left_out and (hard is None or plot is not None):
            raise typer.BadParameter(
                "--left-out is for --hardest, without --plot: give MODEL DATA --hardest N "
                "--left-out"
            )
        if data is None and about_rows:
            raise typer.BadParameter("--row, --hardest and --needed need data: give MODEL DATA")
        if plot is not None and plot.suffix not in PICTURES:
            raise typer.BadParameter(f"--plot {plot}: the name must end with {', '.join(PICTURES)}")

        from underdog.cli.opening import check_columns, check_model

        check_model(model, data)
        if data is not None:
            check_columns(data, layout, [target])

        from underdog.cli import views
        from underdog.cli.models import load_model
        from underdog.cli.saving import draw

        loaded = load_model(model)
        found = None if data is None else loaded.open(data, layout, screen)
        if found is not None and row is not None and before is not None:
            view = views.two_rows_view(loaded, found, (row, before), by_rule, max_display)
        elif found is not None and row is not None:
            view = views.one_row_view(loaded, found, row, by_rule, max_display)
        elif found is not None and hard is not None:
            look = views.left_out_view if left_out else views.hardest_view
            view = look(loaded, found, target, hard)
        elif found is not None and needed:
            view = views.needed_view(loaded, found, target)
        elif columns:
            view = views.columns_view(loaded, max_display, screen.width)
        elif in_order:
            view = views.rules_view(loaded, max_display, found)
        else:
            view = views.model_view(loaded, max_display, screen.width, found)
        screen.print(*view.parts)
        screen.print_json(view.result)
        if plot is not None:
            draw(view.draw, plot)
            screen.message(f"wrote {plot}")
