"""The contributions of columns, or of rules, to the score of a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from underdog.checks import check_choice, check_integer, check_max_display
from underdog.data import Table
from underdog.frames.columns import distinct_names
from underdog.inspection.frames import make_frame
from underdog.inspection.numbering import RowNumbers
from underdog.inspection.order import Before
from underdog.inspection.parameters import documented
from underdog.inspection.parts import Asked, by_column, by_rule
from underdog.inspection.result import BASELINE, Result
from underdog.inspection.shap_values import to_explanation
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import by_label, plain_label
from underdog.model import markup
from underdog.model.shapes import Places
from underdog.model.writing import counted, number_format, score_format
from underdog.types import Floats, Integers

SCORE = "(score)"
"""In a data frame: the score."""
SHOWN_ROWS = 3
"""Rows on the page in a notebook."""


@dataclass(frozen=True, eq=False, repr=False)
class Contributions(Result):
    """The contributions of columns or rules to the scores of some rows.

    `base + values.sum(axis=1)` is the score of each row, bit for bit. It is the score of the
    *positive* class (given by `labels`), as in `describe`. If that is `classes_[0]`,
    `decision_function` has the opposite sign (see `decision`).

    The score of a regressor is its prediction, in the unit of the target. With ``loss="poisson"``
    it is the logarithm of the prediction. With several quantiles there is a score for each, before
    `predict` sorts them.

    Attributes
    ----------
    base : (K,)
        The baseline, which is the same for all rows.
    values : (n, U, K)
        What each of U columns or rules adds to the score of each label.
    names : list of str
        Of the U columns or rules.
    labels : list of str
        The class, label or quantile of each of the K scores.
    predicted : (n,) or (n, K)
        The predictions of the model, with its threshold or costs.
    probabilities : (n, classes), optional
        Those of the model, if it has any.
    numbering : RowNumbers
        How rows are numbered in texts. All methods take positions, which start at 0.
    """

    explained: UnwrappedModel
    base: Floats
    values: Floats
    names: list[str]
    predicted: Any
    probabilities: Floats | None
    numbering: RowNumbers
    _table: Table
    _parts: Sequence[Places | Asked]
    _places: Integers

    _see: ClassVar[str] = "text(row), to_dict(row), to_frame(), to_shap()"

    @property
    def labels(self) -> list[str]:
        """What each of the K scores is for."""
        return self.explained.labels

    @cached_property
    def scores(self) -> Floats:
        """(n, K)."""
        result: Floats = self.base + self.values.sum(axis=1)
        return result

    @property
    def decision(self) -> Floats:
        """The booster's `decision_function`: above 0 for `classes_[1]` of two classes."""
        if self.explained.is_regressor:
            raise AttributeError("a regressor has no decision_function: use scores")
        result: Floats = self.explained.booster._labels.decision(self.scores)
        return result

    @property
    def by(self) -> str:
        """What contributes: "column" or "rule"."""
        rules = any(isinstance(part, Asked) for part in self._parts)
        return "rule" if rules else "column"

    def __len__(self) -> int:
        return len(self.values)

    def _about(self) -> str:
        rows, parts = counted(len(self), "row"), counted(len(self.names), self.by)
        return f"{rows}, {parts}, {self.explained.about_classes}"

    def words(self, row: int, part: int) -> str:
        """The interval or level of a column, or the leaf of a rule, for a row: "30 < age <= 50"."""
        return self._parts[part].words(int(self._places[row, part]))

    def text(self, row: int, max_display: int | None = 10, *, label: str | None = None) -> str:
        """A table of the largest contributions to the score of one row, and their sum.

        Parameters
        ----------
        row : int
            Its position, starting at 0.
        max_display : int, optional
            How many contributions to show; None for all.
        label : str, optional
            One of `labels`; by default the one with the highest score, or the quantile closest to
            the median.
        """
        self.check_row(row)
        check_max_display(max_display)
        k = self.label_number(row, label)
        lines = [f"{value:>10}  {words}" for value, words in self._lines(row, k, max_display)]
        return "\n".join([f"{self._title(row, k)}:", *lines, *self._notes])

    def before(self, row: int, other: int, *, label: str | None = None) -> Before:
        """Why one row stands before another one: what adds up to the difference of their scores.

        Parameters
        ----------
        row, other : int
            Their positions, starting at 0.
        label : str, optional
            One of `labels`; by default that with the highest score of `row`.
        """
        self.check_row(row)
        check_integer("other", other, 0, len(self) - 1)
        k = self.label_number(row, label)
        return Before(row, other, self.values[row, :, k] - self.values[other, :, k], self, k)

    def _title(self, row: int, label_number: int) -> str:
        return f"{self.numbering.name(row)}, {self.explained.score_name(label_number)}"

    def _lines(self, row: int, k: int, max_display: int | None) -> Iterator[tuple[str, str]]:
        """Each contribution as text, with its column or rule; the sum is last."""
        own, order = self.values[row, :, k], self.strongest(row, k)
        shown = order[:max_display]
        total = self.scores[row, k]
        spec = score_format([self.base[k], total, *own[shown]])
        if self.base[k]:
            yield f"{self.base[k]:{spec}}", "baseline"
        for u in shown.tolist():
            yield f"{own[u]:{spec}}", self.words(row, u)
        if len(shown) < len(order):
            rest = own[order[len(shown) :]]
            yield f"{rest.sum():{spec}}", f"{len(rest)} more"
        yield f"{total:{spec}}", f"total: {self.verdict(row, k)}"

    def to_dict(self, row: int) -> dict[str, Any]:
        """One row as data for JSON, with the nonzero contributions, largest first."""
        self.check_row(row)
        largest = np.abs(self.values[row]).max(axis=1, initial=0.0)
        order = np.argsort(-largest, kind="stable")
        result: dict[str, Any] = {
            **self.numbering.known(row),
            "labels": self.labels,
            "baseline": by_label(self.labels, self.base),
            "contributions": [
                {
                    "name": self.names[u],
                    "is": self.words(row, u),
                    "adds": by_label(self.labels, self.values[row, u]),
                }
                for u in order[largest[order] > 0.0].tolist()
            ],
            "score": by_label(self.labels, self.scores[row]),
            "predicted": plain_label(self.predicted[row]),
        }
        if self.probabilities is not None:
            result["probability"] = by_label(self.explained.classes, self.probabilities[row])
        return {**result, "notes": list(self._notes)}

    def to_frame(self, *, wide: bool = False, backend: str | None = None) -> Any:
        """The contributions to all rows as a data frame.

        Parameters
        ----------
        wide : bool, default=False
            One row for each row of X and label, with a column for each contribution. Otherwise one
            row for each nonzero contribution, largest first. Both contain the baseline; baseline
            and contributions sum to the score exactly.
        backend : "pandas" or "polars", optional
            By default pandas, or polars if pandas is not installed.
        """
        return make_frame(self._wide() if wide else self._frame_columns(), backend)

    def _frame_columns(self) -> dict[str, Any]:
        places: list[tuple[int, int, int]] = []
        for row in range(len(self)):
            for k in range(len(self.labels)):
                places += [(row, k, u) for u in (-1, *self.strongest(row, k).tolist())]
        return {
            **self._known_rows([row for row, _, _ in places]),
            "label": [self.labels[k] for _, k, _ in places],
            "name": [BASELINE if u < 0 else self.names[u] for _, _, u in places],
            "is": [BASELINE if u < 0 else self.words(row, u) for row, _, u in places],
            "adds": [
                float(self.base[k] if u < 0 else self.values[row, u, k]) for row, k, u in places
            ],
        }

    def _wide(self) -> dict[str, Any]:
        n_rows, _, n_labels = self.values.shape
        known = self._known_rows(np.repeat(np.arange(n_rows), n_labels).tolist())
        numbers = np.concatenate(
            [
                np.broadcast_to(self.base, (n_rows, 1, n_labels)),
                self.values,
                self.scores[:, np.newaxis],
            ],
            axis=1,
        )
        by_name = numbers.transpose(1, 0, 2).reshape(-1, n_rows * n_labels)
        first = [*known, "label"]
        names = distinct_names([*first, BASELINE, *self.names, SCORE])[len(first) :]
        return {**known, "label": self.labels * n_rows, **dict(zip(names, by_name, strict=True))}

    def _known_rows(self, positions: list[int]) -> dict[str, Any]:
        known = [self.numbering.known(position) for position in positions]
        names = ("row",) if self.numbering.index is None else ("row", "index")
        return {name: [each[name] for each in known] for name in names}

    def to_shap(self) -> Any:
        """The same as a `shap.Explanation`, for the plots of shap, which must be installed.

        Its values are `values`; they and `base_values` sum to the score exactly. With one score
        they have no last dimension. Its data are the values of the columns or, with by="rule",
        the block of each rule that contains the row.
        """
        return to_explanation(self, self._table, self._parts, self._places)

    def _html_parts(self) -> Sequence[str]:
        parts = []
        for row in range(min(len(self), SHOWN_ROWS)):
            k = self.label_number(row, None)
            lines = ((words, value) for value, words in self._lines(row, k, 10))
            parts += [markup.line(self._title(row, k)), markup.table((), lines, 1)]
        parts.append(markup.more(len(self), SHOWN_ROWS, "text(row) prints one, to_frame() has all"))
        return [*parts, *map(markup.line, self._notes)]

    def label_number(self, row: int, label: str | None) -> int:
        """Which score to explain: that of a label, or the one that people look at first."""
        if label is None:
            return self.explained.main_label(self.scores[row])
        if str(label) not in self.labels:
            raise ValueError(f"label={label!r} must be one of {self.labels}")
        return self.labels.index(str(label))

    def strongest(self, row: int, label_number: int) -> Integers:
        """Columns or rules with a nonzero contribution to a score, the largest first."""
        own = np.abs(self.values[row, :, label_number])
        order = np.argsort(-own, kind="stable")
        return order[own[order] > 0.0]

    @property
    def _notes(self) -> tuple[str, ...]:
        return self.explained.notes

    def check_row(self, row: int) -> None:
        """Raise an error for a row that does not exist."""
        check_integer("row", row, 0, len(self) - 1)

    def verdict(self, row: int, label_number: int) -> str:
        """The prediction for a row, and the probability of this label."""
        predicted = self.predicted[row]
        if self.explained.is_regressor:
            return self._predicted_number(row, label_number)
        if np.ndim(predicted):  # several labels at once
            held = [name for name, flag in zip(self.labels, predicted, strict=True) if flag]
            shown = ", ".join(map(repr, held)) if held else "none of the labels"
        else:
            shown = repr(str(predicted))
        text = f"predicted {shown}"
        if self.probabilities is not None:
            label, names = self.labels[label_number], self.explained.classes
            if self.explained.is_coded:
                label, names = str(predicted), list(map(str, self.explained.booster.classes_))
            share = self.probabilities[row, names.index(label)]
            text += f"; probability of {label!r} {share:.3f}"
        return text

    def _predicted_number(self, row: int, label_number: int) -> str:
        if self.explained.is_ranker:
            return "the score"
        known, predicted = self.explained.booster._labels, np.ravel(self.predicted[row])
        value = float(predicted[label_number])
        text = f"predicted {value:{number_format([value])}}"
        if known.log_link:
            text += " = exp(score)"
        if (np.diff(self.scores[row]) < 0.0).any():
            text += "; quantiles cross in this row, and predictions are sorted"
        return text


