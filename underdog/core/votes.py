"""Votes for one class of several."""

from __future__ import annotations

import numpy as np

from underdog.types import Floats, Integers


def votes_for(classes: Integers, n_classes: int) -> Floats:
    """(..., K): 1 for the class, -1 for all others."""
    result: Floats = np.where(classes[..., np.newaxis] == np.arange(n_classes), 1.0, -1.0)
    return result


def heaviest_class(masses: Floats) -> Floats:
    """Votes for the class with the greatest masses[..., 1, class], the first of several."""
    positive = masses[..., 1, :]
    return votes_for(positive.argmax(axis=-1), positive.shape[-1])
