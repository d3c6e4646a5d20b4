"""Sentences about models that need no heavy imports."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from underdog.comparison.names import TITLES

IN_UNITS = ("rmse", "mae", "deviance", "pinball")
"""Measures in the unit of the target, which may be large or small."""
DIGITS = 4
"""Significant digits of the largest of them."""
MOST_DECIMALS, MOST_DIGITS = 6, 15
"""Numbers with more zeros, or more digits, are written with an exponent."""


def format_of(measure: str, values: Iterable[float]) -> str:
    """The format of all values of a measure.

    Examples
    --------
    >>> from underdog.cli.wording import format_of
    >>> [f"{value:{format_of('rmse', [48123.4, 7.2])}}" for value in (48123.4, 7.2)]
    ['48,123', '7']
    """
    if measure in IN_UNITS:
        return digits_of(values)
    return ".3f"


def digits_of(values: Iterable[float], digits: int = DIGITS) -> str:
    """The format of numbers of which the largest is shown with so many digits."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    power = math.floor(math.log10(largest)) if largest else 0
    if not -MOST_DECIMALS < power < MOST_DIGITS:
        return f".{digits - 1}e"
    return f",.{max(digits - 1 - power, 0)}f"


def decision_text(decision: dict[str, Any], positive: str | None) -> str:
    """How a model predicts, in words."""
    if decision["by"] == "threshold":
        threshold = decision["threshold"]
        predicts = f"predicts {positive!r} if the score is above {threshold:.4g}"
        if math.isinf(threshold):
            predicts = f"{'never' if threshold > 0 else 'always'} predicts {positive!r}"
        chosen = f"threshold chosen by {decision['chosen by'].replace('f1', 'F1')}"
        remedy = "; --threshold chooses another" if math.isinf(threshold) else ""
        return f"{predicts} ({chosen} on left-out rows{remedy})"
    if "costs" in decision:
        return f"predicts the class with the least expected cost ({decision['costs']})"
    if decision["by"] == "prevalence":
        if "threshold" not in decision:
            return "predicts the class with the highest probability for the given shares"
        given = f"for a share of {decision['share']:.3g}"
        return f"predicts {positive!r} if the score is above {decision['threshold']:.4g} ({given})"
    if positive is None:
        return "predicts the class with the highest score"
    return f"predicts {positive!r} if the score is above 0"


def recalibrated_text(rows: int) -> str:
    """Where the probabilities of a model come from."""
    return f"Its probabilities were recalibrated on {rows:,} rows"


def threshold_text(found: dict[str, Any]) -> str:
    """Whether another threshold was better in cross-validation."""
    measure, own, chosen = TITLES[found["measure"]], found["own"], found["chosen"]
    noise = f"two standard errors ({2 * found['standard_error']:.2g})"
    title = measure[0].upper() + measure[1:]
    means = f"{title} in cross-validation: {own:.3f} with the default threshold, {chosen:.3f}"
    if found.get("always"):
        worse = ", which is not better here" if found["gain"] <= 0 else ""
        return (
            f"One class has fewer than 20% of the rows, so the threshold is the one with the best "
            f"{title}. {means} with the chosen one{worse}."
        )
    if found["moved"]:
        return f"{means} with the chosen one, a gain of {found['gain']:.2g}, more than {noise}."
    if found["gain"] <= 0:
        return f"{means} with a chosen one, which is not better."
    return f"{means} with a chosen one, a gain of {found['gain']:.2g}, not more than {noise}."
