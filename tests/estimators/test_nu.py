"""nu="auto" of the boosters that maximise a soft margin, and models no better than a constant."""

import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from tests.estimators.small import assert_same_optimum, noisy, stages, unfinished
from underdog import (
    Costs,
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
    UnderdogWarning,
    load,
)
from underdog.learners import StumpLearner
from underdog.losses import SoftMargin
from underdog.masters.groups import soft_margin

FOUR = [LPBoostClassifier, LPUBoostClassifier, ERLPBoostClassifier, SoftBoostClassifier]
each_of_four = pytest.mark.parametrize("booster", FOUR)


def rare_topic(rows=2000, seed=0):
    """Words of documents, one in a hundred of which has four of eight words that tell its topic.

    Each of these words is in more documents without the topic than with it.
    """
    rng = np.random.default_rng(seed)
    words = rng.random((rows, 40)) < 0.1
    words[:, :8] = rng.random((rows, 8)) < 0.01
    y = (np.arange(rows) % 100 == 0).astype(int)
    for row in np.flatnonzero(y):
        words[row, rng.choice(8, 4, replace=False)] = True
    return sp.csr_array(words.astype(float)), y


def hundredth(rows=300, positives=3, seed=0):
    """Numbers, and a rare class at the end of one of them."""
    X = np.random.default_rng(seed).normal(size=(rows, 4))
    y = np.zeros(rows, dtype=int)
    y[np.argsort(X[:, 0] + 0.2 * X[:, 1])[-positives:]] = 1
    return X, y


# The rule.


@each_of_four
def test_the_default_finds_a_rare_class(booster):
    (X, y), (X_new, y_new) = rare_topic(), rare_topic(seed=1)
    found = booster().fit(X, y).predict(X_new) == 1
    assert found[y_new == 1].mean() > 0.7
    assert (y_new[found] == 1).mean() > 0.7


@pytest.mark.parametrize(
    ("loss", "positives", "nu"),
    [
        (SoftMargin(), 0.5, 0.1),
        (SoftMargin(), 0.2, 0.1),
        (SoftMargin(), 0.01, 0.005),
        (SoftMargin(), 0.99, 0.005),
        (SoftMargin(beta=4.0), 0.01, 0.02),  # four negatives for each positive
        (SoftMargin(beta=4.0), 0.99, 0.005),
        (SoftMargin(beta=0.25), 0.2, 0.025),
        (SoftMargin(beta=1000.0), 0.001, 0.1),
        (SoftMargin(), 0.0, 0.001),  # one class
        (SoftMargin(), 0.0011, 0.001),  # one or two examples: the hard margin
        (SoftMargin(beta=0.01), 0.1, 0.001),  # positives that are not worth half an example
        (SoftMargin(lower_bound_ratio=50.0), 0.01, 0.04),  # lower bounds take half of the weight
        (SoftMargin(lower_bound_ratio=1000.0), 0.01, 0.005),
        (SoftMargin(lower_bound_ratio=5.0), 0.5, 0.1),  # infeasible, which is told with advice
    ],
)
def test_the_rule_by_hand(loss, positives, nu):
    assert loss.nu_range(positives, 1000)[0] == pytest.approx(nu, rel=1e-13)


@pytest.mark.parametrize("seed", range(20))
def test_no_constant_has_a_positive_margin(seed):
    rng = np.random.default_rng(seed)
    positives, beta = float(rng.random() ** 4), float(rng.choice([0.1, 1.0, 7.0]))
    loss = SoftMargin(SoftMargin(beta=beta).nu_range(positives, 10**9)[1], beta)
    loss.check()
    loss.check_feasible(positives)
    assert loss.constant_margin(positives) <= 0.0


@pytest.mark.parametrize("ratio", [11.0, 20.0, 50.0, 300.0])
@pytest.mark.parametrize("positives", [0.001, 0.03, 0.5])
def test_lower_bounds_that_a_tenth_allows_are_allowed(ratio, positives):
    SoftMargin(0.1, 1.0, ratio).check_feasible(positives)
    nu = SoftMargin(lower_bound_ratio=ratio).nu_range(positives, 1000)[0]
    SoftMargin(nu, 1.0, ratio).check_feasible(positives)


@pytest.mark.parametrize(
    ("loss", "positives", "most"),
    [(SoftMargin(), 0.01, 0.015), (SoftMargin(), 0.5, 0.75), (SoftMargin(beta=4.0), 0.01, 0.06),
     (SoftMargin(beta=9.0), 0.1, 0.75), (SoftMargin(), 0.0, 0.001)],
)  # fmt: skip
def test_how_far_it_goes_by_hand(loss, positives, most):
    assert loss.nu_range(positives, 1000)[1] == pytest.approx(most)


