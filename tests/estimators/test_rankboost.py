"""RankBoost against a list of all pairs, against AdaBoost, and with hostile queries."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.metrics import average_precision_score, ndcg_score, roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from tests.core.shards import fit_on
from tests.twins.rankboost import all_pairs, pair_loss, rankboost, rankboost_plus
from underdog import AdaBoostClassifier, RankBoostRanker, load
from underdog.core.queries import Segments
from underdog.estimators.support import rank_measures
from underdog.estimators.support.ranker import Ranker
from underdog.estimators.support.relevance import Relevance
from underdog.learners import TreeLearner

STEPS = ("best", "line_search", "bound")


def problem(rows=70, queries=6, grades=4, seed=0):
    """Numbers with holes, grades that depend on two columns, and queries in no order."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)).round(1)
    y = np.clip(np.rint(X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=rows) + 1.5), 0, grades - 1)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y, rng.integers(0, queries, rows)


def same_up_to_a_constant(mine, wanted, atol=1e-9):
    difference = np.asarray(mine) - np.asarray(wanted)
    assert np.ptp(difference, axis=-1).max() < atol


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("learner", ["real", "discrete"])
def test_it_is_rankboost_on_all_pairs(learner, step):
    X, y, query = problem()
    pairs = all_pairs(y, query)
    rate, smooth = 0.7, 0.01
    parameters = {"learner": learner, "learning_rate": rate, "smoothing": smooth}
    model = RankBoostRanker(step=step, n_estimators=8, **parameters).fit(X, y, qid=query)
    scores, z = rankboost(X, pairs, None, learner, 8, rate, smooth, step == "bound")
    same_up_to_a_constant(list(model.staged_predict(X)), scores)
    np.testing.assert_allclose(model.history_["z"], z, rtol=1e-9)
    np.testing.assert_allclose(model.history_["loss"], np.cumprod(z), rtol=1e-9)
    listed = RankBoostRanker(step=step, n_estimators=8, **parameters).fit(X, pairs=pairs[:, ::-1])
    same_up_to_a_constant(listed.predict(X), scores[-1])
    assert listed.certificate_["pair_loss"] == pair_loss(scores[-1], pairs)


@pytest.mark.parametrize("missing", [True, False])
def test_it_is_rankboost_plus_on_all_pairs(missing):
    X, y, query = problem(40, queries=3)
    X = X if missing else np.nan_to_num(X)
    scores, objective = rankboost_plus(X, all_pairs(y, query), 40)
    model = RankBoostRanker(step="plus", n_estimators=40, smoothing=0.0).fit(X, y, qid=query)
    same_up_to_a_constant(list(model.staged_predict(X)), scores, 1e-7)
    np.testing.assert_allclose(model.history_["loss"], objective, rtol=1e-9)
    assert (np.diff(objective) < 0.0).all()
    assert model.certificate_["pair_loss"] <= objective[-1]
    tests = [member.hypothesis.test for member in model.model_.members]
    assert len({(test.column, test.inside.tobytes()) for test in tests}) < len(tests)
    part = RankBoostRanker(step="plus", n_estimators=25, smoothing=0.0, warm_start=True)
    part.fit(X, y, qid=query).set_params(n_estimators=40).fit(X, y, qid=query)
    assert np.array_equal(part.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="step='plus' is for stumps that vote"):
        RankBoostRanker(step="plus", learner="tree").fit(X, y, qid=query)


@pytest.mark.parametrize("smoothing", [None, 0.0, 0.1])
@pytest.mark.parametrize("rate", [0.3, 0.5, 1.0, 1.5])
def test_rankboost_plus_falls_in_every_round_until_there_is_nothing_to_gain(rate, smoothing):
    X, y, query = problem(60, queries=4)
    X = np.nan_to_num(X[:, :2]).round()
    model = RankBoostRanker(
        step="plus", n_estimators=1_000, learning_rate=rate, smoothing=smoothing
    )
    loss = model.fit(X, y, qid=query).history_["loss"]
    assert "does not lower the loss" in model.stop_reason_
    assert (np.diff(np.append(1.0, loss)) < 0.0).all()
    assert (model.history_["z"] < 1.0).all()
    _, objective = rankboost_plus(X, all_pairs(y, query), 500)
    assert loss[-1] == pytest.approx(objective[-1], rel=1e-7)


