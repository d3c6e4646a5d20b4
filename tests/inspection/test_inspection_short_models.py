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
    AdaBoostMHClassifier,
    ADTreeClassifier,
    BrownBoostClassifier,
    GradientBoostingClassifier,
    LADTreeClassifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    OutputCodeBoostClassifier,
    SlipperClassifier,
    load,
    scorecard,
    shorten,
)
from underdog.hypotheses.rule import partition_key
from underdog.inspection.refitting import PRIOR, RuleColumns

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
LONG = AdaBoostClassifier(n_estimators=40).fit(X, Y)
BOOSTERS = [
    LONG,
    SlipperClassifier(n_estimators=20).fit(X, Y),
    ADTreeClassifier(n_estimators=10).fit(X, Y),
    GradientBoostingClassifier(n_estimators=10).fit(X, Y),
    LPBoostClassifier().fit(X, Y),
]


@pytest.mark.parametrize("model", BOOSTERS, ids=lambda each: type(each).__name__)
def test_at_most_so_many_rules_and_the_cost(model):
    short = shorten(model, X, Y, 4)
    assert len(short.model.model_) <= 5  # and a constant
    whole, *ways = short.tried
    assert whole.rules > max(way.rules for way in ways) == 4
    assert whole.error == pytest.approx(1.0 - model.score(X, Y))
    assert [way.name for way in ways] == [
        "early rounds", "first rules", "largest rules", "best rules", "greatest margin"
    ]  # fmt: skip
    best = min(ways, key=lambda way: way.log_loss)
    assert 1.0 - short.model.score(X, Y) == pytest.approx(best.error)
    assert short.costs["error"] == (whole.error, best.error)
    assert short.text().count("\n") == 6
    assert "edited by shorten: kept 4 of" in short.model.describe()


@pytest.mark.parametrize("model", BOOSTERS[:4], ids=lambda each: type(each).__name__)
def test_the_log_loss_is_that_of_the_probabilities(model):
    short = shorten(model, X, Y, 4)
    for fitted, found in zip((model, short.model), short.costs["log_loss"], strict=True):
        assert found == pytest.approx(log_loss(Y, fitted.predict_proba(X)), abs=1e-6)


def test_class_weights_count_in_the_coefficients():
    weighted = AdaBoostClassifier(n_estimators=20, class_weight={0: 1, 1: 9}).fit(X, Y)
    repeated = AdaBoostClassifier(n_estimators=20)
    nine = np.repeat(np.arange(len(Y)), np.where(Y == 1, 9, 1))
    repeated.fit(X.iloc[nine], Y.iloc[nine])
    one = shorten(weighted, X, Y, 3)
    other = shorten(repeated, X.iloc[nine], Y.iloc[nine], 3)
    assert one.tried[-1].log_loss == pytest.approx(other.tried[-1].log_loss, rel=0.05)
    assert one.model.predict(X).mean() > Y.mean()
    assert one.model.predict_proba(X)[:, 1].mean() == pytest.approx(Y.mean(), abs=0.05)


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostMHClassifier(n_estimators=30),
        LogitBoostClassifier(n_estimators=30),
        LADTreeClassifier(),
        SlipperClassifier(n_estimators=10),
    ],
    ids=lambda each: type(each).__name__,
)
def test_several_classes(model):
    """The loss of the kept way is the least of all, and no step along a coefficient lowers it."""
    features, y = load_iris(return_X_y=True)
    short = shorten(model.fit(features, y), features, y, 3)
    assert len(short.model.model_) <= 4
    assert short.model.score(features, y) > 0.9
    assert 1.0 - short.model.score(features, y) == pytest.approx(short.costs["error"][1])
    if isinstance(model, LogitBoostClassifier | LADTreeClassifier):
        found = log_loss(y, short.model.predict_proba(features))
        assert short.costs["log_loss"][1] == pytest.approx(found, abs=1e-6)


def test_several_labels():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 4))
    y = np.stack([features[:, 0] > 0, features[:, 1] + features[:, 0] > 0.5], 1).astype(int)
    model = AdaBoostMHClassifier(n_estimators=20).fit(features, y)
    short = shorten(model, features, y, 4)
    found = np.mean(short.model.predict(features) != y)
    assert short.costs["error"][1] == pytest.approx(found)
    assert found < 0.2


def test_a_constant_can_be_shortened():
    model = AdaBoostClassifier(n_estimators=3).fit(np.zeros((6, 1)), [0, 0, 0, 0, 1, 1])
    assert shorten(model, np.zeros((6, 1)), [0, 0, 0, 0, 1, 1], 2).costs["error"][1] == 1 / 3


def test_other_rows_choose_and_measure():
    model = AdaBoostClassifier(n_estimators=40).fit(X[::2], Y[::2])
    short = shorten(model, X[::2], Y[::2], 4, X_val=X[1::2], y_val=Y[1::2])
    assert short.costs["error"][0] == pytest.approx(1.0 - model.score(X[1::2], Y[1::2]))
    assert short.costs["error"][1] == pytest.approx(1.0 - short.model.score(X[1::2], Y[1::2]))


def test_early_rounds_are_the_rounds_of_the_booster():
    """Before there is a rule more: an earlier rule that is found again adds to its steps."""
    model = AdaBoostClassifier(n_estimators=40).fit(X, Y)
    keys = [partition_key(each.hypothesis) for each in model.model_.members]
    again = next(place for place in range(40) if keys[place] in keys[:place])
    tried = {way.name: way for way in shorten(model, X, Y, again).tried}
    rounds = max(count for count in range(1, 41) if len(set(keys[:count])) <= again)
    assert rounds > again
    wanted = np.mean(list(model.staged_predict(X))[rounds - 1] != Y)
    assert tried["early rounds"].error == pytest.approx(wanted)


