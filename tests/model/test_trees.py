"""Models whose rules are trees of several leaves: scores, stages and words."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier

from tests.files.models import FORMS, categorical, classes, labels, numbers, two_classes
from tests.model.hand_made_trees import ordered_test, scores_by_hand, trees, with_rules, with_trees
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    GradientBoostingClassifier,
    LPBoostClassifier,
)
from underdog.data import Schema, Table
from underdog.estimators.support.inputs import prediction_table
from underdog.hypotheses import REST, Tree, in_words
from underdog.model import Ensemble
from underdog.workers import Workers

X = numbers()


def booster_of_trees(form="categories", target=two_classes):
    made = AdaBoostClassifier if target is two_classes else AdaBoostMHClassifier
    rows = FORMS[form](X)
    model = made(n_estimators=6, max_bins=8, **categorical(form)).fit(rows, target(X))
    return with_trees(model), rows


@pytest.mark.parametrize("target", [two_classes, labels])
@pytest.mark.parametrize("form", FORMS)
def test_scores_are_those_of_the_leaves(form, target):
    model, rows = booster_of_trees(form, target)
    table = prediction_table(model, rows)
    expected = scores_by_hand(model.model_, table)
    for jobs in (1, 2):
        with Workers(jobs) as workers:
            np.testing.assert_array_equal(model.model_.scores(table, workers), expected)
    *_, last = model.model_.staged(table)
    np.testing.assert_array_equal(last, expected)
    np.testing.assert_array_equal(model.decision_function(rows), model._labels.decision(expected))


def test_every_stage_is_that_of_the_rules_so_far():
    model, rows = booster_of_trees("dense", labels)
    ensemble, table = model.model_, prediction_table(model, rows)
    for count, scores in enumerate(ensemble.staged(table), start=1):
        first = Ensemble(ensemble.members[:count], ensemble.schema, ensemble.n_labels)
        np.testing.assert_array_equal(scores, scores_by_hand(first, table))


def test_rules_of_another_library_among_stumps():
    """Step functions and rules that are asked one by one, in one sum."""
    y = two_classes(X)
    stumps = AdaBoostClassifier(n_estimators=3).fit(X, y)
    learner = DecisionTreeClassifier(max_depth=2, random_state=0)
    foreign = AdaBoostClassifier(n_estimators=3, learner=learner).fit(X, y)
    members = [*stumps.model_.members, *foreign.model_.members]
    both = Ensemble(members, stumps.model_.schema, 1)
    with Workers(1) as workers:
        scores = both.scores(Table.from_data(X), workers)[:, 0]
    np.testing.assert_array_equal(
        scores, stumps.decision_function(X) + foreign.decision_function(X)
    )


def test_a_path_of_coefficients():
    """The rules of a corrective booster have the coefficients of the last round."""
    y = two_classes(X)
    model = LPBoostClassifier(nu=0.4, tol=1e-3, n_estimators=6).fit(X, y)
    tests = [ordered_test(model.model_.schema, c, 3) for c in (0, 1, 2)]
    rules = [
        Tree(tree.leaves, tree.values / np.abs(tree.values).max())
        for tree in list(trees(tests, 1).values())[: len(model.model_)]
    ]
    before = model.model_
    made = with_rules(model, rules)
    made.model_ = Ensemble(made.model_.members, before.schema, 1, before.path)
    expected = scores_by_hand(made.model_, prediction_table(model, X))[:, 0]
    np.testing.assert_array_equal(made.decision_function(X), expected)
    np.testing.assert_array_equal(list(made.staged_decision_function(X))[-1], expected)


def test_importances_are_shared_by_the_tests_of_a_tree():
    model, _ = booster_of_trees("dense")
    drops = np.array([1.0, 1, 2, 3, 2, 2])
    columns = [member.hypothesis.tests for member in model.model_.members]
    expected = np.zeros(6)
    for drop, tests in zip(drops, columns, strict=True):
        for test in tests:
            expected[test.column] += drop / len(tests)
    found = model.model_.importances(drops, 6)
    np.testing.assert_allclose(found, expected / expected.sum())
    assert np.count_nonzero(found) == 3


def test_importances_are_shared_by_what_the_splits_explain():
    """The variance of the steps of a tree is the sum of what its splits explain."""
    model = GradientBoostingClassifier(n_estimators=4).fit(X, classes(X))
    drops = np.array([3.0, -1.0, 2.0, 0.5])
    expected = np.zeros(X.shape[1])
    for member, drop in zip(model.model_.members, drops.clip(0), strict=True):
        tree, steps = member.hypothesis, member.steps
        shares = np.zeros(X.shape[1])

        def scatter(places, tree=tree, steps=steps):
            weights = tree.examples[places]
            mean = np.average(steps[places], axis=0, weights=weights)
            return float((weights[:, np.newaxis] * (steps[places] - mean) ** 2).sum())

        starts = {path[:d]: None for path in map(keys, tree.leaves) for d in range(len(path))}
        for start in starts:
            below = [[], []]
            for place, path in enumerate(map(keys, tree.leaves)):
                if path[: len(start)] == start:
                    (column, _), answer = path[len(start)]
                    below[answer].append(place)
            apart = scatter(below[0]) + scatter(below[1])
            shares[column] += scatter([*below[0], *below[1]]) - apart
        assert shares.sum() == pytest.approx(scatter(list(range(len(steps)))))
        expected += drop * shares / shares.sum()
    found = model.model_.importances(drops, X.shape[1])
    np.testing.assert_allclose(found, expected / expected.sum(), atol=1e-9)


def keys(path):
    """A path whose tests can be compared."""
    return tuple(((test.column, test.inside.tobytes()), answer) for test, answer in path)


WORDS = """\
AdaBoostClassifier: 6 rules; score > 0 means 'yes', else 'no' (all rounds done)
   1. town is Ulm                             -0.375   else -0.500
   2. always                                  -0.500
   3. town is Ulm and size not in {2.0, 3.0}  -0.375
   4. town is not Ulm
        size not in {2.0, 3.0}         -0.125
        size in {2.0, 3.0} or missing  -0.250
      town is Ulm
        c0 <= 0.0873924                -0.500
        c0 > 0.0873924                 -0.375
   5. size not in {2.0, 3.0}  -0.250
      size in {2.0, 3.0} or missing
        c0 <= 0.0873924       -0.375
        c0 > 0.0873924        -0.500
   6. c0 <= 0.0873924
        town is not Ulm  -0.250
        town is Ulm      -0.500
      c0 > 0.0873924     -0.375
