"""Threads that split nodes ahead, or together, grow the same trees as one thread."""

import numpy as np
import pytest
import scipy.sparse as sp

from underdog import BoostingClassifier, GradientBoostingClassifier, Table
from underdog.kernels.barrier import can_meet
from underdog.kernels.trees import MANY_ROWS
from underdog.learners import TreeLearner
from underdog.losses import LogLoss

pytestmark = pytest.mark.skipif(not can_meet(), reason="only compiled threads work together")
RNG = np.random.default_rng(0)


def table(n_rows, form):
    numbers = RNG.integers(0, 40, (n_rows, 6)) * RNG.random((1, 6))
    numbers[RNG.random(numbers.shape) < 0.1] = np.nan
    words = (RNG.random((n_rows, 30)) < 0.2) * 1.0
    if form == "dense":
        return numbers
    if form == "words":
        return sp.csr_array(words)
    levels = RNG.integers(0, 12, (n_rows, 2)).astype(float)
    return Table.hstack([numbers, sp.csr_array(words[:, :5]), levels], categorical=[11, 12])


def labels(X, n_classes):
    """Classes of a noisy function of the columns."""
    rows = X.toarray() if sp.issparse(X) else X
    numbers = rows if isinstance(rows, np.ndarray) else rows.groups[0].matrix
    score = np.nan_to_num(numbers)[:, :4].sum(axis=1) + RNG.random(len(numbers))
    return np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))


SETTINGS = {
    "best first": {"max_leaf_nodes": 31, "max_depth": None},
    "by depth": {"max_depth": 5, "growth": "depth"},
    "many examples in a leaf": {"max_leaf_nodes": 31, "max_depth": None, "min_samples_leaf": 150},
    "random cuts": {"max_depth": 5, "cuts": "random", "subsample": 0.7, "max_features": 0.5},
}


@pytest.mark.parametrize("form", ["dense", "words", "mixed"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_number_of_threads_does_not_show(setting, form):
    X = table(12_000, form)
    y = labels(X, 2)
    trees = []
    for n_jobs in (1, 2, 3, 5):
        model = BoostingClassifier(
            loss=LogLoss(),
            learner=TreeLearner(**SETTINGS[setting]), learning_rate=0.3, n_estimators=6,
            n_jobs=n_jobs,
        ).fit(X, y)  # fmt: skip
        trees.append(
            [member.hypothesis.words(model.model_.schema) for member in model.model_.members]
        )
    assert len(X if form == "dense" else y) > MANY_ROWS
    assert all(other == trees[0] for other in trees[1:])


@pytest.mark.parametrize("options", [{}, {"monotonic_cst": [1, 0, 0, 0, 0, -1]}])
def test_several_classes_and_constraints_are_the_same_on_many_threads(options):
    X = table(9_000, "dense")
    y = labels(X, 2 if options else 4)
    scores = [
        GradientBoostingClassifier(n_estimators=4, max_depth=4, n_jobs=n_jobs, **options)
        .fit(X, y)
        .decision_function(X)
        for n_jobs in (1, 2, 4)
    ]
    assert all(np.array_equal(other, scores[0]) for other in scores[1:])
