"""`underdog predict`: predictions, scores and probabilities for new rows."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from underdog.cli.options import (
    DataPath,
    FileLayout,
    ModelPath,
    Prevalence,
    Printing,
)
from underdog.cli.screen import Screen, clean

if TYPE_CHECKING:
    from underdog.reading import Data

WRITERS = {
    ".csv": "write_csv",
    ".tsv": "write_csv",
    ".jsonl": "write_ndjson",
    ".ndjson": "write_ndjson",
    ".parquet": "write_parquet",
}
DIGITS = 4
"""Digits after the point of scores and probabilities on a terminal."""


def predict(
    model: ModelPath,
    data: DataPath,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=".csv, .tsv, .jsonl or .parquet; by default CSV on standard output.",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="A column of the data to copy to the output; may be repeated."
        ),
    ] = None,
    prevalence: Prevalence = None,
    *,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Predict the classes or numbers of new rows.

    The output has one line per row, in the order of the data: the predicted class, for two classes
    the score of the positive class (underdog explain shows its parts), and the probabilities, if
    the model has them; or the predicted number, or one for each of several quantiles. The data need
    the columns that the model was trained on, in any order. On a terminal numbers are rounded; in
    files, pipes and JSON they have all digits.
    """
    with Screen(*printing) as screen:
        from underdog.cli.opening import check_columns, check_model, check_output
        from underdog.cli.parsing import read_prevalence

        shares = read_prevalence(prevalence)
        if output is not None:
            if output.suffix not in WRITERS:
                endings = ", ".join(WRITERS)
                raise typer.BadParameter(f"--output {output}: the name must end with {endings}")
            check_output(output, model, data)
        check_model(model, data)
        check_columns(data, layout, keep or [])

        from underdog.cli.drift import compare_data, note_of
        from underdog.cli.models import load_model
        from underdog.frames.errors import counted

        loaded = load_model(model)
        if shares is not None:
            loaded = loaded.with_prevalence(shares)
            screen.note(loaded.about_prevalence())
        # Text is copied to text as it is written; formats with types keep the types.
        as_text = not printing.as_json and (output is None or output.suffix in (".csv", ".tsv"))
        found = loaded.open(data, layout, screen, keep if keep and as_text else ())
        kept = _kept_columns(found, keep or [], as_text)
        made = loaded.columns_of(found)
        if not printing.quiet and (note := note_of(compare_data(loaded, found, None, slice(None)))):
            screen.note(note)
        taken = [name for name in kept if name in made]
        if taken:
            raise typer.BadParameter(
                f"--keep {taken[0]}: the output has a column of this name; rename that of the data"
            )
        columns = {**kept, **made}
        if printing.as_json:
            rows = zip(*columns.values(), strict=True)
            screen.print_json({"rows": [dict(zip(columns, row, strict=True)) for row in rows]})
        if output is not None or not printing.as_json:
            _write(columns, output)
        where = "" if output is None else f", saved in {output}"
        screen.message(f"predicted {counted(len(found), 'row')}{where}")


def _kept_columns(found: Data, names: list[str], as_text: bool) -> dict[str, list[Any]]:
    """Columns of the data that are copied."""
    from underdog.cli.target import column_of
    from underdog.frames.errors import BadData

    if names and found.frame is None:
        raise BadData("the columns have no names: leave --keep out", path=found.source)
    kept = {}
    for name in names:
        column_of(found.frame, name, found.source)
        if as_text and found.frame[name].dtype.is_nested():
            hint = "lists or objects cannot be written as CSV: write .jsonl or .parquet"
            raise BadData(hint, path=found.source, column=name)
        # A number that is missing was read as NaN.
        kept[name] = found.frame.select(name).fill_nan(None)[name].to_list()
    return kept


def _write(columns: dict[str, Any], output: Path | None) -> None:
    """To standard output, or to a file, which is written completely or not at all."""
    import polars as pl

    from underdog.cli.saving import writing
    from underdog.files.container import write

    frame = pl.DataFrame(columns)
    if output is None:
        is_terminal = sys.stdout.isatty()
        text = frame.write_csv(float_precision=DIGITS if is_terminal else None)
        sys.stdout.write(clean(text) if is_terminal else text)
        sys.stdout.flush()
        return
    options = {"separator": "\t"} if output.suffix == ".tsv" else {}
    made = io.BytesIO()
    getattr(frame, WRITERS[output.suffix])(made, **options)
    with writing(output):
        write(output, made.getvalue())