def test_rankboost_plus_says_that_steps_go_too_far():
    X, y, query = problem()
    model = RankBoostRanker(step="plus", n_estimators=9, learning_rate=2.5).fit(X, y, qid=query)
    assert "by more than rounding: use a learning_rate below 2" in model.stop_reason_


def test_rankboost_plus_falls_on_many_sparse_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 60)).round(2) * (rng.random((800, 60)) < 0.3)
    score = X[:, :8].sum(axis=1) + rng.normal(size=800)
    y, query = np.digitize(score, [0.5, 1.5, 2.5]), rng.integers(0, 60, 800)
    model = RankBoostRanker(step="plus", n_estimators=100, learning_rate=0.5)
    model.fit(sp.csr_array(X), y, qid=query)
    assert model.n_iter_ == 100
    assert (np.diff(np.append(1.0, model.history_["loss"])) < -1e-6).all()


@pytest.mark.parametrize("step", [*STEPS, "plus"])
@pytest.mark.parametrize("X", [np.ones((4, 1)), np.eye(4)[:, :1]], ids=["no test", "no edge"])
def test_nothing_to_learn(step, X):
    pairs = [[0, 1], [1, 0], [2, 3]]
    model = RankBoostRanker(step=step, n_estimators=3, warm_start=True).fit(X, pairs=pairs)
    assert "the model is a constant" in model.stop_reason_
    assert model.fit(X, pairs=pairs).predict(X).tolist() == [0.0] * 4
    model.set_params(n_estimators=4).fit(X, pairs=pairs)
    assert model.certificate_["pair_loss"] == 1.0


def test_weights_of_rows_and_queries():
    X, y, query = problem()
    pairs, rng = all_pairs(y, query), np.random.default_rng(3)
    u, w = rng.uniform(0.2, 3.0, len(y)), rng.uniform(0.2, 3.0, 6)[query]
    each = np.bincount(query[pairs[:, 0]], u[pairs].prod(axis=1))[query]
    given = {"smoothing": 0.01, "n_estimators": 6}
    for weighting, share in (("pairs", 1.0), ("queries", each)):
        model = RankBoostRanker(weighting=weighting, **given)
        model.fit(X, y, u, qid=query, query_weight=w)
        wanted, _ = rankboost(X, pairs, ((w / share) * u)[pairs[:, 0]] * u[pairs[:, 1]],
                              rounds=6, smooth=0.01)  # fmt: skip
        same_up_to_a_constant(model.predict(X), wanted[-1])


