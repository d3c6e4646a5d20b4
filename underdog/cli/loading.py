"""A model, and new rows in the form that it takes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import scipy.sparse as sp

from underdog.cli.opening import open_data
from underdog.cli.options import FileLayout
from underdog.cli.screen import Screen
from underdog.cli.target import naming_file
from underdog.comparison.subgroups import columns_by
from underdog.frames.errors import BadData, refuse_missing_columns
from underdog.frames.roles import LEFT_OUT
from underdog.inspection.rows import Contributions
from underdog.inspection.unwrap import UnwrappedModel
from underdog.reading import Data, column_names
from underdog.types import Integers

PROFILE = "profile"
"""The name of the note about the training data."""


class EvaluateOptions(NamedTuple):
    """The options of `underdog evaluate`: the target, costs, and columns that make subgroups."""

    target: str | None
    costs: dict[str, float] | None
    by: list[str]

    def groups(self, data: Data, rows: Integers) -> dict[str, Any]:
        """The values of the columns that make subgroups."""
        if not self.by:
            return {}
        if data.frame is None:
            raise BadData("the columns have no names: leave --by out", path=data.source)
        return columns_by(data.frame[rows], self.by)


@dataclass(frozen=True, eq=False)
class Loaded(ABC):
    """A model, and what its file says about its training."""

    model: Any
    path: Path
    training: dict[str, Any]
    profile: Any = None
    """What its training data looked like, if the file says so."""
    shares: Any = None
    """Of the classes in the population that `evaluate` measures for, if they are given."""

    missing: ClassVar[str]
    """What a row without a target lacks."""

    @property
    def last(self) -> Any:
        """The classifier or regressor: the last step of the pipeline."""
        return self.model.steps[-1][1] if hasattr(self.model, "steps") else self.model

    @property
    def takes_frames(self) -> bool:
        """Whether it takes raw rows with named columns."""
        return hasattr(self.model, "steps")

    def open(
        self, path: str, layout: FileLayout, screen: Screen, kept: Collection[str] = ()
    ) -> Data:
        """New rows; columns that are text to the model, or to be kept, stay as they are written.

        Columns that are numbers to the model are read as such, even if they are kept.
        """
        roles = getattr(self.model[0], "roles_", {}) if self.takes_frames else {}
        used = {name: role.kind for name, role in roles.items() if role.kind not in LEFT_OUT}
        if used and (columns := column_names(path, **layout.options)) is not None:
            refuse_missing_columns(list(used), columns, path)
        numbers = {name for name, kind in used.items() if kind == "number"}
        read_options = self.training.get("read_options")
        return open_data(path, layout, screen, {*used, *kept} - numbers, read_options)

    def rows_of(self, data: Data) -> Any:
        """The rows of a file in the form that the model takes."""
        if self.takes_frames:
            if data.frame is None:
                raise BadData(
                    "the model needs columns with names: give CSV, TSV, JSON, Excel or Parquet",
                    path=data.source,
                )
            return data.frame
        if data.matrix is None:
            raise BadData(
                f"the model was trained on a matrix of {self.model.n_features_in_:,} columns: give "
                "an svmlight file", path=data.source,
            )  # fmt: skip
        return widened(data.matrix, int(self.model.n_features_in_))

    def table_of(self, data: Data, rows: Integers) -> Any:
        """Some rows of a file in the form that the last step takes."""
        X = self.rows_of(data)[rows]
        if not self.takes_frames:
            return X
        return naming_file(data.source, rows, lambda: self.model[:-1].transform(X))

    @abstractmethod
    def with_prevalence(self, given: dict[str, float]) -> Loaded:
        """The model for other shares of classes; "" stands for the positive one."""

    def about_prevalence(self) -> str:
        """For which shares of classes the model predicts, if that is not as in training."""
        return ""

    @property
    @abstractmethod
    def scoring(self) -> str:
        """How `rules_needed` scores the model."""

    @abstractmethod
    def decision(self, explained: UnwrappedModel) -> str:
        """How the model predicts from scores, in words, if that needs any."""

    @abstractmethod
    def verdict(self, why: Contributions, X: Any) -> tuple[str, list[int], dict[str, Any]]:
        """The prediction for the only row, which of its scores to show, and more for JSON."""

    @abstractmethod
    def targets_of(self, data: Data, target: str | None) -> tuple[Any, Any]:
        """Labels or numbers as the model knows them, and the rows of the file that have one."""

    @abstractmethod
    def columns_of(self, data: Data) -> dict[str, Any]:
        """Predictions for all rows, as columns of the output."""

    @abstractmethod
    def evaluate(self, data: Data, asked: EvaluateOptions, screen: Screen) -> dict[str, Any]:
        """Measure the model on rows with a target, and show the result."""

    def named_target(self, target: str | None) -> str | None:
        """The column given, or that of the training."""
        return target or self.training.get("target") or None


def widened(matrix: Any, columns: int) -> Any:
    """A sparse matrix with this many columns, since svmlight does not say how many there are."""
    if matrix.shape[1] > columns:
        raise BadData(
            f"there is a column {matrix.shape[1]:,}, but the model was trained on {columns:,}"
        )
    return sp.csr_matrix((matrix.data, matrix.indices, matrix.indptr), (matrix.shape[0], columns))
