"""Rows that walk through trees have the scores of the rules one by one, to the last bit."""

import numpy as np
import pandas as pd
import pytest

from tests.data.tables import TABLES, encoded_rows
from tests.hypotheses.trees import full_tree
from underdog import AdaBoostClassifier, Table, core
from underdog.core import Member, Scores
from underdog.hypotheses import REST, Tree
from underdog.kernels.masks import BITS_OF_CODES
from underdog.learners import TreeLearner
from underdog.model import Ensemble
from underdog.model.forest import Forest, can_walk, make_forests
from underdog.model.masks import MaskForest, distinct_bins, few_codes
from underdog.workers import Workers

NAMES = (
    "dense",
    "sparse",
    "mixed",
    "wide",
    "wide numbers",
    "wide sparse numbers",
    "all wide",
    "presence",
)


def members(encoded, n_labels, seed=0):
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(5):
        tree = full_tree(rng, encoded, n_labels, "tree")
        steps = np.rint(rng.normal(size=tree.values.shape) * 2**20) / 2**20
        made.append(Member(tree, 1.0, steps, float(np.abs(steps).max())))
    return made


def one_by_one(made, encoded, n_labels):
    scores = Scores.zero(encoded.n_rows, n_labels)
    for member in made:
        member.hypothesis.partition(encoded).move(scores, member.steps)
    return scores.full()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_labels", [1, 3])
def test_walking_gives_the_bits_of_one_rule_after_the_other(name, n_labels):
    table = TABLES[name]()
    encoded = encoded_rows(table)
    made = [one for one in members(encoded, n_labels) if can_walk(one)]
    assert made
    out = np.zeros((len(table), n_labels))
    Forest(made, encoded.schema).add_scores(table, out, Workers(2))
    np.testing.assert_array_equal(out, one_by_one(made, encoded, n_labels))


@pytest.mark.parametrize("name", [name for name in NAMES if "wide" not in name])
@pytest.mark.parametrize("n_labels", [1, 3])
def test_masks_give_the_bits_of_one_rule_after_the_other(name, n_labels, monkeypatch):
    monkeypatch.setattr("underdog.model.masks.ROWS", 7)
    table = TABLES[name]()
    encoded = encoded_rows(table)
    made = [one for one in members(encoded, n_labels) if can_walk(one)]
    bins = distinct_bins(made, encoded.schema)
    assert few_codes(bins)
    out = np.zeros((len(table), n_labels))
    MaskForest(made, encoded.schema, bins).add_scores(table, out, Workers(2))
    np.testing.assert_array_equal(out, one_by_one(made, encoded, n_labels))


@pytest.mark.parametrize("leaves", [31, 32, 33, 64, 65])
def test_masks_and_walking_give_the_same_bits(leaves):
    """Masks of 32 bits, of 64 bits, and trees that have more leaves."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 5))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = (np.nan_to_num(X[:, 0] * X[:, 1]) + rng.normal(size=700) > 0).astype(int)
    learner = TreeLearner(max_depth=None, max_leaf_nodes=leaves)
    model = AdaBoostClassifier(n_estimators=6, learner=learner, learning_rate=0.1).fit(X, y).model_
    assert {len(member.hypothesis.leaves) for member in model.members} == {leaves}
    table = Table.from_data(X)
    forests = make_forests(model.members, model.schema)
    assert [type(forest) for forest in forests] == [MaskForest if leaves <= 64 else Forest]
    walked, found = np.zeros((2, len(X), 1))
    Forest(model.members, model.schema).add_scores(table, walked, Workers())
    for forest in forests:
        forest.add_scores(table, found, Workers())
    np.testing.assert_array_equal(found, walked)


def test_columns_with_many_codes_are_walked():
    encoded = encoded_rows(TABLES["all wide"]())
    made = [one for one in members(encoded, 1) if can_walk(one)]
    assert not few_codes(distinct_bins(made, encoded.schema))
    assert [type(forest) for forest in make_forests(made, encoded.schema)] == [Forest]


def test_rows_are_taken_in_runs(monkeypatch):
    monkeypatch.setattr("underdog.model.forest.CODES", 1)
    table = TABLES["all wide"]()
    encoded = encoded_rows(table)
    made = [one for one in members(encoded, 1) if can_walk(one)]
    big = table[np.arange(len(table)).repeat(3)]
    out = np.zeros((len(big), 1))
    Forest(made, encoded.schema).add_scores(big, out, Workers(1))
    np.testing.assert_array_equal(out, one_by_one(made, encoded, 1).repeat(3, axis=0))


def test_only_nested_paths_can_be_walked():
    encoded = encoded_rows(TABLES["dense"]())
    rng = np.random.default_rng(0)
    tree = full_tree(rng, encoded, 1, "tree")
    whole = Member(tree, 1.0, tree.values, 1.0)
    assert can_walk(whole)
    some = Tree((REST, *tree.leaves[1:]), tree.values)
    assert can_walk(whole._replace(hypothesis=some))
    first = core.Test(6, np.array([0, 1, 0], dtype=np.uint8), 0.5)
    second = core.Test(6, np.array([1, 0, 0], dtype=np.uint8), 0.5)
    apart = Tree((REST, ((first, 1),), ((second, 1), (first, 0))), np.array([[0.5], [1.0], [-1.0]]))
    assert not can_walk(whole._replace(hypothesis=apart))
    rules = (tree, some, apart)
    mixed = Ensemble([Member(rule, 1.0, rule.values, 1.0) for rule in rules], encoded.schema, 1)
    table = TABLES["dense"]()
    wanted = one_by_one(mixed.members, encoded, 1)
    np.testing.assert_array_equal(mixed.scores(table, Workers(1)), wanted)


def test_a_booster_predicts_what_it_says_after_its_last_round():
    table = TABLES["mixed"]()
    y = np.arange(len(table)) % 3
    model = AdaBoostClassifier(learner=TreeLearner(max_depth=4), n_estimators=6).fit(table, y)
    *_, last = model.staged_decision_function(table)
    np.testing.assert_array_equal(model.decision_function(table), last)


@pytest.mark.parametrize(
    ("n_levels", "kind"), [(40, BITS_OF_CODES), (63, BITS_OF_CODES), (64, 0), (200, 0)]
)
def test_levels_are_bits_of_a_number_or_a_table(n_levels, kind):
    """A code for each level and for missing values: 64 of them fit in a number."""
    rng = np.random.default_rng(0)
    levels = np.append(np.arange(n_levels), rng.integers(0, n_levels, 3000))
    table = Table.from_data(pd.DataFrame({"level": pd.Categorical(levels.astype(str))}))
    encoded = encoded_rows(table)
    insides = rng.integers(0, 2, (6, n_levels + 1)).astype(np.uint8)
    insides[0, [0, n_levels - 1]] = 1  # the first bit and the last
    made = []
    for inside in insides:
        tree = Tree.stump(core.Test(0, inside), np.array([[-1.0], [1.0]]))
        made.append(Member(tree, 1.0, np.array([[-0.5], [1.0]]), 1.0))
    bins = distinct_bins(made, encoded.schema)
    forest = MaskForest(made, encoded.schema, bins)
    assert (np.minimum(forest.nodes[:, 3], 0) == kind).all()
    out = np.zeros((len(table), 1))
    forest.add_scores(table, out, Workers(1))
    np.testing.assert_array_equal(out, one_by_one(made, encoded, 1))
