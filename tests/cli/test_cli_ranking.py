"""Rankings on the command line: every command."""

import json

import numpy as np
import polars as pl
import pytest

import underdog
from underdog.estimators.support.rank_measures import ndcg, pair_loss

FAST = ["--n-estimators", "8", "--cv", "3"]
COMPARING = ["compare", "results.csv", "-t", "relevance", "--query", "qid", "--cv", "3"]
RANKING = ["train", "results.csv", "--target", "relevance", "--query", "qid", *FAST]

SAME_FOLD = "Rows of the same query are in the same fold (30 queries)."


def table(queries=30, seed=0):
    """Queries by name in no order, two numbers and a category; one query has one grade."""
    rng = np.random.default_rng(seed)
    rows = 6 * queries
    query = rng.permutation(np.repeat(np.arange(queries), 6))
    clicks, age = rng.normal(size=(2, rows))
    kind = rng.integers(3, size=rows)
    grade = np.clip(np.rint(clicks + (kind == 1) + 0.5 * rng.normal(size=rows) + 1), 0, 3)
    grade[query == 3] = 1
    return pl.DataFrame({
        "qid": [f"q{number}" for number in query],
        "clicks": clicks, "age": age, "kind": ["uvw"[i] for i in kind],
        "relevance": grade.astype(int),
    })  # fmt: skip


@pytest.fixture
def results(program):
    """A folder with results.csv and a model of it."""
    program.write("results.csv", table().write_csv())
    program.run(*RANKING)
    return program


def printed(program, *command):
    return json.loads(program.run(*command, "--json").stdout)


def test_training_keeps_queries_together_and_measures_the_order(results):
    found = results.run(*RANKING, "--force")
    assert "qid: 30 queries (left out: 1 with one grade only)" in found.stderr
    assert SAME_FOLD in found.stdout
    for part in ("NDCG", "NDCG@10", "MAP", "pair loss", "any order", "Models are ranked by NDCG"):
        assert part in found.stdout
    summary = printed(results, *RANKING, "--force")
    assert (summary["task"], summary["query"]) == ("ranking", "qid")
    assert (summary["queries"], summary["queries_of_one_grade"]) == (30, 1)
    own, anyhow = summary["measures"], summary["baseline"]["measures"]
    assert own["ndcg"]["mean"] > anyhow["ndcg"]["mean"]
    assert own["pair_loss"]["mean"] < 0.5 < anyhow["pair_loss"]["mean"] == 1.0


def test_predictions_and_measures(results):
    frame, model = table(), underdog.load("model.udg")
    scores = model.predict(frame)
    rows = printed(results, "predict", "model.udg", "results.csv")["rows"]
    assert [row["score"] for row in rows] == scores.tolist()
    first = frame["qid"].to_numpy() == "q5"
    best = np.flatnonzero(first)[np.argmax(scores[first])]
    assert rows[best]["rank"] == 1
    grade = frame["relevance"].to_numpy().astype(float)
    query = np.unique(frame["qid"].to_numpy(), return_inverse=True)[1]
    measures = printed(results, "evaluate", "model.udg", "results.csv")["measures"]
    assert measures["ndcg"] == ndcg(grade, scores, query)
    assert measures["pair_loss"] == pair_loss(grade, scores, query)
    results.write("new.csv", frame.drop("qid", "relevance").write_csv())
    assert "rank" not in printed(results, "predict", "model.udg", "new.csv")["rows"][0]


def test_why_a_row_stands_before_another(results):
    rows = printed(results, "predict", "model.udg", "results.csv")["rows"]
    asked = ["explain", "model.udg", "results.csv", "--row", "17", "--before", "5"]
    found = printed(results, *asked)
    assert (found["row"], found["before"]) == (17, 5)
    assert found["difference"] == rows[16]["score"] - rows[4]["score"]
    assert sum(each["adds"] for each in found["contributions"]) == found["difference"]
    text = results.run(*asked).stdout
    assert "row 17 before row 5, difference of the scores:" in text
    assert "stands before" in text
    assert "score" in results.run("explain", "model.udg", "results.csv", "--row", "2").stdout
    assert "puts rows with a higher score first" in results.run("explain", "model.udg").stdout
    assert "ranking" in results.run("inspect", "model.udg").stdout


