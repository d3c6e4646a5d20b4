"""LPBoost and LPUBoost, fitted to the exact optimum."""

import warnings

import numpy as np
import pytest

from tests.estimators.full_lp import full_programme
from tests.estimators.small import coefficients
from underdog import LPBoostClassifier, LPUBoostClassifier, UnderdogWarning

VALUE, GAP, COEFFICIENT = 1e-7, 1e-8, 1e-9
"""How close values, primal and dual values, and coefficients must be."""
EXACT = {"learner": "disc.lp", "tol": 0.0}
two_boosters = pytest.mark.parametrize("booster", [LPBoostClassifier, LPUBoostClassifier])


def fitted(booster, X, y, weight=None, **parameters):
    """Fit without minding that some margins are not positive."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)
        return booster(**{**EXACT, **parameters}).fit(X, y, sample_weight=weight)


def messages(caught):
    return [str(warning.message) for warning in caught]


def assert_equivalent(one, other, X=None, other_X=None):
    np.testing.assert_allclose(coefficients(one), coefficients(other), rtol=0, atol=COEFFICIENT)
    assert one.converged_ == other.converged_
    if X is not None:
        scores = one.decision_function(X), other.decision_function(other_X)
        np.testing.assert_allclose(*scores, rtol=0, atol=COEFFICIENT)


def assert_optimal(model, X, y, lower, upper):
    expected = full_programme(X, y, lower, upper)
    facts = model.certificate_
    assert model.converged_
    assert facts["soft_margin"] == pytest.approx(expected, abs=VALUE)
    assert facts["upper_bound"] == pytest.approx(expected, abs=VALUE)
    assert facts["primal_value"] == pytest.approx(facts["dual_value"], abs=GAP)
    assert abs(facts["upper_bound"] - facts["soft_margin"]) <= 2e-8
    assert abs(facts["gap"]) <= 2e-8
