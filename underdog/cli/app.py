"""All commands."""

from __future__ import annotations

from typing import Annotated

import typer

from underdog import __version__
from underdog.cli import (
    compare,
    demo,
    evaluate,
    explain,
    inspect_file,
    list_algorithms,
    predict,
    train,
)

app = typer.Typer(
    name="underdog",
    help="Boosting for rare classes, costs and text: models that are small, readable and exact.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 failed, 2 wrong options, 3 data, 4 model file, 130 stopped.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"underdog {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Tell the version.")
    ] = False,
) -> None:
    """Options of the program itself."""


app.callback(help=app.info.help)(_options)
app.command("train")(train.train)
app.command("predict")(predict.predict)
app.command("evaluate")(evaluate.evaluate)
app.command("explain")(explain.explain)
app.command("inspect")(inspect_file.inspect_file)
app.command("compare")(compare.compare)
app.command("list")(list_algorithms.list_algorithms)
app.command("demo")(demo.demo)
