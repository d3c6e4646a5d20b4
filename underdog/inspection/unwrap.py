"""The booster inside a pipeline, search or meta-estimator."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from underdog.automatic.base import Automatic
from underdog.checks import check_max_display, check_names
from underdog.codes.binary import BinaryLabels
from underdog.codes.grades import GradeLabels
from underdog.codes.multi_label import MultiLabels
from underdog.codes.output_code import CodedLabels
from underdog.codes.real_values import RealLabels
from underdog.codes.thresholds import ThresholdLabels
from underdog.data import Schema, Table
from underdog.decisions.base import Decider
from underdog.estimators.support import inputs
from underdog.estimators.support.knowledge import refuse_outside
from underdog.estimators.support.predictions import Predictions
from underdog.hypotheses import WordWeights
from underdog.inspection.notes import changes_target, note
from underdog.inspection.one_column import as_stumps, asks_one_column
from underdog.inspection.parameters import documented
from underdog.inspection.words import with_notes
from underdog.model import MedianEnsemble, used
from underdog.model.attributions import can_attribute
from underdog.model.compiled import compiles
from underdog.model.median import NOT_ADDITIVE
from underdog.model.shapes import Shape, shapes_of
from underdog.model.writing import counted, shortened
from underdog.types import Floats


@dataclass(frozen=True, eq=False, repr=False)
class UnwrappedModel:
    """A booster, what happens to the data before it and to its scores after it.

    Attributes
    ----------
    model : as it was given
    booster : the booster inside
    transforms : what the data go through before the booster, in this order
    schema : the booster's, with the best names for its columns
    classes : names of the classes, labels or quantiles
    notes : what is done with the scores
    decider : the threshold or the costs by which the scores of the booster are decided, or None
    changed_target : what y went through before the booster, if there is such a thing
    """

    model: Any
    booster: Predictions
    transforms: tuple[Any, ...]
    schema: Schema
    classes: list[str]
    notes: tuple[str, ...]
    decider: Decider | None = None
    changed_target: str | None = None

    @property
    def labels(self) -> list[str]:
        """What each column of the scores is for.

        The positive class, or every class, label or quantile; else "prediction", or "log of the
        prediction".
        """
        known = self.booster._labels
        if isinstance(known, BinaryLabels):
            return [self.classes[known.positive]]
        return (
            [f"log of the {name}" for name in self.classes] if self.on_log_scale else self.classes
        )

    @property
    def about_classes(self) -> str:
        """How many classes, labels or quantiles there are."""
        known, count = self.booster._labels, len(self.classes)
        if isinstance(known, RealLabels):
            single = "log of the target" if known.log_link else "real-valued target"
            return single if known.quantiles is None else counted(count, known.noun)
        if isinstance(known, GradeLabels):
            return "ranking"
        if isinstance(known, MultiLabels | ThresholdLabels | CodedLabels):
            return counted(count, known.noun)
        return counted(count, "class", "classes")

    @property
    def is_regressor(self) -> bool:
        """Whether numbers are predicted, not classes."""
        return isinstance(self.booster._labels, RealLabels | GradeLabels)

    @property
    def is_ranker(self) -> bool:
        """Whether the numbers are only compared with each other."""
        return isinstance(self.booster._labels, GradeLabels)

    @property
    def is_coded(self) -> bool:
        """Whether scores are those of the columns of an output code, not of classes."""
        return isinstance(self.booster._labels, CodedLabels)

    @property
    def on_log_scale(self) -> bool:
        """Whether scores are logarithms of predictions."""
        known = self.booster._labels
        return isinstance(known, RealLabels) and known.log_link

    def score_name(self, label_number: int, longest: int = 10**6) -> str:
        """What a score is called: "score for 'spam'", "prediction", "quantile 0.9"."""
        name = shortened(self.labels[label_number], longest)
        return name if self.is_regressor else f"score for {name!r}"

    def main_label(self, scores: Floats) -> int:
        """The label whose score of one row people look at first.

        The one with the highest score; of quantiles the one closest to the median; of the columns
        of a code the one that speaks most clearly for the predicted class.
        """
        known = self.booster._labels
        if self.is_regressor:
            return int(known.middle)
        if isinstance(known, CodedLabels):
            word = known.matrix[np.argmax(known.decision(scores[np.newaxis])[0])]
            return int(np.argmax(word * scores))
        return int(np.argmax(scores))

    @property
    def about_rules(self) -> str:
        """Which booster it is, and how many rules it has."""
        rules = counted(len(used(self.booster._shown.members)), "rule")
        return f"{type(self.booster).__name__}, {rules}, {self.about_classes}"

    def __repr__(self) -> str:
        return f"UnwrappedModel({self.about_rules})"

    @property
    def feature_names(self) -> Sequence[str] | None:
        """Names of the booster's columns."""
        return self.schema.names

    def shapes(self) -> tuple[Floats, list[Shape]]:
        """(K,) what the scores start from, and the step function of each column."""
        if isinstance(self.booster.model_, MedianEnsemble):
            raise TypeError(NOT_ADDITIVE)
        if not self.has_shapes:
            raise ValueError(self._no_shapes)
        return shapes_of(self.booster.model_.compiled, self.schema)

    @property
    def _no_shapes(self) -> str:
        """Why columns have no step functions, and what to use instead."""
        name = type(self.booster).__name__
        rules = (each.hypothesis for each in used(self.booster.model_.members))
        if any(isinstance(rule, WordWeights) for rule in rules):
            return (
                f"this {name} has weights of words, and what a word adds depends on the other "
                "words of the document, so it has no step function: use contributions(model, X) "
                "for the contributions of words and columns to the scores of rows"
            )
        return (
            f"some rules of this {name} use several columns at once, so no column has a step "
            "function of its own: use contributions(model, X) for the contributions of columns to "
            "the scores of rows, interactions(model, X) for the pairs of columns, or draw their "
            "effects with ShapeDisplay.from_estimator(model, X) and "
            "PairDisplay.from_estimator(model, X)"
        )

    def by_one_column(self) -> UnwrappedModel:
        """The same with stumps for trees that ask about one column, if all are such trees.

        A blend with a linear model that has all the weight is one of these.
        """
        model = self.booster.model_
        if (
            isinstance(model, MedianEnsemble)
            or self.has_shapes
            or not asks_one_column(model.members)
        ):
            return self
        booster = copy(self.booster)
        booster.model_ = as_stumps(model)
        return replace(self, booster=booster)

    @property
    def has_shapes(self) -> bool:
        """Whether all rules are stumps or constants, so that columns have step functions."""
        return compiles(self.booster.model_.members)

    @property
    def has_columns(self) -> bool:
        """Whether all rules are of this library, so that columns have contributions."""
        return can_attribute(self.booster.model_.members)

    def check_columns(self) -> None:
        """Refuse a model whose columns have no contributions."""
        if not self.has_columns:
            raise ValueError(
                f"some rules of this {type(self.booster).__name__} are of another library, so the "
                "contributions of columns are not known: use contributions(model, X, by='rule')"
            )

    def describe(self, max_display: int | None, merged: bool, by_label: bool) -> str:
        """The text of the booster's `describe`, and how its scores are used."""
        check_max_display(max_display)
        text = self.booster.describe(
            max_display,
            merged=merged,
            by_label=by_label,
            feature_names=self.feature_names,
            label_names=self.classes,
        )
        return with_notes(text, self.notes)

    def table(self, X: Any) -> Table:
        """New rows as the booster sees them."""
        for transform in self.transforms:
            X = transform.transform(X)
        return inputs.prediction_table(self.booster, X)

    def target(self, y: Any, table: Table) -> Any:
        """Labels of these rows, if the booster knows them, or numbers."""
        if self.is_ranker:
            raise TypeError(
                f"{type(self.booster).__name__} compares rows, so a single row has no loss: use "
                "contributions(model, X).before(row, other) for the reasons of an order, and "
                "model.score for how good it is"
            )
        if self.is_regressor:
            return self._numbers(y, table)
        if isinstance(self.booster._labels, ThresholdLabels):
            raise TypeError(
                f"{type(self.booster).__name__} has a score for each threshold, and no loss of "
                "its predictions: compare model.predict(X) with y"
            )
        y = inputs.checked_labels(y)
        check_consistent_length(table, y)
        known, name = self.booster._labels, type(self.booster).__name__
        several = isinstance(known, MultiLabels)
        if y.shape[1:] != ((known.n_labels,) if several else ()):
            columns = f"{known.n_labels} label columns" if several else "one label per row"
            raise ValueError(
                f"y has the shape {y.shape}, but {name} was fitted with {columns}: give the same"
            )
        classes, given = known.classes.tolist(), [] if several else np.unique(y).tolist()
        unknown = [label for label in given if label not in classes]
        if unknown:
            raise ValueError(
                f"y has labels {unknown[:5]} that {name} was not fitted with (its classes are "
                f"{classes[:5]}): drop these rows"
            )
        return y

    def _numbers(self, y: Any, table: Table) -> Floats:
        if self.changed_target is not None:
            raise ValueError(
                f"{self.changed_target} transforms y, so y cannot be compared with the scores of "
                "the regressor inside: give the fitted regressor, model.regressor_, and the "
                "transformed y"
            )
        loss: Any = self.booster._link
        numbers = inputs.checked_numbers(y, loss.at_least)
        check_consistent_length(table, numbers)
        return numbers


