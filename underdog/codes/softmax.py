"""One class of K, whose scores are logarithms of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from underdog.codes.one_of_k import OneOfK, OneOfKLabels
from underdog.types import Floats


class SoftmaxLabels(OneOfKLabels):
    """`OneOfKLabels` with probabilities softmax(F)."""

    def probability(self, scores: Floats, scale: float, log_weight: Floats) -> Floats:
        """Corrected for class weights."""
        own = scale * scores - log_weight
        own -= own.max(axis=1, keepdims=True)
        result: Floats = np.exp(own)
        result /= result.sum(axis=1, keepdims=True)
        return result


class Softmax(OneOfK):
    """One label column per class, which compete: for `SoftmaxLoss`.

    Examples
    --------
    >>> from underdog.codes import Softmax
    >>> Softmax().fit(["a", "b", "c"]).n_labels
    3
    """

    def fit(self, y: Any) -> SoftmaxLabels:
        own = super().fit(y)
        return SoftmaxLabels(own.classes, own.n_labels)
