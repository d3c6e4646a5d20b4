"""Weak hypotheses: trees of tests on columns, and classifiers of other libraries."""

from underdog.hypotheses.foreign import Foreign
from underdog.hypotheses.tree import REST, Leaf, Tree, in_words, path_in_words

__all__ = ["REST", "Foreign", "Leaf", "Tree", "in_words", "path_in_words"]
