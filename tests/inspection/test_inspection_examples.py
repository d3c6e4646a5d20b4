"""Examples with a wrong label are the hardest, far beyond chance; weights are the loss's own."""

import json

import numpy as np
import pytest
from scipy.stats import hypergeom
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.pipeline import make_pipeline

from tests.inspection.explained import BOOSTERS, forms, make, problems, targets
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    TermVectorizer,
    ThresholdClassifier,
)
from underdog.datasets import load_sms_spam
from underdog.inspection import hardest

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")
BEYOND_CHANCE = 1e-9
"""Rules out luck, in all tests of this page together."""


def assert_found(model, X, y, flipped):
    """Among as many of the hardest as there are wrong labels, chance would not find so many."""
    found = len(set(hardest(model, X, y, len(flipped)).rows) & set(flipped.tolist()))
    by_chance = hypergeom(len(y), len(flipped), len(flipped))
    assert found > 5 * by_chance.mean()
    assert by_chance.sf(found - 1) < BEYOND_CHANCE


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(n_estimators=30),
        AdaUBoostClassifier(n_estimators=30),
        LPBoostClassifier(nu=0.3),
        ERLPBoostClassifier(nu=0.3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_wrong_labels_of_cells(model):
    X, y = load_breast_cancer(return_X_y=True)
    flipped = np.random.default_rng(0).choice(len(y), 30, replace=False)
    y[flipped] = 1 - y[flipped]
    assert_found(model.fit(X, y), X, y, flipped)


def test_wrong_labels_of_messages():
    texts, y = load_sms_spam()
    y = np.array(y)
    flipped = np.random.default_rng(0).choice(len(y), 50, replace=False)
    y[flipped] = np.where(y[flipped] == "spam", "ham", "spam")
    model = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=60))
    assert_found(model.fit(texts, y), texts, y, flipped)


def test_wrong_labels_of_digits():
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    flipped = rng.choice(len(y), 40, replace=False)
    y[flipped] = (y[flipped] + rng.integers(1, 10, 40)) % 10
    assert_found(AdaBoostMHClassifier(n_estimators=40).fit(X, y), X, y, flipped)


@pytest.mark.parametrize("problem", ["two", "three", "several"])
def test_weights_are_those_of_the_exponential_loss(problem):
    X, y = forms()["dense"], targets()[problem]
    model = AdaBoostMHClassifier(n_estimators=6).fit(X, y)
    weight = np.arange(len(X)) % 3 + 1.0
    found = hardest(model, X, y, 10**6, sample_weight=weight)
    scores = model.decision_function(X).reshape(len(X), -1)
    sign = y if problem == "several" else y[:, np.newaxis] == model.classes_[-scores.shape[1] :]
    expected = weight[:, np.newaxis] * np.exp(-np.where(sign, 1, -1) * scores)
    expected /= expected.sum()
    for one in found.each:
        label = slice(None) if one.label is None else int(one.label)
        assert one.share == pytest.approx(expected[one.row, label].sum(), rel=1e-12)
    assert found.n_examples == len(found.each) == y.size
    shares = [one.share for one in found.each]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)


def test_positives_and_classes_weigh_as_in_training():
    X, y = forms()["dense"], targets()["two"]
    uneven = AdaUBoostClassifier(beta=3.0, n_estimators=4).fit(X, y)
    heavy = AdaBoostClassifier(class_weight={"no": 1, "yes": 5}, n_estimators=4).fit(X, y)
    positive = y == "yes"
    F = np.where(positive, 1, -1) * uneven.decision_function(X)
    of_uneven = np.where(positive, 3 * np.exp(-F / 3), np.exp(-F))
    F = np.where(positive, 1, -1) * heavy.decision_function(X)
    of_heavy = np.where(positive, 5, 1) * np.exp(-F)
    for model, weights in ((uneven, of_uneven), (heavy, of_heavy)):
        found = hardest(model, X, y, len(y))
        shares = {one.row: one.share for one in found.each}
        expected = weights / weights.sum()
        np.testing.assert_allclose([shares[row] for row in range(len(y))], expected, rtol=1e-12)


