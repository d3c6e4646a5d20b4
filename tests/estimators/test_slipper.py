"""SLIPPER: a textbook twin, bounds in every round, rule sets and how they are shown."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer

from tests.estimators.fits import assert_same, numbers, targets
from tests.estimators.small import stages
from tests.estimators.test_against_twins import binary, petals, weighting
from tests.twins.slipper import slipper
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    BoostByMajorityClassifier,
    GradientBoostingClassifier,
    SlipperClassifier,
    Table,
    load,
)
from underdog.hypotheses.rule import Conjunction, simplified
from underdog.learners import RuleLearner
from underdog.learners.parted import PartsDraw
from underdog.learners.rules import PARTS, PRUNE_PARTS
from underdog.model import merged_rules
from underdog.workers import Workers

ROUNDS = 12


class Watched(RuleLearner):
    """Keeps the rows that each round is pruned by."""

    seen: list

    def start(self, run):
        memory = super().start(run)
        draw = memory.draw
        Watched.seen = [draw.draw(number, PRUNE_PARTS)[draw.part_of[0]] for number in range(ROUNDS)]
        return memory


@pytest.mark.parametrize("weights", ["none", "integer", "real"])
@pytest.mark.parametrize("data", ["continuous", "few values", "missing"])
def test_the_textbook(data, weights):
    """Given the rows that rules are pruned by, scores and Z of every round are the paper's."""
    (X, y), weight = binary(data), weighting(weights)
    for most in (None, 2):
        model = SlipperClassifier(learner=Watched(most), n_estimators=ROUNDS)
        model.fit(X, y, sample_weight=weight)
        scores, factors = slipper(X, y, Watched.seen, ROUNDS, most, weight)
        np.testing.assert_allclose(stages(model, X)[: len(scores)], scores, atol=1e-8)
        np.testing.assert_allclose(model.history_["z"], factors, rtol=1e-8)


def test_the_parts_are_about_as_large_as_they_should_be():
    X, y = numbers(3000), targets(numbers(3000))["binary"][0]
    seen = []

    class Seen(RuleLearner):
        def start(self, run):
            seen.append(PartsDraw(run, PARTS))
            return super().start(run)

    SlipperClassifier(learner=Seen(), n_estimators=2).fit(X, y)
    sizes = np.bincount(seen[0].part_of[0], minlength=PARTS)
    assert len(sizes) == PARTS
    assert np.abs(sizes / 500 - 1.0).max() < 0.2
    drawn = {tuple(seen[0].draw(number, PRUNE_PARTS).tolist()) for number in range(200)}
    assert len(drawn) == len(list(itertools.combinations(range(PARTS), PRUNE_PARTS)))


def test_the_training_error_is_below_the_product_of_z():
    X, y = numbers(400), targets(numbers(400))["binary"][0]
    model = SlipperClassifier(n_estimators=40).fit(X, y)
    bounds = np.cumprod(model.history_["z"])
    errors = [np.mean(found != y) for found in model.staged_predict(X)]
    assert (model.history_["z"] < 1.0).all()
    assert (np.array(errors) <= bounds * (1.0 + 1e-12)).all()
    assert model.certificate_["bound"] == pytest.approx(bounds[-1], rel=1e-9)


def test_rules_speak_for_the_positive_class_and_only_the_default_rule_against_it():
    X, y = numbers(400), targets(numbers(400))["binary"][0]
    model = SlipperClassifier(n_estimators=40).fit(X, y)
    rules = [Conjunction.of(member.hypothesis) for member in model.model_.members]
    assert None not in rules
    assert any(len(rule.path) > 1 for rule in rules)
    for rule, member in zip(rules, model.model_.members, strict=True):
        if rule.path:
            assert (member.steps >= 0.0).all()
            assert not np.delete(member.steps, rule.block, axis=0).any()
    assert any(member.steps[0] < 0.0 for member in model.model_.members if len(member.steps) == 1)


def test_a_missing_value_meets_no_condition_on_numbers():
    X, y = binary("missing")
    model = SlipperClassifier(n_estimators=30).fit(X, y)
    tests = [
        condition
        for member in model.model_.members
        for condition in Conjunction.of(member.hypothesis).path
        if condition[0].threshold is not None
    ]
    assert {answer for _, answer in tests} == {0, 1}
    assert all(test.inside[-1] != answer for test, answer in tests)


