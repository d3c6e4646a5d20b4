"""The folds that all models share."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from underdog.checks import notify
from underdog.decisions.out_of_fold import folds
from underdog.types import Integers

Fold = tuple[Integers, Integers]
"""Training rows and test rows."""


def make_folds(cv: Any, y: Any, random_state: Any) -> list[Fold]:
    """Stratified and shuffled folds for a number; otherwise those of the splitter or iterable."""
    cv = folds(cv, y, "add examples of this class, or leave the class out")
    if isinstance(cv, int | np.integer):
        cv = StratifiedKFold(int(cv), shuffle=True, random_state=random_state)
    return _split(cv, y, True)


def number_folds(cv: Any, y: Any, random_state: Any) -> list[Fold]:
    """Shuffled folds for a number, at most one for each row; otherwise those of the splitter."""
    if isinstance(cv, int | np.integer):
        count = min(int(cv), len(y))
        if count < cv:
            notify(f"There are {len(y)} rows, so there are {count} folds and not {cv}.")
        cv = KFold(count, shuffle=True, random_state=random_state)
    return _split(cv, y, False)


def _split(cv: Any, y: Any, classifier: bool) -> list[Fold]:
    # Splitters only need the length of X, and do not support every type of X.
    made = list(check_cv(cv, y, classifier=classifier).split(np.zeros((len(y), 1)), y))
    if len(made) < 2:
        raise ValueError(f"cv={cv!r} makes {len(made)} fold: give two or more")
    places = np.arange(len(y))
    return [(places[train], places[test]) for train, test in made]  # masks become rows
