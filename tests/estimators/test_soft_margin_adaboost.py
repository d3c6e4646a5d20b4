"""AdaBoost_Reg: soft margins, and AdaBoost where nothing is forgiven."""

import numpy as np
import pytest

from tests.core.shards import fit_on
from tests.estimators.test_clocked import rows
from tests.twins.noise import adaboost_reg
from underdog import AdaBoostClassifier, SoftMarginAdaBoostClassifier, load, save
from underdog.combiners.forgiving import FORGIVEN


@pytest.mark.parametrize("C", [0.05, 0.5, 0.9])
def test_it_is_what_the_textbook_says(C):
    X, y = rows()
    scores, records = adaboost_reg(X, y, C * 60, 12)
    model = SoftMarginAdaBoostClassifier(C=C, n_estimators=12, smoothing=0.0).fit(X, y)
    staged = np.array(list(model.staged_decision_function(X)))
    np.testing.assert_allclose(staged, scores, atol=1e-7)
    wanted = [record["soft_loss"] for record in records]
    np.testing.assert_allclose(model.history_["loss"], wanted, rtol=1e-7)
    assert (model.history_["z"] < 1.0).all()


def test_without_forgiveness_it_is_adaboost():
    X, y = rows(1)
    soft = SoftMarginAdaBoostClassifier(C=0.0, n_estimators=20).fit(X, y)
    ada = AdaBoostClassifier(learner="discrete", n_estimators=20).fit(X, y)
    np.testing.assert_allclose(soft.decision_function(X), ada.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(soft.history_["loss"], ada.history_["loss"], rtol=1e-9)


def test_a_step_spends_the_soft_edge():
    """Sum D' (y h + C m D) = 0 under the weights D' after the step."""
    X, y = rows(2)
    C, before, after = 0.3, None, None
    for rounds in (4, 5):
        model = SoftMarginAdaBoostClassifier(C=C, n_estimators=rounds, smoothing=0.0).fit(X, y)
        before, after = after, model
    _, records = adaboost_reg(X, y, C * 60, 5)
    weights = []
    for model, record in zip((before, after), records[3:], strict=True):
        D = np.exp(-(y * model.decision_function(X) + C * 60 * record["influence"]))
        weights.append(D / D.sum())
    h = (after.decision_function(X) - before.decision_function(X)) / records[4]["a"]
    assert abs(weights[1] @ (y * h + C * 60 * weights[0])) < 1e-7


def test_too_much_forgiveness_ends_with_a_reason():
    X, y = rows(3)
    model = SoftMarginAdaBoostClassifier(C=1.5).fit(X, y)
    assert model.stop_reason_.startswith(FORGIVEN)
    for wrong in (-1.0, np.inf, "0.1"):
        with pytest.raises(ValueError, match="C="):
            SoftMarginAdaBoostClassifier(C=wrong).fit(X, y)


def test_hard_data_end_with_a_reason():
    X, y = rows(4, 300)
    few = (np.arange(300) == 7).astype(int)
    cases = [(X, -y), (X, few), (X, X[:, 0] > 0), (np.zeros((9, 1)), np.arange(9) % 2)]
    cases.append((np.repeat(X[:4], 50, axis=0), np.arange(200) % 3 == 0))
    for C in (0.01, 0.5, 0.99):
        for data, labels in cases:
            model = SoftMarginAdaBoostClassifier(C=C, n_estimators=25).fit(data, labels)
            assert model.stop_reason_
            assert np.isfinite(model.decision_function(data)).all()
            assert (np.diff(model.history_["loss"]) <= 0.0).all()


def test_order_repeats_shards_and_a_file_change_no_bit(tmp_path, monkeypatch):
    X, y = rows(5)
    times = np.arange(60) % 3 + 1
    make = SoftMarginAdaBoostClassifier(C=0.3, n_estimators=9)
    whole = make.fit(X, y, sample_weight=times)
    scores = whole.decision_function(X)
    order = np.random.default_rng(6).permutation(np.repeat(np.arange(60), times))
    other = SoftMarginAdaBoostClassifier(C=0.3, n_estimators=9).fit(X[order], y[order])
    assert np.array_equal(scores, other.decision_function(X))
    half = SoftMarginAdaBoostClassifier(C=0.3, n_estimators=4, warm_start=True)
    save(half.fit(X, y, sample_weight=times), tmp_path / "model.udg")
    resumed = load(tmp_path / "model.udg").set_params(n_estimators=9)
    assert np.array_equal(scores, resumed.fit(X, y, sample_weight=times).decision_function(X))
    fit_on(monkeypatch, 3)
    shards = SoftMarginAdaBoostClassifier(C=0.3, n_estimators=9).fit(X, y, sample_weight=times)
    assert np.array_equal(scores, shards.decision_function(X))
