"""The data of a comparison, checked once for all models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils.validation import check_consistent_length

from underdog.codes import choose_code
from underdog.costs import Costs
from underdog.data import Table
from underdog.data.columns import CategoryColumns
from underdog.data.table import readable
from underdog.estimators.support import inputs
from underdog.estimators.support.relevance import check_relevance
from underdog.types import Integers


@dataclass(frozen=True, eq=False)
class ComparedRows:
    """Examples and their targets.

    Attributes
    ----------
    X : the original data, in a form with row selection
    table : the same data as a table
    y : (n,) labels or numbers
    """

    X: Any
    table: Table
    y: Any

    @property
    def identity(self) -> tuple[Any, ...]:
        """What else the results depend on, besides X, folds and models."""
        return (self.y,)

    def fitted(self, model: Any, X: Any, rows: Integers) -> Any:
        """A copy of the model, fitted to these rows, which are X."""
        return clone(model).fit(X, self.y[rows])

    @property
    def has_categories(self) -> bool:
        """Whether there is a category column."""
        return any(isinstance(group, CategoryColumns) for group in self.table.groups)

    @property
    def is_sparse(self) -> bool:
        """Whether there are sparse columns."""
        return any(sp.issparse(getattr(group, "matrix", None)) for group in self.table.groups)


@dataclass(frozen=True, eq=False)
class Problem(ComparedRows):
    """Examples, their classes and costs.

    Attributes
    ----------
    true : (n,) indices of the labels in `classes`
    classes : (K,)
    positive : index of the positive class
    costs : Costs, or None
    """

    true: Integers
    classes: np.ndarray[Any, Any]
    positive: int
    costs: Costs | None

    @property
    def binary(self) -> bool:
        """Whether there are two classes."""
        return len(self.classes) == 2

    @property
    def identity(self) -> tuple[Any, ...]:
        costs = []
        if self.costs is not None:
            costs.append(self.costs.table(self.classes, self.positive))
        return (self.classes.tolist(), self.true, self.positive, *costs)


@dataclass(frozen=True, eq=False)
class NumberProblem(ComparedRows):
    """Examples and their numbers.

    Attributes
    ----------
    main : the measure by which models are ranked
    quantiles : those that are predicted, or None
    """

    main: str
    quantiles: tuple[float, ...] | None

    @property
    def identity(self) -> tuple[Any, ...]:
        return (self.y, self.main, self.quantiles)


@dataclass(frozen=True, eq=False)
class RankProblem(ComparedRows):
    """Examples and their grades, in queries.

    Attributes
    ----------
    query : (n,) the number of the query of each row
    """

    query: Integers

    @property
    def identity(self) -> tuple[Any, ...]:
        return (self.y, self.query)

    def fitted(self, model: Any, X: Any, rows: Integers) -> Any:
        name = f"{model.steps[-1][0]}__qid" if hasattr(model, "steps") else "qid"
        return clone(model).fit(X, self.y[rows], **{name: self.query[rows]})


def rows_of(X: Any) -> tuple[Any, Table]:
    """X in a form with row selection, and as a table."""
    X = readable(X)  # the checks of the boosters, before any of them is fitted
    table = Table.from_data(X)
    if not isinstance(X, Table):
        X = table.source.tocsr() if sp.issparse(table.source) else table.source
    return X, table


def read_numbers(
    X: Any, y: Any, main: str = "rmse", quantiles: tuple[float, ...] | None = None
) -> NumberProblem:
    """Check the arguments of `compare_regressors`."""
    X, table = rows_of(X)
    y = inputs.checked_numbers(y, 0.0 if main == "deviance" else -np.inf)
    check_consistent_length(table, y)
    return NumberProblem(X, table, y, main, quantiles)


def read_queries(X: Any, y: Any, qid: Any, group: Any) -> RankProblem:
    """Check the arguments of `compare_rankers`."""
    if qid is None and group is None:
        raise ValueError("rankers are compared on whole queries: give qid or group")
    X, table = rows_of(X)
    known = check_relevance(X, y, qid, group)
    check_consistent_length(table, known)
    return RankProblem(X, table, known.grade, known.query)


def read_problem(X: Any, y: Any, costs: Costs | None, pos_label: Any) -> Problem:
    """Check the arguments of `compare`."""
    inputs.check_costs(costs)
    X, table = rows_of(X)
    y = inputs.checked_labels(y)
    if y.ndim != 1:
        raise ValueError(
            "y is an indicator matrix, but compare needs one class per row: compare each label "
            "separately"
        )
    check_consistent_length(table, y)
    labels = choose_code(y, pos_label).fit(y)
    positive = getattr(labels, "positive", 1)
    if costs is not None:
        costs.check_difference()
        costs.table(labels.classes, positive)
        if costs.n_examples not in (None, len(y)):
            raise ValueError(
                f"there are costs for {costs.n_examples} examples, but y has {len(y)} rows: give "
                "costs of the same rows"
            )
    true = np.searchsorted(labels.classes, y)
    return Problem(X, table, y, true, labels.classes, positive, costs)
