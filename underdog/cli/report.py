"""What a command tells about data, decisions and models."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from underdog.checks import to_python
from underdog.cli.evaluator import TITLES, Evaluator
from underdog.cli.screen import Screen, table
from underdog.cli.suspicion import message as told_suspect
from underdog.cli.task import Task
from underdog.cli.training import AIMS, CrossValidation, Plan
from underdog.comparison.size import size_of
from underdog.costs import Costs
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.frames import FrameEncoder
from underdog.types import Integers

SHOWN_RULES = 12
SHOWN_CLASSES = 8
SHOWN_COLUMNS = 20
CONSTANT = (
    "in the folds this is no better than the same answer for every row, where all classes matter "
    "alike or by the costs given: the columns may say nothing about the class, or try another "
    "algorithm with --model"
)


def show_data(screen: Screen, task: Task, encoder: FrameEncoder | None, plan: Plan) -> None:
    """Rows, classes, and what each column is taken for."""
    counts = list(task.counts().items())
    if len(counts) > SHOWN_CLASSES:
        counts.sort(key=lambda pair: -pair[1])
    shown = ", ".join(f"{label} {count:,}" for label, count in counts[:SHOWN_CLASSES])
    more = len(counts) - SHOWN_CLASSES
    shown += "" if more <= 0 else f" and {more:,} more"
    screen.say(f"{task.source}: {len(task.y):,} rows; classes: {shown}")
    if encoder is not None:
        roles = encoder.roles_
        for name, role in list(roles.items())[:SHOWN_COLUMNS]:
            left_out = " (left out)" if role.kind in ("identifier", "constant") else ""
            screen.say(f"  {name}: {role.kind}{left_out}, {role.reason}")
        if len(roles) > SHOWN_COLUMNS:
            screen.say(f"  ... and {len(roles) - SHOWN_COLUMNS:,} more columns")
    if plan.positive is not None:
        screen.say(f"positive class: {to_python(plan.positive)}")


def summary_of(
    plan: Plan,
    task: Task,
    model: Any,
    booster: Any,
    name: str,
    why: str,
    results: dict[str, CrossValidation],
) -> dict[str, Any]:
    """What is known about a trained model, as plain values; travels in its file."""
    judge = plan.judge
    summary: dict[str, Any] = {
        "algorithm": name,
        "why": why,
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
    """How the model decides."""
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    if isinstance(last, ThresholdClassifier):
        return {"by": "threshold", "threshold": last.threshold_, "chosen by": _words(last.choose)}
    if isinstance(last, CostSensitiveClassifier):
        return {"by": "least expected cost", "costs": repr(last.costs)}
    return {"by": "the model's own scores"}


def show_training(screen: Screen, summary: dict[str, Any], booster: Any) -> None:
    """The result of a training for people."""
    # With many classes each rule says something about each of them.
    screen.show(booster.describe(SHOWN_RULES if summary["positive"] is not None else 5))
    if "candidates" in summary:
        title = f"\nCandidates in {summary['folds']} folds (mean ± half of the 95 % interval)"
        screen.show(title, candidates_table(summary["candidates"]))
        screen.show(f"\ntook {summary['algorithm']}: {summary['why']}")
    elif "measures" in summary:
        title = f"\nIn {summary['folds']} folds (mean ± half of the 95 % interval)"
        show_measures(screen, title, summary["measures"])
    if "measures" in summary:
        show_confusion(screen, summary["confusion"])
    screen.show(f"\n{_told(summary['decision'], summary['positive'])}")
    if "threshold" in summary:
        screen.show(_told_threshold(summary["threshold"]))
    if "constant_is_as_good" in summary:
        screen.show(f"\n{CONSTANT}")
    if "suspect" in summary:
        message = told_suspect(summary["suspect"], summary["rows"], len(summary["columns"]) > 1)
        screen.show(f"\n{message}")


def show_measures(screen: Screen, title: str, measures: dict[str, Any]) -> None:
    """One line for each measure."""
    rows = [[TITLES[name], _shown(*_pair(values))] for name, values in measures.items()]
    screen.show(title, table(["", ""], rows))


def show_confusion(screen: Screen, confusion: dict[str, Any]) -> None:
    """True classes down, decisions across; with many classes only the worst mistakes."""
    names, counts = confusion["classes"], confusion["counts"]
    if len(names) <= SHOWN_CLASSES:
        rows = [[name, *map("{:,}".format, row)] for name, row in zip(names, counts, strict=True)]
        screen.show("\nTrue class, and decided for", table(["", *names], rows))
        return
    mistakes = sorted(
        ((counts[i][j], names[i], names[j]) for i in range(len(names)) for j in range(len(names))
         if i != j and counts[i][j]), reverse=True,
    )[:10]  # fmt: skip
    if not mistakes:
        screen.show("\nNo mistakes")
        return
    rows = [[f"{true} decided as {decided}", f"{count:,}"] for count, true, decided in mistakes]
    screen.show("\nMost frequent mistakes", table(["", ""], rows))


def candidates_table(candidates: dict[str, dict[str, Any]]) -> Any:
    """The measures of all candidates."""
    names = [name for name in TITLES if any(name in each for each in candidates.values())]
    rows = [
        [TITLES[name], *(_shown(*_pair(values.get(name))) for values in candidates.values())]
        for name in names
    ]
    return table(["", *candidates], rows)


def confusion_of(judge: Evaluator, true: Integers, decided: Integers) -> dict[str, Any]:
    """Counts by true class (rows) and decision."""
    return {
        "classes": [str(to_python(label)) for label in judge.classes],
        "counts": judge.confusion(true, decided).tolist(),
    }


def _with_intervals(result: CrossValidation) -> dict[str, Any]:
    return {
        name: {"mean": mean, "half_interval": None if math.isnan(half) else half}
        for name, (mean, half) in result.measures.items()
    }


def _pair(values: Any) -> tuple[float, float | None]:
    if values is None:
        return math.nan, None
    return (values["mean"], values["half_interval"]) if isinstance(values, dict) else (values, None)


def _shown(mean: float, half: float | None) -> str:
    if math.isnan(mean):
        return "-"
    return f"{mean:.3f}" if half is None else f"{mean:.3f} ± {half:.3f}"


def _roles(encoder: FrameEncoder | None) -> dict[str, str]:
    return {} if encoder is None else {name: r.kind for name, r in encoder.roles_.items()}


def _words(choose: Any) -> str:
    for measure, rule in AIMS.items():
        if choose == rule:
            return measure
    if isinstance(choose, Costs):
        return repr(choose)
    return choose if isinstance(choose, str) else f"{choose[0]}={choose[1]:g}"


def _told_threshold(found: dict[str, Any]) -> str:
    title, own, chosen = TITLES[found["measure"]], found["own"], found["chosen"]
    means = f"{title} in the folds: {own:.3f} with the booster's own threshold, {chosen:.3f} with a"
    noise = f"two standard errors ({2 * found['standard_error']:.2g})"
    gain = f"the gain of {found['gain']:.2g} is"
    if found["moved"]:
        return f"{means} chosen one; {gain} more than {noise}"
    if found["gain"] <= 0:
        return f"{means} chosen one, which gains nothing"
    return f"{means} chosen one; {gain} not more than {noise}, so the threshold stays"


def _told(decision: dict[str, Any], positive: str | None) -> str:
    if decision["by"] == "threshold":
        threshold = decision["threshold"]
        where = f"where the score is above {threshold:.6g}"
        if math.isinf(threshold):
            where = "never" if threshold > 0 else "always"
        chosen = decision["chosen by"].replace("f1", "F1")
        return f"decides for {positive!r} {where} (chosen by {chosen} in the folds)"
    if "costs" in decision:
        return f"decides for the class of least expected cost, {decision['costs']}"
    if positive is None:
        return "decides for the class with the highest score"
    return f"decides for {positive!r} where the score is above 0"
