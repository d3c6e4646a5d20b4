"""Schemas with the cuts and levels of two."""

import numpy as np

from underdog.data import Schema, Table
from underdog.data.merging import merged, presence_cut, schema_of_cuts


def test_cuts_and_levels_of_both():
    numbers = np.array([[1.0, 5.0], [2.0, np.nan], [3.0, 5.0]])
    table = Table.hstack(
        [numbers, np.array(["b", "a", "b"], dtype=object)[:, None]], categorical=[2]
    )
    schema = Schema.learn(table, np.ones(3, dtype=np.int64))
    other = schema_of_cuts(table, {0: [2.5, 9.0], 1: [4.0]})
    both = merged(schema, other)
    assert both.cuts_of(0).tolist() == [1.5, 2.5, 9.0]
    assert both.cuts_of(1).tolist() == [4.0]
    assert both.categories == {2: ("a", "b")}
    assert both.missing.tolist() == [False, True, False]
    assert both.bins.tolist() == [4, 2, 2]
    same = merged(schema, schema_of_cuts(table, {}))
    assert same.cuts.tolist() == schema.cuts.tolist()
    assert same.cut_pointers.tolist() == schema.cut_pointers.tolist()


def test_words_are_cut_as_in_training():
    table = Table.hstack([np.array([[1.0, 0.3, 0.0], [0.0, 0.0, 0.0]])])
    assert [presence_cut(table, column) for column in range(3)] == [0.5, 0.0, 0.0]
