"""A booster against the baseline: set by set, and over all sets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from experiments.costs.models import BASELINE
from experiments.costs.results import Results
from underdog.comparison.paired import LEVEL, corrected_t, holm

HALF = 1.0
"""As many examples to judge by as to learn from."""
FEWEST = 4
"""Fewer halves than this tell nothing about a single set."""
ROUNDING = 9
"""Digits beyond which two mean costs do not differ."""


@dataclass(frozen=True)
class Duel:
    """A model against the baseline at one cost; below 0 the model costs less.

    Attributes
    ----------
    model, cost : str
    differences : (sets,) array
        Of the relative mean costs, in the order of `Results.sets`.
    wins, ties, losses : list of str
        Sets by the corrected resampled t-test over the halves, each at 5 %.
    cheaper, costlier : int
        Sets by the mean alone.
    origins : (int, int)
        In how many of the sources its sets are cheaper in the mean, and how many there are.
    p_value : float
        Wilcoxon's signed-rank test over the sets, adjusted by Holm for the models at this cost.
    sign : int
        -1 if the ranks favour the model, 1 if the baseline.
    """

    model: str
    cost: str
    differences: NDArray[np.float64]
    wins: list[str]
    ties: list[str]
    losses: list[str]
    cheaper: int
    costlier: int
    origins: tuple[int, int]
    p_value: float
    sign: int

    @property
    def verdict(self) -> str:
        """Whether the model beats the baseline over the sets, loses, or neither is known."""
        if not self.p_value < LEVEL:
            return "undecided"
        return "beats" if self.sign < 0 else "loses"


def duels(results: Results, models: Sequence[str], cost: str) -> list[Duel]:
    """Each of the models against the baseline."""
    base = results.cost(BASELINE, cost)
    found = [_duel(results, model, cost, results.cost(model, cost) - base) for model in models]
    adjusted = holm([duel.p_value for duel in found])
    return [
        Duel(**{**vars(duel), "p_value": p_value})
        for duel, p_value in zip(found, adjusted, strict=True)
    ]


def _duel(results: Results, model: str, cost: str, by_split: NDArray[np.float64]) -> Duel:
    means = by_split.mean(axis=1).round(ROUNDING)
    outcomes: dict[int, list[str]] = {-1: [], 0: [], 1: []}
    for name, row, counts in zip(results.sets, by_split, results.distinct, strict=True):
        if counts:
            outcomes[_winner(row)].append(name)
    own = means[results.distinct]
    p_value, sign = signed_ranks(own)
    sources = np.unique(results.origins)
    cheaper = sum(means[(results.origins == o) & results.distinct].mean() < 0 for o in sources)
    return Duel(
        model, cost, means, outcomes[-1], outcomes[0], outcomes[1],
        int((own < 0).sum()), int((own > 0).sum()), (int(cheaper), len(sources)), p_value, sign,
    )  # fmt: skip


def _winner(by_split: NDArray[np.float64]) -> int:
    """-1 if the differences favour the model, 1 if the baseline, 0 if there is nothing to tell."""
    if len(by_split) < FEWEST:
        return 0
    mean, _, _, p_value = corrected_t(by_split, HALF)
    return int(np.sign(mean)) if p_value < LEVEL else 0


def signed_ranks(differences: NDArray[np.float64]) -> tuple[float, int]:
    """p-value of Wilcoxon's test, and the sign that the ranks favour.

    Differences of 0 are left out.

    Examples
    --------
    >>> signed_ranks(np.array([-3.0, 1.0, -2.0, 0.0]))
    (0.5, -1)
    """
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0, 0
    ranks = stats.rankdata(np.abs(differences))
    p_value = float(stats.wilcoxon(differences).pvalue)
    return p_value, int(np.sign((np.sign(differences) * ranks).sum()))
