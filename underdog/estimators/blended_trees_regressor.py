"""Boosted regression trees with random cuts, blended with a linear model."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.gradient_boosting_regressor import GradientBoostingRegressor
from underdog.estimators.support.blended import Blended


@dataclass(kw_only=True, eq=False, repr=False)
class BlendedTreesRegressor(Blended, GradientBoostingRegressor):
    """Boosted regression trees with random cuts and a linear model, blended on left-out rows.

    The model is that of `BlendedTreesClassifier` with a loss for numbers. With another loss than
    the squared error there is no linear model.

    Parameters
    ----------
    loss : {"squared", "absolute", "huber", "quantile", "poisson"}, default="squared"

    See `BlendedTreesClassifier` and `GradientBoostingRegressor` for the other parameters and the
    attributes.

    References
    ----------
    Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
    2001. Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006.

    Differs from the papers: as `BlendedTreesClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import BlendedTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BlendedTreesRegressor(n_estimators=100, cv=3).fit(X, y)
    >>> model.blend_["weight"]
    0.6
    """

    @property
    def _has_linear(self) -> bool:
        return self.linear and isinstance(self.loss, str) and self.loss == "squared"
