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
    Printing,
)
from underdog.cli.parsing import read_costs
from underdog.cli.screen import Screen


def evaluate(
    model: ModelPath,
    data: DataPath,
    target: KnownTarget = None,
    cost: Annotated[
        str | None, typer.Option(metavar="COSTS", help=f"{COSTS} The mean cost is measured, too.")
    ] = None,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Measure a model on labelled data."""
    with Screen(*printing) as screen:
        named = read_costs(cost)

        from underdog.cli.opening import check_columns, check_model

        check_model(model, data)
        check_columns(data, layout, [target])

        from underdog.checks import to_python
        from underdog.cli.evaluator import Evaluator
        from underdog.cli.loading import load_model
        from underdog.cli.report import (
            confusion_of,
            measured_class,
            show_classes,
            show_confusion,
            show_measures,
        )
        from underdog.cli.task import costs_of, labels_of
        from underdog.frames.errors import counted

        loaded = load_model(model)
        found = loaded.open(data, layout, screen)
        y, rows = labels_of(found, target or loaded.training.get("target") or None)
        if len(rows) < len(found):
            lost = counted(len(found) - len(rows), "row")
            screen.note(f"left out {lost} without a label")
        classes = loaded.model.classes_
        true = loaded.places_of(y, found.source)
        answers = loaded.answer(found, rows)
        judge = Evaluator(classes, loaded.positive, costs_of(named, classes, loaded.positive))
        measures = judge.measure(true, answers)
        confusion = confusion_of(judge, true, answers.decided)
        names = confusion["classes"]
        positive = str(to_python(classes[judge.positive])) if len(classes) == 2 else None
        counts = {name: sum(row) for name, row in zip(names, confusion["counts"], strict=True)}
        screen.print(f"{model} on {found.source}: {len(true):,} rows")
        show_classes(screen.print, counts)
        screen.print(measured_class(positive))
        show_measures(screen, measures)
        show_confusion(screen, confusion, positive)
        screen.print_json({"rows": len(true), "measures": measures, "confusion": confusion})
