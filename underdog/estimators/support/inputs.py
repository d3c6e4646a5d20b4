"""Checks of parameters, tables and targets; every message says what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from numbers import Real
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.base import is_regressor
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    column_or_1d,
    validate_data,
)

from underdog.checks import (
    check_choice,
    check_flag,
    check_integer,
    check_positive,
    is_missing,
    is_number,
    to_python,
)
from underdog.costs import Costs
from underdog.data import Table
from underdog.data.conversion import NotANumberError
from underdog.data.schema import MAX_BINS, same_names
from underdog.data.table import readable
from underdog.estimators.support.categories import (
    categories_of,
    warn_of_categories,
    warn_of_unseen_levels,
)
from underdog.types import Floats

if TYPE_CHECKING:
    from underdog.codes import Labels, Outputs
    from underdog.estimators.support.base import Booster
    from underdog.estimators.support.classifier import Classifier
    from underdog.estimators.support.predictions import Predictions
    from underdog.estimators.support.weights import FitArguments


GIVE_NUMBERS = "give numbers, and NaN for missing values"


def check_parameters(booster: Booster) -> None:
    """Refuse parameters of the wrong type or outside their range."""
    check_integer("n_estimators", booster.n_estimators, booster._fewest_rounds)
    check_integer("max_bins", booster.max_bins, 2, MAX_BINS)
    check_integer("n_iter_no_change", booster.n_iter_no_change, 1)
    check_positive("learning_rate", booster.learning_rate)
    check_positive("tol", booster.tol, zero=True)
    check_choice("early_stopping", booster.early_stopping, True, False)
    if booster.early_stopping and booster.cv is not None:  # otherwise scikit-learn may set splits
        check_integer("cv", booster.cv, 2)
    if booster.n_jobs is not None:
        check_integer("n_jobs", booster.n_jobs, -(2**31))
    check_positive("min_weight_fraction_leaf", booster.min_weight_fraction_leaf, zero=True)
    if booster.min_weight_fraction_leaf > 0.5:
        raise ValueError(
            f"min_weight_fraction_leaf={booster.min_weight_fraction_leaf!r} must be at most 0.5, "
            "because both sides of a test must have this share of the weight"
        )
    fraction = booster.validation_fraction
    if not is_number(fraction) or not 0.0 < fraction < 1.0:
        raise ValueError(f"validation_fraction={fraction!r} must be between 0 and 1")


def check_class_parameters(booster: Classifier) -> None:
    """Refuse wrong values of the parameters that only classifiers have."""
    check_smoothing(booster.smoothing)
    check_costs(booster.costs)
    check_flag("resample", booster.resample)


def refuse_unused(booster: Booster, part: str, word: str, *names: str) -> None:
    """Refuse parameters that are for `part`=`word` only; another part was given."""
    defaults = {field.name: field.default for field in fields(booster)}
    given = {name: getattr(booster, name) for name in names}
    unused = [f"{n}={value!r}" for n, value in given.items() if not _same(value, defaults[n])]
    if unused:
        it, is_ = ("it", "it is") if len(unused) == 1 else ("them", "they are")
        raise ValueError(
            f"{', '.join(unused)} would be ignored, because {is_} for {part}={word!r}, and "
            f"{part}={getattr(booster, part)!r} was given: set {it} in a {part} object, or leave "
            f"{it} out"
        )


def _same(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, str | Real) and bool(value == default))


def check_smoothing(smoothing: Any) -> None:
    """Refuse anything but None or a number of at least 0."""
    if smoothing is not None:
        check_positive("smoothing", smoothing, zero=True)


def check_costs(costs: Any) -> None:
    """Refuse anything but None or a Costs object."""
    if costs is not None and not isinstance(costs, Costs):
        raise TypeError(f"costs={costs!r} must be a Costs object, such as Costs(fn=20, fp=1)")


def training_table(booster: Booster, X: Any, y: Any) -> Table:
    """The training data as a table; sets n_features_in_ and feature_names_in_."""
    if booster.warm_start and hasattr(booster, "model_"):
        return prediction_table(booster, X)
    X = readable(X)
    validate_data(booster, X, y, skip_check_array=True)
    if isinstance(X, Table):
        X.check()
        table = X.with_categories(booster.categorical_features)
        if table.names is not None:
            booster.feature_names_in_ = np.array(table.names, dtype=object)
    else:
        table = Table.from_data(X, booster.categorical_features)
        if isinstance(booster.categorical_features, str):
            warn_of_categories(table, X)
    _refuse_empty(table)
    return table


def prediction_table(booster: Predictions, X: Any) -> Table:
    """New rows as a table with the columns of the training data."""
    X = readable(X)
    _check_columns(booster, X)
    schema = booster.model_.schema
    categories = sorted(schema.categories) if schema.categories else None
    table = _like_training(X, categories, schema.names)
    warn_of_unseen_levels(table, schema)
    return table


def _check_columns(booster: Predictions, X: Any) -> None:
    """Check number and names of the columns, with the messages of scikit-learn."""
    right_number = X.shape[1:] == (booster.n_features_in_,)
    if isinstance(X, Table):
        if not right_number:
            raise ValueError(
                f"X has {X.n_columns} features, but {type(booster).__name__} is expecting "
                f"{booster.n_features_in_} features as input."
            )
        return
    nameless = isinstance(X, np.ndarray) or sp.issparse(X)
    # scikit-learn's check takes longer than the rest here: only where it can find something
    if not (nameless and right_number) or hasattr(booster, "feature_names_in_"):
        validate_data(booster, X, reset=False, skip_check_array=True)


def _like_training(X: Any, categories: list[int] | None, names: Sequence[str] | None) -> Table:
    """A table with these categories; refuses other names, if both have names."""
    if isinstance(X, Table):
        X.check()  # its arrays may have been changed since it was made
        table = X.with_categories(categories)
    else:
        try:
            table = Table.from_data(X, categories)
        except NotANumberError as error:
            raise NotANumberError(
                f"{error.problem}, but the model was trained on numbers in it", GIVE_NUMBERS
            ) from None
    _refuse_empty(table)
    _check_names(names, table)
    for column, _ in categories_of(table):
        if column not in (categories or ()):
            name = column if table.names is None else table.names[column]
            raise ValueError(
                f"column {name!r} has categories, but the model was trained on numbers in it: "
                f"{GIVE_NUMBERS}"
            )
    return table


def _check_names(names: Sequence[str] | None, table: Table) -> None:
    if not same_names(names, table.names):
        raise ValueError(
            f"the columns are {list(table.names or ())[:5]}, but the model was trained on "
            f"{list(names or ())[:5]}: give the same columns in the same order"
        )


def _refuse_empty(table: Table) -> None:
    if len(table) == 0 or table.n_columns == 0:
        what = "sample" if len(table) == 0 else "feature"
        raise ValueError(
            f"Found array with 0 {what}(s) (shape={table.shape}) while a minimum of 1 is required."
        )


def validation_data(
    booster: Booster, table: Table, labels: Outputs, given: FitArguments
) -> tuple[Table, Any] | None:
    """X_val and y_val, checked against the training table and its labels."""
    if given.X_val is None and given.y_val is None:
        return None
    if given.y_val is None:
        raise ValueError("X_val was given without y_val: give both")
    if given.X_val is None:
        raise ValueError("y_val was given without X_val: give both")
    X = readable(given.X_val)
    _check_columns(booster, X)
    held_out = _like_training(X, [position for position, _ in categories_of(table)], table.names)
    y = booster._checked_target(given.y_val)
    check_consistent_length(held_out, y)
    labels.check(y, "y_val")
    return held_out, y


def checked_labels(y: Any) -> Any:
    """y as an array of labels or an indicator matrix."""
    values = _target_array(y)
    if values.dtype.kind == "f":
        assert_all_finite(values, input_name="y")
    if values.ndim == 2 and values.shape[1] > 1:
        _check_discrete(values)
        if not bool(np.isin(values, (0, 1)).all()):
            raise ValueError(
                "y has several columns but is not an indicator matrix of 0 and 1: give one label "
                "per row, or one column of 0 and 1 per label"
            )
        return values
    values = column_or_1d(values, warn=True)
    _check_discrete(values)
    return values


def checked_numbers(y: Any, at_least: float = -math.inf) -> Floats:
    """y as an array of finite numbers that are not below `at_least`."""
    values = _target_array(y)
    if values.ndim == 2 and values.shape[1] > 1:
        raise ValueError(
            f"y has {values.shape[1]} columns, but a regressor learns one target: fit one model "
            "for each column, for example with sklearn.multioutput.MultiOutputRegressor"
        )
    values = column_or_1d(values, warn=True)
    try:
        numbers: Floats = values.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"y must be numbers, but it has {to_python(values[0])!r:.40}: for classes use a "
            "classifier such as GradientBoostingClassifier"
        ) from None
    assert_all_finite(numbers, input_name="y")
    if bool((numbers < at_least).any()):
        row = int(np.flatnonzero(numbers < at_least)[0])
        raise ValueError(
            f"y is {numbers[row]:g} in row {row}, but loss='poisson' is for counts of at least "
            f"{at_least:g}: use another loss"
        )
    return numbers


def refuse_regressor(estimator: Any, instead: str) -> None:
    """Raise an error if an estimator predicts numbers where classes are needed."""
    made = hasattr(estimator, "__sklearn_tags__") and not isinstance(estimator, type)
    if made and is_regressor(estimator):
        raise ValueError(f"{type(estimator).__name__} predicts numbers, not classes: {instead}")


def _target_array(y: Any) -> Any:
    """y as an array without missing values."""
    if np.ma.is_masked(y):
        _refuse_missing([None if row.any() else 0 for row in np.ma.getmaskarray(y)])
    if sp.issparse(y):
        values = sp.csr_array(y).toarray()
    elif nw.dependencies.is_into_series(y):
        series = nw.from_native(y, series_only=True)
        _refuse_missing(series.to_list())
        values = series.to_numpy()
    elif nw.dependencies.is_into_dataframe(y):
        values = nw.from_native(y, eager_only=True).to_numpy()
    else:
        values = np.asarray(y)
    if values.ndim == 1 and (values.dtype.kind == "O" or _has_nan(values)):
        _refuse_missing(values.tolist())
    return values


def _has_nan(values: Any) -> bool:
    return values.dtype.kind == "f" and bool(np.isnan(values).any())


def _check_discrete(y: Any) -> None:
    """Refuse what scikit-learn refuses; for real numbers, the message also says what to do."""
    try:
        check_classification_targets(y)
    except ValueError as error:
        kind = type_of_target(y)
        if not kind.startswith("continuous"):
            raise
        first, last = np.min(y), np.max(y)
        raise ValueError(
            f"Unknown label type: {kind}. y has real numbers, from {first:.6g} to {last:.6g}, not "
            "classes: use a regressor such as GradientBoostingRegressor, or bin y into a few "
            "classes, for example with pandas.cut"
        ) from error


def _refuse_missing(labels: list[Any]) -> None:
    for row, label in enumerate(labels):
        if is_missing(label):
            raise ValueError(f"y is missing in row {row}: drop the row or give it a label")


def check_binary(booster: Classifier, y: Any) -> None:
    """Refuse more than two classes, with the message of scikit-learn."""
    kind = type_of_target(y)
    if kind not in ("binary", "multiclass") or len(np.unique(y)) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}. "
            f"{type(booster).__name__} is for two classes; for more use AdaBoostMHClassifier"
        )


def check_one_label(booster: Classifier, y: Any) -> None:
    """Refuse an indicator matrix."""
    if y.ndim == 2:
        raise ValueError(
            f"{type(booster).__name__} needs one label per row, but y has {y.shape[1]} columns: "
            "use AdaBoostMHClassifier"
        )


def check_resumed(booster: Classifier, labels: Labels) -> None:
    """Refuse a warm start with other labels."""
    before = booster._labels
    meaning = before.headline([str(label) for label in before.classes])
    if type(labels) is not type(before) or not np.array_equal(labels.classes, before.classes):
        raise ValueError(
            f"warm_start: y has classes {labels.classes.tolist()}, but the model was fitted with "
            f"{before.classes.tolist()} ({meaning}): give the same classes, or set "
            "warm_start=False"
        )
    if labels.headline([str(label) for label in labels.classes]) != meaning:
        raise ValueError(
            f"warm_start: pos_label={booster.pos_label!r} is not that of the fitted model, where "
            f"{meaning}: use the same pos_label, or set warm_start=False"
        )


def check_resumed_rounds(booster: Booster) -> None:
    """Refuse a warm start of an edited model, or with fewer rounds."""
    if booster.edits_:
        raise ValueError(
            "warm_start: this model was edited by hand, and a run cannot go on from it: set "
            "warm_start=False to train a new one"
        )
    if booster.n_estimators * booster._turns(booster.model_.n_labels) < booster.n_iter_:
        raise ValueError(
            f"n_estimators={booster.n_estimators} must be larger or equal to the {booster.n_iter_} "
            "rounds of the fitted model when warm_start==True"
        )
