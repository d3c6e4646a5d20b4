"""Decisions by the rows that a booster itself left out, as `UnderdogClassifier` makes them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from underdog.checks import UnderdogWarning
from underdog.cli.plan import Trial
from underdog.costs import Costs


@dataclass(frozen=True)
class DecidedTrial(Trial):
    """A trial in which the training rows of the fold say how the model decides, too.

    `decided` are the positions of the predicted classes; None if scores of other folds decide.
    """

    decided: Any = None


@dataclass(frozen=True)
class LeftOutRule:
    """How a fitted booster decides by the scores of training rows that it left out.

    Attributes
    ----------
    costs : Costs, or None
    choose : how the threshold of two classes is chosen; None is "auto" of `UnderdogClassifier`
    positive : label of the positive of two classes, or None
    """

    costs: Costs | None
    choose: Any
    positive: Any

    def decider(self, booster: Any, y: Any, weights: Any) -> Any:
        """The fitted booster, or what decides by its scores; None if it left no rows out.

        Parameters
        ----------
        booster : fitted BlendedTreesClassifier
        y, weights : the labels of its training rows, and their weights or None
        """
        left_out = getattr(booster, "left_out_scores_", None)
        if left_out is None:
            return None
        own = y if weights is None else y[weights > 0.0]  # the booster drops the others
        if len(np.unique(own[~np.isnan(left_out[:, 0])])) < len(booster.classes_):
            return None
        from underdog.automatic.classifier import UnderdogClassifier

        threshold = "auto" if self.choose is None else self.choose
        maker = UnderdogClassifier(costs=self.costs, threshold=threshold, pos_label=self.positive)
        maker.classes_ = booster.classes_
        with warnings.catch_warnings():
            # It names a parameter of Python; the report says the same of an infinite threshold.
            warnings.filterwarnings("ignore", "with choose=", UnderdogWarning)
            return maker._decided(booster, y, weights)
