"""Claims about boosters with costs, each with what the numbers say about it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from experiments.costs.against import Duel
from experiments.costs.groups import RATIOS
from experiments.costs.models import BASELINE, CALIBRATED, OWN, TITLES
from experiments.costs.results import Results

Found = Mapping[str, Mapping[str, Duel]]
"""Cost -> model -> its duel with the baseline."""
SIMPLE = "logistic regression"
DEAR = ("20", "IR")


@dataclass(frozen=True)
class Verdict:
    """A claim, whether it holds, and why."""

    claim: str
    holds: bool
    why: str


def verdicts(results: Results, found: Found) -> Iterator[Verdict]:
    """On all claims."""
    for judge in CLAIMS:
        yield judge(results, found)


def calibrated_alike(_: Results, found: Found) -> Verdict:
    """What the paper says of the boosters that it finds sound."""
    apart = _significant(found, CALIBRATED, "beats")
    return Verdict(
        f"Calibrated, no booster with costs beats {BASELINE} at any cost",
        not apart,
        _named(apart, "none is significantly cheaper"),
    )


def never_everywhere(_: Results, found: Found) -> Verdict:
    """Whether there is a booster to choose without looking at the costs."""
    counts = {
        title: sum(by_model[title].verdict == "beats" for by_model in found.values())
        for title in OWN
    }
    most = max(counts.values())
    best = [title for title, count in counts.items() if count == most]
    why = (
        f"{', '.join(best)} at {most} of {len(found)} costs"
        if most
        else "none beats it at any cost"
    )
    return Verdict(
        f"With its own predictions, no booster with costs beats {BASELINE} at every cost",
        most < len(found),
        why,
    )


def gains_where_costs_matter(_: Results, found: Found) -> Verdict:
    """At cost 1 both errors cost the same, so only the other costs count."""
    apart = _significant({cost: found[cost] for cost in found if cost != "1"}, OWN, "beats")
    return Verdict(
        f"If a miss costs more than a false alarm, some booster with costs beats {BASELINE}",
        bool(apart),
        _named(apart, "none is significantly cheaper"),
    )


def losses(_: Results, found: Found) -> Verdict:
    """Whether costs in training can do harm."""
    apart = _significant(found, OWN, "loses")
    return Verdict(
        f"With its own predictions, some booster with costs loses to {BASELINE}",
        bool(apart),
        _named(apart, "none is significantly costlier"),
    )


def calibration_of_few(_: Results, found: Found) -> Verdict:
    """What a sigmoid on the scores of a few positives is worth."""
    duels = [by_model["AdaBoost"] for cost, by_model in found.items() if cost == "1"]
    return Verdict(
        f"At cost 1, uncalibrated AdaBoost is cheaper than {BASELINE}",
        any(duel.verdict == "beats" for duel in duels),
        "; ".join(f"{duel.cheaper}:{duel.costlier} sets, p = {duel.p_value:.2g}" for duel in duels),
    )


def calibration_for_costs(results: Results, found: Found) -> Verdict:
    """The other side: what the calibration is for."""
    means = {
        cost: [float(results.cost(title, cost).mean()) for title in ("AdaMEC", BASELINE)]
        for cost in found
    }
    return Verdict(
        "If a miss costs 20 or IR, calibration reduces the mean cost of AdaMEC",
        all(own > calibrated for cost, (own, calibrated) in means.items() if cost in DEAR),
        ", ".join(f"{own:.3f} to {made:.3f} at {cost}" for cost, (own, made) in means.items()),
    )


def harm_among_even_sets(results: Results, found: Found) -> Verdict:
    """A high cost and a class that is not so rare: "always" is cheap, and few models predict it."""
    group = RATIOS[0].holds(results.ratios) & results.distinct
    own = np.array([found["20"][title].differences[group] for title in OWN])
    cheaper, costlier = int((own < 0).sum()), int((own > 0).sum())
    return Verdict(
        "At cost 20 and an imbalance ratio below 5, boosters with costs are mostly costlier",
        costlier > cheaper,
        f"cheaper:costlier in {cheaper}:{costlier} pairs of booster and set",
    )


def simple_before_all(results: Results, _: Found) -> Verdict:
    """Whether any of this is needed."""
    ranks = np.mean([results.ranks(TITLES, cost) for cost in results.costs], axis=0)
    own = dict(zip(TITLES, ranks, strict=True))
    best = min(OWN, key=lambda title: own[title])
    return Verdict(
        "Logistic regression with the cost-optimal threshold has a better mean rank than every "
        "booster with costs",
        bool(own[SIMPLE] < own[best]),
        f"{own[SIMPLE]:.1f}, {best} {own[best]:.1f}, {BASELINE} {own[BASELINE]:.1f} of "
        f"{len(TITLES)}",
    )


CLAIMS: Sequence[Callable[[Results, Found], Verdict]] = (
    calibrated_alike,
    never_everywhere,
    gains_where_costs_matter,
    losses,
    calibration_of_few,
    calibration_for_costs,
    harm_among_even_sets,
    simple_before_all,
)


def _significant(found: Found, titles: Sequence[str], verdict: str) -> list[str]:
    return [
        f"{title.removesuffix(', calibrated')} at {cost}"
        for cost, by_model in found.items()
        for title in titles
        if by_model[title].verdict == verdict
    ]


def _named(apart: Sequence[str], otherwise: str) -> str:
    return ", ".join(apart) if apart else otherwise
