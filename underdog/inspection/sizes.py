"""How many rules are needed for which score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from underdog.checks import check_positive
from underdog.data import Table
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.scoring import cost_scorer
from underdog.estimators.support.regressor import PredictedRows
from underdog.estimators.support.validation import scorer_for
from underdog.estimators.support.weights import relative_weight
from underdog.inspection.parameters import documented
from underdog.inspection.result import Result
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.model import markup
from underdog.model.writing import counted, milestones, number_format, shortened, text_table
from underdog.types import Floats, Integers
from underdog.workers import Workers


@dataclass(frozen=True, eq=False, repr=False)
class RulesNeeded(Result):
    """The score of a model after each round, and how many rules are nearly as good.

    Attributes
    ----------
    rules : (T,)
        Number of rules with a nonzero step, after each round.
    scores : (T,)
    scoring : str
        The name of the score.
    smaller_is_better : bool
        True for a mean cost and for the mean loss.
    standard_error : float, optional
        Of the best score; for the accuracy and the loss only.
    within : tuple of float
        Differences from the best score that `text` reports.
    n_examples : int
    """

    explained: UnwrappedModel
    rules: Integers
    scores: Floats
    scoring: str
    standard_error: float | None
    within: tuple[float, ...]
    n_examples: int
    smaller_is_better: bool = False

    @property
    def best(self) -> float:
        """The best score."""
        return self._best(self.scores)

    def needed(self, loss: float = 0.0) -> int:
        """The smallest number of rules whose score is worse than the best by no more than this."""
        worse = self.scores - self.best if self.smaller_is_better else self.best - self.scores
        return int(self.rules[worse <= loss].min())

    def score_with(self, n_rules: int) -> float:
        """The best score with this number of rules."""
        return self._best(self.scores[self.rules == n_rules])

    def _best(self, scores: Floats) -> float:
        return float(scores.min() if self.smaller_is_better else scores.max())

    def answers(self) -> list[tuple[str, float, int, float]]:
        """(in words, loss, rules, score): for the best, one standard error, and each `within`."""
        losses = [("the best", 0.0)]
        if self.standard_error is not None:
            losses.append(("within one standard error", self.standard_error))
        losses += [(f"within {loss:g}", loss) for loss in self.within]
        return [
            (words, loss, self.needed(loss), self.score_with(self.needed(loss)))
            for words, loss in losses
        ]

    def _about(self) -> str:
        best = f"{self.best:{self._format}} with {counted(self.needed(), 'rule')}"
        return f"{shortened(self.scoring)} on {counted(self.n_examples, 'example')}, at best {best}"

    @property
    def _format(self) -> str:
        shares = float(np.abs(self.scores).max()) <= 1.0  # all with the same digits, 1 too
        return ".4f" if shares else number_format(self.scores.tolist())

    def _cells(self) -> list[list[str]]:
        """The score at powers of two and at the end."""
        rounds = [number - 1 for number in milestones(len(self.scores))]
        return [[str(self.rules[t]), f"{self.scores[t]:{self._format}}"] for t in rounds]

    def _statements(self) -> list[str]:
        """What is needed, in words."""
        found = []
        for words, _, count, score in self.answers():
            best = " of the best" if words.startswith("within") else ""
            found.append(f"{counted(count, 'rule')}: {score:{self._format}}, {words}{best}")
        return found

    def text(self) -> str:
        """The score at powers of two and at the end, and the rules needed."""
        lines = text_table([["   rules", self.scoring], *self._cells()])
        head = f"{self.scoring} on {counted(self.n_examples, 'example')}:"
        return "\n".join([head, *lines, *self._statements()])

    def _frame_columns(self) -> dict[str, Any]:
        rounds = np.arange(1, len(self.scores) + 1)
        return {"round": rounds, "rules": self.rules, "score": self.scores}

    def _html_parts(self) -> Sequence[str]:
        table = markup.table(("rules", self.scoring), self._cells(), 0)
        return [table, *map(markup.line, self._statements())]

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON, for every round."""
        return {
            "model": type(self.explained.booster).__name__,
            "scoring": self.scoring,
            "n_examples": self.n_examples,
            "rules": self.rules.tolist(),
            "scores": self.scores.tolist(),
            "standard_error": self.standard_error,
            "needed": [
                {"what": words, "loss": loss, "rules": count, "score": score}
                for words, loss, count, score in self.answers()
            ],
            "notes": list(self.explained.notes),
        }


