"""Weak learners, which find a hypothesis for given weights."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier

from underdog.core import Learner
from underdog.learners.alternating import AlternatingLearner
from underdog.learners.c45_like import C45LikeLearner
from underdog.learners.criteria import NAMES
from underdog.learners.foreign import ForeignLearner
from underdog.learners.pool import Pool
from underdog.learners.rules import RuleLearner
from underdog.learners.stump import StumpLearner
from underdog.learners.tree import TreeLearner

__all__ = [
    "AlternatingLearner",
    "C45LikeLearner",
    "ForeignLearner",
    "Pool",
    "RuleLearner",
    "StumpLearner",
    "TreeLearner",
    "make_learner",
]


def make_learner(given: Any) -> Learner:
    """A learner from its name, a learner object, or a scikit-learn classifier."""
    if isinstance(given, Learner):
        return given
    if isinstance(given, str) and given in NAMES:
        return StumpLearner(given)
    if isinstance(given, str) and given == "tree":
        return TreeLearner()
    if isinstance(given, str) and given == "alternating":
        return AlternatingLearner()
    if isinstance(given, str) and given == "c4.5-like":
        return C45LikeLearner()
    if isinstance(given, str) and given == "rules":
        return RuleLearner()
    if isinstance(given, str) and given == "abstain":
        return RuleLearner(max_conditions=1, prune=False, signs="both")
    if not isinstance(given, (str, type)) and hasattr(given, "fit") and is_classifier(given):
        return ForeignLearner(given)
    raise ValueError(
        f"learner={given!r} is not a learner: give one of {', '.join(NAMES)}, tree, c4.5-like, "
        "rules, abstain, alternating, a Learner object, or a scikit-learn classifier"
    )
