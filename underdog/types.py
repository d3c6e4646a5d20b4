"""Array types and their meaning, in one place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Floats = NDArray[np.float64]
"""Scores, weights, cuts and values: always float64."""
Integers = NDArray[np.int64]
"""Tallies and counts: exact sums."""
Indices = NDArray[np.int32]
"""Rows, columns and cells: below 2**31."""
Codes = NDArray[np.uint8]
"""Bin codes and signs (0 = negative, 1 = positive)."""
Flags = NDArray[np.bool_]


def owned(array: Any, dtype: DTypeLike) -> NDArray[Any]:
    """The array as kernels want it: this type, contiguous, writable; a copy only if it is not."""
    result = np.ascontiguousarray(array, dtype=dtype)
    return result if result.flags.writeable else result.copy()
