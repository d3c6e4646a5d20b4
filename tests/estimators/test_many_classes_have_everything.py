"""Boosters of several classes have what all others have, or say why not: one test for each item."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from typer.testing import CliRunner

from underdog import (
    AdaBoostECCClassifier,
    AdaBoostM1Classifier,
    AdaBoostM2Classifier,
    AdaBoostMRClassifier,
    AdaBoostOCClassifier,
    Costs,
    CostSensitiveClassifier,
    OutputCodeBoostClassifier,
    load,
)
from underdog.cli.app import app
from underdog.games import certificates
from underdog.inspection import contributions, hardest, history

BOOSTERS = {
    "M1": AdaBoostM1Classifier(learner="tree", n_estimators=8),
    "M1 of C4.5-like trees": AdaBoostM1Classifier(n_estimators=8),
    "M2": AdaBoostM2Classifier(n_estimators=8),
    "MR": AdaBoostMRClassifier(n_estimators=8),
    "MO": OutputCodeBoostClassifier(n_estimators=8),
    "output code": OutputCodeBoostClassifier(n_estimators=8, shared=False),
    "OC": AdaBoostOCClassifier(n_estimators=8),
    "ECC": AdaBoostECCClassifier(n_estimators=8),
}
each = pytest.mark.parametrize("booster", BOOSTERS.values(), ids=BOOSTERS)
N = 160


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (N, 4)).astype(float)
    y = np.digitize(X[:, :3].sum(axis=1) + rng.normal(0, 0.8, N), [5, 7.5, 10])
    return X, np.array(list("abcd"))[y]


@each
def test_tables(booster, rows):
    """Frames with categories, missing values, sparse rows; unknown values at prediction."""
    X, y = rows
    frame = pd.DataFrame(X, columns=list("pqrs"))
    frame["kind"] = pd.Categorical(np.where(y < "c", "low", "high"))
    frame.loc[::7, "p"] = np.nan
    model = clone(booster).fit(frame, y)
    assert model.score(frame, y) > 0.5
    assert list(model.feature_names_in_) == [*"pqrs", "kind"]
    other = frame[:3].assign(kind=pd.Categorical(["new", None, "low"]))
    assert set(model.predict(other)) <= set("abcd")
    dense, sparse = (clone(booster).fit(kind, y) for kind in (X, sp.csr_array(X)))
    np.testing.assert_array_equal(dense.decision_function(X), sparse.decision_function(X))


@each
def test_weights(booster, rows):
    """Whole ones are repeats, real ones and those of classes count."""
    X, y = rows
    times = np.arange(N) % 3 + 1
    again = np.random.default_rng(1).permutation(np.repeat(np.arange(N), times))
    weighted = clone(booster).fit(X, y, sample_weight=times)
    repeated = clone(booster).fit(X[again], y[again])
    np.testing.assert_array_equal(weighted.decision_function(X), repeated.decision_function(X))
    plain = clone(booster).fit(X, y).predict(X)
    for heavy in (
        clone(booster).fit(X, y, sample_weight=np.where(y == "c", 20.5, 1.0)),
        clone(booster).set_params(class_weight={**dict.fromkeys("abd", 1.0), "c": 20.5}).fit(X, y),
    ):
        assert (heavy.predict(X) == "c").sum() > (plain == "c").sum()


@each
def test_costs(booster, rows):
    """Of classes: by training weights and by decisions. Those of two classes are refused."""
    X, y = rows
    dear = np.ones((4, 4)) - np.eye(4)
    dear[2] *= 30.0  # a "c" that is missed
    costs = Costs.matrix(dear, classes=list("abcd"))
    plain = clone(booster).fit(X, y).predict(X)
    model = clone(booster).set_params(costs=costs).fit(X, y)
    assert (model.predict(X) == "c").sum() > (plain == "c").sum()
    with pytest.raises(ValueError, match=r"is for two classes, but there are 4"):
        clone(booster).set_params(costs=Costs(fn=5.0, fp=1.0)).fit(X, y)
    decided = CostSensitiveClassifier(clone(booster), costs=costs).fit(X, y)
    assert (decided.predict(X) == "c").sum() > (plain == "c").sum()


@each
@pytest.mark.parametrize("scoring", ["auto", "accuracy"])
def test_early_stopping(booster, scoring, rows):
    """The score of the rows that are held out is in the history, and the best round is kept."""
    X, y = rows
    model = clone(booster).set_params(
        n_estimators=25, early_stopping=True, n_iter_no_change=2, scoring=scoring
    )
    model.fit(X[:100], y[:100], X_val=X[100:], y_val=y[100:])
    scores = model.history_["validation_score"]
    assert model.n_iter_ == 1 + int(scores.argmax()) or "all rounds" in model.stop_reason_
    if scoring == "accuracy":
        said = [*model.staged_predict(X[100:])]
        own = [accuracy_score(y[100:], each) for each in said]
        np.testing.assert_allclose(scores[: model.n_iter_], own)
    folds = clone(model).set_params(cv=3).fit(X, y)
    assert "3-fold cross-validation" in folds.stop_reason_


@each
def test_stages_warm_start_and_file(booster, rows, tmp_path):
    X, y = rows
    whole = clone(booster).fit(X, y)
    scores = whole.decision_function(X)
    stages = [*whole.staged_decision_function(X)]
    assert len(stages) == whole.n_iter_ == len([*whole.staged_predict(X)])
    np.testing.assert_array_equal(stages[-1], scores)
    half = clone(booster).set_params(n_estimators=3, warm_start=True).fit(X, y)
    half.save(tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg")
    np.testing.assert_array_equal(loaded.decision_function(X), half.decision_function(X))
    assert loaded.certificate_ == half.certificate_
    assert loaded.describe() == half.describe()
    resumed = loaded.set_params(n_estimators=8).fit(X, y)
    np.testing.assert_array_equal(resumed.decision_function(X), scores)


@each
def test_explanations(booster, rows):
    X, y = rows
    model = clone(booster).fit(X, y)
    assert model.describe().startswith(f"{type(model).__name__}: {model.n_iter_} rules")
    np.testing.assert_array_equal(contributions(model, X).decision, model.decision_function(X))
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert len(hardest(model, X, y, 3).rows) == 3
    assert history(model).text().startswith(f"{model.n_iter_} rounds")
    with pytest.raises(AttributeError, match="call recalibrate"):
        model.predict_proba(X)
    shares = model.recalibrate(X, y).predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


@each
def test_the_proved_bound_is_above_the_error_in_every_round(booster, rows):
    X, y = rows
    model = clone(booster).set_params(warm_start=True, n_estimators=1)
    for rounds in range(1, 9):
        certificate = model.set_params(n_estimators=rounds).fit(X, y).certificate_
        assert certificate["training_error"] <= certificate["bound"]
        assert np.mean(model.predict(X) != y) <= certificate["training_error"] + 1e-12  # or a tie
        if "ranking_bound" in certificate:
            assert certificate["ranking_loss"] <= certificate["ranking_bound"]
    with pytest.raises(ValueError, match="certificates are for two classes"):
        certificates(model, X, y)
    with pytest.raises(ValueError, match="monotonic_cst"):
        clone(booster).set_params(monotonic_cst=[1, 0, 0, 0]).fit(X, y)


@each
def test_command_line(booster, rows, tmp_path):
    X, y = rows
    data, model = tmp_path / "rows.csv", tmp_path / "model.udg"
    pd.DataFrame(X, columns=list("pqrs")).assign(label=y).to_csv(data, index=False)
    name = type(booster).__name__.removesuffix("Classifier")
    more = ["--set", "shared=false"] if "shared=False" in repr(booster) else []
    few = ["--n-estimators", "8", "--cv", "2"]
    for command in (
        ["train", data, "--target", "label", "--model", name, *few, *more, "-o", model],
        ["evaluate", model, data],
        ["predict", model, data, "-o", tmp_path / "predictions.csv"],
        ["explain", model, data, "--row", "3"],
        ["explain", model, data, "--hardest", "3"],
    ):
        result = CliRunner().invoke(app, [str(part) for part in command])
        assert result.exit_code == 0, result.output
        if command[0] == "train":
            assert type(booster).__name__ in result.output
    assert set(pd.read_csv(tmp_path / "predictions.csv")["prediction"]) <= set("abcd")
