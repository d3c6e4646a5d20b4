"""`underdog recalibrate`: probabilities that are right in new data, without another training."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from underdog.cli.options import DataPath, FileLayout, Force, KnownTarget, ModelPath, Printing
from underdog.cli.screen import Screen


def recalibrate(
    model: ModelPath,
    data: DataPath,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
    ],
    target: KnownTarget = None,
    force: Force = False,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Learn from labelled data how scores become probabilities.

    The rules of the model and its scores stay the same, and so do its predictions, unless costs
    decide by probabilities. The data should be new: on the training data scores are too confident.
    """
    with Screen(*printing) as screen:
        from underdog.cli.opening import check_columns, check_model, check_new_model

        check_new_model(output, force, data)
        notes = check_model(model, data)["notes"]
        check_columns(data, layout, [target])

        from underdog.cli.models import load_model
        from underdog.cli.recalibration import recalibrated
        from underdog.cli.saving import writing
        from underdog.files import save

        loaded = load_model(model)
        made, result = recalibrated(loaded, loaded.open(data, layout, screen), target, screen)
        kept = dict(notes) if isinstance(notes, dict) else {}
        kept["recalibration"] = {"data": Path(data).name, "rows": result["rows"]}
        with writing(output):
            save(made, output, kept)
        screen.message(f"\nsaved {output}")
        screen.print_json({**result, "model_file": str(output)})
