"""The model in a file: one that predicts classes or numbers, or ranks rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn.base import is_regressor

from underdog.cli.class_model import ClassModel
from underdog.cli.loading import PROFILE, Loaded
from underdog.cli.number_model import NumberModel
from underdog.cli.opening import check_model
from underdog.cli.rank_model import RankModel
from underdog.estimators.support.ranker import Ranker
from underdog.files import load
from underdog.files.versions import in_present_names


def load_model(path: Path) -> Loaded:
    """The model in a file that `underdog train` or `save` has written."""
    found, model = check_model(path), load(path)
    notes = found["notes"]
    training = notes.get("training") if isinstance(notes, dict) else None
    if not hasattr(model, "predict"):
        raise ValueError(
            f"{path} contains a {type(model).__name__}, which cannot predict: give the file of a "
            "classifier or regressor"
        )
    if not isinstance(training, dict):
        training = {}
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    kind: type[Any] = NumberModel if is_regressor(model) else ClassModel
    if isinstance(last, Ranker):
        kind = RankModel
    profile = notes.get(PROFILE) if isinstance(notes, dict) else None
    loaded: Loaded = kind(model, path, in_present_names(training, found["schema"]), profile)
    return loaded
