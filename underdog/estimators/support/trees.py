"""The parameters of boosters that grow trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.checks import is_number
from underdog.core import Learner
from underdog.estimators.support.base import Booster
from underdog.estimators.support.inputs import refuse_unused
from underdog.learners import TreeLearner

FOR_TREES = (
    "max_depth",
    "max_leaf_nodes",
    "min_samples_leaf",
    "subsample",
    "max_features",
    "cuts",
    "bootstrap",
)
"""Parameters of the trees of learner="tree"."""


@dataclass(kw_only=True, eq=False, repr=False)
class TreeParameters(Booster):
    """A booster with the limits of its trees among its parameters."""

    learner: Any = "tree"
    learning_rate: float = 0.1
    max_depth: int | None = 3
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    l2_regularization: float = 0.0
    subsample: float = 1.0
    max_features: Any = None
    cuts: str = "all"
    bootstrap: bool = False

    _sum_matters: ClassVar[str] = "l2_regularization is divided by their sum"

    def _tree_or(
        self, other: Callable[[], Learner], split_criterion: str = "loss", *names: str
    ) -> Learner:
        """A tree learner with these parameters, or another learner that was asked for.

        `names` are those of other parameters that only trees use.
        """
        if not (isinstance(self.learner, str) and self.learner == "tree"):
            refuse_unused(self, "learner", "tree", *FOR_TREES, *names)
            return other()
        return TreeLearner(
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            split_criterion=split_criterion,
            subsample=self.subsample,
            max_features=self.max_features,
            cuts=self.cuts,
            bootstrap=self.bootstrap,
        )

    def _smooth(self, examples: float, n_labels: int) -> float:
        """The penalty on the values of leaves, per unit of weight."""
        penalty = self.l2_regularization
        if not is_number(penalty) or not 0.0 <= penalty < float("inf"):
            raise ValueError(f"l2_regularization={penalty!r} must be a finite number of at least 0")
        return float(penalty) / examples