@pytest.mark.parametrize("learner", ["real", TreeLearner(max_depth=3, min_samples_leaf=30)])
def test_two_grades_in_one_query_are_balanced_adaboost(learner):
    """While there are both classes in every block: those of one have no finite best value."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 5, (600, 3)).astype(float)
    y = (X[:, 0] + X[:, 1] + 4.0 * rng.normal(size=600) > 6.0).astype(int)
    parameters = {"learner": learner, "n_estimators": 10, "smoothing": 0.0}
    mine = RankBoostRanker(**parameters).fit(X, y)
    other = AdaBoostClassifier(class_weight="balanced", **parameters).fit(X, y)
    same_up_to_a_constant(mine.predict(X), other.decision_function(X), 1e-8)
    np.testing.assert_allclose(mine.history_["z"], other.history_["z"] ** 2, rtol=1e-9)


def test_leaves_say_what_is_best_for_all_pairs():
    X, y, query = problem(90)
    pairs, e = all_pairs(y, query), 0.02
    tree = TreeLearner(max_depth=3)
    model = RankBoostRanker(learner=tree, n_estimators=1, smoothing=e).fit(X, y, qid=query)
    said, leaf = np.unique(model.predict(X), return_inverse=True)
    below, above = leaf[pairs].T

    def loss(values):
        apart = np.exp(values[:, None] - values[None]).sum() - len(values)
        return np.exp(values[below] - values[above]).mean() + e * apart

    found = minimize(loss, np.zeros(len(said)), tol=1e-12).x
    assert len(said) > 4
    np.testing.assert_allclose(said, found - found.mean(), atol=1e-5)
    assert abs(said.sum()) < 1e-9


@pytest.mark.parametrize("learner", ["real", "discrete", "tree"])
@pytest.mark.parametrize("step", STEPS)
def test_the_pair_loss_is_below_the_product_of_z(learner, step):
    X, y, query = problem(120)
    pairs = all_pairs(y, query)
    model = RankBoostRanker(learner=learner, step=step, n_estimators=10).fit(X, y, qid=query)
    bound = np.cumprod(model.history_["z"])
    np.testing.assert_allclose(model.history_["loss"], bound, rtol=1e-9)
    assert (model.history_["z"] < 1.0).all()
    for scores, own in zip(model.staged_predict(X), bound, strict=True):
        assert pair_loss(scores, pairs) <= own
    assert model.certificate_["pair_loss"] == pytest.approx(pair_loss(scores, pairs))
    assert model.certificate_["training_loss"] == pytest.approx(bound[-1])


@pytest.mark.parametrize("learner", ["real", "tree"])
def test_order_names_repeats_and_storage_change_no_bit(learner, monkeypatch):
    X, y, query = problem()
    X, rng = np.nan_to_num(X), np.random.default_rng(2)
    times, order = rng.integers(1, 4, len(y)), rng.permutation(len(y))
    make = RankBoostRanker(learner=learner, n_estimators=5, weighting="queries").fit
    wanted = make(X, y, times, qid=query).predict(X)
    again = np.repeat(order, times[order])
    names = np.array(list("fedcba"))[query]
    assert np.array_equal(make(X[again], y[again], qid=names[again]).predict(X), wanted)
    sparse = make(sp.csr_array(X), y, times, qid=query)
    assert np.array_equal(sparse.predict(sp.csr_array(X)), wanted)
    by_query = np.lexsort((y, query))
    sizes = np.bincount(query)
    grouped = make(X[by_query], 7.5 * y[by_query] - 3.0, times[by_query], group=sizes)
    assert np.array_equal(grouped.predict(X), wanted)
    fit_on(monkeypatch, 2)
    with pytest.raises(ValueError, match="a query has rows on several shards"):
        make(X, y, times, qid=query)


def test_queries_of_one_grade_are_left_out_and_counted():
    X, y, query = problem()
    rest = np.isin(query, [0, 1, 2, 3])
    y[~rest] = 2.0
    model = RankBoostRanker(n_estimators=4).fit(X, y, qid=query)
    without = RankBoostRanker(n_estimators=4).fit(X[rest], y[rest], qid=query[rest])
    assert np.array_equal(model.predict(X), without.predict(X))
    assert (model.n_queries_, model.n_dropped_queries_) == (4, 2)
    assert "2 of 6 queries had one grade only" in model.describe()


def test_rows_of_weight_0_are_not_counted():
    X, y, query = problem()
    y[query == 1] = 2.0
    model = RankBoostRanker(n_estimators=4)
    own = np.where(query == 0, 0.0, np.where(query == 2, 3.0, 1.0))
    model.fit(X, y, qid=query, query_weight=own)
    assert (model.n_queries_, model.n_dropped_queries_) == (4, 1)
    assert "1 of 5 queries had one grade only" in model.describe()
    rest = query > 0
    wanted = RankBoostRanker(n_estimators=4, smoothing=1.0 / np.isin(query, [2, 3, 4, 5]).sum())
    wanted.fit(X[rest], y[rest], qid=query[rest], query_weight=own[rest])
    assert np.array_equal(model.predict(X), wanted.predict(X))
    model.fit(X, y, rest.astype(int), qid=query)
    assert (model.n_queries_, model.n_dropped_queries_) == (4, 1)


def test_two_fits_sort_their_rows_at_the_same_time(monkeypatch):
    """The lock of `functools.cached_property` is that of all instances on Python 3.11."""
    sort, both = Segments.of, threading.Barrier(2, timeout=60)

    def meet(query, grade):
        both.wait()
        return sort(query, grade)

    monkeypatch.setattr(Segments, "of", meet)
    given = [Relevance(np.arange(3.0), np.zeros(3, dtype=int)) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda relevance: relevance.segments, given))
    assert [own.order.tolist() for own in found] == [[0, 1, 2]] * 2
    assert given[0].segments is found[0]


def test_the_measures_are_those_of_scikit_learn():
    _, y, query = problem()
    scores = np.random.default_rng(4).normal(size=len(y)).round(1)
    each = [query == number for number in range(6)]
    wanted = [ndcg_score([2.0 ** y[own] - 1], [scores[own]]) for own in each]
    assert rank_measures.ndcg(y, scores, query) == pytest.approx(np.mean(wanted))
    wanted = [ndcg_score([2.0 ** y[own] - 1], [scores[own]], k=3) for own in each]
    assert rank_measures.ndcg(y, scores, query, 3) == pytest.approx(np.mean(wanted))
    wanted = [average_precision_score(y[own] > 0, scores[own]) for own in each]
    assert rank_measures.mean_average_precision(y, scores, query) == pytest.approx(np.mean(wanted))
    assert rank_measures.pair_loss(y, scores, query) == pair_loss(scores, all_pairs(y, query))
    two, ones = (y > 1).astype(float), np.zeros(len(y), dtype=int)
    apart = scores + 1e-6 * np.arange(len(y))
    loss = rank_measures.pair_loss(two, apart, ones)
    assert loss == pytest.approx(1.0 - roc_auc_score(two, apart))


@pytest.mark.parametrize("scoring", ["auto", "ndcg@5", "map", "pair_loss"])
@pytest.mark.parametrize("cv", [None, 3])
def test_early_stopping_holds_out_whole_queries(scoring, cv, monkeypatch):
    X, y, query = problem(300, queries=40)
    trained, scored = [], []
    target, score = Ranker._make_target, Ranker._make_score
    monkeypatch.setattr(
        Ranker, "_make_target", lambda *given: trained.append(given[1]) or target(*given)
    )
    monkeypatch.setattr(
        Ranker, "_make_score", lambda *given: scored.append(given[2]) or score(*given)
    )
    own = {"early_stopping": True, "validation_fraction": 0.3, "n_iter_no_change": 3, "cv": cv}
    model = RankBoostRanker(n_estimators=30, scoring=scoring, **own).fit(X, y, qid=query)
    assert model.n_iter_ < 30
    assert "kept" in model.stop_reason_
    every, sizes = np.unique(query, return_counts=True)
    without = []
    for rows in trained if cv is None else trained[1:]:  # the first is that of the model itself
        used, there = np.unique(rows.y.query, return_counts=True)
        assert np.array_equal(there, sizes[used])
        without += sorted({*every} - {*used})
    assert len(trained) == (1 if cv is None else cv + 1)
    assert sorted(without) == sorted({*scored[0].y.query})
    assert len(scored[0].y) == sizes[without].sum() >= 0.25 * len(y)
    assert cv is None or sorted(without) == every.tolist()
    order = np.random.default_rng(5).permutation(len(y))
    again = RankBoostRanker(n_estimators=30, scoring=scoring, **own)
    again.fit(X[order], y[order], qid=query[order])
    assert np.array_equal(again.predict(X), model.predict(X))


def test_too_few_queries_to_hold_one_out():
    X, y, query = problem()
    model = RankBoostRanker(n_estimators=3, early_stopping=True, validation_fraction=0.01)
    with pytest.raises(
        ValueError, match=r"0\.01 of 6 queries, which are held out as a whole, is no"
    ):
        model.fit(X, y, qid=query)


def test_validation_rows_have_their_own_queries():
    X, y, query = problem(200)
    model = RankBoostRanker(n_estimators=5)
    model.fit(X[:100], y[:100], qid=query[:100], X_val=X[100:], y_val=y[100:], qid_val=query[100:])
    stages = [
        rank_measures.ndcg(y[100:], own, query[100:]) for own in model.staged_predict(X[100:])
    ]
    np.testing.assert_allclose(model.history_["validation_score"], stages)
    assert model.score(X[100:], y[100:], qid=query[100:]) == stages[-1]


@pytest.mark.parametrize("early", [False, True])
def test_files_and_warm_start(early, tmp_path):
    X, y, query = problem()
    own = {"early_stopping": early, "validation_fraction": 0.4, "n_iter_no_change": 50}
    whole = RankBoostRanker(n_estimators=8, **own).fit(X, y, qid=query)
    part = RankBoostRanker(n_estimators=3, warm_start=True, **own).fit(X, y, qid=query)
    part.save(tmp_path / "model.udg")
    again = load(tmp_path / "model.udg")
    assert (again.n_queries_, again.describe()) == (part.n_queries_, part.describe())
    if not early:
        again.set_params(n_estimators=8).fit(X, y, qid=query)
        assert np.array_equal(again.predict(X), whole.predict(X))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"qid": [0] * 6, "group": [6]}, "qid and group were given"),
        ({"qid": [0] * 5}, r"qid has the shape \(5,\), but there are 6 rows"),
        ({"qid": ["a", None] * 3}, "qid is missing in row 1"),
        ({"qid": [1.0, np.nan] * 3}, "qid is missing in row 1"),
        ({"group": [2, 3]}, "group sums to 5, but there are 6 rows"),
        ({"group": [6, 0]}, "group has 0 rows in query 1"),
        ({"group": [2.5, 3.5]}, "group must be whole numbers"),
        ({"qid": range(6)}, "no two rows of one query have different grades"),
        ({"qid": [[0], [1, 2]] * 3}, "qid must be one id per row"),
        ({"qid": np.array([None, {}] * 3)[1:]}, r"qid has the shape \(5,\)"),
        ({"qid": [{}] * 6}, r"qid has {} in row 0, which cannot be compared with other ids"),
        ({"qid": [(1, 2), "a"] * 3}, r"qid has both \(1, 2\) and 'a': give ids of one type"),
        ({"qid": [1, "1", 2] * 2}, "qid has both 1 and '1': give ids of one type"),
        ({"qid": np.array([1, True] * 3, dtype=object)}, "qid has both 1 and True"),
        ({"query_weight": [1, 1, 1, 2, 1, 1]}, "query_weight is 1 in row 0, and 2 in another row"),
        ({"query_weight": [1, 2]}, r"query_weight has the shape \(2,\), but .* one weight per row"),
        ({"query_weight": np.zeros(6)}, "query_weight is 0 for every row"),
        ({"query_weight": np.eye(6)[0], "qid": [0, 1, 1, 1, 1, 1],
          "sample_weight": [0, 1, 1, 1, 1, 1]}, "sample_weight or query_weight is 0 for every row"),
        ({"qid_val": [0]}, "qid_val was given without y_val"),
        ({"X_val": np.eye(6), "group_val": [6]}, "group_val was given without y_val"),
        ({"pairs": [[0, 6]]}, "pairs have row 6, but there are rows 0 to 5"),
        ({"pairs": [[0, 1], [2, 2]]}, "pair 1 compares row 2 with itself"),
        ({"pairs": [0, 1]}, r"pairs have the shape \(2,\)"),
        ({"y": None}, "requires y to be passed"),
        ({"y": list("aabbab")}, "y must be numbers"),
        ({"X_val": np.eye(6), "y_val": range(6), "group_val": [5]}, "group_val sums to 5"),
    ],
)  # fmt: skip
def test_wrong_queries_are_refused(given, message):
    given = {"y": [0, 1, 0, 1, 0, 1], **given}
    with pytest.raises(ValueError, match=message):
        RankBoostRanker(n_estimators=2).fit(np.eye(6), given.pop("y"), **given)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"step": "worst"}, "step='worst' must be"),
        ({"weighting": "rows"}, "weighting='rows' must be"),
        ({"scoring": "accuracy"}, "scoring='accuracy' is not a measure of rankings"),
        ({"smoothing": -1.0}, "smoothing=-1.0 must be"),
        ({"learner": DecisionTreeClassifier()}, "is of another library"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        RankBoostRanker(**parameters).fit(np.eye(4), [0, 1, 0, 1])


def test_grades_that_ndcg_cannot_count():
    X, y, query = problem()
    model = RankBoostRanker(n_estimators=3).fit(X, y - 5.0, qid=query)
    assert np.array_equal(model.predict(X), model.fit(X, y, qid=query).predict(X))
    with pytest.raises(ValueError, match="y ranges from -5 to -2, but NDCG counts"):
        model.score(X, y - 5.0, qid=query)
    with pytest.raises(ValueError, match=r"from 0 to 60, .* scoring='pair_loss'"):
        model.score(X, np.where(y > 0, 20.0 * y, -0.0), qid=query)


def test_a_monotonic_constraint_is_kept():
    X, y, query = problem()
    learner = TreeLearner(max_depth=2)
    model = RankBoostRanker(learner=learner, n_estimators=10, monotonic_cst=[-1, 0, 0])
    model.fit(X, y, qid=query)
    rows = np.zeros((20, 3))
    rows[:, 0] = np.linspace(-2, 2, 20)
    assert (np.diff(model.predict(rows)) <= 0.0).all()
