"""All thresholds on given scores with their confusion matrices, and rules to choose one."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from underdog.checks import check_integer, check_positive, is_number, notify
from underdog.costs import Costs
from underdog.costs.costs import ROUNDING
from underdog.types import Flags, Floats

Curve = dict[str, Floats]
"""One entry per threshold in each array, from the highest (no alarms) to the lowest."""


def trace(
    scores: Floats, positive: Flags, weights: Floats, costs: tuple[Floats, Floats] | None = None
) -> Curve:
    """The confusion matrix of each threshold; scores above the threshold are alarms.

    Thresholds are midway between neighbouring scores. The first is inf (no alarms), the last -inf
    (only alarms). Without alarms the precision is NaN.

    Parameters
    ----------
    scores : (n,) scores of the positive class
    positive : (n,) whether an example is positive
    weights : (n,) sample weights
    costs : pair of (n,) arrays, optional
        The cost of no alarm and of an alarm for each example.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[weights[order] > 0.0]  # examples of weight 0 make no thresholds
    falling = scores[order]
    apart = falling[:-1] - falling[1:] > ROUNDING * np.abs(falling).max()
    last = np.append(np.flatnonzero(apart), len(order) - 1)

    def sum_above(values: Floats) -> Floats:
        """Sum over the examples above each threshold."""
        return np.append(0.0, np.cumsum(values[order])[last])

    tp, fp = sum_above(weights * positive), sum_above(weights * ~positive)
    curve = {
        "threshold": np.full(len(last) + 1, np.inf),
        "tp": tp,
        "fp": fp,
        "fn": tp[-1] - tp,
        "tn": fp[-1] - fp,
        "alarms": tp + fp,
        "recall": tp / tp[-1],
        "precision": np.full(len(tp), np.nan),
    }
    curve["threshold"][1:-1] = falling[last[:-1]] / 2 + falling[last[:-1] + 1] / 2
    curve["threshold"][-1] = -np.inf
    np.divide(tp, tp + fp, out=curve["precision"], where=tp + fp > 0)
    if costs is not None:
        no_alarm, alarm = costs
        curve["cost"] = (weights * no_alarm).sum() + sum_above(weights * (alarm - no_alarm))
    return curve


def thinned(curve: Curve, threshold: float, most: int) -> Curve:
    """The curve at about `most` of its thresholds, evenly spaced in recall and in alarms.

    The first, the last and the chosen one are kept. A curve that is not longer stays as it is.
    """
    count = len(curve["threshold"])
    if count <= most:
        return curve
    steps = (most - 3) // 2
    places = [np.array([0, count - 1]), np.flatnonzero(curve["threshold"] == threshold)[:1]]
    for name in ("recall", "alarms"):
        values = curve[name]
        places.append(np.searchsorted(values, np.linspace(0.0, values[-1], steps)))
    kept = np.unique(np.concatenate(places))
    return {name: values[kept] for name, values in curve.items()}


def check_choice_of_threshold(choose: Any, name: str = "choose", others: str = "Costs") -> None:
    """Refuse a `choose` that is not a rule with a valid number.

    Parameters
    ----------
    choose : the rule
    name : of the parameter, for messages
    others : what else the parameter may be, for messages
    """
    if isinstance(choose, Costs) or (isinstance(choose, str) and choose == "f1"):
        return
    if not isinstance(choose, tuple | list) or len(choose) != 2 or choose[0] not in tuple(RULES):
        raise ValueError(
            f"{name}={choose!r} must be 'f1', ('fbeta', b), ('precision', p), ('recall', r), "
            f"('alarms', number or share), or {others}"
        )
    rule, number = choose
    if rule == "fbeta":
        check_positive(f"{name}: {rule}", number)
    elif rule == "alarms" and isinstance(number, numbers.Integral):
        check_integer(f"{name}: {rule}", number, 1)
    elif not is_number(number) or not 0.0 < number <= 1.0:
        or_count = ", or a whole number of alarms" if rule == "alarms" else ""
        raise ValueError(
            f"{name}: {rule}={number!r} must be a share above 0 and at most 1{or_count}"
        )


def best_threshold(choose: Any, curve: Curve) -> int:
    """Index in the curve of the threshold that the rule chooses."""
    if isinstance(choose, Costs):
        return first_of_largest(-curve["cost"])
    name, number = ("fbeta", 1.0) if choose == "f1" else choose
    return RULES[name](curve, number)


def first_of_largest(values: Floats) -> int:
    """The highest threshold of those that are best up to rounding."""
    return int(np.argmax(values >= values.max() - ROUNDING * np.ptp(values)))


def by_fbeta(curve: Curve, beta: float) -> int:
    """Largest (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)."""
    weighted = (1.0 + beta**2) * curve["tp"]
    return first_of_largest(weighted / (weighted + beta**2 * curve["fn"] + curve["fp"]))


def by_precision(curve: Curve, goal: float) -> int:
    """Largest recall with at least this precision."""
    precision = np.nan_to_num(curve["precision"])
    best = float(precision.max())
    if best < goal - ROUNDING:
        notify(
            f"no threshold reaches an out-of-fold precision of {goal:g}: the threshold with the "
            f"highest precision, {best:.3g}, is used"
        )
        goal = best
    return first_of_largest(np.where(precision >= goal - ROUNDING, curve["recall"], -1.0))


def by_recall(curve: Curve, goal: float) -> int:
    """Largest precision with at least this recall."""
    return first_of_largest(
        np.where(curve["recall"] >= goal - ROUNDING, np.nan_to_num(curve["precision"]), -1.0)
    )


def by_alarms(curve: Curve, most: float) -> int:
    """As many alarms as allowed, given as a number or as a share of all examples."""
    alarms, total = curve["alarms"], float(curve["alarms"][-1])
    allowed = most if isinstance(most, numbers.Integral) else most * total
    return int(np.flatnonzero(alarms <= allowed + ROUNDING * total)[-1])


RULES: dict[str, Callable[[Curve, Any], int]] = {
    "fbeta": by_fbeta,
    "precision": by_precision,
    "recall": by_recall,
    "alarms": by_alarms,
}
