"""Comparison of rankers on the same folds, which keep queries together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from underdog.comparison.division import divide
from underdog.comparison.fits import Fits
from underdog.comparison.problem import read_queries
from underdog.comparison.rank_evaluator import RankEvaluator
from underdog.comparison.rank_models import choose_rankers
from underdog.comparison.result import Comparison
from underdog.comparison.trial import RANKINGS
from underdog.data.folds import QUERIES


def compare_rankers(
    X: Any,
    y: Any,
    models: Any = None,
    *,
    qid: Any = None,
    group: Any = None,
    cv: Any = 5,
    held_out: Any = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    verbose: int = 0,
) -> Comparison:
    """Compare rankers with LightGBM's, and with no order, on the same folds of whole queries.

    Parameters
    ----------
    X, y : the data; y are the grades of the rows
    models : mapping from names to rankers, or list of names and rankers, optional
        A name is one of "stumps" and "trees" (RankBoost), "listwise trees", "LightGBM" and "any
        order", in which all scores are the same; by default all of them. Rankers are used as they
        are.
    qid, group : the query of each row, or the number of rows of each query
        One of them, as in `RankBoostRanker.fit`. All rows of a query are in the same fold.
    cv, held_out, random_state, n_jobs, checkpoint, verbose
        See `compare`. Models are ranked by NDCG, or by the pair loss if grades are not from 0 to
        30.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog import compare_rankers
    >>> rng = np.random.default_rng(0)
    >>> X, qid = rng.normal(size=(600, 3)), np.repeat(np.arange(60), 10)
    >>> y = np.clip(np.rint(X[:, 0] + 0.5 * rng.normal(size=600) + 1), 0, 3)
    >>> found = compare_rankers(X, y, ["stumps", "any order"], qid=qid)
    >>> print(found.statement())
    stumps is better than any order in NDCG by 0.26 (0.21 to 0.31).
    """
    problem = read_queries(X, y, qid, group)
    division = divide(problem, problem.query, None, held_out)
    division = replace(division, rows=replace(division.rows, whole=QUERIES))
    chosen = choose_rankers(models, problem, random_state)
    known, queries = division.rows.y, len(np.unique(problem.query[division.known]))
    about = (
        f"{len(known):,} examples in {queries:,} queries, grades from {known.min():g} to "
        f"{known.max():g}"
    )
    found = Fits(problem, chosen, division, division.folds(cv, random_state), RANKINGS, checkpoint)
    return found.compare(RankEvaluator.from_grades(problem.y).main, about, n_jobs, verbose)
