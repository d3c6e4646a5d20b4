"""One cell: one model on one fold of one set."""

import importlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.metrics import (
    mean_absolute_error,
    mean_pinball_loss,
    r2_score,
    root_mean_squared_error,
)

from experiments.regression.data import Floats, folds, load
from underdog import GradientBoostingRegressor

QUANTILES = (0.1, 0.5, 0.9)
LEAVES = {"max_depth": None, "max_leaf_nodes": 31, "min_samples_leaf": 20}
"""As LightGBM and HistGradientBoosting have by default."""
SLOW = {"n_estimators": 500, "learning_rate": 0.05, "subsample": 0.5, "max_features": 0.5}
OURS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "31 leaves": LEAVES,
    "depth 5, slow": {"max_depth": 5, **SLOW},
}
"""Settings of `GradientBoostingRegressor`."""
PEERS = ("LightGBM", "XGBoost", "HistGradientBoosting", "random forest")
MEASURES = {"rmse": "RMSE", "mae": "MAE", "r2": "R2"}

OURS_QUANTILE: dict[str, dict[str, Any]] = {
    "shared trees": {"quantiles": QUANTILES},
    "shared trees, 31 leaves": {"quantiles": QUANTILES, **LEAVES},
    "a model for each": {},
    "a model for each, 31 leaves": LEAVES,
}
"""Settings of `GradientBoostingRegressor(loss="quantile")`."""
QUANTILE_PEERS = ("LightGBM", "HistGradientBoosting")
QUANTILE_MEASURES = {
    **{f"pinball_{share}": f"pinball {share}" for share in QUANTILES},
    "coverage": "coverage",
}
MEAN, QUANTILE = "mean", "quantile"
MODELS = {MEAN: (*OURS, *PEERS), QUANTILE: (*OURS_QUANTILE, *QUANTILE_PEERS)}
SETTINGS = repr((OURS, PEERS, OURS_QUANTILE, QUANTILE_PEERS))


def names(sets: Sequence[str]) -> Iterator[str]:
    """Of all cells."""
    for member in sets:
        for fold in range(len(folds(member))):
            for kind, models in MODELS.items():
                yield from (name(member, kind, model, fold) for model in models)


def name(member: str, kind: str, model: str, fold: int) -> str:
    """The name of a cell."""
    return f"{member}/{kind}/{model}/{fold}"


def run(cell: str) -> dict[str, float]:
    """Fit, and judge the rows that were left out; by measure a number."""
    member, kind, model, fold = cell.split("/")
    X, y = load(member)
    train, test = folds(member)[int(fold)]
    predict, judge = (
        (predict_mean, judge_mean) if kind == MEAN else (predict_quantiles, judge_quantiles)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predicted = predict(model, X[train], y[train], X[test])
    return {measure: float(f"{value:.6g}") for measure, value in judge(y[test], predicted).items()}


def judge_mean(y: Floats, predicted: Floats) -> dict[str, float]:
    """By measure a number."""
    return {
        "rmse": root_mean_squared_error(y, predicted),
        "mae": mean_absolute_error(y, predicted),
        "r2": r2_score(y, predicted),
    }


def judge_quantiles(y: Floats, predicted: Floats) -> dict[str, float]:
    """By measure a number; coverage is the share of rows between the outer quantiles."""
    pinball = {
        f"pinball_{share}": float(mean_pinball_loss(y, own, alpha=share))
        for share, own in zip(QUANTILES, predicted.T, strict=True)
    }
    inside = (predicted[:, 0] <= y) & (y <= predicted[:, -1])
    return {**pinball, "coverage": float(inside.mean())}


def predict_mean(model: str, X: Floats, y: Floats, X_test: Floats) -> Floats:
    """The means that a model predicts after a fit."""
    return np.asarray(make(model).fit(X, y).predict(X_test), dtype=np.float64)


def predict_quantiles(model: str, X: Floats, y: Floats, X_test: Floats) -> Floats:
    """(n, 3) the quantiles that a model, or one model for each, predicts after a fit."""
    if "quantiles" in OURS_QUANTILE.get(model, {}):
        together = GradientBoostingRegressor(loss="quantile", n_jobs=1, **OURS_QUANTILE[model])
        return np.asarray(together.fit(X, y).predict(X_test), dtype=np.float64)
    each = [make_quantile(model, share).fit(X, y).predict(X_test) for share in QUANTILES]
    return np.column_stack(each)


def make(model: str) -> Any:
    """A model of the mean, on one thread."""
    if model in OURS:
        return GradientBoostingRegressor(n_jobs=1, random_state=0, **OURS[model])
    if model == "LightGBM":
        return _lightgbm()
    if model == "XGBoost":
        return importlib.import_module("xgboost").XGBRegressor(n_jobs=1, random_state=0)
    if model == "random forest":
        return RandomForestRegressor(n_jobs=1, random_state=0)
    return HistGradientBoostingRegressor(random_state=0)


def make_quantile(model: str, share: float) -> Any:
    """A model of one quantile, on one thread."""
    if model in OURS_QUANTILE:
        return GradientBoostingRegressor(
            loss="quantile", quantiles=share, n_jobs=1, **OURS_QUANTILE[model]
        )
    if model == "LightGBM":
        return _lightgbm(objective="quantile", alpha=share)
    return HistGradientBoostingRegressor(loss="quantile", quantile=share, random_state=0)


def _lightgbm(**options: Any) -> Any:
    make_one: Callable[..., Any] = importlib.import_module("lightgbm").LGBMRegressor
    return make_one(n_jobs=1, random_state=0, verbosity=-1, **options)