def test_classes_take_turns_and_each_is_slipper_by_itself():
    X, y = petals()
    model = SlipperClassifier(n_estimators=6).fit(X, y)
    for label in range(3):
        alone = SlipperClassifier(n_estimators=6).fit(X, (y == label).astype(int))
        steps = np.concatenate([member.steps[:, label] for member in model.model_.members])
        own = np.concatenate([member.steps[:, 0] for member in alone.model_.members])
        assert steps[steps != 0.0].tolist() == own[own != 0.0].tolist()
    assert model.score(X, y) > 0.9


def test_the_merged_rules_have_the_same_scores_bit_for_bit():
    X, y = load_breast_cancer(return_X_y=True)
    model = SlipperClassifier(n_estimators=60, max_conditions=2).fit(X, y)
    merged, table = merged_rules(model.model_), Table.from_data(X)
    assert len(merged) < len(model.model_)
    scores = [each.scores(table, Workers(1)).tobytes() for each in (merged, model.model_)]
    assert scores[0] == scores[1]
    keys = [Conjunction.of(member.hypothesis).key for member in merged.members]
    assert len(set(keys)) == len(keys)
    text = model.describe(None)
    assert f"{len(merged)} rules" in text
    assert text.count("always") == 1
    assert "else" not in text.split("\n", 1)[1]


def test_conditions_that_follow_from_others_are_left_out():
    X = np.arange(40.0)[:, np.newaxis]
    y = ((X[:, 0] > 9) & (X[:, 0] < 30)).astype(int)
    model = AdaBoostClassifier(learner=RuleLearner(prune=False), n_estimators=1).fit(X, y)
    path = Conjunction.of(model.model_.members[0].hypothesis).path
    above = [
        AdaBoostClassifier(n_estimators=1).fit(X, (X[:, 0] > cut).astype(int)) for cut in (5, 9)
    ]
    tests = [(each.model_.members[0].hypothesis.test, 1) for each in above]
    assert simplified((tests[0], tests[1])) == (tests[1],)
    assert simplified((tests[1], tests[0])) == (tests[1],)
    assert simplified(tuple(path)) == path
    assert len(path) == 2
    assert "x0 > 9.5 and x0 <= 29.5" in model.describe()


def test_at_most_so_many_rules_and_conditions():
    X, y = numbers(400), targets(numbers(400))["binary"][0]
    model = SlipperClassifier(max_rules=3, max_conditions=2, n_estimators=30).fit(X, y)
    rules = {Conjunction.of(member.hypothesis).key for member in model.model_.members} - {
        frozenset()
    }
    assert len(rules) == 3
    assert all(len(Conjunction.of(member.hypothesis).path) <= 2 for member in model.model_.members)
    assert (model.history_["z"] < 1.0).all()


def test_rounds_are_chosen_by_the_error_of_five_folds():
    X, y = numbers(300), targets(numbers(300))["binary"][0]
    model = SlipperClassifier(early_stopping=True, n_estimators=15).fit(X, y)
    scores = model.history_["validation_score"]
    assert "5-fold cross-validation" in model.stop_reason_
    assert model.n_iter_ == len(scores)
    assert len(model.model_) == model.n_iter_ <= 15
    assert (scores[:-1] < scores[-1]).all()


def test_abstaining_stumps_are_those_of_boostexter():
    """Z = W_0 + 2 sum_l sqrt(W+ W-) of every word, by brute force."""
    rng = np.random.default_rng(3)
    X = (rng.random((80, 12)) < 0.3).astype(float)
    Y = (X @ rng.normal(size=(12, 3)) + 0.4 * rng.normal(size=(80, 3)) > 0.3).astype(int)
    model = AdaBoostMHClassifier(learner="abstain", n_estimators=8).fit(sp.csr_array(X), Y)
    sign, e = 2 * Y - 1, 1.0 / (80 * 3)
    F = np.zeros(Y.shape)
    for found in model.staged_decision_function(X):
        D = np.exp(-sign * F)
        D /= D.sum()
        best = None
        for column in X.T:
            for side in (column > 0, column == 0):
                W = [(D * (sign == s))[side].sum(axis=0) for s in (1, -1)]
                Z = D[~side].sum() + 2.0 * np.sqrt(W[0] * W[1]).sum()
                if best is None or best[0] - 1e-11 > Z:
                    best = Z, side, np.log((W[0] + e) / (W[1] + e)) / 2
        F = F + np.where(best[1][:, np.newaxis], best[2], 0.0)
        np.testing.assert_allclose(found, F, atol=1e-8)


