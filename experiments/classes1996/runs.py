"""One cell: one booster on one fold of one set of data."""

import os
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from underdog import AdaBoostM1Classifier, AdaBoostM2Classifier

DATA = Path(
    os.environ.get("UNDERDOG_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")
)
SETS = (
    "audiology", "breast-cancer-w", "german", "glass", "hepatitis", "house-votes-84", "ionosphere",
    "iris", "kr-vs-kp", "labor", "letter", "pima-indians-diabetes", "soybean-small", "vehicle",
    "votes1", "vowel",
)  # fmt: skip
"""Those of the 27 sets of the paper whose data are at hand."""
BOOSTERS = {"M1": AdaBoostM1Classifier, "M2": AdaBoostM2Classifier}
LEARNERS = {"stumps": "discrete", "C4.5-like": "c4.5-like"}
MODELS = tuple(f"{learner}, {booster}" for learner in LEARNERS for booster in BOOSTERS)
REPEATED = ("glass", "ionosphere", "iris", "vehicle")
"""Sets with published figures, whose rows are divided into folds several times."""
SPLIT = "split"
"""A column that says which rows are for testing; then there is one fold."""
DIVIDED = ("letter", "vowel")
"""The sets that have it."""


@dataclass(frozen=True)
class Plan:
    """How many rounds, folds and repetitions of the folds."""

    rounds: int
    folds: int
    repeats: int

    @property
    def mark(self) -> str:
        """All that a cell depends on."""
        return f"{self.rounds} rounds, {self.folds} folds"

    def names(self, sets: Iterable[str]) -> Iterator[str]:
        """Of all cells, set by set."""
        for data in sets:
            repeats = self.repeats if data in REPEATED else 1
            folds = 1 if data in DIVIDED else self.folds * repeats
            yield from (f"{data}/{model}/{k:03d}" for model in MODELS for k in range(folds))


FULL = Plan(100, 10, 10)
QUICK = Plan(5, 3, 1)


def load(data: str) -> tuple[Any, Any, Any]:
    """Rows, classes, and which rows are for testing, if the data say so."""
    rows = pd.read_csv(DATA / "uci" / f"{data}.csv.gz")
    test = rows.pop(SPLIT) == "test" if SPLIT in rows else None
    y = rows.pop(rows.columns[-1]).astype(str).to_numpy(dtype=str)
    texts = rows.select_dtypes(exclude="number").columns
    return rows.astype(dict.fromkeys(texts, "category")), y, test


def fold(y: Any, test: Any, number: int, plan: Plan) -> tuple[Any, Any]:
    """The rows to train on and to test with; every repetition shuffles the rows anew."""
    if test is not None:
        return np.flatnonzero(~test), np.flatnonzero(test)
    repeat, place = divmod(number, plan.folds)
    parts = StratifiedKFold(plan.folds, shuffle=True, random_state=repeat)
    return list(parts.split(np.zeros(len(y)), y))[place]


def run(cell: str, plan: Plan = FULL) -> dict[str, Any]:
    """Fit and test.

    Returns
    -------
    dict
        wrong: errors after the first round and after the last; rows: rows tested; rounds; and
        weak: whether AdaBoost.M1 stopped because of an error of 1/2.
    """
    data, model, number = cell.split("/")
    learner, booster = model.split(", ")
    X, y, given = load(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        train, test = fold(y, given, int(number), plan)
        made = BOOSTERS[booster](learner=LEARNERS[learner], n_estimators=plan.rounds, n_jobs=1)
        made.fit(X.iloc[train], y[train])
        first = next(made.staged_predict(X.iloc[test]))
        wrong = [int(np.sum(each != y[test])) for each in (first, made.predict(X.iloc[test]))]
    weak = "not below 1/2" in made.stop_reason_
    return {"wrong": wrong, "rows": len(test), "rounds": made.n_iter_, "weak": weak}
