"""Trees by gain ratio: equal to a brute-force twin, pruned by C4.5's formula, kept small."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import beta
from sklearn.datasets import load_iris, make_classification

from tests.core.shards import fit_on
from tests.core.test_shards import learned
from tests.data.tables import encoded_rows
from tests.learners.every_learner import FORMS, Problem
from tests.learners.test_tree_learner import clinic
from tests.losses.every_loss import real_weights
from tests.twins import c45_like as twin
from underdog import (
    AdaBoostClassifier,
    AdaBoostM1Classifier,
    AdaBoostMHClassifier,
    GradientBoostingClassifier,
    Table,
    core,
)
from underdog.core import Stop
from underdog.kernels.barrier import can_meet
from underdog.kernels.pruning import pessimistic_errors
from underdog.kernels.tree_arrays import SLOT
from underdog.learners import C45LikeLearner, c45_like
from underdog.learners.grower import DeepGrower
from underdog.learners.pruning import CONFIDENCES, DEVIATIONS, prune
from underdog.losses import Exponential

SHAPES = (
    C45LikeLearner(),
    C45LikeLearner("real", confidence=0.1),
    C45LikeLearner(min_leaf_weight=0.5, confidence=None),
    C45LikeLearner(min_leaf_weight=12.0),
)
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def wanted(shape, encoded, weight, sign):
    """The twin's leaf of every row; all weights together are m K."""
    return twin.leaves(encoded, weight, sign, shape.min_leaf_weight, shape.confidence)


@each_shape
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_labels", [1, 3])
def test_a_tree_is_that_of_the_twin(shape, form, n_labels):
    """Under weights that all differ, in two rounds."""
    own = Problem(shape, Exponential(), FORMS[form](), n_labels)
    pairs = own.target.repeats.sum() * n_labels
    for _ in range(2):
        weight = real_weights(own.rows, own.signal) * pairs
        proposal = own.ask()
        found = proposal.partition[0].of_row(len(weight))
        np.testing.assert_array_equal(found, wanted(shape, own.encoded, weight, own.target.sign))
        own.take(proposal)


@each_shape
def test_equal_weights_and_many_ties(shape):
    """Of equal tests and equal columns the first is chosen; leaves of exactly 2 are allowed."""
    numbers, words, frame, y = clinic(90)
    y = y.to_numpy()
    table = Table.hstack([numbers, numbers[:, :1], sp.csr_array(words), frame])
    model = AdaBoostClassifier(learner=shape, n_estimators=1).fit(table, y)
    tree = model.model_.members[0].hypothesis
    encoded = encoded_rows(table, schema=model.model_.schema)
    found = tree.partition(encoded).of_row(len(y))
    sign = y[:, np.newaxis]
    np.testing.assert_array_equal(found, wanted(shape, encoded, np.ones(sign.shape), sign))
    if shape is SHAPES[0]:
        assert np.bincount(found).min() == 2


def test_the_ratio_decides_among_gains_above_average():
    """A small pure side has the better ratio, but counts only if its gain is above average."""
    y, number = np.arange(400) // 200, np.arange(400) % 200
    even = np.where(number < 140, y, 1 - y).astype(float)  # two sides of equal size
    uneven = np.where((y == 1) & (number < 36), 1.0, 0.0)  # a small pure side
    weak = np.where(number < 110, y, 1 - y).astype(float)
    chosen = []
    for columns in ((even, uneven), (even, uneven, weak)):
        X = np.column_stack(columns)
        model = AdaBoostClassifier(learner="c4.5-like", n_estimators=1).fit(X, y)
        encoded = encoded_rows(Table.from_data(X), schema=model.model_.schema)
        whole = twin.Tree(encoded, np.ones((400, 1)), y[:, np.newaxis], 2.0)
        gains, ratios, _ = zip(*whole.offers(y >= 0), strict=True)
        assert gains[0] > gains[1]
        assert ratios[0] < ratios[1]
        assert (gains[1] > np.mean(gains)) == (len(columns) == 3)
        chosen.append(model.model_.members[0].hypothesis.leaves[0][0][0].column)
    assert chosen == [0, 1]


def test_pruned_leaves_are_those_of_subtrees():
    """Pruning joins neighbours of the tree without pruning, and changes nothing else."""
    X, y = make_classification(400, 6, flip_y=0.3, random_state=0)
    whole, pruned = (
        AdaBoostClassifier(learner=C45LikeLearner(confidence=share), n_estimators=1).fit(X, y)
        for share in (None, 0.25)
    )
    encoded = encoded_rows(Table.from_data(X), schema=whole.model_.schema)
    trees = [model.model_.members[0].hypothesis for model in (whole, pruned)]
    sizes = [len(tree.leaves) for tree in trees]
    assert sizes[0] > sizes[1] > 2
    blocks = [tree.partition(encoded).of_row(len(y)) for tree in trees]
    for leaf in range(sizes[0]):
        assert len(np.unique(blocks[1][blocks[0] == leaf])) == 1
    order = np.argsort(blocks[0], kind="stable")
    assert (np.diff(blocks[1][order]) >= 0).all()


