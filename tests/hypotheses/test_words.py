"""Weights of words in documents of unit length."""

import numpy as np
import scipy.sparse as sp

from underdog import Table
from underdog.data import EncodedRows, Schema
from underdog.hypotheses.words import Documents, WordWeights
from underdog.workers import Workers

RNG = np.random.default_rng(0)
X = (RNG.random((50, 30)) < 0.2).astype(float)
COLUMNS = np.array([0, 3, 4, 9, 20])
WEIGHTS, SQUARES = RNG.normal(size=(5, 2)), RNG.random(5) + 0.5


def encoded(matrix):
    table = Table.from_data(matrix)
    return EncodedRows(table, Schema.learn(Table.from_data(X), np.ones(50, int), 255, Workers(1)))


def test_steps_are_weights_divided_by_lengths():
    rule = WordWeights(COLUMNS, WEIGHTS, SQUARES)
    words = X[:, COLUMNS]
    length = np.sqrt(words @ SQUARES)
    wanted = np.divide(
        words @ WEIGHTS, length[:, None], where=length[:, None] > 0, out=np.zeros((50, 2))
    )
    found = rule.partition(encoded(X)).values
    np.testing.assert_allclose(found, wanted, atol=1e-9)
    np.testing.assert_array_equal(rule.partition(encoded(sp.csr_array(X))).values, found)


def test_credits_add_up_exactly():
    rule = WordWeights(COLUMNS, WEIGHTS, SQUARES)
    documents, credits = rule.credits(encoded(X))
    total = np.zeros((50, 2))
    np.add.at(total, np.repeat(np.arange(50), np.diff(documents.pointers)), credits)
    np.testing.assert_array_equal(total, rule.partition(encoded(X)).values)


def test_documents_list_words_by_row():
    documents = Documents.read(encoded(sp.csr_array(X)), COLUMNS)
    for row in range(50):
        own = documents.words[documents.pointers[row] : documents.pointers[row + 1]]
        np.testing.assert_array_equal(own, np.flatnonzero(X[row, COLUMNS]))


def test_another_unit_is_exact():
    rule = WordWeights(COLUMNS, WEIGHTS, SQUARES)
    once = rule.partition(encoded(X)).values
    np.testing.assert_array_equal(
        rule.times(2.0**-20).partition(encoded(X)).values, once * 2.0**-20
    )


def test_the_strongest_words_are_named():
    schema = encoded(X).schema
    strongest = int(COLUMNS[np.abs(WEIGHTS).max(axis=1).argmax()])
    assert (
        WordWeights(COLUMNS, WEIGHTS, SQUARES)
        .words(schema)
        .startswith(f"weights of 5 words, the largest of {schema.name(strongest)}")
    )
