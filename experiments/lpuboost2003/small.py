"""All small topics: fewer settings, more topics, and LP and LPU in three forms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from experiments.lpuboost2003 import baselines, grid
from experiments.lpuboost2003.choices import Choices
from experiments.lpuboost2003.data import FOLDS, Sample
from experiments.lpuboost2003.grid import BOOSTERS, Setting

OTHERS = ("SVM", "LightGBM")
BALANCED = ("LP balanced", "LPU balanced")
PRINTED = ("LP printed", "LPU printed")
COLUMNS = (*BOOSTERS, *BALANCED, *PRINTED, *OTHERS)
BEST, CHOSEN, FOLDED = "best on test", "chosen", "chosen, folds"
CRITERIA = (BEST, CHOSEN, FOLDED)
"""As in Table 1; as in Table 2; and as Table 2 with the mean of the models of the folds."""
ROUNDING = 9
"""Digits beyond which two differences of F1 are the same."""

Scores = dict[str, dict[str, NDArray[np.float64]]]
"""Criterion -> column -> F1 by topic, NaN where nothing was tried."""


def settings(quick: bool) -> list[Setting]:
    """The grid for small topics, all forms."""
    plain = list(grid.few_settings(quick))
    return [*plain, *grid.in_form(plain, "balanced"), *grid.in_form(plain, "printed")]


def names(topics: Sequence[str], quick: bool) -> tuple[list[str], list[str]]:
    """Cells of the boosters, and of other classifiers.

    The printed form is tried on all training documents only.
    """
    boosters, others = [], []
    for sample in samples(topics):
        tried = [s for s in settings(quick) if s.form != "printed" or sample.fold is None]
        boosters += [grid.name(sample, setting) for setting in tried]
        families = [how for how in baselines.SETTINGS if baselines.family(how) in OTHERS]
        others += [f"{sample}/{how}" for how in families]
    return boosters, others


def samples(topics: Sequence[str]) -> Iterator[Sample]:
    """All training documents, and without each of the folds."""
    for fold, topic in product((None, *range(FOLDS)), topics):
        yield Sample(topic, fold=fold)


def scores(choices: Choices, topics: Sequence[str]) -> Scores:
    """F1 on the test documents, by how the setting is chosen."""
    found = {c: {column: np.full(len(topics), np.nan) for column in COLUMNS} for c in CRITERIA}
    for column, (i, topic) in product(COLUMNS, enumerate(topics)):
        best, chosen = choices.on_test(column, Sample(topic)), choices.by_folds(column, topic)
        if best:
            found[BEST][column][i] = best.f1
        if chosen:
            found[CHOSEN][column][i] = chosen.f1
            found[FOLDED][column][i] = chosen.fold_f1
    return found


@dataclass(frozen=True)
class Duel:
    """One column against another over topics.

    Attributes
    ----------
    difference : float
        Mean of the first less the second.
    won, tied, lost : int
        Topics.
    p_value : float
        Wilcoxon's signed-rank test, two-sided; ties are left out.
    """

    difference: float
    won: int
    tied: int
    lost: int
    p_value: float

    @classmethod
    def of(cls, first: NDArray[np.float64], second: NDArray[np.float64]) -> "Duel":
        """From their F1 by topic.

        Examples
        --------
        >>> Duel.of(np.array([0.5, 0.2, 0.3, 0.9]), np.array([0.2, 0.3, 0.1, 0.9]))
        Duel(difference=0.1, won=2, tied=1, lost=1, p_value=0.5)
        """
        differences = (first - second).round(ROUNDING)
        apart = differences[differences != 0]
        p_value = float(stats.wilcoxon(apart).pvalue) if len(apart) else 1.0
        return cls(
            round(float(differences.mean()), ROUNDING),
            int((differences > 0).sum()),
            len(differences) - len(apart),
            int((differences < 0).sum()),
            p_value,
        )


@dataclass(frozen=True)
class Tally:
    """How little the models of a column say.

    Attributes
    ----------
    models : int
        Trained on all training documents.
    single : int
        Of them have one rule.
    silent : int
        Of them say no to every training document.
    silent_topics : int
        Topics in which all models do.
    """

    models: int
    single: int
    silent: int
    silent_topics: int

    @classmethod
    def of(cls, choices: Choices, column: str, topics: Sequence[str]) -> "Tally":
        """Over these topics."""
        results = [list(choices.tried(column, Sample(topic)).values()) for topic in topics]
        silent = [[result["train"][:2] == [0, 0] for result in row] for row in results]
        return cls(
            sum(map(len, results)),
            sum(result["rules"] == 1 for row in results for result in row),
            sum(map(sum, silent)),
            sum(bool(row) and all(row) for row in silent),
        )
