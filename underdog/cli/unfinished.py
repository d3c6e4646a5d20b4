"""Work that was stopped: finished folds beside the model's file, finished rounds in it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from underdog.cli.task import Task
from underdog.cli.training import Plan, Trial
from underdog.comparison.checkpoint import Checkpoint
from underdog.files import inspect, load

KEY = "unfinished"
"""Note in a model's file whose training was stopped: the fingerprint of that training."""


class Unfinished:
    """What is kept of a training for `--resume`.

    Parameters
    ----------
    output : Path
        Where the model goes; the folds go to the same name with ".part".
    resume : bool
        Whether to go on with what is there.
    force : bool
        Whether a model that is there may be replaced.
    """

    def __init__(self, output: Path, resume: bool, force: bool) -> None:
        if not output.parent.is_dir():
            raise ValueError(f"--output {output}: there is no folder {str(output.parent)!r}")
        if output.is_dir():
            raise ValueError(f"--output {output} is a folder: give the name of a file")
        self.output, self.resume = output, resume
        self.part = output.with_name(output.name + ".part")
        self._stopped = inspect(output)["notes"] if resume and output.exists() else {}
        if output.exists() and not force and not (resume and KEY in self._stopped):
            raise ValueError(
                f"{output} exists: replace it with --force, or choose another name with --output"
            )

    def begin(self, plan: Plan, task: Task) -> None:
        """Find what belongs to this training; other data or options are refused."""
        self.fingerprint = _fingerprint(plan, task)
        if not self.resume:
            self.part.unlink(missing_ok=True)
        elif self._stopped and self._stopped[KEY] != self.fingerprint:
            raise ValueError(f"{self.output} was begun with other data or options: {GIVE_SAME}")
        try:
            self._kept = Checkpoint(self.part, self.fingerprint)
        except ValueError:
            raise ValueError(
                f"{self.part} was begun with other data or options: {GIVE_SAME}"
            ) from None

    @property
    def trials(self) -> list[Trial]:
        """Those that are finished."""
        return [Trial(**{k: v for k, v in row.items() if k != "error"}) for row in self._kept.rows]

    def add(self, trial: Trial) -> None:
        """Keep a finished one."""
        kept = {name: _plain(value) for name, value in vars(trial).items()}
        self._kept.add({**kept, "error": ""})

    def model(self) -> Any:
        """The model with the rounds so far, or None."""
        return load(self.output) if self._stopped else None

    def end(self) -> None:
        """All is done."""
        self.part.unlink(missing_ok=True)


GIVE_SAME = "give the same command with --resume, or leave --resume out to begin anew (--force)"


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _fingerprint(plan: Plan, task: Task) -> str:
    """Of the data and of everything that was asked for."""
    digest = hashlib.sha256()
    for thing in (*plan.boosters.items(), plan.encoder, plan.costs, plan.choose, plan.folds):
        digest.update(repr(thing).encode())
    digest.update(repr((plan.seed, task.target, task.y.tolist())).encode())
    if task.is_frame:
        for name in task.X.columns:
            digest.update(f"{name}{task.X[name].dtype}".encode())
            digest.update(task.X[name].hash(0).to_numpy().tobytes())
    else:
        for array in (task.X.data, task.X.indices, task.X.indptr):
            digest.update(array.tobytes())
    return digest.hexdigest()
