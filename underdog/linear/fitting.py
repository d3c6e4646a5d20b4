"""Linear models by L-BFGS on sums of integers, in coordinates that need few steps.

Minimises the mean loss plus :math:`|c|^2 / (2 C m)` over the weights c of the features, where m is
the number of examples; the intercept is not penalised. The solver sees nothing but the mean loss,
which is summed exactly, and the gradient, which is made of the integer sums over all cells. So the
weights depend neither on the order and the storage of the rows nor on threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from underdog.core import CountedAnew, Loss, Rows, Shard, Signal, weight_per_unit
from underdog.data import EncodedRows, Layout
from underdog.hypotheses.words import Documents
from underdog.kernels.elementary import GRID
from underdog.linear.curvature import Coordinates, Products, is_small
from underdog.linear.features import LENGTH, Features, Slopes, on_grid
from underdog.losses import SquaredError
from underdog.types import Codes, Floats, Indices, Integers
from underdog.workers import Workers

MAX_ITERATIONS = 100
"""Of L-BFGS, for each penalty."""


class OutOfTimeError(Exception):
    """There is no time left to find a linear model."""


class LinearFit(NamedTuple):
    """The weights of a linear model: (K,) intercepts and (features, K)."""

    intercept: Floats
    weights: Floats


class Gradient(CountedAnew):
    """The gradients of a loss, if there are factors times one for each row.

    Parameters
    ----------
    rows : Rows
    signal : Signal
        Its first channel is the gradient.
    factors : (n,) for each shard, at most 1, optional
    """

    n_channels = 1

    def __init__(self, rows: Rows, signal: Signal, factors: list[Floats] | None = None) -> None:
        super().__init__(rows)
        self.signal, self.factors, self.mass = signal, factors, signal.mass
        self._channel = [np.zeros(own.target.sign.shape, dtype=np.uint8) for own in rows.shards]

    def channel_of(self, shard: Shard) -> Codes:
        return self._channel[shard.number]

    def amounts(
        self, shard: Shard, rows: Indices, first_label: int, channel: int, out: Integers
    ) -> None:
        self.signal.amounts(shard, rows, first_label, 0, out)
        if self.factors is not None:
            repeats = shard.target.repeats[rows, np.newaxis]
            own = self.factors[shard.number][rows, np.newaxis]
            out[:] = np.rint(out // repeats * own).astype(np.int64) * repeats

    def unit(self, totals: Integers, out: Floats) -> None:
        raise ValueError("the unit of gradients is that of the signal")


class LinearProblem:
    """Linear models of the same rows.

    Parameters
    ----------
    loss : Loss
        The log loss, softmax loss or squared error.
    rows : Rows
        Their scores are changed.
    features : Features
    is_over : callable, optional
        Whether there is no time left, which raises `OutOfTimeError`.
    """

    def __init__(
        self,
        loss: Loss,
        rows: Rows,
        features: Features,
        is_over: Callable[[], bool] | None = None,
    ) -> None:
        self.rows, self.features, self._is_over = rows, features, is_over
        self._half = 0.5 if isinstance(loss, SquaredError) else 1.0  # whose gradient is of a half
        self._signal: Any = loss.make_signal(rows)
        self._unit = float(
            weight_per_unit(self._signal, np.zeros((2, rows.n_labels), dtype=np.int64))[0, 0]
        )
        self._scorers = [
            Scorer(rows.layout, features, own.encoded, own.workers) for own in rows.shards
        ]
        self._slopes = Slopes(rows.layout, features)
        # The sums of one label come with those of curvatures, and faster than without them.
        self._plain = self._signal if rows.n_labels == 1 else Gradient(rows, self._signal)
        self._of_words = Gradient(rows, self._signal, [own.factors for own in self._scorers])
        small = is_small(features, rows.n_labels)
        self._products = Products(rows, features) if small else None

    def solve(self, strength: float, start: LinearFit) -> LinearFit:
        """The linear model with C = strength, found from another one."""
        penalty = 1.0 / (strength * self.rows.n_examples)
        weights = np.vstack([start.intercept, start.weights])
        coordinates, shape = self._coordinates(start, penalty), weights.shape

        def objective(point: Floats) -> tuple[float, Floats]:
            if self._is_over is not None and self._is_over():
                raise OutOfTimeError
            fit = _fit_of(coordinates.leave(point, shape))
            loss, slope, total = self._measure(fit)
            value = loss + 0.5 * penalty * float((fit.weights**2).sum())
            gradient = np.vstack([-total, penalty * fit.weights - slope])
            return value, coordinates.gradient(gradient)

        result = minimize(
            objective,
            coordinates.enter(weights),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": MAX_ITERATIONS, "gtol": 1e-5, "ftol": 1e-9},
        )
        return _fit_of(coordinates.leave(result.x, shape).copy())

    def _coordinates(self, start: LinearFit, penalty: float) -> Coordinates:
        """Those of the solver, for a path that starts from a linear model."""
        if self._products is None:
            return Coordinates()
        self._use(start)
        return Coordinates.of(self.rows, self._signal, self._products, penalty)

    def _use(self, fit: LinearFit) -> None:
        """Let the rows have the scores of a linear model."""
        for shard, scorer in zip(self.rows.shards, self._scorers, strict=True):
            shard.scores.base[:], shard.scores.relative[:] = scorer.parts(fit)

    def _measure(self, fit: LinearFit) -> tuple[float, Floats, Floats]:
        """Mean loss; minus its gradient by the weights, and by the intercepts."""
        rows, features = self.rows, self.features
        self._use(fit)
        if features.others:
            plain = rows.tally(self._plain)
            found = self._slopes.with_hidden(plain.cells[0], plain.totals[0])
            sums = np.multiply(found, self._unit, dtype=np.float64)
            total = plain.totals[0] * self._unit
        else:
            sums = np.zeros((rows.layout.n_cells, rows.n_labels))
            total = rows.totals(self._plain)[0] * self._unit
        if len(features.words):
            tally = rows.tally(self._of_words)
            inside = features.word_cells
            sums[inside] = tally.cells[0, inside] * (self._unit * LENGTH)
        return self._half * self._signal.mean_loss(), self._slopes(sums), total


def _fit_of(weights: Floats) -> LinearFit:
    """A linear model, given its (K,) intercepts and (features, K) weights, one above the other."""
    return LinearFit(weights[0], weights[1:])


def fit_path(
    loss: Loss,
    rows: Rows,
    features: Features,
    strengths: Sequence[float],
    is_over: Callable[[], bool] | None = None,
) -> list[LinearFit]:
    """A linear model for each C of a rising list, each started from the one before.

    Parameters
    ----------
    loss : Loss
        The log loss, softmax loss or squared error.
    rows : Rows
        Their scores are changed.
    features : Features
    strengths : C, rising: the larger, the weaker the penalty
    is_over : callable, optional
        Whether there is no time left, which raises `OutOfTimeError`.
    """
    problem = LinearProblem(loss, rows, features, is_over)
    found = [LinearFit(rows.start.copy(), np.zeros((features.count, rows.n_labels)))]
    for strength in strengths:
        found.append(problem.solve(strength, found[-1]))
    return found[1:]


class Scorer:
    """Scores of encoded rows by linear models of the same features.

    Parameters
    ----------
    layout : Layout
        Of the rows of the fit.
    features : Features
    encoded : EncodedRows
        By the same schema. They may have missing values where those of the fit have none.
    workers : Workers
    """

    def __init__(
        self, layout: Layout, features: Features, encoded: EncodedRows, workers: Workers
    ) -> None:
        self.layout, self.features, self.encoded = layout, features, encoded
        self.workers = workers
        self.documents = Documents.read(encoded, features.words)
        self.factors = self.documents.factors(features.word_values**2)
        self._column = np.repeat(np.arange(len(layout.stored)), layout.stored)
        shift = encoded.first_cell[:-1] - layout.first_cell[:-1]
        self._place = np.arange(len(self._column)) + shift[self._column]
        self._new = np.flatnonzero(encoded.missing & ~layout.missing)
        """Columns that have missing values here only; these are in the last cell."""

    def __call__(self, fit: LinearFit) -> Floats:
        """(n, K) the scores of a linear model."""
        base, relative = self.parts(fit)
        return relative + base

    def parts(self, fit: LinearFit) -> tuple[Floats, Floats]:
        """What a linear model adds to the scores of all rows, (K,), and of each of them, (n, K)."""
        features, encoded = self.features, self.encoded
        cells, below = features.cell_scores(self.layout, fit.weights)
        n_labels = cells.shape[1]
        relative = np.zeros((encoded.n_rows, n_labels))
        if len(features.words):
            weights = LENGTH * cells[features.word_cells]
            relative += self.documents.sums(self.factors, weights)
            cells[features.word_cells] = 0.0
        if not features.others:
            return on_grid(fit.intercept), relative
        steps = np.zeros((n_labels, encoded.n_cells), dtype=np.int64)
        steps[:, encoded.first_cell[self._new + 1] - 1] = -below[self._new].T * GRID
        steps[:, self._place] = (cells - below[self._column]).T * GRID
        for label, own in enumerate(steps.view(np.uint64)):
            total = np.zeros(encoded.n_rows, dtype=np.uint64)
            for block in encoded.blocks:
                total += block.row_sums(own, self.workers)
            relative[:, label] += total.view(np.int64) / GRID
        return on_grid(fit.intercept) + below.sum(axis=0), relative
