"""Output codes: K classes as L columns, each of which divides them in two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from underdog.checks import check_choice, to_python
from underdog.codes.base import Code, join_names, stored_classes, two_or_more
from underdog.codes.matrices import NAMES, Matrix, code_matrix, distance, own_matrix, why_not
from underdog.codes.one_of_k import OneOfKLabels
from underdog.core import Target
from underdog.data.draws import seed_of
from underdog.files import Fields
from underdog.kernels.elementary import exp_each, log_each
from underdog.types import Codes, Flags, Floats, Integers

CHUNK = 1 << 17
"""Scores are decoded for about so many pairs of a row and a class at a time."""
LEAST = 1e-280
"""Sums below this may lack terms that are rounded to 0."""
SHOWN = 2
"""Classes on either side in the name of a column."""


class OutputCode(Code):
    """A word of -1, 0 and +1 for each of three classes or more; a 0 leaves the class out.

    Parameters
    ----------
    code : str or matrix, default="dense"
        "one-vs-rest", "all-pairs", "exhaustive", "dense", "sparse", or a matrix with a row for each
        class; see `OutputCodeBoostClassifier`.
    decoding : {"loss", "hamming"}, default="loss"
    random_state : int or RandomState, optional
        Seed of random codes.

    Examples
    --------
    >>> from underdog.codes import OutputCode
    >>> labels = OutputCode("all-pairs").fit(["a", "b", "c"])
    >>> labels.sign(["b"]).tolist(), labels.mask(["b"]).tolist()
    ([[0, 0, 1]], [[True, False, True]])
    >>> labels.names
    ['a / b', 'a / c', 'b / c']
    """

    def __init__(
        self, code: Any = "dense", decoding: str = "loss", random_state: Any = None
    ) -> None:
        self.code = code
        self.decoding = decoding
        self.random_state = random_state

    def check(self) -> None:
        check_choice("decoding", self.decoding, "loss", "hamming")
        if isinstance(self.code, str):
            check_choice("code", self.code, *NAMES)

    def fit(self, y: Any) -> CodedLabels:
        classes = two_or_more(y)
        if len(classes) < 3:
            raise ValueError(
                "an output code is for three classes or more, but y has two: use the code Binary"
            )
        if isinstance(self.code, str):
            matrix = code_matrix(self.code, len(classes), seed_of(self.random_state))
        else:
            matrix = own_matrix(self.code, [to_python(label) for label in classes])
        return CodedLabels(classes, matrix.shape[1], matrix, self.decoding)


@dataclass(frozen=True)
class CodedLabels(OneOfKLabels):
    """Classes with their words; scores are those of the columns.

    Attributes
    ----------
    matrix : (K, L)
    decoding : {"loss", "hamming"}
    """

    matrix: Matrix
    decoding: str

    def _to_file(self) -> dict[str, Any]:
        return {"classes": self.classes, "matrix": self.matrix, "decoding": self.decoding}

    @classmethod
    def _from_file(cls, fields: Fields) -> CodedLabels:
        classes, decoding = stored_classes(fields), fields.text("decoding")
        matrix: Matrix = fields.array("matrix", np.int8, len(classes), None)
        if decoding not in ("loss", "hamming"):
            raise fields.wrong("decoding", "must be 'loss' or 'hamming'")
        if not matrix.size or not bool(np.isin(matrix, (-1, 0, 1)).all()):
            raise fields.wrong("matrix", "must have entries -1, 0 and 1")
        if why_not(matrix, classes.tolist()):
            raise fields.wrong("matrix", "is no code with which classes can be learned")
        return cls(classes, matrix.shape[1], matrix, decoding)

    @cached_property
    def distance(self) -> float:
        """The least distance between the words of two classes."""
        return distance(self.matrix)

    @property
    def n_margins(self) -> int:
        return len(self.classes)

    @property
    def names(self) -> list[str]:
        """Of the columns: a class against the rest, two classes on either side, or a number."""
        found = [self._column_name(place) for place in range(self.n_labels)]
        if len(set(found)) < len(found):
            return [f"column {place + 1}" for place in range(self.n_labels)]
        return found

    @property
    def noun(self) -> str:
        return "column"

    def _column_name(self, place: int) -> str:
        column = self.matrix[:, place]
        inside, outside = (list(map(str, self.classes[column == side])) for side in (1, -1))
        if len(inside) == 1 and len(outside) == len(column) - 1:
            return inside[0]
        if max(len(inside), len(outside)) <= SHOWN:
            return f"{', '.join(inside)} / {', '.join(outside)}"
        return f"column {place + 1}"

    def sign(self, y: Any) -> Codes:
        """(n, L): 1 where the word of the class has +1, else 0."""
        result: Codes = (self._words(y) == 1).astype(np.uint8)
        return result

    def mask(self, y: Any) -> Flags | None:
        """(n, L): False where the word of the class has a 0; None if no word has any."""
        return None if self.matrix.all() else self._words(y) != 0

    def _words(self, y: Any) -> Matrix:
        return np.ascontiguousarray(self.matrix[np.searchsorted(self.classes, np.asarray(y))])

    def indicator(self, y: Any) -> Codes:
        return super().sign(y)

    def class_numbers(self, target: Target) -> Integers:
        words = 2 * target.sign.astype(np.int8) - 1
        if target.mask is not None:
            words[~target.mask] = 0
        found = np.empty(len(words), dtype=np.int64)
        for place, word in enumerate(self.matrix):
            found[(words == word).all(axis=1)] = place
        return found

    def decision(self, scores: Floats) -> Floats:
        """(n, K): how well the scores fit the word of each class.

        Minus the logarithm of the mean of exp(-M f) over the columns, or minus the Hamming
        distance, where a score or an entry of 0 counts 1/2.
        """
        result = np.empty((len(scores), len(self.classes)))
        size = max(1, CHUNK // len(self.classes))
        for start in range(0, len(scores), size):
            part = slice(start, start + size)
            result[part] = self._decoded(scores[part]).T
        return result

    def _decoded(self, scores: Floats) -> Floats:
        """(K, n) decisions.

        Columns are added one after the other: sums of matrix products depend on the number of rows.
        """
        if self.decoding == "hamming":
            apart = np.zeros((len(self.classes), len(scores)))
            for column, side in zip(self.matrix.T, np.sign(scores.T), strict=True):
                apart += 0.5 * (1.0 - np.multiply.outer(column, side))
            return -apart
        size = np.abs(scores).max(axis=1)
        total = np.zeros((len(self.classes), len(scores)))
        for column, own in zip(self.matrix.T, scores.T, strict=True):
            losses = np.empty((3, len(scores)))  # by M = -1, 0, 1, divided by exp(size)
            for place, exponent in enumerate((own, 0.0, -own)):
                exp_each(exponent - size, losses[place])
            total += losses[column + 1]
        lost = (total < LEAST).any(axis=0)
        total[:, lost] = 1.0
        result: Floats = -(size + _logarithms(total / self.n_labels))
        if lost.any():
            result[:, lost] = self._slowly_decoded(scores[lost])
        return result

    def _slowly_decoded(self, scores: Floats) -> Floats:
        """The same if losses of some word are too small beside the greatest loss of a column."""
        exponents = -self.matrix[:, :, np.newaxis] * scores.T
        size = exponents.max(axis=1)
        terms = np.empty(exponents.size)
        exp_each((exponents - size[:, np.newaxis]).ravel(), terms)
        total = np.zeros_like(size)
        for place in range(self.n_labels):
            total += terms.reshape(exponents.shape)[:, place]
        result: Floats = -(size + _logarithms(total / self.n_labels))
        return result

    def predict(self, scores: Floats) -> Any:
        return self.classes[np.argmax(self.decision(scores), axis=1)]

    def margins(self, scores: Floats) -> Floats:
        return self.decision(scores)

    def headline(self, names: Sequence[str]) -> str:
        fits = "loss" if self.decoding == "loss" else "Hamming distance"
        return (
            f"one score per column of a code for {len(self.classes)} classes, the word with the "
            f"least {fits} wins: {join_names(names)}"
        )


def _logarithms(values: Floats) -> Floats:
    logs: Floats = np.empty(values.shape)
    log_each(values.ravel(), logs.ravel())
    return logs
