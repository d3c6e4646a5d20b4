"""Labels judged by models fitted without them, beside the same by hand and by cleanlab."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from underdog import LogisticAdaBoostClassifier, LPBoostClassifier, TermVectorizer
from underdog.inspection import suspects
from underdog.inspection.left_out import look_wrong

TEXTS = ["free prize now", "call me later"] * 15


def flipped_cancer():
    X, y = load_breast_cancer(return_X_y=True)
    wrong = np.random.default_rng(0).choice(len(y), 40, replace=False)
    y = y.copy()
    y[wrong] = 1 - y[wrong]
    return X, y, set(wrong.tolist())


def by_hand(p, own):
    """The definition, one example at a time."""
    n, k = p.shape
    usual = [np.mean([p[i, j] for i in range(n) if own[i] == j]) for j in range(k)]
    found = []
    for i in range(n):
        sure = [j for j in range(k) if p[i, j] >= usual[j]]
        said = max(sure, key=lambda j: p[i, j]) if sure else own[i]
        found.append(said != own[i] and np.argmax(p[i]) != own[i])
    return np.array(found)


def random_probabilities(seed, n=80, k=4):
    rng = np.random.default_rng(seed)
    own = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    p = rng.dirichlet(np.ones(k), n) + 0.3 * np.eye(k)[own]
    return p / p.sum(axis=1, keepdims=True), own


@pytest.mark.parametrize("seed", range(5))
def test_how_many_look_wrong_by_hand_and_by_cleanlab(seed):
    p, own = random_probabilities(seed)
    found = look_wrong(p, own)
    assert 0 < found.sum() < len(own)
    assert np.array_equal(found, by_hand(p, own))
    filters = pytest.importorskip("cleanlab.filter")
    theirs = filters.find_label_issues(own, p, filter_by="confident_learning", n_jobs=1)
    assert np.array_equal(found, theirs)


def test_flipped_labels_are_found():
    X, y, wrong = flipped_cancer()
    model = LogisticAdaBoostClassifier(n_estimators=20)
    found = suspects(model, X, y)
    assert not hasattr(model, "model_")
    assert 30 <= found.expected == len(found) <= 60
    assert len(wrong & set(found.rows)) >= 30
    p = cross_val_predict(model, X, y, cv=StratifiedKFold(5), method="predict_proba")
    assert np.array_equal(found.probabilities, p)
    first = found.each[0]
    assert (first.given, first.suggested) == (y[first.row], 1 - y[first.row])
    assert first.probability == p[first.row, first.given]
    assert first.suggested_probability == p[first.row, first.suggested]
    assert np.all(np.diff([one.probability for one in found.each]) >= 0)
    again = suspects(None, None, y, 3, probabilities=p)
    assert again.rows == found.rows[:3]
    assert again.expected == found.expected


def test_any_classifier_any_input_and_weights():
    y = np.array(["spam", "ham"] * 15)
    y[4] = "ham"
    model = make_pipeline(TermVectorizer(), LogisticAdaBoostClassifier(n_estimators=5))
    assert suspects(model, TEXTS, y).rows == [4]
    X, y, wrong = flipped_cancer()
    assert len(wrong & set(suspects(GaussianNB(), X, y).rows)) > 20
    frame = pd.DataFrame(X[:, :5], index=np.arange(len(X)) + 1000)
    few = suspects(LogisticAdaBoostClassifier(n_estimators=3), frame, y, 2)
    assert few.to_frame()["index"].tolist() == [row + 1000 for row in few.rows]
    weights = np.arange(len(y)) % 3 + 1.0
    own = suspects(GaussianNB(), X, y, params={"sample_weight": weights})
    assert not np.array_equal(own.probabilities, suspects(GaussianNB(), X, y).probabilities)


def test_what_it_says():
    p, own = random_probabilities(1)
    found = suspects(None, None, np.array(list("abcd"))[own], probabilities=p)
    lines = found.text().splitlines()
    assert lines[0] == f"{found.expected} of 80 labels look wrong; the least probable {len(found)},"
    assert len(lines) == 3 + len(found)
    told = json.loads(json.dumps(found.to_dict()))
    assert [each["row"] for each in told["examples"]] == found.rows
    assert repr(found).startswith(f"Suspects({len(found)} of 80 labels); see text()")
    assert found._repr_html_().count("<tr") == 1 + len(found)
    assert list(found.to_frame().columns) == [
        "row", "given", "suggested", "probability", "suggested_probability"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n=0"),
        ({"y": np.zeros((10, 2))}, r"y has the shape \(10, 2\)"),
        ({"y": np.zeros(10)}, "y has 1 class, but at least 2"),
        ({"y": [0] * 9 + [1]}, "class 1 has a single example"),
        ({"model": LPBoostClassifier()}, "LPBoostClassifier has no probabilities"),
        ({"probabilities": np.ones((9, 2))}, r"\(9, 2\), but y has 10 labels of 2 classes"),
        ({"probabilities": np.full((10, 2), np.nan)}, "row 0 of probabilities"),
        ({"X": np.ones((9, 1))}, "inconsistent numbers of samples"),
    ],
)
def test_refused(change, message):
    given = {"model": GaussianNB(), "X": np.arange(10.0).reshape(-1, 1), "y": np.arange(10) % 2}
    with pytest.raises(ValueError, match=message):
        suspects(**(given | change))
