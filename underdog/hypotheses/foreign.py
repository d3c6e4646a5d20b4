"""Fitted classifiers of other libraries as weak hypotheses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from underdog.core import Blocks, LabelBlocks, Partition
from underdog.data import EncodedRows, Schema, Table
from underdog.types import Floats


@dataclass(frozen=True, eq=False)
class Foreign:
    """One fitted classifier of another library per label column, with predictions -1 or +1.

    For a label column with a single sign in training, the sign replaces the classifier.
    """

    classifiers: tuple[Any, ...]
    values: Floats

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> Partition:
        return self.blocks(encoded.table)

    def blocks(self, table: Table) -> LabelBlocks:
        matrix = table.matrix()
        block = np.empty((len(table), len(self.classifiers)), dtype=np.uint8)
        for classifier in {id(each): each for each in self.classifiers}.values():
            labels = [label for label, own in enumerate(self.classifiers) if own is classifier]
            if isinstance(classifier, int):
                block[:, labels] = classifier
            else:
                block[:, labels] = (np.asarray(classifier.predict(matrix)) > 0)[:, np.newaxis]
        return LabelBlocks(block)

    def words(self, names: Schema) -> str:
        fitted = [each for each in self.classifiers if not isinstance(each, int)]
        return type((fitted or self.classifiers)[0]).__name__


@dataclass(frozen=True, eq=False)
class ForeignClass(Foreign):
    """One fitted classifier of another library, which predicts the number of a class.

    There is a block for each class. For a single class in training, its number replaces the
    classifier.
    """

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> Blocks:
        (classifier,) = self.classifiers
        if isinstance(classifier, int):
            found = np.full(encoded.n_rows, classifier)
        else:
            found = np.asarray(classifier.predict(encoded.table.matrix())).astype(np.int64)
        return Blocks.from_numbers(found, len(self.values), encoded.repeats, rest)


@dataclass(frozen=True, eq=False)
class GivenClass(Foreign):
    """A classifier that was fitted before, which predicts classes; there is a block for each."""

    classes: NDArray[Any]

    def partition(self, encoded: EncodedRows, rest: int | None = None) -> Blocks:
        (classifier,) = self.classifiers
        # A booster of underdog reads tables, other libraries do not.
        rows = encoded.table if hasattr(classifier, "model_") else encoded.table.matrix()
        found = np.searchsorted(self.classes, np.asarray(classifier.predict(rows)))
        return Blocks.from_numbers(found, len(self.values), encoded.repeats, rest)
