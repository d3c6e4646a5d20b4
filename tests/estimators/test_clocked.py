"""BrownBoost and RobustBoost: their steps, their clock, and data on which a solver may go wrong."""

import math

import numpy as np
import pytest
from sklearn.base import clone

from tests.core.runs import proposal_of, run_of
from tests.core.shards import fit_on, spread
from tests.data.tables import encoded_rows
from tests.estimators.small import noisy
from tests.twins.noise import Brown, Robust, with_clock
from underdog import AdaBoostClassifier, BrownBoostClassifier, RobustBoostClassifier, load, save
from underdog.combiners import Clocked
from underdog.core import Parts, Target
from underdog.data import EncodedRows, Table
from underdog.hypotheses import Tree
from underdog.inspection import hardest
from underdog.learners import StumpLearner
from underdog.losses import BrownPotential, RobustPotential
from underdog.losses.potentials import inverse_erfc

BOTH = pytest.mark.parametrize("booster", [BrownBoostClassifier, RobustBoostClassifier])


def rows(seed=0, n=60, flipped=0.1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = np.where(X @ [1.0, -1.0, 0.5] > 0.3, 1, -1)
    return X, y * np.where(rng.random(n) < flipped, -1, 1)


@pytest.mark.parametrize(
    ("clock", "model"),
    [
        (Brown(0.3), BrownBoostClassifier(target_error=0.3)),
        (Brown(0.01), BrownBoostClassifier(target_error=0.01, n_estimators=8)),
        (Robust(0.2), RobustBoostClassifier(target_error=0.2)),
        (Robust(0.1, 0.3, 0.2), RobustBoostClassifier(target_margin=0.3, final_width=0.2)),
    ],
    ids=["Brown", "Brown, patient", "Robust", "Robust, margin"],
)
def test_it_is_what_the_textbook_says(clock, model):
    """Where time lowers the potential by itself, only the end is the same, not the last steps."""
    X, y = rows()
    weight = np.arange(60) % 3 + 1
    model.set_params(n_estimators=min(model.n_estimators, 25)).fit(X, y, sample_weight=weight)
    scores, records = with_clock(clock, X, y, model.n_estimators, weight)
    ended = "Robust" in repr(model) and "clock" in model.stop_reason_
    rounds = len(records) - 2 * ended
    assert rounds >= 5
    assert len(records) == model.n_iter_
    times = [record["time"] for record in records]
    np.testing.assert_allclose(model.history_["time"][:rounds], times[:rounds], atol=1e-7)
    assert model.history_["time"][-1] == pytest.approx(times[-1], abs=1e-7)
    shrunk = np.exp(np.array(times) - 1.0) if isinstance(clock, Robust) else np.ones(len(times))
    staged = np.array(list(model.staged_decision_function(X)))[:rounds]
    np.testing.assert_allclose(staged, (scores * shrunk[:, np.newaxis])[:rounds], atol=1e-7)


def test_the_constant_example_of_robust_boost():
    """51 against 49 examples and a constant rule: dt = 1.9368e-4, and the value of the rule."""
    y = np.array([1] * 51 + [0] * 49, dtype=np.uint8)
    target = Target(y[:, np.newaxis], np.ones(100, dtype=np.int64), np.zeros(100))
    table = Table.from_data(np.zeros((100, 1)))
    placed = spread(table, encoded_rows(table).schema, target, 1)
    loss = RobustPotential(target_error=0.12)
    run = run_of(Parts(loss, StumpLearner("discrete"), Clocked()), placed)
    rule = Tree.constant(np.ones((1, 1)))
    question = run.parts.combiner.ask(run)
    proposal = proposal_of(placed, rule, run.state.signals)
    move = run.parts.combiner.step(run, question, proposal)
    assert move.facts["time"] == pytest.approx(1.9368e-4, abs=5e-9)
    assert move.coefficient == pytest.approx(0.0085084311, abs=5e-11)


@BOTH
@pytest.mark.parametrize("learner", ["discrete", "real", "tree"])
def test_the_potential_is_conserved_and_the_edge_spent(booster, learner):
    X, y = rows(1, 200)
    model = booster(target_error=0.05, learner=learner, n_estimators=20).fit(X, y)
    potential = model.history_["potential"]
    here = model.history_["time"] < model._link.end
    np.testing.assert_allclose(potential[here], 0.05, rtol=1e-9)
    assert (potential <= 0.05 * (1.0 + 1e-9)).all()
    assert (np.diff(model.history_["time"]) >= 0.0).all()
    if booster is BrownBoostClassifier:  # weights that jump to 0 leave a rest
        last = model.model_.members[-1]
        weights = weights_now(model, X, y)
        placed = last.hypothesis.partition(EncodedRows(Table.from_data(X), model.model_.schema))
        said = last.hypothesis.values[placed.of_row(len(y)), 0]
        assert abs(weights @ (y * said)) < 1e-6 * np.abs(said).max() or not here[-1]
    assert model.certificate_["bound"] >= model.certificate_["training_error"]


def weights_now(model, X, y):
    sign = (y > 0).astype(np.uint8)[:, np.newaxis]
    target = Target(sign, np.ones(len(y), dtype=np.int64), np.zeros(len(y)))
    return model._link.example_weights(model.decision_function(X)[:, np.newaxis], target)[:, 0]


def test_with_much_time_it_is_adaboost_with_half_its_coefficients():
    X, y = rows(2)
    brown = BrownBoostClassifier(total_time=4e6, n_estimators=10).fit(X, y)
    ada = AdaBoostClassifier(learner="discrete", smoothing=0.0, n_estimators=10).fit(X, y)
    half = 0.5 * ada.history_["coefficient"]
    np.testing.assert_allclose(brown.history_["coefficient"], half, atol=2e-3)


@pytest.mark.parametrize(
    "make",
    [
        *(BrownBoostClassifier(target_error=e) for e in (1e-12, 0.1, 0.6)),
        *(BrownBoostClassifier(total_time=c) for c in (1e-3, 1.0, 40.0, 4e4)),
        *(RobustBoostClassifier(target_error=e) for e in (1e-12, 0.1, 0.6)),
        RobustBoostClassifier(target_error=0.05, target_margin=1.0, final_width=0.01),
    ],
    ids=repr,
)
def test_hard_data_end_with_a_reason_and_with_weights(make):
    rng = np.random.default_rng(3)
    X, y = noisy()
    few = np.zeros(3003, dtype=int)
    few[:3] = 1
    wide = rng.normal(size=(3003, 2))
    bits = np.repeat(rng.integers(0, 2, (9, 2)), 40, axis=0)
    cases = {
        "all labels flipped": (X, 1 - y),
        "duplicates": (bits, rng.integers(0, 2, 360)),
        "1 : 1,000": (wide, few),
        "separable": (X, (X[:, 0] > 0.0).astype(int)),
        "contradictions": (np.zeros((8, 1)), np.arange(8) % 2),
        "one mistake": (np.arange(40.0).reshape(-1, 1), (np.arange(40) > 3) ^ (np.arange(40) == 9)),
    }
    for name, (rows_, labels) in cases.items():
        model = clone(make).set_params(n_estimators=30).fit(rows_, labels)
        assert model.stop_reason_, name
        potential = model.history_["potential"]
        at_start = make.target_error
        if getattr(make, "total_time", None) is not None:
            at_start = math.erfc(math.sqrt(make.total_time))
        assert (potential <= at_start * (1.0 + 1e-9)).all(), name
        weights = weights_now(model, rows_, np.where(labels == model.classes_[1], 1, -1))
        assert weights.sum() == pytest.approx(1.0), name
        assert np.isfinite(model.decision_function(rows_)).all()
    assert cases["separable"][1].mean() not in (0.0, 1.0)


def test_the_average_of_passes_is_small():
    X, y = rows(4, 2000)
    for booster in (BrownBoostClassifier, RobustBoostClassifier):
        model = booster(target_error=0.15, n_estimators=60).fit(X, y)
        assert model.history_["passes"].mean() <= 12.0


@BOTH
def test_order_repeats_and_a_file_change_no_bit(booster, tmp_path):
    X, y = rows(5)
    times = np.arange(60) % 3 + 1
    one = booster(n_estimators=8).fit(X, y, sample_weight=times)
    order = np.random.default_rng(6).permutation(np.repeat(np.arange(60), times))
    other = booster(n_estimators=8).fit(X[order], y[order])
    assert np.array_equal(one.decision_function(X), other.decision_function(X))
    for name in ("time", "potential", "passes"):
        assert np.array_equal(one.history_[name], other.history_[name])
    save(one, tmp_path / "model.udg")
    loaded = load(tmp_path / "model.udg").set_params(warm_start=True, n_estimators=12)
    whole = booster(n_estimators=12).fit(X, y, sample_weight=times)
    loaded.fit(X, y, sample_weight=times)
    assert np.array_equal(whole.decision_function(X), loaded.decision_function(X))
    assert whole._link.time == loaded._link.time == whole.history_["time"][-1]


@BOTH
@pytest.mark.parametrize("learner", ["discrete", "real", "tree"])
def test_shards_have_the_same_steps(booster, learner, monkeypatch):
    """Time, potential and all else to the last bit, also with real weights."""
    X, y = rows(7)
    weight = np.random.default_rng(7).uniform(0.1, 2.0, len(y))
    make = booster(n_estimators=6, learner=learner)
    one = clone(make).fit(X, y, sample_weight=weight)
    for n_shards in (2, 3, 4):
        placed = fit_on(monkeypatch, n_shards)
        other = clone(make).fit(X, y, sample_weight=weight)
        assert placed == [n_shards]
        assert np.array_equal(one.decision_function(X), other.decision_function(X))
        for name in set(one.history_) - {"seconds"}:
            assert np.array_equal(one.history_[name], other.history_[name])


def test_the_hardest_are_those_with_the_highest_potential():
    """Their weight may be next to nothing, because they are given up."""
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] > 19).astype(int)
    y[3] = 1
    for booster in (BrownBoostClassifier, RobustBoostClassifier):
        found = hardest(booster(n_estimators=5).fit(X, y), X, y, 1)
        assert found.rows == [3]
        assert found.measure == "potential"


def test_what_cannot_be_is_refused():
    X, y = rows(8)
    for value in (0.0, 1.0, -0.1, math.nan, "0.1"):
        with pytest.raises(ValueError, match=r"target_error=.* must be a share between 0 and 1"):
            BrownBoostClassifier(target_error=value).fit(X, y)
    with pytest.raises(ValueError, match="total_time=0"):
        BrownBoostClassifier(total_time=0).fit(X, y)
    with pytest.raises(ValueError, match="target_margin=-1"):
        RobustBoostClassifier(target_margin=-1).fit(X, y)
    with pytest.raises(ValueError, match=r"learning_rate=1\.5 must be at most 1"):
        BrownBoostClassifier(learning_rate=1.5).fit(X, y)
    with pytest.raises(AttributeError, match="scores are margins"):
        BrownBoostClassifier().fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match="time=2"):
        BrownPotential(1.0, time=2.0).check()


def test_a_target_error_is_the_potential_at_the_start():
    for share in (1e-200, 1e-3, 0.1, 0.5, 0.99):
        assert math.erfc(inverse_erfc(share)) == pytest.approx(share, rel=1e-12)
    assert BrownPotential.for_error(0.2).total_time == pytest.approx(0.8212, abs=1e-4)