def test_coefficients_are_those_of_a_penalised_logistic_regression():
    """Of the rules that were kept, as columns, and a constant; no rule adds more than 1."""
    rng = np.random.default_rng(1)
    added = rng.choice([-1.0, 1.0], size=(300, 3))
    sign = (added @ [1.0, -0.5, 0.2] + 0.3 + rng.logistic(size=300) > 0).astype(float)
    columns = RuleColumns(added[:, None, :], sign[:, None], np.ones((300, 1)), False)
    found = columns.fit([0, 1, 2])
    wanted = LogisticRegression(C=PRIOR**2, tol=1e-10, max_iter=1000).fit(added, sign)
    np.testing.assert_allclose(found, [*wanted.intercept_, *wanted.coef_[0]], atol=1e-4)


def test_coefficients_of_classes_are_stationary():
    """A small change of any coefficient raises the penalised softmax loss."""
    rng = np.random.default_rng(1)
    added = rng.normal(size=(200, 3, 2))
    sign = np.eye(3)[rng.integers(0, 3, 200)]
    columns = RuleColumns(added, sign, np.ones((200, 3)), True)
    own = columns.fit([0, 1])
    size = np.abs(added).max(axis=(0, 1))

    def total(found):
        penalty = ((found[3:] * size / PRIOR) ** 2).sum() / 2.0
        return 200.0 * columns.loss(columns.log_odds([0, 1], found)) + penalty

    for place in range(3, 5):
        for step in (-0.01, 0.01):
            moved = own.copy()
            moved[place] += step
            assert total(moved) > total(own)


def test_rules_of_the_greatest_margin_are_those_of_the_linear_programme():
    """Three rules vote alone on a third of the rows each; two others are noise."""
    sign = np.tile([1.0, 0.0], 90)
    votes = np.zeros((180, 5))
    for rule in range(3):
        own = slice(60 * rule, 60 * rule + 60)
        votes[own, rule + 1] = np.where(sign[own] == 1.0, 1.0, -1.0)
    votes[:, [0, 4]] = np.random.default_rng(0).choice([-1.0, 1.0], size=(180, 2))
    columns = RuleColumns(votes[:, None, :], sign[:, None], np.ones((180, 1)), False)
    assert sorted(columns.of_greatest_margin(3)) == [1, 2, 3]


def test_a_shortened_model_is_kept_in_a_file(tmp_path):
    short = shorten(LONG, X, Y, 3).model
    short.save(tmp_path / "short.udg")
    other = load(tmp_path / "short.udg")
    assert other.decision_function(X).tobytes() == short.decision_function(X).tobytes()


@pytest.mark.parametrize("model", BOOSTERS[:4], ids=lambda each: type(each).__name__)
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
        (lambda: shorten(LONG, X, Y, 3, X_val=X), ValueError, "give both of X_val and y_val"),
        (lambda: shorten("model", X, Y, 3), TypeError, "shorten needs a fitted booster"),
        (lambda: scorecard(LONG, points_to_double=0), ValueError, "points_to_double=0 must be"),
        (lambda: scorecard(LONG, X), ValueError, "X was given without y"),
        (lambda: scorecard(BOOSTERS[4]), ValueError, "are no log-odds"),
    ],
)
def test_what_is_refused(action, kind, message):
    with pytest.raises(kind, match=message):
        action()


def test_several_classes_are_refused():
    flowers = load_iris(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=2).fit(*flowers)
    with pytest.raises(ValueError, match="two classes with one score"):
        scorecard(model)
    coded = OutputCodeBoostClassifier(n_estimators=2).fit(*flowers)
    with pytest.raises(ValueError, match="with a score for each class or label"):
        shorten(coded, *flowers, 2)


def test_a_card_names_the_class_that_points_speak_for():
    model = AdaBoostClassifier(n_estimators=3, pos_label=0).fit(X, Y)
    card = scorecard(model)
    assert card.text().startswith("points for '0': 20 points double the odds, 0 is even")
    assert card.points(X)[Y == 0].mean() > card.points(X)[Y == 1].mean()


def test_even_odds_of_a_model_with_class_weights():
    model = AdaBoostClassifier(n_estimators=3, class_weight={0: 1, 1: 8}).fit(X, Y)
    card = scorecard(model)
    assert card.even == 60  # three times doubled
    points, odds = card.points(X), card.model.predict_proba(X)
    log_odds = np.log(odds[:, 1]) - np.log(odds[:, 0])
    np.testing.assert_allclose(log_odds / math.log(2.0) * 20.0, points - 60, atol=1e-6)


def test_other_probabilities_come_afterwards():
    model = AdaBoostClassifier(n_estimators=5).fit(X, Y).recalibrate(X, Y)
    with pytest.raises(ValueError, match="use shorten first, then recalibrate"):
        shorten(model, X, Y, 2)
    with pytest.raises(ValueError, match="use scorecard first, then recalibrate"):
        scorecard(model)


def test_scores_that_are_no_log_odds_can_be_shortened():
    model = BrownBoostClassifier(n_estimators=20, target_error=0.05).fit(X, Y)
    assert shorten(model, X, Y, 3).model.score(X, Y) > 0.9
