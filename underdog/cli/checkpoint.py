"""Work that was stopped: finished folds beside the model's file, finished rounds in it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import typer

from underdog.cli.saving import writing
from underdog.cli.task import Task
from underdog.cli.training import Plan, Trial
from underdog.comparison.checkpoint import Checkpoint, finished_in
from underdog.files import inspect, load

KEY = "unfinished"
"""Note in a model's file whose training was stopped: the fingerprint of that training."""


class TrainingCheckpoint:
    """What is kept of a training for `--resume`.

    Parameters
    ----------
    output : Path
        Where the model goes; the folds go to the same name with ".part".
    resume : bool
        Whether to go on with what is there.
    force : bool
        Whether a model that is there may be replaced.

    Attributes
    ----------
    total : int
        How many fits the cross-validation has; 0 before that is known.
    """

    def __init__(self, output: Path, resume: bool, force: bool) -> None:
        if not output.parent.is_dir():
            raise typer.BadParameter(f"--output {output}: there is no folder {output.parent}")
        if output.is_dir():
            raise typer.BadParameter(f"--output {output} is a folder: give the name of a file")
        self.output, self.resume = output, resume
        self.part = output.with_name(output.name + ".part")
        self._stopped = _stopped(output) if resume and output.exists() else None
        self.total = 0
        self._kept: Checkpoint | None = None
        if output.exists() and not force and self._stopped is None:
            raise typer.BadParameter(
                f"{output} exists: replace it with --force, or choose another name with --output"
            )
        # One that holds nothing, as a full disk may leave it, is in nobody's way.
        if self.part.exists() and finished_in(self.part) != 0 and not force and not resume:
            raise typer.BadParameter(
                f"{self.part} is of a training that was stopped: go on with --resume, or begin "
                "anew with --force"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave no file behind with nothing in it."""
        if self.begun and not self.finished:
            self.part.unlink(missing_ok=True)

    def begin(self, plan: Plan, task: Task) -> None:
        """Find what belongs to this training; other data or options are refused."""
        self.fingerprint = _fingerprint(plan, task)
        if not self.resume:
            with writing(self.part):
                self.part.unlink(missing_ok=True)
        elif self._stopped is not None and self._stopped != self.fingerprint:
            raise typer.BadParameter(
                f"{self.output} was begun with other data or options: {GIVE_SAME}"
            )
        with writing(self.part):
            try:
                self._kept = Checkpoint(self.part, self.fingerprint)
            except ValueError:
                raise typer.BadParameter(
                    f"{self.part} was begun with other data or options: {GIVE_SAME}"
                ) from None

    @property
    def begun(self) -> bool:
        """Whether the file is of this training."""
        return self._kept is not None

    @property
    def finished(self) -> int:
        """How many fits are in the file. It is asked itself, since the last one may be cut off."""
        return finished_in(self.part) or 0

    def message(self) -> str:
        """What is kept of the cross-validation, and how to go on with it."""
        if not self.finished:
            return "nothing is kept"
        return (
            f"{self.finished} of {self.total} fits are kept in {self.part}; the same command with "
            "--resume goes on"
        )

    @property
    def trials(self) -> list[Trial]:
        """Those that are finished."""
        rows = [] if self._kept is None else self._kept.rows
        return [Trial(**{k: v for k, v in row.items() if k != "error"}) for row in rows]

    def add(self, trial: Trial) -> None:
        """Keep a finished one."""
        if self._kept is not None:
            kept = {name: _plain(value) for name, value in vars(trial).items()}
            with writing(self.part):
                self._kept.add({**kept, "error": ""})

    def model(self) -> Any:
        """The model with the rounds so far, or None."""
        return None if self._stopped is None else load(self.output)

    def end(self) -> None:
        """All is done."""
        self.part.unlink(missing_ok=True)


FREE = ("n_jobs", "verbose")
"""Parameters on which no result depends."""
GIVE_SAME = "give the same command with --resume, or leave --resume out to begin anew (--force)"


def _settings(booster: Any) -> list[tuple[str, Any]]:
    """Parameters that a result depends on."""
    parameters = booster.get_params(deep=False)
    return sorted((name, value) for name, value in parameters.items() if name not in FREE)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _stopped(output: Path) -> str | None:
    """The fingerprint in a model's file whose training was stopped."""
    notes = inspect(output)["notes"]
    return notes.get(KEY) if isinstance(notes, dict) else None


def _fingerprint(plan: Plan, task: Task) -> str:
    """Of the data and of everything that was asked for."""
    digest = hashlib.sha256()
    for name, booster in plan.boosters.items():
        digest.update(repr((name, _settings(booster))).encode())
    roles = None if plan.encoder is None else plan.encoder.roles
    asked = (roles, plan.costs, plan.choose, plan.folds, plan.seed, task.target)
    digest.update(repr((asked, task.y.dtype)).encode())
    for array in (task.y, task.weights, task.rows):
        digest.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    if task.is_frame:
        for name in task.X.columns:
            digest.update(f"{name}{task.X[name].dtype}".encode())
            digest.update(task.X[name].hash(0).to_numpy().tobytes())
    else:
        for array in (task.X.data, task.X.indices, task.X.indptr):
            digest.update(array.tobytes())
    return digest.hexdigest()
