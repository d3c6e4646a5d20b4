"""Training of a regressor: cross-validation and final model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from underdog.cli.measures_table import with_intervals
from underdog.cli.number_evaluator import NumberEvaluator
from underdog.cli.number_report import about_numbers, show_number_result, show_numbers
from underdog.cli.plan import CrossValidation, Plan, Quality, Trial, in_order
from underdog.cli.screen import Screen
from underdog.cli.suspicion import NEARLY, suspect
from underdog.cli.task import Task
from underdog.comparison.folds import Fold, number_folds
from underdog.comparison.measures import MEASURES
from underdog.comparison.names import CONSTANTS
from underdog.types import Floats


@dataclass(frozen=True, eq=False)
class NumberValidation(CrossValidation):
    """The result of one candidate.

    Attributes
    ----------
    predicted : (n,) out of fold; (n, K) for several quantiles
    baseline : the best constant, in the same folds
    """

    predicted: Floats
    baseline: CrossValidation


@dataclass(frozen=True, eq=False)
class NumberPlan(Plan):
    """How to train a regressor.

    Attributes
    ----------
    judge : how predictions are measured
    algorithm : the name of all candidates on the command line
    """

    judge: NumberEvaluator
    algorithm: str

    @property
    def asked(self) -> tuple[Any, ...]:
        """By what predictions are judged."""
        return (self.judge,)

    @property
    def measure(self) -> str:
        """The measure that suits the loss."""
        return self.judge.main

    def candidate(self, name: str) -> dict[str, str]:
        """Candidates are the same algorithm with different parameters."""
        return {"algorithm": self.algorithm, "candidate": name}

    def show_target(self, screen: Screen, task: Task) -> None:
        """The range of the target."""
        show_numbers(screen.message, task.target, about_numbers(task.y))

    def make_folds(self, task: Task) -> list[Fold]:
        """Shuffled folds."""
        return number_folds(self.folds, task.y, self.seed) if self.folds else []

    def predict(self, booster: Any, X: Any) -> tuple[Any, Any]:
        """Predictions, and nothing else."""
        return booster.predict(X), None

    def validate(self, task: Task, folds: list[Fold], found: list[Trial]) -> NumberValidation:
        """Measure a candidate, and the best constant, by rows that they were not trained on."""
        found = sorted(found, key=lambda trial: trial.fold)
        predicted = in_order([trial.scores for trial in found], folds)
        by_fold, constants = [], []
        for train, test in folds:
            weights = None if task.weights is None else task.weights[train]
            constant = self.judge.constant(task.y[train], weights, len(test))
            by_fold.append(self.judge.measure(task.y[test], predicted[test]))
            constants.append(self.judge.measure(task.y[test], constant))
        return NumberValidation(by_fold, predicted, CrossValidation(constants))

    def assemble(self, task: Task, encoder: Any, booster: Any, result: Any) -> Any:
        """The booster, after the columns are encoded."""
        return (
            booster if encoder is None else Pipeline([("columns", encoder), ("regressor", booster)])
        )

    def summary(
        self, task: Task, model: Any, result: NumberValidation | None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The range of the target; measures, those of the best constant, residuals by decile."""
        target = {"range": about_numbers(task.y)}
        found: dict[str, Any] = {"measure": self.measure}
        if self.judge.quantiles is not None:
            found["quantiles"] = list(self.judge.quantiles)
        if result is None:
            return target, found
        name = CONSTANTS[self.measure]
        found["folds"] = len(result.by_fold)
        found["measures"] = with_intervals(result)
        found["baseline"] = {
            "name": name,
            "meaning": f"the {name} of the training rows as the prediction for every row",
            "measures": with_intervals(result.baseline),
        }
        if self.judge.quantiles is not None:
            found["quantiles_below"] = self.judge.below(task.y, result.predicted)
        found["deciles"] = self.judge.deciles(task.y, result.predicted)
        sign = 1.0 if MEASURES[self.measure].larger_is_better else -1.0
        own, constant = (
            sign * np.mean([fold[self.measure] for fold in each.by_fold])
            for each in (result, result.baseline)
        )
        if own <= constant:
            found["constant_is_as_good"] = True
        return target, found

    def quality(self, task: Task, result: NumberValidation) -> Quality:
        """R2; of quantiles that of the median, without which nothing is too good."""
        value = self.judge.measure(task.y, result.predicted).get("r2", -np.inf)
        return Quality(value, value >= 1.0 - NEARLY)

    def suspect(
        self,
        task: Task,
        booster: Any,
        name: str,
        result: NumberValidation,
        folds: list[Fold],
        screen: Screen,
    ) -> dict[str, Any] | None:
        """The column to check if nearly nothing of the variance is left; else None."""
        found = suspect(self, task, booster, name, result, folds, screen)
        if found is None:
            return None
        return {
            "r2": self.quality(task, result).value, "column": found.column,
            "column_r2": found.value, "alone": found.alone, "columns": found.columns,
        }  # fmt: skip

    def show_result(self, screen: Screen, summary: dict[str, Any]) -> None:
        """Measures, and residuals by decile."""
        show_number_result(screen, summary)
