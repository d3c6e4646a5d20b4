"""A booster in a file: parameters, the model, and what is known of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.codes import Labels
from underdog.codes.binary import BinaryLabels
from underdog.codes.multi_label import MultiLabels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.core import Loss
from underdog.estimators import inputs
from underdog.files import Fields, Parameters
from underdog.model import Ensemble
from underdog.workers import Workers

if TYPE_CHECKING:
    from underdog.estimators.base import Booster

LEARNED = {
    "model": "model_",
    "labels": "_labels",
    "link": "_link",
    "log_class_weight": "_log_class_weight",
    "excess": "_excess",
    "history": "history_",
    "certificate": "certificate_",
    "stop_reason": "stop_reason_",
    "rounds": "n_iter_",
    "finished": "_finished",
}
"""Names in the file, and in a booster."""
FOLLOW = ("classes_", "n_features_in_", "feature_names_in_")
"""Known from labels and schema."""
OF_SCIKIT_LEARN = ("_metadata_request", "_sklearn_output_config")
"""How a pipeline is to call it, which is no part of the model."""


def state_of(booster: Booster) -> dict[str, Any]:
    """Parameters, and if it is fitted everything that it has learned.

    What a subclass keeps beside the attributes of every booster are its own `others`.
    """
    parameters = Parameters.of(booster)
    if not hasattr(booster, "model_"):
        return {"parameters": parameters}
    known = {*parameters, *LEARNED.values(), *FOLLOW, *OF_SCIKIT_LEARN}
    return {
        "parameters": parameters,
        **{name: getattr(booster, attribute) for name, attribute in LEARNED.items()},
        "named": hasattr(booster, "feature_names_in_"),
        "others": {name: value for name, value in vars(booster).items() if name not in known},
    }


def booster_of(cls: type[Booster], fields: Fields) -> Booster:
    """A booster from its state, every part of which must fit the others."""
    made = cls(**fields.parameters(cls))
    if "model" not in fields:
        return made
    model = fields.one_of("model", Ensemble)
    labels: Labels = fields.one_of("labels", BinaryLabels, OneOfKLabels, MultiLabels)
    if model.n_labels != labels.n_labels:
        raise fields.wrong("labels", f"are not the {model.n_labels} of the model")
    made.model_, made._labels, made.classes_ = model, labels, labels.classes
    made._link = fields.one_of("link", Loss)
    by_class = (len(labels.classes),)
    made._log_class_weight = fields.floats(
        "log_class_weight", *((2, *by_class) if isinstance(labels, MultiLabels) else by_class)
    )
    excess = fields.get("excess")
    if excess is not None and not (isinstance(excess, float) and np.isfinite(excess)):
        raise fields.wrong("excess", "must be a finite number, or nothing")
    made._excess = excess
    made.history_ = _history(fields)
    made.n_iter_ = fields.whole("rounds", 1, min(map(len, made.history_.values())))
    made.certificate_ = fields.mapping("certificate")
    made.stop_reason_ = fields.text("stop_reason")
    made._finished = fields.flag("finished")
    made.n_features_in_ = model.schema.n_columns
    if fields.flag("named"):
        if model.schema.names is None:
            raise fields.wrong("named", "is true, but the columns have no names")
        made.feature_names_in_ = np.array(model.schema.names, dtype=object)
    for name, value in fields.mapping("others").items():
        if not name.isidentifier() or "_" not in (name[0], name[-1]) or hasattr(made, name):
            raise fields.wrong("others", f"cannot have {name!r}")
        setattr(made, name, value)
    _check(made)
    return made


def _history(fields: Fields) -> dict[str, Any]:
    columns = Fields("history", fields.mapping("history"))
    history: dict[str, Any] = {}
    rounds = None
    for name in columns.names():
        history[name] = columns.array(name, np.float64, rounds)
        rounds = len(history[name])
    return history


def _check(booster: Booster) -> None:
    """Refuse parameters that fit would refuse."""
    inputs.check_parameters(booster)
    Workers(booster.n_jobs)
    for part in (booster._make_loss(), booster._make_learner(), booster._make_combiner()):
        part.check()
