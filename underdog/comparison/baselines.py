"""Models of other libraries, beside which boosters are measured; they take any columns."""

from __future__ import annotations

import importlib
import importlib.util
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from underdog.checks import is_missing
from underdog.comparison.names import LIGHTGBM, LOGISTIC, RIDGE
from underdog.data import Table
from underdog.data.columns import CategoryColumns, Coded, SparseColumns

OBJECTIVES = {"rmse": "regression", "mae": "regression_l1", "deviance": "poisson"}
"""What LightGBM minimises, by the measure of numbers."""
MEASURED_BY_RIDGE = ("rmse", "mae")
"""Measures by which ridge regression is a fair baseline."""
UNKNOWN = -1


class NumberMatrix(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Columns of any form as one matrix of numbers, dense if all of them are.

    Parameters
    ----------
    scaled : bool, default=False
        For linear models: numbers are standardised, a missing one is the mean and has an indicator,
        and sparse columns are divided by their largest absolute value.

    Every level of a category has an indicator; missing and unknown levels have none.
    """

    def __init__(self, scaled: bool = False) -> None:
        self.scaled = scaled

    def fit(self, X: Any, y: Any = None) -> NumberMatrix:
        """Learn the levels, means and scales."""
        self.parts_ = [self._learned(group) for group in Table.from_data(X).groups]
        return self

    def _learned(self, group: Any) -> Any:
        """What is known about one form of columns: levels, or a fitted scaler, or nothing."""
        if isinstance(group, CategoryColumns):
            return [_levels(group.given[c]) for c in range(group.n_columns)]
        if not self.scaled or not group.n_columns:
            return None
        if isinstance(group, SparseColumns):
            return MaxAbsScaler().fit(group.matrix.astype(np.float64))
        filled = SimpleImputer(add_indicator=True, keep_empty_features=True)
        return make_pipeline(filled, StandardScaler()).fit(_finite(group.matrix))

    def transform(self, X: Any) -> Any:
        """(n, d) matrix, dense or CSR."""
        made: list[Any] = []
        for group, known in zip(Table.from_data(X).groups, self.parts_, strict=True):
            if isinstance(group, CategoryColumns):
                made += [_indicators(group.given[c], own) for c, own in enumerate(known)]
            elif isinstance(group, SparseColumns):
                matrix = group.matrix.astype(np.float64)
                made.append(matrix if known is None else known.transform(matrix))
            elif known is None:
                made.append(group.matrix.astype(np.float64))
            else:
                made.append(known.transform(_finite(group.matrix)))
        if any(sp.issparse(part) for part in made):
            return sp.csr_matrix(sp.hstack(made, format="csr"))
        return np.hstack(made)


def _finite(matrix: Any) -> Any:
    """Numbers, of which infinite ones are missing."""
    numbers = np.asarray(matrix, dtype=np.float64)
    return np.where(np.isfinite(numbers), numbers, np.nan)


def _levels(column: Any) -> dict[Any, int]:
    """Places of the levels that occur."""
    found = column.distinct() if isinstance(column, Coded) else dict.fromkeys(column)
    levels = (level for level in found if not is_missing(level))
    return {level: place for place, level in enumerate(levels)}


def _indicators(column: Any, known: dict[Any, int]) -> Any:
    """(n, levels) a column for each level."""
    values = column.levels if isinstance(column, Coded) else column
    places = np.array([known.get(value, UNKNOWN) for value in values], dtype=np.intp)
    if isinstance(column, Coded):
        places = places[column.codes]
    rows = np.flatnonzero(places != UNKNOWN)
    shape = (len(places), len(known))
    return sp.csr_matrix((np.ones(len(rows)), (rows, places[rows])), shape=shape)


def has_lightgbm() -> bool:
    """Whether LightGBM is installed."""
    return importlib.util.find_spec("lightgbm") is not None


def logistic() -> Pipeline:
    """Logistic regression."""
    return make_pipeline(NumberMatrix(scaled=True), LogisticRegression(max_iter=1000))


def ridge() -> Pipeline:
    """Ridge regression."""
    return make_pipeline(NumberMatrix(scaled=True), Ridge())


def lightgbm(seed: Any, measure: str | None = None) -> Pipeline:
    """LightGBM with its defaults: a classifier, or a regressor if a measure of numbers is given."""
    if not has_lightgbm():
        raise ValueError("LightGBM is not installed: pip install lightgbm, or leave it out")
    module = importlib.import_module("lightgbm")
    kind = module.LGBMClassifier if measure is None else module.LGBMRegressor
    own = {} if measure is None else {"objective": OBJECTIVES[measure]}
    seed = seed if isinstance(seed, Integral) else None
    model = kind(n_jobs=1, verbosity=-1, random_state=seed, **own)
    return make_pipeline(NumberMatrix(), model)


def class_baselines(seed: Any) -> dict[str, Pipeline]:
    """All baselines for classes that are installed."""
    return {LOGISTIC: logistic()} | ({LIGHTGBM: lightgbm(seed)} if has_lightgbm() else {})


def number_baselines(measure: str, seed: Any) -> dict[str, Pipeline]:
    """All baselines for numbers that are installed and suit the measure."""
    found = {RIDGE: ridge()} if measure in MEASURED_BY_RIDGE else {}
    if has_lightgbm() and measure in OBJECTIVES:
        found[LIGHTGBM] = lightgbm(seed, measure)
    return found
