"""Columns that are the target under another name."""

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


def test_one_class_has_no_leaks() -> None:
    assert leaks(pl.DataFrame({"a": [1, 1], "b": [2, 2]}), "a") == []
