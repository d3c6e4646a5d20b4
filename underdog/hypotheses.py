"""Weak rules: a question about one column, a constant, or a classifier of another library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.data import Part, Schema, Table
from underdog.partitions import LabelBlocks, RowBlocks
from underdog.types import Codes, Floats


@dataclass(frozen=True, eq=False)
class Stump:
    """A test on one column.

    Attributes
    ----------
    column : int
    inside : one flag per bin, the last for missing values
        Bins for which the test is true.
    threshold : float, optional
        For an ordered column: true where the value is greater. None for a category column, and
        where only missing values are inside.
    values : (2, K)
        What the rule says where the test is false, and where it is true.
    """

    column: int
    inside: Codes
    threshold: float | None
    values: Floats

    def partition(self, part: Part) -> RowBlocks:
        rows, touched = part.smaller_side(self.column, self.inside)
        return RowBlocks(rows, touched, part.n_rows)

    def words(self, names: Schema) -> str:
        name = names.name(self.column)
        if self.column in names.categories:
            levels = names.categories[self.column]
            chosen = [str(level) for level, flag in zip(levels, self.inside, strict=False) if flag]
            if not chosen:
                return f"{name} is missing"
            text = f"{name} in {{{', '.join(chosen)}}}"
            if len(chosen) == 1:
                text = f"{name} is {chosen[0]}"
        elif self.threshold is None:
            return f"{name} is missing"
        elif names.presence[self.column]:
            text = f"{name} present"
        else:
            text = f"{name} > {names.written(self.column, self.threshold)}"
        if names.missing[self.column] and self.inside[-1]:
            text += " or missing"
        return text


@dataclass(frozen=True, eq=False)
class Constant:
    """The same answer for every row."""

    values: Floats

    def partition(self, part: Part) -> RowBlocks:
        return RowBlocks(np.empty(0, dtype=np.int32), 1, part.n_rows)

    def words(self, names: Schema) -> str:
        return "always"


@dataclass(frozen=True, eq=False)
class Foreign:
    """One fitted classifier of another library per label column; -1 or +1 where it says so.

    A label column that has one sign only has that sign in place of a classifier.
    """

    classifiers: tuple[Any, ...]
    values: Floats

    def partition(self, part: Part) -> LabelBlocks:
        return self.blocks(part.table)

    def blocks(self, table: Table) -> LabelBlocks:
        matrix = table.matrix()
        block = np.empty((len(table), len(self.classifiers)), dtype=np.uint8)
        for label, classifier in enumerate(self.classifiers):
            if isinstance(classifier, int):
                block[:, label] = classifier
            else:
                block[:, label] = np.asarray(classifier.predict(matrix)) > 0
        return LabelBlocks(block)

    def words(self, names: Schema) -> str:
        return " and ".join(type(classifier).__name__ for classifier in self.classifiers[:1])
