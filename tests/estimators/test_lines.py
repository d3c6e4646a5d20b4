"""Lines from margins to log-odds."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from underdog.estimators.support.lines import fit_line
from underdog.losses import LogLoss, SoftmaxLoss

RNG = np.random.default_rng(0)


def test_a_line_for_two_classes_is_platts():
    scores = RNG.normal(size=300)
    y = (scores + RNG.normal(size=300) > 1).astype(int)
    line = fit_line(LogLoss(), scores[:, None], y[:, None], np.ones(300))
    goal = np.where(y == 1, (y.sum() + 1) / (y.sum() + 2), 1 / ((1 - y).sum() + 2))
    twin = LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.tile(scores, 2)[:, None], np.repeat([1, 0], 300), np.concatenate([goal, 1 - goal])
    )
    assert line.slope == pytest.approx(twin.coef_[0, 0], rel=1e-3)
    assert line.shift[0] == pytest.approx(twin.intercept_[0], rel=1e-3)


def test_weights_are_repeats_and_the_order_does_not_matter():
    scores, weight = RNG.normal(size=(100, 1)), RNG.integers(1, 4, 100)
    sign = (scores + RNG.normal(size=(100, 1)) > 0).astype(np.uint8)
    order = RNG.permutation(100)
    wanted = fit_line(LogLoss(), scores, sign, weight.astype(float))
    moved = fit_line(LogLoss(), scores[order], sign[order], weight[order].astype(float))
    assert moved.slope == wanted.slope
    np.testing.assert_array_equal(moved.shift, wanted.shift)
    repeated = fit_line(
        LogLoss(), scores.repeat(weight, axis=0), sign.repeat(weight, axis=0),
        np.ones(weight.sum()),
    )  # fmt: skip
    assert repeated.slope == pytest.approx(wanted.slope, rel=1e-9)


def test_separated_rows_have_a_finite_slope():
    scores = np.linspace(-1.0, 1.0, 40)[:, None]
    line = fit_line(LogLoss(), scores, (scores > 0).astype(np.uint8), np.ones(40))
    assert 1.0 < line.slope < 100.0


def test_a_line_for_three_classes_lowers_the_loss():
    scores = 0.2 * RNG.normal(size=(300, 3))
    y = (scores + 0.1 * RNG.normal(size=(300, 3))).argmax(axis=1)
    line = fit_line(SoftmaxLoss(), scores, np.eye(3, dtype=np.uint8)[y], np.ones(300))

    def loss(found):
        odds = np.exp(found)
        return log_loss(y, odds / odds.sum(axis=1, keepdims=True))

    assert line.slope > 2.0
    assert loss(line(scores)) < loss(scores) - 0.1
