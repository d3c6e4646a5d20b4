"""The comparison itself: every model on every fold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from underdog.checks import check_integer, to_python
from underdog.comparison.checkpoint import Checkpoint, fingerprint_of, finished_in
from underdog.comparison.folds import make_folds
from underdog.comparison.models import choose_models
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

    F1, average precision and ROC AUC are of the positive class; with more classes they are means
    over the classes, each against the rest (by probabilities where there are some). They do not
    exist in a fold where a class is missing, and that fold is left out of their means. Brier score
    and log loss are of models with probabilities. Size is the number of rules, trees or
    coefficients that are not zero.

    F1 is of the model's own decisions. So is the mean cost per example of a model that decides by
    costs (by its `costs` or a chosen threshold) or that has no probabilities; of others, AdaUBoost
    among them, it is the cost of the decisions with the least expected cost by their probabilities.

    Parameters
    ----------
    X : array, sparse matrix, data frame or Table of shape (n, d)
        Categories are the text and category columns of a frame, or those of a Table.
    y : array of shape (n,)
    models : mapping from names to classifiers, or list of names and classifiers, optional
        A name is that of a booster without "Classifier", "CalibratedAdaMEC", "logistic regression"
        or "LightGBM". By default, for two classes, AdaBoost, AdaUBoost, LPUBoost, CalibratedAdaMEC,
        logistic regression and, if it is installed, LightGBM; for more of them AdaBoostMH, logistic
        regression and LightGBM. Models given by name know `costs` and `pos_label`; classifiers are
        taken as they are. Logistic regression (on standardised numbers) and LightGBM are left out,
        with a warning, if they are named and X has categories, or missing values that logistic
        regression cannot take.
    costs : Costs, optional
        What decisions cost; may have costs for each row of X.
    cv : int, splitter or iterable, default=5
        A number of folds, stratified and shuffled, is reduced, with a warning, to the size of the
        smallest class.
    pos_label : label, optional
        The positive of two classes; by default the last in sorted order.
    random_state : int, RandomState or None, default=0
        For the folds and for LightGBM.
    n_jobs : int, optional
        Processes that work on pairs of model and fold side by side; seconds are longer then. The
        first fit of a process may have to load or compile kernels, which counts as well.
    checkpoint : path, optional
        A JSON lines file for finished pairs of model and fold. After an interruption the same call
        goes on there; a file of another comparison is refused. Pairs that failed are tried again.
    verbose : int, default=0
        1 shows the progress on the standard error stream.

    Returns
    -------
    Comparison
        Prints as a table. A model that fails in a fold has its error there.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import compare
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = compare(X, y, ["AdaBoost", "logistic regression"], cv=3, pos_label=0)
    >>> found.models
    ['logistic regression', 'AdaBoost']
    >>> print(found.statement())
    between logistic regression and AdaBoost no difference larger than noise was found.
    """
    if n_jobs is not None:
        check_integer("n_jobs", n_jobs, -(2**31))
    problem = read_problem(X, y, costs, pos_label)
    chosen = choose_models(models, problem, random_state)
    folds = make_folds(cv, problem.y, random_state)
    pairs = [(name, fold) for fold in range(len(folds)) for name in chosen]
    kept = None
    if checkpoint is not None:
        kept = Checkpoint(checkpoint, fingerprint_of(problem, folds, chosen))
    done = {(row["model"], row["fold"]): row for row in (kept.rows if kept else [])}
    missing = [pair for pair in pairs if pair not in done]
    work = (delayed(trial)(name, chosen[name], i, folds[i], problem) for name, i in missing)
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
            raise KeyboardInterrupt("stopped before a fit was finished: nothing is kept") from None
        raise KeyboardInterrupt(
            f"{kept.path} keeps {count} of {len(pairs)} fits: the same call goes on there"
        ) from None
    finally:
        if bar is not None:
            bar.close()
    ratio = sum(len(test) for _, test in folds) / sum(len(train) for train, _ in folds)
    return Comparison([done[pair] for pair in pairs], _main(problem), ratio, _about(problem))


def _as_they_come(work: Iterator[Any], n_jobs: int | None) -> Iterator[Row]:
    rows: Iterator[Row] = Parallel(n_jobs=1 if n_jobs is None else n_jobs, return_as="generator")(
        work
    )
    return rows


def _main(problem: Problem) -> str:
    if problem.costs is not None:
        return "cost"
    return "average_precision" if problem.binary else "f1"


def _about(problem: Problem) -> str:
    rows = f"{len(problem.y)} examples"
    if not problem.binary:
        return f"{rows} of {len(problem.classes)} classes"
    positive = problem.true == problem.positive
    return f"{rows}, {positive.sum()} of class {to_python(problem.classes[problem.positive])!r}"
