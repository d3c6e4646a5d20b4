"""`underdog train`: from a data file to a model that is measured, explained and saved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import (
    AsJson,
    DataPath,
    Format,
    Header,
    Positive,
    Quiet,
    Separator,
    Verbose,
)
from underdog.cli.parsing import CHOICES, read_choice, read_costs, read_settings
from underdog.cli.screen import Screen

Names = list[str] | None


def train(
    data: DataPath,
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="The column with the class.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the model goes.")] = Path(
        "model.udg"
    ),
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="One of underdog list; else a few are compared."),
    ] = None,
    positive: Positive = None,
    cost: Annotated[
        str | None,
        typer.Option(help="fn=20,fp=1, or true:decided=cost, with commas; other mistakes cost 1."),
    ] = None,
    choose: Annotated[
        str | None, typer.Option(help=f"The threshold: {CHOICES}; else moved only if it pays.")
    ] = None,
    cv: Annotated[int, typer.Option(help="Folds of the cross-validation; 0 for none.", min=0)] = 5,
    rounds: Annotated[
        int | None, typer.Option(help="Rounds of boosting: the most rules.", min=1)
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="A parameter of the model, as in --set learner=discrete."),
    ] = None,
    text: Annotated[Names, typer.Option(help="A column of texts; may be repeated.")] = None,
    number: Annotated[Names, typer.Option(help="A column of numbers.")] = None,
    category: Annotated[Names, typer.Option(help="A column of categories.")] = None,
    date: Annotated[Names, typer.Option(help="A column of dates.")] = None,
    ignore: Annotated[Names, typer.Option(help="A column to leave out.")] = None,
    weight: Annotated[
        str | None, typer.Option(help="The column that says how many examples a row is.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of folds and of anything random.", min=0)] = 0,
    jobs: Annotated[int | None, typer.Option(help="Threads; -1 for all cores.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where the same command was stopped.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a model that is there.")] = False,
    form: Format = None,
    separator: Separator = None,
    header: Header = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Train a model on labelled data, say how good it is, and save it.

    Which columns are numbers, categories, texts, dates or identifiers is worked out from their
    values and told; --text, --number, --category, --date and --ignore override it. The class is
    --target; in a folder of text files it is the sub-folder, in svmlight the first number.
    """
    with Screen(as_json, quiet, verbose) as screen:
        costs, choice = read_costs(cost), read_choice(choose)
        if costs is not None and choice is not None:
            raise typer.BadParameter("--cost and --choose both say where the threshold is")
        if cv == 1:
            raise typer.BadParameter("--cv 1: a cross-validation has two folds or more; 0 is none")
        if choice is not None and cv == 0:
            raise typer.BadParameter("--choose needs a cross-validation: give --cv 2 or more")
        given = read_settings(settings or [])
        if rounds is not None:
            given["n_estimators"] = rounds
        roles = {"text": text, "number": number, "category": category, "date": date}

        from underdog.cli.opening import FileLayout
        from underdog.cli.train_run import TrainOptions, train_model

        order = TrainOptions(
            data,
            FileLayout(form, separator, header),
            target,
            output,
            model,
            positive,
            costs,
            choice,
            cv,
            {"random_state": seed, "n_jobs": jobs, **given},
            {name: role for role, columns in roles.items() for name in columns or []},
            tuple(ignore or ()),
            weight,
            seed,
            resume,
            force,
        )
        train_model(order, screen)
