"""Models of this library, which take frames with categories as they are."""

from typing import Any

from sklearn.pipeline import make_pipeline

import underdog as library
from experiments.defaults.kinds import NUMBER, QUANTILES
from experiments.defaults.scores import LEVELS
from experiments.defaults.tasks import Task
from underdog import (
    AdaBoostClassifier,
    FrameEncoder,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)

HAS_UNDERDOG = hasattr(library, "UnderdogClassifier")


def adaboost(task: Task) -> Any:
    """Stumps, or terms of documents."""
    return _read(task, AdaBoostClassifier(n_jobs=1))


def gradient_boosting(task: Task) -> Any:
    """Trees; for quantiles one model with the same trees for all of them."""
    if task.kind == QUANTILES:
        return GradientBoostingRegressor(
            loss="quantile", quantiles=LEVELS, n_jobs=1, random_state=0
        )
    if task.kind == NUMBER:
        return GradientBoostingRegressor(n_jobs=1, random_state=0)
    return _read(task, GradientBoostingClassifier(n_jobs=1, random_state=0))


def underdog(task: Task) -> Any:
    """The default model, which takes every frame as it is."""
    name = "UnderdogRegressor" if task.kind in (NUMBER, QUANTILES) else "UnderdogClassifier"
    made = getattr(library, name)()
    if task.kind == QUANTILES:
        made.set_params(quantiles=LEVELS)
    known = made.get_params()
    return made.set_params(**{own: value for own, value in THREADS.items() if own in known})


THREADS = {"n_jobs": 1, "random_state": 0}


def _read(task: Task, model: Any) -> Any:
    """With the terms of documents, as the command line finds them."""
    if task.family != "text":
        return model
    return make_pipeline(FrameEncoder(roles={"text": "text"}), model)
