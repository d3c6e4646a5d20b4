"""`underdog compare`: boosters and baselines on the same folds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import (
    Cost,
    DataPath,
    FileLayout,
    Ignored,
    Positive,
    Printing,
    Seed,
    Target,
    Texts,
)
from underdog.cli.parsing import read_costs, whole_number
from underdog.cli.screen import Screen, Stopped

OTHERS = ("CalibratedAdaMEC", "LightGBM", "logistic regression")
"""Models that can be compared, but not trained."""

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME",
        help="An algorithm of underdog list, CalibratedAdaMEC, LightGBM or 'logistic "
        "regression'; may be repeated. By default a few boosters and baselines.",
    ),
]
Folds = Annotated[int, typer.Option(metavar="N", help="Number of folds.", parser=whole_number(2))]
Processes = Annotated[
    int | None,
    typer.Option(metavar="N", help="Number of processes; -1 for all cores.", parser=whole_number()),
]
CheckpointPath = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Keep finished fits in this file; the same command continues from there.",
    ),
]


def compare(
    data: DataPath,
    target: Target = None,
    models: Models = None,
    positive: Positive = None,
    cost: Cost = None,
    cv: Folds = 5,
    text: Texts = None,
    ignore: Ignored = None,
    seed: Seed = 0,
    jobs: Processes = None,
    checkpoint: CheckpointPath = None,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Compare boosters and baselines on the same folds, and test which differences are larger than
    noise.

    The terms of texts are found in all rows, without the classes.
    """
    with Screen(*printing) as screen:
        named = read_costs(cost)
        chosen = [_model(name) for name in models or []]

        from underdog.cli.opening import check_columns, open_data

        check_columns(data, layout, [target, *(text or ()), *(ignore or ())], needs_all=True)

        from underdog.cli.comparing import as_dict, comparison_parts
        from underdog.cli.suspicion import questions
        from underdog.cli.task import costs_of, positive_of, read_task
        from underdog.comparison.compare import compare as compare_models
        from underdog.frames import FrameEncoder

        found = open_data(data, layout, screen, text or ())
        task, notes = read_task(found, target, ignore or [])
        for note in notes:
            screen.note(note)
        X = task.X
        if task.is_frame:
            encoder = FrameEncoder(dict.fromkeys(text or [], "text") or None)
            X = task.naming_file(lambda: encoder.fit_transform(task.X))
            for note in questions(encoder):
                screen.note(note)
        label = positive_of(task, positive)
        place = 1 if label is None else task.place_of(label)
        try:
            result = compare_models(
                X,
                task.y,
                chosen or None,
                costs=costs_of(named, task.classes, place),
                cv=cv,
                pos_label=label,
                random_state=seed,
                n_jobs=jobs,
                checkpoint=checkpoint,
                verbose=int(screen.shows_progress),
            )
        except KeyboardInterrupt as error:
            kept = str(error) or "stopped; --checkpoint FILE keeps finished fits"
            raise Stopped(kept) from None
        if checkpoint is None:  # with one, there may have been nothing to do
            screen.erase_line()
        screen.print(*comparison_parts(result, screen.width))
        screen.print_json(as_dict(result))


def _model(name: str) -> str:
    """The name that the library has for a model."""
    from underdog.cli.algorithms import algorithm_name, algorithms

    return name if name in OTHERS else algorithms()[algorithm_name(name)]
