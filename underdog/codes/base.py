"""The interface of codes, and checks of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from underdog.checks import to_python
from underdog.core import Component
from underdog.files import Fields
from underdog.types import Codes, Flags, Floats

Classes = np.ndarray[Any, Any]


class Outputs(Protocol):
    """A code fitted to a target: what the K scores of a row mean."""

    @property
    def n_labels(self) -> int:
        """K, the number of columns."""

    @property
    def names(self) -> list[str]:
        """The names of what is predicted: classes, labels or quantiles."""

    def check(self, y: Any, name: str) -> None:
        """Refuse what cannot be compared with predictions; `name` is that of y in the message."""

    def predict(self, scores: Floats) -> Any:
        """Predictions."""

    def headline(self, names: Sequence[str]) -> str:
        """A short description of what scores mean, with these names of the outputs."""

    @property
    def noun(self) -> str:
        """What each of several outputs is, as the head of a column."""


class Labels(Outputs, Protocol):
    """A code fitted to the classes of a target."""

    @property
    def exclusive(self) -> bool:
        """Whether every row has exactly one of the classes."""

    @property
    def classes(self) -> Classes:
        """The classes in sorted order."""

    def sign(self, y: Any) -> Codes:
        """(n, K): 1 if the label is positive, else 0."""

    def mask(self, y: Any) -> Flags | None:
        """(n, K): False where a row does not count for a label; None if all rows count for all."""

    def decision(self, scores: Floats) -> Floats:
        """Scores in the form of scikit-learn's decision_function."""

    def probability(self, scores: Floats, scale: float, log_weight: Floats) -> Floats:
        """Probabilities, corrected for the weights of the classes.

        log_weight is the logarithm of the weight of each class. In multilabel problems it is
        (2, K): the weights of negatives and of positives of each label.
        """

    def margins(self, scores: Floats) -> Floats:
        """(n, K): how much a row is for each label, and against the others."""

    def indicator(self, y: Any) -> Codes:
        """(n, K): 1 if the row has the label, for each column of `margins`."""

    @property
    def n_margins(self) -> int:
        """The number of columns of `margins`."""

    def calibrated(self, log_odds: Floats) -> Floats:
        """Probabilities from the log-odds of each label against the rest."""

    def most_probable(self, probabilities: Floats) -> Any:
        """The class with the highest probability; of several labels, those above 1/2."""


class NamedClasses:
    """The names of classes, for fitted codes."""

    classes: Classes
    n_labels: int
    exclusive: ClassVar[bool] = True
    """Whether every row has exactly one of the classes."""

    @property
    def names(self) -> list[str]:
        return [str(label) for label in self.classes]

    @property
    def noun(self) -> str:
        return "class"

    @property
    def n_margins(self) -> int:
        return self.n_labels

    def margins(self, scores: Floats) -> Floats:
        return scores

    def sign(self, y: Any) -> Codes:
        raise TypeError(f"{type(self).__name__} does not define sign()")

    def mask(self, y: Any) -> Flags | None:
        return None

    def indicator(self, y: Any) -> Codes:
        return self.sign(y)

    def most_probable(self, probabilities: Floats) -> Any:
        return self.classes[np.argmax(probabilities, axis=1)]


class Code(Component):
    """Turns a target into columns, and scores into predictions."""

    def fit(self, y: Any) -> Any:
        """Learn the classes of y, of which there must be at least two, or its unit."""
        raise TypeError(f"{type(self).__name__} does not define fit()")


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    tail = np.exp(-np.abs(x))
    result: Floats = np.where(x >= 0, 1.0, tail) / (1.0 + tail)
    return result


def join_names(names: Sequence[str], max_display: int = 8) -> str:
    """The first names, separated by commas."""
    first = ", ".join(names[:max_display])
    return first if len(names) <= max_display else first + ", ..."


def check_known(classes: Classes, y: Any, name: str) -> None:
    """Refuse a matrix, and labels that are not among the classes."""
    if y.ndim != 1:
        raise ValueError(
            f"{name} has {y.shape[1]} columns, but the model was trained with one label per row: "
            "give one label per row"
        )
    unknown = [label for label in np.unique(y).tolist() if label not in classes.tolist()]
    if unknown:
        raise ValueError(
            f"{name} has labels {unknown[:5]}, but the training data has {classes.tolist()[:5]}: "
            "remove these rows, or include the labels in the training data"
        )


def stored_classes(fields: Fields) -> Classes:
    """The classes from a file, which must be different and sorted."""
    classes = fields.get("classes")
    if not isinstance(classes, np.ndarray) or classes.ndim != 1 or len(classes) < 2:
        raise fields.wrong("classes", "must be an array of two or more")
    if not bool((classes[1:] > classes[:-1]).all()):
        raise fields.wrong("classes", "must be different and sorted")
    return classes


def two_or_more(y: Any) -> Classes:
    """The classes of y in sorted order, if there are at least two."""
    if np.ndim(y) != 1:
        raise ValueError(
            f"the codes Binary and OneOfK need one label per row, but y has {np.shape(y)[1]} "
            "columns: use MultiLabel"
        )
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"the training data has only one class, {to_python(classes[0])!r} (rows of weight 0 "
            "are ignored): give examples of at least two classes"
        )
    return classes
