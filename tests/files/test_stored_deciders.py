"""Deciders, vectorizers, pipelines and costs in files."""

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tests.files.models import classes, numbers, samples, texts, two_classes
from underdog import (
    AdaBoostClassifier,
    CalibratedAdaMECClassifier,
    Costs,
    CostSensitiveClassifier,
    TermVectorizer,
    ThresholdClassifier,
    UnderdogWarning,
)
from underdog.files import CannotStore, load, save
from underdog.files.store import to_bytes

X = numbers()
BOOST = AdaBoostClassifier(n_estimators=4)
COSTS = Costs.matrix({"no": {"yes": 3}, "yes": {"no": 1}})


def again(model, tmp_path):
    """The model from its file, whose bytes are the same when it is saved again."""
    save(model, tmp_path / "first.udg")
    loaded = load(tmp_path / "first.udg")
    assert to_bytes(loaded) == to_bytes(model)
    return loaded


def assert_same(model, other, rows):
    assert type(other) is type(model)
    for method in ("decision_function", "predict", "predict_proba"):
        if hasattr(model, method):
            assert getattr(other, method)(rows).tobytes() == getattr(model, method)(rows).tobytes()


@pytest.mark.parametrize(
    "decider",
    [
        CostSensitiveClassifier(BOOST, Costs(fn=9, fp=1), cv=2),
        CostSensitiveClassifier(BOOST, COSTS, cv=2, calibration="isotonic"),
        CostSensitiveClassifier(BOOST, calibration=None, pos_label="no"),
        CalibratedAdaMECClassifier(Costs(fn=2, fp=1), n_estimators=3, cv=3),
        ThresholdClassifier(BOOST, ("recall", 0.9), cv=2),
        ThresholdClassifier(BOOST, COSTS, cv=2, pos_label="no"),
        ThresholdClassifier(make_pipeline("passthrough", BOOST), cv=2),
        CostSensitiveClassifier(ThresholdClassifier(BOOST, cv=2), cv=2),
    ],
    ids=repr,
)
def test_deciders(decider, tmp_path):
    decider.fit(X, two_classes(X))
    loaded = again(decider, tmp_path)
    assert_same(decider, loaded, X)
    assert repr(loaded) == repr(decider)
    if isinstance(decider, ThresholdClassifier):
        assert loaded.threshold_ == decider.threshold_
        assert {k: v.tobytes() for k, v in loaded.curve_.items()} == {
            k: v.tobytes() for k, v in decider.curve_.items()
        }


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic", None])
def test_deciders_of_three_classes(calibration, tmp_path):
    decider = CostSensitiveClassifier(BOOST, calibration=calibration, cv=2).fit(X, classes(X))
    assert_same(decider, again(decider, tmp_path), X)


def test_other_costs_after_loading(tmp_path):
    decider = CostSensitiveClassifier(BOOST, Costs(fn=9, fp=1), cv=2).fit(X, two_classes(X))
    loaded = again(decider, tmp_path)
    dear = Costs(fn=1, fp=30)
    assert loaded.predict(X, costs=dear).tolist() == decider.predict(X, costs=dear).tolist()


def test_a_decider_that_was_settled(tmp_path):
    y = two_classes(X)
    fitted = AdaBoostClassifier(n_estimators=4).fit(X, y)
    scores = fitted.decision_function(X)
    for decider in (ThresholdClassifier(), CostSensitiveClassifier()):
        decider.fit_from_scores(fitted, scores, y)
        assert_same(decider, again(decider, tmp_path), X)