def test_the_root_keeps_its_test():
    """Without it there would be no rule, and boosting would end."""
    y, number = np.arange(200) // 100, np.arange(200) % 100
    X = np.where(number < 51, y, 1 - y)[:, np.newaxis].astype(float)
    alone = 100 + twin.extra_errors(200.0, 100.0, 0.25)
    below = 98 + 2 * twin.extra_errors(100.0, 49.0, 0.25)
    assert alone <= below + 0.1
    model = AdaBoostClassifier(learner="c4.5-like", n_estimators=1).fit(X, y)
    assert len(model.model_.members[0].hypothesis.leaves) == 2


@pytest.mark.parametrize("confidence", [0.25, 0.1])
def test_the_error_estimate_is_that_of_the_formula(confidence):
    deviations = float(np.interp(confidence, CONFIDENCES, DEVIATIONS))
    for size in (0.3, 1.0, 2.5, 7.0, 60.0, 5000.0):
        for errors in {0.0, 1e-7, 0.2, 0.5, 0.99995, 1.0, 3.3, 0.3 * size, 0.5 * size}:
            if errors <= size / 2.0:
                found = pessimistic_errors(size, errors, confidence, deviations)
                extra = twin.extra_errors(size, errors, confidence)
                assert found == pytest.approx(errors + extra, rel=1e-12)


def test_the_error_estimate_is_near_the_binomial_limit():
    """Equal to it without errors; with errors, C4.5 uses a normal approximation."""
    deviations = 0.6925
    for size in (1, 2, 6, 9, 50, 1000):
        found = pessimistic_errors(float(size), 0.0, 0.25, deviations)
        assert found == pytest.approx(size * beta.ppf(0.75, 1, size), rel=1e-12)
    for size, errors in ((16, 1), (40, 5), (200, 30), (1000, 400)):
        found = pessimistic_errors(float(size), float(errors), 0.25, deviations)
        exact = size * beta.ppf(0.75, errors + 1, size - errors)
        assert found == pytest.approx(exact, rel=0.03)
        assert found != pytest.approx(exact, rel=1e-6)


def test_the_example_of_the_book():
    """Quinlan 1993, section 4.2: leaves of 6, 9 and 1 examples without errors become one of 16."""
    shares = [pessimistic_errors(float(n), 0.0, 0.25, 0.6925) / n for n in (6, 9, 1)]
    assert np.round(shares, 3).tolist() == [0.206, 0.143, 0.750]
    below = sum(n * share for n, share in zip((6, 9, 1), shares, strict=True))
    assert below == pytest.approx(3.273, abs=2e-3)
    alone = pessimistic_errors(16.0, 1.0, 0.25, 0.6925)
    assert alone / 16 == pytest.approx(0.157, abs=5e-4)


def test_no_weight_is_no_error():
    assert pessimistic_errors(0.0, 0.0, 0.25, 0.6925) == 0.0


def test_pruning_goes_from_the_leaves_to_the_root():
    """A subtree is judged by what is left of its own subtrees."""
    a, b, c = (core.Test(column, np.array([0, 1], dtype=np.uint8), 0.5) for column in range(3))
    leaves = (((a, 0),), ((a, 1), (b, 0)), ((a, 1), (b, 1), (c, 0)), ((a, 1), (b, 1), (c, 1)))

    def left(*sums):
        own = np.array(sums, dtype=float)[:, :, np.newaxis]
        found, first = prune(leaves, own / own.sum(), own.sum(), 0.25)
        return [[(test.column, answer) for test, answer in path] for path in found], first

    plain = [[(test.column, answer) for test, answer in path] for path in leaves]
    within = [(0, 1), (1, 1)]
    assert left((50, 0), (0, 40), (11, 0), (0, 11)) == (plain, [0, 1, 2, 3])
    assert left((50, 0), (0, 40), (6, 5), (7, 4)) == ([*plain[:2], within], [0, 1, 2])
    assert left((50, 0), (0, 40), (1, 6), (0, 9)) == ([plain[0], [(0, 1)]], [0, 1])
    # All of them vote alike, but the root keeps its test.
    assert left((0, 50), (0, 40), (0, 6), (0, 9)) == ([plain[0], [(0, 1)]], [0, 1])


