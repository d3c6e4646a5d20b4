"""The base class of boosting rankers: scores that put the rows of a query in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from underdog.checks import check_choice
from underdog.codes import Code, Grades
from underdog.codes.grades import GradeLabels
from underdog.core import Parts, Run, Target
from underdog.estimators.support.base import Booster
from underdog.estimators.support.rank_measures import Measure, measure_of, pair_loss_in
from underdog.estimators.support.rank_predictions import RankPredictions
from underdog.estimators.support.relevance import Relevance, check_relevance
from underdog.estimators.support.restoring import unchanged_on_error
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import FitArguments, Weighting, logarithms, relative_weight
from underdog.kernels.sums import exact_sum
from underdog.learners import ForeignLearner
from underdog.losses.compared import log_query_weights
from underdog.types import Floats, Integers

NOTHING = (
    "no two rows of one query have different grades, so there is nothing to learn: check the "
    "grades, and which query each row is of"
)


@dataclass(kw_only=True, eq=False, repr=False)
class Ranker(RankPredictions, Booster):
    """Base class of boosting rankers."""

    weighting: str = "pairs"

    _certified: ClassVar[tuple[str, ...]] = ("training_loss", "pair_loss")
    _learns: ClassVar[dict[str, Any]] = {"n_queries_": int, "n_dropped_queries_": int}

    def _make_code(self, y: Any) -> Code:
        return Grades()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("weighting", self.weighting, "pairs", "queries")
        measure_of(self.scoring)
        if isinstance(self._make_learner(), ForeignLearner):
            raise ValueError(
                f"learner={self.learner!r} is of another library, whose rules a ranker cannot use: "
                "use 'real', 'discrete' or 'tree', or a learner of underdog.learners"
            )

    def _checked_target(self, y: Any) -> Any:
        return y  # `fit` has checked it

    def _groups_of_rows(self, y: Relevance) -> Integers | None:
        """Queries are held out as a whole; of a single one some rows are."""
        return y.query if y.n_queries > 1 else None

    def _make_weighting(
        self, examples: LabelledRows, labels: GradeLabels, given: FitArguments
    ) -> Weighting:
        """The weight of a pair is the product of those of its rows, so a row has half of ln w."""
        y, log_prior = examples.y, examples.counted.log_weight
        if not bool(y.compared().any()):
            raise ValueError(NOTHING)
        if self.weighting == "queries" and y.pairs is None:
            target = self._target(examples, log_prior)
            log_prior = log_prior - 0.5 * log_query_weights(target)
        if y.weight is not None:
            log_prior = log_prior + 0.5 * logarithms(y.weight)
        return Weighting(log_prior - log_prior.max(), None, np.zeros(1))

    def _make_target(
        self, examples: LabelledRows, labels: GradeLabels, weighting: Weighting
    ) -> Target:
        return self._target(examples, weighting.log_prior)

    def _target(self, examples: LabelledRows, log_prior: Floats) -> Target:
        y: Relevance = examples.y
        return Target(
            np.zeros((len(y), 1), dtype=np.uint8),
            examples.counted.repeats,
            log_prior,
            value=y.grade[:, np.newaxis],
            query=y.query,
            sorted_rows=y.segments if y.pairs is None else None,
            pairs=y.pairs,
        )

    def _make_score(
        self,
        parts: Parts,
        held_out: LabelledRows,
        labels: GradeLabels,
        weighting: Weighting,
        scoring: Any,
    ) -> RankScore:
        return RankScore(held_out, measure_of(scoring))

    def _certify(self, run: Run) -> dict[str, Any]:
        loss: Any = run.parts.loss
        shard = run.rows.only
        wrong = pair_loss_of(shard.target, shard.scores.full()[:, 0])
        return {"training_loss": loss.training_loss(run.rows), "pair_loss": wrong}

    def _notes(self) -> list[str]:
        dropped, all_ = self.n_dropped_queries_, self.n_queries_ + self.n_dropped_queries_
        if not dropped:
            return []
        return [f"{dropped:,} of {all_:,} queries had one grade only: left out"]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        pairs: Any = None,
        query_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        qid_val: Any = None,
        group_val: Any = None,
    ) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
            NaN is a missing value, and goes to the better side of each test. An absent entry of a
            sparse matrix is zero.
        y : array of shape (n,)
            The grade of each row: rows of a higher grade stand before rows of a lower one. Any
            numbers; only NDCG needs grades from 0 on.
        sample_weight : array of shape (n,), optional
            How many examples each row stands for. A pair counts as much as the product of the
            weights of its rows, so weight 3 is three rows.
        qid : array of shape (n,), optional
            The query of each row. Rows of different queries are not compared. They may be in any
            order. Without qid, group and pairs all rows are one query.
        group : array, optional
            In place of qid: how many rows each query has, in the order of the rows.
        pairs : array of shape (P, 2), optional
            In place of qid and y: numbers of two rows, the first of which stands before the second.
        query_weight : array of shape (n,), optional
            The weight of the query of each row: one per row, the same for all rows of a query.
            A query of weight 0 is left out, as if it had not been given.
        X_val, y_val, qid_val, group_val : optional
            Validation data for early stopping, used instead of `validation_fraction`.

        Returns
        -------
        self
        """
        relevance = check_relevance(X, y, qid, group, pairs, query_weight)
        if pairs is not None and self.early_stopping and X_val is None:
            raise ValueError(
                "early_stopping=True with pairs needs rows with grades: pass X_val and y_val to "
                "fit, or set early_stopping=False"
            )
        if y_val is not None:
            y_val = check_relevance(X_val, y_val, qid_val, group_val, end="_val")
        elif qid_val is not None or group_val is not None:
            name = "group_val" if qid_val is None else "qid_val"
            raise ValueError(f"{name} was given without y_val: give X_val and y_val, too")
        weighed = _weights(relevance, sample_weight)
        weight = _compared_only(relevance, weighed)
        equal = sample_weight is None and bool(weight.all())
        given = FitArguments(None if equal else weight, X_val, y_val)
        with unchanged_on_error(self):
            self.n_queries_ = relevance.count_queries(weight > 0.0)
            self.n_dropped_queries_ = relevance.count_queries(weighed > 0.0) - self.n_queries_
            self._check_and_learn(X, relevance, given)
        return self


