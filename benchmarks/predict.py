"""Predicting the training rows with 300 stumps on text and 200 on dense numbers."""

from collections.abc import Iterator

from benchmarks import tasks
from benchmarks.competitors import Competitor
from benchmarks.harness import Job, Plan, Row, compare
from benchmarks.versus import versus
from underdog import AdaBoostClassifier
from underdog.data.columns import form_of


def run(plan: Plan) -> Iterator[Row]:
    text = {"LightGBM": (20, None), "XGBoost": (20, None), "scikit-learn": (20, None)}
    yield from versus("Reuters acq", 300, plan, text, work=Competitor.predicts)
    pause = ", one call after a pause"
    yield from versus("Reuters acq", 300, plan, text, work=Competitor.predicts_once, note=pause)
    yield from versus("WordNet noun.time", 300, plan, text, work=Competitor.predicts)
    dense = {"LightGBM": (5, None), "XGBoost": (1.5, 3)}
    yield from versus("dense", 200, plan, dense, work=Competitor.predicts)
    yield from _look_at_the_entries(plan)


def _look_at_the_entries(plan: Plan) -> Iterator[Row]:
    """What it costs not to believe SciPy's flags: a look in every call."""
    title, X, y = tasks.load("Reuters acq", plan.share)
    model = AdaBoostClassifier(n_estimators=plan.size(300)).fit(X, y)
    look = [Job("look", lambda: form_of(X))]
    whole = [Job("the whole prediction", lambda: model.predict(X))]
    yield from compare(f"{title}, is every entry in range and in order", look, whole, plan, {})
