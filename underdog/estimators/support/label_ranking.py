"""The base class of boosters that put labels in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from underdog.codes.binary import BinaryLabels
from underdog.codes.one_of_k import OneOfKLabels
from underdog.core import Loss, Run
from underdog.core.mistakes import share_not_first
from underdog.estimators.support.certificates import bound_of
from underdog.estimators.support.classifier import Classifier
from underdog.losses import LabelRanking


@dataclass(kw_only=True, eq=False, repr=False)
class RankingBooster(Classifier):
    """AdaBoost.MR and its special cases: `LabelRanking`, stagewise."""

    _certified: ClassVar[tuple[str, ...]] = (
        "bound",
        "training_error",
        "ranking_bound",
        "ranking_loss",
    )

    def _make_loss(self) -> Loss:
        return LabelRanking()

    def _certify(self, run: Run) -> dict[str, Any]:
        ranking = {"ranking_bound": bound_of(run), "ranking_loss": run.training_error()}
        bound, error = ranking.values()
        if isinstance(self._labels, OneOfKLabels):
            # If the class is not the first, one of its K - 1 pairs is in the wrong order.
            bound, error = (run.rows.n_labels - 1) * bound, share_not_first(run.rows)
        return {"bound": bound, "training_error": error, **ranking}

    def predict_ranking(self, X: Any) -> Any:
        """All classes or labels of each row, from the highest score to the lowest.

        Labels with the same score are in the order of `classes_`.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)

        Returns
        -------
        array of shape (n, K)
        """
        scores = self.decision_function(X)
        if isinstance(self._labels, BinaryLabels):
            scores = np.column_stack([-scores, scores])
        return self.classes_[np.argsort(-scores, axis=1, kind="stable")]
