"""The report of a training: the data, how good the model is, and its first rules."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

from underdog.cli.measures_table import with_intervals
from underdog.cli.model_tables import has_trees, introduction, rules_tables, summary_tables
from underdog.cli.plan import CrossValidation, Plan
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.suspicion import message as suspect_message
from underdog.cli.task import Task
from underdog.cli.training import beside_baselines
from underdog.comparison.size import size_of
from underdog.frames import FrameEncoder
from underdog.frames.errors import counted
from underdog.inspection import rules
from underdog.inspection.members import Rules

SHOWN_LINES = 12
"""Lines of rules."""
SHOWN_COLUMNS = 20


def show_data(
    screen: Screen, task: Task, encoder: FrameEncoder | None, plan: Plan, held_out: str = ""
) -> None:
    """Rows, the target, and the role of each column."""
    screen.message(f"{task.source}: {len(task.y):,} rows{held_out}")
    plan.show_target(screen, task)
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


def summary_of(
    plan: Plan,
    task: Task,
    model: Any,
    booster: Any,
    result: CrossValidation | None,
    baselines: dict[str, CrossValidation],
) -> dict[str, Any]:
    """What is known about a trained model, as plain values; stored in its file."""
    target, found = plan.summary(task, model, result)
    choices = [*plan.choices]
    if hasattr(booster, "about_blend"):
        choices.append(booster.about_blend())
    summary: dict[str, Any] = {
        "task": task.kind,
        "algorithm": plan.name,
        **({"choices": choices} if choices else {}),
        **({"ranked_by": plan.measure} if baselines else {}),
        "rows": len(task.y),
        "target": task.target,
        **target,
        "columns": _roles(plan.encoder),
        "rules": int(size_of(booster)),
        "stop_reason": booster.stop_reason_,
        **found,
    }
    if result is not None and baselines:
        summary["beside_baselines"] = beside_baselines(plan, result, baselines)
        summary["baselines"] = {each: with_intervals(own) for each, own in baselines.items()}
    if task.read_options:
        summary["read_options"] = task.read_options
    return summary


def show_training(
    screen: Screen, plan: Plan, summary: dict[str, Any], model: Any, path: Path
) -> None:
    """The result of a training for people: how good the model is, and then its first rules."""
    if {"fold_column", "folds_by"} <= summary.keys():
        screen.print(Paragraph(summary["folds_by"]))
    plan.show_result(screen, summary)
    if (found := summary.get("held_out")) is not None:
        about = (
            f"On the {counted(found['rows'], 'held-out row')} ({found['which']}), which were not "
            "used before:"
        )
        screen.print("", Paragraph(about))
        plan.show_held_out(screen, found)
    if "suspect" in summary:
        can_ignore = len(summary["columns"]) > 1
        message = suspect_message(summary["suspect"], summary["rows"], can_ignore)
        screen.print("", Paragraph(message))
    if "choices" in summary:
        screen.print("", *map(Paragraph, summary["choices"]))
    screen.print("", *_first_rules(screen, rules(model), path))


def _first_rules(screen: Screen, found: Rules, path: Path) -> list[Any]:
    """As many rules as fit into a few lines; if not even one does, its first lines.

    For a model of trees: the most important columns instead.
    """
    explained = found.explained
    if has_trees(explained):
        where = f"{counted(len(found), 'rule')}: underdog explain {quote(str(path))}"
        return [*introduction(explained), *summary_tables(explained, SHOWN_LINES // 2), where]
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


def _roles(encoder: FrameEncoder | None) -> dict[str, str]:
    return {} if encoder is None else {name: r.kind for name, r in encoder.roles_.items()}
