"""Interrupted training: finished folds beside the model file, finished rounds in it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import typer

from underdog.cli.deciding import DecidedTrial
from underdog.cli.plan import Plan, Trial
from underdog.cli.saving import writing
from underdog.cli.task import Task
from underdog.comparison.checkpoint import Checkpoint, finished_in
from underdog.files import inspect, load

KEY = "unfinished"
"""Note in the file of a model whose training was stopped: the fingerprint of that training."""


class TrainingCheckpoint:
    """What is kept for `--resume`.

    Parameters
    ----------
    output : Path
        The model file; the folds are kept in a file of the same name with ".part".
    resume : bool
        Whether to continue an interrupted training.
    force : bool
        Whether an existing model may be replaced.

    Attributes
    ----------
    total : int
        How many fits the cross-validation has; 0 before that is known.
    """

    def __init__(self, output: Path, resume: bool, force: bool) -> None:
        self.output, self.resume = output, resume
        self.part = output.with_name(output.name + ".part")
        self._stopped = _stopped(output) if resume and output.exists() else None
        self.total = 0
        self._kept: Checkpoint | None = None
        if output.exists() and not force and self._stopped is None:
            if resume:
                raise typer.BadParameter(
                    f"nothing to resume: {output} is a finished model; replace it with --force, or "
                    "give another name with --output"
                )
            raise typer.BadParameter(
                f"{output} exists: replace it with --force, or give another name with --output"
            )
        # One without content, as a full disk may leave it, can be replaced.
        if self.part.exists() and finished_in(self.part) != 0 and not force and not resume:
            raise typer.BadParameter(
                f"{self.part} is from a training run that was stopped: continue it with --resume, "
                "or start again with --force"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the file of folds if it is empty."""
        if self.begun and not self.finished:
            self.part.unlink(missing_ok=True)

    def begin(self, plan: Plan, task: Task) -> None:
        """Find what was kept of this training; refuse to continue with other data or options."""
        self.fingerprint = _fingerprint(plan, task)
        if not self.resume:
            with writing(self.part):
                self.part.unlink(missing_ok=True)
        elif self._stopped is not None and self._stopped != self.fingerprint:
            raise typer.BadParameter(
                f"{self.output} was started with other data or options: {GIVE_SAME}"
            )
        with writing(self.part):
            try:
                self._kept = Checkpoint(self.part, self.fingerprint)
            except ValueError:
                raise typer.BadParameter(
                    f"{self.part} was started with other data or options: {GIVE_SAME}"
                ) from None

    @property
    def begun(self) -> bool:
        """Whether `begin` has opened the file of folds."""
        return self._kept is not None

    @property
    def finished(self) -> int:
        """How many fits are in the file, which is read again, since the last one may be cut off."""
        return finished_in(self.part) or 0

    def message(self, failed: bool = False) -> str:
        """What is kept of the cross-validation, and how to continue; also after an error."""
        if not self.finished:
            return "nothing was kept"
        kept = f"{self.finished} of {self.total} fits are kept in {self.part}"
        if failed:
            return (
                f"{kept}; the same command would fail again until the problem is solved: after "
                "that, --resume continues from them (with other data or options give --force)"
            )
        return f"{kept}; continue with the same command and --resume"

    @property
    def trials(self) -> list[Trial]:
        """The finished fits."""
        rows = [] if self._kept is None else self._kept.rows
        return [DecidedTrial(**{k: v for k, v in row.items() if k != "error"}) for row in rows]

    def add(self, trial: Trial) -> None:
        """Keep a finished fit."""
        if self._kept is not None:
            kept = {name: _plain(value) for name, value in vars(trial).items()}
            with writing(self.part):
                self._kept.add({**kept, "error": ""})

    def model(self) -> Any:
        """The model with the rounds so far, or None."""
        return None if self._stopped is None else load(self.output)

    def end(self) -> None:
        """Remove the file of folds: the model is saved."""
        self.part.unlink(missing_ok=True)


FREE = ("n_jobs", "verbose")
"""Parameters that do not change the result."""
GIVE_SAME = "repeat the same command with --resume, or start again with --force"


def _settings(booster: Any) -> list[tuple[str, Any]]:
    """Parameters that change the result."""
    parameters = booster.get_params(deep=False)
    return sorted((name, value) for name, value in parameters.items() if name not in FREE)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _stopped(output: Path) -> str | None:
    """The fingerprint in the file of a model whose training was stopped; None if it was not."""
    notes = inspect(output)["notes"]
    return notes.get(KEY) if isinstance(notes, dict) else None


def _fingerprint(plan: Plan, task: Task) -> str:
    """A digest of the data and of all options that change the result."""
    digest = hashlib.sha256()
    for name, model in plan.models.items():
        digest.update(repr((name, _settings(model))).encode())
    roles = None if plan.encoder is None else plan.encoder.roles
    asked = (roles, *plan.asked, plan.folds, plan.seed, task.kind, task.target, task.fold_column)
    digest.update(repr((asked, task.y.dtype)).encode())
    for array in (task.y, task.weights, task.rows, task.groups, task.time):
        digest.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    if task.is_frame:
        for name in task.X.columns:
            digest.update(f"{name}{task.X[name].dtype}".encode())
            digest.update(task.X[name].hash(0).to_numpy().tobytes())
    else:
        for array in (task.X.data, task.X.indices, task.X.indptr):
            digest.update(array.tobytes())
    return digest.hexdigest()
