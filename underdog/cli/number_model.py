"""A regressor from a file: its predictions for new rows, and how good they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import typer

from underdog.checks import notify
from underdog.cli.drift import compare_data, show_check
from underdog.cli.loading import EvaluateOptions, Loaded
from underdog.cli.measures_table import evaluation_dict, show_evaluation, show_groups
from underdog.cli.number_report import about_numbers, show_numbers, show_residuals
from underdog.cli.screen import Screen
from underdog.cli.target import values_of
from underdog.cli.wording import digits_of
from underdog.codes.thresholds import ThresholdLabels
from underdog.comparison.evaluation import Evaluation, MeasuredNumbers
from underdog.comparison.number_evaluator import NumberEvaluator
from underdog.inspection.rows import Contributions
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.reading import Data
from underdog.types import Floats, Integers


class NumberModel(Loaded):
    """A model that predicts numbers."""

    missing = "a value of the target"

    @property
    def scoring(self) -> str:
        """The loss that was minimised."""
        return "loss"

    def with_prevalence(self, given: dict[str, float]) -> NumberModel:
        """Refused: numbers have no shares."""
        raise typer.BadParameter(
            f"--prevalence is for classes, but {self.path} predicts numbers: leave it out"
        )

    def decision(self, explained: UnwrappedModel) -> str:
        """Nothing: the score is the prediction, or its logarithm."""
        return "predicts exp(score)" if explained.on_log_scale else ""

    def verdict(self, why: Contributions, X: Any) -> tuple[str, list[int], dict[str, Any]]:
        """The predicted number, or all quantiles."""
        found = np.ravel(why.predicted[0])
        digits = digits_of(found.tolist(), 6)
        numbers = [f"{value:{digits}}" for value in found.tolist()]
        shown = list(range(len(why.labels)))
        if isinstance(why.explained.booster._labels, ThresholdLabels):
            # The last threshold that the prediction is above: the others are like it.
            shown = [max(0, int((why.scores[0] > 0.0).sum()) - 1)]
        if len(numbers) == 1:
            exp = ", exp of the total" if why.explained.on_log_scale else ""
            return f"predicted {numbers[0]}{exp}", shown, {}
        named = zip(why.labels, numbers, strict=True)
        return f"predicted {', '.join(f'{number} ({name})' for name, number in named)}", shown, {}

    def targets_of(self, data: Data, target: str | None) -> tuple[Any, Any]:
        """Numbers, and the rows of the file that have one."""
        return values_of(data, self.named_target(target))

    def predict(self, data: Data, rows: Integers) -> Floats:
        """(n,) predictions; (n, K) for several quantiles."""
        found: Floats = self.last.predict(self.table_of(data, rows))
        return found

    def crossing(self, data: Data, rows: Integers) -> float:
        """Share of the rows whose quantiles crossed and were sorted; 0 if there is only one."""
        booster = unwrap(self.last).booster
        several = len(getattr(booster._labels, "names", ())) > 1 and hasattr(booster, "crossing")
        return float(booster.crossing(self.table_of(data, rows))) if several else 0.0

    def columns_of(self, data: Data) -> dict[str, Any]:
        """The prediction; one column for each of several quantiles."""
        rows = np.arange(len(data))
        found = self.predict(data, rows)
        if found.ndim == 1:
            return {"prediction": found.tolist()}
        if share := self.crossing(data, rows):
            notify(f"{_crossed(share)} of the predictions")
        names = unwrap(self.last).booster._labels.names
        return {name: found[:, place].tolist() for place, name in enumerate(names)}

    def evaluate(self, data: Data, asked: EvaluateOptions, screen: Screen) -> dict[str, Any]:
        """Measures, residuals by decile, and subgroups."""
        if asked.costs is not None:
            raise typer.BadParameter(
                f"--cost is for classes, but {self.path} predicts numbers: leave it out"
            )
        y, rows = self.targets_of(data, asked.target)
        judge = NumberEvaluator.from_booster(unwrap(self.last).booster)
        predicted = self.predict(data, rows)
        measured = MeasuredNumbers(judge, y, predicted)
        evaluation = Evaluation(measured, asked.groups(data, rows))
        found = evaluation_dict(evaluation)
        if judge.quantiles is not None:
            found["quantiles_below"] = judge.below(y, predicted)
        if predicted.ndim > 1:
            found["crossing"] = self.crossing(data, rows)
        found["deciles"] = judge.deciles(y, predicted)
        screen.print(f"{self.path} on {data.source}: {len(y):,} rows")
        show_numbers(screen.print, self.named_target(asked.target) or "", about_numbers(y))
        show_evaluation(screen, evaluation)
        show_residuals(screen, found)
        if predicted.ndim > 1:
            screen.print(f"{_crossed(found['crossing']).capitalize()} of the rows.")
        show_groups(screen, evaluation)
        check = compare_data(self, data, judge.center(predicted), rows)
        show_check(screen, check)
        found["training_data"] = None if check is None else check.to_dict()
        return found


def _crossed(share: float) -> str:
    return f"quantiles crossed, and were sorted, in {share:.1%}"
