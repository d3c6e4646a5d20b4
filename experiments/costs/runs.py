"""One cell: one model on both halves of one set, at one cost or at all of them."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import average_precision_score

from experiments.costs.data import DataSet, load
from experiments.costs.models import FITTED, ROUNDS, Task
from underdog import Costs
from underdog.comparison.measures import brier
from underdog.comparison.size import size_of
from underdog.decisions.out_of_fold import positive_scores, scoring_method

COSTS = ("1", "5", "20", "IR")
"""What a missed positive costs; a false alarm costs 1. IR: as much as all its negatives."""
ANY = "any"
"""In the name of a cell whose model is fitted without costs."""
CLASSES = [0, 1]
LEAST = 1e-15
"""Probabilities below count as this much in the logarithmic loss, which would be infinite."""


def costs_of(cost: str, data: DataSet) -> Costs:
    """The costs by their name."""
    return Costs(fn=data.ratio if cost == "IR" else float(cost), fp=1)


def names(sets: Sequence[str], costs: Sequence[str], repetitions: int) -> Iterator[str]:
    """Of all cells; first everything once, then everything again with other halves."""
    for repetition, data in product(range(repetitions), sets):
        for model, fitted in FITTED.items():
            for cost in costs if fitted.learns_costs else [ANY]:
                yield f"{data}/{model}/{cost}/{repetition}"


def run(cell: str, costs: Sequence[str] = COSTS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Fit on each half and judge by the other.

    Returns
    -------
    dict
        seconds (processor, mean of the fits, calibration included), rules (mean), and for each way
        of deciding lists with an entry for each half: counts by cost (true alarms, false alarms,
        missed, rightly quiet), and brier, log_loss and precision (average) where there are some.
    """
    name, model, cost, repetition = cell.split("/")
    data, fitted = load(name), FITTED[model]
    own_costs = costs if cost == ANY else [cost]
    ways: dict[str, dict[str, Any]] = {
        way: {"counts": {cost: [] for cost in own_costs}} for way in fitted.ways
    }
    seconds, rules = [], []
    for train, test in data.halves(int(repetition)):
        y = data.y[train]
        task = Task(costs_of(own_costs[0], data), float(y.mean()), rounds)
        began = time.process_time()
        found = clone(fitted.make(task)).fit(data.X[train], y)
        seconds.append(time.process_time() - began)
        inner = found.estimator_ if "calibrated" in fitted.ways else found
        rules.append(size_of(inner))
        for way, kept in ways.items():
            judge = found if way == "calibrated" else inner
            answers = Predictions.of(judge, data.X[test])
            for each in own_costs:
                decided = answers.decided(way, costs_of(each, data))
                kept["counts"][each].append(counts(data.y[test], decided))
            for measure, value in answers.measures(data.y[test]).items():
                kept.setdefault(measure, []).append(round(value, 5))
    return {
        "seconds": round(float(np.mean(seconds)), 4),
        "rules": round(float(np.mean(rules)), 1),
        **ways,
    }


@dataclass(frozen=True)
class Predictions:
    """What a fitted model says about new examples; it may have no probabilities."""

    decisions: Any
    scores: Any
    probabilities: Any

    @classmethod
    def of(cls, model: Any, X: Any) -> "Predictions":
        """Ask the model."""
        probabilities = None
        if hasattr(model, "predict_proba"):
            probabilities = np.asarray(model.predict_proba(X), dtype=np.float64)
        scores = np.asarray(getattr(model, scoring_method(model))(X))
        return cls(model.predict(X), positive_scores(model, scores, 1), probabilities)

    def decided(self, way: str, costs: Costs) -> Any:
        """The model's own decisions, or those with the least expected cost."""
        return self.decisions if way == "own" else costs.decide(self.probabilities, CLASSES)

    def measures(self, y: Any) -> dict[str, float]:
        """Of the order of the scores, and of the probabilities if there are some."""
        values = {"precision": float(average_precision_score(y, self.scores))}
        if self.probabilities is not None:
            values["brier"] = brier(y, self.probabilities)
            true = self.probabilities[np.arange(len(y)), y]
            values["log_loss"] = float(-np.log(np.maximum(true, LEAST)).mean())
        return values


def counts(y: Any, decided: Any) -> list[int]:
    """True alarms, false alarms, missed, rightly quiet."""
    return [
        int(np.sum((y == true) & (decided == said)))
        for true, said in ((1, 1), (0, 1), (1, 0), (0, 0))
    ]
