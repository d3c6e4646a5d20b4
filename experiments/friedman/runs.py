"""One cell: one model on one random target."""

import hashlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.friedman.targets import (
    ERRORS,
    SIZES,
    SMALL,
    Target,
    classes,
    relative_error,
)
from underdog import (
    AdaBoostMHClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    LogitBoostClassifier,
)
from underdog.learners import TreeLearner

LEAVES = 11
LOSSES = ("squared", "absolute", "huber")
TREEBOOST, LOGITBOOST, ADABOOST = "TreeBoost", "LogitBoost", "AdaBoost.MH"
DEFAULT = "GradientBoostingClassifier"
SHRUNK, WHOLE = 0.1, 1.0
"""Learning rates."""
RATES = {
    TREEBOOST: (SHRUNK, WHOLE),
    LOGITBOOST: (SHRUNK, WHOLE),
    ADABOOST: (SHRUNK, WHOLE),
    DEFAULT: (SHRUNK,),
}
TOO_LARGE = "scores have reached"
"""The reason for which a run ends when its steps grow beyond all bounds."""


@dataclass(frozen=True)
class Plan:
    """How many targets, rows and rounds; `patience` is the rounds without an improvement."""

    targets: int
    class_targets: int
    rows: int
    rounds: dict[float, int]
    patience: dict[float, int]

    @property
    def mark(self) -> str:
        """A fingerprint of all that a cell depends on."""
        settings = self.rows, self.rounds, self.patience, LEAVES
        return hashlib.sha256(repr(settings).encode()).hexdigest()[:12]

    def names(self) -> Iterator[str]:
        """Of all cells, target by target."""
        for number in range(self.targets):
            yield from (name(errors, number, loss) for errors in ERRORS for loss in LOSSES)
            if number < self.class_targets:
                yield from (name(SMALL, number, loss) for loss in LOSSES)
                for model, rates in RATES.items():
                    yield from (name(model, number, rate) for rate in rates)


FULL = Plan(100, 20, 5000, {SHRUNK: 600, WHOLE: 150}, {SHRUNK: 100, WHOLE: 40})
QUICK = Plan(2, 2, 300, {SHRUNK: 8, WHOLE: 4}, {SHRUNK: 8, WHOLE: 4})


def name(kind: str, number: int, what: object) -> str:
    """The name of a cell: errors or model, number of the target, loss or learning rate."""
    return f"{kind}/{number:03d}/{what}"


def run(cell: str, plan: Plan = FULL) -> dict[str, Any]:
    """Fit, with the number of rounds chosen by a second sample, and judge by a third one.

    Returns
    -------
    dict
        error: the relative error of a regressor, or the share of rows in a wrong class; rounds; and
        too_large: whether the run ended because its steps grew beyond all bounds.
    """
    kind, number, what = cell.split("/")
    target, sizes = Target(int(number)), (plan.rows,) * 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind in SIZES:
            train, validation, test = target.samples(kind, sizes)
            model = make_regressor(what, plan)
            model.fit(train.X, train.y, X_val=validation.X, y_val=validation.y)
            error = relative_error(test.exact, model.predict(test.X))
        else:
            samples = target.samples(ERRORS[0], sizes)
            y, y_val, y_test = classes(samples)
            model = make_classifier(kind, float(what), plan)
            model.fit(samples[0].X, y, X_val=samples[1].X, y_val=y_val)
            error = float(np.mean(model.predict(samples[2].X) != y_test))
    too_large = model.stop_reason_.startswith(TOO_LARGE)
    return {"error": round(error, 6), "rounds": model.n_iter_, "too_large": too_large}


def make_regressor(loss: str, plan: Plan) -> Any:
    """The same trees and learning rate for all losses."""
    return GradientBoostingRegressor(loss=loss, alpha=0.9, **_trees(), **_rounds(SHRUNK, plan))


def make_classifier(model: str, rate: float, plan: Plan) -> Any:
    """TreeBoost chooses tests by least squares on the gradients, as in the paper."""
    rounds = {**_rounds(rate, plan), "scoring": "accuracy"}
    if model == TREEBOOST:
        return GradientBoostingClassifier(criterion="squared_error", **_trees(), **rounds)
    if model == DEFAULT:
        return GradientBoostingClassifier(**_trees(), **rounds)
    kind = {LOGITBOOST: LogitBoostClassifier, ADABOOST: AdaBoostMHClassifier}[model]
    return kind(learner=TreeLearner(**_trees()), **rounds)


def _trees() -> dict[str, Any]:
    return {"max_depth": None, "max_leaf_nodes": LEAVES}


def _rounds(rate: float, plan: Plan) -> dict[str, Any]:
    return {
        "learning_rate": rate,
        "n_estimators": plan.rounds[rate],
        "early_stopping": True,
        "n_iter_no_change": plan.patience[rate],
        "n_jobs": 1,
    }
