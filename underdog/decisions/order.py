"""Calibration must not reverse the order of the scores."""

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
    """Replace decreasing sigmoids by the share of the class, with a warning.

    A sigmoid decreases if the out-of-fold scores rank the examples of a class below the others,
    usually because there are few of them. Among non-decreasing curves a constant then has the
    least log loss.

    Parameters
    ----------
    calibrated : fitted CalibratedClassifierCV with ensemble=False
    classes : (K,)
    numbers : (n,) indices of the true classes
    weights : (n,), or None
    """
    (only,) = calibrated.calibrated_classifiers_
    if only.method != "sigmoid":
        return  # isotonic curves never decrease
    places = [1] if len(classes) == 2 else range(len(classes))
    for place, curve in zip(places, only.calibrators, strict=True):
        if curve.a_ <= 0.0:  # scikit-learn's P = 1 / (1 + exp(a score + b))
            continue
        share = _share(numbers == place, weights)
        curve.a_, curve.b_ = 0.0, math.log((1.0 - share) / share)
        notify(
            f"the out-of-fold scores do not separate class {to_python(classes[place])!r}: its "
            "examples do not score higher than the others. Its probability is set to its share, "
            f"{share:.3g}, for every row; add examples of this class, or use another estimator"
        )


def _share(own: Any, weights: Any) -> float:
    """Share of a class with the targets of Platt: (n + 1) / (n + 2) for it, 1 / (n + 2) else."""
    each = np.ones(len(own)) if weights is None else np.asarray(weights, dtype=np.float64)
    inside, outside = math.fsum(each[own]), math.fsum(each[~own])
    hits = inside * (inside + 1.0) / (inside + 2.0) + outside / (outside + 2.0)
    return hits / (inside + outside)