def overlapping(rows=400, seed=0):
    """Every twentieth is positive, at the end of two columns where there are as many negatives."""
    rng = np.random.default_rng(seed)
    y = (np.arange(rows) % 20 == 0).astype(int)
    return np.rint(rng.normal(size=(rows, 2)) + 2.1 * y[:, np.newaxis]), y


def test_without_a_margin_it_is_doubled():
    """As long as less leaves none; and it says nothing of what it has tried."""
    X, y = overlapping()
    model = LPBoostClassifier(learner="disc.lp").fit(X, y)
    tried = [0.025, 0.05, 0.075]
    margins = {}
    for nu in tried:
        messages_of(given := LPBoostClassifier(learner="disc.lp", nu=nu), X, y)
        margins[nu] = given.certificate_["soft_margin"] > 1e-8
    assert not margins[0.025]
    assert model.nu_ == pytest.approx(next(nu for nu in tried if margins[nu]))
    given = LPBoostClassifier(learner="disc.lp", nu=model.nu_).fit(X, y)
    np.testing.assert_array_equal(stages(model, X), stages(given, X))


@unfinished
def test_rounds_in_two_parts_double_it_as_well():
    X, y = overlapping()
    whole = LPBoostClassifier(learner="disc.lp").fit(X, y)
    for rounds in range(1, 4):
        model = LPBoostClassifier(learner="disc.lp", n_estimators=rounds, warm_start=True)
        model.fit(X, y).set_params(n_estimators=300).fit(X, y)
        assert model.nu_ == whole.nu_
        assert_same_optimum(model, whole)


def test_what_is_interrupted_between_two_numbers_goes_on(monkeypatch):
    X, y = overlapping()
    whole = LPBoostClassifier(learner="disc.lp").fit(X, y)
    model = LPBoostClassifier(learner="disc.lp", warm_start=True)
    after_last_round = LPBoostClassifier._choose_nu

    def interrupted(self, *given):
        if hasattr(self, "nu_"):
            raise KeyboardInterrupt
        after_last_round(self, *given)

    monkeypatch.setattr(LPBoostClassifier, "_choose_nu", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    monkeypatch.undo()
    assert model.nu_ == pytest.approx(0.025)
    assert model.fit(X, y).nu_ == whole.nu_
    assert_same_optimum(model, whole)


def test_where_no_number_leaves_a_margin_the_last_one_says_so():
    X = np.tile(np.array(list(np.ndindex(2, 2)), dtype=float), (25, 1))
    y = (X.sum(axis=1) == 1).astype(int)
    model = LPBoostClassifier(learner="disc.lp")
    (said,) = messages_of(model, X, y)
    assert "no positive soft margin" in said
    assert model.nu_ == 0.75


def test_one_positive_has_the_hard_margin():
    X, y = hundredth(positives=1)
    model = LPBoostClassifier(learner="disc.lp").fit(X, y)
    assert model.nu_ == 1 / 300
    assert_same_optimum(model, LPBoostClassifier(learner="disc.lp", nu=1e-6).fit(X, y))
    assert model.predict(X).sum() == 1


@each_of_four
def test_it_is_the_number_that_it_finds(booster):
    X, y = hundredth(positives=9)
    model = booster().fit(X, y)
    assert model.nu_ == pytest.approx(0.015 * getattr(model, "beta", 1.0))
    np.testing.assert_array_equal(stages(model, X), stages(booster(nu=model.nu_).fit(X, y), X))


@each_of_four
def test_a_number_is_used_as_it_is_given(booster):
    X, y = noisy()
    model = booster(nu=0.45).fit(X, y)
    assert model.nu_ == 0.45
    bound = model._make_loss().box.upper[0] / len(y)
    margins = np.where(y == 1, 1.0, -1.0) * model.decision_function(X)
    uneven = np.where(y == 1, getattr(model, "beta", 1.0), 1.0)
    assert bound == pytest.approx(1 / (0.45 * len(y)))
    expected = soft_margin(margins, np.zeros(len(y)), bound * uneven)
    assert model.certificate_["soft_margin"] == pytest.approx(expected, abs=1e-9)


# Weights.


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"class_weight": "balanced"},
        {"class_weight": {0: 0.3, 1: 1.7}},
        {"costs": Costs(fn=0.7, fp=1.1)},
    ],
    ids=["even", "balanced", "by class", "costs"],
)
@each_of_four
@unfinished
def test_whole_weights_and_repeated_rows_find_the_same_bits(booster, parameters):
    X, y = hundredth(positives=7)
    repeats = np.random.default_rng(1).integers(1, 9, len(y))
    rows = np.random.default_rng(2).permutation(np.arange(len(y)).repeat(repeats))
    weighted, repeated = (booster(n_estimators=1, **parameters) for _ in range(2))
    weighted.fit(X, y, sample_weight=repeats)
    repeated.fit(X[rows], y[rows])
    assert weighted.nu_ == repeated.nu_


