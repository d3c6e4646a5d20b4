"""The regressor that needs no parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import RegressorMixin

from underdog.automatic.base import Automatic
from underdog.estimators.blended_trees_regressor import BlendedTreesRegressor
from underdog.files import Fields
from underdog.types import Floats

LEAF_OF_QUANTILES = 10
"""Least examples of a leaf for quantiles, which vary much in small samples."""


@dataclass(kw_only=True, eq=False, repr=False)
class UnderdogRegressor(RegressorMixin, Automatic):  # type: ignore[misc]
    """A regressor that needs no parameters.

    It takes the same data as `UnderdogClassifier`, fits boosted trees and a linear model, both for
    the squared error, and blends their predictions (see `BlendedTreesRegressor`). The trees depend
    on the number of examples, as those of `UnderdogClassifier`. The number of rounds and the weight
    of the linear model are those that are best for left-out rows. What was chosen, and why, is in
    `choices_`.

    Parameters
    ----------
    quantiles : float or sequence of float, optional
        Predict these quantiles instead of the mean: ``[0.1, 0.5, 0.9]`` gives the median, and an
        interval for four fifths of the targets. Then there is no linear model. See
        `GradientBoostingRegressor`.
    time_budget, random_state, n_jobs, verbose
        See `UnderdogClassifier`.

    Attributes
    ----------
    choices_ : list of str
        What was chosen and why, in two sentences.
    encoder_ : FrameEncoder, TermVectorizer or None
        What turns the given data into columns.
    booster_ : BlendedTreesRegressor
    estimator_ : the booster
    pipeline_ : encoder and booster as a pipeline of scikit-learn

    See `BlendedTreesRegressor` for the references.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import UnderdogRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = UnderdogRegressor().fit(X[:300], y[:300])
    >>> round(model.score(X[300:], y[300:]), 1)
    0.5
    """

    quantiles: Any = None
    time_budget: float | None = None
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, time: Any = None
    ) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix, data frame, Table or list of texts
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
            How many examples each row stands for.
        groups : array of shape (n,), optional
            Rows of the same group, such as those of a person, are left out together.
        time : array of shape (n,), optional
            Numbers or dates: the last fifth of the rows is left out, and choices are made for rows
            that are later still.

        Returns
        -------
        self
        """
        self.estimator_ = self._fit_booster(
            X, y, sample_weight, BlendedTreesRegressor, groups, time
        )
        if self.verbose:
            print("\n".join(self.choices_))
        return self

    def _more_settings(self) -> dict[str, Any]:
        if self.quantiles is None:
            return {}
        return {
            "loss": "quantile",
            "quantiles": self.quantiles,
            "min_samples_leaf": LEAF_OF_QUANTILES,
        }

    def predict(self, X: Any) -> Floats:
        """The predicted numbers; with several quantiles, a column for each.

        Parameters
        ----------
        X : as in `fit`
        """
        table = self._encoded(X)
        predictions: Floats = self.estimator_.predict(table)
        return predictions

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R2, or the mean of the D2 scores of several quantiles; see `BlendedTreesRegressor`.

        Parameters
        ----------
        X : as in `fit`
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
        """
        return float(self.estimator_.score(self._encoded(X), y, sample_weight))

    def _restore(self, fields: Fields) -> None:
        if not isinstance(self.estimator_, BlendedTreesRegressor):
            raise fields.wrong("estimator", "must be a BlendedTreesRegressor")
