"""Gradient boosting: equal to a textbook version and to LightGBM, and the same in any form."""

import re
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import ensemble
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_classification
from sklearn.metrics import log_loss

import underdog
from tests.core.shards import fit_on
from tests.core.test_shards import learned
from underdog import AdaBoostClassifier, GradientBoostingClassifier
from underdog.learners import TreeLearner


def grid(n_rows=600, n_columns=8, n_classes=2, seed=0, values=9):
    """Whole numbers from -9 to 9, or -values to values: every value has a bin of its own."""
    X, y = make_classification(
        n_rows, n_columns, n_informative=5, n_classes=n_classes, flip_y=0.1, random_state=seed
    )
    return np.clip(np.rint(values / 3 * X), -values, values), y


class Textbook:
    """Newton boosting with plain floats, every cut of every column tried at every node."""

    def __init__(self, rounds, rate, depth, penalty):
        self.rounds, self.rate, self.depth, self.penalty = rounds, rate, depth, penalty

    def fit(self, X, y, weight):
        share = (weight * y).sum() / weight.sum()
        scores = np.full(len(y), np.log(share / (1 - share)))
        for _ in range(self.rounds):
            p = 1 / (1 + np.exp(-scores))
            g, h = weight * (y - p), weight * p * (1 - p)
            scores = scores + self.rate * self.values(X, g, h, np.arange(len(y)), self.depth)
        return scores

    def values(self, X, g, h, rows, depth):
        """What the tree says to all rows; 0 where they are not among those of the node."""
        out = np.zeros(len(g))
        best = self.best(X[rows], g[rows], h[rows]) if depth else None
        if best is None:
            out[rows] = g[rows].sum() / (h[rows].sum() + self.penalty)
            return out
        column, cut = best
        low = X[rows, column] <= cut
        for side in (rows[low], rows[~low]):
            out += self.values(X, g, h, side, depth - 1)
        return out

    def best(self, X, g, h):
        def worth(chosen):
            return g[chosen].sum() ** 2 / (h[chosen].sum() + self.penalty)

        found, most = None, worth(np.ones(len(g), dtype=bool)) + 1e-9
        for column in range(X.shape[1]):
            for cut in np.unique(X[:, column])[:-1]:
                low = X[:, column] <= cut
                if min(h[low].sum(), h[~low].sum()) < 1e-3:
                    continue
                gain = worth(low) + worth(~low)
                if gain > most * (1 + 1e-12):
                    found, most = (column, cut), gain
        return found


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("penalty", [0.0, 5.0])
def test_equals_the_textbook(depth, penalty):
    X, y = grid(300)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    model = GradientBoostingClassifier(
        n_estimators=12, learning_rate=0.3, max_depth=depth, l2_regularization=penalty
    ).fit(X, y, sample_weight=weight)
    wanted = Textbook(12, 0.3, depth, penalty).fit(X, y, weight)
    np.testing.assert_allclose(model.decision_function(X), wanted, atol=1e-7)


def codes_of(model, X):
    """The bins of all values."""
    cuts = np.split(model.model_.schema.cuts, model.model_.schema.cut_pointers[1:-1])
    return np.column_stack([np.searchsorted(*each) for each in zip(cuts, X.T, strict=True)])


