"""Methods that only boosters with probabilities have."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any

from underdog.codes.output_code import CodedLabels

if TYPE_CHECKING:
    from underdog.estimators.support.class_predictions import ClassPredictions


class if_log_odds:  # noqa: N801
    """A method that a booster has if its scores are log-odds.

    It is `available_if` of scikit-learn, but the message of the AttributeError says why there is
    no such method, and how to get probabilities. There the last line of the traceback does not.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __get__(self, booster: ClassPredictions | None, owner: type | None = None) -> Any:
        if booster is None:
            return self.method
        why = why_no_probabilities(booster)
        if why:
            raise AttributeError(
                f"{type(booster).__name__} has no {self.method.__name__}: {why}. To get "
                "probabilities, call recalibrate with rows that it was not trained on, or wrap it "
                "in sklearn.calibration.CalibratedClassifierCV."
            )
        return MethodType(self.method, booster)


def why_no_probabilities(booster: ClassPredictions) -> str:
    """Why the scores of a booster are not log-odds; empty if they are."""
    try:
        fitted = hasattr(booster, "_link")
        link = booster._link if fitted else booster._make_loss()
        if fitted:
            shift = booster._log_odds_shift
        else:
            criterion = booster._make_learner().criterion(link)
            shift = link.log_odds_shift(criterion.converges_to)
    except (TypeError, ValueError):  # a parameter that fit will refuse
        return ""
    if booster.calibration_ is not None:
        return ""
    if booster._is_coded or (fitted and isinstance(booster._labels, CodedLabels)):
        return "its scores are those of the columns of a code, not log-odds of classes"
    if link.probability_scale is None:
        return "its scores are margins, not log-odds"
    if shift is None:
        return "with an uneven loss, votes for the heavier side stop before the scores are log-odds"
    return ""
