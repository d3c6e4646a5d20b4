"""Models that were changed by hand: scores, records, files, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from underdog import (
    AdaBoostClassifier,
    AdaBoostR2Regressor,
    GradientBoostingRegressor,
    SlipperClassifier,
    Table,
    load,
)
from underdog.estimators.support.editing import edits_of
from underdog.files import Fields
from underdog.files.errors import BadFile
from underdog.inspection import contributions, rules, shapes
from underdog.model import Ensemble
from underdog.workers import Workers

X, Y = load_breast_cancer(return_X_y=True, as_frame=True)
STUMPS = AdaBoostClassifier(n_estimators=8).fit(X, Y)
BY = "the model board"


def test_a_dropped_rule_adds_nothing():
    changed = STUMPS.edit(BY).drop(3, why="texture depends on the stain").done()
    members = list(STUMPS.model_.members)
    kept = [member for number, member in enumerate(members, 1) if number != 3]
    alone = Ensemble([members[2]], STUMPS.model_.schema, 1).scores(Table.from_data(X), Workers(1))
    wanted = STUMPS.decision_function(X) - alone[:, 0]
    assert changed.decision_function(X).tobytes() == wanted.tobytes()
    assert len(changed.model_) == len(kept) == changed.n_iter_
    assert len(STUMPS.model_) == len(members)
    assert not STUMPS.edits_


def test_a_moved_step():
    changed = STUMPS.edit(BY).move(1, 0.25, why="a weaker vote").move(
        1, -0.5, why="the other side as well", where="no"
    ).done()  # fmt: skip
    assert changed.model_.members[0].steps.ravel().tolist() == [-0.5, 0.25]
    apart = changed.decision_function(X) - STUMPS.decision_function(X)
    assert len(np.unique(apart)) == 2


def test_the_record_is_in_the_description_and_in_the_file(tmp_path):
    changed = STUMPS.edit(BY).drop(2, why="not measured any more").done()
    again = changed.edit("the next board").move(1, 0.0, why="too strong").done()
    text = again.describe()
    assert f"edited by {BY}: dropped rule 2, worst concave points > " in text
    assert "Why: not measured any more" in text
    assert "edited by the next board: moved rule 1, worst perimeter > " in text
    assert "edited: no bound" in text
    again.save(tmp_path / "edited.udg")
    other = load(tmp_path / "edited.udg")
    assert other.edits_ == again.edits_
    assert other.describe() == text
    assert other.decision_function(X).tobytes() == again.decision_function(X).tobytes()
    assert all(np.isnan(value) for value in other.certificate_.values())


def test_the_record_is_in_every_export():
    changed = STUMPS.edit(BY).drop(2, why="not measured any more").done()
    told = rules(changed).to_dict()
    assert told["edits"] == list(changed.edits_)
    assert "edits" not in rules(STUMPS).to_dict()
    assert len(told["rules"]) == 7
    page = changed._repr_html_inner()
    assert "dropped rule 2" in page
    assert "edited: no bound" in page
    assert "nan" not in page.split("training stopped")[1].split("</table>")[0]


@pytest.mark.parametrize("direction", [1, -1])
def test_a_column_can_be_made_monotone(direction):
    table = X.copy()
    table.iloc[::7, 20] = np.nan
    model = AdaBoostClassifier(n_estimators=40).fit(table, Y)
    name = max((shape.name for shape in shapes(model)), key=lambda each: each == "worst radius")
    changed = model.edit(BY).set_monotone(name, direction, why="known from physics").done()
    column = list(X.columns).index(name)
    grid = np.tile(np.nanmedian(table.to_numpy(), axis=0), (300, 1))
    grid[:, column] = np.linspace(table[name].min() - 1, table[name].max() + 1, 300)
    frame = pd.DataFrame(grid, columns=X.columns)
    assert (direction * np.diff(changed.decision_function(frame)) >= 0.0).all()
    gone = table.iloc[::7]
    others = model.decision_function(gone) - changed.decision_function(gone)
    if name == "worst radius":
        np.testing.assert_array_equal(others, 0.0)
    parts = contributions(changed, table).values.sum(axis=1)
    assert np.isfinite(parts).all()


def test_a_monotone_column_stays_as_it_is():
    """Step functions as stumps and back, bit for bit."""
    model = AdaBoostClassifier(
        n_estimators=30, monotonic_cst={"worst perimeter": -1, "worst concave points": -1}
    ).fit(X, Y)
    for name in ("worst perimeter", "worst concave points"):
        changed = model.edit(BY).set_monotone(name, -1, why="to be sure").done()
        assert changed.decision_function(X).tobytes() == model.decision_function(X).tobytes()


def test_rules_of_several_classes_and_regressors():
    data, classes = load_iris(return_X_y=True, as_frame=True)
    model = SlipperClassifier(n_estimators=5).fit(data, classes)
    changed = model.edit(BY).move(1, 3.0, why="surer", label=0).done()
    apart = changed.decision_function(data) - model.decision_function(data)
    assert apart[:, 0].any()
    assert not apart[:, 1:].any()
    assert "+3" in rules(changed).text().split("\n")[3 + len(changed.edits_)]
    target = data.iloc[:, 0] * 100
    trees = GradientBoostingRegressor(n_estimators=5, learner="real").fit(data, target)
    fewer = trees.edit(BY).drop(1, why="a test").done()
    np.testing.assert_allclose(
        fewer.predict(data), trees.predict(data) - trees.estimators_[0].predict(data) *
        trees.estimator_weights_[0]
    )  # fmt: skip


def test_the_importance_is_that_of_the_steps():
    changed = STUMPS.edit(BY).drop(1, why="a test").done()
    assert changed.feature_importances_.sum() == pytest.approx(1.0)
    assert "no estimator_errors_" in _error(AttributeError, lambda: changed.estimator_errors_)


def test_all_rules_can_be_dropped():
    editor = STUMPS.edit(BY)
    for number in range(1, 9):
        editor.drop(number, why="nothing is left")
    assert not editor.done().decision_function(X).any()


def test_an_edited_model_is_not_continued():
    model = AdaBoostClassifier(n_estimators=3, warm_start=True).fit(X, Y)
    changed = model.edit(BY).drop(1, why="a test").done()
    assert "edited by hand" in _error(ValueError, lambda: changed.fit(X, Y))
    assert not changed.set_params(warm_start=False).fit(X, Y).edits_


def _error(kind, action):
    with pytest.raises(kind) as found:
        action()
    return str(found.value)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: STUMPS.edit(""), "by='' must be a text"),
        (lambda: STUMPS.edit(BY).drop(1, why=" "), "why=' ' must be a text"),
        (lambda: STUMPS.edit(BY).drop(9, why="w"), "there is no rule 9"),
        (lambda: STUMPS.edit(BY).drop(1, why="w").drop(1, why="w"), "it was dropped"),
        (lambda: STUMPS.edit(BY).move(1, np.nan, why="w"), "value=nan must be a number"),
        (lambda: STUMPS.edit(BY).move(1, 1e9, why="w"), "below 65536 in size"),
        (lambda: STUMPS.edit(BY).move(1, 1.0, why="w", where="left"), "where='left'"),
        (lambda: STUMPS.edit(BY).move(1, 1.0, why="w", label=1), "there is one"),
        (lambda: STUMPS.edit(BY).set_monotone("mean radius", 2, why="w"), "direction=2"),
        (lambda: STUMPS.edit(BY).set_monotone("colour", 1, why="w"), "there is no column"),
        (lambda: STUMPS.edit(BY).set_monotone("mean radius", 1, why="w"), "no rule asks"),
        (lambda: STUMPS.edit(BY).done(), "nothing was changed"),
    ],
)
def test_what_is_refused(action, message):
    assert message in _error(ValueError, action)


def test_medians_and_rules_with_other_columns_are_refused():
    median = AdaBoostR2Regressor(n_estimators=2).fit(X, Y.astype(float))
    assert "predicts a median" in _error(ValueError, lambda: median.edit(BY))
    pairs = AdaBoostClassifier(n_estimators=2, learner="tree").fit(X, Y)
    name = pairs.model_.members[0].hypothesis.tests[0].column
    assert "with other columns" in _error(
        ValueError, lambda: pairs.edit(BY).set_monotone(name, 1, why="w")
    )


@pytest.mark.parametrize(
    "wrong", [[{"change": 1, "by": "x", "why": "y"}], [{"change": "x"}], ["x"], []]
)
def test_a_damaged_record_is_refused(wrong):
    with pytest.raises(BadFile, match="edits"):
        edits_of(Fields("AdaBoostClassifier", {"edits": wrong}))
