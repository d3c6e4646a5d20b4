"""Why one row stands before another: parts that add up to the difference of the scores."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.estimators.test_rankboost import problem
from underdog import GradientBoostingRegressor, RankBoostRanker
from underdog.inspection import contributions, hardest, rules, shapes

MODELS = {
    "stumps": RankBoostRanker(n_estimators=20),
    "trees": RankBoostRanker(n_estimators=8, learner="tree"),
    "numbers": GradientBoostingRegressor(n_estimators=8),
}


@pytest.mark.parametrize("by", ["column", "rule"])
@pytest.mark.parametrize("name", MODELS)
def test_the_parts_add_up_to_the_difference_bit_for_bit(name, by):
    X, y, query = problem(200)
    asked = {"qid": query} if name != "numbers" else {}
    model = MODELS[name].fit(X, y, **asked)
    scores, why = model.predict(X), contributions(model, X, by=by)
    for row, other in ((0, 1), (17, 5), (33, 150)):
        found = why.before(row, other)
        assert found.difference == scores[row] - scores[other]
        assert found.values.sum() == found.difference
        assert why.before(other, row).difference == -found.difference


def test_what_it_says():
    X = pd.DataFrame({"clicks": [1.0, 2.0, 3.0, 1.0, 4.0, 2.0], "age": [5.0, 4, 9, 2, 7, 1]})
    model = RankBoostRanker(n_estimators=3).fit(X, [0, 1, 2, 0, 2, 1], qid=[0, 0, 0, 1, 1, 1])
    found = contributions(model, X).before(4, 0)
    text = found.text()
    assert text.startswith("row 4 before row 0 (numbered from 0):\n")
    assert text.endswith("total: row 4 stands before row 0")
    assert "clicks > 2.5; row 0: clicks <= 1.5" in text
    stored = json.loads(json.dumps(found.to_dict()))
    assert stored["score"] - stored["score_before"] == stored["difference"]
    assert sum(each["adds"] for each in stored["contributions"]) == stored["difference"]
    assert found.to_frame()["name"].tolist() == [each["name"] for each in stored["contributions"]]
    assert "stands before" in found._repr_html_()
    assert "have the same score" in contributions(model, X).before(4, 4).text()
    with pytest.raises(ValueError, match="other=9"):
        contributions(model, X).before(0, 9)


def test_other_explanations_of_a_ranker():
    X, y, query = problem()
    model = RankBoostRanker(n_estimators=5).fit(X, y, qid=query)
    assert "ranking" in repr(rules(model))
    assert shapes(model).to_dict()
    why = contributions(model, X[:3])
    assert "row 1 (numbered from 0), score:" in why.text(1)
    np.testing.assert_array_equal(why.scores[:, 0], model.predict(X[:3]))
    with pytest.raises(TypeError, match="compares rows, so a single row has no loss"):
        hardest(model, X, y)
