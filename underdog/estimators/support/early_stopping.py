"""Early stopping: which rows are held out, and the number of rounds found on scores out of fold.

Rows are drawn by what they contain (`underdog.data.draws`) and a seed. Where the rarest class has
few examples, a share of the rows has next to none of them, and the score of these says little about
when to stop. So every row is held out once: boosters are fitted round by round side by side, each
without one fold, and the score of a round is that of all rows by the boosters that have not seen
them. The model itself is then fitted on all rows.

On 116 fits of rare-class tables (AdaBoost, up to 100 rounds) the mean average precision on new rows
was .755 without early stopping, .567 with five folds and the exponential loss, which chooses two
rounds in the middle, and .735 with five folds and average precision (13 rounds); log loss .99, .25
and .28.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from underdog.checks import UnderdogWarning, to_python
from underdog.core import History, Run, State
from underdog.data import Schema
from underdog.data.draws import NEVER, Draw, seed_of
from underdog.engine import ALL_DONE, ProgressBar, steps
from underdog.estimators.support.task import Examples, FitTask, Folds
from underdog.estimators.support.validation import BestRound, HeldOut
from underdog.types import Floats

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster


FEWEST = 20
"""Examples of the rarest class that a share of the rows must hold out, or folds are made."""
FOLDS = 5


@dataclass(frozen=True)
class Found:
    """How many rounds are best, the scores of all that were tried, and why there are no more."""

    best_round: int
    scores: list[float]
    reason: str
    how: str

    def start(self, _: Schema, __: State, history: History) -> None:
        """Write the scores of the rounds that an earlier run has taken."""
        for row, score in zip(history.rows, self.scores, strict=False):
            row["validation_score"] = score

    def __call__(self, state: State, history: History) -> str | None:
        """Write the score of the last round."""
        last = len(state.members) - 1
        score = self.scores[last] if last < len(self.scores) else np.nan
        history.rows[-1]["validation_score"] = score
        return None


def split(booster: Booster, examples: Examples) -> tuple[Examples, Examples | Folds]:
    """Rows to learn from, and rows to validate with, or folds where these would be too few."""
    y, counted = examples.y, examples.counted
    kinds = np.zeros(len(y), dtype=np.int64)
    if y.ndim == 1:
        classes, kinds = np.unique(y, return_inverse=True)
    draw = Draw(examples.table, kinds, counted.repeats, seed_of(booster.random_state))
    apart = draw.share(booster.validation_fraction)
    folds, why = booster.cv, ""
    if folds is None and y.ndim == 1:
        held_out = np.bincount(kinds[apart], counted.repeats[apart], minlength=len(classes))
        rarest = int(held_out.argmin())
        if held_out[rarest] < FEWEST:
            folds = FOLDS
            count = f"{held_out[rarest]:.0f} example{'s' if held_out[rarest] != 1 else ''}"
            why = (
                f", because validation_fraction={booster.validation_fraction:g} would hold out "
                f"{count} of class {to_python(classes[rarest])!r}"
            )
    if folds is not None:
        of_row = draw.folds(int(folds))
        if len(np.unique(of_row[of_row != NEVER])) < 2:
            raise ValueError(
                f"early stopping needs two different rows of a class, but there are {len(y)} rows, "
                "none of which can be held out: give fit X_val and y_val, or set "
                "early_stopping=False"
            )
        return examples, Folds(of_row, f" by the scores of {folds} folds{why}", bool(why))
    if not apart.any():
        raise ValueError(
            f"validation_fraction={booster.validation_fraction!r} of {len(y)} rows leaves none to "
            "validate with: make it larger or give fit X_val and y_val"
        )
    return examples.take(np.flatnonzero(~apart)), examples.take(np.flatnonzero(apart))


class Fold:
    """A run on all rows but those of one fold, and what it says of these."""

    def __init__(self, booster: Booster, task: FitTask, held_out: Examples) -> None:
        learned = task.examples
        repeats, max_bins = learned.counted.repeats, booster.max_bins
        schema = Schema.learn(learned.table, repeats, max_bins, task.workers)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnderdogWarning)  # the fit on all rows gives them
            weighting = booster._make_weighting(learned, task.labels, task.given)
            self.run: Run = booster._make_run(task, schema, weighting)
        self._steps: Iterator[str | None] = steps(self.run, booster.n_estimators)
        self._held_out = HeldOut(held_out.table, schema, self.run.rows.start)
        self.ended = False

    def go_on(self) -> Floats:
        """Take a round, unless the run has ended; scores of the rows held out."""
        if not self.ended:
            self.ended = next(self._steps, ALL_DONE) is not None
        return self._held_out.follow(self.run.state)


def find_rounds(booster: Booster, task: FitTask) -> Found:
    """The number of rounds with the best score out of fold.

    Parameters
    ----------
    booster : Booster
    task : FitTask
        Its `held_out` are folds.
    """
    examples, made = task.examples, cast(Folds, task.held_out)
    fold_of = made.of_row
    parts = [np.flatnonzero(fold_of == fold) for fold in np.unique(fold_of[fold_of != NEVER])]
    folds = []
    for rows in parts:
        others = np.flatnonzero(fold_of != fold_of[rows[0]])
        without = replace(task, examples=examples.take(others))
        folds.append(Fold(booster, without, examples.take(rows)))
    # In the order of the rows, so that a scorer sees them as they were given.
    together = np.concatenate(parts)
    order = np.argsort(together)
    every = examples.take(together[order])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderdogWarning)
        weighting = booster._make_weighting(examples, task.labels, task.given)
        own = booster._adapt(task.parts, examples, task.labels, weighting)
    scoring = booster.scoring
    if made.is_rare and isinstance(scoring, str) and scoring == "auto":
        # Out of fold the loss is that of a few examples that were missed: after two rounds it
        # rises, long before the ranking is at its best.
        scoring = "ranking"
    score = booster._make_score(own, every, task.labels, weighting.log_class, scoring)
    best = BestRound(booster.n_iter_no_change, booster._least_rise())
    bar = ProgressBar(booster.n_estimators, "out of fold: ") if booster.verbose else None
    scores: list[float] = []
    reason = None
    try:
        while reason is None and len(scores) < booster.n_estimators:
            said = np.concatenate([fold.go_on() for fold in folds])[order]
            if all(fold.ended for fold in folds):
                reason = "no booster without a fold found another rule"
                break
            scores.append(score(said))
            reason = best.add(len(scores), scores[-1])
            if bar is not None:
                bar(folds[0].run.state, folds[0].run.history)
    finally:
        if bar is not None:
            bar.close()
    return Found(max(best.number, 1), scores, reason or ALL_DONE, made.how)
