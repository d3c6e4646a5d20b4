"""Peak growth of memory while fitting 100 stumps, relative to a process after a small fit.

Each number is from a new process, with two threads if there are two cores. Sparse input is counted
as CSR arrays with float32 values. The ratio is underdog divided by the other library.
"""

import ctypes
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import competitors, tasks
from benchmarks.harness import THREADS, Plan, Row

RESET = Path("/proc/self/clear_refs")
LIMITS = {"dense": 1, "Reuters acq": 3, "WordNet noun.time": 3}
"""Task -> how many times its input a fit may need."""


def run(plan: Plan) -> Iterator[Row]:
    if not RESET.exists():
        raise SystemExit(f"Memory is measured through {RESET}, which only Linux has.")
    for name, limit in LIMITS.items():
        title, X, _ = tasks.load(name, plan.share)
        ours = growth("UNDERDOG", name, plan)
        yield row(title, ours, "its input", size(X), at_most=limit)
        for peer in () if plan.alone else ("LIGHTGBM", "XGBOOST", "SKLEARN"):
            theirs = growth(peer, name, plan)
            yield row(title, ours, getattr(competitors, peer).name, theirs)
    title, X, Y = tasks.load("Reuters topics", plan.share)
    (n, labels), d = Y.shape, X.shape[1]
    allowed = 3 * size(X) + labels * (9 * n + 16 * d)
    ours = growth("UNDERDOG_MH", "Reuters topics", plan)
    yield row(title, ours, "3 input + 9 n K + 16 d K bytes", allowed, at_most=1)


def row(work: str, ours: int, against: str, theirs: int, at_most: float | None = None) -> Row:
    """What we need in units of theirs."""
    here, there = (f"{count / 1e6:.3g} MB" for count in (ours, theirs))
    return Row(work, here, against, there, ours / theirs, at_most, at_most=True)


def growth(competitor: str, task: str, plan: Plan) -> int:
    """Bytes by which the peak of a fresh process grows; names, since those travel there easily."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        return fresh.submit(_growth_here, competitor, task, plan).result()


def _growth_here(competitor: str, task: str, plan: Plan) -> int:
    subject: competitors.Competitor = getattr(competitors, competitor)
    _, X, y = tasks.load(task, plan.share)
    _, first_of_each = np.unique(y, axis=0, return_index=True)
    toy = np.union1d(np.arange(100), first_of_each[:100])
    threads = min(2, THREADS[-1])
    # not subject.fit: a peer may find no split in a toy
    subject.make(2, threads).fit(X[toy], y[toy])
    ctypes.CDLL(None).malloc_trim(0)  # pages freed by loading would otherwise be reused unseen
    RESET.write_text("5")  # the peak starts anew from here
    before = _status("VmRSS")
    model = subject.fit(X, y, plan.size(100), threads)
    grown = _status("VmHWM") - before
    del model
    return max(grown, 1)


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def size(X: Any) -> int:
    """Bytes of an array or a CSR matrix."""
    arrays = (X,) if isinstance(X, np.ndarray) else (X.data, X.indices, X.indptr)
    return sum(array.nbytes for array in arrays)
