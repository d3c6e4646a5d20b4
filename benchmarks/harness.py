"""How everything here is measured, and how a measurement becomes a line of the table.

Competitors take turns, so that a busy minute on the machine hits all of them; the best turn counts.
The first turn warms up (compilation, page cache, thread pools) and is thrown away. In a turn, work
of less than SHORTEST is done again and again until that time is over, and its mean counts: one call
of a millisecond would tell how fast the machine wakes up.
"""

import gc
import os
import platform
import resource
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path

CORES = os.cpu_count() or 1
THREADS = tuple(sorted({1, min(2, CORES), CORES}))
SHORTEST = 0.05
"""Seconds that a turn lasts at least."""
PACKAGES = ("underdog", "lightgbm", "xgboost", "scikit-learn", "numpy", "scipy", "numba")


@dataclass(frozen=True)
class Plan:
    """How much to do: the promised sizes in some turns, or a tenth once, to see that it runs.

    With `pause`, which is called before every turn, peers are left out, and it is up to others to
    repeat the whole: see `benchmarks.against`.
    """

    quick: bool = False
    pause: Callable[[], None] | None = None
    turns: int = 5

    @property
    def alone(self) -> bool:
        return self.pause is not None

    @property
    def repeats(self) -> int:
        return 1 if self.quick or self.alone else self.turns

    @property
    def share(self) -> float:
        return 0.1 if self.quick else 1.0

    def size(self, full: int) -> int:
        return round(full * self.share)


@dataclass(frozen=True)
class Job:
    """One thing to time; `scale` says how many times that the whole work would be.

    With `once`, a turn is one call, however short: caches are cold after a pause.
    """

    name: str
    run: Callable[[], object]
    threads: int = 1
    scale: float = 1.0
    once: bool = False


@dataclass(frozen=True)
class Time:
    """Seconds of the whole work: on the clock, and of all threads and children together."""

    wall: float
    cpu: float
    threads: int
    scaled: bool

    def __str__(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        scaled = ", scaled" if self.scaled else ""
        return f"{self.wall:.3g} s (CPU {self.cpu:.3g} s, {threads}{scaled})"


@dataclass(frozen=True)
class Row:
    """One figure of the table and what was promised of it."""

    work: str
    ours: object
    peer: str
    theirs: object
    figure: float
    target: float | None = None
    aim: float | None = None
    at_most: bool = False
    unit: str = "x"

    def cells(self) -> list[str]:
        bound = "at most " if self.at_most else ""
        promises = (
            "" if p is None else f"{bound}{p:g} {self.unit}" for p in (self.target, self.aim)
        )
        ratio = f"{self.figure:.3g} {self.unit}"
        times = str(self.ours), self.peer, str(self.theirs)
        return [self.work, *times, ratio, *promises, self.reached()]

    def reached(self) -> str:
        if self.target is None:
            return ""
        if not self._meets(self.target):
            return "no"
        return "yes, and the aim" if self.aim is not None and self._meets(self.aim) else "yes"

    def _meets(self, promise: float) -> bool:
        return self.figure <= promise if self.at_most else self.figure >= promise


HEADINGS = ("work", "ours", "against", "theirs", "ratio", "to reach", "aim", "reached")

Promises = Mapping[str, tuple[float, float | None]]
"""Peer -> how many times faster to be, and the aim beyond it."""


def race(jobs: Sequence[Job], plan: Plan, warm_up: bool = True) -> dict[str, Time]:
    """Best time of each competitor over its turns and thread counts."""
    best: dict[str, Time] = {}
    for turn in range(-warm_up, plan.repeats):
        for job in jobs:
            if plan.pause is not None:
                plan.pause()
            spent = _clock(job)
            if turn >= 0 and (job.name not in best or spent.wall < best[job.name].wall):
                best[job.name] = spent
    return best


def compare(
    work: str,
    ours: Sequence[Job],
    peers: Sequence[Job],
    plan: Plan,
    promises: Promises,
    warm_up: bool = True,
) -> Iterator[Row]:
    """One row per peer: how many times longer it takes than we do."""
    if plan.alone:
        mine = race(ours, plan, warm_up)[ours[0].name]
        yield Row(work, mine, "", "", mine.wall, unit="s")
        return
    times = race([*ours, *peers], plan, warm_up)
    mine = times[ours[0].name]
    for peer in dict.fromkeys(job.name for job in peers):
        target, aim = promises.get(peer, (None, None))
        yield Row(work, mine, peer, times[peer], times[peer].wall / mine.wall, target, aim)


def table(rows: Sequence[Row]) -> str:
    """All rows in Markdown."""
    lines = [list(HEADINGS), *(row.cells() for row in rows)]
    for above, line in reversed([*pairwise(lines)]):
        if line[:2] == above[:2]:
            line[:2] = ["", ""]  # the same work and time of ours as in the line above
    return markdown(lines)


def markdown(lines: list[list[str]]) -> str:
    """A table, the first line being its headings, padded so that it reads as well on a terminal."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines = [lines[0], ["-" * width for width in widths], *lines[1:]]
    return "\n".join("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)


def machine() -> str:
    """What was measured on what, in one line."""
    python = f"Python {platform.python_version()}"
    versions = ", ".join([python, *(f"{name} {_version(name)}" for name in PACKAGES)])
    return f"{time.strftime('%Y-%m-%d')}; {_processor()}, {CORES} cores; {versions}"


def _clock(job: Job) -> Time:
    gc.collect()
    # OpenMP threads of the competitor before spin a little longer and would count as CPU time here
    time.sleep(0.05)
    calls, start, cpu = 0, time.perf_counter(), _cpu()
    while True:
        result = job.run()
        calls += 1
        wall = time.perf_counter() - start
        if job.once or wall >= SHORTEST:
            break
    cpu = _cpu() - cpu
    del result  # named, so that it is freed after the clock has stopped
    share = job.scale / calls
    return Time(wall * share, cpu * share, job.threads, job.scale != 1)


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed: from the checkout)"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())
