"""All commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from underdog import __version__
from underdog.cli.commands import (
    compare,
    demo,
    edit,
    evaluate,
    explain,
    inspect_file,
    list_algorithms,
    predict,
    recalibrate,
    scorecard,
    shorten,
    train,
)
from underdog.cli.options import ungrouped
from underdog.cli.screen import clean

UsageError: Any = typer.BadParameter.__mro__[1]
"""Of click, which some versions of typer depend on and others contain."""


class Commands(TyperGroup):
    """Messages about wrong options without control characters: an argument may be the name of a
    file, which must not be able to control a terminal.
    """

    def make_context(self, *given: Any, **options: Any) -> Any:
        """Read the options of the program."""
        with _cleaned():
            return super().make_context(*given, **options)

    def invoke(self, context: Any) -> Any:
        """Read the options of the command, and run it."""
        with _cleaned():
            return super().invoke(context)


@contextmanager
def _cleaned() -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        option = getattr(error, "param", None)
        error.message = clean(error.message)
        if option is None or not option.opts or not error.message:  # it is not about a value
            raise
        raise UsageError(f"{option.opts[0]}: {error.message}", error.ctx) from None


app = typer.Typer(
    name="underdog",
    cls=Commands,
    help="Boosting for rare classes, costs and text: small models that people can read.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 success, 1 failure, 2 wrong options, 3 wrong data, 4 wrong model file, "
    "130 stopped.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"underdog {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of the program itself."""


app.callback(help=app.info.help)(_options)
app.command("train")(ungrouped(train.train))
app.command("predict")(ungrouped(predict.predict))
app.command("evaluate")(ungrouped(evaluate.evaluate))
app.command("recalibrate")(ungrouped(recalibrate.recalibrate))
app.command("explain")(ungrouped(explain.explain))
app.command("shorten")(ungrouped(shorten.shorten))
app.command("scorecard")(ungrouped(scorecard.scorecard))
app.command("edit")(ungrouped(edit.edit))
app.command("inspect")(ungrouped(inspect_file.inspect_file))
app.command("compare")(ungrouped(compare.compare))
app.command("list")(ungrouped(list_algorithms.list_algorithms))
app.command("demo")(demo.demo)
