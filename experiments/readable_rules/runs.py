"""One cell: one model on one fold of one set of data with two classes."""

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from experiments.classes1996.runs import load
from experiments.readable_rules.models import MODELS, ROUNDS

SETS = (
    "breast-cancer-w", "german", "hepatitis", "house-votes-84", "ionosphere", "kr-vs-kp", "labor",
    "pima-indians-diabetes", "spambase", "votes1",
)  # fmt: skip
FOLDS, MOST_ROWS = 5, 2000
"""Of a larger set so many rows are drawn once."""
MARK = f"{FOLDS} folds of at most {MOST_ROWS} rows, {ROUNDS} rounds"


def names(sets: Iterable[str], models: Iterable[str] = MODELS) -> Iterator[str]:
    """Of all cells, set by set."""
    for data in sets:
        yield from (f"{data}/{model}/{k}" for model in models for k in range(FOLDS))


def run(cell: str) -> dict[str, Any]:
    """Errors, rows tested, and the number of conditions; or why there is no result."""
    data, model, number = cell.split("/")
    X, y, _ = load(data)
    if len(y) > MOST_ROWS:
        drawn = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
        X, y = X.iloc[drawn].reset_index(drop=True), y[drawn]
    parts = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    train, test = list(parts.split(np.zeros(len(y)), y))[int(number)]
    fit = MODELS[model]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found, size = fit(X.iloc[train], y[train], X.iloc[test])
        except Exception as error:  # another library may fail on a set, which is a result, too
            return {"failed": f"{type(error).__name__}: {error}"[:200]}
    return {"wrong": int(np.sum(found != y[test])), "rows": len(test), "conditions": int(size)}
