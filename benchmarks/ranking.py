"""Rankings: fitting, binning included, beside LightGBM's and XGBoost's rankers.

All grow as many stumps, or trees of 31 leaves, with a learning rate of 0.1; the peers minimise
LambdaMART's loss, which is that of NDCG, and we RankBoost's. In parentheses: NDCG@10 of queries
that are not trained on.

The million rows take all threads, with which every library is fastest there, and fewer turns.
"""

import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_file

from benchmarks.corpora import source
from benchmarks.harness import THREADS, Job, Plan, Row, compare

PROMISES = {2: 2.0, 31: 1.0}
"""How many times faster than LightGBM to be, by the number of leaves."""
TURNS = 2
"""How often a million rows are fitted, after a fit that warms up."""
Fit = Callable[[int], Any]


class Queries(NamedTuple):
    """Rows sorted by query, with grades and the size of each query."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    group: NDArray[np.int64]

    @property
    def qid(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.group)), self.group)


def drawn(n: int, queries: int, d: int = 20, seed: int = 0) -> Queries:
    """Normal columns; five grades by a noisy curved score that is shifted in each query."""
    rng = np.random.default_rng(seed)
    X, group = rng.normal(size=(n, d)), np.full(queries, n // queries)
    shift = np.repeat(rng.normal(size=queries), n // queries)
    score = X[:, 0] + X[:, 1] * (X[:, 2] > 0) + np.abs(X[:, 3]) + shift + rng.normal(size=n)
    return Queries(X, np.digitize(score, [1.0, 2.0, 3.0, 4.0]), group)


def lambdarank(part: str) -> Queries:
    """The example of LightGBM: 201 queries to train on, 50 others; 300 sparse columns."""
    with zipfile.ZipFile(source("ranking/lightgbm_lambdarank.zip")) as archive:
        X, y = load_svmlight_file(io.BytesIO(archive.read(f"rank.{part}")), n_features=301)
        group = np.loadtxt(io.BytesIO(archive.read(f"rank.{part}.query")), dtype=np.int64)
    return Queries(X.toarray(), y.astype(np.int64), group)


def fits(data: Queries, leaves: int, rounds: int) -> dict[str, Fit]:
    """Name -> a function that fits with so many threads."""
    X, y, group, qid = *data, data.qid

    def ours(threads: int) -> Any:
        from underdog import RankBoostRanker
        from underdog.learners import TreeLearner

        trees = TreeLearner(max_depth=None, max_leaf_nodes=leaves, min_samples_leaf=20)
        learner = "real" if leaves == 2 else trees
        model = RankBoostRanker(learner=learner, n_estimators=rounds, learning_rate=0.1)
        return model.set_params(n_jobs=threads).fit(X, y, group=group)

    def lightgbm(threads: int) -> Any:
        from lightgbm import LGBMRanker

        model = LGBMRanker(num_leaves=leaves, n_estimators=rounds, n_jobs=threads, verbose=-1)
        return model.fit(X, y, group=group)

    def xgboost(threads: int) -> Any:
        from xgboost import XGBRanker

        model = XGBRanker(
            max_depth=0, max_leaves=leaves, grow_policy="lossguide", learning_rate=0.1,
            n_estimators=rounds, n_jobs=threads, tree_method="hist",
        )  # fmt: skip
        return model.fit(X, y, qid=qid)

    return {"underdog": ours, "LightGBM": lightgbm, "XGBoost": xgboost}


def run(plan: Plan) -> Iterator[Row]:
    rows, queries = plan.size(1_000_000), plan.size(10_000)
    known, new = drawn(rows, queries), drawn(rows // 10, queries // 10, seed=1)
    title = f"drawn, {rows:,} x 20, {queries:,} queries"
    yield from _versus(title, known, new, 20, replace(plan, turns=TURNS), THREADS[-1:])
    known, new = lambdarank("train"), lambdarank("test")
    title = "LightGBM's example, 3,005 x 301, 201 queries"
    yield from _versus(title, known, new, 100, plan, THREADS)


def _versus(
    title: str, known: Queries, new: Queries, rounds: int, plan: Plan, threads: Sequence[int]
) -> Iterator[Row]:
    for leaves, promise in PROMISES.items():
        rules = "stumps" if leaves == 2 else f"trees of {leaves} leaves"
        made: dict[str, list[Job]] = {}
        for name, fit in fits(known, leaves, rounds).items():
            found = f"{name} ({_ndcg(fit(threads[-1]), new):.3f})" if not plan.alone else name
            made[name] = [Job(found, _on(fit, count), count) for count in threads]
        ours, *peers = made.values()
        yield from compare(
            f"{title}, {rounds} {rules} {ours[0].name.removeprefix('underdog ')}",
            ours,
            [] if plan.alone else [job for jobs in peers for job in jobs],
            plan,
            {peers[0][0].name: (promise, None)},
            warm_up=plan.alone,  # otherwise the fits above have done it
        )


def _on(fit: Fit, threads: int) -> Callable[[], Any]:
    return lambda: fit(threads)


def _ndcg(model: Any, new: Queries) -> float:
    from underdog.estimators.support.rank_measures import ndcg

    scores = np.asarray(model.predict(new.X), dtype=np.float64)
    return ndcg(new.y.astype(np.float64), scores, new.qid, 10)
