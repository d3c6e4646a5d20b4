"""Alternating decision trees and rule sets: fitting on spambase, 4,601 x 57, binning included.

`ADTreeClassifier` is beside stumps of AdaBoost with as many rounds and, for ten, beside FIGS of
imodels with as many splits. The published run of JBoost, on 3,681 of these rows, took 1.397 s for
ten rounds in 2012, on another machine. `SlipperClassifier` with 20 rounds is beside SLIPPER of
imodels with as many, and beside RIPPER and IREP of wittgenstein, all on 500 rows. Libraries that
are not installed are left out.

Rows are visited when a round adds the changes of their weights to the sums. A round of SLIPPER
visits the rows that its rule covers, or the others if these are fewer. A round of an alternating
tree visits the rows under its node, once for every prediction node that they reach; the others are
left alone. Without that, every round would count the rows of all prediction nodes again. The ratio
of times is theirs divided by ours, the ratio of memory that to the input.
"""

import importlib.util
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.corpora import source
from benchmarks.harness import Job, Plan, Row, race
from underdog import AdaBoostClassifier, ADTreeClassifier, SlipperClassifier
from underdog.core.counts import Counts
from underdog.hypotheses.rule import Conjunction

PUBLISHED = 1.397
"""Seconds of JBoost for ten rounds."""
RULES, FEW = 20, 500
"""Rounds of SLIPPER, and the rows of its race: RIPPER takes seconds for these."""


def run(plan: Plan) -> Iterator[Row]:
    rows = pd.read_csv(source("uci/spambase.csv.gz"))
    y = rows.pop("class").to_numpy()
    X = np.ascontiguousarray(rows.to_numpy(dtype=float))
    for rounds in (10, 100) if not plan.quick else (10,):
        yield from _trees(X, y, rounds, plan)
    yield from _rules(rows, y, plan)


def _trees(X: Any, y: Any, rounds: int, plan: Plan) -> Iterator[Row]:
    work = f"alternating tree of {rounds} tests"
    jobs = [
        Job("ADTree", lambda: ADTreeClassifier(n_estimators=rounds).fit(X, y)),
        Job("stumps", lambda: AdaBoostClassifier(n_estimators=rounds).fit(X, y)),
    ]
    if rounds == 10 and _has("imodels", plan):
        jobs.append(Job("FIGS of imodels", lambda: _imodels("FIGS", max_rules=10).fit(X, y)))
    times = race(jobs, plan)
    ours = times.pop("ADTree")
    if rounds == 10:
        yield Row(work, ours, "JBoost, published", f"{PUBLISHED} s", PUBLISHED / ours.wall)
    for name, theirs in times.items():
        yield Row(work, ours, name, theirs, theirs.wall / ours.wall)
    with visits() as seen:
        model = ADTreeClassifier(n_estimators=rounds).fit(X, y)
    reached = np.array([each.hypothesis.examples[-2:].sum() for each in model.model_.members])
    nodes = len(y) + np.concatenate([[0], np.cumsum(reached)])[:-1]  # the rows of all, each round
    visited = sum(seen) / rounds
    title = f"{work}, rows visited a round"
    count = f"{nodes.mean():,.0f}"
    yield Row(title, f"{visited:,.0f}", "the rows of all nodes", count, nodes.mean() / visited)
    tracemalloc.start()
    ADTreeClassifier(n_estimators=rounds).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    sizes = f"{peak / 1e6:.3g} MB", "its input", f"{X.nbytes / 1e6:.3g} MB"
    yield Row(f"{work}, memory", *sizes, peak / X.nbytes)


def _rules(frame: pd.DataFrame, y: Any, plan: Plan) -> Iterator[Row]:
    drawn = np.random.default_rng(0).permutation(len(y))[:FEW]
    few, own = frame.iloc[drawn].reset_index(drop=True), y[drawn]
    jobs = [Job("SLIPPER", lambda: SlipperClassifier(n_estimators=RULES).fit(few, own))]
    if _has("imodels", plan):
        values = few.to_numpy()
        name = "SLIPPER of imodels"
        jobs.append(Job(name, lambda: _imodels("Slipper", n_estimators=RULES).fit(values, own)))
    if _has("wittgenstein", plan):
        jobs += [Job(name, lambda kind=name: _wittgenstein(kind, few, own), once=True)
                 for name in ("RIPPER", "IREP")]  # fmt: skip
    times = race(jobs, plan)
    ours = times.pop("SLIPPER")
    if not times:
        yield Row(f"{RULES} rounds of SLIPPER, {FEW} rows", ours, "", "", ours.wall, unit="s")
    for name, theirs in times.items():
        work = f"{RULES} rounds of SLIPPER, {FEW} rows"
        yield Row(work, ours, name, theirs, theirs.wall / ours.wall)
    with visits() as seen:
        model = SlipperClassifier(n_estimators=RULES).fit(frame, y)
    rules = [each.hypothesis for each in model.model_.members]
    covered = [each.examples[Conjunction.of(each).block] for each in rules if not each.is_constant]
    work = f"{RULES} rounds of SLIPPER, {len(y):,} rows, rows visited a round"
    visited, wanted = sum(seen) / RULES, sum(map(int, covered)) / RULES
    yield Row(work, f"{visited:,.0f}", "covered by the rule", f"{wanted:,.0f}", visited / wanted)
    yield Row(work, f"{visited:,.0f}", "all rows", f"{len(y):,}", len(y) / visited)


@contextmanager
def visits() -> Iterator[list[int]]:
    """How many rows are visited, update by update."""
    seen: list[int] = []
    follow = Counts._follow

    def record(self: Counts, rows: Any, step: Any) -> None:
        seen.append(len(rows))
        follow(self, rows, step)

    Counts._follow = record  # type: ignore[method-assign]
    try:
        yield seen
    finally:
        Counts._follow = follow  # type: ignore[method-assign]


def _has(package: str, plan: Plan) -> bool:
    return not plan.alone and importlib.util.find_spec(package) is not None


def _imodels(name: str, **parameters: Any) -> Any:
    import imodels

    return getattr(imodels, f"{name}Classifier")(**parameters)


def _wittgenstein(name: str, X: pd.DataFrame, y: Any) -> Any:
    import wittgenstein

    made = getattr(wittgenstein, name)(random_state=0)
    made.fit(X, y=pd.Series(y, name="y"), pos_class=1)
    return made
