"""Models of few rules, and scorecards with whole points."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from underdog import (
    AdaBoostClassifier,
    BrownBoostClassifier,
    GradientBoostingClassifier,
    LPBoostClassifier,
    SlipperClassifier,
    load,
    scorecard,
    shorten,
)

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
LONG = AdaBoostClassifier(n_estimators=40).fit(X, Y)
BOOSTERS = [
    LONG,
    SlipperClassifier(n_estimators=20).fit(X, Y),
    GradientBoostingClassifier(n_estimators=10).fit(X, Y),
    LPBoostClassifier().fit(X, Y),
]


@pytest.mark.parametrize("model", BOOSTERS, ids=lambda each: type(each).__name__)
def test_at_most_so_many_rules_and_the_cost(model):
    short = shorten(model, X, Y, 4)
    assert len(short.model.model_) <= 5  # and a constant
    whole, *ways = short.tried
    assert whole.rules > max(way.rules for way in ways) == 4
    best = min(ways, key=lambda way: way.log_loss)
    assert 1.0 - short.model.score(X, Y) == pytest.approx(best.error)
    assert short.text().count("\n") == 4
    assert "edited by shorten: kept 4 of" in short.model.describe()


def test_coefficients_are_those_of_logistic_regression():
    """Of the rules that were kept, as columns, and a constant."""
    short = shorten(LONG, X, Y, 3).model
    kept = [member for member in short.model_.members if not member.hypothesis.is_constant]
    columns = np.stack(
        [X.iloc[:, each.hypothesis.test.column] > each.hypothesis.test.threshold for each in kept],
        1,
    ).astype(float)
    assert columns.shape[1] == 3
    fitted = LogisticRegression(C=1e6, tol=1e-10, max_iter=1000).fit(columns, Y)
    wanted = fitted.decision_function(columns)
    np.testing.assert_allclose(2.0 * short.decision_function(X), wanted, atol=1e-3)


def test_a_shortened_model_is_kept_in_a_file(tmp_path):
    short = shorten(LONG, X, Y, 3).model
    short.save(tmp_path / "short.udg")
    other = load(tmp_path / "short.udg")
    assert other.decision_function(X).tobytes() == short.decision_function(X).tobytes()


@pytest.mark.parametrize("model", BOOSTERS[:3], ids=lambda each: type(each).__name__)
def test_points_are_whole_and_double_the_odds(model):
    card = scorecard(model, X, Y, points_to_double=15.0)
    points = card.points(X)
    odds = card.model.predict_proba(X)
    known = np.abs(points) < 300  # of others the probabilities are 0 and 1
    log_odds = np.log(odds[known, 1]) - np.log(odds[known, 0])
    np.testing.assert_allclose(log_odds / math.log(2.0) * 15.0, points[known], atol=1e-6)
    assert card.costs["error"][0] == pytest.approx(1.0 - model.score(X, Y))
    before = log_loss(Y, model.predict_proba(X))
    assert card.costs["log_loss"][0] == pytest.approx(before)
    assert abs(card.costs["log_loss"][1] - before) < 0.01


def test_the_lines_of_a_card_add_up_to_its_points():
    """Read as text by a program that knows only the card."""
    for model in (LONG, BOOSTERS[1]):
        card = scorecard(model)
        total = np.full(len(X), card.start)
        frame = X.rename(columns=lambda name: name.replace(" ", "_"))
        for words, points in card.lines:
            text = words
            for name in sorted(X.columns, key=len, reverse=True):
                text = text.replace(name, name.replace(" ", "_"))
            total += points * _meets(frame, text)
        np.testing.assert_array_equal(total, card.points(X))


def _meets(frame, text):
    """Conditions such as "a > 5 and b <= 7", or "a 5 to 7"."""
    met = np.ones(len(frame), dtype=bool)
    for part in text.split(" and "):
        met &= frame.eval(re.sub(r"(\w+) (\S+) to (\S+)", r"\2 < \1 <= \3", part)).to_numpy()
    return met


def test_levels_and_missing_values_have_points():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"c": rng.choice(list("abc"), 300), "x": rng.normal(size=300)})
    y = ((frame["c"] == "b") ^ (rng.random(300) < 0.2)).astype(int)
    frame.loc[::5, "x"] = np.nan
    model = AdaBoostClassifier(n_estimators=15).fit(frame, y)
    card = scorecard(model, frame, y, points_to_double=40.0)
    assert any("missing" in words for words, _ in card.lines)
    assert any(words.startswith("c ") for words, _ in card.lines)
    assert abs(card.costs["log_loss"][1] - card.costs["log_loss"][0]) < 1e-3


@pytest.mark.parametrize(
    ("action", "kind", "message"),
    [
        (lambda: shorten(LONG, X, Y, 0), ValueError, "max_rules=0 must be"),
        (lambda: shorten(LONG, X, Y[:9], 3), ValueError, "inconsistent numbers of samples"),
        (lambda: shorten("model", X, Y, 3), TypeError, "shorten needs a fitted booster"),
        (lambda: scorecard(LONG, points_to_double=0), ValueError, "points_to_double=0 must be"),
        (lambda: scorecard(LONG, X), ValueError, "X was given without y"),
        (lambda: scorecard(BOOSTERS[3]), ValueError, "are no log-odds"),
    ],
)
def test_what_is_refused(action, kind, message):
    with pytest.raises(kind, match=message):
        action()


def test_several_classes_are_refused():
    model = AdaBoostClassifier(n_estimators=2).fit(*load_iris(return_X_y=True))
    with pytest.raises(ValueError, match="two classes with one score"):
        scorecard(model)
    with pytest.raises(ValueError, match="two classes with one score"):
        shorten(model, *load_iris(return_X_y=True), 2)


def test_scores_that_are_no_log_odds_can_be_shortened():
    model = BrownBoostClassifier(n_estimators=20, target_error=0.05).fit(X, Y)
    assert shorten(model, X, Y, 3).model.score(X, Y) > 0.9
