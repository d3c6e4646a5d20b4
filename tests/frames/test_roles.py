"""What columns are taken for, and why."""

import random
import uuid
from datetime import date, datetime, timedelta
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from underdog.frames import ROLES, BadData, FrameEncoder
from underdog.frames.roles import find_role


def both(values: list[Any], name: str = "c") -> tuple[str, str]:
    """Kind and reason, which pandas and polars, and any order of the rows, agree about."""
    shuffled = values.copy()
    random.Random(0).shuffle(shuffled)
    roles = {
        find_role(name, nw.from_native(series, series_only=True))
        for rows in (values, shuffled)
        for series in (pl.Series(name, rows, strict=False), pd.Series(rows, name=name))
    }
    assert len(roles) == 1
    role = roles.pop()
    assert role.kind in ROLES
    return role.kind, role.reason


def test_numbers() -> None:
    assert both([1, 5, 2]) == ("number", "from 1 to 5")
    assert both([1.5, float("nan"), 2.5]) == ("number", "from 1.5 to 2.5, 1 missing")
    only = "text that holds only numbers"
    assert both(["1", "2.5", "", " 7 "]) == ("number", f"{only}, 1 missing")
    assert both(["1", "2.5", "", "?", " 7 "]) == ("number", f"{only}; '?' means missing, 1 missing")
    assert both(["1", "2.5", "NA", "?", " 7 "]) == ("number", f"{only}; '?', 'NA' mean missing")
    assert both([12285, 1490400]) == ("number", "from 12,285 to 1,490,400")
    assert both([-0.125, 2e300]) == ("number", "from -0.125 to 2e+300")
    assert both([1.0, float("nan")]) == ("number", "from 1 to 1, 1 missing")


def test_codes_are_no_numbers() -> None:
    assert both(["007", "123"] * 5) == ("category", "2 different values")
    keys = [str(1_500_000_000_000_000_000 + 977 * number) for number in range(60)]
    assert both(keys, "tweet_id")[0] == "identifier"
    assert both(keys[:2] * 5) == ("category", "2 different values")
    assert both([str(2**53), "1e300"])[0] == "number"


def test_categories() -> None:
    assert both(["red", "blue", "red", None] * 5) == ("category", "2 different values, 5 missing")
    assert both(["New York", "Los Angeles"] * 5) == ("category", "2 different values")
    assert both([True, False, True]) == ("category", "2 different values, by its type")
    assert both(["x", "y", "z"]) == ("category", "3 different values")
    assert both(["yes", None]) == ("category", "1 value, 1 missing")


def test_types_that_say_category() -> None:
    values = [f"k{i}" for i in range(50)]
    categorical = pl.Series("c", values, dtype=pl.Categorical), pd.Series(values, dtype="category")
    for series in categorical:
        role = find_role("c", nw.from_native(series, series_only=True))
        assert str(role) == "category (50 different values, by its type)"


def test_texts() -> None:
    texts = [f"message number {i} says hello" for i in range(40)]
    said = "5.0 words on average, 40 different values in 40 rows"
    assert both(texts) == ("text", said)
    many = [f"message number {i % 150} says hello" for i in range(900)]
    assert both(many)[0] == "text"
    few = [f"message number {i % 20} says hello" for i in range(900)]
    assert both(few)[0] == "category"


def test_identifiers() -> None:
    values = [str(uuid.UUID(int=i << 90)) for i in range(20)]
    assert both(values) == (
        "identifier",
        "20 different values in 20 rows, too few rows for each value",
    )
    rows = list(range(1, 21))
    for name in ("id", "ID", "customer_id", "customerId", "row", "index", "column 1", "Unnamed: 0"):
        said = "20 different whole numbers in 20 rows, and the name of an identifier"
        assert both(rows, name) == ("identifier", said), name
    assert both(rows, "x")[0] == "number"
    assert both([7 * i for i in rows], "column 1")[0] == "number"
    assert both([7 * i for i in rows], "id")[0] == "identifier"
    assert both([i % 5 for i in rows], "id")[0] == "number"
    assert both(rows, "paid")[0] == "number"


def test_more_levels_than_there_can_be() -> None:
    values = [f"k{i}" for i in range(70_000)] * 3
    series = nw.from_native(pl.Series("c", values), series_only=True)
    assert find_role("c", series).kind == "identifier"


def test_constants() -> None:
    assert both([3, 3, 3]) == ("constant", "3 in all rows")
    assert both(["a", "a"]) == ("constant", "the same value in all rows")
    assert both([None, None, ""]) == ("constant", "all values are missing")
    assert both([float("nan")] * 2) == ("constant", "all values are missing")
    assert both([None, None]) == ("constant", "all values are missing")


def test_dates() -> None:
    iso = ["2024-01-31", "2024-02-01", ""]
    read = "dates like 2024-01-31, read as year-month-day, 1 missing"
    assert both(iso) == ("date", read)
    read = "dates like 01/02/2024, read as "
    assert both(["31/01/2024", "01/02/2024"]) == ("date", f"{read}day/month/year")
    assert both(["01/31/2024", "01/02/2024"]) == ("date", f"{read}month/day/year")
    read = "dates like 15.08.2023, read as day.month.year"
    assert both(["15.08.2023", "16.08.2023"]) == ("date", read)
    assert both(["01/02/2024", "03/04/2024"]) == (
        "category",
        "2 different values: dates that could be day/month/year or month/day/year",
    )
    assert both(["31/01/2024", "01/31/2024"]) == ("category", "2 different values")
    doubtful = pl.DataFrame({"when": ["01/02/2024", "03/04/2024"]})
    said = "^column 'when': dates that could be day/.* or month/.*: write them as year-mon"
    with pytest.raises(BadData, match=said):
        FrameEncoder({"when": "date"}).fit(doubtful)
    moments = [datetime(2024, 1, 1) + timedelta(hours=i) for i in range(3)]
    assert both(moments) == ("date", "by its type")
    days = pl.Series("c", [date(2024, 1, 1), date(2024, 1, 2)])
    assert str(find_role("c", nw.from_native(days, series_only=True))) == "date (by its type)"


@pytest.mark.parametrize(
    "values", [[[1], [2]], [{"a": 1}, {"a": 2}], [timedelta(1), timedelta(2)], [b"a", b"b"]]
)
@pytest.mark.parametrize("roles", [None, {"c": "category"}, {"c": "number"}])
def test_what_is_refused(values: list[Any], roles: dict[str, str] | None) -> None:
    with pytest.raises(BadData, match=r"^column 'c': .* cannot be used: convert the column to"):
        FrameEncoder(roles).fit(pl.DataFrame({"c": values}))


def test_nested_columns_can_be_left_out() -> None:
    frame = pl.DataFrame({"c": [[1], [2]], "n": [1, 2]})
    assert FrameEncoder({"c": "identifier"}).fit(frame).transform(frame).shape == (2, 1)


def test_numpy_floats_do_not_hide_whole_numbers() -> None:
    assert both(list(np.arange(20.0)), "id")[0] == "identifier"
