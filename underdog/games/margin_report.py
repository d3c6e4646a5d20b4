"""The margins of a booster, and the best margins that its hypotheses allow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from underdog.core import Scores
from underdog.data import EncodedRows, Table
from underdog.estimators.support import inputs
from underdog.estimators.support.predictions import Predictions
from underdog.games.matrix import solve_game
from underdog.types import Floats
from underdog.workers import Workers


@dataclass(frozen=True, eq=False)
class MarginReport:
    """The margins of a booster, and the best margins that its hypotheses allow.

    Attributes
    ----------
    minimum : float
        The smallest margin of the booster.
    best : float
        The largest minimum margin of the hypotheses with any coefficients; 0 or negative if no vote
        of them is right on every example.
    coefficients : array with one entry per member
        The vote whose minimum margin is `best`: non-negative, with sum 1, for hypotheses scaled to
        a largest absolute value of 1. Of identical members only the first has a coefficient.
    gap : float
        No vote of the hypotheses has a minimum margin above best + gap.
    margins : array of shape (n,), or (n, K) for K label columns
        The margins of the booster: y F(x) / (sum of the largest steps of its members), between -1
        and 1.
    """

    minimum: float
    best: float
    coefficients: Floats
    gap: float
    margins: Floats


def margins(booster: Predictions, X: Any, y: Any) -> MarginReport:
    """The margins of a fitted booster, and the best minimum margin of its hypotheses.

    Each member is scaled to a largest absolute value of 1, with the sign that it has in the model,
    and can get any non-negative coefficient. `best` is therefore about these members only, not
    about all hypotheses that a learner could find. If a hypothesis and its negation are both
    members it is at least 0, because the two cancel. With K > 1 label columns, every pair of an
    example and a label counts as an example.

    Members with equal values on X are one column of the game, and examples with equal values of all
    members are one row, which keeps the linear programme small.

    Parameters
    ----------
    booster : a fitted booster of this library
    X : array, sparse matrix, data frame or Table of shape (n, d)
    y : array of shape (n,), or an indicator matrix for a multilabel problem

    Returns
    -------
    MarginReport

    Examples
    --------
    The majority of three votes gives every example a margin of at least 1/3:

    >>> import numpy as np
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.games import margins
    >>> X = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    >>> y = X.sum(axis=1) > 0
    >>> model = AdaBoostClassifier(learner="discrete", n_estimators=5).fit(X, y)
    >>> report = margins(model, X, y)
    >>> round(report.minimum, 3), round(report.best, 3)
    (0.208, 0.333)

    References
    ----------
    Schapire, Freund, Bartlett and Lee, "Boosting the margin", Annals of Statistics 26, 1998. Grove
    and Schuurmans, "Boosting in the limit: maximizing the margin of learned ensembles", AAAI 1998
    (the linear programme over AdaBoost's hypotheses).
    """
    game, first = game_of_members(booster, X, y)
    own = voting_margins(booster, X, y)
    solution = solve_game(np.unique(game, axis=0))
    coefficients = np.zeros(len(booster.model_.members))
    coefficients[first] = solution.column_strategy
    return MarginReport(
        minimum=float(own.min()),
        best=solution.lower,
        coefficients=coefficients,
        gap=solution.gap,
        margins=own,
    )


def voting_margins(booster: Predictions, X: Any, y: Any) -> Floats:
    """The margins of a fitted booster, without solving the game of its hypotheses.

    Parameters
    ----------
    booster, X, y
        See `margins`.

    Returns
    -------
    array of shape (n,), or (n, K) for K label columns
        y F(x) / (sum of the largest steps of the members), between -1 and 1.

    Examples
    --------
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.games import voting_margins
    >>> X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
    >>> voting_margins(AdaBoostClassifier(learner="discrete").fit(X, y), X, y).tolist()
    [1.0, 1.0, 1.0]
    """
    table, side = _game_of(booster, X, y)
    with Workers(booster.n_jobs) as workers:
        own = _margins(booster, table, side, workers)
    return own[:, 0] if own.shape[1] == 1 else own


def game_of_members(booster: Predictions, X: Any, y: Any) -> tuple[Floats, list[int]]:
    """y h(x) of the members, scaled to a largest absolute value of 1, and which members these are.

    Of members with equal values on X only the first is listed.
    """
    table, side = _game_of(booster, X, y)
    with Workers(booster.n_jobs) as workers:
        encoded = EncodedRows(table, booster.model_.schema, workers=workers)
    first: dict[bytes, int] = {}
    for number, member in enumerate(booster.model_.members):
        steps, size = member.steps, member.size or 1.0
        if booster.model_.path:  # the coefficient may be 0
            steps = member.hypothesis.values
            size = float(np.abs(steps).max()) or 1.0
        scores = Scores.zero(*side.shape)
        member.hypothesis.partition(encoded).move(scores, steps)
        # Adding 0 turns -0 into 0, so that equal numbers have equal bytes.
        column = side * (scores.full() / size) + 0.0
        first.setdefault(column.tobytes(), number)
    return np.array([np.frombuffer(column) for column in first]).T, list(first.values())


def _game_of(booster: Any, X: Any, y: Any) -> tuple[Table, Floats]:
    """X as a table, and the sign of each label of each row."""
    if not isinstance(booster, Predictions):
        raise TypeError(
            f"booster is {booster!r:.60}, which is not a booster of underdog: give a fitted "
            "booster, such as AdaBoostClassifier().fit(X, y)"
        )
    check_is_fitted(booster, "model_")
    inputs.refuse_regressor(
        booster, "it has no margins; use underdog.inspection.hardest or ResidualDisplay"
    )
    table = inputs.prediction_table(booster, X)
    y = inputs.checked_labels(y)
    check_consistent_length(table, y)
    return table, _sides(booster, y)


def _margins(booster: Predictions, table: Table, side: Floats, workers: Workers) -> Floats:
    model = booster.model_
    reach = float(np.abs(model.start).max()) + math.fsum(member.size for member in model.members)
    result: Floats = side * model.scores(table, workers) / (reach or 1.0) + 0.0
    return result


def _sides(booster: Predictions, y: Any) -> Floats:
    """(n, K): -1 or +1 for each label of each row; refuses labels that were not in training."""
    labels = booster._labels
    labels.check(y, "the y given to margins")
    return np.where(labels.sign(y) == 1, 1.0, -1.0)
