"""Regressors of other libraries as rules, which predict any number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.core import Blocks
from underdog.data import EncodedRows, Schema, Table
from underdog.types import Floats


@dataclass(frozen=True, eq=False)
class ForeignRegressor:
    """A fitted regressor of another library.

    It has no blocks of rows with one value each. So it has no place in a sum of steps, only in a
    median of predictions: all rows are in one block, whose value is 0.

    Attributes
    ----------
    regressor : fitted regressor, which predicts the target in its own unit
    unit : float
        What a score of 1 of the run is worth.
    limits : (low, high)
        Predictions outside of them are the nearest of both.
    """

    regressor: Any
    unit: float
    limits: tuple[float, float] = (-math.inf, math.inf)

    @property
    def values(self) -> Floats:
        return np.zeros((1, 1))

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> Blocks:
        return Blocks(np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64), 0)

    def predictions(self, table: Table) -> Floats:
        """(n,) in the unit of the target."""
        found = np.asarray(self.regressor.predict(table.matrix()), dtype=np.float64)
        return np.clip(found.reshape(len(table)), *self.limits)

    def words(self, names: Schema) -> str:
        return type(self.regressor).__name__
