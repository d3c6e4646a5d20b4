"""What the paper has not: other classifiers on the same documents and the same folds."""

import time
from math import ceil
from typing import Any

from lightgbm import LGBMClassifier
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from experiments.lpuboost2003.data import Sample, corpus
from experiments.lpuboost2003.grid import ROUNDS, counts
from underdog import AdaBoostClassifier

FAMILIES = ("SVM", "LightGBM", "logistic", "tuned Ada")


def svm(C: float) -> Any:
    """Linear support vectors on TF-IDF of the same terms."""
    return make_pipeline(TfidfTransformer(), LinearSVC(C=C, random_state=0))


def logistic(C: float) -> Any:
    """Logistic regression on TF-IDF of the same terms."""
    return make_pipeline(TfidfTransformer(), LogisticRegression(C=C, max_iter=1000))


def trees(least: int) -> Any:
    """LightGBM as it comes, 100 trees, with at least so many documents in a leaf."""
    return LGBMClassifier(min_child_samples=least, n_jobs=1, verbose=-1)


def tuned(positives: int) -> Any:
    """AdaBoost, calibrated, with the threshold of the best F1, both on scores out of fold.

    None where there are too few positives for a fold within a fold.
    """
    outer = min(5, positives)
    inner = min(5, positives - ceil(positives / max(outer, 1)))
    if inner < 2:
        return None
    booster = AdaBoostClassifier(n_estimators=ROUNDS)
    calibrated = CalibratedClassifierCV(booster, cv=_folds(inner), ensemble=False)
    return TunedThresholdClassifierCV(calibrated, scoring="f1", cv=_folds(outer))


def _folds(number: int) -> StratifiedKFold:
    return StratifiedKFold(number, shuffle=True, random_state=0)


SETTINGS: dict[str, Any] = {
    **{f"SVM C={C:g}": svm(C) for C in (0.1, 1.0, 10.0)},
    **{f"LightGBM leaf={least}": trees(least) for least in (20, 1)},
    **{f"logistic C={C:g}": logistic(C) for C in (1.0, 10.0, 100.0)},
    "tuned Ada": None,
}
"""Name -> a classifier; the folds of the last depend on the number of positives."""


def family(setting: str) -> str:
    """Which of the families a setting belongs to."""
    return next(name for name in FAMILIES if setting.startswith(name))


def run(cell: str, documents: int | None = None) -> dict[str, Any]:
    """Fit one of them on one sample and count its mistakes."""
    where, how = cell.rsplit("/", 1)
    sample, data = Sample.parse(where), corpus(documents)
    y = data.label(sample.topic)
    rows, held_out = sample.rows(y)
    model = tuned(int(y[rows].sum())) if how == "tuned Ada" else clone(SETTINGS[how])
    if model is None:
        return {"status": "too few positives"}
    began = time.process_time()
    model.fit(data.X[rows], y[rows])
    result = {
        "status": "ok",
        "seconds": round(time.process_time() - began, 3),
        "train": counts(y[rows], model.predict(data.X[rows])),
        "test": counts(data.label_test(sample.topic), model.predict(data.X_test)),
    }
    if len(held_out):
        result["held out"] = counts(y[held_out], model.predict(data.X[held_out]))
    return result
