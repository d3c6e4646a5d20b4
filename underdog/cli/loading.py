"""A model, and new rows in the form that it takes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from underdog.checks import to_python
from underdog.cli.evaluator import HeldOutPredictions
from underdog.cli.opening import check_model, open_data
from underdog.cli.options import FileLayout
from underdog.cli.screen import Screen
from underdog.cli.task import is_rare, naming_file
from underdog.codes.multi_label import MultiLabels
from underdog.files import load
from underdog.files.versions import in_present_names
from underdog.frames.errors import BadData, listed, refuse_missing_columns
from underdog.frames.roles import LEFT_OUT
from underdog.inspection.unwrap import unwrap
from underdog.reading import Data, column_names
from underdog.types import Integers


@dataclass(frozen=True, eq=False)
class Loaded:
    """A model, and what its file says about its training."""

    model: Any
    path: Path
    training: dict[str, Any]

    @property
    def last(self) -> Any:
        """The classifier: the last step of the pipeline."""
        return self.model.steps[-1][1] if hasattr(self.model, "steps") else self.model

    @property
    def takes_frames(self) -> bool:
        """Whether it takes raw rows with named columns."""
        return hasattr(self.model, "steps")

    @property
    def positive(self) -> int:
        """Position of the positive of two classes."""
        names = [str(label) for label in self.model.classes_.tolist()]
        given = self.training.get("positive")
        return names.index(given) if given in names else 1

    @property
    def has_rare_class(self) -> bool:
        """Whether the rarer of two classes had less than 20% of the rows in training."""
        counts = self.training.get("classes")
        return isinstance(counts, dict) and is_rare(counts.values())

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
                    "the model needs columns with names: give CSV, TSV, JSON lines or Parquet",
                    path=data.source,
                )
            return data.frame
        if data.matrix is None:
            raise BadData(
                f"the model was trained on a matrix of {self.model.n_features_in_:,} columns: give "
                "an svmlight file", path=data.source,
            )  # fmt: skip
        return widened(data.matrix, int(self.model.n_features_in_))

    def places_of(self, y: Any, source: str) -> Integers:
        """Positions of labels in the model's classes."""
        known = {str(to_python(label)): place for place, label in enumerate(self.model.classes_)}
        names = [str(to_python(label)) for label in y]
        unknown = sorted(set(names) - set(known))
        if unknown:
            raise BadData(
                f"class {unknown[0]!r} did not occur in training: the classes of the model are "
                f"{listed(known)}", path=source,
            )  # fmt: skip
        return np.array([known[name] for name in names], dtype=np.intp)

    def answer(self, data: Data, rows: Integers) -> HeldOutPredictions:
        """Predictions, probabilities and the scores that `explain` adds up."""
        X = table = self.rows_of(data)[rows]
        if self.takes_frames:
            table = naming_file(data.source, rows, lambda: self.model[:-1].transform(X))
        if isinstance(unwrap(self.last).booster._labels, MultiLabels):
            raise ValueError(
                f"{self.path} is a model for several labels per row, which only Python can predict "
                "with: underdog.load(path).predict(X)"
            )
        decided = np.searchsorted(self.model.classes_, self.last.predict(table))
        probabilities = None
        if hasattr(self.last, "predict_proba"):
            probabilities = self.last.predict_proba(table)
        scores = unwrap(self.last).booster.decision_function(table)
        return HeldOutPredictions(decided, scores, probabilities)


def load_model(path: Path) -> Loaded:
    """The model in a file that `underdog train` or `save` has written."""
    found, model = check_model(path), load(path)
    notes = found["notes"]
    training = notes.get("training") if isinstance(notes, dict) else None
    if not hasattr(model, "predict"):
        raise ValueError(
            f"{path} contains a {type(model).__name__}, which cannot predict: give the file of a "
            "classifier"
        )
    if not isinstance(training, dict):
        training = {}
    return Loaded(model, path, in_present_names(training, found["schema"]))


def widened(matrix: Any, columns: int) -> Any:
    """A sparse matrix with this many columns, since svmlight does not say how many there are."""
    if matrix.shape[1] > columns:
        raise BadData(
            f"there is a column {matrix.shape[1]:,}, but the model was trained on {columns:,}"
        )
    return sp.csr_matrix((matrix.data, matrix.indices, matrix.indptr), (matrix.shape[0], columns))
