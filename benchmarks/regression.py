"""Boosted trees for real-valued targets: fitting, binning included.

All grow 100 trees of 31 leaves best first, with a learning rate of 0.1, for the mean (squared
error) and for the 0.9-quantile.
"""

from collections.abc import Iterator

from benchmarks.competitors import regressors
from benchmarks.harness import Plan, Row
from benchmarks.versus import versus

LEAVES = 31
QUANTILE = 0.9
PROMISES = {"LightGBM": (1.5, 2.5)}


def run(plan: Plan) -> Iterator[Row]:
    for task in ("california_housing", "dense, real target"):
        for quantile in (None, QUANTILE):
            ours, *peers = regressors(LEAVES, quantile)
            note = "squared error" if quantile is None else f"quantile {quantile}"
            yield from versus(
                task, 100, plan, PROMISES,
                ours=ours, peers=peers, rules=f"trees of {LEAVES} leaves", note=f", {note}",
            )  # fmt: skip
