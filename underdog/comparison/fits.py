"""Every model on every fold; finished fits may be kept in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from joblib import Parallel, delayed

from underdog.comparison.checkpoint import Checkpoint, fingerprint_of, finished_in
from underdog.comparison.division import Division
from underdog.comparison.models import Entrant
from underdog.comparison.problem import ComparedRows
from underdog.comparison.progress import ProgressReport
from underdog.comparison.result import Comparison
from underdog.comparison.trial import Judge, Row, trial
from underdog.data.folds import Fold, held_out_ratio


class Fits(NamedTuple):
    """What is fitted, how it is measured, and where finished fits are kept."""

    problem: ComparedRows
    models: Mapping[str, Entrant]
    division: Division
    folds: Sequence[Fold]
    judge: Judge
    checkpoint: str | Path | None

    def compare(
        self, main_measure: str, about: str, n_jobs: int | None, verbose: int
    ) -> Comparison:
        """Fit and measure all models."""
        kept = None
        if self.checkpoint is not None:
            fingerprint = fingerprint_of(self.problem, self._all_folds, self.models)
            kept = Checkpoint(self.checkpoint, fingerprint)
        rows = self._trials(kept, n_jobs, verbose)
        count = len(self.models) * len(self.folds)
        ratio, how = held_out_ratio(self.folds), self.division.how
        return Comparison(rows[:count], main_measure, ratio, about, how, rows[count:])

    @property
    def _all_folds(self) -> list[Fold]:
        """The folds and, as a last one, the held-out rows."""
        last = self.division.last
        return [*self.folds, *([] if last is None else [last])]

    def _trials(self, kept: Checkpoint | None, n_jobs: int | None, verbose: int) -> list[Row]:
        """Every model on every fold; those in the checkpoint are not fitted again."""
        folds = self._all_folds
        pairs = [(name, fold) for fold in range(len(folds)) for name in self.models]
        done = {(row["model"], row["fold"]): row for row in (kept.rows if kept else [])}
        work = (
            delayed(trial)(name, self.models[name], i, folds[i], self.problem, self.judge)
            for name, i in pairs
            if (name, i) not in done
        )
        bar = ProgressReport(len(done), len(pairs)) if verbose else None
        try:
            for row in _as_they_come(work, n_jobs):
                done[row["model"], row["fold"]] = row
                if kept is not None:
                    kept.add(row)
                if bar is not None:
                    bar.add(row)
        except KeyboardInterrupt:
            if kept is None:
                raise
            if not (count := finished_in(kept.path)):
                raise KeyboardInterrupt(
                    "stopped before a fit was finished: nothing is saved"
                ) from None
            raise KeyboardInterrupt(
                f"{kept.path} has {count} of {len(pairs)} fits: repeat the call to continue"
            ) from None
        finally:
            if bar is not None:
                bar.close()
        return [done[pair] for pair in pairs]


def _as_they_come(work: Iterator[Any], n_jobs: int | None) -> Iterator[Row]:
    rows: Iterator[Row] = Parallel(n_jobs=1 if n_jobs is None else n_jobs, return_as="generator")(
        work
    )
    return rows
