"""A calibration must not turn the order of the scores round."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV

from underdog.checks import notify, to_python
from underdog.types import Integers


def keep_order(
    calibrated: CalibratedClassifierCV, classes: Any, numbers: Integers, weights: Any
) -> None:
    """Replace curves that fall with the score by the share of the class, and say so.

    A sigmoid whose slope has the wrong sign comes from out-of-fold scores that rank the examples of
    a class below the others, mostly because there are few of them. Among the curves that do not
    fall a constant then has the least log loss.

    Parameters
    ----------
    calibrated : fitted, with ensemble=False
    classes : (K,)
    numbers : (n,) places of the true classes
    weights : (n,), or None
    """
    (only,) = calibrated.calibrated_classifiers_
    if only.method != "sigmoid":
        return  # isotonic curves rise
    places = [1] if len(classes) == 2 else range(len(classes))
    for place, curve in zip(places, only.calibrators, strict=True):
        if curve.a_ <= 0.0:  # scikit-learn's P = 1 / (1 + exp(a score + b))
            continue
        share = _share(numbers == place, weights)
        curve.a_, curve.b_ = 0.0, math.log((1.0 - share) / share)
        notify(
            f"the out-of-fold scores say nothing about class {to_python(classes[place])!r}: its "
            "examples do not score higher than others. Its probability is now the same for every "
            f"row, {share:.3g}; give more of its examples, or use another estimator"
        )


def _share(own: Any, weights: Any) -> float:
    """Share of a class by Platt's prior: (n + 1) / (n + 2) for itself, 1 / (n + 2) for others."""
    each = np.ones(len(own)) if weights is None else np.asarray(weights, dtype=np.float64)
    inside, outside = math.fsum(each[own]), math.fsum(each[~own])
    hits = inside * (inside + 1.0) / (inside + 2.0) + outside / (outside + 2.0)
    return hits / (inside + outside)
