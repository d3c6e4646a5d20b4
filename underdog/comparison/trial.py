"""One model on one fold."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
from sklearn.base import clone

from underdog.comparison.folds import Fold
from underdog.comparison.measures import MEASURES, quality
from underdog.comparison.models import Entrant
from underdog.comparison.problem import Problem
from underdog.comparison.size import size_of
from underdog.data.conversion import take_rows

Row = dict[str, Any]
"""model, fold, each measure (NaN if it does not exist), error and warnings (first lines)."""


def trial(name: str, entrant: Entrant, number: int, fold: Fold, problem: Problem) -> Row:
    """Fit, predict and measure; the row of a failed fit contains the error."""
    row: Row = {"model": name, "fold": number, **dict.fromkeys(MEASURES, np.nan), "error": ""}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            row |= _measured(entrant, fold, problem)
        except Exception as error:
            row["error"] = f"{type(error).__name__}: {_first_line(error)}"
    row["warnings"] = list(dict.fromkeys(_first_line(each.message) for each in caught))
    return row


def _measured(entrant: Entrant, fold: Fold, problem: Problem) -> dict[str, float]:
    train, test = fold
    known, new = take_rows(entrant.X, train), take_rows(entrant.X, test)
    began = time.perf_counter()
    fitted = clone(entrant.model).fit(known, problem.y[train])
    learned = time.perf_counter()
    predicted = fitted.predict(new)
    decided = time.perf_counter()
    classes = len(np.unique(problem.true[train]))
    return {
        **quality(fitted, new, predicted, test, problem, classes),
        "size": size_of(fitted),
        "fit_seconds": learned - began,
        "predict_seconds": decided - learned,
    }


def _first_line(message: object) -> str:
    lines = str(message).strip().splitlines()
    return lines[0] if lines else "no message"
