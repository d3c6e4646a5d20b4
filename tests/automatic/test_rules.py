"""Thresholds and costs of the classifier without parameters: what they need, do and say."""

import numpy as np
import pytest

import underdog
from tests.automatic.given import rare
from underdog import Costs, ThresholdClassifier, UnderdogClassifier
from underdog.automatic.decision import about_decision, written

MOST_PROBABLE = "The most probable class is predicted."


def two_labels():
    X, y = rare()
    return X, np.column_stack([y, X[:, 0] > 0])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"threshold": "f1"},
            "threshold='f1' is for two classes, but y has 2 labels per row: use threshold=None, "
            "or fit one model for each label",
        ),
        (
            {"costs": Costs(fn=2, fp=1)},
            "costs=Costs(fn=2, fp=1) are for one class per row, but y has 2 labels per row: leave "
            "costs out, or fit one model for each label",
        ),
    ],
)
def test_rules_for_two_classes_are_refused_for_several_labels(given, message):
    with pytest.raises(ValueError) as error:
        UnderdogClassifier(**given).fit(*two_labels())
    assert str(error.value) == message


def test_a_threshold_needs_left_out_rows():
    X, y = [[0.0], [1.0], [2.0]], ["a", "a", "b"]
    message = (
        r"threshold=\('recall', 0.9\) is chosen on left-out rows, but no row (of '.' )?could be "
        "left out: give more different rows of each class, or use threshold=None"
    )
    with pytest.raises(ValueError, match=message):
        UnderdogClassifier(threshold=("recall", 0.9)).fit(X, y)
    assert UnderdogClassifier().fit(X, y).choices_[2] == MOST_PROBABLE


def test_auto_has_no_threshold_where_all_rows_would_be_of_one_class():
    X, y = rare(60)
    model = UnderdogClassifier().fit(X, y)  # without a warning
    assert model.booster_.blend_["rounds"] == model.booster_.blend_["weight"] == 0
    assert model.choices_[1].startswith("No trees and no linear model: nothing was better on left")
    assert model.choices_[2] == MOST_PROBABLE
    assert not model.predict(X).any()
    with pytest.warns(underdog.UnderdogWarning, match="every example is predicted to be 1"):
        ruled = UnderdogClassifier(threshold="f1").fit(X, y)
    assert ruled.choices_[2].startswith("1 is predicted for every row, chosen by 'f1' on left-out")


def test_costs_need_no_left_out_rows():
    X, y = [[0.0], [1.0], [2.0]], ["a", "a", "b"]
    model = UnderdogClassifier(costs=Costs(fn=1e9, fp=1)).fit(X, y)
    assert model.predict(X).tolist() == ["b", "b", "b"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "best",
            "threshold='best' must be 'f1', ('fbeta', b), ('precision', p), ('recall', r), "
            "('alarms', number or share), or None or 'auto'",
        ),
        (("recall", 2.0), "threshold: recall=2.0 must be a share above 0 and at most 1"),
        (("fbeta", -1), "threshold: fbeta=-1 must be"),
        (("alarms", 0), "threshold: alarms=0 must be"),
    ],
)
def test_messages_name_the_parameter(given, message):
    X, y = rare(60)
    with pytest.raises(ValueError) as error:
        UnderdogClassifier(threshold=given).fit(X, y)
    assert str(error.value).startswith(message)


def test_the_last_sentence_follows_a_prevalence():
    X, y = rare()
    model = UnderdogClassifier(threshold="f1").fit(X[::2], y[::2])
    before, says = list(model.choices_), model.describe(3)
    moved = underdog.with_prevalence(model, {1: 0.5})
    assert model.choices_ == before
    assert model.describe(3) == says
    assert moved.choices_[:2] == before[:2]
    predicted = moved.predict(X) == 1
    limit = float(moved.choices_[2].split("above ")[1].split(",")[0])
    probability = moved.predict_proba(X)[:, 1]
    assert probability[predicted].min() > limit - 0.001
    assert probability[~predicted].max() < limit + 0.001
    assert "on left-out rows, weighted for a share of 0.5: F1 " in moved.choices_[2]
    assert moved.choices_[2] in moved.describe(3)


def test_the_last_sentence_follows_a_recalibration(tmp_path):
    X, y = rare()
    model = UnderdogClassifier(threshold="f1").fit(X[::2], y[::2])
    before = list(model.choices_)
    again = underdog.recalibrate(model, X[1::2], y[1::2])
    assert model.choices_ == before
    predicted = again.predict(X) == 1
    limit = float(again.choices_[2].split("above ")[1].split(",")[0])
    probability = again.predict_proba(X)[:, 1]
    assert probability[predicted].min() > limit - 0.001
    assert probability[~predicted].max() < limit + 0.001
    again.save(tmp_path / "model.udg")
    assert underdog.load(tmp_path / "model.udg").choices_ == again.choices_


@pytest.mark.parametrize(
    ("threshold", "start"),
    [
        (-np.inf, "1 is predicted for every row, chosen by 'f1'"),
        (np.inf, "1 is predicted for no row, chosen by 'f1'"),
        (-800.0, "1 is predicted if its score is above -800, chosen by 'f1'"),
        (8.5, "1 is predicted if its probability is above 0.999797, chosen by 'f1'"),
        (-9.0, "1 is predicted if its probability is above 0.000123, chosen by 'f1'"),
    ],
)
def test_a_limit_near_zero_or_one(threshold, start):
    X, y = rare()
    decider = UnderdogClassifier(threshold="f1").fit(X, y).estimator_
    assert isinstance(decider, ThresholdClassifier)
    decider.threshold_ = decider.curve_["threshold"][3] = threshold
    assert about_decision(decider).startswith(start)


def test_a_limit_has_digits_enough():
    assert [written(p) for p in (0.5, 0.98, 0.99, 0.9999)] == ["0.5", "0.98", "0.99", "0.9999"]


def test_costs_of_new_rows():
    X, y = rare()
    plain, costly = UnderdogClassifier().fit(X, y), UnderdogClassifier(costs=Costs(fn=5, fp=1))
    costly.fit(X, y)
    own = np.where(X[:, 0] > 0, 50.0, 1.0)
    costs = Costs(fn=own, fp=1.0)
    for model in (plain, costly):
        predicted = model.predict(X, costs=costs)
        np.testing.assert_array_equal(predicted == 1, model.predict_proba(X)[:, 1] > 1 / (1 + own))
    same = Costs(fn=5, fp=1)
    np.testing.assert_array_equal(plain.predict(X, costs=same), costly.predict(X))
    names = np.where(y == 1, "bad", "good")
    named = UnderdogClassifier(pos_label="bad").fit(X, names)
    probability = named.predict_proba(X)[:, 0]
    np.testing.assert_array_equal(
        named.predict(X, costs=costs) == "bad", probability > 1 / (1 + own)
    )


def test_costs_per_row_belong_to_predict():
    X, y = rare(60)
    with pytest.raises(ValueError, match=r"costs per example.*pass those of the new rows to pred"):
        UnderdogClassifier(costs=Costs(fn=np.ones(60), fp=1)).fit(X, y)
    model = UnderdogClassifier().fit(X, y)
    with pytest.raises(TypeError, match="costs=3 must be a Costs object"):
        model.predict(X, costs=3)
    labels = UnderdogClassifier().fit(*two_labels())
    with pytest.raises(ValueError, match="the model predicts 2 labels per row: leave costs out"):
        labels.predict(X, costs=Costs(fn=2, fp=1))
