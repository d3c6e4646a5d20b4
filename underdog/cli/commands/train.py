"""`underdog train`: from a data file to a saved model, with measures and rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from underdog.cli.options import (
    Columns,
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
from underdog.cli.parsing import (
    CHOICES,
    read_costs,
    read_quantiles,
    read_settings,
    read_threshold,
    whole_number,
)
from underdog.cli.screen import Screen

Output = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
]
Algorithm = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME",
        help="An algorithm of underdog list; by default blendedtrees, beside which baselines are "
        "measured.",
    ),
]
Threshold = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help=f"How to choose the threshold: {CHOICES}. By default f1 for a rare class; other "
        "models than blendedtrees move it only if that is better by more than noise.",
    ),
]
Folds = Annotated[
    int,
    typer.Option(
        metavar="N", help="Folds of the cross-validation; 0 for none.", parser=whole_number(0)
    ),
]
RuleCount = Annotated[
    int | None,
    typer.Option(metavar="N", help="The maximum number of rules.", parser=whole_number(1)),
]
Learner = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The weak rules: real or discrete (stumps), tree, or another learner of the "
        "algorithm. By default its own.",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Trees as weak rules, with at most N tests per row.",
        parser=whole_number(1),
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the algorithm, as in --set learning_rate=0.5; may be repeated.",
    ),
]
Knowledge = Annotated[
    Path | None,
    typer.Option(
        "--prior-knowledge",
        metavar="FILE",
        help="Rules that are known before training, one per line, such as: if 'won' in text: spam "
        "0.9",
    ),
]
KnowledgeWeight = Annotated[
    str | None,
    typer.Option(
        "--prior-weight",
        metavar="NUMBER",
        help="How many examples these rules count for in each row, 1 by default; folds chooses by "
        "cross-validation.",
    ),
]
Numbers = Annotated[Columns, typer.Option(metavar="COLUMN", help="A column of numbers.")]
Categories = Annotated[Columns, typer.Option(metavar="COLUMN", help="A column of categories.")]
Dates = Annotated[Columns, typer.Option(metavar="COLUMN", help="A column of dates.")]
Weight = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="A column with the weight of each row."),
]
Threads = Annotated[
    int | None,
    typer.Option(metavar="N", help="Number of threads; -1 for all cores.", parser=whole_number()),
]
Baselines = Annotated[
    bool,
    typer.Option(
        "--baselines/--no-baselines",
        help="Whether logistic or ridge regression, and LightGBM if it is installed, are measured "
        "on the same folds as the default model.",
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory for the data, such as 4GB; what does not fit is kept on disk. By default all "
        "is in memory, unless the file is too large for that.",
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Continue after the same command was stopped.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing model.")]


def train(
    data: DataPath,
    target: Target = None,
    output: Output = Path("model.udg"),
    model: Algorithm = None,
    task: TaskKind = "auto",
    loss: Loss = None,
    quantiles: Quantiles = None,
    positive: Positive = None,
    cost: Cost = None,
    threshold: Threshold = None,
    cv: Folds = 5,
    n_estimators: RuleCount = None,
    learner: Learner = None,
    max_depth: Depth = None,
    settings: Settings = None,
    prior_knowledge: Knowledge = None,
    prior_weight: KnowledgeWeight = None,
    text: Texts = None,
    number: Numbers = None,
    category: Categories = None,
    date: Dates = None,
    ignore: Ignored = None,
    weight: Weight = None,
    query: Query = None,
    seed: Seed = 0,
    jobs: Threads = None,
    baselines: Baselines = True,
    memory_limit: MemoryLimit = None,
    resume: Resume = False,
    force: Force = False,
    *,
    division: RowDivision,
    layout: FileLayout,
    printing: Printing,
) -> None:
    """Train a model on labelled data, measure it, and save it.

    The role of each column (number, category, text, date or identifier) is inferred from its
    values; --text, --number, --category, --date and --ignore override it. The target of a folder of
    text files is the sub-folder, that of svmlight the first number. Real numbers, or more than 30
    different whole numbers, are predicted as numbers, all else as classes, unless --task is given.
    With --query the rows of each query are ranked.
    """
    with Screen(*printing) as screen:
        costs, choice = read_costs(cost), read_threshold(threshold)
        shares = read_quantiles(quantiles, loss)
        loss = "quantile" if shares is not None else loss
        _check(model, costs, choice, cv, division)
        if query is not None:
            given_too = {"--loss": loss, "--positive": positive, "--cost": cost}
            division = division.by_query(query, task, {**given_too, "--threshold": threshold})
            task = "regression"  # grades are numbers
        given = _settings(settings, n_estimators=n_estimators, learner=learner, max_depth=max_depth)
        given |= _knowledge(prior_knowledge, prior_weight, model)
        roles = _roles(text=text, number=number, category=category, date=date)
        division.check(target, roles)
        from underdog.cli.algorithms import algorithm_name
        from underdog.cli.opening import check_columns, check_model_output

        name = algorithm_name(model[0]) if model else None
        check_model_output(output, data)
        others = [*(ignore or ()), *filter(None, [weight]), *division.columns]
        check_columns(data, layout, [target, *roles, *others], needs_all=True)
        from underdog.cli.large import within_memory
        from underdog.cli.train_run import TrainOptions, train_model

        with within_memory(data, memory_limit, output.parent, screen) as limited:
            options = TrainOptions(
                data, layout, target, output, name, _task(task, loss, name), loss, shares,
                positive, costs, choice, cv, {"random_state": seed, "n_jobs": jobs, **given}, roles,
                tuple(ignore or ()), weight, division, seed, baselines and not limited, resume,
                force, query,
            )  # fmt: skip
            train_model(options, screen)


def _settings(written: list[str] | None, **own: Any) -> dict[str, Any]:
    """Parameters of the algorithm: those of --set, and those with an option of their own."""
    given = {name: value for name, value in own.items() if value is not None}
    return read_settings(written or []) | given


def _knowledge(path: Path | None, weight: str | None, models: list[str] | None) -> dict[str, Any]:
    """The parameters of prior knowledge: the rules in a file, and their weight."""
    if path is None:
        if weight is not None:
            raise typer.BadParameter("--prior-weight needs --prior-knowledge with a file of rules")
        return {}
    if not models:
        raise typer.BadParameter(
            "--prior-knowledge is not for the default model: give --model gradientboosting, "
            "logisticadaboost or logitboost"
        )
    try:
        rules = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"--prior-knowledge {path} cannot be read: {error}") from None
    from underdog.hypotheses.sentences import parse

    try:
        parse(rules)
    except ValueError as error:
        raise typer.BadParameter(f"--prior-knowledge {path}: {error}") from None
    return {"prior_knowledge": rules} | _weight_of(weight)


def _weight_of(weight: str | None) -> dict[str, Any]:
    """The parameter prior_weight as it was written, if it was."""
    if weight is None or weight == "folds":
        return {} if weight is None else {"prior_weight": weight}
    try:
        return {"prior_weight": float(weight)}
    except ValueError:
        raise typer.BadParameter(f"--prior-weight {weight}: give a number, or folds") from None


def _roles(**columns: list[str] | None) -> dict[str, str]:
    """The roles that are given, by column."""
    return {name: role for role, names in columns.items() for name in names or []}


def _task(asked: str, loss: str | None, name: str | None) -> str:
    """The task that was asked for; a loss or a regressor asks for regression."""
    from underdog.cli.algorithms import regressors

    if asked == "classification" and loss is not None:
        raise typer.BadParameter("--loss and --quantiles are for --task regression")
    if asked == "auto" and (loss is not None or name in regressors()):
        return "regression"
    return asked


def _check(
    models: list[str] | None, costs: Any, threshold: Any, cv: int, division: RowDivision
) -> None:
    """Refuse options that contradict each other."""
    if models is not None and len(models) > 1:
        raise typer.BadParameter(
            f"--model is given {len(models)} times: give one, or use underdog compare for several"
        )
    if costs is not None and threshold is not None:
        raise typer.BadParameter("give --cost or --threshold, not both")
    if cv == 1:
        raise typer.BadParameter("--cv 1: give at least 2 folds, or 0 for no cross-validation")
    if cv == 0 and (division.group or division.time):
        name = "--time" if division.group is None else "--group"
        raise typer.BadParameter(f"{name} makes folds, but --cv 0 asks for none: leave one out")
    if threshold is not None and cv == 0:
        raise typer.BadParameter("--threshold needs cross-validation: give --cv 2 or more")
