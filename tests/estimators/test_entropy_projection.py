"""Every exponential booster projects its weights: RE(D' || D) = -ln Z, and Pythagoras holds."""

import numpy as np
import pytest

from underdog import AdaBoostClassifier, AdaBoostMHClassifier, BoostingClassifier
from underdog.combiners import LineSearch
from underdog.learners import TreeLearner

ROWS = 60


def relative_entropy(new, old):
    inside = new > 0.0
    return float((new[inside] * np.log(new[inside] / old[inside])).sum())


def problem(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (ROWS, 4)).astype(float)
    return X, np.where(X.sum(axis=1) + 2 * rng.normal(size=ROWS) > 8, 1, -1), rng.random(ROWS)


@pytest.mark.parametrize(
    "booster",
    [
        AdaBoostClassifier(learner="discrete"),
        AdaBoostMHClassifier(learner="disc.lp"),
        AdaBoostClassifier(learner=TreeLearner(kind="discrete", max_depth=2)),
        BoostingClassifier(learner="real.lp", combiner=LineSearch()),
    ],
    ids=["discrete", "disc.lp", "tree", "line search"],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_are_projected_onto_those_without_an_edge(booster, weighted):
    X, y, other = problem()
    start = np.arange(1, ROWS + 1) % 5 + 1.0 if weighted else np.ones(ROWS)
    model = booster.set_params(n_estimators=6, smoothing=0.0).fit(X, y, sample_weight=start)
    scores = np.vstack([np.zeros(ROWS), *model.staged_decision_function(X)])
    weights = start * np.exp(-y * scores)
    D = weights / weights.sum(axis=1, keepdims=True)
    assert len(D) > 3
    for t, z in enumerate(model.history_["z"]):
        said = scores[t + 1] - scores[t]
        assert relative_entropy(D[t + 1], D[t]) == pytest.approx(-np.log(z), abs=1e-8)
        assert D[t + 1] @ (y * said) == pytest.approx(0.0, abs=1e-7)
        # Any weights without an edge: mix a point on either side of the plane.
        edge = y * said
        above, below = other * (edge > 0), other * (edge < 0)
        any_ = above / (above @ edge) - below / (below @ edge)
        any_ /= any_.sum()
        whole = relative_entropy(any_, D[t])
        parts = relative_entropy(any_, D[t + 1]) + relative_entropy(D[t + 1], D[t])
        assert whole == pytest.approx(parts, abs=1e-6)