@documented
def rules_needed(
    model: Any,
    X: Any,
    y: Any,
    *,
    scoring: Any = "auto",
    within: float | Sequence[float] | None = None,
    sample_weight: Any = None,
) -> RulesNeeded:
    """The score after each round, and the smallest numbers of rules that are (nearly) as good.

    The first rules predict as the model does: with the threshold or the costs of a
    `ThresholdClassifier` or `CostSensitiveClassifier` around the booster, which were fitted for all
    rules. Anything else around the booster is ignored. Choose a size on data that were not used for
    training, and measure the model of that size on other data again.

    Parameters
    ----------
    model
    X, y : data
    scoring : str or callable, default="auto"
        A scorer of scikit-learn; "precision", "recall", "f1", "jaccard" and "average_precision" are
        for the positive class. "cost" is the mean cost by the costs of a `CostSensitiveClassifier`,
        "loss" the mean of the loss that a regressor minimises. "auto" is "loss" for regressors and
        "accuracy" for classifiers.
    within : float or sequence of float, optional
        Differences from the best score that may be good enough, too; by default 0.01, and none for
        the loss. For accuracy and loss one standard error is always included.
    sample_weight : array of shape (n,), optional
        For the scorer.

    Returns
    -------
    RulesNeeded

    References
    ----------
    Breiman, Friedman, Olshen and Stone, "Classification and regression trees", 1984, chapter 3
    (the smallest model within one standard error of the best).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.inspection import rules_needed
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=100).fit(X[::2], y[::2])
    >>> size = rules_needed(model, X[1::2], y[1::2])
    >>> size.needed(), size.needed(size.standard_error)
    (36, 17)
    """
    explained = unwrap(model)
    if isinstance(scoring, str) and scoring == "auto":
        scoring = "loss" if explained.is_regressor else "accuracy"
    own_loss = isinstance(scoring, str) and scoring == "loss" and explained.is_regressor
    if within is None:
        within = () if own_loss else (0.01,)
    losses: tuple[float, ...] = tuple(np.atleast_1d(within).tolist())
    for loss in losses:
        check_positive("within", loss, zero=True)
    table = explained.table(X)
    y = explained.target(y, table)
    weight = np.ones(len(table))
    if sample_weight is not None:
        weight = relative_weight("sample_weight", sample_weight, len(table))
    error: float | None = None
    if own_loss:
        scores, error = _losses(explained, table, y, weight)
        name = "mean loss"
    else:
        weights = {} if sample_weight is None else {"sample_weight": weight}
        scores = _scores(explained, table, y, scoring, weights)
        name = scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")
    if name == "accuracy":
        best = float(scores.max())
        error = math.sqrt(best * (1.0 - best) * float(weight @ weight)) / float(weight.sum())
    smaller = own_loss or name == "cost"
    name = "mean cost" if name == "cost" else name
    sizes, scores = _sizes(explained), -scores if smaller else scores
    return RulesNeeded(explained, sizes, scores, name, error, losses, len(table), smaller)


