"""Labels that models fitted without them do not believe, and how many of these to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils.validation import check_consistent_length

from underdog.checks import check_integer
from underdog.decisions.label_encoded import LabelEncoded
from underdog.decisions.out_of_fold import folds
from underdog.inspection.numbering import RowNumbers
from underdog.inspection.parameters import documented
from underdog.inspection.result import Result
from underdog.inspection.words import plain_label
from underdog.model import markup
from underdog.model.writing import text_table
from underdog.types import Flags, Floats, Integers

ALONE = "leave the class out, or give probabilities"
"""What to do with a class that has a single example."""


class DoubtfulLabel(NamedTuple):
    """One label that is probably wrong.

    `probability` is that of the given label, from a model that was fitted without the row.
    `suggested` is the most probable label, and `suggested_probability` its probability.
    """

    row: int
    given: Any
    suggested: Any
    probability: float
    suggested_probability: float


@dataclass(frozen=True, eq=False, repr=False)
class Suspects(Result):
    """The labels that are probably wrong, the least probable first.

    Attributes
    ----------
    each : list of DoubtfulLabel
    expected : int
        How many labels look wrong; see `suspects`.
    n_examples : int
        Number of all examples.
    numbering : RowNumbers
        How rows are numbered in texts.
    probabilities : array of shape (n, K)
        Of every class, by models that were fitted without the row.
    """

    each: list[DoubtfulLabel]
    expected: int
    n_examples: int
    numbering: RowNumbers
    probabilities: Floats

    def __len__(self) -> int:
        return len(self.each)

    @property
    def rows(self) -> list[int]:
        """Positions of the rows, counted from 0, the least probable label first."""
        return [one.row for one in self.each]

    def _about(self) -> str:
        return f"{len(self):,} of {self.n_examples:,} labels"

    @property
    def _headlines(self) -> tuple[str, str]:
        return (
            f"{self.expected:,} of {self.n_examples:,} labels look wrong; the least probable "
            f"{len(self):,},",
            f"by models fitted without these rows (rows are {self.numbering.note}):",
        )

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The head of the table, and its rows."""
        index = [] if self.numbering.index is None else ["index"]
        head = ["row", *index, "given", "probability", "suggested", "its probability"]
        rows = []
        for one in self.each:
            known = [str(value) for value in self.numbering.known(one.row).values()]
            given, said = f"{one.probability:.3f}", f"{one.suggested_probability:.3f}"
            rows.append([*known, str(one.given), given, str(one.suggested), said])
        return head, rows

    def text(self) -> str:
        """A table."""
        head, rows = self._cells()
        lines = (f"  {line}" for line in text_table([head, *rows]))
        return "\n".join([*self._headlines, *lines])

    def _frame_columns(self) -> dict[str, Any]:
        known = [self.numbering.known(one.row) for one in self.each]
        names = ["row"] if self.numbering.index is None else ["row", "index"]
        columns: dict[str, Any] = {name: [each[name] for each in known] for name in names}
        return columns | {
            name: [getattr(one, name) for one in self.each] for name in DoubtfulLabel._fields[1:]
        }

    def _html_parts(self) -> Sequence[str]:
        return [markup.line(" ".join(self._headlines)), markup.table(*self._cells(), 0)]

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON; with the `index` of a data frame that has one."""
        return {
            "expected": self.expected,
            "n_examples": self.n_examples,
            "examples": [{**one._asdict(), **self.numbering.known(one.row)} for one in self.each],
        }


@documented
def suspects(
    model: Any,
    X: Any,
    y: Any,
    n: int | None = None,
    *,
    cv: Any = 5,
    n_jobs: int | None = None,
    params: Mapping[str, Any] | None = None,
    probabilities: Any = None,
) -> Suspects:
    r"""Labels that are probably wrong, by models that were fitted without them.

    The model is fitted anew on all folds but one, and gives the probabilities :math:`p_{ik}` of the
    rows of that fold. Labels are listed by the probability of the given label, the lowest first.

    How many to look at: class k is said with confidence if :math:`p_{ik}` is at least :math:`t_k`,
    the mean of :math:`p_{ik}` over the examples labelled k. A label looks wrong if another class is
    said with confidence, is more probable than any other such class, and the given label is not the
    most probable one. A class that the model often confuses with others has a low :math:`t_k`, so
    that examples of hard classes do not all look wrong.

    Compared with `hardest`, this needs probabilities and `cv` more fits, but says how many to look
    at.

    Parameters
    ----------
    model : classifier with predict_proba
        Any of scikit-learn's interface, fitted or not; it is not changed. Boosters without
        probabilities can be wrapped in scikit-learn's `CalibratedClassifierCV`.
    X : array, sparse matrix, data frame, Table or list of texts
    y : array of shape (n,)
        Labels of two or more classes.
    n : int, optional
        How many labels to list. By default those that look wrong.
    cv : int, splitter or iterable of splits, default=5
        An int stands for stratified folds without shuffling.
    n_jobs : int, optional
        Number of processes for the fits.
    params : dict, optional
        Arguments for `fit`, such as ``{"sample_weight": weights}``.
    probabilities : array of shape (n, K), optional
        Out-of-fold probabilities, with the classes in sorted order. Then nothing is fitted, and
        model and X may be None.

    Returns
    -------
    Suspects

    References
    ----------
    Northcutt, Jiang and Chuang, "Confident learning: estimating uncertainty in dataset labels",
    Journal of Artificial Intelligence Research 70, 2021, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import LogisticAdaBoostClassifier
    >>> from underdog.inspection import suspects
    >>> X = (7.0 * np.arange(60) % 60).reshape(-1, 1)
    >>> y = (X[:, 0] > 29).astype(int)
    >>> y[[3, 50]] = 1 - y[[3, 50]]  # two wrong labels
    >>> found = suspects(LogisticAdaBoostClassifier(n_estimators=5), X, y)
    >>> found.expected, sorted(found.rows)
    (2, [3, 50])
    """
    if n is not None:
        check_integer("n", n, 1)
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"y has the shape {y.shape}, but one class per row is needed: (n,)")
    classes, own = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class, but at least 2 are needed")
    if probabilities is None:
        found = _left_out(model, X, y, cv, n_jobs, dict(params or {}))
    else:
        found = _given(probabilities, len(y), len(classes))
    return _listed(found, classes, own, n, RowNumbers.from_data(X))


def _listed(
    probabilities: Floats, classes: Any, own: Integers, n: int | None, numbering: RowNumbers
) -> Suspects:
    """The n labels that are least probable, or those that look wrong."""
    wrong = look_wrong(probabilities, own)
    given = probabilities[np.arange(len(own)), own]
    chosen = np.argsort(given, kind="stable")
    chosen = chosen[wrong[chosen]] if n is None else chosen[:n]
    each = [
        DoubtfulLabel(
            int(i),
            plain_label(classes[own[i]]),
            plain_label(classes[best]),
            float(given[i]),
            float(probabilities[i, best]),
        )
        for i, best in zip(chosen, probabilities[chosen].argmax(axis=1), strict=True)
    ]
    return Suspects(each, int(wrong.sum()), len(own), numbering, probabilities)


def look_wrong(probabilities: Floats, own: Integers) -> Flags:
    """(n,) whether another class than the given one is said with confidence; see `suspects`.

    Parameters
    ----------
    probabilities : (n, K), out of fold
    own : (n,), numbers of the given classes, each of which has an example
    """
    n, n_classes = probabilities.shape
    given = probabilities[np.arange(n), own]
    count = np.maximum(np.bincount(own, minlength=n_classes), 1)
    usual = np.bincount(own, weights=given, minlength=n_classes) / count
    sure = np.where(probabilities >= usual - 1e-12, probabilities, -1.0)
    other = (sure.max(axis=1) >= 0.0) & (sure.argmax(axis=1) != own)
    result: Flags = other & (probabilities.argmax(axis=1) != own)
    return result


def _left_out(
    model: Any, X: Any, y: Any, cv: Any, n_jobs: int | None, params: dict[str, Any]
) -> Floats:
    """(n, K) probabilities by models that were fitted without the row."""
    if not hasattr(model, "predict_proba"):
        raise ValueError(
            f"{type(model).__name__} has no probabilities, by which labels are judged: use a "
            "classifier with predict_proba, wrap it in CalibratedClassifierCV, or use "
            "hardest(model, X, y)"
        )
    check_consistent_length(X, y)
    classes, numbers = np.unique(y, return_inverse=True)
    encoded = LabelEncoded(clone(model), classes, tuple(params))
    splits = folds(cv, y, ALONE)
    found: Floats = cross_val_predict(
        encoded, X, numbers, cv=splits, method="predict_proba", n_jobs=n_jobs, params=params
    )
    return found


def _given(probabilities: Any, n: int, n_classes: int) -> Floats:
    """Probabilities of the caller, checked."""
    found = np.asarray(probabilities, dtype=np.float64)
    if found.shape != (n, n_classes):
        raise ValueError(
            f"probabilities has the shape {found.shape}, but y has {n} labels of {n_classes} "
            f"classes: give an array of shape {(n, n_classes)}"
        )
    bad = ~((found >= 0.0) & (found <= 1.0)).all(axis=1)
    if bad.any():
        raise ValueError(
            f"row {int(np.argmax(bad))} of probabilities has values that are not between 0 and 1"
        )
    return found
