"""The regressors to compare: gradient boosting, other boosters, a constant, ridge regression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, is_regressor

from underdog.automatic.settings import settings_for
from underdog.comparison.baselines import (
    MEASURED_BY_RIDGE,
    OBJECTIVES,
    has_lightgbm,
    lightgbm,
    ridge,
)
from underdog.comparison.models import Entrant, by_name, rows_for
from underdog.comparison.names import (
    BLENDED,
    CONSTANTS,
    HUBER,
    LIGHTGBM,
    MORE,
    REDUCTIONS,
    RIDGE,
    STUMPS,
    TREES,
)
from underdog.comparison.number_measures import best_constant
from underdog.comparison.problem import NumberProblem
from underdog.estimators import all_regressors
from underdog.estimators.blended_trees_regressor import BlendedTreesRegressor
from underdog.estimators.gradient_boosting_regressor import GradientBoostingRegressor
from underdog.estimators.support.base import Booster
from underdog.types import Floats

SETTINGS: dict[str, dict[str, Any]] = {
    STUMPS: {"learner": "real", "n_estimators": 200},
    TREES: {},
    MORE: {"n_estimators": 400},
    HUBER: {"loss": "huber"},
}
"""Parameters in which boosters differ from `GradientBoostingRegressor()`, the simplest first."""


class Constant(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """The same prediction for every row: the best one for the training rows by a measure."""

    def __init__(self, measure: str = "rmse", quantiles: Sequence[float] | None = None) -> None:
        self.measure = measure
        self.quantiles = quantiles

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Constant:
        """Find the constant."""
        self.constant_ = best_constant(y, self.measure, self.quantiles, sample_weight)
        return self

    def predict(self, X: Any) -> Floats:
        """(n,), or (n, K) for several quantiles."""
        several = len(self.constant_) > 1
        found: Floats = np.tile(self.constant_, (len(X), 1))
        return found if several else found[:, 0]


def known_names(measure: str) -> list[str]:
    """Models that can be compared by name, if this is the main measure."""
    names = [BLENDED, *SETTINGS, CONSTANTS[measure]]
    if measure in MEASURED_BY_RIDGE:
        names += [*REDUCTIONS, RIDGE]
    return [*names, LIGHTGBM] if measure in OBJECTIVES else names


def usual_regressors(problem: NumberProblem, loss: str | None) -> list[str]:
    """Names of the models that are compared by default.

    Sparse columns are usually words, on which trees are slow and no better than stumps.
    """
    names = known_names(problem.main)
    left_out = {*REDUCTIONS} if loss is None else {*REDUCTIONS, HUBER}
    if problem.is_sparse:
        left_out |= {TREES, MORE, HUBER}
    if not has_lightgbm():
        left_out.add(LIGHTGBM)
    return [name for name in names if name not in left_out]


def choose_regressors(
    models: Any, problem: NumberProblem, settings: dict[str, Any], seed: Any
) -> dict[str, Entrant]:
    """The models by name.

    Parameters
    ----------
    models : names of models or regressors, in a list or a mapping; None for the usual ones
    problem : NumberProblem
    settings : parameters of all boosters
    seed : for LightGBM
    """
    if models is None:
        models = usual_regressors(problem, settings.get("loss"))
    return {
        name: _make(model, problem, settings, seed)
        if isinstance(model, str)
        else _entrant(model, problem)
        for name, model in by_name(models, "Regressor").items()
    }


def _entrant(model: Any, problem: NumberProblem) -> Entrant:
    """A regressor that was given."""
    if isinstance(model, type) or not (hasattr(model, "fit") and is_regressor(model)):
        raise ValueError(f"models: {model!r} must be a name or a regressor object")
    return Entrant(model, rows_for(problem, isinstance(model, Booster)))


def _make(name: str, problem: NumberProblem, settings: dict[str, Any], seed: Any) -> Entrant:
    if name == BLENDED:
        own = settings_for(*problem.table.shape).changed(settings)
        return Entrant(BlendedTreesRegressor(**own), problem.X)
    if name in SETTINGS:
        booster = GradientBoostingRegressor(**{**settings, **SETTINGS[name]})
        return Entrant(booster, problem.X)
    if name == CONSTANTS[problem.main]:
        return Entrant(Constant(problem.main, problem.quantiles), np.zeros((len(problem.y), 1)))
    if name in REDUCTIONS and problem.main in ("rmse", "mae"):
        return Entrant(all_regressors()[f"{name}Regressor"](), problem.X)
    if name == RIDGE:
        return Entrant(ridge(), problem.table)
    if name != LIGHTGBM or problem.main not in OBJECTIVES:
        known = ", ".join(known_names(problem.main))
        raise ValueError(f"there is no model {name!r} for this target: use one of {known}")
    return Entrant(lightgbm(seed, problem.main), problem.table)
