"""Comparison of models on the same folds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from underdog.checks import check_integer, to_python
from underdog.comparison.checkpoint import Checkpoint, fingerprint_of, finished_in
from underdog.comparison.folds import Fold, make_folds
from underdog.comparison.measures import main_measure
from underdog.comparison.models import Entrant, choose_models
from underdog.comparison.problem import Problem, read_problem
from underdog.comparison.progress import ProgressReport
from underdog.comparison.result import Comparison
from underdog.comparison.trial import Row, trial
from underdog.costs import Costs


def compare(
    X: Any,
    y: Any,
    models: Any = None,
    *,
    costs: Costs | None = None,
    cv: Any = 5,
    pos_label: Any = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    verbose: int = 0,
) -> Comparison:
    """Compare boosters and baselines on the same folds.

    Parameters
    ----------
    X : array, sparse matrix, data frame or Table of shape (n, d)
        Category columns are the text and category columns of a data frame, or those of a Table.
    y : array of shape (n,)
    models : mapping from names to classifiers, or list of names and classifiers, optional
        A name is that of a booster without "Classifier", "CalibratedAdaMEC", "logistic regression"
        or "LightGBM". By default, for two classes, AdaBoost, AdaUBoost, LPUBoost, CalibratedAdaMEC,
        GradientBoosting (unless X has sparse columns), logistic regression and, if it is installed,
        LightGBM; for more classes AdaBoostMH and the last three. Models given by name use `costs`
        and `pos_label`; classifiers are used as they are. Logistic regression (on standardised
        columns) and LightGBM do not support categories, and logistic regression does not support
        missing values; they are then left out, with a warning.
    costs : Costs, optional
        Costs of predictions; may have costs for each row of X.
    cv : int, splitter or iterable, default=5
        A number stands for stratified and shuffled folds. A number larger than the smallest class
        is reduced to its size, with a warning.
    pos_label : label, optional
        The positive class of a binary problem; by default the last in sorted order.
    random_state : int, RandomState or None, default=0
        Seed for the folds and for LightGBM.
    n_jobs : int, optional
        Number of processes that fit models in parallel. The times are longer then. The first fit of
        a process may have to load or compile kernels, which is included.
    checkpoint : path, optional
        A JSON lines file for finished fits. After an interruption, repeat the same call to
        continue. A file of another comparison is refused. Failed fits are tried again.
    verbose : int, default=0
        1 shows the progress on standard error.

    Returns
    -------
    Comparison
        `text()` is a table; the documentation of `Comparison` explains the measures. If a model
        fails in a fold, the table has the error.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import compare
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = compare(X, y, ["AdaBoost", "logistic regression"], cv=3, pos_label=0)
    >>> found.models
    ['logistic regression', 'AdaBoost']
    >>> print(found.statement())
    there is no difference larger than noise between logistic regression and AdaBoost.
    """
    if n_jobs is not None:
        check_integer("n_jobs", n_jobs, -(2**31))
    problem = read_problem(X, y, costs, pos_label)
    chosen = choose_models(models, problem, random_state)
    folds = make_folds(cv, problem.y, random_state)
    kept = None
    if checkpoint is not None:
        kept = Checkpoint(checkpoint, fingerprint_of(problem, folds, chosen))
    rows = _trials(problem, chosen, folds, kept, n_jobs, verbose)
    ratio = sum(len(test) for _, test in folds) / sum(len(train) for train, _ in folds)
    measure = main_measure(len(problem.classes), problem.costs)
    return Comparison(rows, measure, ratio, _about(problem))


def _trials(
    problem: Problem,
    models: Mapping[str, Entrant],
    folds: Sequence[Fold],
    kept: Checkpoint | None,
    n_jobs: int | None,
    verbose: int,
) -> list[Row]:
    """Every model on every fold; those in the checkpoint are not fitted again."""
    pairs = [(name, fold) for fold in range(len(folds)) for name in models]
    done = {(row["model"], row["fold"]): row for row in (kept.rows if kept else [])}
    missing = [pair for pair in pairs if pair not in done]
    work = (delayed(trial)(name, models[name], i, folds[i], problem) for name, i in missing)
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
            raise KeyboardInterrupt("stopped before a fit was finished: nothing is saved") from None
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


def _about(problem: Problem) -> str:
    rows = f"{len(problem.y):,} examples"
    if not problem.binary:
        return f"{rows} of {len(problem.classes)} classes"
    positive = problem.true == problem.positive
    return f"{rows}, {positive.sum():,} of class {to_python(problem.classes[problem.positive])!r}"
