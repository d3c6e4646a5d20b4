"""BoostingRegressor, and losses that users define."""

import re

import numpy as np
import pytest

from tests.estimators.test_gradient_boosting_regressor import rows
from underdog import (
    BoostingClassifier,
    BoostingRegressor,
    GradientBoostingRegressor,
    UnderdogWarning,
)
from underdog.combiners import Stagewise
from underdog.files import CannotStore
from underdog.learners import TreeLearner
from underdog.losses import (
    AbsoluteError,
    CustomLoss,
    Exponential,
    HuberLoss,
    PoissonLoss,
    QuantileLoss,
    SquaredError,
)


class Half(CustomLoss):
    def value(self, y, prediction):
        return (y - prediction) ** 2 / 2.0

    def gradient(self, y, prediction):
        return prediction - y


class Cauchy(CustomLoss):
    """Not convex."""

    def value(self, y, prediction):
        return np.log1p((y - prediction) ** 2)

    def gradient(self, y, prediction):
        return 2.0 * (prediction - y) / (1.0 + (y - prediction) ** 2)


class Expectile(CustomLoss):
    def __init__(self, share=0.8):
        self.share = share

    def value(self, y, prediction):
        return np.where(y >= prediction, self.share, 1 - self.share) * (y - prediction) ** 2

    def gradient(self, y, prediction):
        return 2 * np.where(y >= prediction, self.share, 1 - self.share) * (prediction - y)


NAMED = {
    "squared": SquaredError(),
    "absolute": AbsoluteError(),
    "huber": HuberLoss(0.9),
    "quantile": QuantileLoss(0.5),
}


@pytest.mark.parametrize("name", NAMED)
def test_it_is_gradient_boosting_with_that_loss(name):
    X, y, w = rows()
    one = BoostingRegressor(loss=NAMED[name], n_estimators=8).fit(X, y, w)
    other = GradientBoostingRegressor(loss=name, n_estimators=8).fit(X, y, w)
    assert one.predict(X).tobytes() == other.predict(X).tobytes()


def test_a_combiner_and_a_learner():
    X, y, w = rows()
    learner = TreeLearner(max_depth=2)
    one = BoostingRegressor(combiner=Stagewise(0.5), learner=learner, n_estimators=8).fit(X, y, w)
    other = BoostingRegressor(learning_rate=0.5, max_depth=2, n_estimators=8).fit(X, y, w)
    assert one.predict(X).tobytes() == other.predict(X).tobytes()


def test_a_squared_error_of_ones_own():
    X, y, w = rows()
    own = BoostingRegressor(loss=Half(), n_estimators=15).fit(X, y, w)
    named = BoostingRegressor(n_estimators=15).fit(X, y, w)
    np.testing.assert_allclose(own.predict(X), named.predict(X), atol=1e-8)
    np.testing.assert_allclose(own.history_["loss"], named.history_["loss"] / 2, rtol=1e-9)
    given = BoostingRegressor(loss=Half(), early_stopping=True, random_state=0).fit(X, y)
    assert (given.history_["validation_score"] < 0).all()


@pytest.mark.parametrize("loss", [Half(), Cauchy(), Expectile()])
def test_losses_fall_and_repeat(loss):
    X, y, w = rows()
    model = BoostingRegressor(loss=loss, n_estimators=20, learning_rate=0.5).fit(X, y, w)
    losses = model.history_["loss"]
    assert losses[-1] < 0.5 * losses[0]
    if not isinstance(loss, Cauchy):  # where it is not convex, half a step may be worse than none
        assert np.diff(losses).max() <= 1e-9
    order = np.random.default_rng(2).permutation(len(y))
    again = BoostingRegressor(loss=loss, n_estimators=20, learning_rate=0.5)
    again.fit(X[order], y[order], w[order])
    assert again.predict(X).tobytes() == model.predict(X).tobytes()
    mean = np.average(loss.value(y, model.predict(X)), weights=w)
    assert model.certificate_["training_loss"] == pytest.approx(mean, rel=1e-9)


def test_an_expectile_is_one():
    X, y, _ = rows()
    constant = BoostingRegressor(loss=Expectile(0.8), n_estimators=1, learning_rate=1e-9).fit(X, y)
    start = constant.model_.start[0]
    above, below = np.maximum(y - start, 0).sum(), np.maximum(start - y, 0).sum()
    assert 0.8 * above == pytest.approx(0.2 * below, rel=1e-6)


