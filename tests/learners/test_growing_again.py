"""Threads that wait for the next tree are given its rule."""

import numpy as np
import pytest

from underdog import BoostingClassifier
from underdog.kernels.barrier import can_meet
from underdog.learners import TreeLearner
from underdog.learners.grower import Grower
from underdog.losses import LogLoss

pytestmark = pytest.mark.skipif(not can_meet(), reason="only compiled threads wait")


def test_nobody_keeps_the_rule_of_the_last_tree(monkeypatch):
    """Every second tree may be deeper. A thread that waited would split nodes by the old rule."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9_000, 6))
    y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X)) > 0).astype(int)
    grow, calls, waited = Grower.grow, [], []

    def in_turn(self, fine, shift, unit, criterion, smooth, limits, *others):
        calls.append(self)
        limits = limits._replace(min_samples=1 if len(calls) % 2 else 900)
        waited.append(self.workers._team is not None)
        return grow(self, fine, shift, unit, criterion, smooth, limits, *others)

    monkeypatch.setattr(Grower, "grow", in_turn)
    found = []
    for n_jobs in (1, 2):
        calls.clear()
        learner = TreeLearner(max_leaf_nodes=31, max_depth=None)
        model = BoostingClassifier(
            loss=LogLoss(), learner=learner, learning_rate=0.3, n_estimators=20, n_jobs=n_jobs
        ).fit(X, y)  # fmt: skip
        sizes = [len(member.steps) for member in model.model_.members]
        assert max(sizes[1::2]) <= 10 < min(sizes[::2])
        found.append(model.decision_function(X))
    assert any(waited)
    assert np.array_equal(*found)
