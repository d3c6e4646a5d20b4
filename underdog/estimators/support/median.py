"""The base class of regressors that predict the weighted median of their rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import is_regressor

from underdog.core import Learner, Member, Run, Shard, State
from underdog.data import EncodedRows, Schema, Table
from underdog.estimators.support.foreign_regressor import RegressorLearner
from underdog.estimators.support.median_predictions import MedianPredictions
from underdog.estimators.support.regressor import Regressor
from underdog.estimators.support.reweighting import (
    Reweighting,
    RuleError,
    run_predictions,
    weighted_targets,
)
from underdog.estimators.support.trees import TreeParameters
from underdog.estimators.support.validation import HeldOut
from underdog.losses import RegressionLoss
from underdog.model import Ensemble, MedianEnsemble
from underdog.model.median import member_of, predictions_of, weighted_median
from underdog.types import Floats


class HeldOutMedian(HeldOut):
    """Medians of the predictions of held-out rows, kept up to date."""

    def __init__(self, table: Table, schema: Schema, start: Floats, _: object = None) -> None:
        self._encoded, self._start = EncodedRows(table, schema), float(start[0])
        self._found: list[Floats] = []

    def follow(self, state: State) -> Floats:
        for member in state.members[len(self._found) :]:
            own = member_of(member.hypothesis)
            self._found.append(predictions_of(own, self._encoded, self._start))
        weights = np.array([member.coefficient for member in state.members])
        return weighted_median(np.stack(self._found, axis=1), weights)[:, np.newaxis]


@dataclass(kw_only=True, eq=False, repr=False)
class MedianRegressor(MedianPredictions, TreeParameters, Regressor):
    """Base class of regressors that predict the weighted median of their rules."""

    learning_rate: float = 1.0

    _clipped: ClassVar[bool] = False
    """Whether regressors of other libraries may not predict beyond the training targets."""
    _held_out: ClassVar[type[HeldOut]] = HeldOutMedian
    _model_class: ClassVar[type[Ensemble]] = MedianEnsemble

    def _make_regression_loss(self) -> RegressionLoss:
        return RuleError()

    def _make_combiner(self) -> Reweighting:
        raise TypeError(f"{type(self).__name__} does not define _make_combiner()")

    def _make_learner(self) -> Learner:
        given = self.learner
        if not isinstance(given, str | type | Learner) and is_regressor(given):
            return RegressorLearner(given, self._clipped)
        return self._tree_or(super()._make_learner)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.interaction_cst is not None:
            raise ValueError(
                f"interaction_cst is not supported by {type(self).__name__}: which rule is the "
                "median depends on all columns. Use an additive model such as "
                "GradientBoostingRegressor, or leave it at None"
            )

    def _make_model(self, run: Run) -> Ensemble:
        members = [member_of(member.hypothesis) for member in run.state.members]
        weights = np.array([member.coefficient for member in run.state.members])
        model = MedianEnsemble(members, weights, run.rows.layout.schema, run.rows.start)
        return model.in_unit(run.rows.shards[0].target.unit)

    def _members(self) -> Sequence[Member]:
        model = self.model_.in_unit(1.0)
        pairs = zip(model.members, model.weights.tolist(), strict=True)
        return [
            Member(one.hypothesis, weight, np.zeros_like(one.steps), 0.0) for one, weight in pairs
        ]

    def _certify(self, run: Run) -> dict[str, Any]:
        return {"training_loss": training_loss(run)}


def training_loss(run: Run) -> float:
    """The mean squared error of the medians of the training rows."""
    rows, signal = run.rows, weighted_targets(run)
    weights = np.array([member.coefficient for member in run.state.members])
    found = [run_predictions(run, member.hypothesis) for member in run.state.members]
    start = [np.exp(shard.target.log_weight()) for shard in rows.shards]

    def losses(shard: Shard) -> Floats:
        own = np.stack([each[shard.number] for each in found], axis=1)
        error = shard.target.observed[:, 0] - weighted_median(own, weights)
        return np.asarray(start[shard.number] * error**2)

    mean = rows.exact_sum(losses) / rows.exact_sum(lambda shard: start[shard.number])
    return signal.loss.in_unit(mean, rows.shards[0].target.unit)
