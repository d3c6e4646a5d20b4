"""The regressor that `underdog train` uses, and options that are for classes only."""

from __future__ import annotations

from typing import Any

import numpy as np
import typer

from underdog.cli.algorithms import regressors
from underdog.cli.task import Task
from underdog.frames.errors import BadData, listed


def regressor_name(name: str) -> str:
    """The regressor that --model names: "gradientboosting" is enough."""
    for each in (name, f"{name}regressor"):
        if each in regressors():
            return each
    raise typer.BadParameter(
        f"--model {name} is for classes, but the target is numbers: give {listed(regressors())}, "
        "or leave --model out"
    )


def refuse_class_options(given: dict[str, Any], target: str) -> None:
    """Refuse options that have no meaning for numbers."""
    for option, value in given.items():
        if value is not None:
            raise typer.BadParameter(
                f"{option} is for classes, but {target or 'the target'} is predicted as a number: "
                f"leave {option} out, or give --task classification"
            )


def check_loss(loss: Any, task: Task) -> None:
    """Refuse a loss that does not exist, and one for counts if the target is not counts."""
    from underdog.estimators.gradient_boosting_regressor import LOSSES

    if loss is not None and loss not in LOSSES:
        raise typer.BadParameter(f"--loss {loss}: give one of {', '.join(LOSSES)}")
    if loss == "poisson" and bool((wrong := task.y < 0.0).any()):
        place = int(np.flatnonzero(wrong)[0])
        raise BadData(
            f"{task.y[place]:g} is negative, but --loss poisson is for counts of 0 or more: use "
            "another loss",
            path=task.source, row=int(task.rows[place]) + 1, column=task.target or None,
        )  # fmt: skip