def test_measures_have_intervals_and_subgroups(results):
    asked = ["evaluate", "model.udg", "results.csv", "--by", "kind"]
    found = printed(results, *asked)
    for name, (low, high) in found["intervals"].items():
        assert low < found["measures"][name] < high
    assert found["queries"] == 30
    levels = {group["level"]: group for group in found["groups"]}
    frame, model = table(), underdog.load("model.udg")
    own = (frame["kind"] == "u").to_numpy()
    query = np.unique(frame["qid"].to_numpy(), return_inverse=True)[1][own]
    grade, scores = frame["relevance"].to_numpy().astype(float)[own], model.predict(frame)[own]
    assert levels["u"]["measures"]["ndcg"]["value"] == ndcg(grade, scores, query)
    assert levels["u"]["measures"]["pair_loss"]["value"] == pair_loss(grade, scores, query)
    text = results.run(*asked).stdout
    assert "95% confidence intervals in parentheses" in text
    assert "Rows are compared with rows of the same query and subgroup." in text
    asked[2] = "few.csv"
    results.write("few.csv", frame.filter(pl.col("qid").is_in(["q1", "q2"])).write_csv())
    assert "only 2 queries can be ranked, fewer than 10" in results.run(*asked[:3]).stdout


def test_rankers_are_compared_on_folds_of_whole_queries(results):
    models = ["-m", "rankboost", "-m", "any order", "-m", "LightGBM"]
    found = printed(results, *COMPARING, *models)
    assert found["main_measure"] == "ndcg"
    assert set(found["models"]) == {"stumps", "any order", "LightGBM"}
    assert "stumps is better than any order in NDCG" in found["statement"]
    assert found["folds_by"] == SAME_FOLD
    assert found["models"]["any order"]["pair_loss"]["mean"] == 1.0
    assert "Models are ranked by NDCG" in results.run(*COMPARING, "-m", "trees").stdout


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([*RANKING, "--group", "kind"], "--query makes the folds: leave --group out"),
        ([*RANKING[:4], "--query", "relevance"], "--query relevance is the target"),
        ([*RANKING, "--number", "qid"], "--query qid: this column is not a feature"),
        ([*COMPARING[:4], "--query", "relevance"], "--query relevance is the target"),
        ([*RANKING, "--cost", "fn=2"], "--cost is not for rankings"),
        ([*RANKING, "--task", "classification"], "--query ranks rows"),
        ([*RANKING, "--model", "adaboost"], "--model adaboost does not rank"),
        (["train", "results.csv", "-t", "relevance", "-m", "rankboost"], "give --query COLUMN"),
        (["explain", "model.udg", "results.csv", "--before", "2"], "--before 2 needs --row: give"),
        (["explain", "model.udg", "results.csv", "--hardest", "2"], "a single row has no loss"),
        (["evaluate", "model.udg", "results.csv", "--cost", "fn=2"], "--cost is not for rankings"),
        ([*COMPARING, "--loss", "huber"], "--loss is not for rankings: leave it or --query out"),
        ([*COMPARING, "--group", "kind"], "--query makes the folds: leave --group out"),
        ([*COMPARING, "--model", "adaboost"], "adaboost does not rank"),
        ([*COMPARING, "--model", "trees", "--task", "classification"], "--query ranks rows"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(results, command, message):
    again = ["--force"] if "train" in command else []
    assert message in results.refused(*command, *again, code=2)


def test_training_without_folds(results):
    found = results.run(*RANKING[:-1], "0", "--force")
    assert "RankBoostRanker with 8 rules" in found.stdout
    assert "same fold" not in found.stdout
    assert "saved model.udg" in found.stderr


def test_a_single_query_is_trained_on_without_folds(program):
    program.write("results.csv", table().filter(pl.col("qid") == "q5").write_csv())
    message = "all rows are of one query, but folds need at least two: --cv 0 trains without folds"
    assert message in program.refused(*RANKING, code=3)
    found = program.run(*RANKING[:-1], "0")
    assert "qid: 1 query\n" in found.stderr
    assert "(1 row)" in found.stderr


def test_what_is_left_out_is_counted(program):
    rows = table().with_columns(w=pl.when(pl.col("qid").is_in(["q5", "q6"])).then(0).otherwise(2))
    program.write("results.csv", rows.write_csv())
    found = program.run(*RANKING, "--weight", "w")
    assert "qid: 30 queries (left out: 1 with one grade only, 2 with weight 0 only)" in found.stderr
    same = rows.with_columns(relevance=-0.01 * pl.col("qid").str.slice(1).cast(int))
    program.write("results.csv", same.write_csv())
    found = program.run(*RANKING, "--force", code=3)
    assert "qid: 30 queries with one grade only" in found.stderr
    assert "column 'qid': no two rows of one query have different grades" in found.stderr
    assert "relevance: 30 grades from -0.29 to 0\n" in found.stderr
    program.write(
        "results.csv", rows.with_columns(relevance=-0.5 * pl.col("relevance")).write_csv()
    )
    assert "-0.5 (" in (found := program.run(*RANKING, "--force").stderr)
    assert " 0 (" in found
    assert "-0 (" not in found
