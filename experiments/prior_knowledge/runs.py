"""One cell: knowledge, data and both on one training set."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.metrics import log_loss

from experiments.prior_knowledge.data import RULES, draw
from underdog import LogisticAdaBoostClassifier

ROUNDS, SEEDS = 100, 5
EVERYTHING = 1e9
"""A weight so large that the data do not matter."""
WAYS = {
    "knowledge": EVERYTHING,
    "data": 0.0,
    "both, weight 1": 1.0,
    "both, weight by folds": "folds",
}


def names(sets: Sequence[str], sizes: Sequence[int], seeds: int = SEEDS) -> Iterator[str]:
    """Of all cells."""
    for seed in range(seeds):
        for size in sizes:
            yield from (f"{one}/{size}/{seed}" for one in sets)


def run(name: str) -> dict[str, Any]:
    """Error and log loss of new documents by each way, and the weight that folds chose."""
    one, size, seed = name.split("/")
    data = draw(one, int(size), int(seed))
    errors, losses, chosen = {}, {}, None
    for way, weight in WAYS.items():
        rounds = 1 if weight == EVERYTHING else ROUNDS
        model = LogisticAdaBoostClassifier(
            n_estimators=rounds, prior_knowledge=RULES[one], prior_weight=weight, random_state=0
        ).fit(data.X, data.y)
        p = model.predict_proba(data.X_test)
        errors[way] = float(np.mean(model.predict(data.X_test) != data.y_test))
        losses[way] = float(log_loss(data.y_test, p, labels=model.classes_))
        chosen = model.prior_weight_ if weight == "folds" else chosen
    return {"errors": errors, "losses": losses, "weight": chosen}
