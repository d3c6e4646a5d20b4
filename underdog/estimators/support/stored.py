"""How a booster is written to a file and read from one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from underdog.certificates import Certificate, Certificates
from underdog.certificates.theory import NAMES, THETA, titles
from underdog.checks import is_number, notify
from underdog.codes import (
    Binary,
    Grades,
    MultiLabel,
    OneOfK,
    OutputCode,
    Ranked,
    RealValues,
    Softmax,
    ThresholdColumns,
)
from underdog.codes.binary import BinaryLabels
from underdog.codes.calibration import Calibration
from underdog.codes.grades import GradeLabels
from underdog.codes.multi_label import MultiLabels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.codes.output_code import CodedLabels
from underdog.codes.ranked import RankedLabels
from underdog.codes.real_values import RealLabels
from underdog.codes.softmax import SoftmaxLabels
from underdog.codes.thresholds import ThresholdLabels
from underdog.core import MAX_SCORE, Loss, Parts, RunRecord
from underdog.estimators.support.class_predictions import ClassPredictions
from underdog.estimators.support.editing import NO_BOUND, edits_of
from underdog.estimators.support.theory import OLDER, TWO_CLASSES, reach_of
from underdog.files import Fields, Parameters
from underdog.model import Ensemble
from underdog.types import Floats
from underdog.workers import Workers

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster

LEARNED = {
    "model": "model_",
    "labels": "_labels",
    "link": "_link",
    "history": "history_",
    "certificate": "certificate_",
    "stop_reason": "stop_reason_",
    "rounds": "n_iter_",
    "finished": "_finished",
}
"""Names in the file and the attributes of a booster."""
OF_CLASSES = {"log_class_weight": "_log_class_weight", "log_odds_shift": "_log_odds_shift"}
"""Those that only classifiers have."""
POPULATION = ("class_prior_", "prevalence_", "calibration_")
"""Those that only classifiers have, and not in every file."""
FOLLOW = ("classes_", "n_features_in_", "feature_names_in_")
"""Attributes that follow from labels and schema."""
OF_SCIKIT_LEARN = ("_metadata_request", "_sklearn_output_config")
"""Attributes set by scikit-learn, which are not part of the model."""
LABELS: dict[type, type] = {
    Binary: BinaryLabels,
    OneOfK: OneOfKLabels,
    MultiLabel: MultiLabels,
    Ranked: RankedLabels,
    Softmax: SoftmaxLabels,
    Grades: GradeLabels,
    RealValues: RealLabels,
    ThresholdColumns: ThresholdLabels,
    OutputCode: CodedLabels,
}
"""The class of the fitted labels of each code."""


def state_of(booster: Booster) -> dict[str, Any]:
    """The parameters and, if it is fitted, all learned attributes.

    Attributes that only some classes have (`Booster._learns`) are `others`.
    """
    parameters = Parameters.from_estimator(booster)
    if not hasattr(booster, "model_"):
        return {"parameters": parameters}
    own, learned = booster._learns, LEARNED
    if hasattr(booster, "classes_"):
        learned = LEARNED | OF_CLASSES
    known = {*parameters, *learned.values(), *POPULATION, *FOLLOW, *OF_SCIKIT_LEARN, *own}
    known |= {*booster._not_stored, "edits_"}
    unknown = [name for name in vars(booster) if name not in known]
    if unknown:
        notify(
            f"attributes {', '.join(unknown)} of this {type(booster).__name__} were not set by fit "
            "and are not stored in the file"
        )
    return {
        "parameters": parameters,
        **{name: getattr(booster, attribute) for name, attribute in learned.items()},
        **_to_numbers(booster.certificate_),
        **_population(booster),
        "named": hasattr(booster, "feature_names_in_"),
        "others": {name: getattr(booster, name, None) for name in own},
        **({"edits": list(booster.edits_)} if booster.edits_ else {}),
    }


def _population(booster: Booster) -> dict[str, Any]:
    """Shares of the classes and a later calibration, as far as there are any."""
    if not isinstance(booster, ClassPredictions):
        return {}
    own = booster.calibration_
    return booster._shares_to_file() | ({} if own is None else {"calibration": own.to_dict()})


def booster_of(cls: type[Booster], fields: Fields) -> Booster:
    """A booster from its stored state, whose parts are checked against each other."""
    made = cls(**fields.parameters(cls))
    if "model" not in fields:
        return made
    _restore_others(made, fields)
    parts = _checked_parts(made)
    made.model_ = model = fields.one_of("model", Ensemble)
    if type(model) is not made._model_class:
        raise fields.wrong("model", f"must be of the class {made._model_class.__name__}")
    _restore_labels(made, fields)
    _restore_link(made, fields, parts.loss)
    if isinstance(made, ClassPredictions):
        made.classes_ = made._labels.classes
        _restore_probabilities(made, fields)
    found = len(model.found)
    made.n_iter_ = fields.integer("rounds", 0 if made._has_more_members else found, found)
    made.history_ = _history(fields, made.n_iter_)
    edits = edits_of(fields)
    if edits:
        made.edits_ = edits
    elif (
        not made._has_more_members
    ):  # else the coefficients of the rounds are not those of the model
        combiner = made._combiner_for(made._labels, parts.combiner)
        combiner.check_run(made._link, RunRecord(made._members(), model.path, made.history_))
    made.certificate_ = _certificate(made, fields)
    made.stop_reason_ = fields.text("stop_reason")
    made._finished = fields.flag("finished")
    made._check_restored(fields)
    made.n_features_in_ = model.schema.n_columns
    if fields.flag("named"):
        if model.schema.names is None:
            raise fields.wrong("named", "is true, but the columns have no names")
        made.feature_names_in_ = np.array(model.schema.names, dtype=object)
    return made


def _restore_others(booster: Booster, fields: Fields) -> None:
    """Restore the attributes listed in `_learns` of the class; refuse all others."""
    others = fields.mapping("others")
    for name, kind in booster._learns.items():
        value = others.pop(name, None)
        if not isinstance(value, kind) or (isinstance(value, float) and not math.isfinite(value)):
            raise fields.wrong("others", f"must have {name!r}, but it is {value!r:.40}")
        setattr(booster, name, value)
    if others:
        raise fields.wrong("others", f"cannot have {next(iter(others))!r:.40}")


def _checked_parts(booster: Booster) -> Parts:
    """The parts of a fit, with the checks of parameters that fit does."""
    booster._check_parameters()
    Workers(booster.n_jobs)
    check_random_state(booster.random_state)
    parts = booster._make_parts()
    parts.check()
    return parts


def _restore_labels(booster: Booster, fields: Fields) -> None:
    """Restore the labels; refuse those that fit would not make of such a target."""
    labels = fields.one_of("labels", *LABELS.values())
    model = booster.model_
    code = booster._make_code(_example(labels))
    if model.n_labels != labels.n_labels or LABELS.get(type(code)) is not type(labels):
        raise fields.wrong("labels", f"do not match the {model.n_labels} of the model")
    if isinstance(labels, RankedLabels) and labels.cut != code.cut:
        raise fields.wrong("labels", f"have the cut {labels.cut:g}, not {code.cut:g}")
    if isinstance(code, RealValues) and isinstance(labels, RealLabels):
        if (labels.quantiles, labels.log_link) != (code.quantiles, code.log_link):
            raise fields.wrong("labels", "do not match the loss")
        if model.unit != labels.unit:
            raise fields.wrong("labels", "have another unit than the model")
    elif model.unit != 1.0:
        raise fields.wrong("model", "has a unit, but its labels are classes")
    booster._labels = labels


def _example(labels: Any) -> Any:
    """A target with labels of this kind."""
    if isinstance(labels, MultiLabels):
        return np.zeros((1, labels.n_labels), dtype=np.int64)
    is_real = isinstance(labels, GradeLabels | RealLabels | ThresholdLabels)
    return np.zeros(1) if is_real else labels.classes


def _restore_link(booster: Booster, fields: Fields, loss: Loss) -> None:
    """Restore the loss, which must be of the class that fit would make."""
    link, loss = fields.get("link"), booster._loss_for(booster._labels, loss)
    if type(link) is not type(loss):
        raise fields.wrong("link", f"must be a {type(loss).__name__}")
    booster._link = link


def _restore_probabilities(booster: ClassPredictions, fields: Fields) -> None:
    """Restore what turns scores into probabilities."""
    scale = booster._link.probability_scale
    if scale is not None and not math.isfinite(scale * MAX_SCORE):
        raise fields.wrong("link", f"multiplies scores by {scale:g}, which overflows")
    by_class = (len(booster.classes_),)
    shape = (2, *by_class) if isinstance(booster._labels, MultiLabels) else by_class
    weights = fields.floats("log_class_weight", *shape)
    if bool((np.abs(weights) >= MAX_SCORE).any()):
        raise fields.wrong("log_class_weight", "has a number that is too large for a logarithm")
    shift = fields.get("log_odds_shift")
    if shift is not None and not (isinstance(shift, float) and abs(shift) < MAX_SCORE):
        message = f"must be a number below {MAX_SCORE:.0f} in size, or nothing"
        raise fields.wrong("log_odds_shift", message)
    booster._log_class_weight, booster._log_odds_shift = weights, shift
    booster._restore_shares(fields)
    booster.calibration_ = None
    if "calibration" in fields:
        own = fields.mapping("calibration")
        booster.calibration_ = Calibration.from_dict(own, booster._labels.n_margins)


def _history(fields: Fields, rounds: int) -> dict[str, Floats]:
    columns = Fields("history", fields.mapping("history"))
    history: dict[str, Floats] = {}
    length = None
    for name in columns.names():
        history[name] = columns.array(name, np.float64, length)
        length = len(history[name])
    if rounds and (length is None or length < rounds):
        raise fields.wrong("history", f"has fewer rounds than the {rounds} of the model")
    return history


def _to_numbers(certificate: dict[str, Any]) -> dict[str, Any]:
    """What the algorithm proves, and the bounds of theory, with their words."""
    if not isinstance(certificate, Certificates):
        return {"certificate": certificate}
    own, found = certificate.own, list(certificate.bounds.values())
    if not found:
        return {"certificate": own}
    numbers = np.array([[each.bound, each.measured, each.known] for each in found])
    notes = list(dict.fromkeys(each.note for each in found))
    which = [notes.index(each.note) for each in found]
    return {"certificate": own, "bounds": {"numbers": numbers, "notes": notes, "note": which}}


def _certificate(booster: Booster, fields: Fields) -> dict[str, Any]:
    certificate = fields.mapping("certificate")
    if set(certificate) != set(booster._certified):
        raise fields.wrong("certificate", f"must have {', '.join(booster._certified)}")
    for name, value in certificate.items():
        # An unknown bound is NaN.
        if not (isinstance(value, str) if name == "stopped" else _is_float_or_whole(value)):
            raise fields.wrong("certificate", f"cannot have {value!r:.40} for {name!r}")
    if not isinstance(booster, ClassPredictions):
        return certificate
    if not isinstance(booster._labels, BinaryLabels):
        return Certificates(certificate, {}, TWO_CLASSES)
    if booster.edits_:
        return Certificates(certificate, {}, NO_BOUND)
    if "bounds" not in fields:
        return Certificates(certificate, {}, OLDER)
    return Certificates(certificate, _bounds(booster, fields))


def _bounds(booster: Booster, fields: Fields) -> dict[str, Certificate]:
    """The bounds of theory in a file."""
    own = Fields("bounds", fields.mapping("bounds"))
    numbers = own.array("numbers", np.float64, len(NAMES), 3)
    notes, which = own.items("notes"), own.items("note")
    if not all(isinstance(note, str) for note in notes):
        raise own.wrong("notes", "must be a list of texts")
    if len(which) != len(NAMES) or not all(each in range(len(notes)) for each in which):
        raise own.wrong("note", f"must have {len(NAMES)} places of notes")
    of = titles(THETA, reach_of(booster.model_), booster._link.beta)
    return {
        name: Certificate(of[name], float(bound), float(measured), notes[place], float(known))
        for name, place, (bound, measured, known) in zip(NAMES, which, numbers, strict=True)
    }


def _is_float_or_whole(value: Any) -> bool:
    return isinstance(value, float) or is_number(value)
