"""The margins of a booster, and the best that its hypotheses allow."""

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
    """The margins that a booster has, and the best that its hypotheses allow.

    Attributes
    ----------
    minimum : float
        The smallest margin of the booster.
    best : float
        The greatest minimum margin that its hypotheses reach with other coefficients; negative or 0
        if no vote of them is right on every example.
    coefficients : one per member
        Non-negative and summing to one: the vote whose minimum margin is `best`, of hypotheses
        scaled to a largest absolute value of 1. Of members that are alike the first has it all.
    gap : float
        No vote of the hypotheses has a minimum margin above best + gap.
    margins : (n,), or (n, K) for K label columns
        Of the booster: y F(x) / (sum of the largest steps of its members), between -1 and 1.
    """

    minimum: float
    best: float
    coefficients: Floats
    gap: float
    margins: Floats


def margins(booster: Predictions, X: Any, y: Any) -> MarginReport:
    """The margins of a fitted booster beside the best minimum margin of its hypotheses.

    Each member is scaled so that its largest absolute value is 1, with the sign that it has in the
    model, and may be given any non-negative coefficient. So `best` is about these members only, not
    about all that a learner could find; where a hypothesis and its reverse are both among them it
    is at least 0, because the two cancel. With K > 1 label columns every pair of example and label
    counts as an example.

    Members that are alike on X are one column of the game, and examples on which all members are
    alike one row: the linear programme is as large as the data are varied.

    Parameters
    ----------
    booster : a fitted booster of this library
    X : array, sparse matrix, data frame or Table of shape (n, d)
    y : array of shape (n,), or an indicator matrix where several labels are allowed

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
    table, side = _game_of(booster, X, y)
    members = booster.model_.members
    with Workers(booster.n_jobs) as workers:
        encoded = EncodedRows(table, booster.model_.schema, workers=workers)
        own = _margins(booster, table, side, workers)
    first: dict[bytes, int] = {}  # each different column of the game, and whose it is
    for number, member in enumerate(members):
        steps, size = member.steps, member.size or 1.0
        if booster.model_.path:  # of size 1, and a coefficient of 0 does not make it say nothing
            steps, size = member.hypothesis.values, 1.0
        scores = Scores.zero(*side.shape)
        member.hypothesis.partition(encoded).move(scores, steps)
        # Adding 0 turns -0 into 0: they are the same number, and must be the same bytes.
        column = side * (scores.full() / size) + 0.0
        first.setdefault(column.tobytes(), number)
    game = np.array([np.frombuffer(column) for column in first]).T
    solution = solve_game(np.unique(game, axis=0))
    coefficients = np.zeros(len(members))
    coefficients[list(first.values())] = solution.column_strategy
    return MarginReport(
        minimum=float(own.min()),
        best=solution.lower,
        coefficients=coefficients,
        gap=solution.gap,
        margins=own[:, 0] if own.shape[1] == 1 else own,
    )


def voting_margins(booster: Predictions, X: Any, y: Any) -> Floats:
    """The margins of a fitted booster alone, without the game of its hypotheses.

    Parameters
    ----------
    booster, X, y
        See `margins`.

    Returns
    -------
    (n,), or (n, K) for K label columns
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


def _game_of(booster: Any, X: Any, y: Any) -> tuple[Table, Floats]:
    """X as the booster takes it, and on which side each label of each row is."""
    if not isinstance(booster, Predictions):
        raise TypeError(
            f"booster is {booster!r:.60}, which is not a booster of underdog: give a fitted one, "
            "such as AdaBoostClassifier().fit(X, y)"
        )
    check_is_fitted(booster, "model_")
    table = inputs.prediction_table(booster, X)
    y = inputs.checked_target(y)
    check_consistent_length(table, y)
    return table, _sides(booster, y)


def _margins(booster: Predictions, table: Table, side: Floats, workers: Workers) -> Floats:
    model = booster.model_
    reach = float(np.abs(model.start).max()) + math.fsum(member.size for member in model.members)
    result: Floats = side * model.scores(table, workers) / (reach or 1.0) + 0.0
    return result


def _sides(booster: Predictions, y: Any) -> Floats:
    """(n, K): -1 or +1 for each label of each row; refuses labels that the booster has not seen."""
    labels = booster._labels
    try:
        labels.check(y, "the y given to margins")
    except ValueError as error:
        raise ValueError(
            f"{error} (y is what fit was given): give labels that the booster knows, and drop the "
            "rows with others"
        ) from None
    return np.where(labels.sign(y) == 1, 1.0, -1.0)