def test_class_weights_make_the_class_that_they_say():
    """The share is that of the weight, as the bounds see it; balanced classes have a half each."""
    X, y = hundredth(positives=6)
    found = {
        name: LPBoostClassifier(class_weight=weight).fit(X, y).nu_
        for name, weight in {"even": None, "three": {0: 1, 1: 3}, "both": "balanced"}.items()
    }
    share = 18 / (294 + 18)
    assert found == {"even": 0.01, "three": pytest.approx(share / 2), "both": 0.1}


def test_a_class_that_is_given_next_to_no_weight_is_not_heeded():
    """As scikit-learn asks of class_weight; whoever says so is told what comes of it."""
    X, y = noisy()
    model = LPBoostClassifier(class_weight={0: 1000, 1: 1e-4})
    first, *_ = messages_of(model, X, y)
    assert "so large that a constant" in first
    assert model.nu_ == 1 / len(y)
    assert not model.predict(X).any()


def test_a_few_rows_do_not_ask_for_more_than_a_tenth():
    X, y = np.arange(4.0)[:, np.newaxis], [0, 0, 0, 1]
    assert LPBoostClassifier().fit(X, y).nu_ == 0.1


def test_weights_that_sum_to_one_are_shares_of_the_rows():
    X, y = hundredth(positives=6)
    with pytest.warns(UnderdogWarning, match="sample_weight sums to 1"):
        model = LPBoostClassifier().fit(X, y, sample_weight=np.full(300, 1 / 300))
    assert model.nu_ == pytest.approx(0.01)


def test_costs_are_beta_or_weights():
    X, y = hundredth(positives=6)
    costs = Costs(fn=3, fp=1)
    assert LPUBoostClassifier(costs=costs).fit(X, y).nu_ == pytest.approx(0.03)
    assert LPBoostClassifier(costs=costs).fit(X, y).nu_ == pytest.approx(9 / (294 + 18))


# Parameters, warm starts and files.


@pytest.mark.parametrize("nu", ["Auto", "0.1", None, 0, 1, -0.1, float("nan"), True, [0.1]])
@each_of_four
def test_other_values_are_refused_before_anything_is_read(booster, nu):
    message = f"nu={nu!r} must be 'auto' or a number between 0 and 1, approximately the share of"
    with pytest.raises(ValueError, match=re.escape(message)):
        booster(nu=nu).fit("no data at all", None)


def test_it_is_a_parameter_like_others():
    X, y = hundredth(positives=12)
    model = LPBoostClassifier().fit(X, y)
    assert (model.nu, model.get_params()["nu"], clone(model).nu) == ("auto",) * 3
    assert not hasattr(clone(model), "nu_")
    search = GridSearchCV(LPBoostClassifier(), {"nu": ["auto", 0.015]}, cv=2).fit(X, y)
    assert search.cv_results_["mean_test_score"].min() > 0.9


@each_of_four
@unfinished
def test_a_warm_start_goes_on_with_the_number_that_was_found(booster):
    X, y = hundredth(positives=9)
    fewer = np.flatnonzero((y == 0) | (np.cumsum(y) > 6))  # where the class is rarer
    model = booster(n_estimators=2, warm_start=True).fit(X, y)
    first = model.nu_
    model.set_params(n_estimators=4).fit(X[fewer], y[fewer])
    assert model.nu_ == model._make_loss().nu == first
    anew = model.set_params(warm_start=False).fit(X[fewer], y[fewer])
    assert anew.nu_ < first
    assert model.set_params(warm_start=True, n_estimators=5, nu=0.02).fit(X, y).nu_ == 0.02


