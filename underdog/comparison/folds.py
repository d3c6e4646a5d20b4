"""The folds that all models share."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, check_cv

from underdog.decisions.out_of_fold import folds
from underdog.types import Integers

Fold = tuple[Integers, Integers]
"""Rows to learn from and rows to be judged by."""


def make_folds(cv: Any, y: Any, random_state: Any) -> list[Fold]:
    """Stratified and shuffled folds of a number; else those of the splitter or iterable."""
    cv = folds(cv, y, "add examples of this class, or leave the class out")
    if isinstance(cv, int | np.integer):
        cv = StratifiedKFold(int(cv), shuffle=True, random_state=random_state)
    # Splitters look at X for its length only; not every form of X would suit them.
    made = list(check_cv(cv, y, classifier=True).split(np.zeros((len(y), 1)), y))
    if len(made) < 2:
        raise ValueError(f"cv={cv!r} makes {len(made)} fold: two or more are needed to compare")
    places = np.arange(len(y))
    return [(places[train], places[test]) for train, test in made]  # masks become rows