@documented
def contributions(
    model: Any,
    X: Any,
    *,
    by: str = "column",
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> Contributions:
    """What each column, or each rule, adds to the scores of these rows.

    The contribution of a column is the sum of the steps of its rules: the value of its step
    function. For terms and columns of a sparse matrix, 0 means absent. Their contribution is the
    difference between the value and 0, and the value of 0 is part of the baseline. The baseline is
    therefore the score of an empty text, and a text is explained by the words that it contains.

    In a model with trees, the baseline is the expected score. On the path of a row from the root of
    a tree to its leaf, the expected score changes at every split, and the change is credited to the
    column of the split. The expected score of a node is the mean over its leaves, weighted by the
    number of training examples in them. If a model file does not have these numbers, all leaves
    count the same.

    Parameters
    ----------
    model
    X : the rows to explain, as for `predict`
        The result has n x U x K numbers: pass only the rows that you want to read.
    by : "column" or "rule", default="column"
        Rules are in the order in which they were found, and the baseline is the model's own start,
        usually 0. Rules of other libraries have contributions by rule only.
    feature_names, label_names

    Returns
    -------
    Contributions

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from underdog import AdaBoostClassifier, TermVectorizer
    >>> from underdog.inspection import contributions
    >>> texts = ["free prize", "see you", "win a prize", "see the free film"]
    >>> model = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=3))
    >>> why = contributions(model.fit(texts, ["spam", "ham", "spam", "ham"]), ["a free prize"])
    >>> why
    Contributions(1 row, 1 column, 2 classes); see text(row), to_dict(row), to_frame(), to_shap()
    >>> print(why.text(0))
    row 0 (numbered from 0), score for 'spam':
        -0.549  baseline
        +1.099  prize present
        +0.549  total: predicted 'spam'; probability of 'spam' 0.750
    >>> bool(why.decision[0] == model.decision_function(["a free prize"])[0])
    True
    """
    check_choice("by", by, "column", "rule")
    explained = unwrap(model, feature_names, label_names)
    table = explained.table(X)
    split = by_column if by == "column" else by_rule
    base, values, parts, places = split(explained, table)
    probabilities = model.predict_proba(X) if hasattr(model, "predict_proba") else None
    return Contributions(
        explained,
        base,
        values,
        [part.name for part in parts],
        model.predict(X),
        probabilities,
        RowNumbers.from_data(X),
        table,
        parts,
        places,
    )
