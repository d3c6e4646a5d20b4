"""Checks of what a user gives: parameters, tables, targets. Every message says what to do."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    column_or_1d,
    validate_data,
)

from underdog.data import Table
from underdog.data.schema import MOST_BINS, same_names
from underdog.data.table import is_missing

if TYPE_CHECKING:
    from underdog.codes import Labels
    from underdog.estimators.answers import Answers
    from underdog.estimators.base import Booster
    from underdog.estimators.weights import Given


def check_parameters(booster: Booster) -> None:
    """Numbers in their ranges."""
    _whole("n_estimators", booster.n_estimators, 1)
    _whole("max_bins", booster.max_bins, 2, MOST_BINS)
    _whole("n_iter_no_change", booster.n_iter_no_change, 1)
    check_positive("learning_rate", booster.learning_rate)
    if booster.smoothing is not None:
        check_positive("smoothing", booster.smoothing, zero=True)
    check_positive("tol", booster.tol, zero=True)
    check_positive("min_weight_fraction_leaf", booster.min_weight_fraction_leaf, zero=True)
    if booster.min_weight_fraction_leaf > 0.5:
        raise ValueError(
            f"min_weight_fraction_leaf={booster.min_weight_fraction_leaf!r} must be at most 0.5: "
            "both sides of a test need that share"
        )
    fraction = booster.validation_fraction
    if not _is_number(fraction) or not 0.0 < fraction < 1.0:
        raise ValueError(f"validation_fraction={fraction!r} must be between 0 and 1")


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and value == value


def _whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        until = "" if most is None else f" and at most {most}"
        raise ValueError(f"{name}={value!r} must be a whole number, at least {least}{until}")


def check_positive(name: str, value: Any, zero: bool = False) -> None:
    """A finite number above 0, or at least 0."""
    if not _is_number(value) or not (value > 0 or (zero and value == 0)) or value == float("inf"):
        raise ValueError(
            f"{name}={value!r} must be a finite number {'of at least 0' if zero else 'above 0'}"
        )


def training_table(booster: Booster, X: Any, y: Any) -> Table:
    """A table of the training data; sets n_features_in_ and feature_names_in_."""
    X = _readable(X)
    validate_data(booster, X, y, skip_check_array=True)
    if isinstance(X, Table):
        if isinstance(booster.categorical_features, str) or booster.categorical_features is None:
            table = X
        else:
            table = X.with_categories(booster.categorical_features)
    else:
        table = Table.of(X, booster.categorical_features)
    if len(table) == 0 or table.n_columns == 0:
        what = "sample" if len(table) == 0 else "feature"
        raise ValueError(
            f"Found array with 0 {what}(s) (shape={table.shape}) while a minimum of 1 is required."
        )
    return table


def prediction_table(booster: Answers, X: Any) -> Table:
    """A table of new rows with the columns that the model was trained on."""
    X = _readable(X)
    validate_data(booster, X, reset=False, skip_check_array=True)
    return like_training(X, booster.model_.schema.categories, booster.model_.schema.names)


def like_training(X: Any, categories: Any, names: Any) -> Table:
    """The same columns as categories, and the same names where both are known."""
    chosen = sorted(categories)
    if not isinstance(X, Table):
        return Table.of(X, chosen if chosen else None)
    if not same_names(names, X.names):
        raise ValueError(
            f"the table has columns {list(X.names or ())[:5]}..., but the model was trained on "
            f"{list(names)[:5]}... in that order"
        )
    return X.with_categories(chosen) if chosen else X


def validation_data(booster: Booster, table: Table, given: Given) -> tuple[Table, Any]:
    """The validation rows that were given, checked against the training table."""
    if given.y_val is None:
        raise ValueError("X_val was given without y_val: give both")
    X = _readable(given.X_val)
    validate_data(booster, X, reset=False, skip_check_array=True)
    categories = [
        int(position)
        for group in table.groups
        if hasattr(group, "values")
        for position in group.positions
    ]
    held_out = like_training(X, categories, table.names)
    y = checked_target(given.y_val)
    check_consistent_length(held_out, y)
    return held_out, y


def checked_target(y: Any) -> Any:
    """y as an array of labels, or an indicator matrix."""
    if sp.issparse(y):
        y = sp.csr_array(y).toarray()
    elif nw.dependencies.is_into_dataframe(y) or nw.dependencies.is_into_series(y):
        y = nw.from_native(y, allow_series=True, eager_only=True).to_numpy()
    values = np.asarray(y)
    if values.dtype == object and values.ndim == 1:
        for row, value in enumerate(values.tolist()):
            if is_missing(value):
                raise ValueError(f"y is missing in row {row}: drop the row or give it a label")
    if values.ndim == 2 and values.shape[1] > 1:
        check_classification_targets(values)
        if type_of_target(values) != "multilabel-indicator":
            raise ValueError(
                "y has several columns but is not an indicator matrix of 0 and 1: give one label "
                "per row or one 0/1 column per label"
            )
        return values
    values = column_or_1d(values, warn=True)
    check_classification_targets(values)
    return values


def check_binary(booster: Booster, y: Any) -> None:
    """Two classes, with scikit-learn's words if there are more."""
    kind = type_of_target(y)
    if kind not in ("binary", "multiclass") or len(np.unique(y)) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}. "
            f"{type(booster).__name__} treats two classes differently; for more of them use "
            "AdaBoostMHClassifier"
        )


def check_resumed(booster: Booster, labels: Labels) -> None:
    """A warm start must go on with the same classes and not with fewer rounds."""
    if not np.array_equal(labels.classes, booster.classes_):
        raise ValueError(
            f"warm_start: y has classes {labels.classes.tolist()}, but the model was fitted with "
            f"{booster.classes_.tolist()}"
        )
    if booster.n_estimators < booster.n_iter_:
        raise ValueError(
            f"n_estimators={booster.n_estimators} must be larger or equal to the {booster.n_iter_} "
            "rounds that the model has when warm_start==True"
        )


def _readable(X: Any) -> Any:
    """X as it is if it is a table, a frame or sparse; else an array with two dimensions."""
    if isinstance(X, Table) or sp.issparse(X) or nw.dependencies.is_into_dataframe(X):
        return X
    return check_array(X, dtype=None, ensure_all_finite=False)
