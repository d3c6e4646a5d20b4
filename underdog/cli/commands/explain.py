"""`underdog explain`: the rules of a model, and why it says what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import AsJson, Format, Header, ModelPath, Quiet, Separator, Verbose
from underdog.cli.screen import Screen

PICTURES = (".png", ".svg", ".pdf")


def explain(
    model: ModelPath,
    data: Annotated[
        str | None,
        typer.Argument(help="Rows to explain, or labelled data for --hardest and --needed."),
    ] = None,
    row: Annotated[
        int | None,
        typer.Option(help="Why this row of the data has its score; 1 is the first.", min=1),
    ] = None,
    by_rule: Annotated[
        bool, typer.Option("--by-rule", help="With --row: rule by rule, not column by column.")
    ] = False,
    columns: Annotated[
        bool, typer.Option("--columns", help="What each column does, as a step function.")
    ] = False,
    hard: Annotated[
        int | None,
        typer.Option(
            "--hardest", help="So many examples that the model finds hardest: wrong labels?", min=1
        ),
    ] = None,
    needed: Annotated[
        bool, typer.Option("--needed", help="How many rules are needed for how much accuracy.")
    ] = False,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", help="The column with the class; else as in training."),
    ] = None,
    max_display: Annotated[int, typer.Option(help="How many lines to show.", min=1)] = 20,
    in_order: Annotated[
        bool, typer.Option("--in-order", help="Rules one by one, in the order they were found.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw it to this file (.png, .svg or .pdf).")
    ] = None,
    form: Format = None,
    separator: Separator = None,
    header: Header = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """The rules of a model; or why a row has its score; or what is hard; or how much is enough."""
    with Screen(as_json, quiet, verbose) as screen:
        asked = {"--row": row is not None, "--hardest": hard is not None, "--needed": needed}
        if sum([*asked.values(), columns]) > 1:
            raise typer.BadParameter("give one of --row, --columns, --hardest and --needed")
        if data is None and any(asked.values()):
            raise typer.BadParameter("which data? Give a file after the model")
        if plot is not None and plot.suffix not in PICTURES:
            raise typer.BadParameter(f"--plot {plot}: the name must end with {', '.join(PICTURES)}")

        from underdog.cli import views
        from underdog.cli.loading import load_model
        from underdog.cli.opening import FileLayout
        from underdog.cli.saving import draw

        loaded = load_model(model)
        layout = FileLayout(form, separator, header)
        found = None if data is None else loaded.open(data, layout, screen)
        if found is not None and row is not None:
            view = views.one_row_view(loaded, found, row, by_rule, max_display)
        elif found is not None and hard is not None:
            view = views.hardest_view(loaded, found, target, hard)
        elif found is not None and needed:
            view = views.needed_view(loaded, found, target)
        elif columns:
            view = views.columns_view(loaded, max_display)
        else:
            view = views.rules_view(loaded, max_display, in_order)
        screen.show(view.text)
        screen.give(view.result)
        if plot is not None:
            draw(view.draw, plot)
            screen.say(f"drew {plot}")
