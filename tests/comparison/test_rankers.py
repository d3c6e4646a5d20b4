"""Rankers: intervals by whole queries, subgroups, and comparisons on folds of queries."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from underdog import BoostingRanker, RankBoostRanker, compare_rankers, evaluate
from underdog.comparison.rank_evaluator import RankEvaluator
from underdog.estimators.support.rank_measures import (
    average_precisions,
    mean_average_precision,
    ndcg,
    ndcg_of_queries,
    pair_counts,
    pair_loss,
)


def rows(queries=40, seed=0):
    """X, grades and queries in no order; one query has one grade."""
    rng = np.random.default_rng(seed)
    query = rng.permutation(np.repeat(np.arange(queries), 8))
    X = rng.normal(size=(len(query), 3))
    y = np.clip(np.rint(X[:, 0] + 0.7 * rng.normal(size=len(query)) + 1), 0, 3)
    y[query == 1] = 2
    return X, y, query


def test_measures_are_means_over_queries():
    X, y, query = rows()
    scores = X[:, 0].round(1)  # with ties
    each = ndcg_of_queries(y, scores, query, 5)
    assert np.isnan(each[1])
    assert ndcg(y, scores, query, 5) == pytest.approx(np.nanmean(each), abs=1e-14)
    alone = [ndcg(y[query == q], scores[query == q], query[query == q], 5) for q in (0, 2)]
    assert [each[0], each[2]] == alone
    own = average_precisions(y, scores, query)
    assert mean_average_precision(y, scores, query) == pytest.approx(np.nanmean(own), abs=1e-14)
    wrong, pairs = pair_counts(y, scores, query)
    assert pairs[1] == 0
    assert pair_loss(y, scores, query) == wrong.sum() / pairs.sum()
    here = query == 3
    higher = y[here][:, None] > y[here]
    assert pairs[3] == higher.sum()
    assert wrong[3] == (higher & (scores[here][:, None] <= scores[here])).sum()


def test_a_perfect_order_is_exactly_one():
    _, y, query = rows()
    assert ndcg(y, y, query) == ndcg(y, y + 0.1, query, 3) == 1.0
    assert np.nanmax(ndcg_of_queries(y, y, query)) == 1.0


def test_intervals_draw_whole_queries():
    """They do not depend on the order of rows and queries, and are as wide as theory says."""
    X, y, query = rows(60)
    judge = RankEvaluator.from_grades(y)
    found = judge.estimate(y, X[:, 0], query)
    for estimate in found.values():
        assert estimate.low < estimate.value < estimate.high
    order = np.random.default_rng(1).permutation(len(y))
    assert judge.estimate(y[order], X[order, 0], 100 - query[order]) == found
    # The standard error of a mean over queries.
    each = ndcg_of_queries(y, X[:, 0], query)
    known = each[~np.isnan(each)]
    assert found["ndcg"].error == pytest.approx(known.std() / np.sqrt(len(known)), rel=0.1)
    few = query < 9
    assert not judge.estimate(y[few], X[few, 0], query[few])["ndcg"].has_interval


def test_evaluation_of_a_ranker():
    X, y, query = rows()
    model = RankBoostRanker(n_estimators=10).fit(X, y, qid=query)
    found = evaluate(model, X, y, qid=query, by={"part": query % 2})
    assert [group.level for group in found.groups] == ["0", "1"]
    assert found.measures["ndcg"].value == model.score(X, y, qid=query)
    half = query % 2 == 1
    assert found.groups[1].measures["ndcg"].value == model.score(X[half], y[half], qid=query[half])
    assert "NDCG" in found.statement()
    assert list(found.groups[0].base) == ["queries", "mean_grade"]
    with pytest.raises(ValueError, match="costs are for classes"):
        evaluate(model, X, y, qid=query, costs=object())
    with pytest.raises(ValueError, match="qid and group are for rankers"):
        evaluate(DummyRegressor().fit(X, y), X, y, qid=query)


def test_a_subgroup_without_pairs_has_no_measures():
    X, y, query = rows()
    model = RankBoostRanker(n_estimators=5).fit(X, y, qid=query)
    found = evaluate(model, X, y, qid=query, by={"one grade": np.where(query == 1, "yes", "no")})
    assert found.groups[1].level == "yes"
    assert found.groups[1].measures == {}
    assert "-" in found.text()


def test_rankers_of_any_kind_are_compared():
    X, y, query = rows()
    models = {
        "mine": RankBoostRanker(n_estimators=5, learner="tree"),
        "scaled": make_pipeline(StandardScaler(), BoostingRanker(n_estimators=5)),
        "none": "any order",
    }
    found = compare_rankers(X, y, models, qid=query, cv=4)
    assert set(found.models) == set(models)
    assert not any(found.results["error"])
    mean = found.summary()
    assert mean["mine"]["ndcg"][0] > mean["none"]["ndcg"][0]
    assert mean["none"]["pair_loss"][0] == 1.0
    assert mean["mine"]["size"][0] == 5
    again = compare_rankers(X, y, {"mine": models["mine"]}, qid=query.astype(str), cv=4)
    assert again.summary()["mine"]["ndcg"] == mean["mine"]["ndcg"]


def test_grades_without_gains_are_ranked_by_the_pair_loss():
    X, y, query = rows()
    found = compare_rankers(X, y - 5.5, ["stumps", "LightGBM"], qid=query, cv=3)
    assert found.main_measure == "pair_loss"
    assert "whole grades from 0 to 30" in found.results["error"][1]


@pytest.mark.parametrize(
    ("models", "given", "message"),
    [
        (None, {}, "give qid or group"),
        (["forest"], {"group": [8] * 40}, "there is no model 'forest' for rankings: use one of"),
        ([StandardScaler()], {"group": [8] * 40}, "must be a name or a ranker object"),
        ([RankBoostRanker], {"group": [8] * 40}, "must be a name or a ranker object"),
        ([], {"group": [8] * 40}, "models is empty"),
        (None, {"group": [8] * 39}, "group sums to 312, but there are 320 rows"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(models, given, message):
    X, y, _ = rows()
    with pytest.raises(ValueError, match=message):
        compare_rankers(X, y, models, **given)
