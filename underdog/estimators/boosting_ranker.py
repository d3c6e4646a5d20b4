"""A ranker that is composed of any loss of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.checks import check_positive
from underdog.combiners import Backtracking
from underdog.core import Combiner, Loss
from underdog.estimators.support.ranker import Ranker
from underdog.losses import ListwiseSoftmax


@dataclass(kw_only=True, eq=False, repr=False)
class BoostingRanker(Ranker):
    """Boosting of any loss of queries, such as the softmax of all scores of a query.

    Trees are fitted to its gradients by Newton steps, which are halved until the loss does not
    rise.

    Parameters
    ----------
    loss : loss object, optional
        By default `underdog.losses.ListwiseSoftmax`.
    l2_regularization : float, default=1e-3
        Penalty on the values of leaves. The curvature of all rows of a query together is below 1.
    learner : default="tree"
        "tree" for trees of depth 3, "real" for stumps, or a learner object.
    learning_rate : float, default=0.1

    See `RankBoostRanker` and `AdaBoostClassifier` for the parameters, attributes and methods that
    are not listed here.

    Attributes
    ----------
    history_ : dict of arrays
        loss (per row), gain, coefficient, seconds.

    References
    ----------
    Cao, Qin, Liu, Tsai and Li, "Learning to rank: from pairwise approach to listwise approach",
    ICML 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import BoostingRanker
    >>> X = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 9.0], [1.0, 2.0], [4.0, 7.0], [2.0, 1.0]])
    >>> model = BoostingRanker(learner="real").fit(X, [0, 1, 2, 0, 2, 1], group=[3, 3])
    >>> model.certificate_["pair_loss"]
    0.0
    """

    loss: Any = None
    learner: Any = "tree"
    learning_rate: float = 0.1
    l2_regularization: float = 1e-3

    _sum_matters: ClassVar[str] = "l2_regularization is divided by their sum"

    def _make_loss(self) -> Loss:
        loss = ListwiseSoftmax() if self.loss is None else self.loss
        if not isinstance(loss, Loss) or loss.code != "Grades":
            raise TypeError(f"loss={loss!r} must be a loss of queries, such as ListwiseSoftmax()")
        return loss

    def _make_combiner(self) -> Combiner:
        return Backtracking(self.learning_rate)

    def _smooth(self, examples: float, n_labels: int) -> float:
        check_positive("l2_regularization", self.l2_regularization, zero=True)
        return float(self.l2_regularization) / examples
