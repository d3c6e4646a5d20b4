"""Results as data frames: all numbers to the last bit, with pandas or polars or neither."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer

from tests.inspection.explained import BOOSTERS, forms, make, targets
from tests.inspection.results import every_result
from underdog import AdaBoostClassifier, AdaBoostMHClassifier
from underdog.inspection import contributions, hardest, history, rules, rules_needed, shapes
from underdog.inspection.frames import make_frame

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")


@pytest.mark.parametrize("name", list(every_result()))
def test_both_libraries_give_the_same(name):
    result = every_result()[name]
    ours, theirs = result.to_frame(), result.to_frame(backend="polars")
    assert isinstance(ours, pd.DataFrame)
    assert isinstance(theirs, pl.DataFrame)
    assert list(ours.columns) == theirs.columns
    for column in theirs.columns:
        left, right = ours[column], theirs[column]
        if right.dtype.is_float():
            np.testing.assert_array_equal(left.to_numpy(float), right.cast(float).to_numpy())
        elif right.dtype != pl.Null:
            missing = left.isna().tolist()
            assert missing == right.is_null().to_list()
            known = [value for value, hole in zip(left, missing, strict=True) if not hole]
            assert known == right.drop_nulls().to_list()


@pytest.mark.parametrize("problem", ["two", "three", "several"])
@pytest.mark.parametrize("by", ["column", "rule"])
def test_contributions_add_up(problem, by):
    X, y = forms()["mixed"], targets()[problem]
    model = AdaBoostMHClassifier(n_estimators=9).fit(X, y)
    why = contributions(model, X, by=by)
    long, wide = why.to_frame(), why.to_frame(wide=True)
    total = long.groupby(["row", "label"], sort=False)["adds"].sum().to_numpy()
    np.testing.assert_array_equal(total, why.scores.ravel())
    np.testing.assert_array_equal(wide["(score)"], why.scores.ravel())
    np.testing.assert_array_equal(wide.iloc[:, 2:-1].sum(axis=1), wide["(score)"])
    assert len(wide) == why.scores.size
    assert wide["label"].tolist() == why.labels * len(why)
    strengths = long[(long["row"] == 3) & (long["name"] != "(baseline)")].groupby("label")["adds"]
    for _, adds in strengths:
        assert adds.abs().tolist() == sorted(adds.abs(), reverse=True)
    first = long[long["name"] != "(baseline)"].iloc[0]
    assert first["is"] == why.words(0, why.names.index(first["name"]))


def test_columns_that_are_called_as_ours():
    X = pd.DataFrame({"row": [1.0, 2, 3, 4] * 5, "label": [1.0, 1, 2, 2] * 5})
    model = AdaBoostClassifier(n_estimators=4).fit(X, [0, 1, 1, 0] * 5)
    frame = contributions(model, X).to_frame(wide=True, backend="polars")
    assert frame.columns[:2] == ["row", "label"]
    assert "row (2)" in frame.columns


@pytest.mark.parametrize("booster", BOOSTERS)
def test_a_model_can_be_computed_from_the_frame_of_its_shapes(booster):
    X, y = forms()["frame"], targets()["two"]
    model = make(booster).fit(X, y)
    frame = shapes(model).to_frame()
    total = np.zeros(len(X))
    for line in frame.to_dict("records"):
        if line["name"] == "(baseline)":
            total += line["adds"]
            continue
        values = X[line["name"]]
        if line["is"].endswith(("missing", "missing or new")):
            inside = values.isna()
        elif line["kind"] == "category":
            inside = values == line["level"]
        else:
            low = -np.inf if np.isnan(line["above"]) else line["above"]
            high = np.inf if np.isnan(line["up_to"]) else line["up_to"]
            inside = (values > low) & (values <= high)
        total += np.where(inside, line["adds"], 0.0)
    np.testing.assert_array_equal(total, model.decision_function(X))


def test_rules_have_a_line_for_each_label():
    X, y = forms()["frame"], targets()["three"]
    model = AdaBoostMHClassifier(n_estimators=5).fit(X, y)
    frame = rules(model).to_frame()
    data = rules(model).to_dict()["rules"]
    assert frame["rule"].tolist() == np.repeat(np.arange(1, 6), 3).tolist()
    for number, line in enumerate(frame.to_dict("records")):
        rule = data[number // 3]
        assert line["question"] == rule["question"]
        assert line["yes"] == rule["yes"][line["label"]]
        assert line["no"] == rule["no"][line["label"]]
        assert line["name"] == rule["name"]
        if "levels" in rule:
            assert line["levels"] == rule["levels"]


def test_a_constant_asks_nothing():
    model = AdaBoostClassifier().fit(np.ones((6, 2)), [0, 1, 1] * 2)
    (line,) = rules(model).to_frame().to_dict("records")
    assert line["question"] == "always"
    assert line["no"] is None
    assert line["name"] is None


def test_hardest_and_needed():
    X, y = forms()["dense"], targets()["several"]
    model = AdaBoostMHClassifier(n_estimators=6).fit(X, y)
    found = hardest(model, X, y, 5)
    assert found.to_frame().to_dict("records") == found.to_dict()["examples"]
    two = AdaBoostClassifier(n_estimators=6).fit(X, targets()["two"])
    assert "label" not in hardest(two, X, targets()["two"], 5).to_frame()
    needed = rules_needed(model, X, y)
    frame = needed.to_frame()
    assert frame["score"].tolist() == needed.scores.tolist()
    assert frame["round"].tolist() == [1, 2, 3, 4, 5, 6]


def test_history_has_a_line_for_each_round():
    X, y = load_breast_cancer(return_X_y=True)
    stopped = {"learner": "discrete", "early_stopping": True, "n_iter_no_change": 8}
    model = AdaBoostClassifier(n_estimators=60, **stopped).fit(X, y)
    found = history(model, feature_names=[f"cell {c}" for c in range(30)])
    frame = found.to_frame()
    assert len(frame) == len(found) == len(model.history_["edge"]) > model.n_iter_
    for name, values in model.history_.items():
        assert frame[name].tolist() == values.tolist()
    assert frame["rule"].notna().sum() == model.n_iter_
    assert frame["rule"][0] == model.model_.members[0].hypothesis.words(found.explained.schema)
    assert found.to_dict()["rules"] == frame["rule"][: model.n_iter_].tolist()
    text = found.text().splitlines()
    assert text[0].startswith(f"{len(found)} rounds of AdaBoostClassifier, {model.n_iter_} rules")
    assert [line.split()[0] for line in text[2:6]] == ["1", "2", "4", "8"]
    assert text[-1] == f"training stopped: {model.stop_reason_}"


def without(monkeypatch, *names):
    """As if these packages were not installed."""
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)


def test_polars_where_there_is_no_pandas(monkeypatch):
    without(monkeypatch, "pandas")
    assert isinstance(make_frame({"a": [1, 2]}), pl.DataFrame)
    with pytest.raises(ImportError, match=r'needs pandas: pip install "underdog\[frames\]"$'):
        make_frame({"a": [1]}, "pandas")


def test_without_either_the_error_says_what_to_install(monkeypatch):
    without(monkeypatch, "pandas", "polars")
    message = r'to_frame\(\) needs pandas or polars: pip install "underdog\[frames\]"$'
    with pytest.raises(ImportError, match=message):
        make_frame({"a": [1, 2]})


def test_other_libraries_are_refused():
    with pytest.raises(ValueError, match="backend='numpy' must be 'pandas' or 'polars'"):
        rules(AdaBoostClassifier().fit([[1], [2]], [0, 1])).to_frame(backend="numpy")


def test_explanations_need_no_library_of_frames():
    code = (
        "import sys; sys.modules.update(pandas=None, polars=None, shap=None)\n"
        "import numpy as np; from underdog import AdaBoostClassifier\n"
        "from underdog.inspection import contributions, hardest, rules, shapes\n"
        "X = np.arange(8.0)[:, None]; y = X[:, 0] > 3\n"
        "model = AdaBoostClassifier(n_estimators=2).fit(X, y)\n"
        "for found in (contributions(model, X), hardest(model, X, y), rules(model)):\n"
        "    found._repr_html_()\n"
        "print(contributions(model, X).text(7).splitlines()[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["row 7 (numbered from 0), score for 'True':"]
