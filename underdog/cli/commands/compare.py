"""`underdog compare`: boosters and baselines on the same folds."""

from __future__ import annotations

from dataclasses import replace
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
    Query,
    RowDivision,
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
        "'huber trees', 'ridge regression', LightGBM, mean or median; for rankings stumps, trees, "
        "'listwise trees', LightGBM or 'any order'; may be repeated. By default blendedtrees, a "
        "few other boosters and baselines; for rankings all of these.",
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
    query: Query = None,
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
    division: RowDivision,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Compare boosters and baselines on the same folds, and test which differences are larger than
    noise.

    The vocabulary of text columns comes from all rows that are not held out; the target is not used
    for it. Whether the target has classes or numbers is decided as in underdog train. With --query
    rankers are compared.
    """
    with Screen(*printing) as screen:
        costs = read_costs(cost)
        shares = read_quantiles(quantiles, loss)
        loss = "quantile" if shares is not None else loss
        if task == "auto" and loss is not None:
            task = "regression"
        if query is not None:
            not_for_ranks = {"--loss": loss, "--positive": positive, "--cost": cost}
            division, task = division.by_query(query, task, not_for_ranks), "regression"

        from underdog.cli.opening import check_columns, open_data

        division.check(target, text or ())
        _check_names(models or [])
        others = [*(text or ()), *(ignore or ()), *division.columns]
        check_columns(data, layout, [target, *others], needs_all=True)

        from underdog.cli.comparing import as_dict, compare_task, comparison_parts, encoded
        from underdog.cli.division import divide
        from underdog.cli.target import RANKS
        from underdog.cli.task import read_task

        found = open_data(data, layout, screen, text or ())
        ignored = list(dict.fromkeys([*(ignore or ()), *division.columns]))
        rows, notes = read_task(found, target, ignored, asked=task)
        rows = rows if query is None else replace(rows, kind=RANKS)
        divided = divide(rows, found, division)
        for note in [*notes, *divided.notes]:
            screen.note(note)
        rows = divided.task
        X = encoded(divided, text or [], screen)
        options = {
            "cv": cv,
            "groups": rows.groups,
            "time": rows.time,
            "held_out": divided.held_out,
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
        screen.print(*comparison_parts(result, screen.width, divided.which))
        screen.print_json(as_dict(result))


def _check_names(models: list[str]) -> None:
    """Refuse a name that no model has."""
    from underdog.cli.algorithms import algorithm_name
    from underdog.comparison.names import ONLY_CLASSES, ONLY_NUMBERS, ONLY_RANKINGS

    for name in models:
        if name not in (*ONLY_CLASSES, *ONLY_NUMBERS, *ONLY_RANKINGS):
            algorithm_name(name)
