"""The package against the textbook: every exponential booster with every learner."""

import numpy as np
import pytest

from tests.twins import boosters as twin
from tests.twins.learners import LEARNERS, is_real
from underdog import (
    AdaBoostAClassifier,
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
)

ROWS = 70
ROUNDS = 12
TOLERANCE = {"rtol": 1e-8, "atol": 1e-8}
DISCRETE = [name for name in LEARNERS if not is_real(name)]
DATA = ("continuous", "few values", "missing")
WEIGHTS = ("none", "integer", "real")


def features(kind, seed=0, rows=ROWS):
    """Four columns: no ties, ties everywhere, or values missing (in column 0 for a reason)."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    if kind == "few values":
        X = np.rint(1.2 * X)
    if kind == "missing":
        X[rng.random(X.shape) < 0.15] = np.nan
        X[(X[:, 1] > 0.8) & (rng.random(rows) < 0.7), 0] = np.nan
    return X


def binary(kind, seed=0):
    """X, and y = +-1 with fewer positives than negatives and a tenth of the labels flipped."""
    X, rng = features(kind, seed), np.random.default_rng(seed + 1)
    y = np.where(np.nan_to_num(X, nan=0.7) @ [1.0, 1.0, -0.7, 0.2] > 0.9, 1, -1)
    return X, y * np.where(rng.random(ROWS) < 0.1, -1, 1)


def multi_label(kind, seed=0):
    """X, and Y[row, label] = +-1 for three overlapping labels."""
    X, rng = features(kind, seed), np.random.default_rng(seed + 2)
    score = np.nan_to_num(X, nan=0.7) @ rng.normal(size=(4, 3)) + 0.3 * rng.normal(size=(ROWS, 3))
    return X, np.where(score > 0.4, 1, -1)


def petals(seed=0):
    """Three classes in four columns measured to a tenth, as iris has them."""
    rng = np.random.default_rng(seed)
    y = np.arange(90) % 3
    centres = np.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.5, 2.0]])
    return np.round(centres[y] + rng.normal(size=(90, 4)) * [0.5, 0.35, 0.45, 0.25], 1), y


def weighting(kind, rows=ROWS):
    """Sample weights: none, whole numbers, or any."""
    weights = np.random.default_rng(7).uniform(0.2, 4, rows)
    return {"none": None, "integer": np.ceil(weights), "real": weights}[kind]


def named(y):
    """Labels as text; "yes" is the last class, so it is the positive one."""
    return np.where(y > 0, "yes", "no")


def stages(model, X):
    """The scores after each round: (round, row) or (round, row, label)."""
    return np.array(list(model.staged_decision_function(X)))


def shares(sample_weight):
    """Sample weights with sum 1."""
    s = np.ones(ROWS) if sample_weight is None else sample_weight
    return s / s.sum()


def assert_same_run(model, X, expected, keys=("coefficient", "z", "edge")):
    """Round by round the same scores and history, and the same scores on new rows."""
    scores, records = expected
    found = stages(model, X)
    np.testing.assert_allclose(found.reshape(len(found), *scores.shape[1:]), scores, **TOLERANCE)
    for key in keys:
        wanted = [t[key] for t in records]
        np.testing.assert_allclose(model.history_[key], wanted, **TOLERANCE, err_msg=key)
    new = features("missing" if np.isnan(X).any() else "continuous", seed=99)[:, : X.shape[1]]
    found = model.decision_function(new)
    np.testing.assert_allclose(found.reshape(len(new), -1), twin.replay(records, new), **TOLERANCE)


def assert_same_bits(model, other, X):
    """Not nearly: exactly the same scores in every round."""
    np.testing.assert_array_equal(stages(model, X), stages(other, X))


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", LEARNERS)
def test_adaboost(learner, data, weights):
    (X, y), s = binary(data), weighting(weights)
    model = AdaBoostClassifier(learner=learner, n_estimators=ROUNDS)
    model.fit(X, named(y), sample_weight=s)
    assert_same_run(model, X, twin.adaboost(X, y, learner=learner, rounds=ROUNDS, sample_weight=s))


@pytest.mark.filterwarnings("ignore:beta=5.5 is too large:underdog.UnderdogWarning")
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("beta", [2.0, 5.5])
def test_adauboost(beta, learner, data, weights):
    (X, y), s = binary(data), weighting(weights)
    model = AdaUBoostClassifier(beta=beta, learner=learner, n_estimators=ROUNDS)
    model.fit(X, named(y), sample_weight=s)
    expected = twin.adauboost(X, y, beta, learner=learner, rounds=ROUNDS, sample_weight=s)
    assert_same_run(model, X, expected)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("stall", ["skip", "stop"])
def test_adaboost_a(stall, learner, data, weights):
    (X, y), s = binary(data), weighting(weights)
    w, p = np.random.default_rng(8).uniform(0.2, 2, (2, ROWS))
    model = AdaBoostAClassifier(learner=learner, stall=stall, n_estimators=ROUNDS)
    model.fit(X, named(y), sample_weight=s, initial_weight=w, cost=p)
    keys = ("coefficient", "z", "edge", "ratio") + (() if is_real(learner) else ("wrong_share",))
    shared = {"learner": learner, "stall": stall, "rounds": ROUNDS, "sample_weight": s}
    expected = twin.adaboost_a(X, y, w, p, **shared)
    assert_same_run(model, X, expected, keys)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", LEARNERS)
def test_adaboost_mh_with_many_labels(learner, data, weights):
    (X, Y), s = multi_label(data), weighting(weights)
    model = AdaBoostMHClassifier(learner=learner, n_estimators=ROUNDS)
    model.fit(X, (Y > 0).astype(int), sample_weight=s)
    expected = twin.adaboost_mh(X, Y, learner=learner, rounds=ROUNDS, sample_weight=s)
    assert_same_run(model, X, expected)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("booster", [AdaBoostClassifier, AdaBoostMHClassifier])
@pytest.mark.parametrize("learner", LEARNERS)
def test_adaboost_mh_with_many_classes(learner, booster, weights):
    (X, y), s = petals(), weighting(weights, 90)
    model = booster(learner=learner, n_estimators=ROUNDS)
    model.fit(X, np.array(["a", "b", "c"])[y], sample_weight=s)
    Y = np.where(y[:, None] == np.arange(3), 1, -1)
    expected = twin.adaboost_mh(X, Y, learner=learner, rounds=ROUNDS, sample_weight=s)
    assert_same_run(model, X, expected)


@pytest.mark.parametrize("learner", LEARNERS)
def test_learning_rate_shrinks_every_step(learner):
    (X, y), (w, p) = binary("continuous"), np.random.default_rng(9).uniform(0.5, 2, (2, ROWS))
    half = {"learner": learner, "learning_rate": 0.5}
    run, shared = half | {"n_estimators": ROUNDS}, half | {"rounds": ROUNDS}
    assert_same_run(AdaBoostClassifier(**run).fit(X, y), X, twin.adaboost(X, y, **shared))
    model = AdaUBoostClassifier(beta=3, **run).fit(X, y)
    assert_same_run(model, X, twin.adauboost(X, y, 3, **shared))
    model = AdaBoostAClassifier(**run).fit(X, y, initial_weight=w, cost=p)
    assert_same_run(model, X, twin.adaboost_a(X, y, w, p, **shared))
    X, Y = multi_label("continuous")
    model = AdaBoostMHClassifier(**run).fit(X, (Y > 0).astype(int))
    assert_same_run(model, X, twin.adaboost_mh(X, Y, **shared))


@pytest.mark.parametrize("smoothing", [0.001, 0.1])
@pytest.mark.parametrize("learner", LEARNERS)
def test_smoothing_is_what_is_added_to_each_weight(learner, smoothing):
    X, y = binary("continuous")
    model = AdaBoostClassifier(learner=learner, smoothing=smoothing, n_estimators=ROUNDS).fit(X, y)
    expected = twin.adaboost(X, y, learner=learner, smoothing=smoothing, rounds=ROUNDS)
    assert_same_run(model, X, expected)


def test_a_perfect_stump_has_the_floored_coefficient():
    """eps = 0: a = 1/2 ln(2/e), e = 1/m."""
    X, y = np.arange(8.0)[:, None], np.repeat([-1, 1], 4)
    model = AdaBoostClassifier(learner="discrete", n_estimators=1).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), y * np.log(16) / 2, rtol=1e-9)
    assert_same_run(model, X, twin.adaboost(X, y, learner="discrete", rounds=1))


def test_the_ten_points_of_the_half_plane_picture():
    """Schapire's picture: three half-planes with these eps and a make no mistake together."""
    X = np.array([range(1, 11), [5, 3, 1, 6, 8, 10, 4, 7, 2, 9]]).T
    y = np.array([1, 1, -1, -1, 1, 1, -1, 1, -1, -1])
    model = AdaBoostClassifier(learner="discrete", n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(np.round((1 - model.history_["edge"]) / 2, 2), [0.30, 0.21, 0.14])
    np.testing.assert_array_equal(np.round(model.history_["coefficient"], 2), [0.42, 0.65, 0.92])
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("learner", DISCRETE)
def test_a_tied_block_says_the_opposite_of_the_other(learner):
    """One positive and one negative where x = 1, negatives where x = 0: x = 1 votes +."""
    X, y = np.array([[1.0], [1.0], [0.0], [0.0]]), np.array([1, -1, -1, -1])
    model = AdaBoostClassifier(learner=learner, n_estimators=1).fit(X, y)
    np.testing.assert_array_equal(np.sign(model.decision_function(X)), [1, 1, -1, -1])


@pytest.mark.parametrize("learner", DISCRETE)
def test_equal_edges_go_to_the_lowest_column(learner):
    """Either column gets four of six rows right."""
    X = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 0, 1]]).T
    y = np.array([-1, -1, 1, 1, 1, -1])
    model = AdaBoostClassifier(learner=learner, n_estimators=1).fit(X, y)
    np.testing.assert_array_equal(np.sign(model.decision_function(X)), [-1, -1, -1, 1, 1, 1])


