"""The certificates of a fitted booster for other rows, margins and probabilities."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from underdog.certificates import Certificates
from underdog.certificates.bounds import THETAS
from underdog.certificates.margin_sums import MarginSums
from underdog.certificates.theory import DELTA, THETA, Facts, bounds_of
from underdog.checks import check_positive
from underdog.codes.binary import BinaryLabels
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.theory import KNOWN, LINEAR, is_log_loss, reach_of
from underdog.games.margin_report import _game_of, _margins
from underdog.workers import Workers

MOST_DELTA = 0.5


def certificates(
    booster: Predictions, X: Any, y: Any, *, theta: float = THETA, delta: float = DELTA
) -> Certificates:
    """All bounds that theory has for a fitted binary classifier.

    `certificate_` of a classifier has the same for theta = 0.1 and delta = 0.05, without its rows.
    docs/certificates.md explains each of them and its conditions. Bounds on new examples are true
    and loose: they hold with probability 1 - delta (each by itself) over the draw of independent
    training examples, if columns, words and levels were chosen without looking at these, and if
    parameters were not tuned on them.

    Parameters
    ----------
    booster : a fitted booster of this library, for two classes
    X, y
        The rows that it was fitted on, each of them once: sample weights are not known here, and
        `certificate_` is right where there were any.
    theta : float, default=0.1
        The margin of "margins" and "margins_not_normalised".
    delta : float, default=0.05

    Returns
    -------
    Certificates
        A dict of numbers. Its `bounds` are `Certificate` objects with the keys "product_of_edges",
        "exponent_of_edges", "margins", "margins_not_normalised", "new_examples_by_rounds",
        "new_examples_by_margin", "new_examples_by_norm" and "uneven_loss". `text()` lists those
        that say something.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.games import certificates
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=20).fit(X, y)
    >>> print(certificates(model, X, y, theta=0.2).bounds["margins"])
    share of margins up to 0.2: at most 0.426 (measured 0.08436)

    References
    ----------
    Freund and Schapire, JCSS 55, 1997. Schapire, Freund, Bartlett and Lee, Annals of Statistics 26,
    1998. Koltchinskii and Panchenko, Annals of Statistics 30, 2002. Leskovec and Shawe-Taylor, ICML
    2003, equation (1).
    """
    check_positive("theta", theta)
    check_positive("delta", delta)
    if delta > MOST_DELTA:
        raise ValueError(f"delta={delta!r} is the probability that a bound fails: at most 0.5")
    table, side = _game_of(booster, X, y)
    if side.shape[1] != 1 or not isinstance(booster._labels, BinaryLabels):
        raise ValueError("certificates are for two classes: give a binary classifier")
    with Workers(booster.n_jobs) as workers:
        margins = _margins(booster, table, side, workers)[:, 0]
    facts = _facts(booster, MarginSums.of(margins, side[:, 0] > 0.0, (*THETAS, theta)))
    if is_log_loss(booster._link):
        losses = np.logaddexp(0.0, -margins * facts.reach)
        facts = replace(facts, log_loss=float(losses.mean()))
    known = {name: booster.certificate_.get(name, math.nan) for name in ("bound",)}
    wrong = (margins < 0.0) | ((margins == 0.0) & (side[:, 0] < 0.0))
    known["training_error"] = float(wrong.mean())
    return Certificates(known, bounds_of(facts, theta, delta))


def _facts(booster: Any, margins: MarginSums) -> Facts:
    model = booster.model_
    why = LINEAR if booster._has_more_members else ""
    if model.n_known or getattr(booster, "knowledge_", None) is not None:
        why = KNOWN
    if booster.edits_:
        why = "the model was edited"
    weights = np.any(getattr(booster, "_log_class_weight", 0.0))
    return Facts(
        model.members, model.schema, booster.history_.get("edge"), reach_of(model), margins,
        int(booster.n_estimators), booster._link.beta, None, bool(weights), why,
        not booster._make_parts().learner.knows_columns,
    )  # fmt: skip
