"""The rankers to compare: RankBoost with stumps and trees, a listwise loss, LightGBM, no order."""

from __future__ import annotations

import importlib
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from underdog.comparison.baselines import NumberMatrix, has_lightgbm
from underdog.comparison.models import Entrant, by_name, last_step, rows_for
from underdog.comparison.names import ANY_ORDER, LIGHTGBM, LISTWISE, STUMPS, TREES
from underdog.comparison.problem import RankProblem
from underdog.estimators.boosting_ranker import BoostingRanker
from underdog.estimators.rankboost import RankBoostRanker
from underdog.estimators.support.ranker import Ranker
from underdog.types import Floats

BOOSTERS: dict[str, tuple[type[Ranker], dict[str, Any]]] = {
    STUMPS: (RankBoostRanker, {}),
    TREES: (RankBoostRanker, {"learner": "tree", "learning_rate": 0.1}),
    LISTWISE: (BoostingRanker, {}),
}
"""Rankers and the parameters in which they differ from their defaults."""
FULL_NAMES = {"RankBoost": STUMPS, "Boosting": LISTWISE}
"""What rankers of this library are called, without "Ranker"."""
MAX_GRADE = 30
"""LightGBM has gains for so many grades."""


class AnyOrder(BaseEstimator):  # type: ignore[misc]
    """All rows have the same score."""

    def fit(self, X: Any, y: Any, qid: Any = None) -> AnyOrder:
        """Nothing is learned."""
        self.fitted_ = True
        return self

    def predict(self, X: Any) -> Floats:
        """(n,) zeros."""
        return np.zeros(len(X))


class LightGBMRanker(BaseEstimator):  # type: ignore[misc]
    """LightGBM's ranker with its defaults, for rows in any order."""

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any, qid: Any = None) -> LightGBMRanker:
        """Sort the rows by query, and fit."""
        if y.min() < 0 or y.max() > MAX_GRADE or bool((y != np.rint(y)).any()):
            raise ValueError(
                f"LightGBM ranks whole grades from 0 to {MAX_GRADE}, but y has others: leave it out"
            )
        self.matrix_ = NumberMatrix().fit(X)
        order = np.argsort(qid, kind="stable")
        sizes = np.unique(qid, return_counts=True)[1]
        seed = self.random_state if isinstance(self.random_state, Integral) else None
        model = importlib.import_module("lightgbm").LGBMRanker(
            n_jobs=1, verbosity=-1, random_state=seed
        )
        self.estimator_ = model.fit(self.matrix_.transform(X)[order], y[order], group=sizes)
        return self

    def predict(self, X: Any) -> Floats:
        """(n,) scores."""
        found: Floats = self.estimator_.predict(self.matrix_.transform(X))
        return found


def usual_rankers() -> list[str]:
    """Names of the models that are compared by default."""
    return [*BOOSTERS, *([LIGHTGBM] if has_lightgbm() else []), ANY_ORDER]


def choose_rankers(models: Any, problem: RankProblem, seed: Any) -> dict[str, Entrant]:
    """The models by name: names or rankers, in a list or a mapping; None for the usual ones."""
    named = by_name(usual_rankers() if models is None else models, "Ranker")
    if not named:
        raise ValueError("models is empty: give at least one, or None for the default models")
    return {
        name: _make(model, problem, seed) if isinstance(model, str) else _entrant(model, problem)
        for name, model in named.items()
    }


def _entrant(model: Any, problem: RankProblem) -> Entrant:
    """A ranker that was given."""
    if isinstance(model, type) or not isinstance(last_step(model), Ranker):
        raise ValueError(f"models: {model!r} must be a name or a ranker object of underdog")
    return Entrant(model, rows_for(problem, isinstance(model, Ranker)))


def _make(name: str, problem: RankProblem, seed: Any) -> Entrant:
    short = FULL_NAMES.get(name.removesuffix("Ranker"), name)
    if short in BOOSTERS:
        kind, settings = BOOSTERS[short]
        return Entrant(kind(**settings), problem.X)
    if short == ANY_ORDER:
        return Entrant(AnyOrder(), np.zeros((len(problem.y), 1)))
    if short != LIGHTGBM:
        known = ", ".join((*BOOSTERS, LIGHTGBM, ANY_ORDER))
        raise ValueError(f"there is no model {name!r} for rankings: use one of {known}")
    if not has_lightgbm():
        raise ValueError("LightGBM is not installed: pip install lightgbm, or leave it out")
    return Entrant(LightGBMRanker(seed), problem.table)