@pytest.mark.parametrize("learner", LEARNERS)
def test_equal_z_goes_to_the_lowest_column(learner):
    """Two positives for each negative in every block of either column: Z = 2/3 sqrt(2)."""
    y = np.array([-1, 1, 1] * 5)
    X = np.array([[0] * 3 + [1] * 12, [0] * 6 + [1] * 9]).T
    model = AdaBoostClassifier(learner=learner, n_estimators=1).fit(X, y)
    assert_same_run(model, X, twin.adaboost(X, y, learner=learner, rounds=1))


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", LEARNERS)
def test_mirrored_labels_give_mirrored_scores(learner, data):
    X, y = binary(data, seed=3)
    model = AdaBoostClassifier(learner=learner, n_estimators=ROUNDS)
    scores = stages(model.fit(X, y), X)
    np.testing.assert_array_equal(stages(model.fit(X, -y), X), -scores)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", LEARNERS)
def test_siblings_are_adaboost_bit_for_bit_where_they_coincide(learner, data):
    (X, y), s = binary(data), weighting("real")
    shared = {"learner": learner, "n_estimators": ROUNDS}
    model = AdaBoostClassifier(**shared).fit(X, y, sample_weight=s)
    assert_same_bits(AdaUBoostClassifier(beta=1.0, **shared).fit(X, y, sample_weight=s), model, X)
    assert_same_bits(AdaBoostMHClassifier(**shared).fit(X, y, sample_weight=s), model, X)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", DISCRETE)