pairs of columns that may interact, with the mean change of the score (a hint):
      town and size  0.156
      c0 and town    0.115
      c0 and size    0.042"""
SEVERAL = """\
   4. x0 <= -0.236616
        x1 <= 0.0121217
            0  -0.250
"""
MERGED = """\
baseline -0.500
   1. town is Ulm and size not in {2.0, 3.0}
                                yes -0.375; no +0.000
   2. town is not Ulm
        size not in {2.0, 3.0}         -0.125
        size in {2.0, 3.0} or missing  -0.250
"""


def test_words_for_trees():
    model, _ = booster_of_trees()
    assert model.describe(None) == "\n".join([WORDS, *model.certificate_.lines()])
    assert model.describe(1).splitlines()[1:] == [
        "   1. town is Ulm  -0.375   else -0.500",
        "      ... and 5 more",
        *WORDS.splitlines()[-4:],
        *model.certificate_.lines(),
    ]
    assert MERGED in model.describe(None, merged=True)


def told(lines):
    """The start, and what is added where, by a text of questions."""
    start = float(lines[0].split("baseline ")[1])
    return start, {line.split("  if ")[1]: float(line.split("  if ")[0]) for line in lines[1:]}


def test_words_by_label_add_up():
    """The start and what is added for the leaves of a row are its score."""
    model, rows = booster_of_trees()
    start, gains = told(model.describe(None, by_label=True).splitlines()[1:])
    decision = model.decision_function(rows)
    leaves = np.array([_leaf_words(model, rows, member) for member in model.model_.members])
    for row, score in enumerate(decision):
        total = start + sum(gains.get(words, 0.0) for words in leaves[:, row])
        assert total == pytest.approx(score, abs=0.005)


def _leaf_words(model, rows, member):
    """What is so of each row in the words of one rule; yes is the question itself."""
    rule, schema = member.hypothesis, model.model_.schema
    table = prediction_table(model, rows)
    found = np.full(len(table), "", dtype=object)
    for number, words in enumerate(rule.leaf_words(schema)):
        one = np.zeros((len(rule.leaves), 1))
        one[number] = 1.0
        only = Ensemble([member._replace(steps=one)], schema, 1)
        found[scores_by_hand(only, table)[:, 0] == 1.0] = words
    return found


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("by_label", [False, True])
def test_words_for_trees_of_several_labels(merged, by_label):
    model, _ = booster_of_trees("dense", labels)
    text = model.describe(None, merged=merged, by_label=by_label)
    for words in ("x0 <= ", "x1 > ", " and "):
        assert words in text
    assert ("else" in text) == (merged == by_label)


def a_schema(**others):
    """A number with holes, a word, a category."""
    values = np.array([[1.0, 0, 2], [2, 1, 3], [np.nan, 0, 4], [4, 1, 2]])
    table = Table.hstack([values[:, :1], sp.csr_array(values[:, 1:2])])
    return Schema.learn(table, np.ones(4, dtype=np.int64), **others)


def test_words_for_both_answers():
    schema = a_schema()
    number, word = ordered_test(schema, 0, 0), ordered_test(schema, 1, 0)
    assert in_words(number, schema) == "x0 > 1.5"
    assert in_words(number, schema, 0) == "x0 <= 1.5 or missing"
    assert in_words(word, schema) == "x1 present"
    assert in_words(word, schema, 0) == "x1 absent"
    holes = np.zeros_like(number.inside)
    holes[-1] = 1
    missing = number._replace(inside=holes, threshold=None)
    assert in_words(missing, schema) == "x0 is missing"
    assert in_words(missing, schema, 0) == "x0 is not missing"


def test_a_rule_with_one_path_is_a_question():
    schema = a_schema()
    first, second = ordered_test(schema, 0, 0), ordered_test(schema, 1, 0)
    path = ((first, 0), (second, 1))
    two, three = np.zeros((2, 1)), np.zeros((3, 1))
    rule = Tree((REST, path), two)
    assert rule.is_question
    assert rule.words(schema) == "(x0 <= 1.5 or missing) and x1 present"
    assert Tree.stump(first, two).is_question
    assert Tree.constant(two[:1]).is_question
    for leaves in ((path, REST), (((first, 1),), ((first, 0),))):
        assert not Tree(leaves, two).is_question
    more = Tree((REST, path, ((first, 0), (second, 0))), three)
    assert not more.is_question
    assert more.words(schema) == "tree on x0, x1"
    assert more.leaf_words(schema) == [
        "else", "(x0 <= 1.5 or missing) and x1 present", "(x0 <= 1.5 or missing) and x1 absent"
    ]  # fmt: skip
