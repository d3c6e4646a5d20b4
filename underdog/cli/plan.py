"""What to train and how: what does not depend on whether classes or numbers are predicted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, ClassVar, NamedTuple

import numpy as np

from underdog.cli.screen import Screen
from underdog.cli.task import Task
from underdog.comparison.class_evaluator import over_folds
from underdog.data import Table
from underdog.data.folds import Fold, FoldRows, left_out_together, make_folds
from underdog.frames import FrameEncoder
from underdog.frames.errors import BadData
from underdog.types import Floats


@dataclass(frozen=True)
class Trial:
    """One model on one fold: its predictions for the rows of the fold.

    `scores` are what `Plan.predict` returns first; `probabilities` may be None.
    """

    name: str
    fold: int
    scores: Any
    probabilities: Any
    rules: float
    seconds: float


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """The result of one model.

    Attributes
    ----------
    by_fold : measures in each fold
    ratio : test rows for each training row
    """

    by_fold: list[dict[str, float]]
    ratio: float

    @property
    def measures(self) -> dict[str, tuple[float, float]]:
        """Mean and half-width of its 95% interval."""
        return over_folds(self.by_fold)


class Quality(NamedTuple):
    """How good predictions are, by a number of which more is better."""

    value: float
    nearly_perfect: bool


@dataclass(frozen=True, eq=False)
class Plan(ABC):
    """What to train, and how.

    Attributes
    ----------
    name : the algorithm, as the command line calls it
    booster : unfitted
    encoder : unfitted FrameEncoder, or None where X is a matrix
    folds : number of folds, 0 for none
    seed : of the folds
    baselines : unfitted models of other libraries by name, which are only measured
    choices : what was chosen for these data and why, in sentences
    """

    with_classes: ClassVar[bool]
    """Whether classes are predicted."""

    name: str
    booster: Any
    encoder: FrameEncoder | None
    folds: int
    seed: int
    baselines: dict[str, Any] = field(default_factory=dict, kw_only=True)
    choices: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def models(self) -> dict[str, Any]:
        """All models that are measured in the folds."""
        return {self.name: self.booster, **self.baselines}

    @property
    @abstractmethod
    def asked(self) -> tuple[Any, ...]:
        """Everything else that changes the result."""

    @property
    @abstractmethod
    def measure(self) -> str:
        """The measure by which models are ranked, as in `underdog compare`."""

    @abstractmethod
    def show_target(self, screen: Screen, task: Task) -> None:
        """What is to be predicted."""

    def make_folds(self, task: Task, X: Any) -> list[Fold]:
        """Folds of these rows, given as they are encoded; none if there is no cross-validation."""
        if not self.folds:
            return []
        count, rows = self.count_folds(task), self.fold_rows(task, X)
        try:
            return make_folds(count, rows, self.seed)
        except ValueError as error:
            raise BadData(str(error), path=task.source, column=task.fold_column) from None

    def fold_rows(self, task: Task, X: Any) -> FoldRows:
        """What the folds depend on."""
        table = Table.from_data(X)
        return FoldRows(table, task.y, self.with_classes, task.groups, task.time, task.weights)

    def count_folds(self, task: Task) -> int:
        """The number of folds, perhaps fewer than asked for."""
        return self.folds

    def given(self, name: str, task: Task, rows: Any, X: Any) -> dict[str, Any]:
        """What else a model is fitted with, for some rows, given as they are encoded.

        Rows that the folds keep together are left out together by early stopping, too.
        """
        apart = task.groups is not None or task.time is not None
        if not apart or name != self.name or not self.booster.early_stopping:
            return {}
        if "folds" not in signature(self.booster.fit).parameters:
            return {}
        groups, time, weights = (
            None if own is None else own[rows] for own in (task.groups, task.time, task.weights)
        )
        own = FoldRows(Table.from_data(X), task.y[rows], self.with_classes, groups, time, weights)
        return {"folds": left_out_together(own, self.booster.random_state)}

    @abstractmethod
    def predict(self, model: Any, X: Any) -> tuple[Any, Any]:
        """What is needed to judge a fitted model: scores and probabilities, or predictions."""

    @abstractmethod
    def validate(self, task: Task, folds: list[Fold], found: list[Trial]) -> Any:
        """Measure one model by its predictions for rows that it was not trained on."""

    @abstractmethod
    def assemble(self, task: Task, encoder: Any, booster: Any, result: Any) -> Any:
        """The final model, from raw rows to predictions."""

    @abstractmethod
    def summary(
        self, task: Task, model: Any, result: Any | None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is known about the target, and about predictions, as plain values."""

    @abstractmethod
    def quality(self, task: Task, result: Any) -> Quality:
        """How good the predictions of a model are for rows that it was not trained on."""

    @abstractmethod
    def suspect(
        self,
        task: Task,
        booster: Any,
        result: Any,
        folds: list[Fold],
        screen: Screen,
    ) -> dict[str, Any] | None:
        """The column to check if the result may be too good to be true; else None."""

    @abstractmethod
    def evaluate(self, task: Task, model: Any) -> dict[str, Any]:
        """Measures of the final model on held-out rows, as plain values."""

    @abstractmethod
    def show_held_out(self, screen: Screen, found: dict[str, Any]) -> None:
        """The same for people."""

    @abstractmethod
    def show_result(self, screen: Screen, summary: dict[str, Any]) -> None:
        """How good the model is, for people."""


def in_order(parts: list[Any], folds: list[Fold]) -> Floats:
    """Values of all folds in the order of the rows that they test."""
    made = np.concatenate([np.asarray(part, dtype=np.float64) for part in parts])
    order = np.argsort(np.concatenate([test for _, test in folds]), kind="stable")
    result: Floats = made[order]
    return result
