"""Alternating trees on spambase (4,601 rows, 57 columns): 10 and 100 tests, with memory.

`ADTreeClassifier` is beside stumps of AdaBoost with as many rounds and, for ten, beside FIGS of
imodels with as many splits, where it is installed. The published run of JBoost, on 3,681 of these
rows, took 1.397 s for ten rounds in 2012, on another machine. A round updates the sums of every
prediction node that its rows reach. The ratio of times is theirs divided by ours, the ratio of
memory that to the input.
"""

import importlib.util
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.corpora import source
from benchmarks.harness import Job, Plan, Row, race
from underdog import AdaBoostClassifier, ADTreeClassifier

PUBLISHED = 1.397
"""Seconds of JBoost for ten rounds."""


def run(plan: Plan) -> Iterator[Row]:
    rows = pd.read_csv(source("uci/spambase.csv.gz"))
    y = rows.pop("class").to_numpy()
    X = np.ascontiguousarray(rows.to_numpy(dtype=float))
    for rounds in (10, 100) if not plan.quick else (10,):
        work = f"spambase, {rounds} tests"
        jobs = [
            Job("ADTree", lambda own=rounds: _ours(own).fit(X, y)),
            Job("stumps", lambda own=rounds: AdaBoostClassifier(n_estimators=own).fit(X, y)),
        ]
        if importlib.util.find_spec("imodels") is not None and rounds == 10 and not plan.alone:
            jobs.append(Job("FIGS of imodels", lambda own=rounds: _figs(own).fit(X, y), once=True))
        times = race(jobs, plan)
        ours = times.pop("ADTree")
        if rounds == 10:
            yield Row(work, ours, "JBoost, published", f"{PUBLISHED} s", PUBLISHED / ours.wall)
        for name, theirs in times.items():
            yield Row(work, ours, name, theirs, theirs.wall / ours.wall)
        tracemalloc.start()
        _ours(rounds).fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        sizes = f"{peak / 1e6:.3g} MB", "its input", f"{X.nbytes / 1e6:.3g} MB"
        yield Row(f"{work}, memory", *sizes, peak / X.nbytes)


def _ours(rounds: int) -> ADTreeClassifier:
    return ADTreeClassifier(n_estimators=rounds)


def _figs(rounds: int) -> Any:
    from imodels import FIGSClassifier

    return FIGSClassifier(max_rules=rounds)
