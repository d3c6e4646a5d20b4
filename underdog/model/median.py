"""Models that predict the weighted median of what their rules predict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from underdog.core import Hypothesis, Member
from underdog.data import EncodedRows, Schema, Table
from underdog.files import Fields
from underdog.hypotheses import ForeignRegressor, Tree
from underdog.kernels import criteria
from underdog.model import stored
from underdog.model.ensemble import Ensemble, scaled
from underdog.types import Floats
from underdog.workers import Workers

CHUNK = 1 << 22
"""Predictions of all rules that are in memory at once."""
WEIGHT_BITS = 52
"""All weights together are less than 2**52 units, so that their sums are exact."""
NOT_ADDITIVE = (
    "this model predicts the weighted median of its rules, and a median of predictions has no "
    "additive parts: look at single rules in estimators_, at feature_importances_, or at "
    "sklearn.inspection.permutation_importance; or use an additive model such as "
    "GradientBoostingRegressor"
)


def weighted_median(predictions: Floats, weights: Floats) -> Floats:
    """(n,) the smallest of the (n, T) predictions at which the cumulated weights reach a half.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.model.median import weighted_median
    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([5.0, 1.0, 4.0])).tolist()
    [2.0]
    """
    exponent = math.frexp(float(weights.sum()))[1]
    units = np.rint(np.ldexp(weights, WEIGHT_BITS - exponent)).astype(np.int64)
    order = np.argsort(predictions, axis=1, kind="stable")
    reached = 2 * np.cumsum(units[order], axis=1) >= units.sum()
    chosen = np.take_along_axis(order, reached.argmax(axis=1)[:, np.newaxis], axis=1)
    result: Floats = np.take_along_axis(predictions, chosen, axis=1)[:, 0]
    return result


def member_of(rule: Hypothesis) -> Member:
    """A rule with what it adds to the start, on the score grid."""
    steps = np.empty_like(rule.values)
    size = float(criteria.on_grid(rule.values, 1.0, steps))
    return Member(rule, 1.0, steps, size)


def predictions_of(member: Member, encoded: EncodedRows, start: float, unit: float = 1.0) -> Floats:
    """(n,) what one rule predicts.

    `start` is where all rules begin, and `unit` what a score of 1 of the run is worth; 1.0 for
    members of a run.
    """
    rule = member.hypothesis
    if isinstance(rule, ForeignRegressor):
        return rule.predictions(encoded.table) / rule.unit * unit
    if not isinstance(rule, Tree):
        raise TypeError(f"a {type(rule).__name__} does not predict numbers")
    result: Floats = start + member.steps[rule.partition(encoded).of_row(encoded.n_rows), 0]
    return result


class MedianEnsemble(Ensemble):
    """Rules with weights; the prediction of a row is the weighted median of their predictions.

    A rule predicts `start` plus the step of the row's block. A regressor of another library
    predicts by itself.

    Parameters
    ----------
    members : sequence of Member
        With the coefficient 1.
    weights : (T,) positive
    schema : Schema
    start : (1,)
    unit : float, default=1.0
        What a score of 1 of the run is worth. Start and steps have this unit already.
    """

    def __init__(
        self,
        members: Sequence[Member],
        weights: Floats,
        schema: Schema,
        start: Floats,
        unit: float = 1.0,
    ) -> None:
        super().__init__(members, schema, 1, start=start, unit=unit)
        self.weights = weights

    def __repr__(self) -> str:
        return f"MedianEnsemble({len(self)} rules, {self.schema.n_columns} columns)"

    def in_unit(self, unit: float) -> MedianEnsemble:
        if unit == self.unit:
            return self
        factor = unit / self.unit
        members = [
            scaled(member, factor) if isinstance(member.hypothesis, Tree) else member
            for member in self.members
        ]
        return MedianEnsemble(members, self.weights, self.schema, self.start * factor, unit)

    def _to_file(self) -> dict[str, Any]:
        return {**super()._to_file(), "weights": self.weights}

    @classmethod
    def _from_file(cls, fields: Fields) -> MedianEnsemble:
        schema = fields.one_of("schema", Schema)
        members = stored.members_of(fields, schema, summed=False)
        if len(fields.floats("path", None)):
            raise fields.wrong("path", "must be empty: the weights of a median do not change")
        if members[0].steps.shape[1] != 1 or any(member.coefficient != 1.0 for member in members):
            raise fields.wrong("steps", "must be the values of one column")
        start = stored.start_of(fields, 1, members, summed=False)
        weights = fields.floats("weights", len(members))
        total = float(weights.sum())
        if not weights.min() > 0.0 or not math.isfinite(total):
            raise fields.wrong("weights", "must be above 0, with a finite sum")
        first = np.zeros(1) if start is None else start
        return cls(members, weights, schema, first).in_unit(stored.unit_of(fields))

    def only(self, number: int) -> MedianEnsemble:
        """One of the rules."""
        one = slice(number, number + 1)
        return MedianEnsemble(
            self.members[one], self.weights[one], self.schema, self.start, self.unit
        )

    def each(self, table: Table) -> Floats:
        """(n, T) the prediction of every rule."""
        encoded, start = EncodedRows(table, self.schema), float(self.start[0])
        found = np.empty((len(table), len(self)))
        for number, member in enumerate(self.members):
            found[:, number] = predictions_of(member, encoded, start, self.unit)
        return found

    def scores(self, table: Table, workers: Workers) -> Floats:
        """(n, 1) the weighted medians."""
        result = np.empty((len(table), 1))
        size = max(1, CHUNK // len(self))
        for first in range(0, len(table), size):
            rows = np.arange(first, min(first + size, len(table)))
            part = table if len(rows) == len(table) else table[rows]
            result[rows, 0] = weighted_median(self.each(part), self.weights)
        return result

    def staged(self, table: Table) -> Iterator[Floats]:
        """The medians of the first rule, of the first two, ..."""
        found = self.each(table)
        for count in range(1, len(self) + 1):
            yield weighted_median(found[:, :count], self.weights[:count])[:, np.newaxis]

    def importances(self, drops: Floats, n_columns: int) -> Floats:
        """The mean over the rules of the shares of the columns, with their weights."""
        if all(isinstance(member.hypothesis, Tree) for member in self.members):
            plain = Ensemble(self.members, self.schema, 1, unit=self.unit)
            return plain.importances(self.weights, n_columns)
        result = np.zeros(n_columns)
        for member, weight in zip(self.members, self.weights.tolist(), strict=True):
            rule = member.hypothesis
            if isinstance(rule, ForeignRegressor):
                result += weight * rule.regressor.feature_importances_
        total = result.sum()
        return result / total if total > 0.0 else result

    @property
    def compiled(self) -> NoReturn:
        raise TypeError(NOT_ADDITIVE)

    @property
    def attributions(self) -> NoReturn:
        raise TypeError(NOT_ADDITIVE)
