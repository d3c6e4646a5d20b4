"""Why a row has its prediction, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from underdog.checks import to_python
from underdog.cli.class_report import costs_text
from underdog.decisions.cost_sensitive import CostSensitiveClassifier
from underdog.decisions.thresholds import ThresholdClassifier
from underdog.inspection.rows import Contributions
from underdog.types import Floats


def expected_costs(why: Contributions, X: Any) -> Floats | None:
    """(K,) what each prediction for the only row is expected to cost; None without costs."""
    decider = why.explained.decider
    if not isinstance(decider, CostSensitiveClassifier):
        return None
    costs: Floats = decider.expected_cost(why.explained.table(X))[0]
    return costs


def labels_to_show(why: Contributions, costs: Floats | None) -> list[int]:
    """Which scores of the only row to show: of several classes, the predicted one and the next.

    Of the columns of a code, the one that speaks most clearly for the predicted class.
    """
    if len(why.labels) == 1 or np.ndim(why.predicted[0]) or why.explained.is_coded:
        return [why.label_number(0, None)]
    predicted = why.labels.index(str(why.predicted[0]))
    order = np.argsort(-why.scores[0] if costs is None else costs, kind="stable")
    return [predicted, next(place for place in order.tolist() if place != predicted)]


def verdict(why: Contributions, costs: Floats | None, shown: list[int]) -> str:
    """The prediction for the only row, its reason if a threshold or costs decide, probabilities."""
    if np.ndim(why.predicted[0]) or why.explained.is_coded:  # several labels, or other columns
        return why.verdict(0, shown[0])
    reason = _reason(why, costs, shown)
    if len(shown) > 1:
        one, other = (f"{why.labels[place]!r}{_share(why, place)}" for place in shown)
        return f"predicted {one}{reason or f'; next {other}'}"
    text = f"predicted {str(why.predicted[0])!r}{reason}"
    if why.probabilities is None:
        return text
    (positive,) = why.labels
    share = why.probabilities[0, why.explained.classes.index(positive)]
    return f"{text}; probability of {positive!r} {share:.3f}"


def _share(why: Contributions, place: int) -> str:
    if why.probabilities is None:
        return ""
    return f" (probability {why.probabilities[0, place]:.3f})"


def _reason(why: Contributions, costs: Floats | None, shown: list[int]) -> str:
    decider = why.explained.decider
    if isinstance(decider, ThresholdClassifier):
        positive = str(to_python(decider.classes_[decider._positive]))
        if np.isinf(decider.threshold_):
            often = "never" if decider.threshold_ > 0 else "always"
            return f", because the model {often} predicts {positive!r}"
        side = "above" if str(why.predicted[0]) == positive else "not above"
        return f", because the score of {positive!r} is {side} {decider.threshold_:.4g}"
    if costs is None or not isinstance(decider, CostSensitiveClassifier):
        return ""
    names = why.explained.classes
    chosen = names.index(str(why.predicted[0]))
    other = shown[1] if len(shown) > 1 else 1 - chosen
    given = costs_text(decider.costs, decider.classes_)
    name = f"{names[other]!r}{_share(why, other)}" if len(shown) > 1 else repr(names[other])
    lower = "lower" if costs[chosen] < costs[other] else "not higher"
    return (
        f", because its expected cost, {costs[chosen]:.3g}, is {lower} than that of {name}, "
        f"{costs[other]:.3g} ({given})"
    )
