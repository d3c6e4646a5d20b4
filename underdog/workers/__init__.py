"""Who computes: a pool of threads for kernels that run without the GIL, and other processes.

Sums are exact, so how work is split never shows in a result.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from itertools import pairwise
from types import TracebackType

from joblib import effective_n_jobs

from underdog.memory import active
from underdog.workers.collective import ALONE, Collective

MIN_WORK = 200_000
"""Elementary steps below which handing work to a thread costs more than it saves."""
TO_START = 3
"""Times as much must be to do where threads would first have to be started."""


class Team:
    """Tasks that run at the same time and wait for each other in compiled code.

    They may wait there for more to do when they have ended: then they need not be started again.
    """

    failed = False
    """Whether a task has ended with an error, so that none of them can be relied upon."""

    def start(self) -> None:
        """Called before the tasks are started, when no earlier ones are left."""

    def call(self) -> bool:
        """Give those that wait more to do; returns False if there are none."""
        return False

    def dismiss(self) -> None:
        """End those that wait."""

    def release(self) -> None:
        """End all waiting: one of the tasks will not arrive."""


class Workers:
    """Runs a function over ranges, on `n_jobs` threads where the work is worth it.

    Parameters
    ----------
    n_jobs : int, optional
    collective : Collective
        The processes of a fit, if it has several.
    """

    def __init__(self, n_jobs: int | None = None, collective: Collective = ALONE) -> None:
        self.collective = collective
        self.count = int(effective_n_jobs(n_jobs))
        self._pool: ThreadPoolExecutor | None = None
        self._others: list[Future[object]] = []
        self._team: Team | None = None

    def run(self, task: Callable[[int, int], object], size: int, work: int) -> None:
        """Call task(start, stop) so that the ranges cover 0..size; `work` counts steps in all."""
        pieces = min(self.count, size, work // MIN_WORK)
        if pieces <= 1 or (self._pool is None and work < TO_START * MIN_WORK):
            task(0, size)
            return
        self.settle()  # who waits for a next tree would keep a thread
        pool = self._threads()
        bounds = [size * piece // pieces for piece in range(pieces + 1)]
        others = [pool.submit(_in_context(task), *bound) for bound in pairwise(bounds[1:])]
        try:
            task(0, bounds[1])  # here: waking one thread less, and nobody only waits
        finally:
            for other in others:
                other.result()

    def together(self, task: Callable[[int], object], count: int, team: Team) -> None:
        """Call task(0), ..., task(count - 1) at the same time; they may wait for each other.

        It returns when task(0) has ended: see `settle`. The others are not called if those of the
        last time wait for more to do. If one of them fails or cannot run, the others are released,
        and its error is raised.
        """
        if count > self.count:
            raise ValueError(f"{count} tasks cannot run at the same time on {self.count} threads")
        if count == 1:
            task(0)
            return
        try:
            if self._team is not team or not team.call():
                self.settle()
                team.failed = False
                team.start()
                for number in range(1, count):
                    part = _in_context(partial(_take_part, task, team))
                    self._others.append(self._threads().submit(part, number))
                self._team = team
            task(0)
        except BaseException:
            team.failed = True
            team.release()
            self.settle()
            raise
        if team.failed:
            self.settle()

    def settle(self) -> None:
        """Wait until the other tasks of `together` have ended, too.

        They have little to do after task(0), but to wait for it takes as long as a small tree.
        """
        self._dismiss()
        others, self._others = self._others, []
        for other in others:
            other.result()

    def _dismiss(self) -> None:
        """Send home those that wait. After an error nobody waits: all are released."""
        team, self._team = self._team, None
        if team is not None and not team.failed:
            team.dismiss()

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count - 1)
        return self._pool

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._dismiss()
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        if kind is None:
            self.settle()


def _take_part(task: Callable[[int], object], team: Team, number: int) -> None:
    """One of several tasks that wait for each other."""
    try:
        task(number)
    except BaseException:
        team.failed = True
        team.release()
        raise


def _in_context(task: Callable[..., object]) -> Callable[..., object]:
    """The task with the limit on memory of this thread, which is part of its context."""
    return task if active() is None else partial(copy_context().run, task)
