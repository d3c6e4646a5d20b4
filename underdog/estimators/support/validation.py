"""Early stopping: scores of held-out rows."""

from __future__ import annotations

from typing import Any, Protocol, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from underdog.codes import Labels
from underdog.codes.binary import BinaryLabels
from underdog.codes.output_code import CodedLabels
from underdog.core import History, Loss, Partition, Rows, Shard, State
from underdog.data import EncodedRows, Schema, Table
from underdog.estimators.support.task import Known
from underdog.types import Codes, Floats
from underdog.workers.collective import ALONE, Collective

ONE_CLASS = {
    **dict.fromkeys(("precision", "recall", "f1", "jaccard"), "predict"),
    "average_precision": "decision_function",
}
"""Scorers of scikit-learn that are about one class, and what they score."""


def has_probabilities(rows: ScoredRows) -> bool:
    """Whether the scores are log-odds."""
    known = rows.scale is not None and rows.log_odds_shift is not None
    return known and not isinstance(rows.labels, CodedLabels)


class ScoredRows(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with precomputed scores, for the scorers of scikit-learn."""

    def __init__(
        self,
        labels: Labels,
        scores: Floats,
        scale: float | None,
        log_weight: Floats,
        log_odds_shift: float | None,
    ) -> None:
        self.labels, self.scores, self.scale = labels, scores, scale
        self.log_weight, self.log_odds_shift = log_weight, log_odds_shift
        self.classes_ = labels.classes

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Any:
        return self.labels.predict(self.scores)

    def decision_function(self, X: Any) -> Floats:
        return self.labels.decision(self.scores)

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        scale, shift = cast(float, self.scale), cast(float, self.log_odds_shift)
        return self.labels.probability(self.scores - shift, scale, self.log_weight)


def no_validation(_: State, history: History) -> None:
    """A watch for a warm start without validation rows after a fit that had some."""
    history.rows[-1]["validation_score"] = np.nan


def scorer_for(scoring: Any, labels: Labels) -> Any:
    """A scorer of scikit-learn; those of one class are given the positive class."""
    from sklearn import metrics  # slow to import

    scorer = metrics.get_scorer(scoring)
    if isinstance(scoring, str) and scoring in ONE_CLASS and isinstance(labels, BinaryLabels):
        return metrics.make_scorer(
            getattr(metrics, f"{scoring}_score"),
            response_method=ONE_CLASS[scoring],
            pos_label=labels.classes[labels.positive],
        )
    return scorer


class ValidationScore:
    """The validation score of held-out rows, given the scores of a model.

    Parameters
    ----------
    table, y, weight
        The held-out rows.
    labels, loss, log_weight, log_odds_shift
        Those of the booster.
    scoring : str or callable
        "loss" is minus the mean of the loss that is minimised. "ranking" is the average precision
        of the rarer class, as the mean over the label columns. Otherwise a scikit-learn scorer;
        "precision", "recall", "f1", "jaccard" and "average_precision" are for the positive class.
    collective : Collective
        The processes with other held-out rows, for which only "loss" is supported.
    """

    def __init__(
        self,
        table: Table,
        y: Any,
        weight: Floats,
        labels: Labels,
        loss: Loss,
        log_weight: Floats,
        log_odds_shift: float | None,
        scoring: Any,
        collective: Collective = ALONE,
    ) -> None:
        self.collective = collective
        self.table, self.y, self.weight, self.labels = table, y, weight, labels
        self.loss, self.log_weight, self.log_odds_shift = loss, log_weight, log_odds_shift
        self.scorer = None
        self._by_ranking = isinstance(scoring, str) and scoring == "ranking"
        if not self._by_ranking and scoring not in (None, "loss"):
            self.scorer = scorer_for(scoring, labels)
        self.sign = labels.sign(y)

    def __call__(self, scores: Floats) -> float:
        """The validation score of a model with these (n, K) scores."""
        if self._by_ranking:
            return self._ranking(scores)
        if self.scorer is None:
            return -self.loss.mean(scores, self.sign, self._weights(), self.collective)
        scale = self.loss.probability_scale
        known = ScoredRows(self.labels, scores, scale, self.log_weight, self.log_odds_shift)
        rows = self.table if self.table.source is None else self.table.source
        return float(self.scorer(known, rows, self.y))

    def _ranking(self, scores: Floats) -> float:
        from sklearn.metrics import average_precision_score

        found = []
        scores, sign = self._ranked(scores)
        for label in range(sign.shape[1]):
            positive = sign[:, label] == 1
            inside, outside = self.weight[positive].sum(), self.weight[~positive].sum()
            if inside and outside:
                rarer = inside <= outside
                found.append(
                    average_precision_score(
                        positive if rarer else ~positive,
                        scores[:, label] if rarer else -scores[:, label],
                        sample_weight=self.weight,
                    )
                )
        return float(np.mean(found)) if found else np.nan

    def _ranked(self, scores: Floats) -> tuple[Floats, Codes]:
        """(n, K) what ranks the rows for each label, and whether they have it."""
        if isinstance(self.labels, CodedLabels):
            return self.labels.decision(scores), self.labels.indicator(self.y)
        return scores, self.sign

    def _weights(self) -> Floats:
        """Weights of rows times weights of classes, as in the training loss.

        (n, K) if the labels have weights of their own, otherwise (n,).
        """
        own, mask = self._row_weights(), self.labels.mask(self.y)
        return own if mask is None else np.where(mask, own[:, np.newaxis], 0.0)

    def _row_weights(self) -> Floats:
        if not np.any(self.log_weight):
            return self.weight
        if self.log_weight.ndim == 2:
            own = np.take_along_axis(self.log_weight, self.sign.astype(np.intp), axis=0)
            return np.asarray(self.weight[:, np.newaxis] * np.exp(own))
        own = self.log_weight[np.searchsorted(self.labels.classes, self.y)]
        return np.asarray(self.weight * np.exp(own))


class Score(Protocol):
    """Measures the scores of held-out rows; higher is better."""

    table: Table

    def __call__(self, scores: Floats) -> float:
        """The validation score of a model with these (n, K) scores."""


class ScoreInUnit(float):
    """A score in the unit of the target, and in the unit in which rounds are compared.

    Attributes
    ----------
    own : float
        In a unit that follows the target, so that comparisons do not depend on its size.
    """

    own: float

    def __new__(cls, value: float, own: float | None = None) -> ScoreInUnit:
        result = super().__new__(cls, value)
        result.own = float(value if own is None else own)
        return result


def comparable(score: float) -> float:
    """What scores are compared by."""
    return score.own if isinstance(score, ScoreInUnit) else float(score)


class BestRound:
    """The round with the best score so far.

    Parameters
    ----------
    patience : int, optional
        Number of rounds without an improvement by `tol` after which to stop; None never stops.
    tol : float
        In the unit in which scores are compared, as is `score`.
    """

    def __init__(self, patience: int | None, tol: float) -> None:
        self.patience, self.tol = patience, tol
        self.number, self.score = 0, -np.inf

    def add(self, number: int, score: float) -> str | None:
        """Record the score of a round; returns a reason to stop, if there is one."""
        own = comparable(score)
        if own > self.score + self.tol:
            self.number, self.score = number, own
        waited = number - self.number
        if self.patience is None or waited < self.patience:
            return None
        if not self.number:
            return "the validation score is not a number, so it cannot tell when to stop"
        return f"the validation score has not risen for {waited} rounds"


class HeldOut:
    """Scores of held-out rows, kept up to date."""

    def __init__(
        self, table: Table, schema: Schema, start: Floats, known: Known | None = None
    ) -> None:
        self._rows = Rows([Shard(EncodedRows(table, schema), len(start))])
        self._rows.start_from(start)
        if known is not None:
            self._rows.only.scores.relative += known.scores
        self._partitions: list[tuple[Partition, ...]] = []
        self._steps: list[Floats] = []

    def follow(self, state: State) -> Floats:
        """(n, K) scores, updated with the changes since the last call."""
        for number, member in enumerate(state.members):
            if number == len(self._steps):
                if number in state.kept:
                    self._rows.shrink(state.kept[number])
                self._partitions.append(self._rows.place(member.hypothesis))
                self._steps.append(np.zeros_like(member.steps))
            elif member.steps is self._steps[number]:
                continue
            self._rows.move(self._partitions[number], member.steps - self._steps[number])
            self._steps[number] = member.steps
        return self._rows.only.scores.full()


class Validation:
    """A watch that records validation scores and the best round."""

    how = ""

    def __init__(self, score: Score, best: BestRound, known: Known | None = None) -> None:
        self.score, self.best, self.known = score, best, known

    @property
    def best_round(self) -> int:
        return self.best.number

    def start(
        self,
        schema: Schema,
        state: State,
        history: History,
        held_out: type[HeldOut] = HeldOut,
        best: tuple[int, float] | None = None,
    ) -> None:
        """Start from the members of an earlier run.

        The last of them counts as the best so far, if `best`, a round and its score, is not known.
        """
        self._rows = held_out(self.score.table, schema, state.rows.start, self.known)
        for row in history.rows:
            row.setdefault("validation_score", np.nan)
        if best is not None:
            self.best.number, self.best.score = best
            self._rows.follow(state)
        elif state.members:
            self.best.add(len(state.members), self.score(self._rows.follow(state)))

    def __call__(self, state: State, history: History) -> str | None:
        score = self.score(self._rows.follow(state))
        history.rows[-1]["validation_score"] = score
        return self.best.add(len(state.members), score)
