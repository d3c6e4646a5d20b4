"""Boosters that take prior knowledge into account."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from underdog.checks import is_number, notify
from underdog.codes import Labels
from underdog.core import Parts
from underdog.data.draws import NEVER, Draw, seed_of
from underdog.estimators.support.classifier import Classifier
from underdog.estimators.support.early_stopping import FOLDS, Fold
from underdog.estimators.support.knowledge import (
    IN_MODEL,
    kind_of,
    knowledge_of,
    outside_scores,
    sum_of,
)
from underdog.estimators.support.probabilities import if_log_odds
from underdog.estimators.support.task import FitTask, Known, LabelledRows
from underdog.estimators.support.validation import Score
from underdog.losses import Logistic
from underdog.types import Floats

BY_FOLDS = "folds"
WEIGHTS = (0.0, 0.1, 0.3, 1.0, 3.0, 10.0)
"""The weights of knowledge that are tried."""


class KnowledgeAttributes:
    """The attributes that fit sets; those of a dataclass would be parameters."""

    knowledge_: str | None
    prior_weight_: float | None


@dataclass(kw_only=True, eq=False, repr=False)
class Informed(KnowledgeAttributes, Classifier):
    """A booster that balances the training data against prior knowledge.

    Parameters
    ----------
    prior_knowledge : optional
        Rules in words, a fitted model, a function of X, or an array of probabilities.
    prior_weight : float or "folds", default=1.0
        How many examples the knowledge of a row counts for; "folds" chooses by cross-validation.
    """

    prior_knowledge: Any = None
    prior_weight: Any = 1.0

    _learns: ClassVar[dict[str, Any]] = {
        "knowledge_": str | None,
        "prior_weight_": float | None,
    }

    def __sklearn_clone__(self) -> Any:
        """A clone has the same knowledge: a model in it stays fitted."""
        made = super().__sklearn_clone__()
        made.prior_knowledge = self.prior_knowledge
        return made

    @property
    def _is_informed(self) -> bool:
        weightless = is_number(self.prior_weight) and self.prior_weight == 0
        return self.prior_knowledge is not None and not weightless

    def _why_in_memory(self) -> str | None:
        return "prior_knowledge needs all rows in one place" if self._is_informed else None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        weight = self.prior_weight
        named = isinstance(weight, str) and weight == BY_FOLDS
        if not named and not (is_number(weight) and 0.0 <= weight < math.inf):
            raise ValueError(f"prior_weight={weight!r} must be a number from 0 on, or 'folds'")
        if self.prior_knowledge is None:
            return
        kind_of(self.prior_knowledge)
        for name in ("class_weight", "costs"):
            if getattr(self, name) is not None and self._is_informed:
                raise ValueError(
                    f"{name} and prior_knowledge cannot be combined: knowledge is about "
                    f"probabilities, and {name} changes what scores mean. Decide by costs "
                    "afterwards, with CostSensitiveClassifier or ThresholdClassifier"
                )

    def _informed(self, rows: LabelledRows, X: Any, labels: Labels, parts: Parts) -> LabelledRows:
        if not self._is_informed:
            return rows
        loss, given = self._loss_for(labels, parts.loss), self.prior_knowledge
        weight = math.nan if self.prior_weight == BY_FOLDS else float(self.prior_weight)
        return replace(rows, known=knowledge_of(given, X, rows, labels, loss, weight))

    def _learn(self, task: FitTask) -> None:
        known = task.examples.known
        if known is not None and task.resumed:
            weight = self.prior_weight_ if math.isnan(known.weight) else known.weight
        elif known is not None:
            weight = choose_weight(self, task) if math.isnan(known.weight) else known.weight
        else:
            weight = None if self.prior_knowledge is None else 0.0
        if task.resumed:
            self._refuse_other_knowledge(known, weight, task)
        self.knowledge_ = known.kind if known is not None and weight else None
        self.prior_weight_ = weight
        if self.knowledge_ is not None and self.knowledge_ not in IN_MODEL:
            notify(
                f"the {self.knowledge_} of prior_knowledge does not become part of the model: it "
                "is needed for predictions, and neither files nor explanations have it"
            )
        held_out = task.held_out
        if isinstance(held_out, LabelledRows):
            held_out = weighed(held_out, weight)
        super()._learn(replace(task, examples=weighed(task.examples, weight), held_out=held_out))

    def _refuse_other_knowledge(
        self, known: Known | None, weight: float | None, task: FitTask
    ) -> None:
        """Refuse a warm start with other knowledge than that of the fitted model."""
        before, n_known = self.knowledge_, self.model_.n_known
        same = (known.kind if known is not None and weight else None) == before
        if same and known is not None and before in IN_MODEL:
            own = sum_of(self.model_.members[:n_known], self.model_.schema, task.examples.table)
            same = bool(np.array_equal(own, known.scores))
        if not same or (before is not None and weight != self.prior_weight_):
            raise ValueError(
                "warm_start: prior_knowledge or prior_weight is not that of the fitted model: use "
                "the same, or set warm_start=False"
            )

    def _known_scores(self, X: Any, given: Any, n_rows: int) -> Floats | None:
        """(n, K) what is known of rows, where that is no part of the model."""
        kind = self.knowledge_
        if kind is None or kind in IN_MODEL:
            if given is not None:
                why = "has none" if kind is None else f"is part of the model ({kind})"
                raise ValueError(f"prior knowledge was given, but that of this model {why}")
            return None
        if given is None and kind != "array":
            given = self.prior_knowledge
        if given is None:
            raise ValueError(
                f"this model was trained with prior knowledge from an outside source (the {kind}), "
                "which is no part of it: give that of these rows, as in predict(X, "
                "prior_knowledge=probabilities)"
            )
        return outside_scores(given, X, n_rows, self._labels, self._link)

    def _scores(self, X: Any, prior_knowledge: Any = None) -> Floats:
        scores = super()._scores(X)
        known = self._known_scores(X, prior_knowledge, len(scores))
        return scores if known is None else scores + known

    def _staged_scores(self, X: Any, prior_knowledge: Any = None) -> Iterator[Floats]:
        staged = super()._staged_scores(X)
        return self._with_known(staged, X, prior_knowledge)

    def _with_known(
        self, staged: Iterator[Floats], X: Any, prior_knowledge: Any
    ) -> Iterator[Floats]:
        known: Floats | None = None
        for number, scores in enumerate(staged):
            if not number:
                known = self._known_scores(X, prior_knowledge, len(scores))
            yield scores if known is None else scores + known

    def _gains(self) -> Floats:
        gains = super()._gains()
        if self.knowledge_ is not None and isinstance(self._link, Logistic):
            # The loss before the first round is not ln 2: by how much it fell at least.
            gains[0] = self.history_["guaranteed_drop"][0]
        return gains

    def _notes(self) -> list[str]:
        notes: list[str] = super()._notes()
        if self.knowledge_ is None:
            return notes
        count, weight = self.model_.n_known, f"a weight of {self.prior_weight_:g}"
        if count == 0:
            return [*notes, f"prior knowledge with {weight} is added: {self.knowledge_}, not shown"]
        which = "rule 1 is" if count == 1 else f"rules 1 to {count} are"
        return [*notes, f"{which} prior knowledge, with {weight}"]

    def decision_function(self, X: Any, *, prior_knowledge: Any = None) -> Floats:
        """Scores: (n,) for two classes, positive for `classes_[1]`; otherwise a column per class.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        prior_knowledge : (n,) or (n, number of classes), optional
            Probabilities of these rows, if the model was trained with an array of them.
        """
        scores = self._scores(X, prior_knowledge)  # says so if there is no model yet
        return self._labels.decision(scores)

    def predict(self, X: Any, *, prior_knowledge: Any = None) -> Any:
        """The class with the highest score; in multilabel problems, the labels above 0.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        prior_knowledge : optional
            See `decision_function`.
        """
        return self._decide(self._scores(X, prior_knowledge))

    @if_log_odds
    def predict_proba(self, X: Any, *, prior_knowledge: Any = None) -> Floats:
        """Probabilities by the link of the loss.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
        prior_knowledge : optional
            See `decision_function`.
        """
        return self._probability(self._scores(X, prior_knowledge))


def weighed(rows: LabelledRows, weight: float | None) -> LabelledRows:
    """Rows whose knowledge has this weight; without weight there is none."""
    if rows.known is None:
        return rows
    return replace(rows, known=rows.known._replace(weight=weight) if weight else None)


def choose_weight(booster: Informed, task: FitTask) -> float:
    """The weight of knowledge with the least loss of left-out rows, the smallest of equal ones."""
    examples, labels = task.examples, task.labels
    found = booster._classes_of_rows(examples.y)
    kinds = np.zeros(len(examples.y), dtype=np.int64) if found is None else found[1]
    seed = seed_of(booster.random_state)
    fold_of = Draw(examples.table, kinds, examples.counted.repeats, seed).folds(FOLDS)
    parts = [np.flatnonzero(fold_of == fold) for fold in np.unique(fold_of[fold_of != NEVER])]
    if len(parts) < 2:
        notify("there are too few rows to choose prior_weight by folds: it is 1")
        return 1.0
    together = np.concatenate(parts)
    score = _loss_of(booster, task, examples.take(together))
    losses = []
    for weight in WEIGHTS:
        scores = []
        for rows in parts:
            others = np.flatnonzero(fold_of != fold_of[rows[0]])
            without = replace(task, examples=weighed(examples.take(others), weight))
            fold = Fold(booster, without, weighed(examples.take(rows), weight))
            fold.take_rounds(booster.n_estimators * booster._turns(labels.n_labels))
            scores.append(fold.next_scores())
        losses.append(-score(np.concatenate(scores)))
    return WEIGHTS[int(np.argmin(losses))]


def _loss_of(booster: Informed, task: FitTask, held_out: LabelledRows) -> Score:
    """Minus the mean loss of the given labels of held-out rows, at scores of theirs."""
    weighting = booster._make_weighting(task.examples, task.labels, task.given)
    loss = booster._loss_for(task.labels, task.parts.loss)
    parts = replace(task.parts, loss=loss)
    return booster._make_score(parts, held_out, task.labels, weighting, "loss")
