"""A fit of rows that are in several processes: what they agree on, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.core import Parts, Run
from underdog.data import Table
from underdog.data.disk import DiskTable
from underdog.data.together import agree
from underdog.estimators.support.early_stopping import ChosenRounds
from underdog.estimators.support.task import Progress, UnfinishedFitError
from underdog.estimators.support.validation import Validation
from underdog.estimators.support.weights import FitArguments, Weighting
from underdog.workers.collective import ALONE, Collective, ProcessLostError, joint

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster

TOGETHER = "give X and y as arrays or frames in memory"


def check_supported(booster: Booster, parts: Parts, given: FitArguments) -> None:
    """Refuse what needs all rows in one place."""
    name = type(booster).__name__
    if not booster._takes_parts:
        raise ValueError(
            f"{name} needs all rows in one place, but X is a Dask collection: {TOGETHER}, or use "
            "a booster such as GradientBoostingClassifier, AdaBoostClassifier or "
            "AdaBoostMHClassifier"
        )
    for part in (parts.loss, parts.learner, parts.combiner):
        if not part.takes_parts:
            raise ValueError(
                f"{part!r} of {name} needs all rows in one place, but X is a Dask collection: "
                f"{TOGETHER}, or use another loss or learner, such as learner='tree'"
            )
    if (why := booster._why_in_memory()) is not None:
        raise ValueError(f"{why}, but X is a Dask collection: {TOGETHER}")
    if given.X_val is not None or given.y_val is not None:
        raise ValueError(
            "X_val and y_val are not supported for Dask collections: set early_stopping=True, "
            "which holds out validation_fraction of the rows"
        )
    if given.costs is not None and given.costs.n_examples is not None:
        raise ValueError(
            "costs per row are not supported for Dask collections, because the array of a Costs "
            "object is in the client alone: give what a mistake costs on each row as a Dask "
            "collection, as sample_weight, or as cost of AdaBoostAClassifier"
        )
    scoring = booster.scoring
    if booster.early_stopping and not (scoring is None or scoring in ("auto", "loss")):
        raise ValueError(
            f"scoring={scoring!r} needs all held-out rows in one place, but X is a Dask "
            "collection: use scoring='loss', which is summed exactly"
        )


def check_on_disk(booster: Booster, parts: Parts, X: Any) -> None:
    """Refuse what would take all rows of a table on disk into memory."""
    if not isinstance(X, DiskTable):
        return
    for part in (parts.loss, parts.learner, parts.combiner):
        if not part.takes_disk:
            raise ValueError(
                f"{part!r} of {type(booster).__name__} needs all rows in memory, but X is on disk: "
                "give X and y as arrays or frames in memory, or use a booster such as "
                "GradientBoostingClassifier, AdaBoostClassifier or AdaBoostMHClassifier"
            )


def agree_on_rows(
    booster: Booster, own: tuple[Table, Any] | None, collective: Collective
) -> tuple[Table, Any]:
    """The table and the target of this process in the form of all of them; None has no rows."""
    table, y = own or (None, np.empty(0))
    known = None if table is None else (booster.n_features_in_, _names(booster))
    n_features, names = next(k for k in collective.exchange("gather", known) if k is not None)
    if known is not None and known[0] != n_features:
        raise ValueError(
            f"the partitions have {n_features} and {known[0]} columns: give all the same columns"
        )
    booster.n_features_in_ = n_features
    if names is not None:
        booster.feature_names_in_ = np.array(names, dtype=object)
    shape = None if table is None else (y.ndim, y.shape[1:], y[:0])
    every = [one for one in collective.exchange("gather", shape) if one is not None]
    if len({one[:2] for one in every}) > 1:
        raise ValueError("the partitions of y have different numbers of columns: give all the same")
    return agree(table, collective), every[0][2] if table is None else y


def _names(booster: Booster) -> list[str] | None:
    names = getattr(booster, "feature_names_in_", None)
    return None if names is None else list(names)


def outline(booster: Booster, y: Any, collective: Collective) -> Any:
    """What a code learns from: y, or its distinct labels or its range in all processes."""
    return y if collective is ALONE else joint(booster._outline(y), collective)


@contextmanager
def keeping_progress(
    run: Run, labels: Any, weighting: Weighting, validation: Validation | ChosenRounds | None
) -> Iterator[None]:
    """If another process is lost, or this one interrupted, raise what there is of a joint run."""
    try:
        yield
    except (ProcessLostError, KeyboardInterrupt) as error:
        if run.rows.collective is ALONE:
            raise
        state, rounds = run.state, min(len(run.history), len(run.state.members))
        best = validation.best if isinstance(validation, Validation) else None
        progress = Progress(
            run.rows.layout.schema,
            run.rows.start,
            state.members[:rounds],
            state.path[:rounds],
            [dict(row) for row in run.history.rows[:rounds]],
            None if best is None else (best.number, best.score),
            validation if isinstance(validation, ChosenRounds) else None,
            isinstance(error, KeyboardInterrupt),
        )
        raise UnfinishedFitError(progress, run, labels, weighting) from error
