"""The model and the baselines on folds, and whether a baseline is better.

Each is fitted once per fold. Its predictions for the rows that it was not trained on measure it.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping
from itertools import compress
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from underdog.checks import notify
from underdog.cli.deciding import DecidedTrial, LeftOutRule
from underdog.cli.plan import CrossValidation, Plan, Trial
from underdog.cli.task import Task
from underdog.cli.wording import format_of
from underdog.comparison.measures import MEASURES
from underdog.comparison.names import TITLES
from underdog.comparison.paired import corrected_t, two_digits
from underdog.comparison.size import size_of
from underdog.data.folds import Fold

NOISE = 0.05


def trials(
    plan: Plan,
    task: Task,
    roles: dict[str, str],
    folds: list[Fold],
    done: set[tuple[str, int]],
) -> Iterator[Trial]:
    """Every model on every fold, except those that are done and baselines that fail.

    The roles of columns were found from all rows: with few rows the folds might disagree.
    """
    failed: set[str] = set()
    for number, (train, test) in enumerate(folds):
        names = [name for name in plan.models if (name, number) not in done and name not in failed]
        if not names:
            continue
        known, new = task.take(train), task.take(test)
        if plan.encoder is not None:
            encoder = clone(plan.encoder).set_params(roles=roles)
            known, new = encoder.fit_transform(known), encoder.transform(new)
        weights = None if task.weights is None else task.weights[train]
        for name in names:
            began = time.perf_counter()
            try:
                given = plan.given(name, task, train, known)
                model = fitted(plan.models[name], known, task.y[train], weights, given)
                seconds = time.perf_counter() - began
                scores, own = plan.predict(model, new)
                rule = getattr(plan, "rule", None) if name == plan.name else None
                decided = _decided(rule, model, task.y[train], weights, new)
            except Exception as error:
                if name not in plan.baselines:
                    raise
                failed.add(name)
                notify(f"The baseline {name} is left out, because it failed: {error}")
                continue
            yield DecidedTrial(name, number, scores, own, size_of(model), seconds, decided)


def _decided(rule: LeftOutRule | None, model: Any, y: Any, weights: Any, X: Any) -> Any:
    """Positions of the classes that a model predicts by the training rows that it left out."""
    decider = None if rule is None else rule.decider(model, y, weights)
    return None if decider is None else np.searchsorted(decider.classes_, decider.predict(X))


def fitted(model: Any, X: Any, y: Any, weights: Any, given: dict[str, Any]) -> Any:
    """A fitted copy of a booster or baseline."""
    model = clone(model)
    if weights is not None:
        last = f"{model.steps[-1][0]}__" if hasattr(model, "steps") else ""
        given = {**given, f"{last}sample_weight": weights}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of a baseline: it is good enough
        return model.fit(X, y, **given)


def beside_baselines(
    plan: Plan, result: CrossValidation, baselines: Mapping[str, CrossValidation]
) -> str:
    """Whether a baseline is better than the model, by more than noise or perhaps by chance."""
    title = TITLES[plan.measure]
    sign = 1.0 if MEASURES[plan.measure].larger_is_better else -1.0
    # A fold without all classes may have no such measure.
    measured = [plan.measure in fold for fold in result.by_fold]
    if sum(measured) < 2:
        return f"Too few folds have a {title} to compare {plan.name} with the baselines."
    own, *others = (
        np.array([fold[plan.measure] for fold in compress(each.by_fold, measured)])
        for each in (result, *baselines.values())
    )
    better, perhaps = [], {}
    for name, values in zip(baselines, others, strict=True):
        gain, *_, p_value = corrected_t(sign * (values - own), result.ratio)
        means = float(values.mean()), float(own.mean())
        first, second = (f"{mean:{format_of(plan.measure, means)}}" for mean in means)
        if gain > 0.0 and p_value < NOISE:
            amount = two_digits(gain)
            better.append(f"{name} ({title} {first}, {amount} better, p = {p_value:.2g})")
        elif gain > 0.0 and first != second:
            perhaps[name] = f"{first} against {second}"
    sentences = [f"In {title}, no baseline is better than {plan.name} by more than noise."]
    if better:
        verb = "is" if len(better) == 1 else "are"
        sentences = [
            f"{' and '.join(better)} {verb} better than {plan.name} by more than noise: see "
            "underdog compare for these and other models."
        ]
    side = "higher" if sign > 0.0 else "lower"
    sentences += [
        f"{name} has a {side} mean {title.removeprefix('mean ')} ({values}), but the difference "
        "may be chance."
        for name, values in perhaps.items()
    ]
    return " ".join(sentences)