@pytest.mark.parametrize("max_bins", [4, 255])
def test_nodes_of_few_rows_give_the_same_bits(max_bins, monkeypatch):
    """By their rows and classes alone, or from the sums of paths on several shards.

    With four bins, nodes of more rows are searched by the sums of all cells.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3)).round(1)
    y = np.digitize(X[:, 0] + rng.normal(size=150), [-1.0, 0.0, 1.0])
    model = AdaBoostM1Classifier(learner=C45LikeLearner(), n_estimators=3, max_bins=max_bins)
    weight = rng.integers(0, 4, 150)
    wanted = learned(model.fit(X, y, sample_weight=weight))
    assert max(len(member.hypothesis.leaves) for member in model.model_.members) > 9
    fit_on(monkeypatch, 2)
    assert learned(model.fit(X, y, sample_weight=weight)) == wanted


@pytest.mark.parametrize("classes", [2, 5])
def test_the_number_of_threads_does_not_show(monkeypatch, classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 5)).round(1)
    X[rng.random(2000) < 0.1, 4] = np.nan
    y = np.digitize(X[:, 0] + rng.normal(size=2000), np.linspace(-1.0, 1.0, classes - 1))
    booster = AdaBoostClassifier if classes == 2 else AdaBoostM1Classifier
    monkeypatch.setattr(DeepGrower, "min_work", 0)
    for columns in (4, 5):  # without and with missing values
        found = [
            learned(
                booster(learner=C45LikeLearner(), n_estimators=3, n_jobs=n_jobs).fit(
                    X[:, :columns], y
                )
            )
            for n_jobs in (1, 2, 3)
        ]
        assert found[0] == found[1] == found[2]


@pytest.mark.skipif(not can_meet(), reason="only compiled threads can meet")
def test_branches_are_given_to_other_threads(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 4)), rng.integers(0, 3, 3000)
    monkeypatch.setattr(DeepGrower, "min_work", 0)
    slots = []
    split = DeepGrower._split

    def watched(grower, given, examples):
        size = split(grower, given, examples)
        slots.extend(grower._nodes.facts[:size, SLOT].tolist())
        return size

    monkeypatch.setattr(DeepGrower, "_split", watched)
    AdaBoostM1Classifier(n_estimators=3, n_jobs=2).fit(X, y)
    alone = 1 + math.ceil(math.log2(3000))
    assert min(slots) == 0
    assert max(slots) >= alone  # sums of the second thread


def test_few_sums_are_kept_for_many_leaves():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1500, 4)), rng.integers(0, 2, 1500)
    own = Problem(C45LikeLearner(confidence=None), Exponential(), Table.from_data(X))
    assert isinstance(own.memory.grower, DeepGrower)
    assert own.memory.grower._shared.hists.shape[0] == 1 + math.ceil(math.log2(1500))
    model = AdaBoostClassifier(learner=C45LikeLearner(confidence=None), n_estimators=1).fit(X, y)
    assert len(model.model_.members[0].hypothesis.leaves) > 150


def test_paths_have_a_limit(monkeypatch):
    X, y = make_classification(300, 5, flip_y=0.3, random_state=0)
    learner = C45LikeLearner(confidence=None)
    free = AdaBoostClassifier(learner=learner, n_estimators=1).fit(X, y)
    assert max(map(len, free.model_.members[0].hypothesis.leaves)) > 5
    monkeypatch.setattr(c45_like, "MAX_DEPTH", 5)
    model = AdaBoostClassifier(learner=learner, n_estimators=1).fit(X, y)
    assert max(map(len, model.model_.members[0].hypothesis.leaves)) == 5


def test_strong_trees_need_few_rounds():
    X, y = load_iris(return_X_y=True)
    model = AdaBoostMHClassifier(learner="c4.5-like", n_estimators=5).fit(X, y)
    assert model.score(X, y) > 0.97
    again = AdaBoostMHClassifier(learner=C45LikeLearner(), n_estimators=5).fit(X, y)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


def test_why_there_is_no_tree():
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    answer = Problem(C45LikeLearner(min_leaf_weight=1e6), Exponential(), Table.from_data(X)).ask()
    assert isinstance(answer, Stop)
    assert "min_leaf_weight" in answer.reason


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kind": "real.mh"}, "kind='real.mh' must be 'discrete' or 'real'"),
        ({"min_leaf_weight": -1.0}, "min_leaf_weight=-1.0 must be a number, at least 0"),
        ({"min_leaf_weight": "2"}, "min_leaf_weight='2' must be a number, at least 0"),
        ({"min_leaf_weight": math.nan}, "min_leaf_weight=nan must be a number, at least 0"),
        ({"confidence": 0.0}, "confidence=0.0 must be a number between 0 and 1, or None"),
        ({"confidence": 1.0}, "confidence=1.0 must be a number between 0 and 1, or None"),
        ({"confidence": True}, "confidence=True must be a number between 0 and 1, or None"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(learner=C45LikeLearner(**parameters)).fit([[0.0], [1.0]], [0, 1])


def test_gradients_are_no_weights():
    with pytest.raises(ValueError, match=r"C45LikeLearner\(\) needs weights of negative and pos"):
        GradientBoostingClassifier(learner="c4.5-like").fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("constraint", [{"monotonic_cst": [1]}, {"interaction_cst": "pairwise"}])
def test_columns_are_not_constrained(constraint):
    model = AdaBoostClassifier(learner="c4.5-like", **constraint)
    with pytest.raises(ValueError, match=r"but the learner is C45LikeLearner\(\)"):
        model.fit([[0.0], [1.0]], [0, 1])