@pytest.mark.parametrize(
    ("n_rows", "leaves", "penalty", "seed"),
    [(2000, 7, 0.0, 0), (2000, 7, 2.0, 1), (20_000, 31, 0.0, 2), (20_000, 31, 1.0, 3)],
)
def test_equals_lightgbm(n_rows, leaves, penalty, seed):
    """Grown leaf by leaf on our bins, with its limits set to ours; its gradients have 24 bits.

    Leaves may have one example: LightGBM guesses how many a leaf has from its curvature.
    """
    lightgbm = pytest.importorskip("lightgbm")
    X, y = make_classification(n_rows, 8, n_informative=5, flip_y=0.1, random_state=seed)
    ours = GradientBoostingClassifier(
        n_estimators=20, max_depth=None, max_leaf_nodes=leaves, l2_regularization=penalty
    ).fit(X, y)
    codes = codes_of(ours, X)
    assert codes.max() == 254
    theirs = lightgbm.LGBMClassifier(
        n_estimators=20, num_leaves=leaves, min_child_samples=1, min_sum_hessian_in_leaf=1e-3,
        max_bin=300, min_data_in_bin=1, reg_lambda=penalty, boost_from_average=True,
        feature_pre_filter=False, verbose=-1, deterministic=True, n_jobs=1,
    ).fit(codes, y)  # fmt: skip
    trees = theirs.booster_.dump_model()["tree_info"]
    for member, tree in zip(ours.model_.members, trees, strict=True):
        (test, _), *_ = member.hypothesis.leaves[0]
        root = tree["tree_structure"]
        assert test.column == root["split_feature"]
        np.testing.assert_array_equal(test.inside[:255], np.arange(255) > root["threshold"])
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.predict(codes, raw_score=True), rtol=0, atol=1e-6
    )


def decimals(seed):
    """Breast cancer with two significant digits, so that no column has more than 255 values."""
    X, y = load_breast_cancer(return_X_y=True)
    X = np.array([[float(f"{value:.2g}") for value in row] for row in X])
    return X, np.where(np.random.default_rng(seed).random(len(y)) < 0.05, 1 - y, y)


def real_weights(y, seed):
    return np.random.default_rng(seed).uniform(0.2, 1.2, len(y))


@pytest.mark.parametrize("rate", [0.1, 0.5])
@pytest.mark.parametrize("leaf", [1, 9])
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize(
    ("data", "seed", "weighted"),
    [(grid, 0, False), (grid, 1, False), (grid, 2, True), (decimals, 0, True)],
)
def test_equals_scikit_learn(data, seed, weighted, depth, leaf, rate):
    """Where no two tests are equally good; its other criterion ranks tests in the same order."""
    X, y = data(seed=seed) if data is decimals else grid(600, seed=seed, values=90)
    assert max(len(np.unique(column)) for column in X.T) <= 255
    weight = real_weights(y, seed) if weighted else None
    shared = {
        "n_estimators": 20, "max_depth": depth, "min_samples_leaf": leaf, "learning_rate": rate,
    }  # fmt: skip
    ours = GradientBoostingClassifier(criterion="squared_error", **shared)
    theirs = ensemble.GradientBoostingClassifier(random_state=0, **shared)
    ours.fit(X, y, sample_weight=weight)
    theirs.fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=1e-9)


def test_squared_error_grows_other_trees():
    """Else the equality above would say nothing of the criterion."""
    X, y = grid(600, values=90)
    newton, squares = (
        GradientBoostingClassifier(n_estimators=20, criterion=name).fit(X, y)
        for name in ("newton", "squared_error")
    )
    apart = np.abs(newton.decision_function(X) - squares.decision_function(X)).max()
    assert apart > 0.1


@pytest.mark.parametrize(
    "learner",
    [
        "tree",
        "real",
        TreeLearner(max_depth=4, growth="depth"),
        TreeLearner(split_criterion="squared_error"),
    ],
)
@pytest.mark.parametrize("kind", ["two classes", "three classes", "labels"])
def test_the_same_bits_on_shards(learner, kind, monkeypatch):
    X, y = grid(200, n_classes=2 if kind == "two classes" else 3)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    y = np.eye(3, dtype=int)[y] if kind == "labels" else y
    weight = np.random.default_rng(0).integers(1, 3, len(X))

    def fit():
        return GradientBoostingClassifier(learner=learner, n_estimators=4).fit(
            X, y, sample_weight=weight
        )

    wanted = learned(fit())
    fit_on(monkeypatch, 3)
    assert learned(fit()) == wanted


