"""The examples that a model finds hardest: candidates for wrong labels or targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from underdog.checks import check_integer
from underdog.codes.multi_label import MultiLabels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.core import Target
from underdog.estimators.support.weights import Counted, count_examples
from underdog.inspection.numbering import RowNumbers
from underdog.inspection.parameters import documented
from underdog.inspection.result import Result
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import plain_label, with_notes
from underdog.losses import SoftMargin
from underdog.losses.potentials import PotentialLoss
from underdog.model import markup
from underdog.model.writing import number_format, score_format, text_table
from underdog.types import Floats
from underdog.workers import Workers


class HardExample(NamedTuple):
    """One example or, in a multilabel problem, one label of an example.

    `margin` is above 0 if the score is on the correct side, with the threshold of the model. For
    more than two classes it is the score of the true class minus the highest score of the others.
    If a `CostSensitiveClassifier` decides, the score of a class is minus its expected cost.
    """

    row: int
    label: str | None
    """In a multilabel problem, the label."""
    given: Any
    """The label in y."""
    predicted: Any
    margin: float
    share: float
    """Of the total weight, or slack, of all examples."""


class HardValue(NamedTuple):
    """One example of a regressor."""

    row: int
    observed: float
    """The target in y."""
    predicted: float
    """With several quantiles, the one closest to the median."""
    residual: float
    """observed - predicted."""
    share: float
    """Of the total loss of all examples."""


COLUMNS = ("row", "index", "share", "margin", "residual", "label", "given", "observed", "predicted")
"""Of the table, in this order, where there are such values."""


@dataclass(frozen=True, eq=False, repr=False)
class Hardest(Result):
    """The hardest examples, the hardest first.

    Attributes
    ----------
    each : list of HardExample, or of HardValue for a regressor
    measure : str
        What `share` is a share of.
    n_examples : int
        Number of all examples (or pairs of example and label).
    numbering : RowNumbers
        How rows are numbered in texts.
    """

    explained: UnwrappedModel
    each: list[HardExample] | list[HardValue]
    measure: str
    n_examples: int
    numbering: RowNumbers

    def __len__(self) -> int:
        return len(self.each)

    @property
    def rows(self) -> list[int]:
        """Positions of the rows, counted from 0, the hardest first."""
        return [example.row for example in self.each]

    def _about(self) -> str:
        model = type(self.explained.booster).__name__
        return f"{len(self):,} of {self.n_examples:,} examples for {model}"

    @property
    def _headlines(self) -> tuple[str, str]:
        share = 1.0 / self.n_examples
        even = f"{share:{number_format([share], 2)}}"
        return (
            f"the hardest of {self.n_examples:,}, by their share of the {self.measure}",
            f"(an even share is {even}; rows are {self.numbering.note}):",
        )

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The head of the table, and its rows."""
        columns = self._frame_columns()
        head = [name for name in COLUMNS if name in columns]
        written = [self._written(name, columns[name]) for name in head]
        return head, [list(row) for row in zip(*written, strict=True)]

    def _written(self, name: str, values: list[Any]) -> list[str]:
        """The values of one column as texts."""
        form = ""
        if name == "share":
            form = number_format(values, 3)
        elif name in ("margin", "residual"):
            form = score_format(values)
        elif name in ("observed", "predicted") and self.explained.is_regressor:
            form = number_format(values)
        return [format(value, form) if form else str(value) for value in values]

    def text(self) -> str:
        """A table."""
        head, rows = self._cells()
        lines = (f"  {line}" for line in text_table([head, *rows]))
        return with_notes("\n".join([*self._headlines, *lines]), self.explained.notes)

    def _frame_columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {
            name: [getattr(example, name) for example in self.each]
            for name in (HardValue if self.explained.is_regressor else HardExample)._fields
        }
        if all(label is None for label in columns.get("label", [0])):
            del columns["label"]
        if self.numbering.index is None:
            return columns
        index = [plain_label(self.numbering.index[row]) for row in columns["row"]]
        return {"row": columns.pop("row"), "index": index, **columns}

    def _html_parts(self) -> Sequence[str]:
        head = markup.line(" ".join(self._headlines))
        notes = map(markup.line, self.explained.notes)
        return [head, markup.table(*self._cells(), 0), *notes]

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON; with the `index` of a data frame that has one."""
        return {
            "model": type(self.explained.booster).__name__,
            "measure": self.measure,
            "n_examples": self.n_examples,
            "examples": [
                {**example._asdict(), **self.numbering.known(example.row)} for example in self.each
            ],
            "notes": list(self.explained.notes),
        }


@documented
def hardest(
    model: Any,
    X: Any,
    y: Any,
    n: int = 10,
    *,
    sample_weight: Any = None,
    label_names: Sequence[str] | None = None,
) -> Hardest:
    """The examples with the largest weights, or for a regressor losses, under the model's own loss.

    Boosting increases the weight of examples that the rules so far misclassify. Examples with a
    wrong label therefore have large weights in the end. The weights of LPBoost and related boosters
    do not follow from the scores. For them the measure is the slack: how far the margin of an
    example is below the soft margin, times its cost.

    Class weights and costs count as in training, as the mean of each class.

    The hardest examples of a regressor have the largest losses times weights: the largest residuals
    if the loss is "squared", "absolute" or "huber". With several quantiles it is the sum of their
    losses.

    Parameters
    ----------
    model
    X, y : the training data
    n : int, default=10
        Number of examples to return.
    sample_weight : array of shape (n,), optional
        As in training.
    label_names

    Returns
    -------
    Hardest

    References
    ----------
    Freund and Schapire, "A short introduction to boosting", Journal of the Japanese Society for
    Artificial Intelligence 14, 1999 (outliers have the largest weights). Abney, Schapire and
    Singer, "Boosting applied to tagging and PP attachment", EMNLP 1999 (wrong labels of a corpus).

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import AdaBoostClassifier
    >>> from underdog.inspection import hardest
    >>> X = np.arange(20.0).reshape(-1, 1)
    >>> y = (X[:, 0] > 9).astype(int)
    >>> y[3] = 1  # a wrong label
    >>> hardest(AdaBoostClassifier(n_estimators=1).fit(X, y), X, y, 1).rows
    [3]
    """
    check_integer("n", n, 1)
    explained = unwrap(model, None, label_names)
    table, booster = explained.table(X), explained.booster
    y = explained.target(y, table)
    counted = count_examples(sample_weight, len(table))
    kept = counted.kept
    with Workers(booster.n_jobs) as workers:
        scores = booster.model_.scores(table, workers)[kept]
    if explained.is_regressor:
        return _hardest_values(explained, scores, y, counted, n, X)
    weights, measure = _weights(explained, scores, y[kept], counted)
    margins = _margins(explained, _decided(explained, table, scores, kept), y[kept])
    if margins.shape[1] < weights.shape[1]:  # the columns of one example belong together
        # In order of size, so that examples with the same weights have the same sum.
        weights = np.sort(weights, axis=1).sum(axis=1, keepdims=True)
    total = float(weights.sum())
    share = weights / total if total > 0.0 else weights
    order = np.lexsort([np.arange(share.size), margins.ravel(), -share.ravel()])[:n]
    predicted = np.asarray(model.predict(X))
    found = []
    for i, k in zip(*np.unravel_index(order, share.shape), strict=True):
        row = int(kept[i])
        what = _what(explained, y[row], predicted[row], k)
        found.append(HardExample(row, *what, float(margins[i, k]), float(share[i, k])))
    return Hardest(explained, found, measure, share.size, RowNumbers.from_data(X))


def _hardest_values(
    explained: UnwrappedModel, scores: Floats, y: Floats, counted: Counted, n: int, X: Any
) -> Hardest:
    """The examples with the largest losses, given the scores of those that count."""
    loss: Any = explained.booster._link
    kept, weight, own = counted.kept, counted.weights(), y[counted.kept, np.newaxis]
    losses = weight * loss.each(scores, own, loss.context_of(scores, own, weight)).sum(axis=1)
    total = float(losses.sum())
    share = losses / total if total > 0.0 else losses
    predicted = np.asarray(explained.model.predict(X), dtype=np.float64)
    if predicted.ndim == 2:
        predicted = predicted[:, explained.booster._labels.middle]
    found = []
    for i in np.argsort(-share, kind="stable")[:n].tolist():
        row = int(kept[i])
        values = float(y[row]), float(predicted[row]), float(y[row] - predicted[row])
        found.append(HardValue(row, *values, float(share[i])))
    return Hardest(explained, found, f"loss {loss!r}", len(share), RowNumbers.from_data(X))


def _what(explained: UnwrappedModel, given: Any, said: Any, k: int) -> tuple[str | None, Any, Any]:
    """The label that an entry is about, its given value and the decision; see `HardExample`."""
    label = None
    if isinstance(explained.booster._labels, MultiLabels):
        given, said, label = bool(given[k]), bool(said[k]), explained.labels[k]
    return label, plain_label(given), plain_label(said)


def _decided(explained: UnwrappedModel, table: Any, scores: Floats, kept: Any) -> Floats:
    """(n, K) scores by whose sign or order the model decides: the booster's, or those of costs."""
    if explained.decider is None:
        labels = explained.booster._labels
        return labels.decision(scores) if isinstance(labels, OneOfKLabels) else scores
    decision = explained.decider.decision_function(table)[kept]
    if decision.ndim == 2:
        return np.asarray(decision, dtype=np.float64)
    positive = getattr(explained.booster._labels, "positive", 1)
    return np.asarray(decision if positive else -decision)[:, np.newaxis]


