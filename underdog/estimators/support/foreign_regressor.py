"""Any scikit-learn regressor as a rule of a median."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from underdog.core import Criterion, Learner, Loss, Proposal, Question, Run, Stop, weight_per_unit
from underdog.data.conversion import take_rows
from underdog.estimators.support.reweighting import weighted_targets
from underdog.hypotheses import ForeignRegressor
from underdog.learners.criteria import Newton


class RegressorLearner(Learner):
    """Fits a clone of a scikit-learn regressor in every round.

    It gets the weights as `sample_weight`, or the rows that were drawn by them. Models are not
    guaranteed to be equal to the last bit: the regressor may depend on the order of the rows.

    Parameters
    ----------
    regressor : scikit-learn regressor
        Cloned in every round.
    clipped : bool, default=False
        Whether predictions outside the range of the training targets are clipped to it.
    """

    takes_disk: ClassVar[bool] = False

    def __init__(self, regressor: Any, clipped: bool = False) -> None:
        self.regressor = regressor
        self.clipped = clipped

    def criterion(self, loss: Loss) -> Criterion:
        return Newton()

    def start(self, run: Run) -> Run:
        if weighted_targets(run).drawn is None and not self._takes_weights(run):
            raise ValueError(
                f"learner={type(self.regressor).__name__}() does not support sample_weight: set "
                "resample=True, which fits it to rows drawn in proportion to their weights"
            )
        return run

    def _takes_weights(self, run: Run) -> bool:
        resample = bool(getattr(run.parts.combiner, "resample", False))
        return resample or has_fit_parameter(self.regressor, "sample_weight")

    def fit(self, memory: Run, question: Question) -> Proposal | Stop:
        shard, signal = memory.rows.only, weighted_targets(memory)
        target, matrix = shard.target, shard.encoded.table.matrix()
        y = target.observed[:, 0] * target.unit
        regressor = clone(self.regressor)
        if "random_state" in regressor.get_params():
            regressor.set_params(random_state=memory.random.randint(np.iinfo(np.int32).max))
        if signal.drawn is None:
            weights = target.repeats * signal.current[0]
            regressor.fit(matrix, y, sample_weight=weights / weights.sum() * target.repeats.sum())
        else:
            regressor.fit(take_rows(matrix, signal.drawn), y[signal.drawn])
        limits = (float(y.min()), float(y.max())) if self.clipped else (-math.inf, math.inf)
        rule = ForeignRegressor(regressor, target.unit, limits)
        partition = memory.rows.place(rule)
        sums = memory.rows.sums(signal, partition, 1)
        return Proposal(rule, partition, (sums,), (weight_per_unit(signal, sums[0]),))
