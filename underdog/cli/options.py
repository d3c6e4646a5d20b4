"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

DATA_FILES = (
    "CSV, TSV, JSON lines, Parquet or svmlight, compressed or not; a folder with a sub-folder of "
    "text files for each class; - is standard input."
)
DataPath = Annotated[str, typer.Argument(metavar="DATA", help=DATA_FILES, show_default=False)]
ModelPath = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file.", show_default=False)
]
Target = Annotated[
    Optional[str],  # noqa: UP045 - typer of all supported versions reads this form
    typer.Option("--target", "-t", metavar="COLUMN", help="The column with the class."),
]
KnownTarget = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--target",
        "-t",
        metavar="COLUMN",
        help="The column with the class; by default that of the training.",
    ),
]
Columns = Optional[list[str]]  # noqa: UP045
Texts = Annotated[
    Columns, typer.Option("--text", metavar="COLUMN", help="A column of texts; may be repeated.")
]
Ignored = Annotated[
    Columns, typer.Option("--ignore", metavar="COLUMN", help="A column to leave out.")
]
Format = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--format",
        metavar="NAME",
        help="csv, tsv, jsonl, parquet, svmlight or folder; by default inferred from the file.",
    ),
]
Separator = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--separator",
        metavar="CHAR",
        help="Between values: a character, tab or space; by default inferred from the file.",
    ),
]
Header = Annotated[
    Optional[bool],  # noqa: UP045
    typer.Option(
        "--header/--no-header",
        help="Whether the first row has the column names; by default inferred from the file.",
    ),
]
Positive = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="CLASS",
        help="The positive of two classes. By default one with less than 20 % of the rows, else "
        "one named 1, true, yes or the like, else the last in sorted order.",
    ),
]
COSTS = "Costs of mistakes: fn=20,fp=1, or true:predicted=cost for any classes."
Cost = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(metavar="COSTS", help=f"{COSTS} Others cost 1."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only results and errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print more, and tracebacks.")]
MaxDisplay = Annotated[
    int, typer.Option(metavar="N", help="How many rules or columns to show.", min=1)
]
Seed = Annotated[int, typer.Option(metavar="N", help="Random seed of the folds.", min=0)]