def test_a_round_visits_covered_rows_only():
    """The weights of rows that no new rule covers are not written."""
    X, y = load_breast_cancer(return_X_y=True)
    listed = []

    class Seen(RuleLearner):
        def fit(self, memory, question):
            found = super().fit(memory, question)
            rule = Conjunction.of(found.hypothesis)
            covered = int(found.hypothesis.examples[rule.block])
            rest = len(y) - covered
            listed.append((len(found.partition[0].rows), min(covered, rest) if rule.path else 0))
            return found

    SlipperClassifier(learner=Seen(), n_estimators=25).fit(X, y)
    assert all(visited == smaller for visited, smaller in listed)


def test_a_file_and_a_warm_start_continue_the_same_run(tmp_path):
    X, y = numbers(300), targets(numbers(300))["classes"][0]
    whole = SlipperClassifier(n_estimators=10, max_rules=4).fit(X, y)
    half = SlipperClassifier(n_estimators=5, max_rules=4, warm_start=True).fit(X, y)
    half.save(tmp_path / "half.udg")
    other = load(tmp_path / "half.udg").set_params(n_estimators=10).fit(X, y)
    assert other.describe(None) == whole.describe(None)
    assert other.decision_function(X).tobytes() == whole.decision_function(X).tobytes()


def test_levels_are_conditions():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"c": rng.choice(list("abcd"), 200), "x": rng.normal(size=200)})
    y = ((frame["c"] == "b") & (frame["x"] > 0)).astype(int)
    model = SlipperClassifier(n_estimators=4).fit(frame, y)
    assert "c is b" in model.describe()
    assert model.score(frame, y) > 0.95


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_conditions": 0}, "max_conditions=0 must be a whole number, at least 1"),
        ({"max_rules": 1.5}, "max_rules=1.5 must be a whole number, at least 1"),
        ({"learner": "real", "max_rules": 3}, "max_rules"),
        ({"learner": RuleLearner(signs="no")}, "signs='no'"),
        ({"learner": RuleLearner(prune=2)}, "prune=2"),
        ({"monotonic_cst": [1, 0]}, "monotonic_cst needs a StumpLearner or a TreeLearner"),
    ],
)
def test_wrong_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        SlipperClassifier(**parameters).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [0, 1, 1])


def test_a_loss_without_values_for_silence_is_refused():
    with pytest.raises(ValueError, match="makes rules that abstain"):
        BoostByMajorityClassifier(learner="rules").fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    with pytest.raises(ValueError, match="weights of negative and positive examples"):
        GradientBoostingClassifier(learner="rules").fit([[0.0], [1.0], [2.0]], [0, 1, 1])


@pytest.mark.parametrize("target", ["binary", "classes"])
@pytest.mark.parametrize("kind", ["rules", "abstain"])
def test_the_same_bits_in_every_form_of_the_data(target, kind):
    X = numbers(160)
    y = targets(X)[target][0]

    def fit(X, y, weight=None, **more):
        booster = SlipperClassifier if kind == "rules" else AdaBoostMHClassifier
        return booster(learner=kind, n_estimators=8, **more).fit(X, y, sample_weight=weight)

    plain = fit(X, y)
    order = np.random.default_rng(5).permutation(len(y))
    assert_same(plain, fit(X[order], y[order]), X)
    assert_same(plain, fit(X, y, n_jobs=2), X)
    assert_same(plain, fit(sp.csr_array(X), y), X)
    weight = np.random.default_rng(6).integers(0, 4, len(y))
    again = np.repeat(np.arange(len(y)), weight)
    assert_same(fit(X, y, weight), fit(X[again], y[again]), X)
    half = fit(X, y, warm_start=True).set_params(n_estimators=13).fit(X, y)
    assert_same(half, fit(X, y).set_params(n_estimators=13).fit(X, y), X)
