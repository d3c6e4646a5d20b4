"""Columns that are the target under another name, or in more detail."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from underdog.frames import leaks


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_one_to_one_and_nothing_else(make: type) -> None:
    frame = make(
        {
            "target": ["a", "b", "a", "c"],
            "code": [1, 2, 1, 3],
            "share": [0.5, float("nan"), 0.5, 1.5],
            "row": [1, 2, 3, 4],
            "part": ["x", "y", "x", "y"],
            "shuffled": [1, 1, 2, 3],
        }
    )
    assert leaks(frame, "target") == ["code", "share"]
    assert leaks(frame[["code", "row"]], ["a", "b", "a", "c"]) == ["code"]


def levels(rows: int, count: int, classes: int) -> tuple[Any, Any]:
    """A column with so many values, each of one class."""
    codes = np.random.default_rng(0).permutation(np.arange(rows) % count)
    return codes, codes % classes


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    ("rows", "count", "classes"),
    [(5952, 50, 6), (200, 3, 2), (200, 50, 2), (1000, 300, 2), (30_000, 2500, 3)],
)
def test_many_values_for_each_class(make: type, rows: int, count: int, classes: int) -> None:
    codes, y = levels(rows, count, classes)
    names = [f"code {code}" for code in codes]
    frame = make({"code": codes, "name": names, "date": np.datetime64("2024-01-01") + codes})
    assert leaks(frame, y) == ["code", "name", "date"]
    y[17] = (y[17] + 1) % classes  # one exception, and it determines nothing
    assert leaks(frame, y) == []


@pytest.mark.parametrize("share", [0.5, 0.01])
def test_identifiers_are_no_leaks(share: float) -> None:
    """Nor are columns in which few values are there twice, or all of them in few rows."""
    rows = np.arange(4000)
    y = (np.random.default_rng(0).random(2000) < share).astype(int).repeat(2)
    frame = pl.DataFrame({"row": rows, "some twice": np.where(rows % 8 < 2, rows // 2, -rows)})
    assert leaks(frame, y) == []
    assert leaks(pl.DataFrame({"pair": [1, 1, 2, 2, 3, 3, 4, 4]}), [0, 0, 1, 1, 0, 0, 1, 1]) == []


def test_a_rare_class() -> None:
    """By its share alone most values would be of one class."""
    chance = np.random.default_rng(0)
    code = chance.integers(0, 100, 20_000)
    assert leaks(pl.DataFrame({"code": code}), (code == 7).astype(int)) == ["code"]
    frame = pl.DataFrame({f"c{i}": chance.integers(0, 4000, 8000) for i in range(50)})
    assert leaks(frame, np.arange(8000) < 2) == []  # two positives, often alone with their values


def test_texts_are_no_leaks() -> None:
    texts = [f"the text number {row % 150} is about this or that" for row in range(600)]
    y = [row % 150 % 2 for row in range(600)]
    assert leaks(pl.DataFrame({"text": texts}), y) == []
    assert leaks(pl.DataFrame({"name": [text.split()[3] for text in texts]}), y) == ["name"]


def test_lists_are_passed_over() -> None:
    assert leaks(pl.DataFrame({"a": [[1], [2]] * 50}), [0, 1] * 50) == []


def test_one_class_has_no_leaks() -> None:
    assert leaks(pl.DataFrame({"a": [1, 1], "b": [2, 2]}), "a") == []