def test_the_same_bits_in_any_form():
    X, y = grid(300)
    order = np.random.default_rng(0).permutation(len(y))
    weight = np.random.default_rng(0).integers(0, 3, len(y))

    def scores(X_, y_, weight_=None, **more):
        model = GradientBoostingClassifier(n_estimators=6, **more)
        return model.fit(X_, y_, sample_weight=weight_).decision_function(X)

    wanted = scores(X, y, weight)
    np.testing.assert_array_equal(scores(X[order], y[order], weight[order]), wanted)
    np.testing.assert_array_equal(scores(sp.csr_array(X), y, weight), wanted)
    np.testing.assert_array_equal(scores(X.repeat(weight, axis=0), y.repeat(weight)), wanted)
    np.testing.assert_array_equal(scores(X, y, weight, n_jobs=2), wanted)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_loss_falls_and_is_what_the_probabilities_say(n_classes):
    X, y = grid(400, n_classes=n_classes)
    model = GradientBoostingClassifier(n_estimators=30).fit(X, y)
    loss = model.history_["loss"]
    assert (np.diff(loss) < 0).all()
    assert loss[-1] == pytest.approx(log_loss(y, model.predict_proba(X)), abs=1e-9)
    assert model.certificate_["training_error"] <= model.certificate_["bound"]
    assert model.certificate_["bound"] == pytest.approx(loss[-1] / np.log(2), rel=1e-9)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_whole_steps_of_several_classes_do_not_diverge():
    """A leaf with few examples of a class that was nearly excluded has a tiny curvature."""
    X, y = load_digits(return_X_y=True)
    model = GradientBoostingClassifier(learning_rate=1.0, n_estimators=12).fit(X[::3], y[::3])
    assert (np.diff(model.history_["loss"]) < 0.0).all()
    assert np.mean(model.predict(X) == y) > 0.9
    longest = max(np.abs(member.steps).max() for member in model.model_.members)
    assert 3.5 < longest <= 4.0 * 9 / 10


def test_scores_start_from_the_log_odds():
    X, y = load_breast_cancer(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    odds = y.mean() / (1 - y.mean())
    assert model.model_.start == pytest.approx([np.log(odds)], abs=1e-9)
    *_, last = model.staged_decision_function(X)
    np.testing.assert_array_equal(last, model.decision_function(X))
    alone = GradientBoostingClassifier(n_estimators=3).fit(np.ones((4, 1)), [0, 0, 0, 1])
    assert alone.predict_proba([[1.0]])[0, 1] == pytest.approx(0.25)


def test_costs_and_class_weights_are_corrected_for():
    X, y = grid(2000)
    plain = GradientBoostingClassifier(n_estimators=10).fit(X, y)
    heavy = GradientBoostingClassifier(n_estimators=10, class_weight={0: 1, 1: 5}).fit(X, y)
    assert heavy.predict(X).mean() > plain.predict(X).mean() + 0.1
    raw = 1 / (1 + np.exp(-heavy.decision_function(X)))
    assert raw.mean() > y.mean() + 0.15
    assert heavy.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), abs=0.06)


