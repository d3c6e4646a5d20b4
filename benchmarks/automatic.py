"""The model without parameters: fitting, with all its choices.

It is compared with LightGBM as its constructor makes it, with LightGBM whose rounds are chosen as
ours (a fifth of the rows is left out, up to 500 rounds, then a fit on all rows, for as many kinds
of trees as ours compares), and with the 1,000 rounds of CatBoost, if it is installed (timed on 100
and scaled). Here the ratio is our time divided by theirs. "Without choices" are 100 rounds of the
trees alone.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import tasks
from benchmarks.harness import THREADS, Job, Plan, Row, race

ROUNDS = 500
LIMITS = {"LightGBM": 12.0, "LightGBM, rounds chosen": 1.0, "CatBoost": None}


def run(plan: Plan) -> Iterator[Row]:
    yield from _small(plan)
    for table in ("higgs_sample", "adult", "fars"):
        yield from _large(table, plan)


def _small(plan: Plan) -> Iterator[Row]:
    from sklearn.datasets import make_classification

    from underdog import BlendedTreesClassifier

    X, y = make_classification(plan.size(1_000), 10, weights=[0.9], random_state=0)
    works: dict[str, tuple[Callable[[int], Any], float, float | None]] = {
        "all choices": (_ours, 0.6, 0.2),
        "without choices": (
            lambda threads: BlendedTreesClassifier(
                early_stopping=False, linear=False, n_estimators=100, n_jobs=threads
            ),
            0.03,
            None,
        ),
    }
    for work, (make, target, aim) in works.items():
        time = race(_jobs(work, make, X, y), plan)[work]
        title = f"{len(y):,} x 10, {work}"
        yield Row(title, time, "", "", time.wall, target, aim, at_most=True, unit="s")


def _large(table: str, plan: Plan) -> Iterator[Row]:
    title, X, y = tasks.load(table, plan.share)
    kinds = _kinds(X)
    makers: dict[str, Callable[[int], Any]] = {
        "ours": _ours,
        "LightGBM": _lightgbm,
        "LightGBM, rounds chosen": partial(_ChosenRounds, kinds),
    }
    if plan.alone:
        makers = {"ours": _ours}
    jobs = [job for name, make in makers.items() for job in _jobs(name, make, X, y)]
    if find_spec("catboost") and not plan.alone:
        categories = list(X.select_dtypes("category"))
        texts = {name: X[name].astype(object).where(X[name].notna(), "") for name in categories}
        catboost = partial(_catboost, categories)
        jobs += _jobs("CatBoost", catboost, X.assign(**texts), y, scale=10)
    times = race(jobs, plan)
    mine = times.pop("ours")
    if plan.alone:
        yield Row(title, mine, "", "", mine.wall, unit="s")
    for name, time in times.items():
        ratio = mine.wall / time.wall
        yield Row(title, mine, name, time, ratio, LIMITS[name], at_most=True)


def _jobs(name: str, make: Callable[[int], Any], X: Any, y: Any, scale: float = 1.0) -> list[Job]:
    return [
        Job(name, lambda threads=threads: make(threads).fit(X, y), threads, scale)
        for threads in THREADS
    ]


def _ours(threads: int) -> Any:
    from underdog import UnderdogClassifier

    return UnderdogClassifier(n_jobs=threads)


def _lightgbm(threads: int, **options: Any) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=threads, verbose=-1, **options)


def _catboost(categories: list[str], threads: int) -> Any:
    from catboost import CatBoostClassifier

    return CatBoostClassifier(
        iterations=100, thread_count=threads, cat_features=categories, verbose=0,
        allow_writing_files=False,
    )  # fmt: skip


class _ChosenRounds:
    """LightGBM whose rounds are chosen on a fifth of the rows, so many times."""

    def __init__(self, times: int, threads: int) -> None:
        self.times, self.threads = times, threads

    def fit(self, X: Any, y: Any) -> Any:
        from lightgbm import early_stopping

        apart = np.random.default_rng(0).random(len(y)) < 0.2
        for _ in range(self.times):
            trial = _lightgbm(self.threads, n_estimators=ROUNDS)
            trial.fit(
                X[~apart], y[~apart], eval_X=X[apart], eval_y=y[apart],
                callbacks=[early_stopping(50, verbose=False)],
            )  # fmt: skip
            model = _lightgbm(self.threads, n_estimators=trial.best_iteration_)
            model.fit(X, y)
        return model


def _kinds(X: Any) -> int:
    """How many kinds of trees ours compares."""
    from underdog.automatic.settings import settings_for

    return 1 + len(settings_for(*X.shape).parameters.get("alternatives", ()))
