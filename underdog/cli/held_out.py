"""The final model, and the baselines, on held-out rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from underdog.checks import notify
from underdog.cli.measures_table import IN_PARENTHESES, evaluation_dict
from underdog.cli.plan import CrossValidation, Plan
from underdog.cli.screen import Paragraph, Screen
from underdog.cli.tables import stacked
from underdog.cli.task import Task
from underdog.cli.training import fitted
from underdog.cli.wording import format_of
from underdog.comparison.class_evaluator import MeasuredClasses
from underdog.comparison.evaluation import Evaluation, MeasuredNumbers, estimate_text
from underdog.comparison.intervals import Estimate
from underdog.comparison.names import TITLES

NOT_SAVED = "* a baseline, trained on the same rows and not saved"


def measured_baselines(
    plan: Plan, task: Task, X: Any, held_out: Task, baselines: Mapping[str, CrossValidation]
) -> dict[str, Any]:
    """The measures of baselines on held-out rows; those that fail are left out.

    Parameters
    ----------
    plan : with the fitted encoder
    task, X : the rows to train on, and the same encoded
    held_out : the rows to measure
    baselines : what the folds say about each
    """
    encoder, new = plan.encoder, held_out.X
    if encoder is not None and baselines:
        new = held_out.naming_file(lambda: encoder.transform(held_out.X))
    found = {}
    for name, result in baselines.items():
        try:
            given = plan.given(name, task, slice(None), X)
            model = fitted(plan.models[name], X, task.y, task.weights, given)
            made = _measured(plan, task, held_out, result, plan.predict(model, new))
        except Exception as error:
            notify(f"The baseline {name} is left out, because it failed: {error}")
            continue
        found[name] = evaluation_dict(made)
    return found


def _measured(plan: Any, task: Task, held_out: Task, result: Any, answers: Any) -> Evaluation:
    if not plan.with_classes:
        return Evaluation(MeasuredNumbers(plan.judge, held_out.y, answers[0]))
    true = np.searchsorted(plan.judge.classes, held_out.y)
    decided = plan.decide(task, result, *answers)
    return Evaluation(MeasuredClasses(plan.judge, true, decided))


def show_held_out(screen: Screen, name: str, found: dict[str, Any]) -> None:
    """A line for each measure, with its interval; a column for the model and each baseline."""
    baselines = found.get("baselines", {})
    head = [name, *(f"{each}*" for each in baselines)] if baselines else [""]
    rows = []
    for measure in found["measures"]:
        each = [_estimate(one, measure) for one in (found, *baselines.values())]
        digits = format_of(measure, [one.value for one in each])
        rows.append([TITLES[measure], *(estimate_text(one, digits) for one in each)])
    screen.print(IN_PARENTHESES, *stacked(["", *head], rows, screen.width))
    screen.print(*([NOT_SAVED] if baselines else []), *map(Paragraph, found.get("notes", [])))


def _estimate(found: Mapping[str, Any], measure: str) -> Estimate:
    """A measure as it was before it became plain values; NaN if there is none."""
    interval = found["intervals"].get(measure)
    return Estimate(found["measures"].get(measure, math.nan), *(interval or ()))
