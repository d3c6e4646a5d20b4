"""A regressor composed of given parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.combiners import Stagewise
from underdog.core import Combiner, Learner
from underdog.estimators.boosting import part
from underdog.estimators.support.regressor import Regressor
from underdog.estimators.support.trees import TreeParameters
from underdog.losses import RegressionLoss, SquaredError


@dataclass(kw_only=True, eq=False, repr=False)
class BoostingRegressor(TreeParameters, Regressor):
    """A regressor composed of a loss, a learner and a combiner.

    `GradientBoostingRegressor` has the losses with a name; this class is for all others.

    Parameters
    ----------
    loss : "squared" or RegressionLoss, default="squared"
        What is minimised. For a loss of your own see `underdog.losses.CustomLoss`.
    learner : default="tree"
        Finds the weak rules; see `GradientBoostingRegressor`, also for the parameters and
        attributes not listed here.
    combiner : "stagewise" or Combiner, default="stagewise"
        Chooses the coefficients. "stagewise" uses the parameter `learning_rate`; a combiner object
        has its own.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import BoostingRegressor
    >>> from underdog.losses import HuberLoss
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BoostingRegressor(loss=HuberLoss(alpha=0.8), n_estimators=50).fit(X, y)
    >>> round(model.score(X, y), 2)
    0.7
    """

    _takes_parts: ClassVar[bool] = True

    loss: Any = "squared"
    combiner: Any = "stagewise"

    def _make_regression_loss(self) -> RegressionLoss:
        if isinstance(self.loss, str) and self.loss == "squared":
            return SquaredError()
        _refuse_class("loss", self.loss)
        loss: RegressionLoss = part("loss", self.loss, RegressionLoss, "'squared'", "each")
        return loss

    def _make_combiner(self) -> Combiner:
        if isinstance(self.combiner, str) and self.combiner == "stagewise":
            return Stagewise(self.learning_rate)
        _refuse_class("combiner", self.combiner)
        combiner: Combiner = part("combiner", self.combiner, Combiner, "'stagewise'", "step")
        return combiner

    def _make_learner(self) -> Learner:
        return self._tree_or(super()._make_learner)


def _refuse_class(name: str, given: Any) -> None:
    """Refuse a class where an object of it is needed."""
    if isinstance(given, type):
        raise ValueError(
            f"{name}={given.__name__} is a class: give an object of it, {name}={given.__name__}()"
        )