def broken(**methods):
    return type("Broken", (Half,), methods)()


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (broken(gradient=lambda _, y, p: y - p), "gradient() of Broken is .* but value() changes"),
        (broken(gradient=lambda _, y, p: 2 * (p - y)), "must be the derivative of value"),
        (broken(gradient=lambda *_: 1.0), "returned the shape () for .* return one number"),
        (broken(value=lambda _, y, p: np.log(p - y)), "value() of Broken is nan"),
        (CustomLoss(), "CustomLoss does not define value()"),
    ],
)
def test_bad_losses_are_found_before_the_first_round(loss, message):
    X, y, _ = rows()
    expected = re.escape(message).replace(r"\.\*", ".*")
    with np.errstate(invalid="ignore"), pytest.raises((ValueError, TypeError), match=expected):
        BoostingRegressor(loss=loss, verbose=1).fit(X, y)


def test_kinks_are_no_mistakes():
    class Absolute(Half):
        def value(self, y, prediction):
            return np.abs(y - prediction)

        def gradient(self, y, prediction):
            return np.sign(prediction - y)

    X, y, w = rows()
    model = BoostingRegressor(loss=Absolute(), n_estimators=30).fit(X, y, w)
    named = GradientBoostingRegressor(loss="absolute", n_estimators=30).fit(X, y, w)
    assert model.certificate_["training_loss"] < 1.2 * named.certificate_["training_loss"]


def test_parts_of_the_wrong_kind():
    X, y, _ = rows()
    with pytest.raises(ValueError, match=r"loss=Half is a class: give an object of it, loss=Half"):
        BoostingRegressor(loss=Half).fit(X, y)
    with pytest.raises(ValueError, match="combiner=Stagewise is a class: give an object of it"):
        BoostingRegressor(combiner=Stagewise).fit(X, y)
    with pytest.raises(ValueError, match="loss=Exponential"):
        BoostingRegressor(loss=Exponential()).fit(X, y)
    with pytest.raises(ValueError, match="loss='mean' is of type str: give 'squared' or a"):
        BoostingRegressor(loss="mean").fit(X, y)
    with pytest.raises(ValueError, match="is for numbers, not classes: use BoostingRegressor"):
        BoostingClassifier(loss=PoissonLoss()).fit(X, y > 0)
    with pytest.raises(ValueError, match="needs weights of negative and positive examples"):
        BoostingRegressor(learner="discrete").fit(X, y)


def test_a_loss_of_ones_own_cannot_be_in_a_file(tmp_path):
    X, y, _ = rows()
    model = BoostingRegressor(loss=Half(), n_estimators=2).fit(X, y)
    with pytest.raises(CannotStore, match="Half"):
        model.save(tmp_path / "model.udg")


class LogCosh(CustomLoss):
    """Flat around 0: log(2) + r**2 / 2."""

    factor = 1.0

    def value(self, y, prediction):
        return np.logaddexp(y - prediction, prediction - y)

    def gradient(self, y, prediction):
        return self.factor * np.tanh(prediction - y)


class Doubled(LogCosh):
    factor = 2.0


def small_targets(size):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    return X, size * (X[:, 0] + 0.1 * rng.normal(size=80))


@pytest.mark.parametrize("size", [1.0, 1e-3, 1e-5, 1e-6])
def test_a_gradient_is_checked_on_the_scale_of_the_targets(size):
    X, y = small_targets(size)
    model = BoostingRegressor(loss=LogCosh(), n_estimators=20).fit(X, y)
    assert model.score(X, y) > 0.5
    with pytest.raises(ValueError, match="must be the derivative of value"):
        BoostingRegressor(loss=Doubled(), n_estimators=20).fit(X, y)


def test_a_loss_that_is_too_flat_to_check_is_accepted_with_a_warning():
    X, y = small_targets(1e-9)
    with pytest.warns(UnderdogWarning, match="which is too flat for that: between targets"):
        model = BoostingRegressor(loss=LogCosh(), n_estimators=20).fit(X, y)
    assert model.score(X, y) > 0.5
