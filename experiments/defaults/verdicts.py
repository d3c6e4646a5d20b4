"""What the ranks say, in words that are computed."""

from collections.abc import Sequence

import numpy as np

from experiments.defaults.models import MAIN, MODELS
from experiments.defaults.tasks import HALVES
from experiments.defaults.views import Floats, View, interval

AHEAD, UNDECIDED, BEHIND = "ahead of", "undecided", "behind"
ALL = "all of these"


def leaders(view: View, measures: Sequence[str]) -> str:
    """Who is first by the mean rank of all measures, and where ours are."""
    means = dict(zip(view.models, joint(view, measures).mean(axis=1).tolist(), strict=True))
    order = sorted(means, key=means.__getitem__)
    first = ", ".join(f"{MODELS[model].title} {means[model]:.1f}" for model in order[:3])
    own = [
        f"{MODELS[model].title} is number {place} ({means[model]:.1f})"
        for place, model in enumerate(order, 1)
        if MODELS[model].own
    ]
    said = f"the lowest mean ranks of {len(order)} models are {first}."
    return said + (f" Of ours, {'; '.join(own)}." if own else " None of ours was run.")


def agreement(view: View, measures: Sequence[str]) -> list[str]:
    """Where the judged model is, and in how many comparisons both halves have the same sign."""
    model = judged(view)
    peers = peers_of(view)
    if model is None or not peers:
        return []
    title = MODELS[model].title
    ranks = joint(view, measures)
    kinds = [verdict(gain(view, model, peer, ranks)) for peer in peers]
    lines = [
        f"- Both halves, all measures: {title} is ahead of {kinds.count(AHEAD)}, undecided with"
        f" {kinds.count(UNDECIDED)} and behind {kinds.count(BEHIND)} of {len(peers)} peers."
    ]
    parts = [part for half in HALVES if (part := view.part(half)).folds]
    if len(parts) == len(HALVES):
        signs = [
            [
                np.sign(gain(part, model, peer, part.ranks(measure)).mean())
                for measure in measures
                for peer in peers
            ]
            for part in parts
        ]
        same = sum(first == second for first, second in zip(*signs, strict=True))
        lines.append(
            f"- The sign of {title} against a peer is the same in both halves in {same} of"
            f" {len(signs[0])} comparisons."
        )
    return lines


def standings(view: View, measures: Sequence[str]) -> list[list[str]]:
    """For each of ours and each measure: the peers that it is ahead of, undecided, behind."""
    rows = []
    peers = peers_of(view)
    kinds = {each: view.ranks(each) for each in measures}
    if len(measures) > 1:
        kinds[ALL] = joint(view, measures)
    for model in view.models:
        if not MODELS[model].own:
            continue
        for measure, ranks in kinds.items():
            verdicts = {peer: verdict(gain(view, model, peer, ranks)) for peer in peers}
            lists = [
                ", ".join(MODELS[peer].title for peer in peers if verdicts[peer] == kind)
                for kind in (AHEAD, UNDECIDED, BEHIND)
            ]
            rows.append([MODELS[model].title, measure, *lists])
    return rows


def peers_of(view: View) -> list[str]:
    """Models of other libraries."""
    return [model for model in view.models if not MODELS[model].own]


def judged(view: View) -> str | None:
    """The default model if it is there, otherwise the last of ours."""
    own = [model for model in view.models if MODELS[model].own]
    return MAIN if MAIN in own else (own[-1] if own else None)


def joint(view: View, measures: Sequence[str]) -> Floats:
    """(models, sources): the mean of the ranks by each measure."""
    return np.asarray(np.mean([view.ranks(each) for each in measures], axis=0))


def gain(view: View, model: str, peer: str, ranks: Floats) -> Floats:
    """By source: by how many ranks the first is before the other."""
    return ranks[view.models.index(peer)] - ranks[view.models.index(model)]


def verdict(gains: Floats) -> str:
    """AHEAD or BEHIND where the interval of the mean leaves out 0."""
    low, high = interval(gains)
    if low > 0.0:
        return AHEAD
    return BEHIND if high < 0.0 else UNDECIDED
