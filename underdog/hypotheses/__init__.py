"""Weak hypotheses: trees of tests on columns, and models of other libraries."""

from underdog.hypotheses.foreign import Foreign, ForeignClass
from underdog.hypotheses.foreign_regressor import ForeignRegressor
from underdog.hypotheses.tree import REST, Leaf, Tree, in_words, path_in_words
from underdog.hypotheses.words import WordWeights

__all__ = [
    "REST",
    "Foreign",
    "ForeignClass",
    "ForeignRegressor",
    "Leaf",
    "Tree",
    "WordWeights",
    "in_words",
    "path_in_words",
]
