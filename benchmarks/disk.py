"""Fits of data on disk, of five times `memory_limit`, beside the same fits in memory.

The ratio of times is that of the fit from a folder divided by that in memory, best of the turns.
Memory is the peak of anonymous memory (RssAnon), in a new process, above that after a small fit:
the page cache does not count, because the system takes it back when it is needed. The ratio there
is the peak divided by the limit. To scan is to read the file into the folder, which happens once.
"""

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import THREADS, Job, Plan, Row, race

ROWS, COLUMNS, BLOCKS = 2_100_000, 20, 20
LIMIT = 1 << 26
SMALLEST = 1 << 24
MODELS = {
    "{} stumps": ("AdaBoostClassifier", 100),
    "{} trees": ("GradientBoostingClassifier", 50),
    "{} rounds, 5 labels": ("AdaBoostMHClassifier", 20),
}


def run(plan: Plan) -> Iterator[Row]:
    rows = plan.size(ROWS)
    limit = max(SMALLEST, round(LIMIT * plan.share))
    if plan.quick:
        rows = round(5 * SMALLEST / 8 / COLUMNS)
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as place:
        folder = Path(place)
        _write(folder, rows)
        times = race(
            [
                Job("scan", lambda: _scanned(folder, limit, again=True)),
                Job("read", lambda: _read(folder)),
            ],
            plan,
            warm_up=False,
        )
        size = f"{rows:,} x {COLUMNS}, {rows * COLUMNS * 8 / 1e6:.0f} MB"
        yield Row(f"scan {size}", times["scan"], "Parquet to memory", times["read"],
                  times["scan"].wall / times["read"].wall)  # fmt: skip
        yield from _compared(folder, limit, size, plan)
        for name in MODELS:
            peak = _peak_in_process(folder, limit, name, plan)
            yield Row(_title(name, size, plan), f"{peak / 1e6:.3g} MB", "memory_limit",
                      f"{limit / 1e6:.3g} MB", peak / limit, 1, at_most=True)  # fmt: skip


def _compared(folder: Path, limit: int, size: str, plan: Plan) -> Iterator[Row]:
    threads = min(2, THREADS[-1])
    X, y = _read(folder)
    rows = _scanned(folder, limit)
    for name in MODELS:
        labels, own = _targets(name, y), _targets(name, rows.y)
        times = race(
            [
                Job("disk", lambda n=name, t=own: _fit(n, plan, rows.X, t, threads), threads),
                Job("memory", lambda n=name, t=labels: _fit(n, plan, X, t, threads), threads),
            ],
            plan,
        )
        yield Row(_title(name, size, plan), times["disk"], "memory", times["memory"],
                  times["disk"].wall / times["memory"].wall, 2, 1.2, at_most=True)  # fmt: skip


def _fit(name: str, plan: Plan, X: Any, y: Any, threads: int) -> Any:
    import underdog

    kind, _ = MODELS[name]
    return getattr(underdog, kind)(n_estimators=_rounds(name, plan), n_jobs=threads).fit(X, y)


def _rounds(name: str, plan: Plan) -> int:
    return max(2, plan.size(MODELS[name][1]))


def _title(name: str, size: str, plan: Plan) -> str:
    return f"{name.format(_rounds(name, plan))}, {size}"


def _targets(name: str, y: Any) -> Any:
    """Two classes, or five labels."""
    if "labels" not in name:
        return y
    return np.stack([y, *((np.arange(len(y)) + y) % k == 0 for k in range(2, 6))], 1).astype(int)


def _write(folder: Path, rows: int) -> None:
    """Blocks of numbers with a target, in Parquet files."""
    import polars as pl

    (folder / "rows").mkdir()
    for block in range(BLOCKS):
        chance = np.random.default_rng(block)
        X = chance.normal(size=(rows // BLOCKS, COLUMNS))
        y = (X[:, :5].sum(axis=1) + chance.normal(size=len(X)) > 0).astype(int)
        columns = {f"x{c}": X[:, c] for c in range(COLUMNS)}
        pl.DataFrame({**columns, "y": y}).write_parquet(folder / "rows" / f"{block:02}.parquet")


def _scanned(folder: Path, limit: int, again: bool = False) -> Any:
    from underdog import scan

    if again:
        shutil.rmtree(folder / "scan", ignore_errors=True)
    return scan(folder / "rows", folder / "scan", target="y", memory_limit=limit)


def _read(folder: Path) -> tuple[Any, Any]:
    import polars as pl

    frame = pl.read_parquet(folder / "rows" / "*.parquet")
    return frame.drop("y").to_numpy(), frame["y"].to_numpy()


def _peak_in_process(folder: Path, limit: int, name: str, plan: Plan) -> int:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        return fresh.submit(_peak_here, folder, limit, name, plan).result()


def _peak_here(folder: Path, limit: int, name: str, plan: Plan) -> int:
    rows = _scanned(folder, limit)
    from underdog import memory_limit

    few = np.asarray(rows.X.groups[0].matrix[:20_000])
    with memory_limit(limit, folder):  # compiles
        _fit(name, plan, few, _targets(name, rows.y[:20_000]), 1)
    before, peak, ended = anonymous(), [0], threading.Event()

    def watch() -> None:
        while not ended.is_set():
            peak[0] = max(peak[0], anonymous() - before)
            time.sleep(0.002)

    watcher = threading.Thread(target=watch)
    watcher.start()
    with memory_limit(limit, folder):
        y = _targets(name, rows.y)
    _fit(name, plan, rows.X, y, min(2, THREADS[-1]))
    ended.set()
    watcher.join()
    return peak[0]


def anonymous(process: int | str = "self") -> int:
    """Bytes of memory of a process that are not those of a file."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))