def test_folds_of_a_splitter_are_left_out(tmp_path):
    decider = ThresholdClassifier(BOOST, cv=StratifiedKFold(2)).fit(X, two_classes(X))
    with pytest.warns(UnderdogWarning, match="cv=StratifiedKFold"):
        save(decider, tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    assert loaded.cv == 5
    assert_same(decider, loaded, X)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"stemmer": "porter", "stop_words": "english", "ngram_range": (1, 3)},
        {"max_gap": 2, "digits": "mask", "punctuation": "keep", "binary": False, "dtype": np.int64},
        {"stop_words": {"the", "in"}, "lowercase": False, "dtype": "float64"},
        {"vocabulary": ["oil", "wheat"]},
        {"vocabulary": {"wheat": 1, "oil": 0}},
    ],
    ids=lambda given: "-".join(given),
)
def test_vectorizers(options, tmp_path):
    documents, _ = texts()
    vectorizer = TermVectorizer(**options).fit(documents)
    vectorizer.save(tmp_path / "terms.udg")
    loaded = load(tmp_path / "terms.udg")
    assert to_bytes(loaded) == to_bytes(vectorizer)
    expected, got = vectorizer.transform(documents), loaded.transform(documents)
    assert got.dtype == expected.dtype
    assert (got != expected).nnz == 0
    assert list(loaded.vocabulary_.items()) == list(vectorizer.vocabulary_.items())
    assert loaded._forms == vectorizer._forms
    for term in list(vectorizer.vocabulary_)[:5]:
        assert loaded.find(term, documents[0]) == vectorizer.find(term, documents[0])


def test_half_a_surrogate_pair_is_a_word_like_others(tmp_path):
    vectorizer = TermVectorizer(punctuation="keep").fit(["a \ud800 b", "c"])
    assert again(vectorizer, tmp_path).vocabulary_ == vectorizer.vocabulary_


def test_raw_rows_go_into_a_pipeline(tmp_path):
    model, documents = samples()["text"]
    loaded = again(model, tmp_path)
    assert_same(model, loaded, documents)
    assert loaded[0].forms("harvest") == ["harvest"]
    assert loaded[-1].describe() == model[-1].describe()


def test_terms_that_reach_too_far_are_refused(tmp_path):
    vectorizer = TermVectorizer(max_gap=500).fit(["a b", "b"])
    with pytest.raises(CannotStore, match="more than 100 words"):
        vectorizer.save(tmp_path / "terms.udg")


@pytest.mark.parametrize(
    "costs",
    [
        Costs(fn=20, fp=1),
        Costs(fn=[1.0, 2.0], fp=1, tp=-1),
        COSTS,
        Costs.matrix(np.ones((3, 2, 2)) - np.eye(2), [1, 2]),
        Costs.per_label({"a": Costs(fn=1, fp=2), "b": Costs(fn=1, fp=2, tn=0.5)}),
    ],
    ids=repr,
)
def test_costs(costs, tmp_path):
    assert again(costs, tmp_path) == costs


REFUSED = [
    (AdaBoostClassifier(learner=DecisionTreeClassifier(max_depth=1), n_estimators=2),
     "DecisionTreeClassifier"),
    (LogisticRegression(), "LogisticRegression"),
    (ThresholdClassifier(LogisticRegression(), cv=2), "LogisticRegression"),
    (make_pipeline(StandardScaler(), AdaBoostClassifier(n_estimators=4)), "StandardScaler"),
    (ColumnTransformer([("all", StandardScaler(), [0])]), "ColumnTransformer"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "name"), REFUSED, ids=lambda x: x if isinstance(x, str) else "")
def test_classes_of_other_libraries_are_refused_before_anything_is_written(model, name, tmp_path):
    model.fit(np.nan_to_num(X), two_classes(X))
    with pytest.raises(CannotStore, match=rf"{name}.*(skops|pickle)"):
        save(model, tmp_path / "model.udg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(),
        ThresholdClassifier(),
        TermVectorizer(),
        Pipeline([("boost", BOOST)]),
        make_pipeline(TermVectorizer(), AdaBoostClassifier().fit([[0], [1]], [0, 1])),
    ],
    ids=lambda model: type(model).__name__,
)
def test_what_is_not_fitted_is_refused(model, tmp_path):
    with pytest.raises(NotFittedError, match="call fit first"):
        save(model, tmp_path / "model.udg")
    assert not list(tmp_path.iterdir())


def test_a_fitted_estimator_that_was_given_is_stored_without_what_it_learned(tmp_path):
    given = AdaBoostClassifier(n_estimators=4).fit(X, two_classes(X))
    fresh = ThresholdClassifier(BOOST, cv=2).fit(X, two_classes(X))
    decider = ThresholdClassifier(given, cv=2).fit(X, two_classes(X))
    assert len(to_bytes(decider)[0]) == len(to_bytes(fresh)[0])
    loaded = again(decider, tmp_path)
    assert not hasattr(loaded.estimator, "model_")
