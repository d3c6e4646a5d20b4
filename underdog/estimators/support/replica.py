"""The part of a fit that runs on a worker: an actor that keeps the rows of its partitions."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from underdog.estimators.support.weights import FitArguments
from underdog.workers.collective import Kind

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster
    from underdog.estimators.support.task import Progress

DONE, FAILED = "done", "failed"
"""What is sent when the fit has ended, and when it has failed, instead of a kind of exchange."""

Partition = Mapping[str, Any]
"""The rows of a partition: X, y and the arguments with a value for each row."""


class StoppedError(Exception):
    """The client does not want the rest of this fit."""


class Replica:
    """A fit on the rows of one worker, led by the client.

    The fit runs in a thread. `advance` gives it the result of the last exchange and returns what it
    has for the next one. It waits in the event loop of the worker, so that nothing else has to wait
    for it, not even `stop`.

    Parameters
    ----------
    booster : Booster
    number : int
        The place of this process among all; the client is 0.
    progress : Progress, optional
        The rounds that are repeated first.
    partitions : list of Partition
    """

    def __init__(
        self,
        booster: Booster,
        number: int,
        progress: Progress | None,
        partitions: Sequence[Partition],
    ) -> None:
        self.booster, self.number, self._progress = booster, number, progress
        self._rows = loaded(partitions)
        self._request: asyncio.Future[tuple[str, Any]] | None = None
        self._replies: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def advance(self, reply: Any = None) -> tuple[str, Any]:
        """Continue with the result of the last exchange; returns what to exchange next."""
        self._request = asyncio.get_running_loop().create_future()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        else:
            self._replies.put((True, reply))
        return await self._request

    async def stop(self) -> None:
        """End the fit, wherever it is."""
        self._replies.put((False, None))

    def _send(self, kind: str, own: Any) -> None:
        """Let `advance` return, from the thread of the fit."""
        request = self._request
        if request is not None:
            request.get_loop().call_soon_threadsafe(_answer, request, (kind, own))

    def exchange(self, kind: Kind, own: Any) -> Any:
        self._send(kind, own)
        wanted, reply = self._replies.get()
        if not wanted:
            raise StoppedError
        return reply

    def _run(self) -> None:
        rows = dict(self._rows)
        self._rows = {}
        try:
            given = FitArguments(
                **{name: rows[name] for name in rows if name not in ("X", "y")},
                collective=self,
                progress=self._progress,
            )
            self.booster._fit(rows.get("X"), rows.get("y"), given)
        except StoppedError:
            return
        except BaseException as error:
            self._send(FAILED, _portable(error))
            return
        self._send(DONE, None)


def _answer(request: asyncio.Future[tuple[str, Any]], answer: tuple[str, Any]) -> None:
    if not request.done():  # nobody waits any more if the client is gone
        request.set_result(answer)


def _portable(error: BaseException) -> BaseException:
    """The error, if it can be sent to the client; otherwise one with its message."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        kind = ValueError if isinstance(error, ValueError) else RuntimeError
        return kind(str(error))
    return error


def loaded(partitions: Sequence[Partition]) -> Partition:
    """The rows of all partitions; without X and y if there are none."""
    names = partitions[0].keys() if partitions else ()
    full = [part for part in partitions if part["X"].shape[0]]
    if not full:
        return {name: np.empty(0) for name in names if name not in ("X", "y")}
    return {name: _stacked([part[name] for part in full]) for name in names}


def _stacked(parts: Sequence[Any]) -> Any:
    """Arrays, sparse matrices or frames, one below the other."""
    if len(parts) == 1:
        return parts[0]
    if any(map(sp.issparse, parts)):
        return sp.vstack(parts, format="csr")
    if hasattr(parts[0], "iloc"):
        import pandas as pd

        return pd.concat(parts, ignore_index=True)
    return np.concatenate(parts)
