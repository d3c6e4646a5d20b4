"""The convex hull beside gradient boosting of stumps, with as many rounds, on 20,000 x 20 numbers.

Both minimise the log loss. A round of the hull finds a rule of the greatest edge and searches its
step, and shrinks all earlier coefficients, which takes O(1): twice the rounds should take twice
the time. The ratio is the time of the hull divided by that of gradient boosting (3 or less is
promised), or divided by that of half as many rounds (2, up to noise).
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Job, Plan, Row, race
from underdog import GradientBoostingClassifier, HullBoostClassifier

ROUNDS = (100, 200, 400)


def run(plan: Plan) -> Iterator[Row]:
    rows = plan.size(20_000)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 20))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=rows) > 0.0).astype(int)
    rounds = [plan.size(count) for count in ROUNDS]
    jobs = []
    for count in rounds:
        hull = HullBoostClassifier(radius=8.0, n_estimators=count)
        trees = GradientBoostingClassifier(max_depth=1, n_estimators=count)
        jobs.append(Job(f"hull, {count}", lambda own=hull: own.fit(X, y)))
        jobs.append(Job(f"gradient, {count}", lambda own=trees: own.fit(X, y)))
    times = race(jobs, plan)
    for count in rounds:
        ours, theirs = times[f"hull, {count}"], times[f"gradient, {count}"]
        yield Row(f"{count} rounds", ours, "gradient boosting", theirs, ours.wall / theirs.wall)
    half, whole = (times[f"hull, {count}"] for count in rounds[1:])
    yield Row(f"{rounds[2]} rounds", whole, "half as many", half, whole.wall / half.wall)
