"""One cell: one model on one fold of one task."""

import pickle
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from experiments.defaults.kinds import BINARY, MULTILABEL, NUMBER, QUANTILES
from experiments.defaults.models import MODELS
from experiments.defaults.scores import Predicted, Scores, judge, rounded
from experiments.defaults.tasks import FOLDS, SHORT, TASKS, Task


def names(tasks: Sequence[Task], models: Iterable[str], folds: int = FOLDS) -> Iterator[str]:
    """Of the cells, all tasks of a fold before the next fold, the cheap models first."""
    chosen = list(models)
    for fold in range(folds):
        for model in chosen:
            for task in tasks:
                if MODELS[model].takes(task) and fold in MODELS[model].folds(task):
                    yield name(task.name, model, fold)


def name(task: str, model: str, fold: int) -> str:
    """The name of a cell."""
    return f"{task}/{model}/{fold}"


def run(cell: str) -> Scores:
    """Fit and judge.

    Returns
    -------
    dict
        The measures of the kind of target, "seconds" of processor time of the fit, and "kB" of the
        pickled model.
    """
    member, model, fold = cell.rsplit("/", 2)
    task = TASKS.get(member) or SHORT[member]
    X, y = task.X, task.y
    train, test = task.folds()[int(fold)]
    made = MODELS[model].make(task)
    # here, where OpenMP is loaded: a limit that is set before it does not hold
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        began = time.process_time()
        made.fit(X.iloc[train], y[train])
        seconds = time.process_time() - began
        said = predicted(task, made, X.iloc[test])
    scores = judge(task.kind, y[train], y[test], said)
    return rounded({**scores, "seconds": seconds, "kB": len(pickle.dumps(made)) / 1000.0})


def predicted(task: Task, model: Any, X: pd.DataFrame) -> Predicted:
    """What a fitted model says, in one form for all."""
    labels = np.asarray(model.predict(X))
    if task.kind in (NUMBER, QUANTILES):
        return Predicted(labels.astype(np.float64))
    if task.kind == MULTILABEL:
        every = model.predict_proba(X)
        if isinstance(every, list):  # of forests: for each label both classes
            every = np.column_stack([each[:, 1] for each in every])
        return Predicted(labels, np.asarray(every, dtype=np.float64))
    probability = np.asarray(model.predict_proba(X), dtype=np.float64)
    probability /= probability.sum(axis=1, keepdims=True)  # some are single precision
    labels = labels.reshape(len(X))
    return Predicted(labels, probability[:, 1] if task.kind == BINARY else probability)
