"""A comparison of classifiers, regressors or rankers, for people and for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import typer

from underdog.cli.algorithms import algorithms, class_algorithm
from underdog.cli.commands.compare import CompareOptions
from underdog.cli.division import DividedTask
from underdog.cli.regressors import check_loss, refuse_class_options
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.suspicion import questions
from underdog.cli.tables import stacked
from underdog.cli.target import CLASSES, RANKS
from underdog.cli.task import Task, costs_of, positive_of
from underdog.comparison.compare import compare
from underdog.comparison.compare_rankers import compare_rankers
from underdog.comparison.compare_regressors import compare_regressors
from underdog.comparison.measures import MEASURES, ranked_by
from underdog.comparison.names import (
    BLENDED,
    MEASURE_OF,
    ONLY_CLASSES,
    ONLY_RANKINGS,
    REDUCTIONS,
    TREES,
)
from underdog.comparison.number_models import known_names
from underdog.comparison.paired import two_digits
from underdog.comparison.rank_models import FULL_NAMES
from underdog.comparison.result import Comparison
from underdog.frames import FrameEncoder
from underdog.frames.errors import did_you_mean


def encoded(divided: DividedTask, texts: Sequence[str], screen: Screen) -> Any:
    """All rows as a table, whose terms are those of the rows that are not held out."""
    task, held_out, *_ = divided
    if not task.is_frame:
        return task.X
    encoder = FrameEncoder(dict.fromkeys(texts, "text") or None)
    learned = task if held_out is None else task.part(~held_out)
    learned.naming_file(lambda: encoder.fit(learned.X))
    for note in questions(encoder):
        screen.note(note)
    return task.naming_file(lambda: encoder.transform(task.X))


def compare_task(X: Any, task: Task, asked: CompareOptions, options: dict[str, Any]) -> Comparison:
    """Compare classifiers, regressors or rankers."""
    comparing = {CLASSES: _compare_classes, RANKS: _compare_ranks}.get(task.kind, _compare_numbers)
    return comparing(X, task, asked, options)


def _compare_classes(
    X: Any, task: Task, asked: CompareOptions, options: dict[str, Any]
) -> Comparison:
    if asked.loss is not None:
        raise typer.BadParameter("--loss and --quantiles are for --task regression")
    names = [
        name if name in ONLY_CLASSES else algorithms()[class_algorithm(name)]
        for name in asked.models
    ]
    label = positive_of(task, asked.positive)
    place = 1 if label is None else task.place_of(label)
    costs = costs_of(asked.costs, task.classes, place)
    return compare(X, task.y, names or None, costs=costs, pos_label=label, **options)


def _compare_numbers(
    X: Any, task: Task, asked: CompareOptions, options: dict[str, Any]
) -> Comparison:
    refuse_class_options({"--positive": asked.positive, "--cost": asked.costs}, task.target)
    check_loss(asked.loss, task)
    main = "rmse" if asked.loss is None else MEASURE_OF[asked.loss]
    known = known_names(main)
    names = list(dict.fromkeys(map(_number_name, asked.models)))  # some have two names
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known, "models")
            raise typer.BadParameter(f"there is no model {name!r} for numbers: {hint}")
    return compare_regressors(
        X, task.y, names or None, loss=asked.loss, quantiles=asked.quantiles, **options
    )


def _compare_ranks(
    X: Any, task: Task, asked: CompareOptions, options: dict[str, Any]
) -> Comparison:
    short = {name.lower(): own for name, own in FULL_NAMES.items()}
    names = [short.get(name.lower().removesuffix("ranker"), name) for name in asked.models]
    for name in names:
        if name not in ONLY_RANKINGS:
            hint = did_you_mean(name, ONLY_RANKINGS, "models")
            raise typer.BadParameter(f"{name} does not rank: {hint}; or leave --query out")
    own = {name: value for name, value in options.items() if name not in ("groups", "time")}
    return compare_rankers(X, task.y, list(dict.fromkeys(names)) or None, qid=task.groups, **own)


def _number_name(name: str) -> str:
    """A regressor as it is called in a comparison; underdog list has other names for some."""
    short = name.lower().removesuffix("regressor")
    own = {each.lower(): each for each in REDUCTIONS} | {
        "gradientboosting": TREES,
        "blendedtrees": BLENDED,
    }
    return own.get(short, name)


def comparison_parts(result: Comparison, width: int, held_out: str = "") -> list[Any]:
    """The measures of all models, which of them differ, and what else to know.

    `held_out` says which rows are held out.
    """
    about = [*result.notes(), *_zero_f1(result.summary()), "", ranked_by(result.main_measure)]
    about += differences(result)
    parts = [*_tables(result.cells(), width), *map(Paragraph, about)]
    if result.held_out:
        last = _tables(result.held_out_cells(), width)[:-1]
        title = f"On the held-out rows ({held_out}), after training on all others:"
        parts += ["", Paragraph(title), *last, *map(Paragraph, result.failed_last)]
    return parts


def _tables(cells: list[list[str]], width: int) -> list[Any]:
    """As many tables as the width needs, with an empty line after each."""
    (_, *titles), *rows = cells
    return [part for block in stacked(["", *titles], rows, width) for part in (block, "")]


def as_dict(result: Comparison) -> dict[str, Any]:
    """The same as data for JSON, with all digits."""
    return {
        "main_measure": result.main_measure,
        "models": {
            model: {
                name: {"mean": mean, "half_interval": half}
                for name, (mean, half) in measures.items()
            }
            for model, measures in result.summary().items()
        },
        "statement": " ".join(differences(result)),
        **({"folds_by": result.how} if result.how else {}),
        **({"held_out": result.held_out} if result.held_out else {}),
    }


def differences(result: Comparison) -> list[str]:
    """A sentence for each difference that is larger than noise, and one about all others."""
    title = MEASURES[result.main_measure].title
    pairs = result.differences()
    if not pairs:
        return ["There is only one model."]
    larger = [pair for pair in pairs if pair.larger_than_noise]
    unknown = [pair for pair in pairs if math.isnan(pair.p_value)]
    sentences = [
        f"{pair.better} is better than {pair.other} in {title}, by "
        f"{two_digits(pair.amount)} ({two_digits(pair.low)} to {two_digits(pair.high)})."
        for pair in larger
    ]
    if len(larger) + len(unknown) < len(pairs):
        which = "No other difference" if larger else "No difference"
        sentences.append(f"{which} in {title} is larger than noise.")
    names = sorted({name for pair in unknown for name in (pair.better, pair.other)})
    if names:
        sentences.append(f"Too few folds to compare: {', '.join(names)}.")
    return sentences


def _zero_f1(summary: dict[str, dict[str, tuple[float, float]]]) -> list[str]:
    """What an F1 of 0 means, where there is one."""
    models = [model for model, values in summary.items() if values.get("f1", (1.0,))[0] == 0.0]
    if not models:
        return []
    return [
        f"F1 of 0: {', '.join(models)} predicted no row of the positive class correctly. Often no "
        "row at all is predicted to be of a rare class; average precision does not depend on that."
    ]
