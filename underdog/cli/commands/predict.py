"""`underdog predict`: decisions, scores and probabilities about new rows."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated, Any

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
from underdog.cli.screen import Screen, clean

WRITERS = {
    ".csv": "write_csv",
    ".tsv": "write_csv",
    ".jsonl": "write_ndjson",
    ".ndjson": "write_ndjson",
    ".parquet": "write_parquet",
}


def predict(
    model: ModelPath,
    data: DataPath,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help=".csv, .tsv, .jsonl or .parquet; else CSV on standard output."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="A column of the data to repeat beside the answer; may be repeated."),
    ] = None,
    form: Format = None,
    separator: Separator = None,
    header: Header = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Decide about new rows.

    One line per row, in the order of the data: the decision; for two classes the score, higher the
    more it looks like the positive class, which underdog explain takes apart; and, where the model
    has them, the probabilities. The data need the columns that the model was trained on, in any
    order.
    """
    with Screen(as_json, quiet, verbose) as screen:
        import numpy as np

        from underdog.cli.loading import load_model
        from underdog.cli.opening import FileLayout
        from underdog.cli.task import column_of
        from underdog.frames.errors import BadData

        if output is not None and output.suffix not in WRITERS:
            endings = ", ".join(WRITERS)
            raise typer.BadParameter(f"--output {output}: the name must end with {endings}")
        if output is not None and not output.parent.is_dir():
            raise typer.BadParameter(f"--output {output}: there is no folder {output.parent}")
        loaded = load_model(model)
        # Text goes to text as it is written; forms with types keep the types.
        to_python = not as_json and (output is None or output.suffix in (".csv", ".tsv"))
        verbatim = keep if keep and to_python else ()
        found = loaded.open(data, FileLayout(form, separator, header), screen, verbatim)
        if keep and found.frame is None:
            raise BadData("its columns have no names: leave --keep out", path=found.source)
        kept = {}
        for name in keep or []:
            column_of(found.frame, name, found.source)
            if to_python and found.frame[name].dtype.is_nested():
                hint = "it holds lists or objects: write .jsonl or .parquet, or leave it out"
                raise BadData(hint, path=found.source, column=name)
            # A number that is missing was read as NaN.
            kept[name] = found.frame.select(name).fill_nan(None)[name].to_list()
        answers = loaded.answer(found, np.arange(len(found)))
        classes = loaded.model.classes_
        made: dict[str, Any] = {"prediction": classes[answers.decided].tolist()}
        if answers.scores.ndim == 1:
            made["score"] = ((2 * loaded.positive - 1) * answers.scores).tolist()
        if answers.probabilities is not None:
            for place, label in enumerate(classes.tolist()):
                made[f"probability of {label}"] = answers.probabilities[:, place].tolist()
        taken = [name for name in kept if name in made]
        if taken:
            raise typer.BadParameter(
                f"--keep {taken[0]}: a column of the answer has this name; rename that of the data"
            )
        columns = {**kept, **made}
        if as_json:
            rows = zip(*columns.values(), strict=True)
            screen.give({"rows": [dict(zip(columns, row, strict=True)) for row in rows]})
        if output is not None or not as_json:
            _write(columns, output)
        screen.say(f"{len(answers.decided):,} rows decided by {model}")


def _write(columns: dict[str, Any], output: Path | None) -> None:
    """To standard output, or to a file that is there completely or not at all."""
    import polars as pl

    from underdog.cli.saving import writing
    from underdog.files.container import write

    frame = pl.DataFrame(columns)
    if output is None:
        text = frame.write_csv()
        sys.stdout.write(clean(text) if sys.stdout.isatty() else text)
        sys.stdout.flush()
        return
    options = {"separator": "\t"} if output.suffix == ".tsv" else {}
    made = io.BytesIO()
    getattr(frame, WRITERS[output.suffix])(made, **options)
    with writing(output):
        write(output, made.getvalue())