def test_adaboost_a_with_even_weights_is_adaboost_bit_for_bit(learner, data):
    (X, y), even = binary(data), np.full(ROWS, 0.3)
    shared = {"learner": learner, "n_estimators": ROUNDS}
    model = AdaBoostClassifier(**shared).fit(X, y)
    for stall in ("skip", "stop"):
        same = AdaBoostAClassifier(stall=stall, **shared)
        assert_same_bits(same.fit(X, y), model, X)
        assert_same_bits(same.fit(X, y, initial_weight=even, cost=2 * even), model, X)


def test_a_cost_alone_is_also_the_initial_weighting():
    (X, y), p = binary("continuous"), weighting("real")
    model = AdaBoostAClassifier(n_estimators=ROUNDS).fit(X, y, cost=p)
    both = AdaBoostAClassifier(n_estimators=ROUNDS).fit(X, y, initial_weight=p, cost=p)
    assert_same_bits(both, model, X)
    assert_same_run(model, X, twin.adaboost_a(X, y, p, p, rounds=ROUNDS))


@pytest.mark.parametrize("learning_rate", [1.0, 0.5])
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_training_error_stays_under_the_product_of_z(learner, learning_rate):
    """In the initial weights; prod Z is the exponential loss itself: sum D_1 exp(-b y F)."""
    (X, y), s = binary("few values"), weighting("real")
    shared = {"learner": learner, "learning_rate": learning_rate, "n_estimators": ROUNDS}
    uneven = AdaUBoostClassifier(beta=2.0, **shared)
    for model, beta in ((AdaBoostClassifier(**shared), 1.0), (uneven, 2.0)):
        margin = y * stages(model.fit(X, y, sample_weight=s), X)
        D, b = shares(s * np.where(y > 0, beta, 1)), np.where(y > 0, 1 / beta, 1)
        bound = np.cumprod(model.history_["z"])
        np.testing.assert_allclose(bound, np.exp(-b * margin) @ D, rtol=1e-8)
        assert np.all((margin <= 0) @ D <= bound)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_hamming_loss_stays_under_the_product_of_z(learner):
    X, Y = multi_label("missing")
    model = AdaBoostMHClassifier(learner=learner, n_estimators=ROUNDS).fit(X, (Y > 0).astype(int))
    margin = Y * stages(model, X)
    assert np.all((margin <= 0).mean((1, 2)) <= np.cumprod(model.history_["z"]))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("stall", ["skip", "stop"])
