"""Names of models that are compared, and of measures; without heavy imports."""

from __future__ import annotations

CALIBRATED = "CalibratedAdaMEC"
LOGISTIC = "logistic regression"
LIGHTGBM = "LightGBM"
BLENDED = "BlendedTrees"
STUMPS, TREES, MORE, HUBER = "stumps", "trees", "more trees", "huber trees"
RIDGE = "ridge regression"
LISTWISE, ANY_ORDER = "listwise trees", "any order"
REDUCTIONS = ("AdaBoostR2", "AdaBoostR", "Ridgeway", "SquareLev", "ExpLev", "HullBoost")
"""Regressors that have no choice of losses, with their defaults; without "Regressor"."""
CONSTANTS = {"rmse": "mean", "deviance": "mean", "mae": "median", "pinball": "quantiles"}
"""What the best constant prediction is, by each measure."""

ONLY_CLASSES = (CALIBRATED, LIGHTGBM, LOGISTIC)
"""Classifiers that are not boosters of this library, or a booster and more."""
ONLY_NUMBERS = (
    BLENDED,
    STUMPS,
    TREES,
    MORE,
    HUBER,
    *REDUCTIONS,
    RIDGE,
    LIGHTGBM,
    *CONSTANTS.values(),
)
"""Regressors."""
ONLY_RANKINGS = (STUMPS, TREES, LISTWISE, LIGHTGBM, ANY_ORDER)
"""Rankers."""

MEASURE_OF = {
    "squared": "rmse",
    "absolute": "mae",
    "huber": "mae",
    "quantile": "pinball",
    "poisson": "deviance",
}
"""The measure by which models with a loss are ranked."""

TITLES = {
    "cost": "mean cost",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "average_precision": "average precision",
    "roc_auc": "ROC AUC",
    "brier": "Brier score",
    "accuracy": "accuracy",
    "rmse": "RMSE",
    "mae": "MAE",
    "r2": "R2",
    "deviance": "Poisson deviance",
    "pinball": "pinball loss",
    "coverage": "coverage",
    "ndcg": "NDCG",
    "ndcg_10": "NDCG@10",
    "map": "MAP",
    "pair_loss": "pair loss",
}
"""Names of measures."""
