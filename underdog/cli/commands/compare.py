"""`underdog compare`: boosters and baselines on the same folds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from underdog.cli.options import (
    Cost,
    DataPath,
    FileLayout,
    Ignored,
    Loss,
    Positive,
    Printing,
    Quantiles,
    Seed,
    Target,
    TaskKind,
    Texts,
)
from underdog.cli.parsing import read_costs, read_quantiles, whole_number
from underdog.cli.screen import Screen, Stopped

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME",
        help="An algorithm of underdog list, CalibratedAdaMEC, LightGBM or 'logistic "
        "regression'; for numbers a regressor of underdog list, stumps, trees, 'more trees', "
        "'huber trees', 'ridge regression', LightGBM, mean or median; may be "
        "repeated. By default a few boosters and baselines.",
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


class CompareOptions(NamedTuple):
    """What to compare: options that depend on whether classes or numbers are predicted."""

    models: list[str]
    loss: str | None
    quantiles: tuple[float, ...] | None
    positive: str | None
    costs: Any


def compare(
    data: DataPath,
    target: Target = None,
    models: Models = None,
    task: TaskKind = "auto",
    loss: Loss = None,
    quantiles: Quantiles = None,
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

    The vocabulary of text columns comes from all rows; the target is not used for it. Whether the
    target has classes or numbers is decided as in underdog train.
    """
    with Screen(*printing) as screen:
        costs = read_costs(cost)
        shares = read_quantiles(quantiles, loss)
        loss = "quantile" if shares is not None else loss
        if task == "auto" and loss is not None:
            task = "regression"

        from underdog.cli.algorithms import algorithm_name
        from underdog.cli.opening import check_columns, open_data
        from underdog.comparison.names import ONLY_CLASSES, ONLY_NUMBERS

        for name in models or ():
            if name not in (*ONLY_CLASSES, *ONLY_NUMBERS):
                algorithm_name(name)  # refuses a name that no model has

        check_columns(data, layout, [target, *(text or ()), *(ignore or ())], needs_all=True)

        from underdog.cli.comparing import as_dict, compare_task, comparison_parts
        from underdog.cli.suspicion import questions
        from underdog.cli.task import read_task
        from underdog.frames import FrameEncoder

        found = open_data(data, layout, screen, text or ())
        rows, notes = read_task(found, target, ignore or [], asked=task)
        for note in notes:
            screen.note(note)
        X = rows.X
        if rows.is_frame:
            encoder = FrameEncoder(dict.fromkeys(text or [], "text") or None)
            X = rows.naming_file(lambda: encoder.fit_transform(rows.X))
            for note in questions(encoder):
                screen.note(note)
        options = {
            "cv": cv,
            "random_state": seed,
            "n_jobs": jobs,
            "checkpoint": checkpoint,
            "verbose": int(screen.shows_progress),
        }
        asked = CompareOptions(models or [], loss, shares, positive, costs)
        try:
            result = compare_task(X, rows, asked, options)
        except KeyboardInterrupt as error:
            kept = str(error) or "stopped; --checkpoint FILE keeps finished fits"
            raise Stopped(kept) from None
        if checkpoint is None:  # with one, there may have been nothing to do
            screen.erase_line()
        screen.print(*comparison_parts(result, screen.width))
        screen.print_json(as_dict(result))
