"""The size of a fitted model."""

from __future__ import annotations

from typing import Any

import numpy as np

from underdog.comparison.models import last_step
from underdog.model import Ensemble, used


def size_of(model: Any) -> float:
    """Number of rules, trees or non-zero coefficients; NaN if it is not known."""
    model = last_step(model)
    for inner in ("estimator_", "best_estimator_"):
        if hasattr(model, inner) and not hasattr(model, "model_"):
            return size_of(getattr(model, inner))
    if isinstance(getattr(model, "model_", None), Ensemble):
        return float(len(used(model._shown.members)))
    if hasattr(model, "booster_"):
        return float(model.booster_.num_trees())
    if hasattr(model, "estimators_"):
        return float(np.size(model.estimators_))
    if hasattr(model, "coef_"):
        return float(np.count_nonzero(model.coef_))
    return np.nan