def test_slack_of_the_soft_margin():
    """nu of the rows may lie below the margin, and the first of them has the smallest one."""
    X, y = forms()["dense"], targets()["two"]
    model = LPBoostClassifier(nu=0.6).fit(X, y)
    found = hardest(model, X, y, len(y))
    assert found.measure == "slack below the soft margin"
    margins = np.where(y == "yes", 1, -1) * model.decision_function(X)
    ranked = np.sort(margins)
    rho = ranked[int(np.ceil(0.6 * len(y))) - 1]
    assert [one.margin for one in found.each] == ranked.tolist()
    slack = np.maximum(rho - ranked, 0)
    np.testing.assert_allclose([one.share for one in found.each], slack / slack.sum(), atol=1e-12)
    certified = rho - slack.sum() / (0.6 * len(y))
    assert certified == pytest.approx(model.certificate_["soft_margin"], abs=1e-9)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_every_booster_has_hardest_examples(booster):
    for problem in problems(booster):
        X, y = forms()["mixed"], targets()[problem]
        model = make(booster).fit(X, y)
        found = hardest(model, X, y, 7)
        assert len(found) == 7
        assert len(found.text().splitlines()) == 10
        assert json.loads(json.dumps(found.to_dict()))["examples"][0]["row"] == found.rows[0]


@pytest.mark.parametrize("positive", ["no", "yes"])
def test_margins_are_those_of_the_threshold_or_costs(positive):
    X, y = forms()["dense"], targets()["two"]
    booster = AdaBoostClassifier(n_estimators=6)
    for model in (
        ThresholdClassifier(booster, ("recall", 1.0), cv=2, pos_label=positive),
        CostSensitiveClassifier(booster, Costs(fn=30, fp=1), cv=2, pos_label=positive),
    ):
        found = hardest(model.fit(X, y), X, y, len(y))
        right = [one.given == one.predicted for one in found.each]
        assert [one.margin > 0 for one in found.each] == right
        assert 0 < sum(right) < len(y)
    plain = hardest(model.estimator_, X, y, len(y))
    assert [one.row for one in plain.each] == [one.row for one in found.each]


def test_margins_of_costs_of_three_classes():
    X, y = forms()["dense"], targets()["three"]
    classes = np.unique(y)
    costs = Costs.matrix(np.array([[0, 1, 1], [30, 0, 30], [1, 1, 0]]), classes)
    model = CostSensitiveClassifier(AdaBoostMHClassifier(n_estimators=6), costs, cv=2).fit(X, y)
    found = hardest(model, X, y, len(y))
    right = [one.given == one.predicted for one in found.each]
    assert [one.margin > 0 for one in found.each] == right


def test_rows_that_do_not_count_are_not_hard():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    worst = hardest(model, X, y, 1).rows[0]
    weight = np.ones(len(y))
    weight[worst] = 0
    again = hardest(model, X, y, len(y), sample_weight=weight)
    assert worst not in again.rows
    assert len(again) == len(y) - 1


def test_text_says_what_was_given_and_what_is_predicted():
    X = np.arange(20.0).reshape(-1, 1)
    y = np.where(X[:, 0] > 9, "late", "early")
    y[3] = "late"
    model = ThresholdClassifier(AdaBoostClassifier(n_estimators=1), cv=3).fit(X, y)
    lines = hardest(model, X, y, 2).text().splitlines()
    assert lines[2].split() == ["row", "share", "margin", "given", "predicted"]
    assert lines[3].split()[0] == "3"
    assert lines[3].split()[3:] == ["late", "early"]
    assert lines[-1].startswith("ThresholdClassifier: predicts 'late' if its score is above")


def test_several_labels_are_told_one_by_one():
    X, y = forms()["dense"], targets()["several"]
    model = AdaBoostMHClassifier(n_estimators=5).fit(X, y)
    found = hardest(model, X, y, 3, label_names=["crude", "grain", "ship"])
    first = found.each[0]
    column = ["crude", "grain", "ship"].index(first.label)
    assert first.given == bool(y[first.row, column])
    assert first.predicted == bool(model.predict(X)[first.row, column])
    assert first.label in found.text()


def test_wrong_calls():
    X, y = forms()["dense"], targets()["two"]
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="n=0 must be a whole number"):
        hardest(model, X, y, 0)
    message = r"y has labels \['never'\] that AdaBoostClassifier was not fitted with .*\['no'"
    with pytest.raises(ValueError, match=message):
        hardest(model, X, np.where(y == "no", "never", y))
    with pytest.raises(ValueError, match=r"y has the shape \(80, 3\), but .* one label per row"):
        hardest(model, X, targets()["several"])
    several = AdaBoostMHClassifier(n_estimators=2).fit(X, targets()["several"])
    for wrong in (y, targets()["several"][:, 1:]):
        with pytest.raises(ValueError, match=r"y has the shape \(80.* fitted with 3 label columns"):
            hardest(several, X, wrong)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        hardest(model, X, y[1:])
