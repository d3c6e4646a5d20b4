"""Measures of a fitted model on test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score, f1_score, log_loss, roc_auc_score

from underdog.comparison.models import decides_by_cost
from underdog.comparison.problem import Problem
from underdog.costs import Costs
from underdog.decisions.out_of_fold import positive_scores, scoring_method
from underdog.types import Floats, Integers


@dataclass(frozen=True)
class Measure:
    """A column of the table."""

    title: str
    larger_is_better: bool = False


MEASURES = {
    "cost": Measure("mean cost"),
    "average_precision": Measure("average precision", True),
    "f1": Measure("F1", True),
    "roc_auc": Measure("ROC AUC", True),
    "brier": Measure("Brier score"),
    "log_loss": Measure("log loss"),
    "rmse": Measure("RMSE"),
    "mae": Measure("MAE"),
    "r2": Measure("R2", True),
    "deviance": Measure("Poisson deviance"),
    "pinball": Measure("pinball loss"),
    "coverage": Measure("coverage", True),
    "ndcg": Measure("NDCG", True),
    "ndcg_10": Measure("NDCG@10", True),
    "map": Measure("MAP", True),
    "pair_loss": Measure("pair loss"),
    "size": Measure("size"),
    "fit_seconds": Measure("fit (s)"),
    "predict_seconds": Measure("predict (s)"),
}
OF_CLASSES = ("cost", "average_precision", "f1", "roc_auc", "brier", "log_loss")
OF_NUMBERS = ("rmse", "mae", "r2", "deviance", "pinball", "coverage")
OF_RANKINGS = ("ndcg", "ndcg_10", "map", "pair_loss")
OF_ALL = ("size", "fit_seconds", "predict_seconds")
WHY_MAIN = {
    "cost": "because costs are given",
    "average_precision": "which does not depend on a threshold",
    "f1": "the mean over the classes, so that rare classes count as much as others",
    "rmse": "the square root of the mean squared error",
    "mae": "the mean absolute error",
    "deviance": "which is for counts",
    "pinball": "the loss of quantiles",
    "ndcg": "in which the first rows of a query count most",
    "pair_loss": "the share of pairs in the wrong order, or tied",
}
"""Why a measure is the main one."""


def main_measure(n_classes: int, costs: Costs | None) -> str:
    """The measure by which models are ranked, in `compare` and in `underdog train`."""
    if costs is not None:
        return "cost"
    return "average_precision" if n_classes == 2 else "f1"


def ranked_by(measure: str) -> str:
    """A sentence about the main measure.

    Examples
    --------
    >>> from underdog.comparison.measures import ranked_by
    >>> ranked_by("average_precision")
    'Models are ranked by average precision, which does not depend on a threshold.'
    """
    return f"Models are ranked by {MEASURES[measure].title}, {WHY_MAIN[measure]}."


def quality(
    model: Any, X: Any, predicted: Any, rows: Integers, problem: Problem, train: Integers
) -> dict[str, float]:
    """Measures of predictions, ranking and probabilities on test rows.

    Parameters
    ----------
    model : fitted classifier
    X : the test rows
    predicted : predictions of the model
    rows : indices of the test rows in the problem
    problem : Problem
    train : indices of the training rows
    """
    count = len(problem.classes)
    true, decided = problem.true[rows], np.searchsorted(problem.classes, predicted)
    complete = len(np.unique(problem.true[train])) == count
    values: dict[str, float] = {}
    if complete and len(np.unique(true)) == count:
        values["f1"] = _f1(true, decided, problem)
        values |= _ranking(model, X, true, problem)
    probabilities = None
    if complete and hasattr(model, "predict_proba"):
        probabilities = np.asarray(model.predict_proba(X), dtype=np.float64)
        values["brier"] = brier(true, probabilities)
        values["log_loss"] = float(log_loss(true, probabilities, labels=np.arange(count)))
    if problem.costs is not None:
        costs = problem.costs.take(rows)
        if probabilities is not None and not decides_by_cost(model):
            decided = costs.decide(probabilities, problem.classes, problem.positive)
        values["cost"] = costs.total(true, decided, problem.classes, problem.positive) / len(true)
    return values


def squared_errors(true: Integers, probabilities: Floats) -> Floats:
    """(n,) squared error of the probability of the positive class, or summed over classes."""
    count = probabilities.shape[1]
    squares: Floats = ((probabilities - np.eye(count)[true]) ** 2).sum(axis=1)
    return squares / (2.0 if count == 2 else 1.0)


def brier(true: Integers, probabilities: Floats) -> float:
    """The mean of `squared_errors`."""
    return float(squared_errors(true, probabilities).mean())


def _f1(true: Integers, decided: Integers, problem: Problem) -> float:
    if problem.binary:
        return float(f1_score(true, decided, pos_label=problem.positive, zero_division=0.0))
    return float(f1_score(true, decided, average="macro", zero_division=0.0))


def _ranking(model: Any, X: Any, true: Integers, problem: Problem) -> dict[str, float]:
    """Average precision and area under the ROC curve, or their means over one class vs the rest."""
    has_probabilities = hasattr(model, "predict_proba")
    if not has_probabilities and not hasattr(model, "decision_function"):
        return {}
    if problem.binary:
        truth = true == problem.positive
        answers = np.asarray(getattr(model, scoring_method(model))(X))
        scores = positive_scores(model, answers, problem.positive)
    else:
        # With several classes, scores may only be comparable within a row; probabilities are
        # comparable between rows.
        truth = np.eye(len(problem.classes), dtype=bool)[true]
        scores = model.predict_proba(X) if has_probabilities else model.decision_function(X)
    return {
        "average_precision": float(average_precision_score(truth, scores)),
        "roc_auc": float(roc_auc_score(truth, scores)),
    }
