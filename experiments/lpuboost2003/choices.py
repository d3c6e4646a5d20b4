"""Which setting of a family is best, on the test documents or by cross-validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.lpuboost2003 import baselines, grid
from experiments.lpuboost2003.data import FOLDS, Sample
from experiments.lpuboost2003.grid import BOOSTERS, Setting, f1

COLUMNS = (*BOOSTERS, *baselines.FAMILIES)


@dataclass(frozen=True)
class Choice:
    """A setting and how it did."""

    setting: str
    f1: float
    result: dict[str, Any]
    fold_f1: float = 0.0
    """Mean over the models of the folds, on the test documents."""

    @property
    def converged(self) -> bool:
        return bool(self.result["status"] == "ok")


class Choices:
    """The settings of each column of the tables, and the best of them.

    Parameters
    ----------
    cells : finished cells
    settings : the grid
    """

    def __init__(self, cells: Mapping[str, Any], settings: Sequence[Setting]) -> None:
        self.cells = cells
        self._names: dict[str, list[tuple[str, Any]]] = {}
        for s in settings:
            column = self._names.setdefault(s.column, [])
            column.append((str(s), lambda sample, s=s: grid.name(sample, s)))
        for how in baselines.SETTINGS:
            column = self._names.setdefault(baselines.family(how), [])
            column.append((how, lambda sample, how=how: f"{sample}/{how}"))

    def tried(self, column: str, sample: Sample) -> dict[str, dict[str, Any]]:
        """Settings of a column that gave a model on this sample, with their results."""
        found = {s: self.cells.get(name(sample), {}) for s, name in self._names[column]}
        return {setting: result for setting, result in found.items() if "test" in result}

    def missing(self, column: str, sample: Sample) -> int:
        """Cells that have not been computed."""
        return sum(name(sample) not in self.cells for _, name in self._names[column])

    def statuses(self, column: str, sample: Sample) -> list[str]:
        """How each setting ended."""
        cells = [self.cells.get(name(sample), {}) for _, name in self._names[column]]
        return [cell["status"] for cell in cells if cell]

    def on_test(self, column: str, sample: Sample, part: str = "") -> Choice | None:
        """The best on the test documents, among the settings whose name has `part` in it."""
        tried = {s: r for s, r in self.tried(column, sample).items() if part in s}
        if not tried:
            return None
        best = max(tried, key=lambda setting: f1(tried[setting]["test"]))
        return Choice(best, f1(tried[best]["test"]), tried[best])

    def by_folds(self, column: str, topic: str) -> Choice | None:
        """The best mean F1 on the folds left out; its F1 on the test documents."""
        whole = self.tried(column, Sample(topic))
        folds = [self.tried(column, Sample(topic, fold=fold)) for fold in range(FOLDS)]
        if any(self.missing(column, Sample(topic, fold=fold)) for fold in range(FOLDS)):
            return None
        means = {}
        for setting in whole:
            held = [fold[setting]["held out"] for fold in folds if setting in fold]
            scores = [f1(found) for found in held if found[0] + found[2]]  # a fold may have none
            if scores:
                means[setting] = float(np.mean(scores))
        if not means:
            return None
        best = max(means, key=lambda setting: means[setting])
        tests = [f1(fold[best]["test"]) for fold in folds if best in fold]
        return Choice(best, f1(whole[best]["test"]), whole[best], float(np.mean(tests)))
