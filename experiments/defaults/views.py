"""Ranks of models over sources, from the cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from experiments.defaults.models import MAIN, MODELS, SLOW_FOLDS
from experiments.defaults.runs import name
from experiments.defaults.scores import Scores
from experiments.defaults.tasks import FOLDS, Task

Floats = NDArray[np.float64]
Cells = Mapping[str, Scores]

MORE_IS_BETTER = {"f1", "ap", "auc"}
DRAWS, LEVEL = 2_000, 0.95
"""Bootstrap samples of the sources, and the share of them that an interval holds."""
FEWEST = 5
"""Sources; fewer give no interval."""


@dataclass(frozen=True)
class View:
    """Some models on some folds of some tasks, of which all of them have every cell.

    Attributes
    ----------
    cells : by name
    folds : by task
    models : names
    """

    cells: Cells
    folds: Mapping[Task, Sequence[int]]
    models: Sequence[str]

    @cached_property
    def sources(self) -> list[str]:
        """In the order of the tasks."""
        return list(dict.fromkeys(task.source for task in self.folds))

    @property
    def tasks(self) -> list[Task]:
        """All of them."""
        return list(self.folds)

    def part(self, half: str) -> "View":
        """The sources of one half."""
        own = {task: folds for task, folds in self.folds.items() if task.half == half}
        return View(self.cells, own, self.models)

    def of_task(self, task: Task, measure: str) -> Floats:
        """By model the mean over the folds."""
        cells = [
            [self.cells[name(task.name, model, fold)][measure] for fold in self.folds[task]]
            for model in self.models
        ]
        return np.mean(cells, axis=1)

    def means(self, measure: str) -> Floats:
        """By model the mean over sources of the mean over their sets."""
        own = [
            np.mean([self.of_task(task, measure) for task in self.tasks if task.source == each], 0)
            for each in self.sources
        ]
        return np.mean(own, axis=0)

    def ranks(self, measure: str) -> Floats:
        """(models, sources): 1 is the best; equal models share the mean of their ranks.

        Models are ranked by their mean over the sets of a source that have the same kind of target,
        so that the log losses of 26 classes do not drown those of two; then ranks of a source are
        averaged.
        """
        sign = -1.0 if measure in MORE_IS_BETTER else 1.0
        every = []
        for source in self.sources:
            own = [task for task in self.tasks if task.source == source]
            kinds = dict.fromkeys(task.kind for task in own)
            of_kinds = [
                np.mean([self.of_task(task, measure) for task in own if task.kind == kind], axis=0)
                for kind in kinds
            ]
            every.append(np.mean([rankdata(sign * values) for values in of_kinds], axis=0))
        return np.array(every).T


def interval(values: Floats) -> tuple[float, float]:
    """Where the mean of one number per source lies in most bootstrap samples of the sources.

    Unbounded with few sources.
    """
    if len(values) < FEWEST:
        return -np.inf, np.inf
    draws = np.random.default_rng(0).integers(len(values), size=(DRAWS, len(values)))
    outside = (1.0 - LEVEL) / 2.0
    low, high = np.quantile(values[draws].mean(axis=1), [outside, 1.0 - outside])
    return float(low), float(high)


def complete(cells: Cells, tasks: Sequence[Task]) -> View:
    """The folds on which peers are finished, and the models that have all of these.

    Tasks with fewer than two such folds are left out. Peers that were not run at all, and slow
    ones, do not count.
    """
    names = {task.name for task in tasks}
    parsed = [cell.rsplit("/", 2) for cell in cells]
    started = {model for task, model, _ in parsed if task in names}
    peers = [
        model
        for model, own in MODELS.items()
        if model in started and not own.own and not {task.family for task in tasks} & {*own.slow}
    ]
    wanted = [*peers, MAIN] if MAIN in started else peers
    folds = {task: _folds_of(cells, task, wanted) for task in tasks if wanted}
    folds = {task: own for task, own in folds.items() if len(own) >= SLOW_FOLDS}
    models = [
        model
        for model in MODELS
        if folds
        and all(set(own) <= {*_folds_of(cells, task, [model])} for task, own in folds.items())
    ]
    return View(cells, folds, models)


def beside(view: View, model: str) -> View:
    """The models of a view and one more, on the cells that this one has."""
    cells = view.cells
    folds = {
        task: own for task in view.folds if (own := _folds_of(cells, task, [model, *view.models]))
    }
    return View(cells, folds, [own for own in MODELS if own in view.models or own == model])


def _folds_of(cells: Cells, task: Task, models: Sequence[str]) -> list[int]:
    """The folds that all of these models have."""
    return [
        fold
        for fold in range(FOLDS)
        if all(name(task.name, model, fold) in cells for model in models)
    ]
