"""Early stopping: scores of rows that the learner does not see."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from underdog.codes import Labels
from underdog.core import History, Loss, Partition, Scores, State
from underdog.data import Part, Schema, Table
from underdog.types import Floats


def has_probabilities(rows: ScoredRows) -> bool:
    """Whether the scores are log-odds."""
    return rows.scale is not None and rows.excess is not None


class ScoredRows(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that already knows its scores, so that scikit-learn's scorers can be used."""

    def __init__(
        self,
        labels: Labels,
        scores: Floats,
        scale: float | None,
        log_weight: Floats,
        excess: float | None,
    ) -> None:
        self.labels, self.scores, self.scale = labels, scores, scale
        self.log_weight, self.excess = log_weight, excess
        self.classes_ = labels.classes

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Any:
        return self.labels.predict(self.scores)

    def decision_function(self, X: Any) -> Floats:
        return self.labels.decision(self.scores)

    @available_if(has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        scale, excess = cast(float, self.scale), cast(float, self.excess)
        return self.labels.probability(self.scores - excess, scale, self.log_weight)


def no_validation(_: State, history: History) -> None:
    """A watch for a run without validation rows that goes on from one that had some."""
    history.rows[-1]["validation_score"] = np.nan


class Validation:
    """Watches the score of a validation set and remembers the best round.

    Parameters
    ----------
    scoring : str or callable
        "loss" is minus the mean loss that is being minimised; else a scikit-learn scorer.
    patience : int, optional
        Rounds without improvement by `tol` after which to stop; None only records.
    """

    def __init__(
        self,
        table: Table,
        y: Any,
        weight: Floats,
        labels: Labels,
        loss: Loss,
        log_weight: Floats,
        excess: float | None,
        scoring: Any,
        patience: int | None,
        tol: float,
    ) -> None:
        self.table, self.y, self.weight, self.labels = table, y, weight, labels
        self.loss, self.log_weight, self.excess = loss, log_weight, excess
        self.scorer = None
        if scoring not in (None, "loss"):
            from sklearn.metrics import get_scorer  # takes as long to import as all of underdog

            self.scorer = get_scorer(scoring)
        self.patience, self.tol = patience, tol
        self.sign = labels.sign(y)
        self.best_round, self.best_score = 0, -np.inf
        self.rounds = 0
        self._partitions: list[Partition] = []
        self._steps: list[Floats] = []

    def start(self, schema: Schema, state: State, history: History) -> None:
        """Begin with the members already taken; the last of them is the best so far."""
        self.part = Part(self.table, schema)
        self.scores = Scores.zero(len(self.table), self.labels.n_labels)
        self._follow(state)
        for row in history.rows:
            row.setdefault("validation_score", np.nan)
        if state.members:
            self.best_round, self.best_score = self.rounds, self.score()

    def __call__(self, state: State, history: History) -> str | None:
        self._follow(state)
        score = self.score()
        history.rows[-1]["validation_score"] = score
        if score > self.best_score + self.tol:
            self.best_round, self.best_score = self.rounds, score
        waited = self.rounds - self.best_round
        if self.patience is None or waited < self.patience:
            return None
        if not self.best_round:
            return "the validation score is not a number, so it cannot tell when to stop"
        return f"the validation score has not risen for {waited} rounds"

    def score(self) -> float:
        full = self.scores.full()
        if self.scorer is None:
            return -self.loss.mean(full, self.sign, self._weights())
        scale = self.loss.probability_scale
        known = ScoredRows(self.labels, full, scale, self.log_weight, self.excess)
        rows = self.table if self.table.source is None else self.table.source
        return float(self.scorer(known, rows, self.y))

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

    def _follow(self, state: State) -> None:
        """Move the scores by what has changed since the last round."""
        for number, member in enumerate(state.members):
            if number == len(self._steps):
                self._partitions.append(member.hypothesis.partition(self.part))
                self._steps.append(np.zeros_like(member.steps))
            elif member.steps is self._steps[number]:
                continue
            self._partitions[number].move(self.scores, member.steps - self._steps[number])
            self._steps[number] = member.steps
        self.rounds = len(state.members)
