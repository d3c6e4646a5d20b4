"""Training of a regressor: cross-validation and final model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from underdog.cli.held_out import show_held_out
from underdog.cli.measures_table import evaluation_dict, with_intervals
from underdog.cli.number_report import (
    about_numbers,
    show_number_result,
    show_numbers,
    show_residuals,
)
from underdog.cli.plan import CrossValidation, Plan, Quality, Trial, in_order
from underdog.cli.screen import Screen
from underdog.cli.suspicion import NEARLY, suspect
from underdog.cli.task import Task
from underdog.comparison.evaluation import Evaluation, MeasuredNumbers
from underdog.comparison.measures import MEASURES
from underdog.comparison.names import CONSTANTS
from underdog.comparison.number_evaluator import NumberEvaluator
from underdog.data.folds import Fold, held_out_ratio, rows_in_folds
from underdog.types import Floats, Integers


@dataclass(frozen=True, eq=False)
class NumberValidation(CrossValidation):
    """The result of one model.

    Attributes
    ----------
    rows : (n,) rows that are tested in a fold
    predicted : (n,) out of fold; (n, K) for several quantiles
    baseline : the best constant, in the same folds
    """

    rows: Integers
    predicted: Floats
    baseline: CrossValidation


@dataclass(frozen=True, eq=False)
class NumberPlan(Plan):
    """How to train a regressor.

    Attributes
    ----------
    judge : how predictions are measured
    """

    judge: NumberEvaluator

    with_classes = False

    @property
    def asked(self) -> tuple[Any, ...]:
        """By what predictions are judged."""
        return (self.judge,)

    @property
    def measure(self) -> str:
        """The measure that suits the loss."""
        return self.judge.main

    def show_target(self, screen: Screen, task: Task) -> None:
        """The range of the target."""
        show_numbers(screen.message, task.target, about_numbers(task.y))

    def predict(self, model: Any, X: Any) -> tuple[Any, Any]:
        """Predictions, and nothing else."""
        return model.predict(X), None

    def validate(self, task: Task, folds: list[Fold], found: list[Trial]) -> NumberValidation:
        """Measure a model, and the best constant, by rows that they were not trained on."""
        found = sorted(found, key=lambda trial: trial.fold)
        predicted = in_order([trial.scores for trial in found], folds)
        rows, parts = rows_in_folds(folds)
        by_fold, constants = [], []
        for (train, test), (_, own) in zip(folds, parts, strict=True):
            weights = None if task.weights is None else task.weights[train]
            constant = self.judge.constant(task.y[train], weights, len(test))
            by_fold.append(self.judge.measure(task.y[test], predicted[own]))
            constants.append(self.judge.measure(task.y[test], constant))
        ratio = held_out_ratio(folds)
        baseline = CrossValidation(constants, ratio)
        return NumberValidation(by_fold, ratio, rows, predicted, baseline)

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
        found |= self._calibration(task.y[result.rows], result.predicted)
        sign = 1.0 if MEASURES[self.measure].larger_is_better else -1.0
        own, constant = (
            sign * np.mean([fold[self.measure] for fold in each.by_fold])
            for each in (result, result.baseline)
        )
        if own <= constant:
            found["constant_is_as_good"] = True
        return target, found

    def _calibration(self, y: Floats, predicted: Floats) -> dict[str, Any]:
        """The share of rows below each quantile, and residuals by decile."""
        found: dict[str, Any] = {}
        if self.judge.quantiles is not None:
            found["quantiles_below"] = self.judge.below(y, predicted)
        return {**found, "deciles": self.judge.deciles(y, predicted)}

    def evaluate(self, task: Task, model: Any) -> dict[str, Any]:
        """Measures with their intervals, and residuals by decile."""
        predicted = task.naming_file(lambda: model.predict(task.X))
        measured = Evaluation(MeasuredNumbers(self.judge, task.y, predicted))
        return {**evaluation_dict(measured), **self._calibration(task.y, predicted)}

    def show_held_out(self, screen: Screen, found: dict[str, Any]) -> None:
        """The same for people."""
        show_held_out(screen, self.name, found)
        show_residuals(screen, found)

    def quality(self, task: Task, result: NumberValidation) -> Quality:
        """R2; of quantiles that of the median, without which nothing is too good."""
        y = task.y[result.rows]
        value = self.judge.measure(y, result.predicted).get("r2", -np.inf)
        return Quality(value, value >= 1.0 - NEARLY)

    def suspect(
        self,
        task: Task,
        booster: Any,
        result: NumberValidation,
        folds: list[Fold],
        screen: Screen,
    ) -> dict[str, Any] | None:
        """The column to check if nearly nothing of the variance is left; else None."""
        found = suspect(self, task, booster, result, folds, screen)
        if found is None:
            return None
        return {
            "r2": self.quality(task, result).value, "column": found.column,
            "column_r2": found.value, "alone": found.alone, "columns": found.columns,
        }  # fmt: skip

    def show_result(self, screen: Screen, summary: dict[str, Any]) -> None:
        """Measures, and residuals by decile."""
        show_number_result(screen, summary)
