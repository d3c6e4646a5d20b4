"""Regressors are explained in the unit of their target, and what they cannot have is refused."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.inspection.explained import LOSSES, REGRESSORS, counts, forms, numbers, regressors
from underdog import BoostingRegressor, GradientBoostingRegressor
from underdog.inspection import (
    contributions,
    hardest,
    history,
    interactions,
    rules,
    rules_needed,
    shapes,
)
from underdog.inspection.unwrap import unwrap
from underdog.losses import CustomLoss

MODELS = regressors()
EACH = pytest.mark.parametrize("name", MODELS)


def fitted(loss="squared", learner="tree", n_estimators=12, **parameters):
    own = {**LOSSES[loss], "learner": learner, "n_estimators": n_estimators, **parameters}
    return GradientBoostingRegressor(**own).fit(numbers(), counts())


def test_regressors_are_found():
    assert {BoostingRegressor, GradientBoostingRegressor} <= set(REGRESSORS)


@EACH
def test_contributions_add_up_to_the_score_bit_for_bit(name):
    y, model = counts(), MODELS[name]
    for X in forms().values():
        model.fit(X, y)
        scores = model._scores(model_table(model, X))
        for by in ("column", "rule"):
            found = contributions(model, X, by=by)
            np.testing.assert_array_equal(found.base + found.values.sum(axis=1), scores)
            np.testing.assert_array_equal(found.scores, scores)
            np.testing.assert_array_equal(found.predicted, model.predict(X))
            assert found.predicted.shape == (len(y),) + (3,) * name.endswith("quantiles")
        if name.endswith("poisson"):
            np.testing.assert_allclose(np.exp(scores[:, 0]), found.predicted, rtol=1e-12)
        else:
            np.testing.assert_array_equal(
                np.sort(scores, axis=1), found.predicted.reshape(len(y), -1)
            )


def model_table(model, X):
    return unwrap(model).table(X)


@pytest.mark.parametrize("power", [-40, 40])
@pytest.mark.parametrize("learner", ["real", "tree"])
@pytest.mark.parametrize("loss", ["squared", "absolute", "huber", "quantiles"])
def test_contributions_follow_the_unit_of_the_target(loss, learner, power):
    """A target times a power of two has the same contributions times this power, bit for bit."""
    X, y = numbers(), counts() + 0.1
    model = GradientBoostingRegressor(n_estimators=12, learner=learner, **LOSSES[loss])
    plain = contributions(model.fit(X, y), X)
    pairs = interactions(model, X).each
    large = contributions(model.fit(X, np.ldexp(y, power)), X)
    np.testing.assert_array_equal(large.base, np.ldexp(plain.base, power))
    np.testing.assert_array_equal(large.values, np.ldexp(plain.values, power))
    np.testing.assert_array_equal(large.scores, model._scores(X))
    for before, after in zip(pairs, interactions(model, X).each, strict=True):
        np.testing.assert_allclose(after.strength, np.ldexp(before.strength, power), rtol=1e-9)


@EACH
def test_every_explanation_can_be_shown(name):
    X, y = forms()["frame"], counts()
    model = MODELS[name].fit(X, y)
    labels = contributions(model, X).labels
    results = [
        contributions(model, X[:3]),
        contributions(model, X[:3], by="rule"),
        rules(model),
        history(model),
        interactions(model),
        interactions(model, X),
        hardest(model, X, y),
        rules_needed(model, X, y),
    ]
    if "-real-" in name:
        results.append(shapes(model))
    for found in results:
        assert len(repr(found)) < 120
        assert "class" not in repr(found)
        page = found._repr_html_()
        assert "<table" in page or not len(found)
        assert ">class<" not in page
        frame = found.to_frame()
        if "label" in frame:
            assert set(frame["label"]) <= set(labels)
        text = found.text(0) if hasattr(found, "predicted") else found.text()
        assert "score for" not in text
    assert ">quantile<" in rules(model)._repr_html_() or len(labels) == 1
    assert type(model).__name__ in model._repr_html_inner()


@pytest.mark.parametrize("learner", ["real", "tree"])
def test_frames_and_dictionaries_add_up(learner):
    X = forms()["frame"]
    model = fitted("quantiles", learner).fit(X, counts())
    found = contributions(model, X[:4])
    assert found.labels == ["quantile 0.1", "quantile 0.5", "quantile 0.9"]
    sums = found.to_frame().groupby(["row", "label"])["adds"].sum().to_numpy().reshape(4, 3)
    np.testing.assert_array_equal(sums, found.scores)
    wide = found.to_frame(wide=True)
    np.testing.assert_array_equal(wide["(score)"].to_numpy().reshape(4, 3), found.scores)
    one = found.to_dict(2)
    assert list(one["score"].values()) == found.scores[2].tolist()
    assert one["predicted"] == model.predict(X)[2].tolist()
    assert "probability" not in one


def test_texts_name_what_is_predicted():
    X = numbers()
    text = contributions(fitted(), X).text(3)
    assert text.startswith("row 3 (numbered from 0), prediction:\n")
    predicted = fitted().predict(X)[3]
    assert re.search(rf"total: predicted {predicted:.3f}$", text)
    named = contributions(fitted(), X, label_names=["claims"])
    assert named.labels == ["claims"]
    assert "row 3 (numbered from 0), claims:" in named.text(3)
    counted = contributions(fitted("poisson"), X)
    assert counted.labels == ["log of the prediction"]
    text, predicted = counted.text(3), counted.predicted[3]
    assert "row 3 (numbered from 0), log of the prediction:" in text
    assert text.endswith(f"predicted {predicted:.3f} = exp(score)")
    assert "on the log scale" in interactions(fitted("poisson"), X).headline
    assert "on the log scale" not in interactions(fitted(), X).headline
    assert repr(counted).startswith("Contributions(80 rows, 4 columns, log of the target)")
    assert repr(rules(fitted("quantiles"))).startswith(
        "Rules(GradientBoostingRegressor, 12 rules, 3 quantiles)"
    )


def test_the_median_is_explained_unless_another_quantile_is_asked_for():
    found = contributions(fitted("quantiles"), numbers())
    assert "quantile 0.5:" in found.text(0)
    assert "quantile 0.9:" in found.text(0, label="quantile 0.9")
    assert f"predicted {found.predicted[0, 2]:.3f}" in found.text(0, label="quantile 0.9")
    with pytest.raises(ValueError, match=r"label='0.9' must be one of \['quantile 0.1'"):
        found.text(0, label="0.9")
    outer = fitted("quantiles", quantiles=[0.05, 0.4, 0.9])
    assert "quantile 0.4:" in contributions(outer, numbers()).text(0)


def test_a_row_whose_quantiles_cross_says_so():
    model = fitted("quantiles", quantiles=[0.45, 0.5, 0.55], n_estimators=60, learning_rate=0.5)
    found = contributions(model, numbers())
    crossing = (np.diff(found.scores, axis=1) < 0).any(axis=1)
    assert model.crossing(numbers()) == crossing.mean() > 0
    for row, crosses in enumerate(crossing):
        assert ("quantiles cross in this row, and predictions are sorted" in found.text(row)) == (
            crosses
        )


@EACH
def test_rules_that_predict(name):
    X, y = numbers(), counts()
    model = MODELS[name].fit(X, y)
    scores = model._scores(X)
    total = np.tile(model.model_.start, (len(X), 1))
    for weight, rule in zip(model.estimator_weights_, model.estimators_, strict=True):
        said = rule.predict(X)
        assert said.shape == model.predict(X).shape
        total += weight * said.reshape(total.shape)
        assert not hasattr(rule, "classes_")
        assert not hasattr(rule, "decision_function")
        assert repr(rule).startswith("Rule(")
    np.testing.assert_allclose(total, scores, rtol=0, atol=len(model.estimators_) * 1e-9)
    assert not hasattr(model, "estimator_errors_")


def test_regressors_have_no_decision_function():
    with pytest.raises(AttributeError, match="a regressor has no decision_function: use scores"):
        _ = contributions(fitted(), numbers()).decision


@pytest.mark.parametrize("loss", ["squared", "absolute", "huber"])
def test_the_hardest_have_the_largest_residuals(loss):
    X, y = numbers(), counts()
    model = fitted(loss)
    found = hardest(model, X, y, 80)
    residuals = y - model.predict(X)
    assert [each.residual for each in found.each] == residuals[found.rows].tolist()
    sizes = np.abs(residuals[found.rows])
    assert (np.diff(sizes) <= 0).all()
    shares = [each.share for each in found.each]
    assert sum(shares) == pytest.approx(1.0, rel=1e-12)
    if loss != "huber":
        expected = sizes**2 if loss == "squared" else sizes
        np.testing.assert_allclose(shares, expected / expected.sum(), rtol=1e-9)
    first = found.each[0]
    assert first.observed == y[first.row]
    assert first.predicted == model.predict(X)[first.row]


def test_the_hardest_of_other_losses():
    X, y = numbers(), counts()
    model = fitted("poisson")
    mean = model.predict(X)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviance = np.where(y > 0, y * np.log(y / mean), 0.0) - y + mean
    assert hardest(model, X, y, 80).rows == np.argsort(-deviance, kind="stable").tolist()
    model = fitted("quantiles")
    scores, shares = contributions(model, X).scores, np.array([0.1, 0.5, 0.9])
    residual = y[:, np.newaxis] - scores
    pinball = np.maximum(shares * residual, (shares - 1) * residual).sum(axis=1)
    found = hardest(model, X, y, 80)
    np.testing.assert_allclose(
        [each.share for each in found.each], pinball[found.rows] / pinball.sum(), rtol=1e-9
    )
    first = found.each[0]
    assert first.predicted == model.predict(X)[first.row, 1]


class LogCosh(CustomLoss):
    def value(self, y, prediction):
        return np.logaddexp(y - prediction, prediction - y)

    def gradient(self, y, prediction):
        return np.tanh(prediction - y)


def test_a_loss_of_the_user():
    X, y = numbers(), 100 * counts()
    model = BoostingRegressor(loss=LogCosh(), n_estimators=5).fit(X, y)
    found = contributions(model, X)
    np.testing.assert_array_equal(found.scores[:, 0], model.predict(X))
    losses = LogCosh().value(y, model.predict(X))
    worst = hardest(model, X, y, 1).each[0]
    assert worst.row == losses.argmax()
    assert worst.share == pytest.approx(losses.max() / losses.sum(), rel=1e-9)
    assert rules_needed(model, X, y).scores[-1] == pytest.approx(losses.mean(), rel=1e-9)


def test_weights_of_the_hardest():
    X, y = numbers(), counts()
    model = fitted()
    weight = np.ones(80)
    worst, second = hardest(model, X, y, 2).rows
    weight[worst], weight[second] = 0, 3
    found = hardest(model, X, y, 80, sample_weight=weight)
    assert worst not in found.rows
    assert len(found) == found.n_examples == 79
    losses = weight * (y - model.predict(X)) ** 2
    assert found.each[0].share == pytest.approx(losses.max() / losses.sum(), rel=1e-9)


def test_the_table_of_the_hardest():
    X = pd.DataFrame(numbers(), index=[f"house {row}" for row in range(80)])
    model = fitted().fit(X, counts())
    found = hardest(model, X, counts(), 2)
    head, names, *lines = found.text().splitlines()
    assert head == "the hardest of 80, by their share of the loss SquaredError()"
    assert names == "(an even share is 0.013; rows are numbered from 0):"
    assert lines[0].split() == ["row", "index", "share", "residual", "observed", "predicted"]
    assert f"house {found.rows[0]}" in lines[1]
    columns = ["row", "index", "observed", "predicted", "residual", "share"]
    assert list(found.to_frame().columns) == columns
    assert found.to_dict()["examples"][0]["observed"] == counts()[found.rows[0]]


@pytest.mark.parametrize("learner", ["real", "tree"])
def test_rules_needed_by_the_loss(learner):
    X, y = numbers(), counts()
    model = fitted(learner=learner)
    found = rules_needed(model, X, y)
    expected = [mean_squared_error(y, each) for each in model.staged_predict(X)]
    np.testing.assert_allclose(found.scores, expected, rtol=1e-9)
    assert (found.best, found.smaller_is_better) == (found.scores.min(), True)
    losses = (y - model.predict(X)) ** 2  # the last round is the best in training
    assert found.standard_error == pytest.approx(losses.std() / np.sqrt(80), rel=1e-9)
    assert found.within == ()
    assert found.text().startswith("mean loss on 80 examples:")
    assert found.needed() == 12
    score = rules_needed(model, X, y, scoring="r2")
    np.testing.assert_allclose(
        score.scores, [r2_score(y, each) for each in model.staged_predict(X)], rtol=1e-9
    )
    assert (score.standard_error, score.within) == (None, (0.01,))


def test_rules_needed_with_weights_equal_repeated_rows():
    X, y, weight = numbers(), counts(), np.arange(80) % 3 + 1
    for loss in LOSSES:
        model = fitted(loss)
        given = rules_needed(model, X, y, sample_weight=weight)
        repeated = rules_needed(model, np.repeat(X, weight, axis=0), np.repeat(y, weight))
        np.testing.assert_allclose(given.scores, repeated.scores, rtol=1e-9)


def test_all_rounds_have_the_same_huber_loss():
    """The width of the last round: with one of its own for each, they could not be compared."""
    X, y = numbers(), counts()
    model = fitted("huber", alpha=0.5)
    sizes = np.sort(np.abs(y - model.predict(X)))
    width = sizes[39]
    expected = []
    for predicted in model.staged_predict(X):
        size = np.abs(y - predicted)
        each = np.where(size <= width, size**2 / 2, width * (size - width / 2))
        expected.append(each.mean())
    np.testing.assert_allclose(rules_needed(model, X, y).scores, expected, rtol=1e-6)


def test_scores_of_one_prediction_are_not_for_several_quantiles():
    message = "scoring='r2' is of one prediction per row, but GradientBoostingRegressor predicts 3"
    with pytest.raises(ValueError, match=message):
        rules_needed(fitted("quantiles"), numbers(), counts(), scoring="r2")
    assert rules_needed(fitted("quantiles"), numbers(), counts()).needed() == 12


def test_what_a_regressor_is_inside_of():
    X, y = np.nan_to_num(numbers()), counts()
    scaled = make_pipeline(StandardScaler(), GradientBoostingRegressor(n_estimators=4))
    for model in (
        scaled,
        GridSearchCV(scaled, {"gradientboostingregressor__n_estimators": [2, 3]}, cv=2),
    ):
        found = contributions(model.fit(X, y), X)
        np.testing.assert_array_equal(found.predicted, model.predict(X))
        np.testing.assert_array_equal(found.scores[:, 0], model.predict(X))
        assert hardest(model, X, y, 1).each[0].predicted in model.predict(X)
        assert rules_needed(model, X, y).best > 0
    for unfitted in (scaled.__class__(scaled.steps[1:]), TransformedTargetRegressor(scaled)):
        with pytest.raises(NotFittedError):
            rules(GridSearchCV(unfitted, {}))
    with pytest.raises(NotFittedError):
        rules(TransformedTargetRegressor(GradientBoostingRegressor()))
    bagged = BaggingRegressor(GradientBoostingRegressor(n_estimators=2), n_estimators=2).fit(X, y)
    with pytest.raises(TypeError, match="BaggingRegressor is not a booster of underdog"):
        rules(bagged)


def test_a_transformed_target():
    X, y = numbers(), counts()
    booster = GradientBoostingRegressor(n_estimators=4)
    model = TransformedTargetRegressor(booster, func=np.log1p, inverse_func=np.expm1).fit(X, y)
    found = contributions(model, X)
    np.testing.assert_array_equal(found.scores[:, 0], model.regressor_.predict(X))
    np.testing.assert_array_equal(found.predicted, model.predict(X))
    note = (
        "TransformedTargetRegressor: scores are of the transformed target, predictions of the "
        "target itself"
    )
    assert found.text(0).endswith(note)
    for ask in (hardest, rules_needed):
        with pytest.raises(
            ValueError, match=r"TransformedTargetRegressor transforms y.*regressor_"
        ):
            ask(model, X, y)
        assert len(ask(model.regressor_, X, np.log1p(y)).to_frame()) > 0


def test_targets_that_cannot_be_compared():
    X, y = numbers(), counts()
    for ask in (hardest, rules_needed):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            ask(fitted(), X, y[1:])
        with pytest.raises(ValueError, match="y must be numbers, but it has 'many'"):
            ask(fitted(), X, np.full(80, "many", dtype=object))
        with pytest.raises(ValueError, match="y is -1 in row 0, but loss='poisson' is for counts"):
            ask(fitted("poisson"), X, y - 1 - y[0])


@pytest.mark.parametrize("loss", ["squared", "quantiles"])
def test_explanations_for_shap(loss):
    shap = pytest.importorskip("shap")
    found = contributions(fitted(loss), numbers())
    values = found.to_shap()
    assert isinstance(values, shap.Explanation)
    total = values.base_values + values.values.sum(axis=1)
    np.testing.assert_array_equal(total.reshape(80, -1), found.scores)
