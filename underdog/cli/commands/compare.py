"""`underdog compare`: boosters and baselines on the same folds."""

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
from underdog.cli.parsing import read_costs
from underdog.cli.screen import Screen, Stopped, columns_that_fit


def compare(
    data: DataPath,
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="The column with the class.")
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="One of underdog list, CalibratedAdaMEC, LightGBM or "
            "'logistic regression'; may be repeated. Else a usual choice.",
        ),
    ] = None,
    positive: Positive = None,
    cost: Annotated[str | None, typer.Option(help="fn=20,fp=1, or true:decided=cost.")] = None,
    cv: Annotated[int, typer.Option(help="Folds.", min=2)] = 5,
    text: Annotated[list[str] | None, typer.Option(help="A column of texts.")] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="A column to leave out.")] = None,
    seed: Annotated[int, typer.Option(help="Of the folds.", min=0)] = 0,
    jobs: Annotated[int | None, typer.Option(help="Processes; -1 for all cores.")] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Keep what is finished in this file; the same command goes on there."),
    ] = None,
    form: Format = None,
    separator: Separator = None,
    header: Header = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Compare boosters and baselines on the same folds, and say which differ by more than noise.

    Terms of texts are found in all rows, without looking at the classes.
    """
    with Screen(as_json, quiet, verbose) as screen:
        from underdog.cli.algorithms import algorithms
        from underdog.cli.opening import FileLayout, open_data
        from underdog.cli.suspicion import questions
        from underdog.cli.task import costs_of, positive_of, read_task
        from underdog.comparison.compare import compare as compare_models
        from underdog.frames import FrameEncoder

        found = open_data(data, FileLayout(form, separator, header), screen, text or ())
        task, notes = read_task(found, target, ignore or [])
        for note in notes:
            screen.note(note)
        X = task.X
        if task.is_frame:
            encoder = FrameEncoder(dict.fromkeys(text or [], "text") or None)
            X = task.naming_rows(lambda: encoder.fit_transform(task.X))
            for note in questions(encoder):
                screen.note(note)
        label = positive_of(task, positive)
        place = 1 if label is None else task.place_of(label)
        known = {name: kind.__name__ for name, kind in algorithms().items()}
        named = [known.get(name.lower(), name) for name in models or []]
        try:
            result = compare_models(
                X,
                task.y,
                named or None,
                costs=costs_of(read_costs(cost), task.classes, place),
                cv=cv,
                pos_label=label,
                random_state=seed,
                n_jobs=jobs,
                checkpoint=checkpoint,
                verbose=int(screen.shows_progress),
            )
        except KeyboardInterrupt as error:
            kept = str(error) or "stopped; --checkpoint FILE keeps what is finished"
            raise Stopped(kept) from None
        shown = columns_that_fit(result.table(), screen.width)
        screen.show(shown, *(["(other measures: --json)"] if shown != result.table() else []))
        screen.show("", result.statement())
        screen.give(
            {
                "main_measure": result.main_measure,
                "models": {
                    model: {
                        name: {"mean": mean, "half_interval": half}
                        for name, (mean, half) in measures.items()
                    }
                    for model, measures in result.summary().items()
                },
                "statement": result.statement(),
            }
        )
