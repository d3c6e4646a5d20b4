"""Logistic AdaBoost: a textbook twin, its guarantee in every round, and its limits."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tests.estimators.small import noisy, stages, three_classes
from underdog import AdaBoostClassifier, LogisticAdaBoostClassifier, load

each_learner = pytest.mark.parametrize("learner", ["real", "discrete"])
LN2 = np.log(2.0)


def twin(X, y, rounds, learner, smoothing, weight=None):
    """Scores after each round, from the paper: every cut of every column is tried."""
    y = np.where(y == 1, 1.0, -1.0)
    u = np.ones(len(y)) if weight is None else weight
    e = smoothing * u.sum() / 2  # a share of the weight at the start
    score, found = np.zeros(len(y)), []
    for _ in range(rounds):
        q = u / (1.0 + np.exp(y * score))
        best = None
        for column in X.T:
            values = np.unique(column)
            for cut in (values[1:] + values[:-1]) / 2:
                side = (column > cut).astype(int)
                plus, minus = (np.bincount(side, q * (y == sign), minlength=2) for sign in (1, -1))
                if learner == "real":
                    gain = ((np.sqrt(plus) - np.sqrt(minus)) ** 2).sum()
                    step = 0.5 * np.log((plus + e) / (minus + e))[side]
                else:
                    sign = np.where(plus > minus, 1.0, -1.0)
                    right = np.maximum(plus, minus).sum()
                    wrong = np.minimum(plus, minus).sum()
                    gain = (np.sqrt(right) - np.sqrt(wrong)) ** 2
                    step = 0.5 * np.log(right / wrong) * sign[side]
                if best is None or gain > best[0] + 1e-9:
                    best = gain, step
        score = score + best[1]
        found.append(score)
    return np.array(found)


@pytest.mark.parametrize(
    ("learner", "smoothing"), [("real", 0.01), ("real", 1e-4), ("discrete", 0.01), ("discrete", 0)]
)
def test_the_textbook(learner, smoothing):
    X, y = noisy(rows=60)
    weight = np.where(np.arange(len(y)) % 3 == 0, 2.0, 1.0)
    model = LogisticAdaBoostClassifier(learner=learner, n_estimators=12, smoothing=smoothing)
    model.fit(X, y, sample_weight=weight)
    expected = twin(X, y, 12, learner, smoothing, weight)
    np.testing.assert_allclose(stages(model, X), expected, atol=1e-8)


@each_learner
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_the_loss_falls_by_what_is_guaranteed(learner, rate):
    X, y = noisy()
    model = LogisticAdaBoostClassifier(learner=learner, n_estimators=60, learning_rate=rate)
    model.fit(X, y)
    own = np.where(y == 1, 1.0, -1.0)
    losses = np.log1p(np.exp(-own * stages(model, X))).mean(axis=1)
    np.testing.assert_allclose(model.history_["loss"], losses, rtol=1e-12)
    fall = -np.diff(losses, prepend=LN2)
    promised = model.history_["guaranteed_drop"]
    assert (promised > 0.0).all()
    assert (fall >= promised - 1e-12).all()


def test_without_smoothing_the_guarantee_is_that_of_the_paper():
    X, y = noisy()
    model = LogisticAdaBoostClassifier(n_estimators=15, smoothing=0.0).fit(X, y)
    scores = np.vstack([np.zeros(len(y)), stages(model, X)])
    own = np.where(y == 1, 1.0, -1.0)
    for before, member, promised in zip(
        scores, model.model_.members, model.history_["guaranteed_drop"], strict=False
    ):
        q = 1.0 / (1.0 + np.exp(own * before))
        side = X[:, member.hypothesis.test.column] > member.hypothesis.test.threshold
        drops = [
            (np.sqrt(q[block & (own > 0)].sum()) - np.sqrt(q[block & (own < 0)].sum())) ** 2
            for block in (side, ~side)
        ]
        # Where a block is pure the paper's step would be endless.
        assert promised == pytest.approx(sum(drops) / len(y), abs=1e-8)


@each_learner
def test_the_first_round_is_that_of_adaboost(learner):
    X, y = noisy()
    own, other = (
        booster(learner=learner, n_estimators=1).fit(X, y)
        for booster in (LogisticAdaBoostClassifier, AdaBoostClassifier)
    )
    assert own.describe().split("\n")[1] == other.describe().split("\n")[1]
    np.testing.assert_allclose(own.decision_function(X), other.decision_function(X), atol=1e-10)


def test_probabilities_are_the_sigmoid_of_the_score():
    X, y = noisy()
    model = LogisticAdaBoostClassifier(n_estimators=30).fit(X, y)
    expected = 1.0 / (1.0 + np.exp(-model.decision_function(X)))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, rtol=1e-12)


def test_the_bound_is_the_loss_by_ln_2():
    X, y = noisy()
    model = LogisticAdaBoostClassifier(n_estimators=30).fit(X, y)
    certificate = model.certificate_
    assert certificate["bound"] == pytest.approx(model.history_["loss"][-1] / LN2)
    assert certificate["training_error"] == pytest.approx(np.mean(model.predict(X) != y))
    assert certificate["training_error"] <= certificate["bound"]


def two_values(rows=400):
    rng = np.random.default_rng(0)
    X = (rng.random((rows, 3)) < 0.5).astype(float)
    odds = 1.5 * X[:, 0] - 1.0 * X[:, 1] + 0.5 * X[:, 2] - 0.3
    return X, (rng.random(rows) < 1.0 / (1.0 + np.exp(-odds))).astype(int)


@pytest.mark.parametrize(("update", "rounds"), [("sequential", 300), ("parallel", 1500)])
def test_the_limit_is_logistic_regression(update, rounds):
    """On columns of two values the rules are those columns."""
    X, y = two_values()
    model = LogisticAdaBoostClassifier(n_estimators=rounds, smoothing=0.0, update=update).fit(X, y)
    regression = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X, y)
    expected = regression.decision_function(X)
    np.testing.assert_allclose(model.decision_function(X), expected, atol=2e-4)


@each_learner
def test_parallel_with_one_column_is_sequential(learner):
    X, y = noisy()
    models = [
        LogisticAdaBoostClassifier(learner=learner, update=update, n_estimators=9)
        for update in ("sequential", "parallel")
    ]
    one, other = (stages(model.fit(X[:, :1], y), X[:, :1]) for model in models)
    np.testing.assert_array_equal(one, other)


@each_learner
def test_every_parallel_pass_keeps_its_promise(learner):
    X, y = noisy()
    model = LogisticAdaBoostClassifier(learner=learner, update="parallel", n_estimators=80)
    history = model.fit(X, y).history_
    columns = [member.hypothesis.test.column for member in model.model_.members]
    assert columns == [0, 1, 2, 3] * 20
    losses = np.append(LN2, history["loss"][3::4])
    promised = history["guaranteed_drop"].reshape(-1, 4).sum(axis=1)
    assert (-np.diff(losses) >= promised - 1e-12).all()
    assert (promised > 0.0).all()


@pytest.mark.parametrize("first", [4, 5, 7])
def test_a_parallel_pass_may_be_interrupted(first):
    X, y = noisy()
    whole = LogisticAdaBoostClassifier(update="parallel", n_estimators=16).fit(X, y)
    parts = LogisticAdaBoostClassifier(update="parallel", n_estimators=first, warm_start=True)
    parts.fit(X, y).set_params(n_estimators=16).fit(X, y)
    np.testing.assert_array_equal(stages(whole, X), stages(parts, X))


def test_what_parallel_cannot_do():
    X, y = noisy()
    with pytest.raises(ValueError, match="needs the best rule of each column"):
        LogisticAdaBoostClassifier(update="parallel", learner=LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="min_weight_fraction_leaf is not supported"):
        LogisticAdaBoostClassifier(update="parallel", min_weight_fraction_leaf=0.1).fit(X, y)
    with pytest.raises(ValueError, match="update='both' must be"):
        LogisticAdaBoostClassifier(update="both").fit(X, y)


@pytest.mark.parametrize("several", [False, True])
def test_more_than_two_labels(several, tmp_path):
    X, y = three_classes()
    if several:
        y = np.stack([y > 0, y > 1, X[:, 2] > 0], axis=1).astype(int)
    model = LogisticAdaBoostClassifier(n_estimators=40).fit(X, y)
    assert model.score(X, y) > 0.8
    signs = np.where(y if several else y[:, np.newaxis] == model.classes_, 1.0, -1.0)
    loss = np.log1p(np.exp(-signs * model.decision_function(X))).mean()
    assert model.history_["loss"][-1] == pytest.approx(loss, rel=1e-12)
    model.save(tmp_path / "model.udg")
    again = load(tmp_path / "model.udg")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_a_perfect_rule_is_repeated_until_its_probabilities_say_so():
    X = np.arange(20.0)[:, np.newaxis]
    y = (X[:, 0] > 9).astype(int)
    model = LogisticAdaBoostClassifier(n_estimators=30).fit(X, y)
    assert model.n_iter_ == 30
    assert model.predict_proba(X)[-1, 1] > 0.95


def test_rules_matter_by_how_much_the_loss_fell():
    X, y = noisy()
    model = LogisticAdaBoostClassifier(n_estimators=20).fit(X, y)
    falls, expected = -np.diff(model.history_["loss"], prepend=LN2), np.zeros(4)
    for member, fall in zip(model.model_.members, falls, strict=True):
        expected[member.hypothesis.test.column] += fall
    np.testing.assert_allclose(model.feature_importances_, expected / expected.sum())
