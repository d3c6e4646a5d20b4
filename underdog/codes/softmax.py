"""One class of K, whose scores are logarithms of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp

from underdog.codes.one_of_k import OneOfK, OneOfKLabels, normalised
from underdog.types import Floats


class SoftmaxLabels(OneOfKLabels):
    """`OneOfKLabels` with probabilities softmax(F)."""

    def probability(self, scores: Floats, scale: float, log_weight: Floats) -> Floats:
        """Corrected for class weights."""
        return normalised(scale * scores - log_weight)

    def margins(self, scores: Floats) -> Floats:
        """The log-odds of each class against the others: its score minus their log-sum-exp."""
        others = np.empty_like(scores)
        for place in range(scores.shape[1]):
            others[:, place] = logsumexp(np.delete(scores, place, axis=1), axis=1)
        result: Floats = scores - others
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
