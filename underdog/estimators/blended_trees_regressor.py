"""Boosted regression trees with random cuts, blended with a linear model."""

from __future__ import annotations

from dataclasses import dataclass

from underdog.estimators.gradient_boosting_regressor import GradientBoostingRegressor
from underdog.estimators.support.blended import Blended


@dataclass(kw_only=True, eq=False, repr=False)
class BlendedTreesRegressor(Blended, GradientBoostingRegressor):
    r"""Boosted regression trees with random cuts and a linear model, blended on left-out rows.

    The prediction is :math:`(1 - w) f(x) + w g(x)`. The trees f minimise the loss, as in
    `GradientBoostingRegressor`. The linear model g minimises half the mean squared error plus
    :math:`|c|^2 / (2 C m)`, where c are its weights and m is the number of examples. The number of
    rounds, C and w are those with the least loss of left-out rows. Then f and g are fitted on all
    rows. With another loss than "squared", and with `monotonic_cst`, there is no linear model.

    Parameters
    ----------
    loss : {"squared", "absolute", "huber", "quantile", "poisson"}, default="squared"

    See `BlendedTreesClassifier` and `GradientBoostingRegressor` for the other parameters and the
    attributes.

    References
    ----------
    Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29,
    2001. Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006.
    Wolpert, "Stacked generalization", Neural Networks 5, 1992.

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
        squared = isinstance(self.loss, str) and self.loss == "squared"
        return squared and super()._has_linear
