"""Comparison of models on the same folds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from underdog.checks import check_integer, to_python
from underdog.comparison.division import divide
from underdog.comparison.fits import Fits
from underdog.comparison.measures import main_measure
from underdog.comparison.models import choose_models, refuse_regressors
from underdog.comparison.problem import Problem, read_problem
from underdog.comparison.result import Comparison
from underdog.comparison.trial import CLASSES
from underdog.costs import Costs
from underdog.decisions.out_of_fold import folds as enough_folds
from underdog.types import Integers


def compare(
    X: Any,
    y: Any,
    models: Any = None,
    *,
    costs: Costs | None = None,
    cv: Any = 5,
    groups: Any = None,
    time: Any = None,
    held_out: Any = None,
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
        or "LightGBM". By default, for two classes, BlendedTrees, AdaBoost, AdaUBoost, LPUBoost,
        CalibratedAdaMEC, GradientBoosting (unless X has sparse columns), logistic regression and,
        if it is installed, LightGBM; for more classes BlendedTrees, AdaBoostMH and the last three.
        Models given by name use `costs` and `pos_label`; classifiers are used as they are.
        BlendedTrees has the settings of `UnderdogClassifier`. Logistic regression has standardised
        numbers, missing ones as means. For it and LightGBM each level of a category is a column.
    costs : Costs, optional
        Costs of predictions; may have costs for each row of X.
    cv : int, splitter or iterable, default=5
        A number stands for stratified folds, drawn by the contents of the rows and not by their
        order. It is reduced to the size of the smallest class, with a warning.
    groups : array of shape (n,), optional
        Rows with the same value, such as those of a patient, are in the same fold.
    time : array of shape (n,), optional
        Numbers or dates. Of cv + 1 consecutive blocks, each but the first is tested after training
        on all earlier ones. Rows of the same time are in the same block.
    held_out : mask or positions of rows, optional
        In no fold: every model is measured on them once, after training on all others.
    pos_label : label, optional
        The positive class of a binary problem; by default the last in sorted order.
    random_state : int, RandomState or None, default=0
        Seed for the folds and for LightGBM.
    n_jobs : int, optional
        Number of processes that fit models in parallel. The times are longer then.
    checkpoint : path, optional
        A JSON lines file for finished fits. After an interruption, repeat the same call to
        continue. A file of another comparison is refused. Failed fits are tried again.
    verbose : int, default=0
        1 shows the progress on standard error.

    Returns
    -------
    Comparison
        `text()` is a table, also of errors; see `Comparison` for the measures.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import compare
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = compare(X, y, ["AdaBoost", "logistic regression"], cv=3, pos_label=0)
    >>> print(found.statement())
    there is no difference larger than noise between logistic regression and AdaBoost.
    """
    if n_jobs is not None:
        check_integer("n_jobs", n_jobs, -(2**31))
    refuse_regressors(models)  # before y, which is not of classes either
    problem = read_problem(X, y, costs, pos_label)
    division = divide(problem, groups, time, held_out)
    chosen = choose_models(models, problem, random_state)
    if groups is None and time is None:
        cv = enough_folds(cv, division.rows.y, "add examples of this class, or leave the class out")
    measure = main_measure(len(problem.classes), problem.costs)
    found = Fits(problem, chosen, division, division.folds(cv, random_state), CLASSES, checkpoint)
    return found.compare(measure, _about(problem, division.known), n_jobs, verbose)


def _about(problem: Problem, known: Integers) -> str:
    rows = f"{len(known):,} examples"
    if not problem.binary:
        return f"{rows} of {len(problem.classes)} classes"
    positive = problem.true[known] == problem.positive
    return f"{rows}, {positive.sum():,} of class {to_python(problem.classes[problem.positive])!r}"
