"""Code matrices: a word of -1, 0 and +1 for each class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from underdog.data.hashing import STEP, Keys, mix, unit_interval
from underdog.types import Floats

Matrix = NDArray[np.int8]
"""(K, L): a row is the word of a class, a column a question about all of them."""

NAMES = ("one-vs-rest", "all-pairs", "exhaustive", "dense", "sparse")
MOST_EXHAUSTIVE = 11
"""Classes of an exhaustive code, which then has 1,023 columns."""
DRAWN = 100
"""Random codes among which to choose."""


def code_matrix(name: str, n_classes: int, seed: int = 0) -> Matrix:
    """The code with this name for three classes or more.

    Examples
    --------
    >>> from underdog.codes.matrices import code_matrix
    >>> code_matrix("all-pairs", 3).tolist()
    [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    >>> code_matrix("exhaustive", 4).shape, code_matrix("dense", 10).shape
    ((4, 7), (10, 34))
    """
    if name == "one-vs-rest":
        return (2 * np.eye(n_classes, dtype=np.int8) - 1).astype(np.int8)
    if name == "all-pairs":
        return _all_pairs(n_classes)
    if name == "exhaustive":
        return _exhaustive(n_classes)
    return _random_code(n_classes, name == "sparse", seed)


def _all_pairs(n_classes: int) -> Matrix:
    first, second = np.triu_indices(n_classes, 1)
    matrix = np.zeros((n_classes, len(first)), dtype=np.int8)
    matrix[first, np.arange(len(first))] = 1
    matrix[second, np.arange(len(first))] = -1
    return matrix


def _exhaustive(n_classes: int) -> Matrix:
    """All ways to divide the classes; the first class is always on the positive side."""
    if n_classes > MOST_EXHAUSTIVE:
        raise ValueError(
            f"code='exhaustive' has 2**(K - 1) - 1 columns, too many for K={n_classes} classes: "
            "use 'dense', a random code"
        )
    numbers = np.arange(2 ** (n_classes - 1) - 1)
    bits = numbers >> np.arange(n_classes - 2, -1, -1)[:, np.newaxis] & 1
    return np.vstack([np.ones_like(numbers), 2 * bits - 1]).astype(np.int8)


def _random_code(n_classes: int, sparse: bool, seed: int) -> Matrix:
    """Of many random codes the first with the greatest distance between two words.

    A dense code has 10 log2(K) columns of -1 and +1; a sparse one 15 log2(K), half of whose entries
    are 0. With few classes there are fewer different columns, and the code has all of them.
    """
    ternary, binary = (3**n_classes - 2 ** (n_classes + 1) + 1) // 2, 2 ** (n_classes - 1) - 1
    possible = ternary if sparse else binary
    length = min(math.ceil((15 if sparse else 10) * math.log2(n_classes)), possible)
    if length == possible and not sparse:
        return _exhaustive(n_classes)
    count = DRAWN if length < possible else 1
    drawn = [_drawn(n_classes, length, sparse, seed, number) for number in range(count)]
    return max(drawn, key=distance)


def _drawn(n_classes: int, length: int, sparse: bool, seed: int, number: int) -> Matrix:
    """One random code, whose columns differ, also from the complements of others."""
    start = mix(np.array([(seed + number * STEP) % 2**64], dtype=np.uint64))
    columns: list[Any] = []
    known: set[bytes] = set()
    drawn = 0
    while True:
        places: Keys = np.arange(drawn, drawn + 2 * length * n_classes, dtype=np.uint64)
        drawn += len(places)
        entries = _entries(unit_interval(mix(start + places)), sparse)
        for column in entries.reshape(-1, n_classes):
            if column.min() < 0 < column.max() and column.tobytes() not in known:
                known |= {column.tobytes(), (-column).tobytes()}
                columns.append(column)
                if len(columns) == length:
                    return np.ascontiguousarray(np.stack(columns, axis=1))


def _entries(uniform: Floats, sparse: bool) -> Matrix:
    if not sparse:
        return np.where(uniform < 0.5, -1, 1).astype(np.int8)
    return np.where(uniform < 0.5, 0, np.where(uniform < 0.75, -1, 1)).astype(np.int8)


def distance(matrix: Matrix) -> float:
    """The least distance between the words of two classes: the sum of (1 - M[r] M[q]) / 2.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes.matrices import distance
    >>> distance(np.array([[1, -1, 0], [-1, 1, 1]]))
    2.5
    """
    words = matrix.astype(np.float64)  # products of small integers: exact in any order
    apart = (matrix.shape[1] - words @ words.T) / 2.0
    np.fill_diagonal(apart, np.inf)
    return float(apart.min())


def own_matrix(given: Any, classes: Sequence[Any]) -> Matrix:
    """A matrix of the user's for these classes; refuses one with which they cannot be learned."""
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 2 or not bool(np.isin(values, (-1.0, 0.0, 1.0)).all()):
        raise ValueError(
            f"code={given!r:.60} must be {', '.join(map(repr, NAMES))}, or a matrix of -1, 0 and 1 "
            "with a row for each class and a column for each question"
        )
    if len(values) != len(classes):
        raise ValueError(
            f"code has {len(values)} rows, but y has {len(classes)} classes: give a row for each "
            f"class, in the order {list(classes)[:10]}"
        )
    matrix = values.astype(np.int8)
    why = why_not(matrix, classes)
    if why:
        raise ValueError(f"code: {why}")
    return np.ascontiguousarray(matrix)


def why_not(matrix: Matrix, classes: Sequence[Any]) -> str:
    """Why classes cannot be learned with a code; empty if they can."""
    for place, column in enumerate(matrix.T):
        if not column.min() < 0 < column.max():
            return (
                f"column {place} has no -1 or no 1, so there is nothing to learn for it: remove it"
            )
    seen: dict[bytes, int] = {}
    for place, column in enumerate(matrix.T):
        for how, same in (("equal to", column), ("the complement of", -column)):
            if same.tobytes() in seen:
                first = seen[same.tobytes()]
                return f"column {place} is {how} column {first}, so it says nothing new: remove it"
        seen[column.tobytes()] = place
    empty = np.flatnonzero(~matrix.any(axis=1))
    if len(empty):
        return f"the word of class {classes[empty[0]]!r} has only zeros: give it -1 or 1 somewhere"
    words: dict[bytes, int] = {}
    for place, word in enumerate(matrix):
        if word.tobytes() in words:
            first = classes[words[word.tobytes()]]
            return (
                f"classes {first!r} and {classes[place]!r} have the same word: change one of them"
            )
        words[word.tobytes()] = place
    return ""
