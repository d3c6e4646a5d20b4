"""`underdog shorten`: the best model of few rules, and what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import DataPath, FileLayout, Force, KnownTarget, ModelPath, Printing
from underdog.cli.parsing import whole_number
from underdog.cli.screen import Screen


def shorten(
    model: ModelPath,
    data: DataPath,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
    ],
    max_rules: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="The maximum number of rules, without the constant.",
            parser=whole_number(1),
        ),
    ],
    test: Annotated[
        str | None,
        typer.Option(
            metavar="DATA",
            help="Other labelled rows, on which the ways to shorten the model are compared and "
            "measured. Without them the cost is underestimated.",
        ),
    ] = None,
    target: KnownTarget = None,
    force: Force = False,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Keep the best few rules of a model, and say what that costs in accuracy.

    The training data, or similar rows, choose the rules and their new coefficients: the first
    rules, the largest, the best one by one, or those of the greatest margin.
    """
    with Screen(*printing) as screen:
        from underdog.cli.opening import check_columns, check_model, check_new_model

        check_new_model(output, force, data, *([] if test is None else [test]))
        notes = check_model(model, data)["notes"]
        for each in filter(None, (data, test)):
            check_columns(each, layout, [target])

        from underdog.cli.changing import labelled, shortened, show_shortened, write_model
        from underdog.cli.model_tables import rules_tables
        from underdog.cli.models import load_model
        from underdog.inspection import rules

        loaded = load_model(model)
        rows = labelled(loaded, loaded.open(data, layout, screen), target, screen)
        others = None
        if test is not None:
            others = labelled(loaded, loaded.open(test, layout, screen), target, screen)
        made, found = shortened(loaded, rows, others, max_rules, screen)
        where = f"{data}, which chose the rules" if test is None else test
        show_shortened(screen, found, where)
        screen.print(*rules_tables(rules(made), max_rules + 1))
        write_model(loaded, made, output, notes)
        screen.message(f"\nsaved {output}")
        tried = [each._asdict() for each in found.tried]
        screen.print_json(
            {"tried": tried, "edits": [*found.model.edits_], "model_file": str(output)}
        )
