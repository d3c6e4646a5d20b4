"""RankBoost: rows in the right order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from underdog.checks import check_choice
from underdog.combiners import PairSteps, Stagewise
from underdog.core import Combiner, Learner, Loss, Parts
from underdog.estimators.support import inputs
from underdog.estimators.support.rankboost_plus import PairwisePlus, PlusSteps, PlusStumps
from underdog.estimators.support.ranker import Ranker
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import Weighting
from underdog.losses import PairwiseExponential

VALUES = {"best": "best", "line_search": "log_odds", "bound": "bound", "plus": "best"}
"""What blocks say, by the parameter `step`."""


@dataclass(kw_only=True, eq=False, repr=False)
class RankBoostRanker(Ranker):
    r"""RankBoost: puts the rows of each query in the order of their grades.

    Minimises the mean over all pairs of rows of one query with different grades

    .. math:: \sum_{(x_0, x_1)} w(x_0, x_1) \, e^{F(x_0) - F(x_1)},

    where :math:`x_1` has the higher grade. It is at least the share of the pairs that are in the
    wrong order. A pair has the weight :math:`D(x_0, x_1) = v(x_0) v(x_1) / \sum`, with a factor
    :math:`u e^{F}` of the lower and :math:`u e^{-F}` of the upper row. So the weight of all pairs
    of a row is its own factor times a sum that all rows of its query and grade share, and a round
    takes time in proportion to the number of rows, not of pairs. A row has the weight P as the
    upper one of its pairs and Q as the lower one, and a weak rule is found as if these were the
    weights of a positive and a negative example. It is chosen by a bound on the factor Z by which
    the loss falls. The step then makes the loss itself least.

    Parameters
    ----------
    step : {"best", "line_search", "bound", "plus"}, default="best"
        How far a rule goes. "best": the values of its blocks have the least loss of all pairs, or
        the coefficient has if they vote (for stumps method 2 of the paper). "line_search": its
        blocks say 1/2 ln(P / Q) or vote, times the coefficient with the least loss (method 1).
        "bound": values or coefficient with the least bound on the loss (method 3). "plus": votes
        of stumps by RankBoost+, where a rule costs cosh of its coefficient for pairs that it ties,
        and a rule that is chosen again is corrected; it lists all pairs.
    weighting : {"pairs", "queries"}, default="pairs"
        "pairs": all pairs count the same, so a query counts as much as it has pairs. "queries":
        all queries count the same.
    smoothing : float, optional
        e, added to the weight of the pairs between any two blocks, in either order; all pairs have
        the weight 1. By default 1/m.
    scoring : str, default="auto"
        What early stopping watches: "ndcg" (also "auto"), "ndcg@10" or any other number of rows,
        "map" or "pair_loss".
    early_stopping : bool, default=False
        Whole queries are held out, unless there is only one.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here.

    Attributes
    ----------
    history_ : dict of arrays
        edge (r of the paper), z (by which the loss is multiplied), loss, coefficient, seconds.
    certificate_ : dict
        training_loss: the mean of :math:`e^{F(x_0) - F(x_1)}`, which is the product of all z; with
        step="plus" that product has the cost of ties, too, and is greater.
        pair_loss: the share of the pairs that are in the wrong order or tied, which is not greater.
    n_queries_ : int
        Number of queries with pairs; 0 if pairs were given. Rows of weight 0 do not count.
    n_dropped_queries_ : int
        Number of queries with rows of one grade only, which were left out. Those without rows of a
        weight above 0 do not count.

    Notes
    -----
    Only the order of grades matters, so they may be any numbers. Scores of different queries are
    not compared. With two grades and one query, all weights are those of AdaBoost from classes of
    equal weight, z is the square of AdaBoost's, and the scores are the same up to a constant,
    without smoothing, at learning rate 1, and while there are both grades in every block: the best
    values of the others are infinite, and limited in different ways. `monotonic_cst` implies
    step="line_search".

    References
    ----------
    Freund, Iyer, Schapire and Singer, "An efficient boosting algorithm for combining preferences",
    Journal of Machine Learning Research 4, 2003. Connamacher, Pancha, Liu and Ray, "RankBoost+: an
    improvement to RankBoost", Machine Learning 109, 2020.

    Differs from the paper: grades and queries in O(m), tests of either direction, values of more
    than two blocks, and smoothing.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import RankBoostRanker
    >>> X = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 9.0], [1.0, 2.0], [4.0, 7.0], [2.0, 1.0]])
    >>> model = RankBoostRanker(n_estimators=5)
    >>> model = model.fit(X, [0, 1, 2, 0, 2, 1], qid=["a", "a", "a", "b", "b", "b"])
    >>> model.certificate_["pair_loss"]
    0.0
    """

    step: str = "best"
    smoothing: float | None = None

    def _make_loss(self) -> Loss:
        if self.step == "plus":
            return PairwisePlus()
        values = VALUES.get(self.step, "best")
        constrained = self.monotonic_cst is not None and values == "best"
        return PairwiseExponential("log_odds" if constrained else values)

    def _make_combiner(self) -> Combiner:
        if self.step == "bound":
            return Stagewise(self.learning_rate)
        if self.step == "plus":
            return PlusSteps(self.learning_rate)
        line_search = self.step == "line_search" or self.monotonic_cst is not None
        return PairSteps(self.learning_rate, line_search)

    def _make_learner(self) -> Learner:
        return PlusStumps() if self.step == "plus" else super()._make_learner()

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("step", self.step, *VALUES)
        inputs.check_smoothing(self.smoothing)
        if self.step == "plus" and self.learner not in ("real", "discrete"):
            raise ValueError(
                f"step='plus' is for stumps that vote, but learner={self.learner!r} was given: "
                "leave learner out, or use another step"
            )
        if self.step == "plus" and self.monotonic_cst is not None:
            raise ValueError("step='plus' keeps no monotonic_cst: use step='line_search'")

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 1.0 / examples if self.smoothing is None else float(self.smoothing)

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Any, own: Weighting) -> Parts:
        """The loss, with its smoothing."""
        loss: Any = parts.loss
        smooth = self._smooth(examples.counted.examples, 1)
        return replace(parts, loss=type(loss)(loss.values, smooth))