@each_of_four
@unfinished
def test_a_file_has_the_number(booster, tmp_path):
    X, y = hundredth(positives=9)
    model = booster(n_estimators=3, warm_start=True).fit(X, y)
    model.save(tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    assert (loaded.nu, loaded.nu_) == ("auto", model.nu_)
    few = np.arange(len(y) - 50)
    for each in (model, loaded):
        each.set_params(n_estimators=6).fit(X[few], y[few])
    assert loaded.nu_ == model.nu_
    np.testing.assert_array_equal(stages(loaded, X), stages(model, X))


def test_a_fit_that_fails_leaves_the_number_of_the_model(monkeypatch):
    """As everything else that belongs to the model."""
    X, y = hundredth(positives=9)
    models = [LPBoostClassifier().fit(X, y), TotalBoostClassifier().fit(X, y)]
    before = [dict(vars(model)) for model in models]
    monkeypatch.setattr(StumpLearner, "fit", lambda *_: 1 / 0)
    for model, known in zip(models, before, strict=True):
        with pytest.raises(ZeroDivisionError):
            model.fit(X[:200], 1 - y[:200])
        assert vars(model) == known


@unfinished
@pytest.mark.parametrize("booster", [LPBoostClassifier, LPUBoostClassifier])
def test_early_stopping_judges_by_the_same_number(booster):
    (X, y), (X_val, y_val) = hundredth(positives=9), hundredth(positives=30, seed=1)
    model = booster(n_estimators=4, learner="disc.lp").fit(X, y, X_val=X_val, y_val=y_val)
    beta = getattr(model, "beta", 1.0)
    upper = np.where(y_val == 1, beta, 1.0) / len(y_val) / model.nu_
    margins = np.where(y_val == 1, 1.0, -1.0) * stages(model, X_val)
    expected = [soft_margin(each, np.zeros(len(y_val)), upper) for each in margins]
    assert model.nu_ == pytest.approx(0.015 * beta)
    np.testing.assert_allclose(model.history_["validation_score"], expected, rtol=1e-12)


# Models that are no better than a constant.


def messages_of(model, X, y, **given):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y, **given)
    return [str(warning.message) for warning in caught]


NO_BETTER = "The model is no better than a constant prediction"


@each_of_four
def test_a_model_that_never_says_the_rare_class_says_so(booster):
    X, y = rare_topic()
    even = {"beta": 1.0} if hasattr(booster(), "beta") else {}
    first, *others = messages_of(booster(nu=0.6, **even), X, y)
    assert "so large that a constant" in first
    (said,) = others
    assert f"{booster.__name__}: {NO_BETTER}" in said
    assert "its false negative rate is 1 and its false positive rate 0" in said
    assert 'Try class_weight="balanced"' in said


def test_it_is_told_with_what_is_wrong_with_the_margin():
    """One message, with the class of the other."""
    X = np.tile(np.array(list(np.ndindex(2, 2)), dtype=float), (5, 1))
    y = (X.sum(axis=1) == 1).astype(int)
    with pytest.warns(UnderdogWarning) as caught:
        LPBoostClassifier(learner="disc.lp", class_weight="balanced", nu=0.2).fit(X, y)
    (said,) = [str(warning.message) for warning in caught]
    assert "no positive soft margin" in said
    assert NO_BETTER in said
    assert "class_weight" not in said


@pytest.mark.parametrize(
    ("missed", "alarms", "told"),
    [([1, 1], [0, 0, 0, 0], True), ([1, 0], [1, 0, 0, 0], False), ([1, 0], [1, 1, 0, 0], False),
     ([0, 1], [1, 1, 0, 0], True), ([0, 0], [1, 1, 1, 1], True)],
)  # fmt: skip
def test_both_error_rates_count_by_weight(missed, alarms, told):
    """Two positives, of which the first weighs 2 and the other 3, and four negatives."""
    wrong = np.array(missed + alarms, dtype=bool)
    own = np.array([1, 1, 0, 0, 0, 0], dtype=np.uint8)
    weight = np.array([2.0, 3.0, 1.0, 1.0, 1.0, 1.0])
    scores = np.where(wrong ^ (own == 1), 0.5, -0.5)
    target = SimpleNamespace(
        sign=own[:, np.newaxis], repeats=np.ones(6, dtype=np.int64), log_prior=np.log(weight)
    )
    own_scores = SimpleNamespace(full=lambda: scores[:, np.newaxis])
    rows = SimpleNamespace(only=SimpleNamespace(target=target, scores=own_scores))
    said = LPBoostClassifier()._no_better_than_constant(SimpleNamespace(rows=rows))
    rates = weight[:2][wrong[:2]].sum() / 5 + wrong[2:].mean()
    assert told == (rates >= 1) == said.startswith(NO_BETTER)
