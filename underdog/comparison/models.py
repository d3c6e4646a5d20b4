"""The models to compare: those given, by name or as objects, or the default ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from underdog.automatic.settings import settings_for
from underdog.comparison.baselines import has_lightgbm, lightgbm, logistic
from underdog.comparison.names import BLENDED, CALIBRATED, LIGHTGBM, LOGISTIC
from underdog.comparison.problem import ComparedRows, Problem
from underdog.decisions.base import Decider
from underdog.decisions.calibrated_adamec import CalibratedAdaMECClassifier
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.estimators import all_boosters, all_regressors
from underdog.estimators.blended_trees import BlendedTreesClassifier
from underdog.estimators.support import inputs
from underdog.estimators.support.classifier import Classifier
from underdog.estimators.support.uneven import Uneven

FOREIGN = (LOGISTIC, LIGHTGBM)
TREES = "GradientBoosting"
TWO = (BLENDED, "AdaBoost", "AdaUBoost", "LPUBoost", CALIBRATED, TREES, LOGISTIC)
MORE = (BLENDED, "AdaBoostMH", TREES, LOGISTIC)


@dataclass(frozen=True, eq=False)
class Entrant:
    """An unfitted classifier, and X in a form that it supports."""

    model: Any
    X: Any


def choose_models(models: Any, problem: Problem, random_state: Any) -> dict[str, Entrant]:
    """The models by name."""
    named = by_name(usual_names(problem) if models is None else models)
    if not named:
        raise ValueError("models is empty: give at least one, or None for the default models")
    made = {}
    for name, model in named.items():
        entrant = _make(model, problem, random_state)
        made[name] = Entrant(entrant, _rows_for(model, entrant, problem))
    return made


def refuse_regressors(models: Any) -> None:
    """Raise an error if there is a regressor among the models to compare."""
    known = all_regressors()
    for model in () if models is None else by_name(models).values():
        named = isinstance(model, str) and model in known
        inputs.refuse_regressor(
            known[model]() if named else model,
            "compare is for classifiers. Use compare_regressors",
        )


def usual_names(problem: Problem) -> list[str]:
    """Names of the models that are compared by default.

    Sparse columns are usually words, on which trees are slow and no better than stumps.
    """
    names = [*(TWO if problem.binary else MORE)]
    if problem.is_sparse:
        names.remove(TREES)
    if has_lightgbm():
        names.append(LIGHTGBM)
    return names


def last_step(model: Any) -> Any:
    """The classifier at the end of a pipeline, or the model itself."""
    return model.steps[-1][1] if hasattr(model, "steps") else model


def decides_by_cost(model: Any) -> bool:
    """Whether the predictions of the model take costs into account.

    Those of an uneven booster with probabilities do not: beta changes how much is learned from each
    class, but at the minimum of the uneven loss the score is still above 0 where the probability is
    above 1/2.
    """
    model = last_step(model)
    own = getattr(model, "costs", None) is not None and not isinstance(model, Uneven)
    return own or isinstance(model, ThresholdClassifier)


def _rows_for(asked: Any, model: Any, problem: Problem) -> Any:
    if isinstance(asked, str) and asked in FOREIGN:
        return problem.table
    return rows_for(problem, _takes_tables(model))


def rows_for(problem: ComparedRows, takes_tables: bool) -> Any:
    """The rows in a form that a model takes which was given as an object."""
    if problem.X is problem.table and not takes_tables and not problem.has_categories:
        return problem.table.matrix()
    return problem.X


def _takes_tables(model: Any) -> bool:
    if isinstance(model, Decider):
        return _takes_tables(model._make_estimator())
    return isinstance(model, Classifier)


def by_name(models: Any, kind: str = "Classifier") -> dict[str, Any]:
    """Names of models, or models of this kind, by their name in the table."""
    if isinstance(models, Mapping):
        return {str(name): model for name, model in models.items()}
    if isinstance(models, str) or hasattr(models, "fit") or not isinstance(models, Iterable):
        models = [models]
    named: dict[str, Any] = {}
    for model in models:
        own = type(last_step(model)).__name__.removesuffix(kind)
        name = base = model if isinstance(model, str) else own
        copies = 1
        while name in named:
            copies += 1
            name = f"{base} {copies}"
        named[name] = model
    return named


def _make(model: Any, problem: Problem, random_state: Any) -> Any:
    if isinstance(model, str):
        makers = _makers(problem, random_state)
        found = makers.get(model, makers.get(model.removesuffix("Classifier")))
        if found is None:
            raise ValueError(f"there is no model {model!r}: use one of {', '.join(makers)}")
        return found()
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise ValueError(f"models: {model!r} must be a name or a classifier object")
    return model


def _makers(problem: Problem, random_state: Any) -> dict[str, Callable[[], Any]]:
    """Functions that make each named model for this problem."""

    def booster(kind: type[Classifier]) -> Callable[[], Any]:
        own = _unevenness(kind, problem)
        if issubclass(kind, BlendedTreesClassifier):
            own = settings_for(*problem.table.shape).parameters
        return lambda: kind(pos_label=_pos_label(problem), **own)

    def calibrated() -> Any:
        # Costs per example are applied to its probabilities later.
        shared = problem.costs is not None and problem.costs.n_examples is None
        costs = problem.costs if shared else None
        return CalibratedAdaMECClassifier(costs, pos_label=_pos_label(problem))

    makers = {name.removesuffix("Classifier"): booster(k) for name, k in all_boosters().items()}
    return {
        **makers,
        CALIBRATED: calibrated,
        LOGISTIC: logistic,
        LIGHTGBM: partial(lightgbm, random_state),
    }


def _pos_label(problem: Problem) -> Any:
    return problem.classes[problem.positive] if problem.binary else None


def _unevenness(kind: type[Classifier], problem: Problem) -> dict[str, Any]:
    """beta of an uneven booster: mean cost of a false negative over that of a false positive."""
    if not issubclass(kind, Uneven) or problem.costs is None or not problem.binary:
        return {}
    costs = problem.costs.mistakes(problem.true, problem.classes, problem.positive)
    positive = problem.true == problem.positive
    miss, alarm = float(np.mean(costs[positive])), float(np.mean(costs[~positive]))
    return {"beta": miss / alarm} if miss and alarm else {}
