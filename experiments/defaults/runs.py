"""One cell: one model with its defaults, on every fold of one table."""

import importlib
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

from experiments.nu.data import TABLES, splits
from underdog import AdaBoostClassifier, GradientBoostingClassifier, LogitBoostClassifier

OURS: dict[str, tuple[Any, dict[str, Any]]] = {
    "AdaBoost": (AdaBoostClassifier, {}),
    "AdaBoost, trees": (AdaBoostClassifier, {"learner": "tree"}),
    "GradientBoosting": (GradientBoostingClassifier, {}),
    "LogitBoost": (LogitBoostClassifier, {}),
}
PEERS = ("LightGBM", "XGBoost", "HistGradientBoosting", "random forest")
MODELS = (*OURS, *PEERS)


def make(name: str) -> Any:
    """A model with its defaults, on one thread."""
    if name in OURS:
        kind, own = OURS[name]
        return kind(n_jobs=1, **own)
    if name == "LightGBM":
        return importlib.import_module("lightgbm").LGBMClassifier(
            n_jobs=1, random_state=0, verbosity=-1
        )
    if name == "XGBoost":
        return importlib.import_module("xgboost").XGBClassifier(n_jobs=1, random_state=0)
    if name == "random forest":
        return RandomForestClassifier(n_jobs=1, random_state=0)
    return HistGradientBoostingClassifier(random_state=0)  # cells have one thread


def names(sets: Sequence[str]) -> Iterator[str]:
    """Of all cells."""
    for member in sets:
        yield from (f"{member}/{model}" for model in MODELS)


def run(cell: str) -> dict[str, Any]:
    """Fit, and judge the probabilities of the rare class in the examples that were left out.

    Returns
    -------
    dict
        By measure a list with a number for each fold; seconds are of the fit.
    """
    member, name = cell.split("/")
    found: dict[str, list[float]] = {each: [] for each in ("ap", "log_loss", "auc", "seconds")}
    for split in splits(TABLES, member):
        model = make(name)
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(split.X, split.y)
            rare = model.predict_proba(split.X_test)[:, 1]
        found["seconds"].append(round(time.perf_counter() - began, 3))
        found["ap"].append(round(float(average_precision_score(split.y_test, rare)), 5))
        found["log_loss"].append(round(float(log_loss(split.y_test, rare)), 5))
        found["auc"].append(round(float(roc_auc_score(split.y_test, rare)), 5))
    return found
