"""Losses that users define by a value and a gradient."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from underdog.checks import notify
from underdog.core import Blocks, Partition, Rows, Scores, Shard, not_defined
from underdog.kernels.elementary import GRID
from underdog.losses.regression import (
    RegressionLoss,
    ResidualSignal,
    block_of_row,
    on_grid,
    sums_by_block,
)
from underdog.types import Flags, Floats, Integers

LONGEST = 2.0**8
"""The largest value of a leaf in units of the scores; the range of the targets is below 2**7."""
HALVINGS = 44
"""Of the interval in which the value of a leaf is searched."""
EVERY_ROW = Blocks(np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64), 0)
"""One block that has all rows of a shard."""
STEPS = 1e-6, 1e-4, 1e-2, 0.1
"""Of the range of the targets: the first over which the value changes by more than its rounding."""
ROUNDED = 2.0**-50
"""A smaller relative difference of values is a rounding error."""
RELIABLE = 0.02
"""The largest share of rounding errors in a slope."""
CHECKED = 9
"""Targets and predictions at which a gradient is compared with differences of the value."""


class CustomLoss(RegressionLoss):
    """The mean of u_i value(y_i, F(x_i)), with a value and a gradient of your own.

    Derive a class that defines `value` and `gradient`. Both take arrays of targets and of
    predictions, in the unit of the target, and return an array. Before the first round the gradient
    is compared with differences of the value; a warning says where these are rounding errors.
    Trees are fitted to the negative gradients; a leaf says the value at which the sum of its
    gradients is 0, found by bisection.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import BoostingRegressor
    >>> from underdog.losses import CustomLoss
    >>> class LogCosh(CustomLoss):
    ...     def value(self, y, prediction):
    ...         return np.logaddexp(y - prediction, prediction - y)
    ...     def gradient(self, y, prediction):
    ...         return np.tanh(prediction - y)
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BoostingRegressor(loss=LogCosh(), learning_rate=0.1, n_estimators=50).fit(X, y)
    >>> bool(model.history_["loss"][-1] < model.history_["loss"][0])
    True
    """

    degree: ClassVar[int] = 0

    def value(self, y: Floats, prediction: Floats) -> Floats:
        """The loss of each prediction."""
        raise not_defined(self, "value")

    def gradient(self, y: Floats, prediction: Floats) -> Floats:
        """The derivative of `value` with respect to the prediction."""
        raise not_defined(self, "gradient")

    def make_signal(self, rows: Rows, costly: bool = False) -> CustomSignal:
        return CustomSignal(self, rows, costly)

    def context(self, rows: Rows, signal: ResidualSignal) -> float:
        """The unit of the target."""
        return rows.shards[0].target.unit

    def context_of(self, scores: Floats, y: Any, weight: Floats) -> float:
        return 1.0

    def each(self, scores: Floats, y: Any, context: float = 1.0) -> Floats:
        return self._called("value", scores, y, context)

    def derivatives(self, scores: Floats, y: Any, context: float = 1.0) -> tuple[Floats, Floats]:
        return -self._called("gradient", scores, y, context), np.ones(scores.shape)

    def _called(self, method: str, scores: Floats, y: Any, unit: float) -> Floats:
        """The result of a method of the user, checked."""
        targets = np.broadcast_to(np.asarray(y) * unit, scores.shape).ravel()
        found = np.asarray(getattr(self, method)(targets, scores.ravel() * unit), dtype=np.float64)
        if found.shape != targets.shape:
            raise ValueError(
                f"{method}() of {type(self).__name__} returned the shape {found.shape} for "
                f"{len(targets)} predictions: return one number for each"
            )
        if not bool(np.isfinite(found).all()):
            place = int(np.flatnonzero(~np.isfinite(found))[0])
            raise ValueError(
                f"{method}() of {type(self).__name__} is {found[place]} for y = "
                f"{targets[place]:.6g} and the prediction {scores.ravel()[place] * unit:.6g}: it "
                "must be finite"
            )
        return found.reshape(scores.shape)

    def start(self, rows: Rows) -> Floats:
        signal = self.make_signal(rows)
        self._check_gradient(rows, signal)
        zero = np.zeros((1, rows.n_labels))
        middle = rows.select(signal.residuals, 0.5, weigh=signal.weights)[0] / GRID
        rows.start_from(middle)
        signal.restart()
        whole = (EVERY_ROW,) * len(rows)
        step = self.leaf_values(signal, whole, None, zero, zero)[0]
        return on_grid(middle + step)

    def _check_gradient(self, rows: Rows, signal: ResidualSignal) -> None:
        """Refuse a gradient that differs from what the value does on both sides."""
        shares = np.linspace(0.0, 1.0, CHECKED).tolist()
        own = [rows.select(signal.residuals, share, weigh=signal.weights)[0, 0] for share in shares]
        unit = rows.shards[0].target.unit
        targets = np.unique(np.array(own) / GRID)
        spread = float(targets[-1] - targets[0]) or 1.0
        y, prediction = (each.ravel()[:, np.newaxis] for each in np.meshgrid(targets, targets))
        prediction = prediction + 0.01 * spread
        at = self._called("value", prediction, y, unit)
        given = self._called("gradient", prediction, y, unit)
        for share in STEPS:
            step = share * spread
            above, below = (
                self._called("value", prediction + way, y, unit) for way in (step, -step)
            )
            slopes = np.sort(np.hstack([above - at, at - below]) / (step * unit), axis=1)
            size = float(np.abs(slopes).max() + np.abs(given).max())
            largest = max(float(np.abs(each).max()) for each in (at, above, below))
            noise = ROUNDED * largest / (step * unit)
            if noise <= RELIABLE * size:
                break
        else:
            if size == 0.0:  # the loss is the same everywhere, and so says its gradient
                return
            notify(
                f"gradient() of {type(self).__name__} was not compared with value(), which is too "
                f"flat for that: between targets that differ by {spread * unit:.3g} it changes in "
                "its last digits only. If this is not meant, multiply y by a constant"
            )
            return
        room = 1e-4 * size + noise + 1e-12
        wrong = (given[:, 0] < slopes[:, 0] - room) | (given[:, 0] > slopes[:, 1] + room)
        if wrong.any():
            place = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"gradient() of {type(self).__name__} is {given[place, 0]:.6g} for y = "
                f"{y[place, 0] * unit:.6g} and the prediction {prediction[place, 0] * unit:.6g}, "
                f"but value() changes by {slopes[place].mean():.6g} per unit of the prediction: "
                "gradient must be the derivative of value with respect to the prediction"
            )

    def leaf_values(
        self,
        signal: ResidualSignal,
        partition: tuple[Partition, ...],
        drawn: tuple[Flags, ...] | None,
        masses: Floats,
        values: Floats,
    ) -> Floats:
        n_blocks = len(values)

        def slopes(steps: Floats) -> Floats:
            """(B,) the sign of the sum of the gradients of each block after these steps."""
            return np.sign(_gradients(self, signal, partition, drawn, steps))

        low, high = np.zeros(n_blocks), np.zeros(n_blocks)
        first = slopes(low)
        low[first > 0.0], high[first < 0.0] = -LONGEST, LONGEST
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            found = slopes(middle)
            low, high = np.where(found < 0.0, middle, low), np.where(found > 0.0, middle, high)
            exact = found == 0.0
            low[exact], high[exact] = middle[exact], middle[exact]
        result: Floats = (0.5 * (low + high))[:, np.newaxis]
        return result


def _gradients(
    loss: CustomLoss,
    signal: ResidualSignal,
    partition: tuple[Partition, ...],
    drawn: tuple[Flags, ...] | None,
    steps: Floats,
) -> Floats:
    """(B,) sums of the weighted gradients of each block after steps, up to a common factor."""

    def each(shard: Shard) -> Floats:
        block = block_of_row(partition[shard.number], shard)
        scores = shard.scores.full() + steps[block][:, np.newaxis]
        own = -loss.derivatives(scores, shard.target.observed, shard.target.unit)[0]
        weighted: Floats = own[:, 0] * signal.initial(shard)[:, 0]
        if drawn is not None:
            weighted = np.where(drawn[shard.number], weighted, 0.0)
        return weighted

    found = [each(shard) for shard in signal.rows.shards]
    largest = signal.rows.largest(lambda shard: np.abs(found[shard.number]))
    bits = signal.room - (math.frexp(largest)[1] if largest > 0.0 else 0)

    def total(shard: Shard) -> Integers:
        units = np.rint(np.ldexp(found[shard.number], bits)).astype(np.int64)
        block = block_of_row(partition[shard.number], shard)
        return sums_by_block(units * shard.target.repeats, block, len(steps))

    return signal.rows.total(total).astype(np.float64)


class CustomSignal(ResidualSignal):
    """`ResidualSignal` of a loss that may be negative."""

    def mean_loss(
        self, partition: tuple[Partition, ...] | None = None, steps: Floats | None = None
    ) -> float:
        self._sign = 1.0
        positive = super().mean_loss(partition, steps)
        self._sign = -1.0
        negative = super().mean_loss(partition, steps)
        return positive if math.isinf(positive) else positive - negative

    def _row_losses(self, scores: Scores, shard: Shard) -> Floats:
        return np.maximum(self._sign * super()._row_losses(scores, shard), 0.0)
