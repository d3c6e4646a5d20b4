"""A fit of Dask collections: every worker keeps its rows, and the client leads the rounds.

An actor on each worker runs the same fit as the client, on the partitions that are there (see
`underdog.workers.collective`). The client has no rows. Only integer sums, maxima and distinct
values travel. If a worker is lost, Dask loads its partitions again, and the rounds so far are
repeated from the members of the model, which gives the same bits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from underdog.checks import import_extra
from underdog.estimators.support.replica import DONE, FAILED, Replica
from underdog.estimators.support.task import Progress, UnfinishedFitError
from underdog.estimators.support.together import check_supported
from underdog.estimators.support.weights import FitArguments
from underdog.workers.collective import Kind, ProcessLostError, combine

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster

PATIENCE = 1.0
"""Seconds after which to look whether a worker that does not answer is still there."""
ATTEMPTS = 3
"""How often workers may be lost without another round in between."""
PER_ROW = ("sample_weight", "initial_weight", "cost")
"""The arguments of fit that have a value for each row."""


class LostDataError(RuntimeError):
    """The rows of a fit cannot be loaded any more."""


def fit(booster: Booster, X: Any, y: Any, given: FitArguments) -> None:
    """Fit a booster to Dask collections, on the workers of a client."""
    booster._check_parameters()
    parts = booster._make_parts()
    parts.check()
    check_supported(booster, parts, given)
    client, partitions = given.client or current_client(), partitions_of(X, y, given)
    with client.as_current():  # actors belong to the current client
        _fit(client, booster, partitions, given)


def _fit(client: Any, booster: Booster, partitions: Sequence[Any], given: FitArguments) -> None:
    """Lead a fit to its end, with new workers if some are lost."""
    unfinished: UnfinishedFitError | None = None
    in_vain, again = 0, False
    while True:
        progress = None if unfinished is None else unfinished.progress
        try:
            with _joined(client, booster, partitions, given, progress, again) as own:
                booster._fit(None, None, own)
        except UnfinishedFitError as error:
            if error.progress.interrupted and not error.progress.members:
                raise KeyboardInterrupt from error
            if error.progress.members:
                is_new = progress is None or len(error.progress.members) > len(progress.members)
                unfinished, in_vain = error, 0 if is_new else in_vain + 1
        except ProcessLostError:
            in_vain += 1
        except LostDataError as error:
            raise _with_model(booster, unfinished, str(error)) from error.__cause__
        else:
            break
        again = True
        time.sleep(PATIENCE)  # until the scheduler has noticed, and workers have started again
        if in_vain >= ATTEMPTS:
            raise _with_model(booster, unfinished, f"workers were lost {in_vain} times in a row")
    if progress is not None and progress.interrupted:
        raise KeyboardInterrupt


def _with_model(booster: Booster, unfinished: UnfinishedFitError | None, why: str) -> LostDataError:
    """The error of a fit that cannot go on; the booster keeps the rounds that it has."""
    if unfinished is None:
        return LostDataError(f"{why}, before the first round")
    rounds = len(unfinished.progress.members)
    booster._keep_unfinished(unfinished, f"{why} after {rounds} rounds")
    return LostDataError(
        f"{why} after {rounds} rounds, which the model has: to go on, load the data from their "
        "source and call fit again with warm_start=True"
    )


def current_client() -> Any:
    """The client of Dask that was made last, or that `as_current` has chosen."""
    distributed = import_extra("distributed", "dask", "a fit of Dask collections")
    try:
        return distributed.get_client()
    except ValueError:
        raise ValueError(
            "X is a Dask collection, but there is no client: make one before fit, for example "
            "with distributed.Client(), or give it as client"
        ) from None


def partitions_of(X: Any, y: Any, given: FitArguments) -> list[Any]:
    """The delayed partitions of X, y and all other arguments with a value for each row."""
    from dask.delayed import delayed

    columns = {"X": X, "y": y}
    columns |= {n: getattr(given, n) for n in PER_ROW if getattr(given, n) is not None}
    if X.ndim == 2 and hasattr(X, "chunks") and len(X.chunks[1]) > 1:
        columns["X"] = X = X.rechunk({1: -1})
    parts = {}
    for name, values in columns.items():
        if not hasattr(values, "to_delayed"):
            raise ValueError(
                f"X is a Dask collection, but {name} is a {type(values).__name__}: give {name} as "
                "a Dask collection with the partitions of X"
            )
        if hasattr(values, "chunks") and hasattr(X, "chunks") and values.chunks[0] != X.chunks[0]:
            values = values.rechunk({0: X.chunks[0]})
        parts[name] = np.ravel(values.to_delayed())
    sizes = {name: len(own) for name, own in parts.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"the numbers of partitions differ, {sizes}: give all the same partitions")
    rows = zip(*parts.values(), strict=True)
    return [delayed(_partition)(list(parts), *own) for own in rows]


def _partition(names: Sequence[str], *values: Any) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))


@contextmanager
def _joined(
    client: Any,
    booster: Booster,
    partitions: Sequence[Any],
    given: FitArguments,
    progress: Progress | None,
    again: bool,
) -> Iterator[FitArguments]:
    """The arguments of the fit of the client, after all workers have loaded their rows."""
    resumed = booster.warm_start and hasattr(booster, "model_")
    sent = (copy(booster) if resumed else clone(booster)).set_params(verbose=0)
    places = _load(client, partitions, again)
    futures = {
        address: client.submit(
            Replica, sent, number, progress, own, actor=True, workers=[address], pure=False
        )
        for number, (address, own) in enumerate(places.items(), 1)
    }
    try:
        actors = {a: _wait(client, a, future) for a, future in futures.items()}
        places.clear()  # the actors have the rows
        none: dict[str, Any] = {n: np.empty(0) for n in PER_ROW if getattr(given, n) is not None}
        with _direct(client, list(actors)):
            rows = DaskRows(client, actors)
            try:
                yield replace(given, **none, collective=rows, progress=progress)
            finally:
                rows.close()
    finally:
        for future in futures.values():
            future.release()


@contextmanager
def _direct(client: Any, addresses: Sequence[str]) -> Iterator[None]:
    """Messages that go to the workers directly, if the client can reach them.

    Through the scheduler they take several times as long.
    """

    async def greet() -> None:
        await asyncio.wait_for(
            asyncio.gather(*(client.rpc(address).identity() for address in addresses)), PATIENCE
        )

    before = client.direct_to_workers
    if not before:
        with suppress(OSError, TimeoutError):
            client.sync(greet)
            client.direct_to_workers = True
    try:
        yield
    finally:
        client.direct_to_workers = before


def _load(client: Any, partitions: Sequence[Any], again: bool) -> dict[str, list[Any]]:
    """The partitions that each worker has loaded, for the first time or again."""
    futures = client.compute(list(partitions))
    import_extra("distributed", "dask", "a fit of Dask collections").wait(futures)
    for future in futures:
        if future.status != "finished":
            cause = future.exception() if future.status == "error" else None
            if cause is not None and not again:
                raise cause
            raise LostDataError("rows of a lost worker could not be loaded again") from cause
    places: dict[str, list[Any]] = {}
    for future, holders in zip(futures, client.who_has(futures).values(), strict=True):
        if not holders:
            raise ProcessLostError("a worker was lost while it loaded its rows")
        places.setdefault(sorted(holders)[0], []).append(future)
    return dict(sorted(places.items()))


def _is_alive(client: Any, address: str) -> bool:
    return address in client.scheduler_info(n_workers=-1)["workers"]


def _wait(client: Any, address: str, future: Any) -> Any:
    """The result of a future on a worker; it never comes if the worker is lost."""
    from distributed import TimeoutError as DaskTimeoutError

    while True:
        try:
            return future.result(timeout=PATIENCE)
        except (TimeoutError, DaskTimeoutError):
            if not _is_alive(client, address):
                raise ProcessLostError(f"the worker {address} was lost") from None
        except (OSError, RuntimeError) as error:
            if _is_alive(client, address) and not isinstance(error, OSError):
                raise
            raise ProcessLostError(f"the worker {address} was lost") from error


class DaskRows:
    """The rows on the workers of a cluster, as the collective of the client, which has none.

    Parameters
    ----------
    client : distributed.Client
    actors : dict of addresses and actors of `Replica`
    """

    number = 0

    def __init__(self, client: Any, actors: Mapping[str, Any]) -> None:
        self._client, self._actors = client, dict(actors)
        self._waiting: dict[str, Any] = {}
        self._send(None)

    def exchange(self, kind: Kind, own: Any) -> Any:
        parts = [own]
        for address, future in self._waiting.items():
            their, part = _wait(self._client, address, future)
            if their == FAILED:
                raise part
            if their != kind:
                raise RuntimeError(
                    f"the worker {address} is at {their!r} where the client is at {kind!r}: the "
                    "versions of underdog and of its dependencies must be the same everywhere"
                )
            parts.append(part)
        result = combine(kind, parts)
        self._send(result)
        return result

    def _send(self, reply: Any) -> None:
        try:
            self._waiting = {a: actor.advance(reply) for a, actor in self._actors.items()}
        except RuntimeError as error:  # Dask knows already that an actor is lost
            raise ProcessLostError(str(error)) from error

    def close(self) -> None:
        """End the fits of all workers that have not ended."""
        for address, actor in self._actors.items():
            future = self._waiting[address]
            with suppress(Exception):  # a lost worker has ended
                if not (future.done() and future.result()[0] in (DONE, FAILED)):
                    actor.stop().result(timeout=PATIENCE)