def test_a_file_a_warm_start_and_early_stopping_keep_the_bits(tmp_path):
    X, y = grid(300)
    whole = GradientBoostingClassifier(n_estimators=8).fit(X, y)
    half = GradientBoostingClassifier(n_estimators=3, warm_start=True).fit(X, y)
    half.set_params(n_estimators=8).fit(X, y)
    assert learned(half)["members"] == learned(whole)["members"]
    np.testing.assert_array_equal(half.decision_function(X), whole.decision_function(X))
    whole.save(tmp_path / "model.udg")
    again = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(again.predict_proba(X), whole.predict_proba(X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stopped = GradientBoostingClassifier(n_estimators=200, early_stopping=True).fit(X, y)
    assert stopped.n_iter_ < 200
    assert stopped.history_["validation_score"].max() == pytest.approx(
        stopped.history_["validation_score"][stopped.n_iter_ - 1]
    )


def test_three_classes_and_their_file(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=20).fit(X, y)
    assert model.score(X, y) > 0.97
    model.save(tmp_path / "model.udg")
    again = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("penalty", [-1, np.nan, "much"])
def test_a_penalty_that_is_none(penalty):
    with pytest.raises(ValueError, match=r"l2_regularization=.* must be a finite number"):
        GradientBoostingClassifier(l2_regularization=penalty).fit([[0.0], [1.0]], [0, 1])


def test_any_depth_needs_a_limit_of_leaves():
    X, y = grid(200)
    with pytest.raises(ValueError, match="max_depth=None and max_leaf_nodes=None leave the size"):
        GradientBoostingClassifier(max_depth=None).fit(X, y)
    parameters = {"max_leaf_nodes": 6, "n_estimators": 3}
    deep = GradientBoostingClassifier(max_depth=None, **parameters).fit(X, y)
    limited = GradientBoostingClassifier(max_depth=5, **parameters).fit(X, y)
    assert learned(deep) == learned(limited)  # six leaves are five levels deep at most


@pytest.mark.parametrize("learner", [TreeLearner(max_depth=2), "real"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", 5),
        ("max_depth", None),
        ("max_leaf_nodes", 8),
        ("min_samples_leaf", 20),
        ("criterion", "squared_error"),
        ("subsample", 0.5),
        ("max_features", "sqrt"),
    ],
)
def test_parameters_of_trees_beside_another_learner(learner, name, value):
    X, y = grid(100)
    message = (
        f"{name}={value!r} would be ignored, because it is for learner='tree', and "
        f"learner={learner!r} was given: set it in a learner object, or leave it out"
    )
    model = GradientBoostingClassifier(learner=learner, **{name: value})
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        model.fit(X, y)


def test_all_parameters_of_trees_that_are_not_used_are_named():
    X, y = grid(100)
    message = "max_depth=5, subsample=0.5 would be ignored, because they are for learner='tree'"
    with pytest.raises(ValueError, match=message):
        GradientBoostingClassifier(learner="real", max_depth=5, subsample=0.5).fit(X, y)


def test_defaults_beside_another_learner():
    X, y = grid(100)
    defaults = {"max_depth": np.int64(3), "subsample": 1, "criterion": "newton"}
    GradientBoostingClassifier(learner=TreeLearner(), n_estimators=2, **defaults).fit(X, y)


def test_a_criterion_that_is_none():
    with pytest.raises(ValueError, match="criterion='gini' must be 'newton' or 'squared_error'"):
        GradientBoostingClassifier(criterion="gini").fit([[0.0], [1.0]], [0, 1])
    learner = TreeLearner(split_criterion="squared_error")
    with pytest.raises(
        ValueError, match=r"needs a loss with gradients, which Exponential\(\) does"
    ):
        AdaBoostClassifier(learner=learner).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("learner", [TreeLearner(max_depth=1), "real"])
def test_the_least_share_of_a_leaf_is_one_of_the_curvature(learner):
    """In the first round all curvatures are equal, and at most a quarter of the weights."""
    X, y = load_breast_cancer(return_X_y=True)
    parameters = {"n_estimators": 1, "learner": learner}
    for least in (0.0, 0.3, 0.45):
        model = GradientBoostingClassifier(**parameters, min_weight_fraction_leaf=least).fit(X, y)
        _, counts = np.unique(model.decision_function(X), return_counts=True)
        assert len(counts) == 2
        assert counts.min() >= least * len(y)


def test_the_least_curvature_of_a_leaf_is_named_as_the_reason():
    X, y = load_breast_cancer(return_X_y=True)
    model = GradientBoostingClassifier(learning_rate=1.0, n_estimators=300).fit(X, y)
    assert model.stop_reason_.endswith(
        "a side with less than the least curvature of a leaf (0.001)"
    )
