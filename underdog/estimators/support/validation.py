"""Early stopping: scores of rows that the learner does not see."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from underdog.codes import Labels
from underdog.core import History, Loss, Partition, Rows, Shard, State
from underdog.data import EncodedRows, Schema, Table
from underdog.types import Floats


def has_probabilities(rows: ScoredRows) -> bool:
    """Whether the scores are log-odds."""
    return rows.scale is not None and rows.log_odds_shift is not None


class ScoredRows(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that already knows its scores, so that scikit-learn's scorers can be used."""

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
    """A watch for a run without validation rows that goes on from one that had some."""
    history.rows[-1]["validation_score"] = np.nan


class ValidationScore:
    """The score of rows that were not learned from, from what a model says of them.

    Parameters
    ----------
    table, y, weight : the rows
    labels, loss, log_weight, log_odds_shift : of the booster
    scoring : str or callable
        "loss" is minus the mean loss that is being minimised; "ranking" the mean over the label
        columns of the average precision of their rarer side; else a scikit-learn scorer.
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
    ) -> None:
        self.table, self.y, self.weight, self.labels = table, y, weight, labels
        self.loss, self.log_weight, self.log_odds_shift = loss, log_weight, log_odds_shift
        self.scorer = None
        self._by_ranking = isinstance(scoring, str) and scoring == "ranking"
        if not self._by_ranking and scoring not in (None, "loss"):
            from sklearn.metrics import get_scorer  # takes as long to import as all of underdog

            self.scorer = get_scorer(scoring)
        self.sign = labels.sign(y)

    def __call__(self, scores: Floats) -> float:
        """The score of (n, K) scores."""
        if self._by_ranking:
            return self._ranking(scores)
        if self.scorer is None:
            return -self.loss.mean(scores, self.sign, self._weights())
        scale = self.loss.probability_scale
        known = ScoredRows(self.labels, scores, scale, self.log_weight, self.log_odds_shift)
        rows = self.table if self.table.source is None else self.table.source
        return float(self.scorer(known, rows, self.y))

    def _ranking(self, scores: Floats) -> float:
        from sklearn.metrics import average_precision_score

        found = []
        for label in range(self.labels.n_labels):
            positive = self.sign[:, label] == 1
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

    def _weights(self) -> Floats:
        """Of rows times their classes, so that the validation loss is the training loss.

        (n, K) where labels have weights of their own.
        """
        if not np.any(self.log_weight):
            return self.weight
        if self.log_weight.ndim == 2:
            own = np.take_along_axis(self.log_weight, self.sign.astype(np.intp), axis=0)
            return np.asarray(self.weight[:, np.newaxis] * np.exp(own))
        own = self.log_weight[np.searchsorted(self.labels.classes, self.y)]
        return np.asarray(self.weight * np.exp(own))


class BestRound:
    """The round with the best score so far.

    Parameters
    ----------
    patience : int, optional
        Rounds without improvement by `tol` after which to stop; None only records.
    tol : float
    """

    def __init__(self, patience: int | None, tol: float) -> None:
        self.patience, self.tol = patience, tol
        self.number, self.score = 0, -np.inf

    def add(self, number: int, score: float) -> str | None:
        """Note the score of a round; returns a reason to stop, if there is one."""
        if score > self.score + self.tol:
            self.number, self.score = number, score
        waited = number - self.number
        if self.patience is None or waited < self.patience:
            return None
        if not self.number:
            return "the validation score is not a number, so it cannot tell when to stop"
        return f"the validation score has not risen for {waited} rounds"


class HeldOut:
    """Scores of rows that a run does not learn from, kept up to date."""

    def __init__(self, table: Table, schema: Schema, start: Floats) -> None:
        self._rows = Rows([Shard(EncodedRows(table, schema), len(start))])
        self._rows.start_from(start)
        self._partitions: list[tuple[Partition, ...]] = []
        self._steps: list[Floats] = []

    def follow(self, state: State) -> Floats:
        """(n, K) scores, moved by what has changed since the last round."""
        for number, member in enumerate(state.members):
            if number == len(self._steps):
                self._partitions.append(self._rows.place(member.hypothesis))
                self._steps.append(np.zeros_like(member.steps))
            elif member.steps is self._steps[number]:
                continue
            self._rows.move(self._partitions[number], member.steps - self._steps[number])
            self._steps[number] = member.steps
        return self._rows.only.scores.full()


class Validation:
    """Watches the score of a validation set and remembers the best round."""

    how = ""

    def __init__(self, score: ValidationScore, best: BestRound) -> None:
        self.score, self.best = score, best

    @property
    def best_round(self) -> int:
        return self.best.number

    def start(self, schema: Schema, state: State, history: History) -> None:
        """Begin with the members already taken; the last of them is the best so far."""
        self._rows = HeldOut(self.score.table, schema, state.rows.start)
        for row in history.rows:
            row.setdefault("validation_score", np.nan)
        if state.members:
            self.best.add(len(state.members), self.score(self._rows.follow(state)))

    def __call__(self, state: State, history: History) -> str | None:
        score = self.score(self._rows.follow(state))
        history.rows[-1]["validation_score"] = score
        return self.best.add(len(state.members), score)
