"""Columns of frames are found by name, whether the frame is encoded or taken as it is."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_diabetes

import underdog
from tests.automatic.given import frame, rare
from underdog import BadData, UnderdogClassifier, UnderdogRegressor
from underdog.inspection import contributions


@pytest.mark.parametrize("text", [False, True], ids=["plain", "encoded"])
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_columns_are_found_by_name(library, text, tmp_path):
    X, y = rare(200)
    columns = {f"x{j}": X[:, j] for j in range(5)}
    if text:
        columns["kind"] = np.where(X[:, 0] > 0, "u", "v").tolist()
    given = library(columns)
    model = UnderdogClassifier().fit(given, y)
    assert (model.encoder_ is not None) == text
    other = library({"more": ["?"] * 200, **dict(reversed(columns.items()))})
    wanted = model.predict_proba(given)
    np.testing.assert_array_equal(model.predict_proba(other), wanted)
    np.testing.assert_array_equal(model.predict(other), model.predict(given))
    np.testing.assert_array_equal(
        contributions(model, other).values, contributions(model, given).values
    )
    model.save(tmp_path / "model.udg")
    loaded = underdog.load(tmp_path / "model.udg")
    np.testing.assert_array_equal(loaded.predict_proba(other), wanted)
    again = underdog.recalibrate(model, other, y)
    np.testing.assert_array_equal(again.predict_proba(given), again.predict_proba(other))
    columns["X3"] = columns.pop("x3")
    message = "column 'x3' of the training data is missing: did you mean 'X3'?"
    with pytest.raises(BadData) as error:
        model.predict(library(columns))
    assert str(error.value) == message


def test_a_regressor_finds_columns_by_name():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = UnderdogRegressor().fit(X, y)
    assert model.encoder_ is None
    other = X[X.columns[::-1]].assign(more=1.0)
    np.testing.assert_array_equal(model.predict(other), model.predict(X))
    with pytest.raises(BadData, match="2 columns of the training data are missing: 'age', 'sex';"):
        model.predict(X.drop(columns=["age", "sex"]))


def test_arrays_are_taken_by_position():
    X, y = rare(100)
    model = UnderdogClassifier().fit(X, y)
    with pytest.raises(ValueError, match="X has 4 features"):
        model.predict(X[:, :4])


def test_contributions_of_documents_do_not_warn():
    y, columns = frame()
    documents = columns["body"]
    model = UnderdogClassifier(threshold="f1").fit(documents, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        why = contributions(model, documents[:5])
        predicted = model.pipeline_.predict(documents)
        probabilities = model.pipeline_.predict_proba(documents)
    np.testing.assert_array_equal(predicted, model.predict(documents))
    np.testing.assert_array_equal(probabilities, model.predict_proba(documents))
    np.testing.assert_array_equal(why.decision, model.booster_.decision_function(
        model._encoded(documents[:5])
    ))  # fmt: skip
    assert "cheap" in why.names
