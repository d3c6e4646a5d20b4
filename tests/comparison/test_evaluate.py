"""Measures with intervals, and subgroups."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from underdog import AdaBoostClassifier, Costs, GradientBoostingRegressor, evaluate
from underdog.comparison.subgroups import divided

RANDOM = np.random.RandomState(0)
X = pd.DataFrame({"x": RANDOM.randn(600), "site": RANDOM.choice(["north", "south"], 600)})
NOISE = np.where(X["site"] == "south", 3.0, 0.3)
Y = np.where(X["x"] + NOISE * RANDOM.randn(600) > 0, "yes", "no")


@pytest.fixture(scope="module")
def model():
    return AdaBoostClassifier(n_estimators=5).fit(X[["x"]], Y)


def test_a_subgroup_that_is_worse(model):
    found = evaluate(model, X[["x"]], Y, by={"site": X["site"]}, costs=Costs(fn=5, fp=1))
    assert "ROC AUC is lower for site = south" in found.statement()
    assert [group.level for group in found.groups] == list(X["site"].value_counts().index)
    assert sum(group.rows for group in found.groups) == 600
    south = next(group for group in found.groups if group.level == "south")
    assert south.base["base_rate"] == np.mean(Y[X["site"] == "south"] == "yes")
    assert "site" in found.text()
    assert found.to_dict()["measures"]["cost"]["low"] < found.measures["cost"].value
    frame = found.to_frame()
    assert len(frame) == sum(map(len, [found.measures, *(g.measures for g in found.groups)]))
    assert "<table>" in found._repr_html_()


def test_chance_is_not_a_difference(model):
    found = evaluate(model, X[["x"]], Y, by={"coin": RANDOM.rand(600) < 0.5})
    assert found.statement() == "No subgroup differs from the others in ROC AUC by more than noise."


def test_few_rows_say_so(model):
    few = np.flatnonzero(Y == "yes")[:4].tolist() + np.flatnonzero(Y == "no")[:20].tolist()
    found = evaluate(model, X[["x"]].iloc[few], Y[few], by={"site": X["site"].iloc[few]})
    assert "class 'yes' has only 4 rows, fewer than 10" in found.notes[0]
    assert found.statement() == "There are too few rows to compare subgroups in ROC AUC."


def test_models_of_other_libraries():
    found = evaluate(LogisticRegression().fit(X[["x"]], Y), X[["x"]], Y, pos_label="no")
    assert found.measures["roc_auc"].has_interval
    y = X["x"] + RANDOM.randn(600)
    found = evaluate(LinearRegression().fit(X[["x"]], y), X[["x"]], y, by="x")
    assert len(found.groups) == 4
    assert "MAE" in found.text()


def test_what_cannot_be_measured(model):
    with pytest.raises(ValueError, match="pos_label='maybe' is not a class"):
        evaluate(model, X[["x"]], Y, pos_label="maybe")
    with pytest.raises(ValueError, match="there is no column 'sight'"):
        evaluate(model, X, Y, by="sight")
    with pytest.raises(ValueError, match="by='site' names columns, but X is a ndarray"):
        evaluate(model, X[["x"]].to_numpy(), Y, by="site")
    with pytest.raises(ValueError, match="has 3 values, but there are 600 rows"):
        evaluate(model, X[["x"]], Y, by={"site": [1, 2, 3]})
    regressor = GradientBoostingRegressor(n_estimators=2).fit(X[["x"]], X["x"])
    with pytest.raises(ValueError, match="costs are for classes"):
        evaluate(regressor, X[["x"]], X["x"], costs=Costs(fn=2, fp=1))


def test_levels():
    names = dict(divided([f"level {i}" for i in range(12)] * 2 + ["level 0"]))
    assert next(iter(names)) == "level 0"
    assert len(names) == 11
    assert len(names["other"]) == 4
    numbers = divided(np.array([*range(50), *[np.nan] * 3]))
    assert [len(rows) for _, rows in numbers] == [13, 12, 12, 13, 3]
    assert [name for name, _ in divided([1.0, 2.0, np.nan])] == ["1", "2", "missing"]
    skewed = divided(np.array([0.0] * 90 + list(range(1, 21))))
    assert [len(rows) for _, rows in skewed] == [90, 20]
