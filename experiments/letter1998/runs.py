"""One cell: one run of AdaBoost.M1, its errors after every round and its margins after some."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.classes1996.runs import load
from underdog import AdaBoostM1Classifier

CELL = "letter/c4.5-like"
"""Data and learner."""
GRID = np.linspace(-1.0, 1.0, 201)
"""Margins at which their distribution is kept."""


@dataclass(frozen=True)
class Plan:
    """How many rounds and training rows, and after which rounds the margins are kept."""

    rounds: int
    rows: int
    shown: tuple[int, ...]

    @property
    def mark(self) -> str:
        """All that a cell depends on."""
        return f"{self.rounds} rounds, {self.rows} rows"


FULL = Plan(1000, 16_000, (5, 100, 1000))
QUICK = Plan(20, 2_000, (5, 20))


def margins(votes: NDArray[Any], own: NDArray[Any]) -> NDArray[np.float64]:
    """Share of the votes for the given class, minus the largest share of another class."""
    given = np.take_along_axis(votes, own[:, np.newaxis], axis=1)[:, 0]
    others = votes.copy()
    np.put_along_axis(others, own[:, np.newaxis], -np.inf, axis=1)
    result: NDArray[np.float64] = (given - others.max(axis=1)) / votes.sum(axis=1)
    return result


def run(cell: str, plan: Plan = FULL) -> dict[str, Any]:
    """Fit, and follow the votes.

    Returns
    -------
    dict
        train, test: errors after every round; leaves: of all trees; margins: for each shown round
        the share of training margins up to each value of `GRID`; below: those below 1/2, by round;
        minimum: the smallest margin, by round.
    """
    data, learner = cell.split("/")
    X, y, tested = load(data)
    train = np.flatnonzero(~tested)[: plan.rows]
    test = np.flatnonzero(tested)
    model = AdaBoostM1Classifier(learner=learner, n_estimators=plan.rounds, n_jobs=1)
    model.fit(X.iloc[train], y[train])
    rows = np.concatenate([train, test])
    own = np.searchsorted(model.classes_, y[rows])
    seen = np.arange(len(rows)) < len(train)
    total = 0.0
    found: dict[str, Any] = {"train": [], "test": [], "margins": {}, "below": {}, "minimum": {}}
    steps = zip(model.model_.members, model.staged_decision_function(X.iloc[rows]), strict=True)
    for number, (member, scores) in enumerate(steps, 1):
        total += member.coefficient
        wrong = scores.argmax(axis=1) != own
        found["train"].append(round(float(wrong[seen].mean()), 6))
        found["test"].append(round(float(wrong[~seen].mean()), 6))
        if number in plan.shown:
            votes = (scores[seen] + total) / 2.0  # a score is votes for a class minus the others
            sizes = np.sort(margins(votes, own[seen]))
            places = np.searchsorted(sizes, GRID + 1e-9, side="right")
            found["margins"][str(number)] = (places / len(sizes)).round(6).tolist()
            found["below"][str(number)] = float(np.mean(sizes < 0.5 - 1e-9))
            found["minimum"][str(number)] = float(sizes[0])
    found["leaves"] = sum(len(member.hypothesis.values) for member in model.model_.members)
    return found
