"""Boosters against wrong labels beside one that counts all rows again in each round, too.

That is logistic AdaBoost with rules that vote. BrownBoost and RobustBoost search for their steps:
at most 12 passes over the rows a round are promised for them, and for the others at most 3 times
the time. LPReg and QPReg solve a programme of all different answers after the last round.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks import tasks
from benchmarks.harness import Job, Plan, Row, race

PEER = "logistic AdaBoost"


def run(plan: Plan) -> Iterator[Row]:
    rounds = plan.size(20)
    title, X, y = tasks.load("dense", plan.share)
    makers = boosters(rounds)
    times = race([Job(name, partial(fit, make, X, y)) for name, make in makers.items()], plan)
    for name, make in makers.items():
        if name == PEER:
            continue
        work = f"{name}: {title}, {rounds} stumps"
        ratio = times[name].wall / times[PEER].wall
        model = fit(make, X, y)
        passes = "passes" in model.history_
        target = None if passes else 3.0
        yield Row(work, times[name], PEER, times[PEER], ratio, target=target, at_most=True)
        if passes:
            mean = float(model.history_["passes"].mean())
            done = f"{model.n_iter_} rounds"
            yield Row(work, done, "", "", mean, target=12.0, at_most=True, unit="passes")


def boosters(rounds: int) -> dict[str, Any]:
    """Constructors; with parameters for which no run ends before the last round."""
    from underdog import (
        BoostByMajorityClassifier,
        BrownBoostClassifier,
        LogisticAdaBoostClassifier,
        RobustBoostClassifier,
        SoftMarginAdaBoostClassifier,
    )

    shared = {"learner": "discrete", "n_estimators": rounds, "n_jobs": 1}
    linear = {"penalty": "linear", "nu": 0.5, "class_weight": "balanced"}  # or there is no margin
    return {
        PEER: partial(LogisticAdaBoostClassifier, **shared),
        "BrownBoost": partial(BrownBoostClassifier, target_error=0.01, **shared),
        "RobustBoost": partial(RobustBoostClassifier, target_error=0.01, **shared),
        "AdaBoost_Reg": partial(SoftMarginAdaBoostClassifier, C=0.05, **shared),
        "LPReg": partial(SoftMarginAdaBoostClassifier, **linear, **shared),
        "QPReg": partial(SoftMarginAdaBoostClassifier, penalty="quadratic", C=0.01, **shared),
        "boosting by majority": partial(BoostByMajorityClassifier, gamma=0.01, **shared),
    }


def fit(make: Any, X: Any, y: Any) -> Any:
    """A fitted booster."""
    return make().fit(X, y)
