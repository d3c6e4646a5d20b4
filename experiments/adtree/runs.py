"""The published runs, with the rows that they were trained on."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from experiments.adtree.published import LETTER_WEIGHTS
from underdog import ADTreeClassifier

DATA = Path(
    os.environ.get("UNDERDOG_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")
)
EXACT, DEFAULT = 65535, 255
"""Bins: as many as there are distinct values, and the default."""


def divided(name: str, test_rows: str) -> tuple[pd.DataFrame, Any]:
    """All rows, and which of them are for training."""
    rows = pd.read_csv(DATA / "uci" / f"{name}.csv.gz")
    train = np.ones(len(rows), dtype=bool)
    train[np.loadtxt(DATA / "uci" / test_rows, dtype=int)] = False
    return rows, train


def spambase(max_bins: int = EXACT, rounds: int = 10) -> dict[str, Any]:
    """The exponential loss, tests under all nodes."""
    rows, train = divided("spambase", "spambase_jboost_test_rows.txt")
    y = rows.pop("class").to_numpy()
    model = ADTreeClassifier(n_estimators=rounds, max_bins=max_bins).fit(rows[train], y[train])
    sides = {"train": train, "test": ~train}
    errors = {
        side: [float(np.mean((model.model_.start[0] > 0) != y[own])),
               *(float(np.mean(each != y[own])) for each in model.staged_predict(rows[own]))]
        for side, own in sides.items()
    }  # fmt: skip
    sign = np.where(y[train] == 1, 1.0, -1.0)
    start = float(np.exp(-sign * model.model_.start[0]).mean())
    return {
        **errors, **found(model, rows.columns), "bound": [start, *model.history_["loss"].tolist()],
        "model": model,
    }  # fmt: skip


def letter(rounds: int = 30, max_bins: int = EXACT) -> dict[str, Any]:
    """The logistic loss with weighted rows, tests under the root and under nodes without tests."""
    rows, train = divided("letter", "letter_jboost_fij_test_rows.txt")
    y = np.where(rows["lettr"].isin(list("FIJ")), -1, 1)[train]
    rows = rows.drop(columns=["lettr", "split"])
    weight = pd.Series(y).map(LETTER_WEIGHTS).to_numpy()
    model = ADTreeClassifier(
        n_estimators=rounds, max_bins=max_bins, loss="logistic", grow="singles",
        smoothing=0.5 / len(y),
    ).fit(rows[train], y, sample_weight=weight)  # fmt: skip
    return {**found(model, rows.columns), "model": model}


def found(model: Any, columns: Any) -> dict[str, Any]:
    """The value of the root, and column, threshold and values of each test."""
    splits = []
    for member in model.model_.members:
        test = member.hypothesis.leaves[-1][-1][0]
        splits.append((str(columns[test.column]), test.threshold, *member.steps[-2:, 0].tolist()))
    return {"root": float(model.model_.start[0]), "splits": splits}
