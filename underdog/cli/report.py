"""Reports about data, training and models."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np

from underdog.checks import to_python
from underdog.cli.evaluator import Evaluator
from underdog.cli.model_tables import introduction, rules_tables
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.suspicion import message as suspect_message
from underdog.cli.tables import confusion_table, stacked, table
from underdog.cli.task import Task
from underdog.cli.training import THRESHOLDS, CrossValidation, Plan
from underdog.cli.wording import TITLES, decision_text, threshold_text
from underdog.comparison.measures import ranked_by
from underdog.comparison.size import size_of
from underdog.costs import Costs
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.frames import FrameEncoder
from underdog.frames.errors import counted
from underdog.inspection import rules
from underdog.inspection.members import Rules
from underdog.types import Integers

SHOWN_LINES = 12
"""Lines of rules."""
SHOWN_CLASSES = 8
SHOWN_COLUMNS = 20
SHOWN_MISTAKES = 10
NO_BETTER_THAN_CONSTANT = (
    "In cross-validation the model is no better than the same prediction for every row (by the "
    "costs or, without costs, if all classes count the same). The columns may say nothing about "
    "the class; or try another algorithm with --model."
)
INTERVALS = "mean ± half-width of the 95% confidence interval"


def show_data(screen: Screen, task: Task, encoder: FrameEncoder | None, plan: Plan) -> None:
    """Rows, classes, and the role of each column."""
    screen.message(f"{task.source}: {len(task.y):,} rows")
    show_classes(screen.message, task.counts())
    if plan.positive is not None:
        screen.message(f"positive class: {to_python(plan.positive)}")
    if encoder is None:
        return
    roles = encoder.roles_
    screen.message("columns:")
    for name, role in list(roles.items())[:SHOWN_COLUMNS]:
        left_out = " (left out)" if role.kind in ("identifier", "constant") else ""
        screen.message(f"  {name}: {role.kind}{left_out}, {role.reason}")
    if len(roles) > SHOWN_COLUMNS:
        screen.message(f"  ... and {len(roles) - SHOWN_COLUMNS:,} more columns")
    screen.message()


def show_classes(show: Callable[[str], None], counts: dict[str, int]) -> None:
    """Classes with their numbers of rows; of many classes, the most frequent."""
    shares, more = class_counts(counts), len(counts) - SHOWN_CLASSES
    if len(counts) == 2:
        show(f"classes: {', '.join(shares)}")
        return
    show(f"{len(counts):,} classes:")
    for line in [*shares, *([f"... and {more:,} more classes"] if more > 0 else [])]:
        show(f"  {line}")


def class_counts(counts: dict[str, int]) -> list[str]:
    """How many rows each class has; of many classes, the most frequent.

    Examples
    --------
    >>> from underdog.cli.report import class_counts
    >>> class_counts({"ham": 4827, "spam": 747})
    ['ham 4,827 (86.6%)', 'spam 747 (13.4%)']
    >>> class_counts({"0": 896, "1": 41})
    ['0: 896 (95.6%)', '1: 41 (4.4%)']
    """
    total, pairs = sum(counts.values()), list(counts.items())
    if len(pairs) > SHOWN_CLASSES:
        pairs.sort(key=lambda pair: -pair[1])
    return [
        f"{label}{':' if label[-1:].isdigit() else ''} {count:,} ({100 * count / total:.1f}%)"
        for label, count in pairs[:SHOWN_CLASSES]
    ]


def summary_of(
    plan: Plan,
    task: Task,
    model: Any,
    booster: Any,
    name: str,
    why: str,
    results: dict[str, CrossValidation],
) -> dict[str, Any]:
    """What is known about a trained model, as plain values; stored in its file."""
    judge = plan.judge
    summary: dict[str, Any] = {
        "algorithm": name,
        "why": why,
        **({"ranked_by": plan.measure} if len(results) > 1 else {}),
        "rows": len(task.y),
        "target": task.target,
        "classes": task.counts(),
        "positive": None if plan.positive is None else str(to_python(plan.positive)),
        "columns": _roles(plan.encoder),
        "rules": int(size_of(booster)),
        "stop_reason": booster.stop_reason_,
        "decision": decision_of(model),
    }
    if name in results:
        true = np.searchsorted(judge.classes, task.y)
        summary["folds"] = len(results[name].by_fold)
        summary["measures"] = _with_intervals(results[name])
        summary["confusion"] = confusion_of(judge, true, results[name].decided)
        if judge.is_a_constant_as_good(true, results[name].decided):
            summary["constant_is_as_good"] = True
        if (threshold := results[name].threshold) is not None:
            found = {"gain": threshold.gain, "moved": threshold.moved}
            summary["threshold"] = {**vars(threshold), **found}
    if len(results) > 1:
        summary["candidates"] = {each: _with_intervals(results[each]) for each in results}
    if task.read_options:
        summary["read_options"] = task.read_options
    return summary


def decision_of(model: Any) -> dict[str, Any]:
    """How the model predicts a class from scores."""
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    if isinstance(last, ThresholdClassifier):
        return {"by": "threshold", "threshold": last.threshold_, "chosen by": _choice(last.choose)}
    if isinstance(last, CostSensitiveClassifier):
        return {"by": "least expected cost", "costs": costs_text(last.costs, last.classes_)}
    return {"by": "the model's own scores"}


def show_training(screen: Screen, summary: dict[str, Any], model: Any, path: Path) -> None:
    """The result of a training for people: how good the model is, and then its first rules."""
    if "measures" in summary:
        screen.print(f"{summary['folds']}-fold cross-validation: {INTERVALS}")
        screen.print(measured_class(summary["positive"]))
        if "candidates" in summary:
            screen.print(*candidate_tables(summary["candidates"], screen.width))
            selected = f"Selected {summary['algorithm']}: {summary['why']}."
            screen.print("", Paragraph(ranked_by(summary["ranked_by"])), Paragraph(selected))
        else:
            show_measures(screen, summary["measures"])
        show_confusion(screen, summary["confusion"], summary["positive"])
        screen.print("")
    decision = decision_text(summary["decision"], summary["positive"])
    screen.print(Paragraph(f"The model {decision}."))
    if "threshold" in summary:
        screen.print(Paragraph(threshold_text(summary["threshold"])))
    if "constant_is_as_good" in summary:
        screen.print("", Paragraph(NO_BETTER_THAN_CONSTANT))
    if "suspect" in summary:
        can_ignore = len(summary["columns"]) > 1
        message = suspect_message(summary["suspect"], summary["rows"], can_ignore)
        screen.print("", Paragraph(message))
    screen.print("", *_first_rules(screen, rules(model), path))


def _first_rules(screen: Screen, found: Rules, path: Path) -> list[Any]:
    """As many rules as fit into a few lines; if not even one does, its first lines."""
    room = 1 + SHOWN_LINES  # with the head of the table
    for count in range(min(SHOWN_LINES, len(found)), 0, -1):
        lines = screen.lines(rules_tables(found, count)[0])
        if len(lines) <= room:
            break
    more = [counted(len(found) - count, "more rule")] if len(found) > count else []
    if len(lines) > room:
        more.insert(0, "the rest of this rule")
    where = f"... {' and '.join(more)}: underdog explain {quote(str(path))}"
    return [*introduction(found.explained), lines[:room], *([where] if more else [])]


def measured_class(positive: str | None) -> str:
    """Of which class precision, recall and the like are."""
    if positive is None:
        return "precision, recall, F1, average precision and ROC AUC: mean over the classes"
    return f"precision, recall, F1 and average precision: of the positive class {positive!r}"


def show_measures(screen: Screen, measures: dict[str, Any]) -> None:
    """One line for each measure."""
    rows = [[TITLES[name], _rounded(*_pair(values))] for name, values in measures.items()]
    screen.print(table(["", ""], rows))


def show_confusion(screen: Screen, confusion: dict[str, Any], positive: str | None) -> None:
    """The confusion matrix, or with many classes the most frequent mistakes; and why F1 is 0."""
    names, counts = confusion["classes"], confusion["counts"]
    if len(names) <= SHOWN_CLASSES:
        screen.print("\nConfusion matrix (rows: true class, columns: predicted class)")
        screen.print(confusion_table(names, counts, screen.width))
    else:
        _show_mistakes(screen, names, counts)
    if positive is not None and not counts[names.index(positive)][names.index(positive)]:
        predicted = sum(row[names.index(positive)] for row in counts)
        wrong = f"none of the {predicted:,} rows predicted as {positive!r} is of this class"
        screen.print(f"F1 is 0: {wrong if predicted else f'no row was predicted as {positive!r}'}")


def _show_mistakes(screen: Screen, names: list[str], counts: list[list[int]]) -> None:
    mistakes = sorted(
        ((counts[i][j], names[i], names[j]) for i in range(len(names)) for j in range(len(names))
         if i != j and counts[i][j]), reverse=True,
    )[:SHOWN_MISTAKES]  # fmt: skip
    if not mistakes:
        screen.print("\nNo mistakes")
        return
    rows = [[true, predicted, f"{count:,}"] for count, true, predicted in mistakes]
    head = ["true class", "predicted class", "rows"]
    screen.print("\nMost frequent mistakes", table(head, rows, texts=(0, 1)))


def candidate_tables(candidates: dict[str, dict[str, Any]], width: int) -> list[Any]:
    """The measures of all candidates."""
    names = [name for name in TITLES if any(name in each for each in candidates.values())]
    rows = [
        [TITLES[name], *(_rounded(*_pair(values.get(name))) for values in candidates.values())]
        for name in names
    ]
    return list(stacked(["", *candidates], rows, width))


def confusion_of(judge: Evaluator, true: Integers, decided: Integers) -> dict[str, Any]:
    """Counts by true class (rows) and predicted class."""
    return {
        "classes": [str(to_python(label)) for label in judge.classes],
        "counts": judge.confusion(true, decided).tolist(),
    }


def costs_text(costs: Costs | None, classes: Any) -> str:
    """Costs as `--cost` takes them; those of more classes only where they are not 1."""
    if costs is None:
        return "all mistakes cost 1"
    if costs.n_examples is not None:
        return "each example has its own costs"
    if costs.is_pair():
        return repr(costs).removeprefix("Costs(").removesuffix(")")
    names = [str(to_python(label)) for label in classes]
    table = costs.table(classes)
    others = 1.0 - np.eye(len(names))
    named = [
        f"{names[i]}:{names[j]}={table[i, j]:g}" for i, j in np.argwhere(table != others).tolist()
    ]
    return ", ".join([*named, "other mistakes cost 1"])


def _with_intervals(result: CrossValidation) -> dict[str, Any]:
    return {
        name: {"mean": mean, "half_interval": None if math.isnan(half) else half}
        for name, (mean, half) in result.measures.items()
    }


def _pair(values: Any) -> tuple[float, float | None]:
    if values is None:
        return math.nan, None
    return (values["mean"], values["half_interval"]) if isinstance(values, dict) else (values, None)


def _rounded(mean: float, half: float | None) -> str:
    if math.isnan(mean):
        return "-"
    return f"{mean:.3f}" if half is None else f"{mean:.3f} ± {half:.3f}"


def _roles(encoder: FrameEncoder | None) -> dict[str, str]:
    return {} if encoder is None else {name: r.kind for name, r in encoder.roles_.items()}


def _choice(choose: Any) -> str:
    for measure, rule in THRESHOLDS.items():
        if choose == rule:
            return measure
    if isinstance(choose, Costs):
        return repr(choose)
    return choose if isinstance(choose, str) else f"{choose[0]}={choose[1]:g}"
