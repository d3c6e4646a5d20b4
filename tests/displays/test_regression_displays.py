"""Displays of regressors: what is drawn is in the unit of the target."""

import sys

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.compose import TransformedTargetRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from underdog import (
    ContributionDisplay,
    GradientBoostingRegressor,
    HardestDisplay,
    ImportanceDisplay,
    IntervalDisplay,
    PairDisplay,
    QuantileCalibrationDisplay,
    ResidualDisplay,
    RulesNeededDisplay,
    ShapeDisplay,
)
from underdog.inspection import contributions, hardest

QUANTILES = {"loss": "quantile", "quantiles": [0.1, 0.5, 0.9]}


@pytest.fixture(scope="module")
def houses():
    """Prices around 200,000 that rise with the size and depend on the town."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame({
        "size": rng.uniform(50, 250, 400),
        "town": rng.choice(["Bonn", "Köln", "Ulm"], 400),
        "age": rng.integers(0, 100, 400),
    })  # fmt: skip
    noise = rng.normal(size=400) * X["size"]
    return X, 1000 * X["size"] * (1 + (X["town"] == "Ulm")) + 100 * noise


def fit(houses, **parameters):
    return GradientBoostingRegressor(**{"n_estimators": 20, **parameters}).fit(*houses)


@pytest.mark.parametrize("learner", ["real", "tree"])
def test_shapes_are_of_predictions(houses, learner):
    display = ShapeDisplay.from_estimator(fit(houses, learner=learner), houses[0])
    how = "added to the" if learner == "real" else "change of the mean"
    names = [ax.get_ylabel() or ax.get_xlabel() for ax in display.axes_]
    assert f"{how} prediction" in names
    low, high = display.axes_[0].get_ylim()
    assert high - low > 10_000
    named = ShapeDisplay.from_estimator(fit(houses), houses[0], label_names=["price per house"])
    texts = [ax.get_ylabel() or ax.get_xlabel() for ax in named.axes_]
    assert "change of the mean price per house" in texts
    several = ShapeDisplay.from_estimator(fit(houses, **QUANTILES), houses[0])
    legend = [text.get_text() for text in several.figure_.legends[0].get_texts()]
    assert legend == ["quantile 0.1", "quantile 0.5", "quantile 0.9"]
    logs = ShapeDisplay.from_estimator(fit(houses, loss="poisson"), houses[0])
    texts = [ax.get_ylabel() or ax.get_xlabel() for ax in logs.axes_]
    assert "change of the mean\nlog of the prediction" in texts


def test_pairs_are_of_predictions(houses):
    X = houses[0]
    model = fit(houses)
    display = PairDisplay.from_estimator(model, X, columns=("size", "town"))
    assert display.ax_.get_title().startswith("white: the mean prediction of all rows")
    assert display.figure_.axes[-1].get_ylabel() == "mean prediction"
    assert display.values_.min() > 0.3 * model.predict(X).min()
    assert display.values_.max() < 1.5 * model.predict(X).max()
    logs = PairDisplay.from_estimator(fit(houses, loss="poisson"), X, columns=("size", "town"))
    assert logs.figure_.axes[-1].get_ylabel() == "mean log of the prediction"


def test_contributions_begin_at_the_baseline(houses):
    """The baseline is much larger than all contributions: with a bar of it they were invisible."""
    X = houses[0]
    model = fit(houses)
    found = contributions(model, X[:1])
    display = ContributionDisplay.from_estimator(model, X[:1])
    bars = list(display.bars_)
    assert bars[0].get_x() == found.base[0]
    assert bars[-1].get_x() == found.base[0]
    assert bars[-1].get_x() + bars[-1].get_width() == pytest.approx(model.predict(X[:1])[0])
    widths = [bar.get_width() for bar in bars]
    assert sum(widths[:-1]) == pytest.approx(widths[-1])
    low, high = display.ax_.get_xlim()
    assert high - low < 1.5 * sum(np.abs(widths[:-1]))
    assert display.ax_.get_xlabel() == "prediction"
    assert display.ax_.get_yticklabels()[-1].get_text() == "sum"
    assert display.ax_.get_title() == f"predicted {model.predict(X[:1])[0]:.0f}"
    (above,) = display.ax_.child_axes
    assert above.get_xticklabels()[0].get_text() == f"baseline {found.base[0]:.0f}"
    logs = ContributionDisplay.from_estimator(fit(houses, loss="poisson"), X[:1])
    assert logs.ax_.get_xlabel() == "log of the prediction"
    third = ContributionDisplay.from_estimator(
        fit(houses, **QUANTILES), X[:1], label="quantile 0.9"
    )
    assert third.ax_.get_xlabel() == "quantile 0.9"


def test_the_hardest_are_residuals(houses):
    X, y = houses
    model = fit(houses)
    display = HardestDisplay.from_estimator(model, X, y, n=3)
    found = hardest(model, X, y, 3)
    assert [bar.get_width() for bar in display.bars_] == [each.residual for each in found.each]
    first = found.each[0]
    assert display.ax_.get_yticklabels()[0].get_text() == (
        f"row {first.row}: observed {first.observed:.0f}, predicted {first.predicted:.0f}"
    )
    assert display.ax_.get_xlabel() == "residual: observed - predicted"


def test_importances_and_rules_needed(houses):
    X, y = houses
    model = fit(houses)
    assert "town" in ImportanceDisplay.from_estimator(model).names
    display = RulesNeededDisplay.from_estimator(model, X, y)
    assert display.ax_.get_ylabel() == "mean loss"
    assert display.sizes.standard_error > 0
    assert RulesNeededDisplay.from_estimator(model, X, y, scoring="r2").sizes.best > 0.5


def test_residuals_by_bins_of_the_prediction():
    predicted = np.repeat([1.0, 2.0, 3.0], 11)
    residuals = np.tile(np.arange(11.0), 3) * predicted
    display = ResidualDisplay.from_predictions(predicted + residuals, predicted, n_bins=3)
    np.testing.assert_allclose(display.places, [1, 2, 3])
    np.testing.assert_allclose(display.bands, [[1, 5, 9], [2, 10, 18], [3, 15, 27]])
    np.testing.assert_allclose(display.line_.get_ydata(), [5, 10, 15])
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == (
        "prediction",
        "residual: observed - predicted",
    )
    constant = ResidualDisplay.from_predictions([1.0, 2.0, 6.0], [2.0, 2.0, 2.0])
    assert constant.bands.shape == (1, 3)  # equal predictions are in one bin


def test_residuals_of_any_regressor(houses):
    X, y = houses
    numbers = X[["size", "age"]]
    linear = make_pipeline(StandardScaler(), LinearRegression()).fit(numbers, y)
    display = ResidualDisplay.from_estimator(linear, numbers, y, name="linear")
    np.testing.assert_array_equal(display.residuals, y - linear.predict(numbers))
    boosted = ResidualDisplay.from_estimator(fit(houses), X, y, ax=display.ax_)
    labels = [text.get_text() for text in boosted.ax_.get_legend().get_texts()]
    assert "linear (median, 10 bins)" in labels
    assert "GradientBoostingRegressor (median, 10 bins)" in labels
    with pytest.raises(ValueError, match=r"3 columns: give one of them to from_predictions, or"):
        ResidualDisplay.from_estimator(fit(houses, **QUANTILES), X, y)


def test_many_residuals_are_not_all_drawn():
    rng = np.random.default_rng(0)
    display = ResidualDisplay.from_predictions(rng.normal(size=20_000), rng.normal(size=20_000))
    assert len(display.ax_.lines[0].get_xdata()) == 5000
    assert len(display.residuals) == 20_000


def test_shares_below_quantiles():
    y = np.arange(100.0)
    predicted = np.column_stack([np.full(100, 9.0), np.full(100, 48.5)])
    display = QuantileCalibrationDisplay.from_predictions(y, predicted, [0.1, 0.5])
    np.testing.assert_allclose(display.shares, [0.1, 0.49])  # 9 itself is not above
    expected = [binomtest(k, 100).proportion_ci(0.95, "wilson") for k in (10, 49)]
    np.testing.assert_allclose(display.intervals, expected)
    assert display.counts.tolist() == [100]  # all medians are equal
    assert display.largest_difference == pytest.approx(0.01)
    one = QuantileCalibrationDisplay.from_predictions(y, y + 1, 0.9, n_bins=4, confidence=0.5)
    assert one.counts.tolist() == [25] * 4
    np.testing.assert_array_equal(one.bin_shares, np.ones((4, 1)))
    assert one.bin_intervals.shape == (4, 1, 2)
    assert (one.bin_intervals[..., 0] > 0.95).all()


def test_quantiles_of_a_model(houses):
    X, y = houses
    model = fit(houses, **QUANTILES)
    display = QuantileCalibrationDisplay.from_estimator(model, X, y, n_bins=5)
    below = (y.to_numpy()[:, np.newaxis] <= model.predict(X)).mean(axis=0)
    np.testing.assert_allclose(display.shares, below)
    np.testing.assert_allclose(
        (display.bin_shares * display.counts[:, np.newaxis]).sum(axis=0) / 400, below
    )
    left, right = display.axes_
    assert left.get_xlabel() == "nominal quantile"
    assert right.get_xlabel() == "predicted quantile 0.5"
    texts = [text.get_text() for text in display.figure_.legends[0].get_texts()]
    assert texts == ["quantile 0.1", "quantile 0.5", "quantile 0.9"]
    for single in (fit(houses, loss="quantile", quantiles=0.9), fit(houses, loss="absolute")):
        found = QuantileCalibrationDisplay.from_estimator(single, X, y)
        share = (y <= single.predict(X)).mean()
        np.testing.assert_allclose(found.shares, [share])
    assert found.quantiles.tolist() == [0.5]


def test_quantiles_of_a_transformed_target(houses):
    X, y = houses
    y = y.clip(lower=1.0)
    booster = GradientBoostingRegressor(n_estimators=20, **QUANTILES)
    logs = TransformedTargetRegressor(booster, func=np.log, inverse_func=np.exp).fit(X, y)
    display = QuantileCalibrationDisplay.from_estimator(logs, X, y)
    below = (np.log(y.to_numpy())[:, np.newaxis] <= logs.regressor_.predict(X)).mean(axis=0)
    np.testing.assert_allclose(display.shares, below, atol=0.01)  # exp rounds at the ties


def test_intervals(houses):
    X, y = houses
    model = fit(houses, **QUANTILES)
    display = IntervalDisplay.from_estimator(model, X, y, max_display=50)
    low, _, high = model.predict(X).T
    np.testing.assert_array_equal(display.inside, (low <= y) & (y <= high))
    assert display.nominal == pytest.approx(0.8)
    share = display.inside.mean()
    assert display.ax_.get_title() == f"{share:.1%} are inside, nominal 80%"
    assert display.ax_.get_xlabel() == "50 of 400 rows, by predicted quantile 0.5"
    drawn = [line.get_ydata() for line in display.ax_.lines]
    assert len(drawn[0]) == 50
    assert (np.diff(drawn[0]) >= 0).all()  # medians
    assert len(drawn[1]) + len(drawn[2]) == 50
    two = IntervalDisplay.from_predictions([1.0, 5.0], [[0.0, 2.0], [0.0, 2.0]], [0.25, 0.75])
    assert two.inside.tolist() == [True, False]
    assert two.ax_.get_xlabel() == "rows, by predicted quantile 0.25"


OF_QUANTILES = pytest.mark.parametrize("display", [QuantileCalibrationDisplay, IntervalDisplay])


@OF_QUANTILES
def test_models_without_quantiles(display, houses):
    X, y = houses
    with pytest.raises(ValueError, match=r"predicts no quantiles: fit it with loss='quantile' and"):
        display.from_estimator(fit(houses), X, y)
    with pytest.raises(TypeError, match="LinearRegression is not a booster of underdog"):
        display.from_estimator(LinearRegression().fit(X[["size"]], y), X[["size"]], y)


def test_one_quantile_is_no_interval(houses):
    with pytest.raises(ValueError, match=r"predicts one quantile.*quantiles=\[0.1, 0.5, 0.9\]"):
        IntervalDisplay.from_estimator(fit(houses, loss="quantile", quantiles=0.9), *houses)
    with pytest.raises(ValueError, match=r"quantiles=0.9 must be two or more rising numbers"):
        IntervalDisplay.from_predictions([1.0], [1.0], 0.9)


@OF_QUANTILES
def test_predictions_that_do_not_fit(display):
    y, predicted = [1.0, 2.0], [[0.0, 2.0], [1.0, 3.0]]
    for target, given, quantiles, message in (
        (y, predicted, [0.9, 0.1], "must be .*rising numbers between 0 and 1"),
        (y, predicted, [0.1, 1.0], "must be .*rising numbers between 0 and 1"),
        (y, predicted, [0.1, 0.5, 0.9], r"shape \(2, 2\): give a column for each of the 3"),
        (y[:1], predicted, [0.1, 0.9], "inconsistent numbers of samples"),
        (y, [[0.0, np.nan], [1.0, 3.0]], [0.1, 0.9], "predictions contains NaN"),
        (["a", "b"], predicted, [0.1, 0.9], "y must be numbers, but it has "),
    ):
        with pytest.raises(ValueError, match=message):
            display.from_predictions(target, given, quantiles)


@pytest.mark.parametrize("display", [ResidualDisplay, QuantileCalibrationDisplay, IntervalDisplay])
def test_estimators_that_do_not_fit(display, houses):
    X, y = houses
    numbers = X[["size"]]
    classifier = LogisticRegression().fit(numbers, X["town"])
    message = f"{display.__name__} is of numbers, but LogisticRegression predicts classes: use"
    with pytest.raises(ValueError, match=message):
        display.from_estimator(classifier, numbers, y)
    with pytest.raises(NotFittedError):
        display.from_estimator(GradientBoostingRegressor(**QUANTILES), X, y)


def test_parameters_that_do_not_fit():
    with pytest.raises(ValueError, match="n_bins=0 must be a whole number"):
        ResidualDisplay.from_predictions([1.0], [1.0], n_bins=0)
    with pytest.raises(ValueError, match="n_bins=0 must be a whole number"):
        QuantileCalibrationDisplay.from_predictions([1.0], [1.0], 0.5, n_bins=0)
    with pytest.raises(ValueError, match="confidence=2 must be a number between 0 and 1"):
        QuantileCalibrationDisplay.from_predictions([1.0], [1.0], 0.5, confidence=2)
    with pytest.raises(ValueError, match="max_display=0 must be a whole number"):
        IntervalDisplay.from_predictions([1.0], [[0.0, 1.0]], [0.1, 0.9], max_display=0)


def test_no_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for display, arguments in (
        (ResidualDisplay, ([1.0, 2.0], [1.0, 2.0])),
        (QuantileCalibrationDisplay, ([1.0, 2.0], [1.0, 2.0], 0.5)),
        (IntervalDisplay, ([1.0], [[0.0, 2.0]], [0.1, 0.9])),
    ):
        with pytest.raises(ImportError, match=rf"{display.__name__}\.plot needs matplotlib: pip"):
            display.from_predictions(*arguments)
