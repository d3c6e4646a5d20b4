"""Settings of the booster, by what the data are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from underdog.estimators.support.blended import MAY_DIFFER
from underdog.model.writing import counted

TWO_KINDS = 2_000
"""From so many examples on two kinds of trees are compared; with fewer, random cuts are better."""
ONE_PART = 5_000
"""From so many examples on one part of them is left out, instead of each once."""
LARGE = 20_000
"""From so many examples on trees have more leaves, and there is one kind."""

BEST_CUTS = {"cuts": "all", "max_depth": 6, "learning_rate": 0.1, "n_estimators": 500}
MANY_LEAVES = {
    "cuts": "all",
    "bootstrap": False,
    "max_depth": None,
    "max_leaf_nodes": 31,
    "min_samples_leaf": 5,
    "learning_rate": 0.1,
    "n_estimators": 500,
}


class Settings(NamedTuple):
    """Parameters of the booster, and why they were chosen, in one sentence."""

    parameters: dict[str, Any]
    reason: str

    def changed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters, and those that are given; trees that are given have no alternatives."""
        own = dict(self.parameters)
        if any(name in MAY_DIFFER for name in given):
            own.pop("alternatives", None)
        return {**own, **given}


def settings_for(n_examples: int, n_columns: int, noun: str = "row") -> Settings:
    """The settings for a table of this size.

    Parameters
    ----------
    n_examples : int
        How many examples the rows stand for.
    n_columns : int
    noun : what the sentence calls examples, such as "row" if each row is one
    """
    size = f"{counted(n_examples, noun)} and {counted(n_columns, 'column')}"
    parameters: dict[str, Any] = {}
    trees = "trees of depth 4 with random cuts, and a learning rate of 0.05"
    if n_examples >= LARGE:
        parameters = dict(MANY_LEAVES)
        trees = "trees of 31 leaves, and a learning rate of 0.1"
    elif n_examples >= TWO_KINDS:
        parameters = {"alternatives": [dict(BEST_CUTS)]}
        trees += "; or of depth 6 with the best cuts, and 0.1, if their left-out loss is lower"
    if n_examples >= ONE_PART:
        parameters["cv"] = None
    return Settings(parameters, f"{size}: {trees}.")
