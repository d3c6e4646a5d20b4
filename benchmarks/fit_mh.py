"""Fitting 100 rounds of AdaBoost.MH on all Reuters topics, against 100 LightGBM stumps per topic.

LightGBM is timed on five topics, evenly spaced from the rarest to the most frequent, and scaled.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks import tasks
from benchmarks.competitors import LIGHTGBM, UNDERDOG_MH
from benchmarks.harness import Job, Plan, Row, compare


def run(plan: Plan) -> Iterator[Row]:
    rounds = plan.size(100)
    title, X, Y = tasks.load("Reuters topics", plan.share)
    labels = Y.shape[1]
    by_frequency = np.argsort(Y.sum(axis=0), kind="stable")
    timed = by_frequency[np.linspace(0, labels - 1, 5).astype(int)]

    def one_versus_rest(threads: int) -> Job:
        def fit() -> list[object]:
            return [LIGHTGBM.make(rounds, threads).fit(X, Y[:, label]) for label in timed]

        return Job(LIGHTGBM.name, fit, threads, scale=labels / len(timed))

    peers = [one_versus_rest(threads) for threads in LIGHTGBM.threads]
    ours = [*UNDERDOG_MH.fits(X, Y, rounds)]
    yield from compare(f"{title}, {rounds} rounds", ours, peers, plan, {LIGHTGBM.name: (30, 80)})
