"""Fitting 300 real stumps on text, from the binary CSR matrix to the fitted model."""

from collections.abc import Iterator

from benchmarks.competitors import WHOLE_PEERS
from benchmarks.harness import Plan, Row
from benchmarks.versus import versus


def run(plan: Plan) -> Iterator[Row]:
    promises = {"LightGBM": (8, 15), "XGBoost": (4, 7), "scikit-learn": (100, 200)}
    yield from versus("Reuters acq", 300, plan, promises, peers=WHOLE_PEERS)
    promises = {"LightGBM": (8, 16), "XGBoost": (4, 8), "scikit-learn": (100, 200)}
    yield from versus("WordNet noun.time", 300, plan, promises)
