"""Regressors and the unit of the target: early stopping, tiny rates, scores and what is refused."""

import re
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import d2_pinball_score
from sklearn.model_selection import cross_val_score

from tests.estimators.test_gradient_boosting_regressor import data, make, rows
from underdog import BoostingRegressor, GradientBoostingRegressor, RidgewayRegressor
from underdog.losses import QuantileLoss

# The unit of the target in early stopping.


def rounds_kept(X, y, scoring="loss", **given):
    shared = {"early_stopping": True, "random_state": 0, "learning_rate": 0.3, "scoring": scoring}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make(**{**shared, "n_estimators": 60, **given}).fit(X, y)


@pytest.mark.parametrize("loss", ["squared", "absolute", "huber", "quantile"])
@pytest.mark.parametrize("given", [{}, {"cv": 3}], ids=str)
def test_early_stopping_does_not_depend_on_the_unit(loss, given):
    X, y, _ = data(loss)
    wanted = rounds_kept(X, y, loss=loss, **given)
    assert wanted.n_iter_ > 5
    for power in (-600, -40, -14, 20, 660):
        model = rounds_kept(X, np.ldexp(y, power), loss=loss, **given)
        assert model.n_iter_ == wanted.n_iter_, power
        np.testing.assert_array_equal(model.predict(X), np.ldexp(wanted.predict(X), power))
    assert abs(rounds_kept(X, 1e-4 * y, loss=loss, **given).n_iter_ - wanted.n_iter_) <= 8


@pytest.mark.parametrize(
    "scoring",
    ["r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error"],
)
def test_scorers_in_the_unit_of_the_target_do_not_depend_on_it(scoring):
    X, y, _ = data("squared")
    wanted = rounds_kept(X, y, scoring)
    for power in (-300, -30, 30, 300):
        assert rounds_kept(X, np.ldexp(y, power), scoring).n_iter_ == wanted.n_iter_
    scores = wanted.history_["validation_score"]
    small = rounds_kept(X, np.ldexp(y, -30), scoring).history_["validation_score"]
    degree = {"r2": 0, "neg_mean_squared_error": 2}.get(scoring, 1)
    np.testing.assert_array_equal(small, np.ldexp(scores, -30 * degree))


def test_poisson_stops_early_at_about_the_same_round_for_small_rates():
    X, y, _ = data("poisson", n=300)
    wanted = rounds_kept(X, y, loss="poisson").n_iter_
    assert wanted > 5
    assert abs(rounds_kept(X, 1e-3 * y, loss="poisson").n_iter_ - wanted) <= 3


def test_an_offset_does_not_make_the_least_improvement_large():
    X, y, _ = data("squared")
    near, far = rounds_kept(X, y), rounds_kept(X, y + 2.0**27)
    assert abs(near.n_iter_ - far.n_iter_) <= 3


def test_a_callable_scorer_is_compared_as_it_is():
    X, y, _ = data("squared")

    def scorer(model, X, y):
        return -1e-12 * np.mean(np.square(y - model.predict(X)))

    assert rounds_kept(X, y, scorer).n_iter_ == 1


# Targets of any size.


@pytest.mark.parametrize("learner", ["tree", "real"])
@pytest.mark.parametrize("factor", [1e-3, 1e-6, 1e-80, 1e80])
def test_poisson_trees_do_not_depend_on_the_unit(learner, factor):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.exp(X[:, 0])
    one, other = (make("poisson", learner=learner).fit(X, own) for own in (y, factor * y))
    np.testing.assert_allclose(other.predict(X), factor * one.predict(X), rtol=1e-8)
    assert other.n_iter_ == one.n_iter_ == 12


def test_a_leaf_where_too_little_is_expected_is_named_as_the_reason():
    X = np.arange(40.0)[:, np.newaxis]
    y = np.where(np.arange(40) < 20, 0.0, 1e-6)
    y[0] = 1.0
    model = make("poisson", learning_rate=1.0, max_depth=1, n_estimators=400).fit(X, y)
    assert "leaves a side where less is expected than in a leaf (0.001" in model.stop_reason_
    assert "constant any more" not in model.stop_reason_


@pytest.mark.parametrize(
    ("factor", "said"), [(1e-300, "too small"), (5e-324, "too small"), (1e300, "too large")]
)
def test_poisson_says_which_targets_it_cannot_learn(factor, said):
    X, y, _ = data("poisson")
    message = f"the largest y is .*, which is {said} for the cubes of sums: multiply y by a"
    with np.errstate(all="raise"), pytest.raises(ValueError, match=message):
        make("poisson").fit(X, factor * y)
    with pytest.raises(ValueError, match="all targets are 0"):
        make("poisson").fit(X, 0.0 * y)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [GradientBoostingRegressor, BoostingRegressor])
def test_the_score_of_several_quantiles_is_that_of_scikit_learn(kind, weighted):
    X, y, w = rows()
    shares = (0.1, 0.5, 0.9)
    given = {"loss": "quantile", "quantiles": shares}
    if kind is BoostingRegressor:
        given = {"loss": QuantileLoss(shares)}
    model = kind(n_estimators=20, **given).fit(X, y)
    w = w if weighted else None
    wanted = [
        d2_pinball_score(y, own, sample_weight=w, alpha=share)
        for own, share in zip(model.predict(X).T, shares, strict=True)
    ]
    assert model.score(X, y, w) == pytest.approx(np.mean(wanted), rel=1e-12)
    assert 0.2 < model.score(X, y, w) < 1.0
    folds = cross_val_score(model, X, y, cv=3)
    assert np.isfinite(folds).all()


@pytest.mark.parametrize("kind", [GradientBoostingRegressor, RidgewayRegressor, BoostingRegressor])
def test_the_largest_floats_as_targets(kind):
    """NumPy's warning about a sum that is inf - inf stays inside."""
    X, y, _ = rows()
    y = np.where(y > 0.0, 1.7e308, -1.7e308)
    if kind is RidgewayRegressor:
        assert np.isfinite(kind(n_estimators=3).fit(X, y).predict(X)).all()
        return
    with pytest.raises(ValueError, match="too large for sums to be exact: multiply y by a"):
        kind().fit(X, y)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"loss": "quantile", "alpha": 0.95}, "set quantiles=0.95, and leave alpha out"),
        ({"quantiles": [0.1, 0.9]}, "set loss='quantile', or leave quantiles out"),
        ({"loss": "huber", "quantiles": 0.9}, "quantiles=0.9 would be ignored, because it is for"),
    ],
)
def test_parameters_of_another_loss_are_refused(given, message):
    X, y, _ = rows()
    with pytest.raises(ValueError, match=re.escape(message)):
        GradientBoostingRegressor(**given).fit(X, y)
