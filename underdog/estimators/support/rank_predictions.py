"""Predictions of a fitted ranker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from sklearn.utils.validation import check_consistent_length

from underdog.checks import check_integer
from underdog.codes.grades import GradeLabels
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.rank_measures import ndcg
from underdog.estimators.support.readable import Rule
from underdog.estimators.support.relevance import check_relevance
from underdog.types import Floats


class RankRule(Rule):
    """A rule with the interface of a ranker."""

    def predict(self, X: Any) -> Floats:
        """(n,) scores of the rule."""
        return self._scores(X)[:, 0]


class RankPredictions(Predictions):
    """Scores of an additive model that put the rows of a query in order."""

    _rule: ClassVar[type[Any]] = RankRule
    _labels: GradeLabels

    def predict(self, X: Any) -> Floats:
        """Scores, (n,): of two rows of a query, that with the higher score stands before.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        """
        scores = self._scores(X)
        return self._labels.predict(scores)

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """`predict` after each round."""
        return (self._labels.predict(scores) for scores in self._staged_scores(X))

    def score(
        self, X: Any, y: Any, *, qid: Any = None, group: Any = None, at: int | None = None
    ) -> float:
        """The mean NDCG over the queries that have rows of different grades.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        y : array of shape (n,)
            Grades from 0 to 30.
        qid, group : optional
            The query of each row, or the number of rows of each query. Without them all rows are
            one query.
        at : int, optional
            How many rows of each query count; by default all.
        """
        own = check_relevance(X, y, qid, group)
        if at is not None:
            check_integer("at", at, 1)
        scores = self.predict(X)
        check_consistent_length(scores, own)
        return ndcg(own.grade, scores, own.query, at)
