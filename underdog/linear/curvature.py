"""Coordinates in which L-BFGS needs few steps to minimise the objective of a linear model.

L-BFGS takes many steps if the objective is a narrow valley, as it is where features go together:
levels of a category, columns that rise with each other. Let H be its second derivatives at a point,
for each label alone, and H = L L' their Cholesky factors. As a function of z = L'c the objective
has the identity there, and few steps are enough. This changes where the solver goes, not what it
minimises.

H is made of sums of integers, so it does not depend on the order and the storage of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from underdog.core import Rows, Signal
from underdog.data.storage import DenseBlock, SparseBlock
from underdog.kernels.products import add_products
from underdog.learners.coarse import fine_amounts
from underdog.learners.growth_arrays import stored_cells
from underdog.linear.features import Features
from underdog.types import Codes, Floats, Integers

MAX_COLUMNS, MAX_FEATURES = 128, 512
"""Most columns and most features, of all labels together, for which H is computed."""
ONE = 64
"""A feature of 1, as an integer: H need not be exact, but the same for any order of rows."""
WEIGHT_BITS = 40
"""Of the sum of all weights, so that sums of products stay below 2**63."""
RIDGE = 1e-10
"""Added to H, relative to its trace, so that rounding does not make it indefinite."""


def is_small(features: Features, n_labels: int) -> bool:
    """Whether H takes little time, compared with the steps that it saves."""
    columns = int((features.of_column >= 0).sum())
    few = columns <= MAX_COLUMNS and features.count * n_labels <= MAX_FEATURES
    return few and not len(features.words)


class Products:
    """Sums of products of features over the rows of a fit, each row with a weight.

    Parameters
    ----------
    rows : Rows
        In one place.
    features : Features
        Without words.
    """

    def __init__(self, rows: Rows, features: Features) -> None:
        encoded, layout = rows.only.encoded, rows.layout
        self._workers = rows.only.workers
        self._codes: Codes = np.empty((0, encoded.n_rows), dtype=np.uint8)
        self._first_cell: Integers = np.empty(0, dtype=np.int64)
        for block in encoded.blocks:
            if isinstance(block, DenseBlock):  # there is one at most
                self._codes, self._first_cell = block.codes, block.first_cell
        sparse = [block for block in encoded.blocks if isinstance(block, SparseBlock)]
        self._stored = stored_cells(sparse, encoded.n_rows)
        # A bin that is not stored has a value, too. All rows have it, and a stored cell adds what
        # is left of its own value: a missing one takes the hidden value away, and adds 1 elsewhere.
        column = np.repeat(np.arange(len(layout.stored)), layout.stored)
        own = features.of_column[column]
        hidden = np.rint(ONE * features.implicit).astype(np.int64)
        same = features.feature == own
        value = np.rint(ONE * features.value).astype(np.int64)
        self._value, self._rest = value - np.where(same, hidden[column], 0), -hidden[column]
        self._feature = features.feature + 1
        self._other = np.where(same | (hidden[column] == 0), 0, own + 1)
        self._hidden = np.zeros(features.count + 1, dtype=np.int64)
        known = np.flatnonzero(hidden)
        self._hidden[features.of_column[known] + 1] = hidden[known]
        self._most = 2 + 2 * len(layout.stored)

    def __call__(self, weights: Integers) -> Integers:
        """(1 + count, 1 + count), in units of ONE**2; the first feature is 1 everywhere."""
        size, parts = len(self._hidden), []

        def add(first: int, last: int) -> None:
            own = np.zeros((size, size), dtype=np.int64)
            add_products(
                self._codes, self._first_cell, *self._stored, self._feature, self._value,
                self._other, self._rest, weights, ONE, self._most, first, last, own,
            )  # fmt: skip
            parts.append(own)

        self._workers.run(add, len(weights), len(weights) * self._most**2 // 4)
        found: Integers = sum(parts[1:], parts[0])
        found += found.T - np.diag(np.diag(found))
        stored, hidden = found[0] // ONE, self._hidden
        found += np.outer(hidden, stored) + np.outer(stored, hidden)
        result: Integers = found + stored[0] // ONE * np.outer(hidden, hidden)
        return result


class Coordinates:
    """Where a linear model is in the space that the solver sees.

    Parameters
    ----------
    factors : (1 + count, 1 + count) lower triangular matrices L, one for each label, optional
        Without them the coordinates are the intercepts and weights themselves.
    """

    def __init__(self, factors: Sequence[Floats] = ()) -> None:
        self._factors = factors

    @classmethod
    def of(cls, rows: Rows, signal: Signal, products: Products, penalty: float) -> Coordinates:
        """Those in which H is the identity at the scores that the rows have.

        The penalty is on the intercept, too, whose curvature may vanish.
        """
        shard = rows.only
        curvatures, repeats = fine_amounts(signal, shard)[1], shard.target.repeats
        unit = np.empty((2, rows.n_labels))
        signal.unit(np.zeros((2, rows.n_labels), dtype=np.int64), unit)
        factors = []
        for label in range(rows.n_labels):
            own = np.ascontiguousarray(curvatures[:, label])
            shift = max(0, int(own.sum()).bit_length() - WEIGHT_BITS)
            found = products((own // repeats >> shift) * repeats)
            matrix = np.ldexp(found * float(unit[1, label]), shift) / ONE**2
            matrix += (penalty + RIDGE * np.trace(matrix)) * np.eye(len(matrix))
            factors.append(np.linalg.cholesky(matrix))
        return cls(factors)

    def enter(self, weights: Floats) -> Floats:
        """The coordinates of (1 + count, K) intercepts and weights."""
        if not self._factors:
            return weights.ravel()
        pairs = zip(self._factors, weights.T, strict=True)
        return np.column_stack([own.T @ part for own, part in pairs]).ravel()

    def leave(self, point: Floats, shape: tuple[int, int]) -> Floats:
        """The intercepts and weights with these coordinates."""
        return self._solved(point.reshape(shape), trans=1)

    def gradient(self, gradient: Floats) -> Floats:
        """The gradient by the coordinates, given that by intercepts and weights."""
        return self._solved(gradient, trans=0).ravel()

    def _solved(self, given: Floats, trans: int) -> Floats:
        if not self._factors:
            return given
        options: dict[str, Any] = {"lower": True, "trans": trans, "check_finite": False}
        pairs = zip(self._factors, given.T, strict=True)
        return np.column_stack([solve_triangular(own, part, **options) for own, part in pairs])
