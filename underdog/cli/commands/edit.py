"""`underdog edit`: change a model by hand, with a record of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import Columns, Force, ModelPath, Printing
from underdog.cli.parsing import whole_number
from underdog.cli.screen import Screen

MOST_RULES = 20
"""Rules that are shown afterwards."""


def edit(
    model: ModelPath,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
    ],
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who makes the changes; kept in the file.")
    ],
    why: Annotated[str, typer.Option(metavar="TEXT", help="The reason; kept in the file.")],
    drop: Annotated[
        list[int] | None,
        typer.Option(
            metavar="RULE",
            help="Leave out this rule, by its number in underdog explain --in-order; may be "
            "repeated.",
            parser=whole_number(1),
        ),
    ] = None,
    move: Annotated[
        Columns,
        typer.Option(
            metavar="RULE=VALUE",
            help="Set what a rule adds to the score: 3=-0.5 where it is true, 3:no=0.2 where it "
            "is not, 3:2=0.4 in the second leaf of a tree; may be repeated.",
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="CLASS", help="With --move: of which class, if there are several."),
    ] = None,
    rising: Annotated[
        Columns,
        typer.Option(metavar="COLUMN", help="Make the score rise with this column."),
    ] = None,
    falling: Annotated[
        Columns,
        typer.Option(metavar="COLUMN", help="Make the score fall with this column."),
    ] = None,
    force: Force = False,
    *,
    printing: Printing,
) -> None:
    """Change a model by hand: drop rules, move steps, make columns monotone.

    Rules keep their numbers within one command. What was changed, by whom and why is kept in the
    file, and explain shows it. Give a command for each reason.
    """
    with Screen(*printing) as screen:
        if not any((drop, move, rising, falling)):
            raise typer.BadParameter(
                "give --drop, --move, --rising or --falling: nothing is changed"
            )
        if label is not None and not move:
            raise typer.BadParameter("--label is for --move: give --move as well")

        from underdog.cli.opening import check_model, check_new_model

        check_new_model(output, force)
        notes = check_model(model)["notes"]

        from underdog.cli.changing import Changes, edited, write_model
        from underdog.cli.models import load_model
        from underdog.cli.views import rules_view
        from underdog.inspection.unwrap import unwrap

        loaded = load_model(model)
        asked = Changes(drop or [], move or [], rising or [], falling or [], label)
        made = edited(loaded, by, why, asked)
        write_model(loaded, made, output, notes)
        screen.print(*rules_view(load_model(output), MOST_RULES).parts)
        screen.message(f"\nsaved {output}")
        changes = [*unwrap(made).booster.edits_]
        screen.print_json({"edits": changes, "model_file": str(output)})
