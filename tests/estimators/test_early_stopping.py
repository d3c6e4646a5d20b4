"""Early stopping: which rows, which score, which rounds are kept."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    f1_score,
    log_loss,
    recall_score,
    roc_auc_score,
)

from tests.estimators.small import (
    EXPONENTIAL,
    assert_one_entry_per_round,
    assert_same_model,
    assert_same_optimum,
    each_booster,
    each_corrective,
    getting_worse,
    make,
    noisy,
    stages,
    three_classes,
    two_kinds,
    unfinished,
)
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    AdaUBoostClassifier,
    GradientBoostingClassifier,
    Table,
)
from underdog.data.draws import Draw
from underdog.masters.groups import soft_margin


def loss_scorer(model, X, y):
    """Minus the mean exponential loss, as a callable."""
    sign = np.where(y == model.classes_[1], 1.0, -1.0)
    return -float(np.exp(-sign * model.decision_function(X)).mean())


def expected_scores(scoring, model, X, y):
    """What the validation score must have been after each round."""
    margins = stages(model, X)
    if scoring == "accuracy":
        return [accuracy_score(y, model.classes_[(f > 0).astype(int)]) for f in margins]
    if scoring == "roc_auc":
        return [roc_auc_score(y, f) for f in margins]
    sign = np.where(y == model.classes_[1], 1.0, -1.0)
    return [-np.exp(-sign * f).mean() for f in margins]


@two_kinds
@pytest.mark.parametrize("scoring", ["loss", "accuracy", "roc_auc", loss_scorer])
def test_early_stopping_with_given_data(scoring, learner):
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    shared = {"learner": learner, "scoring": scoring}
    model = AdaBoostClassifier(
        n_estimators=150, early_stopping=True, n_iter_no_change=6, **shared
    ).fit(X, y, X_val=X_val, y_val=y_val)
    rounds = len(model.history_["z"])
    whole = AdaBoostClassifier(n_estimators=rounds, **shared).fit(X, y)
    scores = model.history_["validation_score"]
    np.testing.assert_allclose(scores, expected_scores(scoring, whole, X_val, y_val), rtol=1e-12)
    best = 1
    for number, score in enumerate(scores, start=1):
        best = number if score > scores[best - 1] + 1e-7 else best
    assert (model.n_iter_, rounds) == (best, best + 6)
    assert model.stop_reason_ == (
        f"the validation score has not risen for 6 rounds: kept {best} round{'s' * (best > 1)}"
    )
    assert_one_entry_per_round(model, rounds)
    kept = AdaBoostClassifier(learner=learner, n_estimators=best).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), kept.decision_function(X))
    assert len(stages(model, X)) == best
    np.testing.assert_array_equal(model.feature_importances_, kept.feature_importances_)


def expected_margins(scoring, model, X, y):
    """As `expected_scores`, where the loss is minus the soft margin."""
    if scoring != "loss":
        return expected_scores(scoring, model, X, y)
    beta = getattr(model, "beta", 1.0)
    share = np.where(y == 1, beta, 1.0) / len(y) / model._make_loss().nu
    sign = np.where(y == 1, 1.0, -1.0)
    return [soft_margin(sign * f, np.zeros(len(y)), share) for f in stages(model, X)]


@each_corrective
@pytest.mark.parametrize("scoring", ["loss", "accuracy"])
@unfinished
def test_early_stopping_of_coefficients_found_anew(booster, scoring):
    """The coefficients of the round that is kept come back."""
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    shared = {"learner": "discrete", "scoring": scoring}
    model = make(booster, n_estimators=30, early_stopping=True, n_iter_no_change=6, **shared)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    rounds = len(model.history_["loss"])
    scores = model.history_["validation_score"]
    assert_one_entry_per_round(model, rounds)
    watched = make(booster, n_estimators=rounds, **shared).fit(X, y, X_val=X_val, y_val=y_val)
    np.testing.assert_array_equal(watched.history_["validation_score"], scores)
    # The last stage of a model that did not converge is settled after it was scored.
    wanted = expected_margins(scoring, watched, X_val, y_val)
    np.testing.assert_allclose(scores[:-1], wanted[:-1], rtol=0, atol=1e-9)
    best = 1
    for number, score in enumerate(scores, start=1):
        best = number if score > scores[best - 1] + 1e-8 else best
    assert model.n_iter_ == best < rounds <= best + 6
    assert f"kept {best} round" in model.stop_reason_
    kept = make(booster, n_estimators=best, learner="discrete").fit(X, y)
    # Rules that were dropped have told examples apart, which decides between equal optima.
    assert_same_optimum(model, kept, atol=1e-8)
    np.testing.assert_allclose(stages(model, X), stages(kept, X), rtol=0, atol=1e-8)
    for name in ("soft_margin", "minimum_margin", "primal_value", "training_error"):
        assert model.certificate_[name] == pytest.approx(kept.certificate_[name], abs=1e-8)


@each_booster
@unfinished
def test_early_stopping_with_a_fraction(booster):
    X, y = noisy(300)
    rounds = 100 if booster in EXPONENTIAL else 20  # what they do with them is not the point
    shared = {"early_stopping": True, "validation_fraction": 0.25, "random_state": 3, "cv": None}
    model = make(booster, n_estimators=rounds, **shared).fit(X, y)
    again = make(booster, n_estimators=rounds, **shared).fit(X, y)
    assert_same_model(model, again, X)
    assert 1 <= model.n_iter_ <= rounds
    assert_one_entry_per_round(model, len(model.history_["loss"]))
    assert len(model.history_["validation_score"]) >= model.n_iter_
    whole = make(booster, n_estimators=model.n_iter_).fit(X, y)
    assert not np.array_equal(whole.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("scoring", ["loss", "accuracy", "roc_auc_ovr", "neg_log_loss"])
def test_early_stopping_with_several_classes(scoring):
    X, y = three_classes(200)
    model = AdaBoostMHClassifier(
        n_estimators=30, early_stopping=True, scoring=scoring, random_state=0
    ).fit(X, np.array(["a", "b", "c"])[y])
    assert model.n_iter_ >= 1
    assert np.isfinite(model.history_["validation_score"]).all()


def test_early_stopping_with_several_labels():
    X, y = three_classes(200)
    Y = np.column_stack([y == 0, y >= 1]).astype(int)
    model = AdaBoostMHClassifier(n_estimators=30, early_stopping=True, random_state=0).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    given = AdaBoostMHClassifier(n_estimators=30, early_stopping=True, scoring="accuracy")
    given.fit(X, Y, X_val=X, y_val=Y)
    assert given.history_["validation_score"][-1] == pytest.approx(given.score(X, Y), abs=0.05)


def test_validation_data_without_early_stopping_are_only_watched():
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    model = AdaBoostClassifier(n_estimators=40, n_iter_no_change=1)
    model.fit(X, y, X_val=X_val, y_val=y_val)
    assert (model.n_iter_, model.stop_reason_) == (40, "all rounds done")
    assert_one_entry_per_round(model, 40)
    assert_same_model(model, AdaBoostClassifier(n_estimators=40).fit(X, y), X)


def test_a_scorer_sees_the_validation_data():
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    seen = []

    def scorer(model, X, y):
        seen.append((np.asarray(X).copy(), np.asarray(y).copy()))
        return accuracy_score(y, model.predict(X))

    AdaBoostClassifier(n_estimators=2, scoring=scorer).fit(X, y, X_val=X_val, y_val=y_val)
    assert len(seen) == 2
    np.testing.assert_array_equal(seen[0][1], y_val)
    np.testing.assert_array_equal(seen[0][0], X_val)


def test_the_reason_tells_how_many_rounds_were_kept():
    """Also where the rounds ran out before patience did."""
    (X, y), worse = noisy(), noisy(40, seed=1)
    model = AdaBoostClassifier(n_estimators=5, early_stopping=True, scoring=getting_worse())
    model.fit(X, y, X_val=worse[0], y_val=worse[1])
    assert model.n_iter_ == 1
    assert "kept 1 round" in model.stop_reason_


def test_a_score_that_is_not_a_number():
    """It cannot rise, so it must not be said that rounds were kept because of it."""
    X, y = noisy()
    model = AdaBoostClassifier(
        n_estimators=30, early_stopping=True, n_iter_no_change=4, scoring=lambda *_: np.nan
    ).fit(X, y, X_val=X, y_val=y)
    assert model.n_iter_ >= 1
    kept = re.search(r"kept (\d+) round", model.stop_reason_)
    assert kept is None or int(kept.group(1)) == model.n_iter_


def test_the_certificate_is_that_of_the_rounds_kept():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=80, early_stopping=True, n_iter_no_change=20)
    model.fit(X, y, X_val=noisy(40, seed=2)[0], y_val=noisy(40, seed=2)[1])
    assert model.n_iter_ < len(model.history_["z"])
    kept = AdaBoostClassifier(n_estimators=model.n_iter_).fit(X, y)
    found = {**model.certificate_, "new_examples_by_rounds": 0.0}  # more rounds were allowed
    wanted = {**kept.certificate_, "new_examples_by_rounds": 0.0}
    assert found == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize("seed", range(8))
def test_holding_rows_out_does_not_lose_a_class(seed):
    """A class with one example is for learning, not for validating."""
    X, _ = noisy(60)
    y = np.repeat(["a", "b", "rare"], [30, 29, 1])
    model = AdaBoostClassifier(n_estimators=3, early_stopping=True, random_state=seed).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "rare"]


def test_validation_rows_that_weigh_nothing_do_not_count():
    X, y = noisy()
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    shared = {"n_estimators": 20, "early_stopping": True, "random_state": 0}
    model = AdaBoostClassifier(**shared).fit(X, y, sample_weight=weight)
    kept = AdaBoostClassifier(**shared).fit(X[weight > 0], y[weight > 0])
    assert_same_model(model, kept, X)


@pytest.mark.parametrize("beta", [0.5, 1.0, 5.0])
def test_the_validation_loss_is_the_one_that_is_minimised(beta):
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaUBoostClassifier(beta=beta, n_estimators=10, pos_label=0)
    history = model.fit(X, y, X_val=X, y_val=y).history_
    assert np.allclose(-history["validation_score"], history["loss"], rtol=1e-9)


def rare_class(rows=300, positives=15, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(rows) < positives).astype(int)
    X = rng.normal(size=(rows, 5)) + y[:, np.newaxis] * np.array([1.5, 0.8, 0.0, 0.0, 0.0])
    return X, y


def test_few_examples_of_a_class_make_folds():
    X, y = rare_class(positives=20)
    model = AdaBoostClassifier(n_estimators=60, learning_rate=0.1, early_stopping=True).fit(X, y)
    assert model.stop_reason_.endswith(
        f"kept {model.n_iter_} rounds, chosen by 5-fold cross-validation, because a hold-out of "
        "0.1 has only 2 examples of class 1"
    )
    assert_one_entry_per_round(model, model.n_iter_)
    # The model itself is fitted on all rows.
    whole = AdaBoostClassifier(n_estimators=model.n_iter_, learning_rate=0.1).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), whole.decision_function(X))


@pytest.mark.parametrize("scoring", ["loss", "roc_auc", "neg_log_loss"])
def test_the_score_of_a_round_is_that_of_all_rows_out_of_fold(scoring):
    X, y = rare_class()
    shared = {"early_stopping": True, "cv": 3, "scoring": scoring, "n_iter_no_change": 100}
    model = AdaBoostClassifier(n_estimators=12, **shared).fit(X, y)
    fold = Draw(Table.from_data(X), y, np.ones(len(y), dtype=np.int64), 0).folds(3)
    staged = np.empty((12, len(y)))
    for number in range(3):
        own = AdaBoostClassifier(n_estimators=12).fit(X[fold != number], y[fold != number])
        staged[:, fold == number] = stages(own, X[fold == number])
    if scoring == "loss":
        scores = [-np.exp(-np.where(y == 1, 1, -1) * f).mean() for f in staged]
    elif scoring == "roc_auc":
        scores = [roc_auc_score(y, f) for f in staged]
    else:
        scores = [-log_loss(y, 1.0 / (1.0 + np.exp(-2.0 * f))) for f in staged]
    assert model.n_iter_ == int(np.argmax(scores)) + 1
    np.testing.assert_allclose(
        model.history_["validation_score"], scores[: model.n_iter_], rtol=1e-9
    )


def test_the_loss_of_several_classes_out_of_fold_is_the_one_that_is_minimised():
    X, y = three_classes()
    shared = {"n_estimators": 8, "max_depth": 2}
    model = GradientBoostingClassifier(early_stopping=True, cv=3, n_iter_no_change=99, **shared)
    model.fit(X, y)
    codes = np.searchsorted(model.classes_, y)
    fold = Draw(Table.from_data(X), codes, np.ones(len(y), dtype=np.int64), 0).folds(3)
    staged = np.empty((8, len(y), 3))
    for number in range(3):
        own = GradientBoostingClassifier(**shared).fit(X[fold != number], y[fold != number])
        staged[:, fold == number] = list(own.staged_predict_proba(X[fold == number]))
    losses = [log_loss(y, each) for each in staged]
    np.testing.assert_allclose(
        model.history_["validation_score"], np.negative(losses[: model.n_iter_]), rtol=1e-9
    )


@pytest.mark.parametrize("rows", [300, 900])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_rows_that_are_held_out_follow_from_their_contents(rows, form):
    """With folds, and with a share of the rows: the same bits in another order or form."""
    X, y = rare_class(rows, positives=rows // 3)
    model = AdaBoostClassifier(n_estimators=30, early_stopping=True).fit(X, y)
    assert ("5-fold" in model.stop_reason_) == (rows == 300)
    order = np.random.default_rng(1).permutation(rows)
    again = AdaBoostClassifier(n_estimators=30, early_stopping=True).fit(form(X[order]), y[order])
    assert_same_model(model, again, X)
    np.testing.assert_array_equal(
        model.history_["validation_score"], again.history_["validation_score"]
    )


def test_folds_go_on_with_a_warm_start():
    X, y = rare_class(seed=4)
    shared = {"early_stopping": True, "cv": 4, "n_iter_no_change": 15, "learning_rate": 0.1}
    one = AdaBoostClassifier(n_estimators=60, **shared).fit(X, y)
    two = AdaBoostClassifier(n_estimators=3, warm_start=True, **shared).fit(X, y)
    assert two.n_iter_ <= 3 < one.n_iter_
    two.set_params(n_estimators=60).fit(X, y)
    assert_same_model(one, two, X)
    assert one.stop_reason_ == two.stop_reason_


@each_corrective
@unfinished
def test_folds_with_coefficients_found_anew(booster):
    X, y = rare_class(120, positives=30)
    model = make(booster, n_estimators=6, early_stopping=True, cv=2).fit(X, y)
    assert 1 <= model.n_iter_ <= 6
    assert "chosen by 2-fold cross-validation" in model.stop_reason_ or model.converged_


def test_rows_that_cannot_be_held_out():
    with pytest.raises(ValueError, match="early stopping needs two different rows of a class"):
        AdaBoostClassifier(early_stopping=True).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("cv", [1, 0, -3, 2.5, "five", True])
def test_numbers_of_folds_that_make_no_sense(cv):
    with pytest.raises(ValueError, match="cv="):
        AdaBoostClassifier(early_stopping=True, cv=cv).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("positives", [20, 280])
def test_a_rare_class_is_judged_by_its_ranking(positives):
    """Whichever of the two classes is the rare one."""
    X, y = rare_class(positives=positives)
    shared = {"n_estimators": 25, "early_stopping": True}
    model = AdaBoostClassifier(**shared).fit(X, y)
    same = AdaBoostClassifier(scoring="ranking", cv=5, **shared).fit(X, y)
    np.testing.assert_array_equal(stages(model, X), stages(same, X))
    score = model.history_["validation_score"]
    np.testing.assert_array_equal(score, same.history_["validation_score"])
    fold = Draw(Table.from_data(X), y, np.ones(len(y), dtype=np.int64), 0).folds(5)
    first = np.empty(len(y))
    for number in range(5):
        own = AdaBoostClassifier(n_estimators=1).fit(X[fold != number], y[fold != number])
        first[fold == number] = own.decision_function(X[fold == number])
    rare = (y == 1) if positives < 150 else (y == 0)
    expected = average_precision_score(rare, first if positives < 150 else -first)
    assert score[0] == pytest.approx(expected, abs=1e-12)


def test_several_classes_are_judged_by_their_mean_ranking():
    X, y = three_classes(200)
    model = AdaBoostMHClassifier(n_estimators=5, early_stopping=True).fit(X, y)
    assert "chosen by 5-fold cross-validation" in model.stop_reason_
    scores = model.history_["validation_score"]
    assert ((scores > 0.3) & (scores <= 1.0)).all()


@pytest.mark.parametrize("cv", [None, 5])
def test_equal_rows_with_different_labels_do_not_end_the_run_early(cv):
    """If they were on both sides, validation rows would contradict what was learned of them."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (3000, 4)).astype(float)
    chance = 1.0 / (1.0 + np.exp(1.0 - X @ np.array([1.0, -1.0, 0.5, 2.0])))
    y = (rng.random(3000) < chance).astype(int)
    for seed in range(4):
        model = GradientBoostingClassifier(
            n_estimators=100, early_stopping=True, cv=cv, random_state=seed
        ).fit(X, y)
        assert model.n_iter_ > 9


@pytest.mark.parametrize("pos_label", ["n", "p"])
@pytest.mark.parametrize("score", [recall_score, f1_score, average_precision_score])
def test_scores_of_one_class_are_those_of_the_positive_class(score, pos_label):
    (X, y), (X_val, y_val) = noisy(), noisy(80, seed=1)
    name = score.__name__.removesuffix("_score")
    model = AdaBoostClassifier(
        n_estimators=15, early_stopping=True, scoring=name, pos_label=pos_label
    ).fit(X, np.where(y, "p", "n"), X_val=X_val, y_val=np.where(y_val, "p", "n"))
    said = model.predict(X_val)
    if name == "average_precision":
        said = model.decision_function(X_val) * (1.0 if pos_label == "p" else -1.0)
    wanted = score(np.where(y_val, "p", "n"), said, pos_label=pos_label)
    assert model.history_["validation_score"][model.n_iter_ - 1] == pytest.approx(wanted)
