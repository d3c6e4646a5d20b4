"""What the tests of bad input share: small data, and the ways to be refused or to stay finite."""

import re

import numpy as np
import pandas as pd
import pytest

from tests.estimators.small import CORRECTIVE
from underdog import (
    AdaBoostClassifier,
)

ROWS = 60
PERFECT = "one rule makes no mistake on the training data: more rounds would repeat it"
NO_TEST = (
    "no column has two different values: there is nothing to split on; the model is a constant"
)


def numbers():
    return np.random.default_rng(0).normal(size=(ROWS, 3))


def noisy():
    """X, and y = 0 or 1 with a few more 0s, which no single rule gets right."""
    X = numbers()
    y = (X[:, 0] + 0.5 * np.random.default_rng(1).normal(size=ROWS) > 0.1).astype(int)
    return X, y


def fitted(X, y, booster=AdaBoostClassifier, weight=None, **parameters):
    parameters.setdefault("n_estimators", 5)
    return booster(**parameters).fit(X, y, sample_weight=weight)


def assert_finite(model, X):
    """Every number that a user can see is finite."""
    scores = model.decision_function(X)
    assert np.isfinite(scores).all()
    certificate = dict(model.certificate_.own)
    if type(model) in CORRECTIVE:
        assert_margins(model, scores, certificate)
    elif hasattr(model, "predict_proba"):
        probability = model.predict_proba(X)
        assert np.isfinite(probability).all()
        assert ((probability >= 0) & (probability <= 1)).all()
    assert model.n_iter_ >= 1
    assert len(model.stop_reason_) > 0
    for name, values in model.history_.items():
        if name not in ("wrong_share", "validation_score"):  # not defined for all hypotheses
            assert np.isfinite(values).all(), name
    assert certificate.pop("bound", 1.0) >= 0.0  # infinite where no float is as large
    assert all(np.isfinite(value) for value in certificate.values())
    for name, bound in model.certificate_.bounds.items():
        assert np.isfinite(bound.bound) or bound.note, name
    assert np.isfinite(model.feature_importances_).all()
    assert "nan" not in model.describe().lower()


def assert_margins(model, scores, certificate):
    """A convex combination of rules in [-1, 1]; takes from the certificate what is no number."""
    assert not hasattr(model, "predict_proba")
    assert np.abs(scores).max() <= 1 + 1e-9
    coefficients = np.array([member.coefficient for member in model.model_.members])
    assert (coefficients >= 0).all()
    assert coefficients.sum() == pytest.approx(1.0, abs=1e-9)
    assert certificate.pop("stopped") == model.stop_reason_
    assert -1 - 1e-9 <= certificate["minimum_margin"] <= certificate["soft_margin"] + 1e-9
    assert certificate["soft_margin"] <= 1 + 1e-9
    bound = certificate.pop("upper_bound")  # not known for all learners
    assert np.isnan(bound) or certificate["soft_margin"] <= bound + 1e-7


def check_refused(
    message, X, y, booster=AdaBoostClassifier, error=ValueError, fit=None, **parameters
):
    """Fitting ends with exactly this sentence (a part of a longer one)."""
    with pytest.raises(error, match=re.escape(message)):
        booster(**parameters).fit(X, y, **(fit or {}))


FRAME = pd.DataFrame(numbers(), columns=["a", "b", "c"])


def several():
    """Three labels: one to learn, one that never holds, one that always does."""
    X, y = noisy()
    return X, np.column_stack([y, np.zeros_like(y), np.ones_like(y)])


def letters():
    """A column of six letters beside a number; y says whether the letter is a or b, mostly."""
    X, y = noisy()
    letter = np.array(list("abcdef") * 10)
    y = np.where(np.arange(ROWS) < 6, y, np.isin(letter, ["a", "b"]))
    return pd.DataFrame({"letter": letter, "x": X[:, 1]}), y
