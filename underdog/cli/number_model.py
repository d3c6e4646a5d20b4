"""A regressor from a file: its predictions for new rows, and how good they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import typer

from underdog.cli.loading import Loaded
from underdog.cli.number_evaluator import NumberEvaluator
from underdog.cli.number_report import about_numbers, show_number_measures, show_numbers
from underdog.cli.screen import Screen
from underdog.cli.target import values_of
from underdog.inspection.unwrap import unwrap
from underdog.reading import Data
from underdog.types import Floats, Integers


class NumberModel(Loaded):
    """A model that predicts numbers."""

    missing = "a value of the target"

    @property
    def scoring(self) -> str:
        """The loss that was minimised."""
        return "loss"

    def targets_of(self, data: Data, target: str | None) -> tuple[Any, Any]:
        """Numbers, and the rows of the file that have one."""
        return values_of(data, self.named_target(target))

    def predict(self, data: Data, rows: Integers) -> Floats:
        """(n,) predictions; (n, K) for several quantiles."""
        found: Floats = self.last.predict(self.table_of(data, rows))
        return found

    def columns_of(self, data: Data) -> dict[str, Any]:
        """The prediction; one column for each of several quantiles."""
        found = self.predict(data, np.arange(len(data)))
        if found.ndim == 1:
            return {"prediction": found.tolist()}
        names = unwrap(self.last).booster._labels.names
        return {name: found[:, place].tolist() for place, name in enumerate(names)}

    def evaluate(
        self, data: Data, target: str | None, costs: dict[str, float] | None, screen: Screen
    ) -> dict[str, Any]:
        """Measures, and residuals by decile."""
        if costs is not None:
            raise typer.BadParameter(
                f"--cost is for classes, but {self.path} predicts numbers: leave it out"
            )
        y, rows = self.targets_of(data, target)
        judge = NumberEvaluator.from_booster(unwrap(self.last).booster)
        predicted = self.predict(data, rows)
        found: dict[str, Any] = {"rows": len(y), "measures": judge.measure(y, predicted)}
        if judge.quantiles is not None:
            found["quantiles_below"] = judge.below(y, predicted)
        found["deciles"] = judge.deciles(y, predicted)
        screen.print(f"{self.path} on {data.source}: {len(y):,} rows")
        show_numbers(screen.print, self.named_target(target) or "", about_numbers(y))
        show_number_measures(screen, found)
        return found