def _margins(explained: UnwrappedModel, scores: Floats, y: Any) -> Floats:
    """(n, 1), or (n, K) where a row has several labels: how far scores are on the right side."""
    labels = explained.booster._labels
    own = labels.indicator(y) == 1
    if labels.n_labels == 1 or isinstance(labels, MultiLabels):
        return np.where(own, scores, -scores)
    true = np.where(own, scores, -np.inf).max(axis=1, keepdims=True)
    result: Floats = true - np.where(own, -np.inf, scores).max(axis=1, keepdims=True)
    return result


def _weights(
    explained: UnwrappedModel, scores: Floats, y: Any, counted: Counted
) -> tuple[Floats, str]:
    """(n, K) weights under the booster's own loss, and what they are."""
    booster = explained.booster
    labels, loss = booster._labels, booster._link
    log_prior, log_class, log_label = counted.log_weight, booster._log_class_weight, None
    if not isinstance(labels, MultiLabels):
        log_prior = log_prior + log_class[np.searchsorted(labels.classes, y)]
    elif log_class.any():
        log_label = log_class
    log_prior = log_prior - log_prior.max()
    sign = labels.sign(y)
    if isinstance(loss, SoftMargin):
        share = counted.repeats * np.exp(log_prior)
        slack = _slack(loss, _margins(explained, scores, y)[:, 0], sign[:, 0], share / share.sum())
        return slack[:, np.newaxis], "slack below the soft margin"
    if isinstance(loss, PotentialLoss):
        own = loss.each(_margins(explained, scores, y))
        return own * (counted.repeats * np.exp(log_prior))[:, np.newaxis], "potential"
    target = Target(sign, counted.repeats, log_prior, log_label=log_label, mask=labels.mask(y))
    return loss.example_weights(scores, target), "training weight"


def _slack(loss: SoftMargin, margins: Floats, sign: Any, share: Floats) -> Floats:
    """What each example costs: its weight times by how much its margin is below rho.

    At the optimum all weight that is free is on the smallest margins, and rho is the largest of
    these.
    """
    lower, upper = loss.box.lower[sign] * share, loss.box.upper[sign] * share
    order = np.argsort(margins, kind="stable")
    filled = np.cumsum((upper - lower)[order])
    last = min(int(np.searchsorted(filled, 1.0 - lower.sum())), len(order) - 1)
    result: Floats = upper * np.maximum(margins[order[last]] - margins, 0.0)
    return result
