"""Linear models on encoded rows: equal to scikit-learn's, and the same bits in any form."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from underdog import BlendedTreesClassifier, BlendedTreesRegressor, Table
from underdog.data import EncodedRows, Schema
from underdog.estimators.support.base import place_rows
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import FitArguments, count_examples
from underdog.linear import Features, Scorer, fit_path, members_of
from underdog.linear.features import LENGTH
from underdog.losses import LogLoss, ModifiedHuber, SoftmaxLoss, SquaredError
from underdog.model import Ensemble
from underdog.workers import Workers

RNG = np.random.default_rng(0)


def rows_of(X, y, booster=None, weight=None):
    """The encoded rows of a fit, with scores that start from the best constant."""
    booster = booster or BlendedTreesClassifier()
    table = Table.from_data(X)
    counted = count_examples(weight, len(table))
    examples = LabelledRows(table, np.asarray(y), counted)
    labels = booster._make_code(examples.y).fit(examples.y)
    schema = Schema.learn(table, counted.repeats, 255, Workers(1))
    weighting = booster._make_weighting(examples, labels, FitArguments(weight, None, None))
    target = booster._make_target(examples, labels, weighting)
    rows = place_rows(table, schema, target, Workers(1))
    loss = booster._loss_for(labels, booster._make_loss())
    rows.start_from(loss.start(rows))
    return rows, loss, labels


def fitted(X, y, strengths=(0.01, 1.0), loss=None, booster=None, weight=None):
    rows, own, labels = rows_of(X, y, booster, weight)
    features = Features.learn(rows)
    fits = fit_path(loss or own, rows, features, strengths)
    return rows, features, fits, labels


def scores(X, y, new=None, **given):
    """Scores of the last of the linear models."""
    rows, features, fits, labels = fitted(X, y, **given)
    table = Table.from_data(X if new is None else new)
    encoded = EncodedRows(table, rows.layout.schema, None, None, rows.layout.missing)
    found = Scorer(rows.layout, features, encoded, Workers(1))(fits[-1])
    return found * labels.unit if hasattr(labels, "unit") else found


def numbers(n_rows=300, n_columns=4):
    """Few distinct values, whose standardised values are further apart than steps are wide."""
    X = RNG.integers(0, 5, (n_rows, n_columns)).astype(float)
    y = (X[:, 0] - X[:, 1] + RNG.normal(size=n_rows) > 0).astype(int)
    return X, y


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize("strength", [0.01, 1.0])
def test_two_classes_are_logistic_regression(strength):
    X, y = numbers()
    found = scores(X, y, strengths=(strength,))[:, 0]
    twin = LogisticRegression(C=strength, tol=1e-10, max_iter=1000).fit(standardised(X), y)
    np.testing.assert_allclose(found, twin.decision_function(standardised(X)), atol=2e-3)


def test_three_classes_are_multinomial_regression():
    X, _ = numbers()
    y = np.digitize(X[:, 0] + X[:, 1] + RNG.normal(size=len(X)), [3.0, 5.0])
    found = scores(X, y, strengths=(0.1,))
    twin = LogisticRegression(C=0.1, tol=1e-10, max_iter=1000).fit(standardised(X), y)
    wanted = twin.decision_function(standardised(X))
    centred = found - found.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(centred, wanted - wanted.mean(axis=1, keepdims=True), atol=5e-3)


def test_numbers_are_ridge_regression():
    X, _ = numbers()
    y = 3.0 * X[:, 0] - X[:, 2] + RNG.normal(size=len(X)) + 100.0
    found = scores(X, y, strengths=(0.1,), booster=BlendedTreesRegressor())[:, 0]
    twin = Ridge(alpha=10.0).fit(standardised(X), y)
    np.testing.assert_allclose(found, twin.predict(standardised(X)), rtol=1e-3)


def test_levels_and_missing_values_have_indicators():
    kind = RNG.choice(list("abc"), 400)
    number = np.where(RNG.random(400) < 0.2, np.nan, RNG.integers(0, 4, 400))
    y = ((kind == "a") | np.isnan(number)) ^ (RNG.random(400) < 0.1)
    frame = pd.DataFrame({"kind": pd.Categorical(kind), "number": number})
    found = scores(frame, y, strengths=(1.0,))[:, 0]
    known = number[~np.isnan(number)]
    columns = [kind == level for level in "abc"]
    columns += [np.nan_to_num((number - known.mean()) / known.std()), np.isnan(number)]
    design = np.column_stack(columns).astype(float)
    twin = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(design, y)
    np.testing.assert_allclose(found, twin.decision_function(design), atol=5e-3)


def documents(n_rows=400, n_words=120):
    words = (RNG.random((n_rows, n_words)) < 0.06).astype(float)
    y = (words[:, :6].sum(axis=1) > 0).astype(int)
    return words, y


def test_words_are_a_linear_model_of_documents_of_unit_length():
    X, y = documents()
    design = LENGTH * TfidfTransformer().fit_transform(sp.csr_matrix(X))
    found = scores(sp.csr_array(X), y, strengths=(1.0,))[:, 0]
    twin = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(design, y)
    np.testing.assert_allclose(found, twin.decision_function(design), atol=5e-3)


def test_the_loss_of_words_ranks_as_a_support_vector_machine():
    """The losses differ for examples that are far wrong, and in the penalty on the intercept."""
    X, y = documents()
    design = LENGTH * TfidfTransformer().fit_transform(sp.csr_matrix(X))
    found = scores(sp.csr_array(X), y, strengths=(0.4,), loss=ModifiedHuber())[:, 0]
    twin = LinearSVC(C=0.1, tol=1e-8, max_iter=100_000, intercept_scaling=100.0).fit(design, y)
    assert np.corrcoef(found, twin.decision_function(design))[0, 1] > 0.999


FORMS = {"numbers": numbers, "words": documents}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_same_bits_in_any_form(form):
    X, y = form()
    weight = RNG.integers(1, 4, len(y))
    order = RNG.permutation(len(y))
    wanted = scores(X, y, X, weight=weight)
    others = {
        "order": scores(X[order], y[order], X, weight=weight[order]),
        "sparse": scores(sp.csr_array(X), y, sp.csr_array(X), weight=weight),
        "repeats": scores(X.repeat(weight, axis=0), y.repeat(weight), X),
    }
    for name, found in others.items():
        np.testing.assert_array_equal(found, wanted, err_msg=name)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_members_have_the_scores_of_the_linear_model(form):
    X, y = form()
    X = np.where(RNG.random(X.shape) < 0.05, np.nan, X) if form is numbers else X
    rows, features, fits, _ = fitted(X, y)
    start, members = members_of(rows, features, fits[-1], 1.0)
    model = Ensemble(members, rows.layout.schema, 1, start=start)
    new = np.vstack([X, np.full((1, X.shape[1]), np.nan), np.full((1, X.shape[1]), 1e9)])
    encoded = EncodedRows(Table.from_data(new), rows.layout.schema, None, None, rows.layout.missing)
    wanted = Scorer(rows.layout, features, encoded, Workers(1))(fits[-1])
    np.testing.assert_allclose(model.scores(Table.from_data(new), Workers(1)), wanted, atol=1e-9)
    np.testing.assert_allclose(list(model.staged(Table.from_data(new)))[-1], wanted, atol=1e-9)


def test_far_values_do_not_extrapolate():
    X, y = numbers()
    ends = np.array([np.full(4, -1e300), np.full(4, 1e300)])
    found = scores(X, y, ends)
    np.testing.assert_array_equal(found, scores(X, y, np.array([np.zeros(4), np.full(4, 4.0)])))


def test_constant_columns_have_no_features():
    X, y = numbers()
    rows, *_ = rows_of(np.column_stack([X, np.ones(len(X))]), y)
    assert Features.learn(rows).count == 4


@pytest.mark.parametrize("loss", [LogLoss(), SoftmaxLoss(), SquaredError()])
def test_a_weaker_penalty_has_a_lower_loss(loss):
    X, y = numbers()
    booster = BlendedTreesRegressor() if isinstance(loss, SquaredError) else None
    target = y + (X[:, 2] > 3) if isinstance(loss, SoftmaxLoss) else y
    rows, features, fits, _ = fitted(X, target, (0.001, 0.1, 10.0), booster=booster)
    losses = []
    for fit in fits:
        found = Scorer(rows.layout, features, rows.only.encoded, Workers(1))(fit)
        rows.only.scores.base[:], rows.only.scores.relative[:] = 0.0, found
        losses.append(loss.make_signal(rows).mean_loss())
    assert losses == sorted(losses, reverse=True)
