"""`underdog evaluate`: how good a model is on labelled data that it has not seen."""

from __future__ import annotations

from typing import Annotated

import typer

from underdog.cli.options import (
    AsJson,
    DataPath,
    Format,
    Header,
    ModelPath,
    Quiet,
    Separator,
    Verbose,
)
from underdog.cli.parsing import read_costs
from underdog.cli.screen import Screen


def evaluate(
    model: ModelPath,
    data: DataPath,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", help="The column with the class; else as in training."),
    ] = None,
    cost: Annotated[str | None, typer.Option(help="fn=20,fp=1: tell the mean cost, too.")] = None,
    form: Format = None,
    separator: Separator = None,
    header: Header = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Measure a model on labelled data."""
    with Screen(as_json, quiet, verbose) as screen:
        from underdog.checks import to_python
        from underdog.cli.evaluator import Evaluator
        from underdog.cli.loading import load_model
        from underdog.cli.opening import FileLayout
        from underdog.cli.report import confusion_of, show_confusion, show_measures
        from underdog.cli.task import costs_of, labels_of

        named = read_costs(cost)
        loaded = load_model(model)
        found = loaded.open(data, FileLayout(form, separator, header), screen)
        y, rows = labels_of(found, target or loaded.training.get("target") or None)
        if len(rows) < len(found):
            screen.note(f"rows without a label are left out: {len(found) - len(rows):,}")
        classes = loaded.model.classes_
        true = loaded.places_of(y, found.source)
        answers = loaded.answer(found, rows)
        costs = costs_of(named, classes, loaded.positive)
        judge = Evaluator(classes, loaded.positive, costs)
        measures = judge.measure(true, answers)
        confusion = confusion_of(judge, true, answers.decided)
        screen.show(f"{found.source}: {len(true):,} rows, {model}")
        if len(classes) == 2:
            screen.show(f"positive class: {to_python(classes[judge.positive])}")
        show_measures(screen, "", measures)
        show_confusion(screen, confusion)
        screen.give({"rows": len(true), "measures": measures, "confusion": confusion})
