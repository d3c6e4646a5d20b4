"""Comparison of regressors on the same folds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from underdog.checks import check_choice
from underdog.comparison.division import divide
from underdog.comparison.fits import Fits
from underdog.comparison.names import MEASURE_OF
from underdog.comparison.number_models import choose_regressors
from underdog.comparison.problem import read_numbers
from underdog.comparison.result import Comparison
from underdog.comparison.trial import NUMBERS


def compare_regressors(
    X: Any,
    y: Any,
    models: Any = None,
    *,
    loss: str | None = None,
    quantiles: Sequence[float] | None = None,
    cv: Any = 5,
    groups: Any = None,
    time: Any = None,
    held_out: Any = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    verbose: int = 0,
) -> Comparison:
    """Compare boosters with a constant, ridge regression and LightGBM on the same folds.

    Parameters
    ----------
    X, y : the data; y are numbers
    models : mapping from names to regressors, or list of names and regressors, optional
        A name is one of "BlendedTrees" (with the settings of `UnderdogRegressor`), "stumps",
        "trees", "more trees", "huber trees", "ridge regression", "LightGBM", and the best constant
        ("mean", "median" or "quantiles", by the measure); by default all that suit. Also
        "AdaBoostR2", "AdaBoostR", "Ridgeway", "SquareLev", "ExpLev" and "HullBoost", which have no
        `loss`, ranked by RMSE or MAE. Regressors are used as they are.
    loss : str, optional
        What boosters minimise; by default the squared error, and Huber's loss for "huber trees".
        Models are ranked by the measure that suits it: RMSE, MAE for "absolute" and "huber", the
        pinball loss for "quantile", the deviance for "poisson".
    quantiles : sequence of float, optional
        For ``loss="quantile"``.
    cv, groups, time, held_out, random_state, n_jobs, checkpoint, verbose
        See `compare`; folds are not stratified.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from underdog import compare_regressors
    >>> found = compare_regressors(*load_diabetes(return_X_y=True), ["mean", "stumps"], cv=3)
    >>> print(found.statement())
    stumps is better than mean in RMSE by 20 (14 to 26).
    """
    if loss is not None:
        check_choice("loss", loss, *MEASURE_OF)
    main = "rmse" if loss is None else MEASURE_OF[loss]
    shares = tuple(quantiles or (0.5,)) if main == "pinball" else None
    problem = read_numbers(X, y, main, shares)
    settings: dict[str, Any] = {} if loss is None else {"loss": loss}
    if shares is not None:
        settings["quantiles"] = shares if len(shares) > 1 else shares[0]
    division = divide(problem, groups, time, held_out)
    chosen = choose_regressors(models, problem, settings, random_state)
    known = division.rows.y
    about = f"{len(known):,} examples, target from {known.min():g} to {known.max():g}"
    found = Fits(problem, chosen, division, division.folds(cv, random_state), NUMBERS, checkpoint)
    return found.compare(main, about, n_jobs, verbose)
