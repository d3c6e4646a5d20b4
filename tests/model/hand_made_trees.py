"""Trees made by hand, as no learner makes them yet, and what they must say."""

import copy

import numpy as np

from underdog.core import Test, with_coefficients
from underdog.data import EncodedRows
from underdog.hypotheses import REST, Tree
from underdog.model import Ensemble


def leaves_of(first, second, third):
    """name -> leaves, of three tests."""
    return {
        "stump": (((first, 0),), ((first, 1),)),
        "constant": ((),),
        "abstaining": (REST, ((first, 1), (second, 0))),
        "depth 2": (
            ((first, 0), (second, 0)),
            ((first, 0), (second, 1)),
            ((first, 1), (third, 0)),
            ((first, 1), (third, 1)),
        ),
        "one side": (((second, 1), (third, 1)), ((second, 0),), ((second, 1), (third, 0))),
        "two of three": (((third, 0), (first, 1)), REST, ((third, 0), (first, 0))),
    }


def trees(tests, n_labels, seed=0):
    """name -> Tree that says something else in every leaf, and nothing in one of the abstaining."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, leaves in leaves_of(*tests).items():
        shape = len(leaves), n_labels
        values = rng.permutation(np.arange(-4.0, -4.0 + np.prod(shape))).reshape(shape) / 8
        if name == "abstaining":
            values[0] = 0.0
        found[name] = Tree(leaves, values)
    return found


def ordered_test(schema, column, place):
    """Whether a number is above one of its column's cuts; not so where it is missing."""
    inside = np.append(np.arange(schema.bins[column]) > place, 0).astype(np.uint8)
    return Test(column, inside, float(schema.cuts_of(column)[place]))


def three_tests(schema):
    """Tests about three columns that tell something, categories first; one takes missing values."""
    columns = [c for c in [*schema.categories, *range(schema.n_columns)] if schema.bins[c] > 1]
    found = {}
    for column in columns:
        bins = int(schema.bins[column])
        middle = (bins - 1) // 2
        inside = (np.arange(bins + 1) > middle).astype(np.uint8)
        inside[-1] = len(found) == 1
        ordered = column not in schema.categories
        cut = float(schema.cuts_of(column)[middle]) if ordered else None
        found.setdefault(column, Test(column, inside, cut))
    return list(found.values())[:3]


def with_rules(booster, rules):
    """A copy of a fitted booster with these rules in place of its own."""
    made, before = copy.copy(booster), booster.model_
    assert len(rules) == len(before)
    coefficients = np.array([member.coefficient for member in before.members])
    members = with_coefficients(rules, coefficients)
    made.model_ = Ensemble(members, before.schema, before.n_labels)
    return made


def with_trees(booster):
    """A copy of a fitted booster whose rules are one tree of every kind."""
    tests, n_labels = three_tests(booster.model_.schema), booster.model_.n_labels
    return with_rules(booster, list(trees(tests, n_labels).values()))


def codes_of(table, schema, column):
    """The bin of every row in a column, found by asking for one bin after the other."""
    encoded = EncodedRows(table, schema)
    codes = np.full(len(table), -1)
    for place in range(int(schema.bins[column]) + 1):
        flags = np.zeros(int(schema.bins[column]) + 1, dtype=np.uint8)
        flags[place] = 1
        codes[encoded.rows(column, flags)] = place
    assert codes.min() >= 0
    return codes


def scores_by_hand(ensemble, table):
    """(n, K) scores, leaf by leaf; every row must be in one leaf of every tree."""
    scores = np.tile(ensemble.start, (len(table), 1))
    for member in ensemble.members:
        found = np.zeros(len(table), dtype=int)
        rest = None
        for leaf, steps in zip(member.hypothesis.leaves, member.steps, strict=True):
            if isinstance(leaf, str):
                assert rest is None
                rest = steps
                continue
            inside = np.ones(len(table), dtype=bool)
            for test, said in leaf:
                inside &= test.inside[codes_of(table, ensemble.schema, test.column)] == said
            scores[inside] += steps
            found += inside
        if rest is not None:
            scores[found == 0] += rest
            found[found == 0] = 1
        assert (found == 1).all(), "a row is in two leaves, or in none"
    return scores
