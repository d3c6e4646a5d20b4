"""Fits on a Dask cluster of two workers on this machine, one thread each, on loopback.

*Round* is the median time of a round of stumps with 400 KB of sums (100 columns, 255 bins) on few
rows, so that it is the time of the messages, to reach: 10 ms. Then total times: of underdog on two
workers beside the same fit in one process (with its better number of threads), XGBoost and LightGBM
on the same workers, with as many stumps or trees of as many leaves; the rows are in the memory of
the workers when the clock starts. Memory is anonymous memory above that before the fit, of the
client and of the larger worker, beside the bytes of its rows. Growth is that of underdog with ten
times the rows, and with one worker in place of two.
"""

import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from benchmarks.disk import anonymous
from benchmarks.harness import THREADS, Job, Plan, Row, race

ROWS, COLUMNS = 400_000, 20
WORKERS = 2


def run(plan: Plan) -> Iterator[Row]:
    warnings.simplefilter("ignore")  # Dask's own
    with _cluster(WORKERS) as client:
        latency = _round(plan, client)
        yield Row("round, 408 KB of sums, 2 workers", f"{latency * 1e3:.3g} ms", "to reach",
                  "10 ms", latency * 1e3, 10, at_most=True, unit="ms")  # fmt: skip
        data = _data(plan.size(ROWS), COLUMNS)
        given = _on_workers(client, *data)
        for work, ours, peers in _works(plan):
            yield from _compared(work, ours, peers, data, given, plan)
        yield from _memory(plan, client, data, given)
        few = _on_workers(client, *(each[: len(each) // 10] for each in data))
        fit = partial(_fit, "AdaBoostClassifier", plan.size(100))
        times = race([Job("all", lambda: fit(*given)), Job("few", lambda: fit(*few))], plan)
        yield Row("stumps, ten times the rows", times["all"], "itself, a tenth", times["few"],
                  times["all"].wall / times["few"].wall, 10, at_most=True)  # fmt: skip
    two = times["all"]
    with _cluster(1) as client:
        given = _on_workers(client, *data)
        times = race([Job("one", lambda: fit(*given))], plan)
        yield Row("stumps, one worker in place of two", two, "one worker", times["one"],
                  times["one"].wall / two.wall)  # fmt: skip


@contextmanager
def _cluster(workers: int) -> Iterator[Any]:
    import dask
    from distributed import Client, LocalCluster

    quiet = {"distributed.logging.distributed": "critical"}
    with (
        tempfile.TemporaryDirectory() as folder,
        dask.config.set({**quiet, "distributed.admin.tick.limit": "1h"}),
        LocalCluster(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0",
            silence_logs=50, local_directory=folder, memory_limit=0,
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        yield client


def _data(rows: int, columns: int) -> tuple[Any, Any]:
    chance = np.random.default_rng(0)
    X = chance.normal(size=(rows, columns))
    return X, (X[:, :5].sum(axis=1) + chance.normal(size=rows) > 0).astype(int)


def _on_workers(client: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """Dask arrays whose blocks are in the memory of the workers."""
    import dask.array as da
    from distributed import wait

    size = -(-len(y) // 4)
    made = client.persist([da.from_array(X, (size, X.shape[1])), da.from_array(y, size)])
    wait(made)
    return tuple(made)  # type: ignore[return-value]


def _round(plan: Plan, client: Any) -> float:
    """The median of the times between the ends of rounds."""
    X, y = _on_workers(client, *_data(4000, 100))
    _fit("AdaBoostClassifier", 5, X, y)
    return float(np.median(_fit("AdaBoostClassifier", plan.size(300), X, y).history_["seconds"]))


def _fit(name: str, rounds: int, X: Any, y: Any, **given: Any) -> Any:
    import underdog

    return getattr(underdog, name)(n_estimators=rounds, **given).fit(X, y)


Fit = Callable[[Any, Any], Any]


def _works(plan: Plan) -> Iterator[tuple[str, Callable[..., Any], dict[str, Fit]]]:
    stumps, trees = plan.size(100), plan.size(20)
    yield (
        f"{stumps} stumps", partial(_fit, "AdaBoostClassifier", stumps),
        {
            "XGBoost": partial(_xgboost, stumps, max_depth=1),
            "LightGBM": partial(_lightgbm, stumps, num_leaves=2),
        },
    )  # fmt: skip
    yield (
        f"{trees} trees of 31 leaves",
        partial(
            _fit, "GradientBoostingClassifier", trees, max_depth=None, max_leaf_nodes=31
        ),
        {
            "XGBoost": partial(
                _xgboost, trees, max_leaves=31, max_depth=0, grow_policy="lossguide"
            ),
            "LightGBM": partial(_lightgbm, trees, num_leaves=31),
        },
    )  # fmt: skip


def _xgboost(rounds: int, X: Any, y: Any, **given: Any) -> Any:
    from xgboost.dask import DaskXGBClassifier

    return DaskXGBClassifier(n_estimators=rounds, **given).fit(X, y)


def _lightgbm(rounds: int, X: Any, y: Any, **given: Any) -> Any:
    from lightgbm import DaskLGBMClassifier

    return DaskLGBMClassifier(n_estimators=rounds, verbose=-1, **given).fit(X, y)


def _compared(
    work: str, ours: Callable[..., Any], peers: dict[str, Fit], data: Any, given: Any, plan: Plan
) -> Iterator[Row]:
    jobs = [Job("ours", lambda: ours(*given), WORKERS)]
    for threads in THREADS:
        jobs.append(Job("one process", partial(ours, *data, n_jobs=threads), threads))
    jobs += [Job(name, partial(fit, *given), WORKERS) for name, fit in peers.items()]
    times = race(jobs, plan)
    for name in ("one process", *peers):
        figure = times[name].wall / times["ours"].wall
        yield Row(f"{work}, {data[0].shape[0]:,} x {COLUMNS}", times["ours"], name, times[name],
                  figure)  # fmt: skip


def _memory(plan: Plan, client: Any, data: Any, given: Any) -> Iterator[Row]:
    """Peaks of the client and of the workers during a fit, watched by a thread of the client."""
    import threading

    workers = list(client.run(os.getpid).values())
    watched = {"client": [os.getpid()], "larger worker": workers}
    before = {process: anonymous(process) for own in watched.values() for process in own}
    peak, ended = dict.fromkeys(before, 1), threading.Event()

    def watch() -> None:
        while not ended.is_set():
            for process, start in before.items():
                peak[process] = max(peak[process], anonymous(process) - start)
            time.sleep(0.005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    _fit("AdaBoostClassifier", plan.size(100), *given)
    ended.set()
    watcher.join()
    rows = data[0].nbytes / WORKERS
    for who, own in watched.items():
        most = max(peak[process] for process in own)
        yield Row(f"memory of the {who}", f"{most / 1e6:.3g} MB", "rows of a worker",
                  f"{rows / 1e6:.3g} MB", most / rows)  # fmt: skip
