"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

DataPath = Annotated[
    str,
    typer.Argument(
        help="CSV, TSV, JSON lines, Parquet or svmlight, compressed or not; a folder with a "
        "sub-folder of text files per class; - is standard input.",
        show_default=False,
    ),
]
ModelPath = Annotated[Path, typer.Argument(help="A model file.", show_default=False)]
Format = Annotated[
    Optional[str],  # noqa: UP045 - typer of all supported versions reads this form
    typer.Option("--format", help="csv, tsv, jsonl, parquet, svmlight or folder; else worked out."),
]
Separator = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--separator", help="Between values: a character, or tab; else worked out."),
]
Header = Annotated[
    Optional[bool],  # noqa: UP045
    typer.Option("--header/--no-header", help="Whether the first row names the columns."),
]
Positive = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        help="The class that matters of two; else one with less than 20 % of the rows, one called "
        "1, true, yes or the like, or the last in order."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing but results and errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Tell more; errors with a trace.")]
