"""What is known before training: rules in words, a model, a function or probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from underdog.codes import Labels
from underdog.codes.binary import BinaryLabels
from underdog.core import Loss, Member
from underdog.core.state import with_coefficients
from underdog.data import Schema, Table
from underdog.data.schema import same_names
from underdog.estimators.support.task import Known, LabelledRows
from underdog.hypotheses import Tree
from underdog.hypotheses.decision_list import RuleTests, decision_list
from underdog.hypotheses.sentences import Sentence, parse
from underdog.losses import SoftmaxLoss
from underdog.losses.log_loss import on_grid
from underdog.model import Ensemble
from underdog.types import Floats
from underdog.workers import Workers

if TYPE_CHECKING:
    from underdog.estimators.support.class_predictions import ClassPredictions

LEAST = 1e-6
"""Probabilities are at least this far from 0 and 1, so that log-odds stay finite."""
IN_MODEL = ("rules", "model")
"""Knowledge that becomes part of the model."""


def kind_of(given: Any) -> str:
    """What knowledge was given as."""
    if isinstance(given, str):
        return "rules"
    if isinstance(given, (list, tuple)) and all(isinstance(each, str) for each in given):
        return "rules"
    if hasattr(given, "predict_proba"):
        return "estimator"
    if callable(given):
        return "function"
    if isinstance(given, np.ndarray) or hasattr(given, "__array__"):
        return "array"
    raise TypeError(
        f"prior_knowledge={given!r:.60} must be rules in words (a string, or a list of strings), a "
        "fitted model, a function of X that returns probabilities, or an array of probabilities"
    )


def refuse_outside(booster: Any) -> None:
    """Refuse to explain a model with knowledge that is no part of it."""
    kind = getattr(booster, "knowledge_", None)
    if kind is not None and kind not in IN_MODEL:
        raise ValueError(
            f"the model has prior knowledge that is no part of it (the {kind}), so what it adds to "
            "scores cannot be explained: give prior_knowledge as rules in words or as a model of "
            "underdog"
        )


def knowledge_of(
    given: Any, X: Any, rows: LabelledRows, labels: Labels, loss: Loss, weight: float
) -> Known:
    """What is known of these rows of X."""
    kind, table = kind_of(given), rows.table
    if kind == "rules":
        members, schema = _from_rules(given, table, labels, loss)
    elif kind == "estimator" and (found := _from_model(given, table, labels, loss)) is not None:
        kind, members, schema = "model", found, given.model_.schema
    else:
        scores = outside_scores(given, X, rows.counted.n_given, labels, loss)
        return Known(kind, scores[rows.counted.kept], weight)
    return Known(kind, sum_of(members, schema, table), weight, tuple(members), schema)


def sum_of(members: Sequence[Member], schema: Schema, table: Table) -> Floats:
    """(n, K) the scores that members give to the rows of a table."""
    with Workers(1) as workers:
        return Ensemble(members, schema, members[0].steps.shape[1]).scores(table, workers)


def outside_scores(given: Any, X: Any, n_rows: int, labels: Labels, loss: Loss) -> Floats:
    """(n, K) scores by a function, another estimator or an array of probabilities."""
    kind = kind_of(given)
    if kind == "estimator":
        _check_classes(given, labels)
        given = given.predict_proba
    found = given if kind == "array" else given(X)
    return on_grid(scores_of(_checked(found, n_rows, labels, kind), labels, loss))


def _check_classes(model: Any, labels: Labels) -> None:
    own = np.asarray(getattr(model, "classes_", labels.classes))
    if not labels.exclusive:
        if len(own) != labels.n_labels:
            message = f"has {len(own)} labels, but y has {labels.n_labels}"
            raise ValueError(f"the model of prior_knowledge {message}")
    elif not np.array_equal(own, labels.classes):
        raise ValueError(
            f"the model of prior_knowledge has the classes {own.tolist()}, but those of y are "
            f"{labels.classes.tolist()}: they must be the same"
        )


def _checked(found: Any, n_rows: int, labels: Labels, kind: str) -> Floats:
    """(n, number of classes or labels) probabilities, or an error about them."""
    p = np.asarray(found, dtype=np.float64)
    who = "the array of prior_knowledge" if kind == "array" else f"the {kind} of prior_knowledge"
    n_columns = len(labels.names)
    is_binary = isinstance(labels, BinaryLabels)
    if p.shape not in ((n_rows, n_columns), (n_rows,) if is_binary else (n_rows, n_columns)):
        either = f"({n_rows},) or " if is_binary else ""
        raise ValueError(
            f"{who} has the shape {p.shape}, but it must be {either}({n_rows}, {n_columns}): a row "
            "for each row of X, and a column for each class"
        )
    if not bool(((p >= 0.0) & (p <= 1.0)).all()):  # NaN, too
        raise ValueError(f"{who} must have probabilities from 0 to 1, but it has others")
    if p.ndim == 1:
        return np.stack([1.0 - p, p], axis=1)
    if labels.exclusive and not np.allclose(p.sum(axis=1), 1.0, atol=1e-6):
        raise ValueError(f"{who} must have rows that sum to 1, but some do not")
    return p


def scores_of(p: Floats, labels: Labels, loss: Loss) -> Floats:
    """(n, K) the scores with these (n, number of classes or labels) probabilities."""
    p = np.clip(p, LEAST, 1.0 - LEAST)
    if isinstance(loss, SoftmaxLoss):
        logs: Floats = np.log(p)
        return logs - logs.mean(axis=1, keepdims=True) if loss.centred else logs
    if isinstance(labels, BinaryLabels):
        p = p[:, [labels.positive]]
    scale = loss.probability_scale
    assert scale is not None
    result: Floats = (np.log(p) - np.log1p(-p)) / scale
    return result


def _from_rules(
    given: Any, table: Table, labels: Labels, loss: Loss
) -> tuple[list[Member], Schema]:
    """One tree, in which the first rule that is true says its probabilities."""
    sentences = parse(given)
    p = np.stack([_said(sentence, labels) for sentence in sentences])
    nothing = 1.0 / len(labels.names) if labels.exclusive else 0.5
    values = scores_of(np.vstack([p, np.full(p.shape[1], nothing)]), labels, loss)
    tests = RuleTests(sentences, table)
    tree = decision_list(sentences, tests, values)
    return with_coefficients([tree], np.ones(1)), tests.schema


def _said(sentence: Sentence, labels: Labels) -> Floats:
    """(number of classes or labels,) the probabilities that a rule says.

    Classes that it does not name share what is left; labels that it does not name have 1/2.
    """
    names, said = labels.names, dict(sentence.says)
    if len(said) < len(sentence.says):
        raise sentence.error("a class is named twice")
    for name, p in said.items():
        if name not in names:
            some = ", ".join(map(repr, names[:8]))
            raise sentence.error(f"there is no class {name!r}: the classes are {some}")
        if p is None:
            raise sentence.error(f"the probability of {name!r} is missing, such as {name} 0.9")
    several = not labels.exclusive
    total = sum(p for p in said.values() if p is not None)
    others = len(names) - len(said)
    if not several and (total > 1.0 + 1e-9 or (not others and total < 1.0 - 1e-9)):
        raise sentence.error(f"the probabilities sum to {total:g}, not to 1")
    left = 0.5 if several else max(1.0 - total, 0.0) / max(others, 1)
    return np.array([said.get(name, left) for name in names], dtype=np.float64)


def _from_model(model: Any, table: Table, labels: Labels, loss: Loss) -> list[Member] | None:
    """The rules of a booster in the unit of this loss; None if they do not add up to log-odds."""
    from underdog.estimators.support.class_predictions import ClassPredictions

    if not isinstance(model, ClassPredictions):
        return None
    model._check_fitted()
    if not _adds_up(model, table, labels):
        return None
    own, shift = model.model_, model._log_odds_shift or 0.0
    factor = _scale(model._link) / _scale(loss)
    if isinstance(labels, BinaryLabels) and model._labels.positive != labels.positive:  # type: ignore[attr-defined]
        factor = -factor
    rules = [member.hypothesis for member in own.members]
    coefficients = [member.coefficient * factor for member in own.members]
    start = (own.start - shift) * factor
    if start.any():
        rules, coefficients = [Tree.constant(start[np.newaxis]), *rules], [1.0, *coefficients]
    return with_coefficients(rules, np.array(coefficients))


def _scale(loss: Loss) -> float:
    scale = loss.probability_scale
    assert scale is not None
    return scale


def _adds_up(model: ClassPredictions, table: Table, labels: Labels) -> bool:
    """Whether the log-odds of a model are a sum of trees about the columns of this table."""
    own = model.model_
    return (
        type(own) is Ensemble
        and type(model._labels) is type(labels)
        and np.array_equal(model.classes_, labels.classes)
        and own.schema.n_columns == table.n_columns
        and same_names(own.schema.names, table.names)
        and model._link.probability_scale is not None
        and model._log_odds_shift is not None
        and model.calibration_ is None
        and model.prevalence_ is None
        and not np.any(model._log_class_weight)
        and all(isinstance(member.hypothesis, Tree) for member in own.members)
    )
