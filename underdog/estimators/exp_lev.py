"""ExpLev: regression as AdaBoost with a positive and a negative example for every row."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from underdog.codes.real_values import RealLabels
from underdog.core import Parts, Run, Shard
from underdog.estimators.support import inputs
from underdog.estimators.support.regressor import Regressor
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.weights import Weighting
from underdog.kernels.sums import exact_sum
from underdog.losses import CoshLoss, RegressionLoss
from underdog.types import Floats

RATES = 2.0**-20, 2.0**20
"""What the unit of the scores, about a hundredth of the range of y, may be worth in `scale`."""

SMALLEST = 1e-3
"""The least default scale, as a share of the range of y: weights may be on a few rows only."""


@dataclass(kw_only=True, eq=False, repr=False)
class ExpLevRegressor(Regressor):
    r"""ExpLev: makes the largest error small, by AdaBoost with two examples for every row.

    Minimises

    .. math:: \sum_i e^{s (y_i - F(x_i))} + e^{-s (y_i - F(x_i))}, \quad s = 1 / \mathrm{scale},

    which is the loss of AdaBoost with the score s F on a positive and a negative example for every
    row, with the weights :math:`e^{s y_i}` and :math:`e^{-s y_i}`. Trees are chosen by the least Z,
    and a leaf with the weights :math:`W_\pm` says :math:`\frac{1}{2 s} \ln \frac{W_+ + e}{W_- +
    e}`. F starts from the mean of y. With the sum P of the objective after any round

    .. math:: \max_i |y_i - F(x_i)| \le \mathrm{arccosh}(P / 2 - m + 1) / s.

    Parameters
    ----------
    scale : float, optional
        Errors that are larger than it count exponentially. A large scale gives the squared error.
        By default the standard deviation of y, but at least a thousandth of its range.
    smoothing : float, optional
        e, added to the weights of a leaf, all of which sum to one. By default 1/(2 m).
    n_estimators : int, default=100
    learning_rate : float, default=1.0
        Factor by which each step is multiplied.
    learner : default="tree"
        "tree" for trees of depth 3, "real" or "discrete" for stumps with real values or votes, or a
        learner object such as `underdog.learners.TreeLearner`.

    See `AdaBoostClassifier` for the parameters and attributes that are not listed here.

    Attributes
    ----------
    history_ : dict of arrays
        loss (the mean of :math:`\cosh(s (y - F))`), bound (on the largest error), z (by which the
        loss is multiplied), edge, coefficient, seconds.
    certificate_ : dict
        training_loss: the mean of :math:`\cosh(s (y - F))`. bound: on the largest error of the
        training rows. largest_error.

    Notes
    -----
    With sample weights the bound is :math:`\mathrm{arccosh}(1 + (P/2 - M)/u) / s`, M being their
    sum and u the least of them; whole numbers are repeated rows, and u is 1. One outlier has most
    of the weight: this loss is the opposite of a robust one.

    References
    ----------
    Duffy and Helmbold, "Boosting methods for regression", Machine Learning 47, 2002, section 4.

    Differs from the paper: steps are those of confidence-rated AdaBoost and have no upper limit, y
    is centred first, and `scale` follows the data.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import ExpLevRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ExpLevRegressor(n_estimators=20).fit(X, y)
    >>> {name: round(value, 1) for name, value in model.certificate_.items()}
    {'training_loss': 1.1, 'bound': 328.2, 'largest_error': 105.4}
    """

    learner: Any = "tree"
    scale: float | None = None
    smoothing: float | None = None

    _certified: ClassVar[tuple[str, ...]] = ("training_loss", "bound", "largest_error")

    def _make_regression_loss(self) -> RegressionLoss:
        return CoshLoss(1.0 if self.scale is None else self.scale)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        inputs.check_smoothing(self.smoothing)

    def _smooth(self, examples: float, n_labels: int) -> float:
        return 0.5 / examples if self.smoothing is None else float(self.smoothing)

    def _adapt(
        self, parts: Parts, examples: LabelledRows, labels: RealLabels, own: Weighting
    ) -> Parts:
        """The loss with its scale, which a warm start keeps."""
        scale = self.scale
        if scale is None and self.warm_start and hasattr(self, "model_"):
            link: Any = self._link
            scale = link.scale
        elif scale is None:
            weights = np.exp(examples.counted.log_weight)
            values = labels.value(examples.y)[:, 0]
            found = standard_deviation(values, weights, examples.counted.repeats)
            least = SMALLEST * float(values.max() - values.min())
            scale = (max(found, least) or 1.0) * labels.unit
        if not RATES[0] <= labels.unit / scale <= RATES[1]:
            if self.scale is None:
                middle = float(examples.y.min()) / 2.0 + float(examples.y.max()) / 2.0
                raise ValueError(
                    f"y varies by {scale:.3g} around {middle:.3g}, which leaves too few digits for "
                    "its errors: subtract a constant from y, and add it to the predictions"
                )
            size = "small" if scale < labels.unit else "large"
            raise ValueError(
                f"scale={scale:g} is too {size} for y, which ranges from {examples.y.min():g} to "
                f"{examples.y.max():g}: use about its standard deviation, or leave scale at None"
            )
        return replace(parts, loss=CoshLoss(float(scale), labels.unit))

    def _certify(self, run: Run) -> dict[str, Any]:
        loss: Any = run.parts.loss
        found = loss.total(run.rows)

        def errors(shard: Shard) -> Floats:
            return np.abs(shard.target.observed - shard.scores.full())

        return {
            "training_loss": found.mean,
            "bound": found.bound * loss.scale,
            "largest_error": run.rows.largest(errors) * loss.unit,
        }


def standard_deviation(values: Floats, weights: Floats, repeats: Any) -> float:
    """Of weighted values; the bits do not depend on their order, or on repeats."""
    total, least = exact_sum(weights, repeats), float(values.min())
    mean = least + exact_sum(weights * (values - least), repeats) / total
    return math.sqrt(exact_sum(weights * (values - mean) ** 2, repeats) / total)