@documented
def unwrap(
    model: Any,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> UnwrappedModel:
    """The booster inside a pipeline, a search or a meta-estimator.

    Parameters
    ----------
    model : fitted model
    feature_names : sequence of str, optional
        Names of the booster's columns. By default those that it was trained with, or else those of
        the transformers before it.
    label_names
    """
    booster, transforms, outers = _descend(model)
    refuse_outside(booster)
    schema = booster.model_.schema
    names: Sequence[str] | None = None
    if feature_names is not None:
        names = check_names("feature_names", feature_names, schema.n_columns)
    elif schema.names is None:
        names = _names_after(transforms, schema.n_columns)
    if names is not None:
        schema = replace(schema, names=tuple(names))
    classes = booster._labels.names
    if label_names is not None:
        classes = check_names("label_names", label_names, len(classes))
    notes = tuple(filter(None, (note(outer, booster) for outer in outers)))
    changed = next((type(each).__name__ for each in outers if changes_target(each)), None)
    decider = _decider(outers)
    return UnwrappedModel(model, booster, transforms, schema, classes, notes, decider, changed)


def _decider(outers: Sequence[Any]) -> Decider | None:
    """The one that decides by the booster's own scores, if nothing else but a search is around."""
    if not outers or not isinstance(outers[-1], Decider):
        return None
    return outers[-1] if all(hasattr(each, "best_estimator_") for each in outers[:-1]) else None


def _descend(model: Any) -> tuple[Predictions, tuple[Any, ...], list[Any]]:
    """The booster, what the data go through before it, and the models around it."""
    transforms: list[Any] = []
    outers: list[Any] = []
    inner = model
    while not isinstance(inner, Predictions):
        if isinstance(inner, Pipeline):
            check_is_fitted(inner)
            if len(inner) > 1:
                transforms.append(inner[:-1])
            inner = inner[-1]
        elif isinstance(inner, Automatic):
            if inner._encoding.changes:
                transforms.append(inner._encoding)
            inner = inner.estimator_
        elif isinstance(inner, FrozenEstimator):  # it answers as what it holds
            inner = inner.estimator
        else:
            outers.append(inner)
            inner = _inside(inner)
    check_is_fitted(inner, "model_")
    return inner, tuple(transforms), outers


def _inside(model: Any) -> Any:
    """The estimator inside a model that is not a pipeline."""
    if isinstance(model, type) or not hasattr(model, "fit"):
        raise TypeError(f"model={model!r:.60} must be a fitted model")
    if isinstance(model, CalibratedClassifierCV):
        check_is_fitted(model)
        if len(model.calibrated_classifiers_) > 1:
            raise TypeError(
                f"{type(model).__name__} averages the probabilities of "
                f"{len(model.calibrated_classifiers_)} models, so there is no single model to "
                "explain: fit it with ensemble=False"
            )
        return model.calibrated_classifiers_[0].estimator
    if isinstance(model, FixedThresholdClassifier):  # may do without fit
        return getattr(model, "estimator_", model.estimator)
    for name in ("best_estimator_", "estimator_", "regressor_"):
        if hasattr(model, name) and not hasattr(model, "estimators_"):  # not one of many
            return getattr(model, name)
    if any(hasattr(model, name) for name in ("estimator", "param_grid", "regressor")):
        check_is_fitted(model)  # says so if that is why there is nothing inside
    if hasattr(model, "cv_results_") and not getattr(model, "refit", True):
        raise TypeError(
            f"{type(model).__name__} was fitted with refit=False and has no fitted model: fit it "
            "with refit=True"
        )
    raise TypeError(
        f"{type(model).__name__} is not a booster of underdog and does not contain one: give a "
        "fitted booster, or a pipeline, search or meta-estimator that contains one"
    )


def _names_after(transforms: tuple[Any, ...], count: int) -> list[str] | None:
    """Names that the transformers give to the booster's columns, if they can tell."""
    if not transforms:
        return None
    for teller in (transforms[-1], transforms[-1][-1]):
        try:
            names = [str(name) for name in teller.get_feature_names_out()]
        except (AttributeError, ValueError, TypeError):  # some steps cannot tell
            continue
        if len(names) == count == len(set(names)):  # the same name twice tells nothing
            return names
    return None