def _weights(relevance: Relevance, sample_weight: Any) -> Floats:
    """(n,) sample weights, 0 for rows of queries of weight 0."""
    weight = np.ones(len(relevance))
    if sample_weight is not None:
        weight = relative_weight("sample_weight", sample_weight, len(relevance))
    if relevance.weight is None or not bool(weight.any()):
        return weight
    weight[relevance.weight == 0.0] = 0.0
    if not bool(weight.any()):
        raise ValueError(
            "sample_weight or query_weight is 0 for every row: give some rows weights above 0"
        )
    return weight


def _compared_only(relevance: Relevance, weight: Floats) -> Floats:
    """The weights, 0 for rows that are compared with none."""
    if len(relevance) == 1:
        raise ValueError("n_samples=1, but a ranker compares rows: give two or more")
    rows = np.flatnonzero(weight)
    used = relevance if len(rows) == len(relevance) else relevance[rows]
    compared = used.compared()
    if len(rows) and not bool(compared.any()):
        raise ValueError(NOTHING)
    result = np.zeros(len(weight))
    result[rows[compared]] = weight[rows[compared]]
    return result


class RankScore:
    """The validation score of held-out rows, given the scores of a run.

    Parameters
    ----------
    held_out : LabelledRows
    measure : function
    """

    def __init__(self, held_out: LabelledRows, measure: Measure) -> None:
        self.table, self.y, self.measure = held_out.table, held_out.y, measure

    def __call__(self, scores: Floats) -> float:
        """The validation score of a model with these (n, 1) scores."""
        return self.measure(self.y.grade, np.ascontiguousarray(scores[:, 0]), self.y.query)


def pair_loss_of(target: Target, scores: Floats) -> float:
    """Share of the weight on pairs of training rows that are in the wrong order, or tied."""
    weight: Floats = np.exp(target.log_prior) * target.repeats.astype(np.float64)
    if target.pairs is None:
        return pair_loss_in(target.segments(), scores, np.asarray(target.query), weight)
    above, below = target.pairs.T
    each = weight[above] * weight[below]
    return exact_sum(np.where(scores[above] <= scores[below], each, 0.0)) / exact_sum(each)
