"""Candidates on folds, and which of them is selected.

Each candidate is fitted once per fold. Its predictions for the rows that it was not trained on are
used to rank the candidates and to measure the final model.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import compress, takewhile

import numpy as np
from sklearn.base import clone

from underdog.cli.plan import CrossValidation, Plan, Trial
from underdog.cli.task import Task
from underdog.cli.wording import format_of
from underdog.comparison.folds import Fold
from underdog.comparison.measures import MEASURES
from underdog.comparison.names import TITLES
from underdog.comparison.paired import corrected_t, two_digits
from underdog.comparison.size import size_of

NOISE = 0.05


def trials(
    plan: Plan,
    task: Task,
    roles: dict[str, str],
    folds: list[Fold],
    done: set[tuple[str, int]],
) -> Iterator[Trial]:
    """Every candidate on every fold, except those that are done.

    The roles of columns were found from all rows: with few rows the folds might disagree.
    """
    for number, (train, test) in enumerate(folds):
        names = [name for name in plan.boosters if (name, number) not in done]
        if not names:
            continue
        known, new = task.take(train), task.take(test)
        if plan.encoder is not None:
            encoder = clone(plan.encoder).set_params(roles=roles)
            known, new = encoder.fit_transform(known), encoder.transform(new)
        weights = {} if task.weights is None else {"sample_weight": task.weights[train]}
        for name in names:
            began = time.perf_counter()
            booster = clone(plan.boosters[name]).fit(known, task.y[train], **weights)
            seconds = time.perf_counter() - began
            scores, own = plan.predict(booster, new)
            yield Trial(name, number, scores, own, size_of(booster), seconds)


def best_of(plan: Plan, results: Mapping[str, CrossValidation]) -> tuple[str, str]:
    """The name of the candidate to use, and why.

    It is the simplest one that is within noise of the best.
    """
    simplest = next(iter(plan.boosters))
    if len(results) < 2:
        return simplest, ""
    sign = 1.0 if MEASURES[plan.measure].larger_is_better else -1.0
    measured = [plan.measure in fold for fold in results[simplest].by_fold]
    if not any(measured):
        return simplest, f"the simplest, since no fold has a {TITLES[plan.measure]}"
    values = {  # a fold without all classes may have no such measure
        each: sign * np.array([fold[plan.measure] for fold in compress(result.by_fold, measured)])
        for each, result in results.items()
    }
    best = max(values, key=lambda each: float(values[each].mean()))
    mean = sign * float(values[best].mean())
    measure = f"{TITLES[plan.measure]} {mean:{format_of(plan.measure, [mean])}}"
    if best == simplest:
        return simplest, f"the best mean {measure}"
    worse = []
    for name in takewhile(lambda name: name != best, plan.boosters):
        gain, *_, p_value = corrected_t(values[best] - values[name], results[best].ratio)
        if not p_value < NOISE:
            return name, (
                f"the simplest model within noise of the best ({best} has {measure}, a difference "
                f"of {two_digits(gain)}, p = {p_value:.2g})"
            )
        worse.append(f"{name} by {two_digits(gain)} (p = {p_value:.2g})")
    return best, f"{measure}, better than {' and '.join(worse)}"