def _losses(
    explained: UnwrappedModel, table: Table, y: Floats, weight: Floats
) -> tuple[Floats, float]:
    """(T,) minus the mean loss after each round, and the standard error of the best of them."""
    loss: Any = explained.booster._link
    ensemble, y, total = explained.booster.model_, y[:, np.newaxis], float(weight.sum())
    with Workers(explained.booster.n_jobs) as workers:
        last = ensemble.scores(table, workers)
    context = loss.context_of(last, y, weight)  # the same for all, so that they can be compared
    scores, best, error = [], -math.inf, 0.0
    for staged in ensemble.staged(table):
        each = loss.each(staged, y, context).sum(axis=1)
        mean = float(weight @ each) / total
        scores.append(-mean)
        if -mean > best:
            best, error = -mean, float(np.linalg.norm(weight * (each - mean))) / total
    return np.array(scores), error


def _scores(
    explained: UnwrappedModel, table: Table, y: Any, scoring: Any, weights: dict[str, Floats]
) -> Floats:
    """(T,) the score after each round, by a scorer of scikit-learn."""
    scorer, booster = _scorer(scoring, explained), explained.booster
    if explained.is_regressor:
        if isinstance(scoring, str) and booster._labels.quantiles is not None:
            raise ValueError(
                f"scoring={scoring!r} is of one prediction per row, but {type(booster).__name__} "
                f"predicts {explained.about_classes}: use scoring='loss'"
            )
        stages = (
            PredictedRows(booster._labels.predict(staged))
            for staged in booster.model_.staged(table)
        )
        return np.array([float(scorer(stage, table, y, **weights)) for stage in stages])
    try:
        found = [float(scorer(stage, table, y, **weights)) for stage in _stages(explained, table)]
    except AttributeError as missing:
        if "predict_proba" not in str(missing) or hasattr(booster, "predict_proba"):
            raise
        raise ValueError(
            f"scoring={scoring!r} needs probabilities, but {type(booster).__name__} has none: use "
            "a score of predictions, such as 'accuracy', or of rankings, such as 'roc_auc'"
        ) from missing
    return np.array(found)


def _has_probabilities(rows: StagedRows) -> bool:
    return hasattr(rows.booster, "predict_proba")


class StagedRows(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A booster with the scores of its first rules, for the scorers of scikit-learn."""

    def __init__(self, booster: Any, scores: Floats) -> None:
        self.booster, self.scores = booster, scores
        self.classes_ = booster.classes_

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Any:
        """Predictions, whatever X is."""
        return self.booster._decide(self.scores)

    def decision_function(self, X: Any) -> Floats:
        """Scores."""
        scores: Floats = self.booster._labels.decision(self.scores)
        return scores

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities."""
        probabilities: Floats = self.booster._probability(self.scores)
        return probabilities


def _stages(explained: UnwrappedModel, table: Table) -> Iterator[Any]:
    """The model after each round, as a classifier of these rows."""
    booster, decider = explained.booster, explained.decider
    for scores in booster.model_.staged(table):
        stage = StagedRows(booster, scores)
        yield stage if decider is None else decider.deciding(stage)


def _scorer(scoring: Any, explained: UnwrappedModel) -> Any:
    """A scorer of scikit-learn, or minus the mean cost."""
    if not (isinstance(scoring, str) and scoring == "cost"):
        return scorer_for(scoring, explained.booster._labels)
    decider = explained.decider
    if not isinstance(decider, CostSensitiveClassifier) or decider.costs is None:
        raise ValueError(
            "scoring='cost' needs a model with costs: give a CostSensitiveClassifier with costs, "
            "or a scorer, such as cost_scorer(Costs(fn=20, fp=1))"
        )
    classes = decider.classes_
    positive = classes[decider._positive] if len(classes) == 2 else None
    return cost_scorer(decider.costs, pos_label=positive)


def _sizes(explained: UnwrappedModel) -> Integers:
    """(T,) number of rules with a nonzero step, after each round."""
    ensemble = explained.booster.model_
    if ensemble.path:
        counts = [np.count_nonzero(coefficients) for coefficients in ensemble.path]
        return np.array(counts, dtype=np.int64)
    sizes = np.cumsum([member.size > 0.0 for member in ensemble.members]).astype(np.int64)
    return sizes[ensemble.n_known :]
