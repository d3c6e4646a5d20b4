"""One model on one fold."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from underdog.comparison.measures import OF_ALL, OF_CLASSES, OF_NUMBERS, OF_RANKINGS, quality
from underdog.comparison.models import Entrant
from underdog.comparison.number_measures import number_quality
from underdog.comparison.problem import ComparedRows
from underdog.comparison.rank_evaluator import rank_quality
from underdog.comparison.size import size_of
from underdog.data.conversion import take_rows
from underdog.data.folds import Fold
from underdog.types import Integers

Row = dict[str, Any]
"""model, fold, each measure (NaN if it does not exist), error and warnings (first lines)."""


class Judge(NamedTuple):
    """How predictions are measured: the names of the measures, and a function.

    It takes the fitted model, the test rows, their predictions, their indices, the problem and the
    indices of the training rows.
    """

    measures: tuple[str, ...]
    measure: Callable[[Any, Any, Any, Integers, Any, Integers], dict[str, float]]


CLASSES = Judge(OF_CLASSES, quality)
NUMBERS = Judge(OF_NUMBERS, number_quality)
RANKINGS = Judge(OF_RANKINGS, rank_quality)


def trial(
    name: str, entrant: Entrant, number: int, fold: Fold, problem: ComparedRows, judge: Judge
) -> Row:
    """Fit, predict and measure; the row of a failed fit contains the error."""
    measures = dict.fromkeys((*judge.measures, *OF_ALL), np.nan)
    row: Row = {"model": name, "fold": number, **measures, "error": ""}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            row |= _measured(entrant, fold, problem, judge)
        except Exception as error:
            row["error"] = f"{type(error).__name__}: {_first_line(error)}"
    row["warnings"] = list(dict.fromkeys(_first_line(each.message) for each in caught))
    return row


def _measured(
    entrant: Entrant, fold: Fold, problem: ComparedRows, judge: Judge
) -> dict[str, float]:
    train, test = fold
    known, new = take_rows(entrant.X, train), take_rows(entrant.X, test)
    began = time.perf_counter()
    fitted = problem.fitted(entrant.model, known, train)
    learned = time.perf_counter()
    predicted = fitted.predict(new)
    decided = time.perf_counter()
    return {
        **judge.measure(fitted, new, predicted, test, problem, train),
        "size": size_of(fitted),
        "fit_seconds": learned - began,
        "predict_seconds": decided - learned,
    }


def _first_line(message: object) -> str:
    lines = str(message).strip().splitlines()
    return lines[0] if lines else "no message"
