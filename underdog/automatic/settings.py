"""Settings of the booster, by what the data are."""

from __future__ import annotations

from typing import Any, NamedTuple

from underdog.model.writing import counted

MANY_ROWS = 20_000
"""From here on every cut is tried, and trees are larger."""


class Settings(NamedTuple):
    """Parameters of the booster, and why they were chosen, in one sentence."""

    parameters: dict[str, Any]
    reason: str


def settings_for(n_rows: int, n_columns: int) -> Settings:
    """The settings for a table of this size."""
    size = f"{counted(n_rows, 'row')} and {counted(n_columns, 'column')}"
    if n_rows < MANY_ROWS:
        return Settings(
            {}, f"{size}: trees of depth 4 with random cuts, and a learning rate of 0.05."
        )
    return Settings(
        {
            "cuts": "all",
            "bootstrap": False,
            "max_depth": None,
            "max_leaf_nodes": 31,
            "min_samples_leaf": 5,
            "learning_rate": 0.1,
            "n_estimators": 500,
            "cv": None,
        },
        f"{size}: trees of 31 leaves, and a learning rate of 0.1.",
    )