def test_the_cost_weighted_error_stays_under_the_product_of_ratios(stall, learner):
    """tau_p <= prod R_t, and R_t = 2 sqrt(A_t (1 - A_t)) for votes."""
    (X, y), (w, p) = binary("continuous"), np.random.default_rng(10).uniform(0.1, 2, (2, ROWS))
    model = AdaBoostAClassifier(learner=learner, stall=stall, n_estimators=ROUNDS)
    model.fit(X, y, initial_weight=w, cost=p)
    margin, R = y * stages(model, X), model.history_["ratio"]
    assert np.all((margin <= 0) @ shares(p) <= np.cumprod(R))
    np.testing.assert_allclose(np.exp(-margin) @ shares(p), np.cumprod(R), rtol=1e-8)
    if not is_real(learner):
        A = model.history_["wrong_share"]
        np.testing.assert_allclose(R, 2 * np.sqrt(A * (1 - A)), rtol=1e-8)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_last_hypothesis_has_no_edge_left_after_an_unsmoothed_step(learner):
    """In the booster's own weights: D, b D for AdaUBoost, p exp(-y f) for AdaBoost.A."""
    rng = np.random.default_rng(11)
    X = rng.integers(0, 3, (300, 4)).astype(float)  # large blocks, none of them pure
    y = np.where(X.sum(1) + 3 * rng.normal(size=300) > 5.5, 1, -1)
    w, p = rng.uniform(0.5, 2, (2, 300))
    shared = {"learner": learner, "smoothing": 0.0, "n_estimators": 5}

    def left(model, weight, b=1.0):
        before, after = np.vstack([np.zeros(300), stages(model, X)])[-2:]
        D = weight * b * np.exp(-y * b * after)
        return (D * y * (after - before)).sum() / D.sum()

    assert abs(left(AdaBoostClassifier(**shared).fit(X, y), np.ones(300))) < 1e-9
    assert abs(left(AdaBoostAClassifier(**shared).fit(X, y, initial_weight=w, cost=p), p)) < 1e-9
    if learner == "real" or not is_real(learner):
        even = np.where(y > 0, 3.0, 1.0)
        assert abs(left(AdaUBoostClassifier(beta=3.0, **shared).fit(X, y), even, 1 / even)) < 1e-9
