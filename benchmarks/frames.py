"""From a CSV file to a saved model, with `underdog train`: 20 columns of numbers, 100 stumps.

Each line is one new process, including imports. The limits are 60 s and a peak memory of three
times the size of the file, a good part of which are the imported packages. For comparison:
`pandas.read_csv` and the same fit on its data frame, without saving.
"""

import io
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout, suppress
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.harness import Plan, Row

ROWS, COLUMNS, STUMPS = 1_000_000, 20, 100
SECONDS, SIZES = 60, 3
PEER = "pandas.read_csv"


def run(plan: Plan) -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        path, rows = Path(folder) / "data.csv", plan.size(ROWS)
        _write(path, rows)
        size = path.stat().st_size
        work = f"{rows:,} x {COLUMNS} numbers, {size / 1e6:.0f} MB, {STUMPS} stumps"
        wall, peak = _alone(_ours, path)
        theirs, their_peak = _alone(_pandas, path)
    time_work, peak_work = f"time: {work}", f"peak: {work}"
    ours, mine = f"{wall:.3g} s", f"{peak / 1e6:.0f} MB"
    yield Row(time_work, ours, "the limit", f"{SECONDS} s", wall, SECONDS, at_most=True, unit="s")
    yield Row(time_work, ours, PEER, f"{theirs:.3g} s", theirs / wall)
    yield Row(peak_work, mine, "the file", f"{size / 1e6:.0f} MB", peak / size, SIZES, at_most=True)
    yield Row(peak_work, mine, PEER, f"{their_peak / 1e6:.0f} MB", peak / their_peak)


def _write(path: Path, rows: int) -> None:
    import polars as pl

    chance = np.random.default_rng(0)
    X = chance.standard_normal((rows, COLUMNS))
    frame = pl.DataFrame(X, schema=[f"x{c}" for c in range(COLUMNS)])
    y = (X[:, 0] + X[:, 1] + chance.standard_normal(rows) > 0).astype(int)
    frame.with_columns(y=pl.Series(y)).write_csv(path, float_precision=6)


def _alone(act: Callable[[str], None], path: Path) -> tuple[float, int]:
    """Seconds and bytes of a process that does nothing else."""
    start = time.perf_counter()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        peak = fresh.submit(_peak, act, str(path)).result()
    return time.perf_counter() - start, peak


def _peak(act: Callable[[str], None], path: str) -> int:
    act(path)
    # not ru_maxrss, which counts what the parent had in memory when it started this process
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def _ours(path: str) -> None:
    from underdog.cli.main import main

    given = f"--target y --model adaboost --n-estimators {STUMPS} --cv 0 --quiet"
    options = f"{given} --output {path}.udg"
    sys.argv = ["underdog", "train", path, *options.split()]
    with redirect_stdout(io.StringIO()), suppress(SystemExit):
        main()
    if not Path(f"{path}.udg").exists():
        raise RuntimeError(f"{' '.join(sys.argv)} has saved no model")


def _pandas(path: str) -> None:
    import pandas as pd

    from underdog import AdaBoostClassifier

    frame = pd.read_csv(path)
    y = frame.pop("y")
    AdaBoostClassifier(n_estimators=STUMPS).fit(frame, y)
