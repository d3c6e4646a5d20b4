"""Coefficients of the greatest margin for the rules that a booster has found."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from underdog.core import with_coefficients
from underdog.games.margin_report import margins
from underdog.losses import VotingMargins
from underdog.model import Ensemble


def with_greatest_margin(booster: Any, X: Any, y: Any) -> Any:
    """A copy of a fitted booster whose rules have the coefficients of the greatest margin.

    It solves the linear programme of Grove and Schuurmans over the rules of the booster: their
    non-negative coefficients with sum 1 that maximise the least margin of the given rows. Scores of
    the copy are margins, so it has no probabilities, and it cannot be saved or fitted further. Soft
    margins that can are `SoftMarginAdaBoostClassifier(penalty="linear")`.

    Parameters
    ----------
    booster : a fitted booster of this library, such as AdaBoostClassifier
    X, y
        The rows that it was fitted on.

    Returns
    -------
    booster : of the same class
        Its `certificate_` has the margin, and the gap to the best one.

    References
    ----------
    Grove and Schuurmans, "Boosting in the limit: maximizing the margin of learned ensembles", AAAI
    1998.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.games import voting_margins, with_greatest_margin
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=100).fit(X, y)
    >>> wide = with_greatest_margin(model, X, y)
    >>> [round(float(voting_margins(each, X, y).min()), 3) for each in (model, wide)]
    [0.095, 0.136]
    """
    report = margins(booster, X, y)
    model = booster.model_
    members = [
        with_coefficients([member.hypothesis], np.array([_scale(member) * own]))[0]
        for member, own in zip(model.members, report.coefficients.tolist(), strict=True)
    ]
    result = copy(booster)
    result.model_ = Ensemble(members, model.schema, model.n_labels, start=np.zeros(model.n_labels))
    result._link = VotingMargins()  # scores are no log-odds
    result.certificate_ = {"minimum_margin": report.best, "gap": report.gap}
    return result


def _scale(member: Any) -> float:
    """1 / the largest absolute value of a rule, with the sign that it has in the model."""
    largest = float(np.abs(member.hypothesis.values).max()) or 1.0
    return (-1.0 if member.coefficient < 0.0 else 1.0) / largest
