"""The booster is found in whatever it is inside of, and what cannot be explained says why."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from tests.inspection.explained import SPAM, TEXTS, forms, targets
from underdog import (
    AdaBoostClassifier,
    Costs,
    CostSensitiveClassifier,
    LPBoostClassifier,
    TermVectorizer,
    ThresholdClassifier,
)
from underdog.frames.encoder import FrameEncoder
from underdog.inspection import contributions, hardest, rules, rules_needed, shapes
from underdog.inspection.unwrap import unwrap

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")


def booster():
    return AdaBoostClassifier(n_estimators=4)


def test_what_it_is_inside_of():
    X, y = np.nan_to_num(forms()["dense"]), targets()["two"]
    numbers = make_pipeline(StandardScaler(), booster())
    for model in (
        booster(),
        make_pipeline(booster()),
        numbers,
        make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), booster())),
        GridSearchCV(numbers, {"adaboostclassifier__n_estimators": [2, 3]}, cv=2),
        CalibratedClassifierCV(booster(), ensemble=False, cv=2),
        TunedThresholdClassifierCV(booster(), cv=2),
        CostSensitiveClassifier(GridSearchCV(numbers, {}, cv=2), cv=2),
        FrozenEstimator(booster().fit(X, y)),
        CalibratedClassifierCV(FrozenEstimator(booster().fit(X, y))),
        CalibratedClassifierCV(FrozenEstimator(clone(numbers).fit(X, y))),
        FixedThresholdClassifier(booster()),
    ):
        model.fit(X, y)
        found = contributions(model, X)
        assert isinstance(found.explained.booster, AdaBoostClassifier)
        np.testing.assert_array_equal(found.predicted, model.predict(X))
        table = found.explained.table(X)
        np.testing.assert_array_equal(
            found.decision, found.explained.booster.decision_function(table)
        )


def test_names_come_from_the_data_or_from_transformers():
    frame, y = forms()["frame"][["size", "count"]], targets()["two"]
    frame = frame.fillna(0.0)
    scaled = make_pipeline(StandardScaler(), booster())
    chosen = make_pipeline(make_column_transformer((StandardScaler(), ["count"])), booster())
    silent = make_pipeline(FunctionTransformer(lambda X: X.to_numpy()), booster())
    for model, names in (
        (booster(), ("size", "count")),
        (scaled, ("size", "count")),
        (chosen, ("standardscaler__count",)),
        (silent, None),
    ):
        assert unwrap(model.fit(frame, y)).feature_names == names
    assert unwrap(scaled, ["a", "b"]).feature_names == ("a", "b")
    assert {shape.name for shape in shapes(silent)} <= {"x0", "x1"}


def test_terms_are_named():
    model = make_pipeline(TermVectorizer(), booster()).fit(TEXTS, SPAM)
    assert "see present" in rules(model).text()
    assert "see" in [shape.name for shape in shapes(model)]


def test_frames_of_all_kinds():
    """An encoder makes a table with names; every explanation uses them."""
    rng = np.random.default_rng(0)
    words = ["free", "prize", "see", "you", "home", "call", "me", "now", "please", "tomorrow"]
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 90),
            "town": rng.choice(["Bonn", "Köln"], 90),
            "body": [" ".join(rng.choice(words, 6)) for _ in range(90)],
        }
    )
    y = np.where(frame["body"].str.contains("prize") | (frame["age"] > 60), "yes", "no")
    model = make_pipeline(FrameEncoder(), AdaBoostClassifier(n_estimators=12)).fit(frame, y)
    found = contributions(model, frame)
    np.testing.assert_array_equal(found.decision, model.decision_function(frame))
    names = [shape.name for shape in shapes(model)]
    assert "age" in names
    assert any("prize" in name for name in names)
    assert rules_needed(model, frame, y).best == 1.0
    assert len(hardest(model, frame, y)) == 10


@pytest.mark.parametrize("inner", ["no", "yes"])
@pytest.mark.parametrize("outer", ["no", "yes"])
def test_the_note_of_a_threshold_is_true(inner, outer):
    """Whichever class is positive inside or outside, the note speaks of the score that is shown."""
    X, y = forms()["dense"], targets()["two"]
    model = ThresholdClassifier(
        AdaBoostClassifier(n_estimators=4, pos_label=inner), ("recall", 0.9), pos_label=outer, cv=3
    ).fit(X, y)
    found = contributions(model, X)
    assert found.labels == [inner]
    (note,) = found.explained.notes
    threshold, score = float(note.split()[-1]), found.scores[:, 0]
    side = score > threshold if inner == outer else score < threshold
    where = "its score is above" if inner == outer else f"the score for {inner!r} is below"
    assert note.startswith(f"ThresholdClassifier: predicts {outer!r} if {where}")
    clear = np.abs(score - threshold) > 1e-4  # the note has six digits
    np.testing.assert_array_equal((model.predict(X) == outer)[clear], side[clear])


def test_other_notes():
    X, y = forms()["dense"], targets()["two"]
    costs = CostSensitiveClassifier(booster(), Costs(fn=5, fp=1), cv=2).fit(X, y)
    assert unwrap(costs).notes == (
        "CostSensitiveClassifier: predicts the class with the least expected cost "
        "(Costs(fn=5, fp=1)); probabilities are computed from scores by sigmoid calibration",
    )
    own = CostSensitiveClassifier(booster(), calibration=None).fit(X, y)
    note = "(all mistakes cost the same); probabilities are the booster's own"
    assert note in unwrap(own).notes[0]
    margins = CalibratedClassifierCV(LPBoostClassifier(nu=0.6), ensemble=False, cv=2).fit(X, y)
    assert unwrap(margins).notes == (
        "CalibratedClassifierCV: probabilities are computed from scores by sigmoid calibration",
    )
    of_probability = ThresholdClassifier(margins, cv=2).fit(X, y)
    assert "its probability by CalibratedClassifierCV is above" in unwrap(of_probability).notes[0]
    tuned = TunedThresholdClassifierCV(booster(), cv=2).fit(X, y)
    assert "predicts with a threshold of" in unwrap(tuned).notes[0]
    assert unwrap(FrozenEstimator(tuned)).notes == unwrap(tuned).notes
    fitted = booster().fit(X, y)
    fixed = FixedThresholdClassifier(fitted, threshold=0.95)
    for model in (fixed, clone(fixed).fit(X, y)):  # it decides with and without fit
        assert unwrap(model).notes == (
            "FixedThresholdClassifier: predicts with a threshold of 0.95",
        )
    assert unwrap(FixedThresholdClassifier(fitted)).notes == ()
    frozen = ThresholdClassifier(FrozenEstimator(fitted), cv=2).fit(X, y)
    assert "predicts 'yes' if its score is above" in unwrap(frozen).notes[0]


@pytest.mark.parametrize(
    "model",
    [
        booster(),
        make_pipeline(StandardScaler(), booster()),
        ThresholdClassifier(booster()),
        GridSearchCV(booster(), {}),
        GridSearchCV(booster(), {}, refit=False),
        CalibratedClassifierCV(booster()),
        FrozenEstimator(booster()),
        FixedThresholdClassifier(booster()),
    ],
    ids=lambda model: type(model).__name__,
)
def test_not_fitted(model):
    for explain in (rules, shapes):
        with pytest.raises(NotFittedError):
            explain(model)


def test_what_is_no_additive_model():
    X, y = np.nan_to_num(forms()["dense"]), targets()["two"]
    forest = RandomForestClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(TypeError, match="RandomForestClassifier is not a booster of underdog"):
        shapes(forest)
    bagged = BaggingClassifier(booster(), n_estimators=2).fit(X, y)
    with pytest.raises(TypeError, match="BaggingClassifier is not a booster of underdog"):
        shapes(bagged)
    voting = VotingClassifier([("one", booster())]).fit(X, y)
    with pytest.raises(TypeError, match="VotingClassifier is not a booster of underdog"):
        contributions(voting, X)
    with pytest.raises(TypeError, match="must be a fitted model"):
        rules("a model")
    with pytest.raises(TypeError, match="must be a fitted model"):
        rules(AdaBoostClassifier)
    several = CalibratedClassifierCV(booster(), cv=2).fit(X, y)
    with pytest.raises(TypeError, match=r"of 2 models.*fit it with ensemble=False"):
        shapes(several)
    search = GridSearchCV(booster(), {}, cv=2, refit=False).fit(X, y)
    with pytest.raises(TypeError, match=r"GridSearchCV was fitted with refit=False.*refit=True"):
        shapes(search)


def test_names_of_transformers_that_tell_nothing_apart():
    X, y = forms()["dense"], targets()["two"]
    same = FunctionTransformer(feature_names_out=lambda _, names: ["same"] * len(names))
    model = make_pipeline(same, booster()).fit(X, y)
    assert unwrap(model).feature_names is None
    assert "x0" in rules(model).text(None)
