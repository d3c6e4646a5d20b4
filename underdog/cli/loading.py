"""A model and new rows that suit it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from underdog.checks import to_python
from underdog.cli.evaluator import HeldOutPredictions
from underdog.cli.opening import FileLayout, open_data
from underdog.cli.screen import Screen
from underdog.cli.task import naming_rows
from underdog.files import BadFile, inspect, load
from underdog.frames.errors import BadData
from underdog.inspection.unwrap import unwrap
from underdog.reading import Data
from underdog.types import Integers


@dataclass(frozen=True, eq=False)
class Loaded:
    """A model with what its file says about its training."""

    model: Any
    path: Path
    training: dict[str, Any]

    @property
    def last(self) -> Any:
        """What decides: the end of the pipeline."""
        return self.model.steps[-1][1] if hasattr(self.model, "steps") else self.model

    @property
    def takes_frames(self) -> bool:
        """Whether raw rows with named columns are what it wants."""
        return hasattr(self.model, "steps")

    @property
    def positive(self) -> int:
        """Place of the positive of two classes."""
        names = [str(label) for label in self.model.classes_.tolist()]
        given = self.training.get("positive")
        return names.index(given) if given in names else 1

    def open(
        self, path: str, layout: FileLayout, screen: Screen, kept: Collection[str] = ()
    ) -> Data:
        """New rows, left as they are written where the model knows text or they are to be kept.

        What the model knows as numbers is read as such, even if it is kept.
        """
        roles = getattr(self.model[0], "roles_", {}) if self.takes_frames else {}
        texts = [name for name, role in roles.items() if role.kind in ("category", "text", "date")]
        numbers = {name for name, role in roles.items() if role.kind == "number"}
        read_options = self.training.get("read_options")
        return open_data(path, layout, screen, {*texts, *kept} - numbers, read_options)

    def rows_of(self, data: Data) -> Any:
        """The rows of a file in the form that the model takes."""
        if self.takes_frames:
            if data.frame is None:
                raise BadData("the model wants columns with names", path=data.source)
            return data.frame
        if data.matrix is None:
            raise BadData(
                f"the model was trained on a matrix of {self.model.n_features_in_:,} columns: give "
                "svmlight", path=data.source,
            )  # fmt: skip
        return widened(data.matrix, int(self.model.n_features_in_))

    def places_of(self, y: Any, source: str) -> Integers:
        """Places of labels in the model's classes."""
        known = {str(to_python(label)): place for place, label in enumerate(self.model.classes_)}
        names = [str(to_python(label)) for label in y]
        unknown = sorted(set(names) - set(known))
        if unknown:
            raise BadData(
                f"class {unknown[0]!r} was not there in training, where the classes were "
                f"{', '.join(map(repr, known))}", path=source,
            )  # fmt: skip
        return np.array([known[name] for name in names], dtype=np.intp)

    def answer(self, data: Data, rows: Integers) -> HeldOutPredictions:
        """Decisions and probabilities about rows, and the scores that `explain` adds up."""
        X = table = self.rows_of(data)[rows]
        if self.takes_frames:
            table = naming_rows(data.source, rows, lambda: self.model[:-1].transform(X))
        decided = np.searchsorted(self.model.classes_, self.last.predict(table))
        probabilities = None
        if hasattr(self.last, "predict_proba"):
            probabilities = self.last.predict_proba(table)
        scores = unwrap(self.last).booster.decision_function(table)
        return HeldOutPredictions(decided, scores, probabilities)


def load_model(path: Path) -> Loaded:
    """The model in a file that `underdog train` or `save` has written."""
    notes, model = contents_of(path)["notes"], load(path)
    training = notes.get("training") if isinstance(notes, dict) else None
    if not hasattr(model, "predict"):
        raise ValueError(f"{path} holds a {type(model).__name__}, which decides nothing")
    return Loaded(model, path, training if isinstance(training, dict) else {})


def contents_of(path: Path) -> dict[str, Any]:
    """What a model file says of itself."""
    try:
        return inspect(path)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}") from None


def widened(matrix: Any, columns: int) -> Any:
    """A sparse matrix with this many columns: svmlight does not say how many there are."""
    if matrix.shape[1] > columns:
        raise BadData(
            f"column {matrix.shape[1]} is there, but the model was trained on {columns} of them"
        )
    return sp.csr_matrix((matrix.data, matrix.indices, matrix.indptr), (matrix.shape[0], columns))
