"""Options that several commands share, alone and in groups."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Optional, get_type_hints

import typer

from underdog.cli.parsing import one_of, whole_number

SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " "}
"""Names of separators that are hard to write in a shell."""

DATA_FILES = (
    "CSV, TSV, JSON, Excel (.xlsx), Parquet or svmlight, compressed or not; a folder with a "
    "sub-folder of text files for each class; - is standard input."
)
DataPath = Annotated[str, typer.Argument(metavar="DATA", help=DATA_FILES, show_default=False)]
ModelPath = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file.", show_default=False)
]
Target = Annotated[
    Optional[str],  # noqa: UP045 - typer of all supported versions reads this form
    typer.Option(
        "--target", "-t", metavar="COLUMN", help="The column to predict: classes or numbers."
    ),
]
KnownTarget = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--target",
        "-t",
        metavar="COLUMN",
        help="The column that is predicted; by default that of the training.",
    ),
]
TaskKind = Annotated[
    str,
    typer.Option(
        "--task",
        metavar="KIND",
        help="classification, regression or auto: what the target holds, classes or numbers.",
        parser=one_of("auto", "classification", "regression"),
    ),
]
Query = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COLUMN",
        help="Rank the rows of each query: the column with the query of each row. The target has "
        "grades, of which higher ones come first. Folds keep the rows of a query together.",
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
        help="csv, tsv, jsonl, json, xlsx, parquet, svmlight or folder; by default inferred from "
        "the file.",
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
Sheet = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(metavar="NAME", help="The sheet of an Excel workbook; by default the first."),
]
SplitColumn = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COLUMN",
        help="A column that says train or test (also valid): the test rows are held out, and "
        "measured once in the end. COLUMN=VALUE holds out the rows with this value.",
    ),
]
Group = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COLUMN",
        help="Rows with the same value, such as a patient, are in the same fold. The column is "
        "not a feature.",
    ),
]
Time = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COLUMN",
        help="Numbers or dates: every fold is predicted by models of earlier rows. The column is "
        "not a feature, unless it is also given by --number or --date.",
    ),
]
Positive = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="CLASS",
        help="The positive of two classes. By default one with less than 20% of the rows, else "
        "one named 1, true, yes or the like, else the last in sorted order.",
    ),
]
Loss = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="NAME",
        help="For numbers, what is minimised: squared, absolute, huber, quantile or poisson.",
    ),
]
Quantiles = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(metavar="LIST", help="With --loss quantile, what to predict, as in 0.1,0.5,0.9."),
]
COSTS = "Costs of mistakes: fn=20,fp=1, or true:predicted=cost for any classes."
Cost = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(metavar="COSTS", help=f"{COSTS} Others cost 1."),
]
Prevalence = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="SHARE",
        help="How frequent the positive class is where the model is used, as in 0.01; or any "
        "classes by name, as in flu=0.2,cold=0.5.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing model file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only results and errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print more, and tracebacks.")]
MaxDisplay = Annotated[
    int,
    typer.Option(metavar="N", help="How many rules or columns to show.", parser=whole_number(1)),
]
Seed = Annotated[
    int, typer.Option(metavar="N", help="Random seed of the folds.", parser=whole_number(0))
]


class FileLayout(NamedTuple):
    """The layout of a file, as far as the user gives it; the rest is inferred from the file."""

    format: Format = None
    separator: Separator = None
    header: Header = None
    sheet: Sheet = None

    @property
    def options(self) -> dict[str, Any]:
        """As `read` takes them."""
        separator = self.separator
        if separator is not None:
            separator = SEPARATORS.get(separator, separator)
        return {
            "format": self.format,
            "separator": separator,
            "header": self.header,
            "sheet": self.sheet,
        }


class RowDivision(NamedTuple):
    """Columns that say how the rows are divided."""

    split_column: SplitColumn = None
    group: Group = None
    time: Time = None

    @property
    def group_option(self) -> str:
        """What the user has given `group` as."""
        return "--group"

    @property
    def split(self) -> tuple[str, str | None]:
        """The column of the parts, and the value of the rows to hold out, if it is given."""
        name, _, value = (self.split_column or "").partition("=")
        return name, value or None

    @property
    def columns(self) -> list[str]:
        """All of them."""
        return [name for name in (self.split[0], self.group, self.time) if name]

    def by_query(self, query: str, task: str, others: dict[str, str | None]) -> RowDivision:
        """The rows divided by queries; refuse what makes no sense for a ranking."""
        if task == "classification":
            raise typer.BadParameter("--query ranks rows, and --task classification does not")
        for option, value in others.items():
            if value is not None:
                raise typer.BadParameter(f"{option} is not for rankings: leave it or --query out")
        if self.group or self.time:
            name = "--time" if self.group is None else "--group"
            raise typer.BadParameter(f"--query makes the folds: leave {name} out")
        return DivisionByQuery(self.split_column, query)

    def check(self, target: str | None, roles: Collection[str] = ()) -> None:
        """Refuse columns that contradict each other, or that are the target."""
        if self.group is not None and self.time is not None:
            raise typer.BadParameter(
                "give --group or --time, not both: each of them makes the folds, and the rows of a "
                "group may be of different times"
            )
        for option, name in (
            ("--split-column", self.split[0]),
            (self.group_option, self.group),
            ("--time", self.time),
        ):
            if name and name == target:
                raise typer.BadParameter(f"{option} {name} is the target: give another column")
            if name and option != "--time" and name in roles:
                raise typer.BadParameter(
                    f"{option} {name}: this column is not a feature; leave its role out"
                )


class DivisionByQuery(RowDivision):
    """Rows divided by queries, which are given as `group`."""

    @property
    def group_option(self) -> str:
        """`group` is the column of the queries."""
        return "--query"


class Printing(NamedTuple):
    """What a command prints, as `Screen` takes it."""

    as_json: AsJson = False
    quiet: Quiet = False
    verbose: Verbose = False


GROUPS: tuple[Any, ...] = (FileLayout, RowDivision, Printing)


def ungrouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose groups of options are taken apart, since typer takes single options only."""
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {}
    options: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if parameter.annotation in GROUPS:
            groups[name] = parameter.annotation
            options += _options_of(parameter.annotation)
        else:
            options.append(parameter)

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(*(given.pop(option) for option in group._fields))
        command(**given)

    run.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _options_of(group: Any) -> list[inspect.Parameter]:
    types = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=types[name]
        )
        for name, value in group._field_defaults.items()
    ]
