"""Where the boosters with costs beat the baseline and where they do not, in words, from numbers."""

from collections.abc import Iterable, Sequence

import numpy as np

from experiments.costs.against import FEWEST, Duel
from experiments.costs.figures import heading
from experiments.costs.groups import RATIOS, outcome
from experiments.costs.models import BASELINE
from experiments.costs.results import Results

SEVERAL = 2
"""A set is named if so many boosters differ from the baseline on it."""


def listed(names: Iterable[str]) -> str:
    """Names as in a sentence.

    Examples
    --------
    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def over_sets(duels: Sequence[Duel]) -> str:
    """Which of the models beat the baseline over all sets, and which lose."""
    parts = []
    for verdict, word in (("beats", "cheaper"), ("loses", "costlier")):
        own = [duel for duel in duels if duel.verdict == verdict]
        if own:
            names = listed(f"{_short(duel.model)} ({duel.cheaper}:{duel.costlier})" for duel in own)
            parts.append(f"{names} {'is' if len(own) == 1 else 'are'} {word}")
    rest = sum(duel.verdict == "undecided" for duel in duels)
    if rest == len(duels):
        return f"none of the {rest} differs significantly from the baseline"
    if rest:
        differ = "does not differ" if rest == 1 else "do not differ"
        parts.append(f"the other {rest} {differ} significantly")
    return "; ".join(parts)


def _short(model: str) -> str:
    return model.removesuffix(", calibrated")


def single_sets(duels: Sequence[Duel]) -> str:
    """Sets on which several of the models win, and on which several lose, by the t-test."""
    parts = []
    for what, names in (
        ("cheaper", [name for duel in duels for name in duel.wins]),
        ("costlier", [name for duel in duels for name in duel.losses]),
    ):
        counted = {name: names.count(name) for name in dict.fromkeys(names)}
        often = sorted(
            (name for name in counted if counted[name] >= SEVERAL),
            key=lambda name: (-counted[name], name),
        )
        shown = [f"{name} ({counted[name]})" for name in often]
        parts.append(
            f"{SEVERAL} or more of them are {what} on {listed(shown) if shown else 'no set'}"
        )
    return "; ".join(parts)


def agreed(results: Results, duels: Sequence[Duel]) -> str:
    """Sets on which all of the models are cheaper by mean cost, and on which all are costlier."""
    differences = np.array([duel.differences for duel in duels])
    parts = []
    for what, all_so in (("cheaper", differences < 0), ("costlier", differences > 0)):
        where = all_so.all(axis=0) & results.distinct
        names = [name for name, so in zip(results.sets, where, strict=True) if so]
        parts.append(f"all {len(duels)} are {what} on {listed(names) if names else 'no set'}")
    return "; ".join(parts)


def by_ratio(results: Results, duels: Sequence[Duel]) -> str:
    """Pairs of model and set, cheaper : costlier, in each group of sets."""
    return ", ".join(
        f"{outcome(results, duels, group.holds(results.ratios))} at IR {group.title}"
        for group in RATIOS
    )


def total(duels: Sequence[Duel]) -> str:
    """How often over all costs."""
    verdicts = [duel.verdict for duel in duels]
    return (
        f"in {len(duels)} comparisons with {BASELINE} over all sets, the booster is significantly "
        f"cheaper in {verdicts.count('beats')}, costlier in {verdicts.count('loses')}, and not "
        f"significantly different in {verdicts.count('undecided')}"
    )


def at_cost(results: Results, cost: str, own: Sequence[Duel], calibrated: Sequence[Duel]) -> str:
    """All that is found at one cost."""
    title = heading(cost)
    lines = [
        f"- **{title[0].upper()}{title[1:]}**",
        f"Own predictions: {over_sets(own)}.",
        f"Calibrated: {over_sets(calibrated)}.",
        f"Own predictions, pairs of booster and set, cheaper:costlier: {by_ratio(results, own)}.",
        f"Own predictions, mean cost: {agreed(results, own)}.",
    ]
    if 2 * results.repetitions >= FEWEST:
        lines.append(f"Own predictions, significant on single sets: {single_sets(own)}.")
    return "\n  - ".join(lines)
