"""Fitting 200 real stumps on dense numbers with 10 % positives, including binning."""

from collections.abc import Iterator

from benchmarks.harness import Plan, Row
from benchmarks.versus import versus


def run(plan: Plan) -> Iterator[Row]:
    promises = {"LightGBM": (2.5, 4), "XGBoost": (2.5, 4), "scikit-learn": (200, None)}
    yield from versus("dense", 200, plan, promises)
