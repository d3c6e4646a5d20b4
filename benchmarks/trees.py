"""Boosted trees: fitting, predicting, memory and scaling, binning included.

All grow trees best first, with a learning rate of 0.1. Categories are given as such. The first line
is a control: how much faster two threads are than one when they have nothing to share.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks import memory, tasks
from benchmarks.competitors import Competitor, boosted_depth_3, trees
from benchmarks.growth import growth
from benchmarks.harness import Job, Plan, Row, compare
from benchmarks.versus import versus

DENSE = {
    "LightGBM": (1.7, 2.5),
    "LightGBM quantized": (1.3, 1.8),
    "XGBoost": (1.6, 2.5),
    "HistGradientBoosting": (2.5, 4),
}
TABLES = {"LightGBM": (1.2, 1.6), "XGBoost": (1.2, 1.6)}
WORDS = {"LightGBM": (5, 8), "XGBoost": (4, 6)}
PREDICT = {"LightGBM": (6, 10), "XGBoost": (2.5, 4)}


def run(plan: Plan) -> Iterator[Row]:
    yield from _second_core(plan)
    yield from _versus("dense", 31, plan, DENSE)
    for table in ("higgs_sample", "adult", "fars"):
        yield from _versus(table, 31, plan, TABLES, only=tuple(TABLES))
    yield from _versus("Reuters acq", 8, plan, WORDS, only=tuple(WORDS))
    ours, theirs = boosted_depth_3()
    yield from versus(
        "adult as numbers", 100, plan, {"scikit-learn": (30, 50)},
        ours=ours, peers=[theirs], rules="trees of depth 3, AdaBoost",
    )  # fmt: skip
    work: dict[str, Any] = {"only": tuple(PREDICT)}
    yield from _versus("dense", 31, plan, PREDICT, work=Competitor.predicts, note="predict", **work)
    one_by_one = "predict 100 rows one by one"
    yield from _versus(
        "dense", 31, plan, PREDICT, work=Competitor.predicts_rows, note=one_by_one, **work
    )
    yield from _memory(plan)
    yield from _growth(plan)


def _versus(
    task: str, leaves: int, plan: Plan, promises: Any, only: tuple[str, ...] = (), note: str = "",
    **options: Any,
) -> Iterator[Row]:  # fmt: skip
    ours, *peers = trees(leaves)
    chosen = [peer for peer in peers if not only or peer.name in only]
    rules = f"trees of {leaves} leaves"
    note = f", {note}" if note else ""
    return versus(
        task, 100, plan, promises, ours=ours, peers=chosen, rules=rules, note=note, **options
    )


def _second_core(plan: Plan) -> Iterator[Row]:
    """The same sorting twice: one after the other, and at the same time."""
    numbers = np.random.default_rng(0).random((2, plan.size(2_000_000)))

    def at_once() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(np.sort, numbers))

    ours = [Job("at once", at_once, threads=2)]
    other = [Job("one after the other", lambda: np.sort(numbers))]
    yield from compare("control: sort twice, at once", ours, other, plan, {})


def _memory(plan: Plan) -> Iterator[Row]:
    title, _, _ = tasks.load("dense", plan.share)
    ours = memory.growth("UNDERDOG_TREES", "dense", plan)
    if not plan.alone:
        theirs = memory.growth("LIGHTGBM_TREES", "dense", plan)
        row = memory.row(f"{title}, memory", ours, "LightGBM", theirs, at_most=1.0)
        yield replace(row, aim=0.7)


def _growth(plan: Plan) -> Iterator[Row]:
    ours = trees(31)[0]
    rounds = plan.size(100)
    tenth, whole = (tasks.load("dense", share * plan.share) for share in (0.1, 1.0))
    rows = f"dense, {len(tenth.y):,} and {len(whole.y):,} rows"
    yield growth(rows, (*tenth[1:], rounds), (*whole[1:], rounds), plan, ours, 11)
    few = max(1, rounds // 10)
    work = f"dense, {few} and {10 * few} trees"
    yield growth(work, (*whole[1:], few), (*whole[1:], 10 * few), plan, ours, 11)
