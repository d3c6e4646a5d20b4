"""A weight that is a whole number is as many rows, also where their number changes the rules."""

import numpy as np
import pandas as pd
import pytest

from tests.automatic.given import frame, rare
from underdog import UnderdogClassifier, UnderdogRegressor
from underdog.automatic import inputs
from underdog.automatic.examples import repeats_of, rows_of
from underdog.data.conversion import take_rows


@pytest.fixture
def two_kinds(monkeypatch):
    monkeypatch.setattr("underdog.automatic.settings.TWO_KINDS", 300)


def both(X, y, weights, new, model=UnderdogClassifier):
    """Models of weighted and of repeated rows, which must be the same."""
    rows = rows_of(np.asarray(weights))
    one = model().fit(X, y, sample_weight=weights)
    two = model().fit(take_rows(X, rows), take_rows(y, rows))
    answer = "predict_proba" if model is UnderdogClassifier else "predict"
    np.testing.assert_array_equal(getattr(one, answer)(new), getattr(two, answer)(new))
    assert [each.replace("examples", "rows") for each in one.choices_] == two.choices_
    return one


@pytest.mark.usefixtures("two_kinds")
@pytest.mark.parametrize("model", [UnderdogClassifier, UnderdogRegressor])
def test_weights_equal_repeats_where_size_changes_the_rule(model):
    X, y = rare(200)
    one = both(X, y, np.full(200, 2), X, model)
    assert one.choices_[0].startswith("400 examples and 5 columns: trees of depth 4")
    assert "or of depth 6" in one.choices_[0]
    alone = model().fit(X, y)
    assert alone.choices_[0].startswith("200 rows and 5 columns: ")
    assert "or of depth 6" not in alone.choices_[0]


@pytest.mark.usefixtures("two_kinds")
def test_rows_of_weight_zero_are_no_examples():
    X, y = rare(400)
    weights = np.where(np.arange(400) < 250, 1, 0)
    one = UnderdogClassifier().fit(X, y, sample_weight=weights)
    two = UnderdogClassifier().fit(X[:250], y[:250])
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    assert one.choices_[0].startswith("250 examples and 5 columns: ")
    assert "or of depth 6" not in one.choices_[0]


def test_other_weights_are_one_example_each():
    assert repeats_of([0.5, 0.0, 2.0], 3).tolist() == [1, 0, 1]
    assert repeats_of(2, 3).tolist() == [2, 2, 2]
    for refused in ([1.0], [-1, 1, 1], ["a", "b", "c"], [0, 0, 0], [np.nan, 1, 1]):
        assert repeats_of(refused, 3).tolist() == [1, 1, 1]
    X, y = rare(60)
    model = UnderdogClassifier().fit(X, y, sample_weight=np.full(60, 1.5))
    assert model.choices_[0].startswith("60 rows and 5 columns: ")
    with pytest.raises(ValueError, match=r"Negative values in sample_weight: -1 in row 0"):
        UnderdogClassifier().fit(X, y, sample_weight=np.where(np.arange(60) == 0, -1, 1))


def test_documents_count_by_weight():
    y, columns = frame(60)
    documents = [f"{text} only{number}" for number, text in enumerate(columns["body"])]
    weights = np.where(np.arange(60) < 50, 1, 3)  # 80 examples: any term counts
    weights[0] = 0
    one = both(documents, y, weights, documents)
    assert one.encoder_.min_df == 1
    assert "only0" not in one.encoder_.vocabulary_
    weights = np.where(np.arange(60) < 50, 1, 6)  # 110 examples: terms of two of them
    one = both(documents, y, weights, documents)
    assert one.encoder_.min_df == 2
    assert "only49" not in one.encoder_.vocabulary_
    assert "only50" in one.encoder_.vocabulary_


def test_frames_count_by_weight():
    y, columns = frame(120)
    X = pd.DataFrame(columns)
    both(X, y, np.where(np.arange(120) % 3 == 0, 2, 1), X)
    X["amount"] = X["amount"].astype(object)
    X.loc[7, "amount"] = "oops"  # not a number, but no example either
    weights = np.where(np.arange(120) == 7, 0, 1)
    one = both(X, y, weights, X.drop(index=7))
    assert one.encoder_.roles_["amount"].kind == "number"


def test_a_frame_with_great_weights_is_not_repeated(monkeypatch):
    monkeypatch.setattr(inputs, "MOST", 100)
    y, columns = frame(60)
    X = pd.DataFrame(columns)
    model = UnderdogClassifier().fit(X, y, sample_weight=np.full(60, 1000))
    assert model.choices_[0].startswith("60,000 examples and ")
    plain = UnderdogClassifier().fit(X, y)
    assert model.encoder_.roles_ == plain.encoder_.roles_
