"""Predicting the training rows with 300 stumps on text and 200 on dense numbers."""

from collections.abc import Iterator

from benchmarks.competitors import Competitor
from benchmarks.harness import Plan, Row
from benchmarks.versus import versus


def run(plan: Plan) -> Iterator[Row]:
    text = {"LightGBM": (20, None), "XGBoost": (20, None), "scikit-learn": (20, None)}
    yield from versus("Reuters acq", 300, plan, text, work=Competitor.predicts)
    pause = ", one call after a pause"
    yield from versus("Reuters acq", 300, plan, text, work=Competitor.predicts_once, note=pause)
    yield from versus("WordNet noun.time", 300, plan, text, work=Competitor.predicts)
    dense = {"LightGBM": (5, None), "XGBoost": (1.5, 3)}
    yield from versus("dense", 200, plan, dense, work=Competitor.predicts)
