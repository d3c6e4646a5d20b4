"""How dates are read, and the numbers that come of them."""

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from underdog.frames.dates import DAY_FIRST, ISO, MONTH_FIRST, PARTS, find_form, numbers, reader


@pytest.mark.parametrize(
    ("text", "form", "moment"),
    [
        ("2024-02-29", ISO, datetime(2024, 2, 29)),
        ("2024-2-9 7:05", ISO, datetime(2024, 2, 9, 7, 5)),
        ("2024-02-29T23:59:58.25Z", ISO, datetime(2024, 2, 29, 23, 59, 58)),
        ("2024-02-29T23:30:00+01:00", ISO, datetime(2024, 2, 29, 22, 30)),
        ("2024-02-29T23:30:00-0100", ISO, datetime(2024, 3, 1, 0, 30)),
        ("3.4.2024", DAY_FIRST, datetime(2024, 4, 3)),
        ("3/4/2024 10:00", DAY_FIRST, datetime(2024, 4, 3, 10)),
        ("3-4-2024", MONTH_FIRST, datetime(2024, 3, 4)),
        ("2023-02-29", ISO, None),
        ("2024-13-01", ISO, None),
        ("0001-01-01T00:00+14:00", ISO, None),
        ("3.4.2024", MONTH_FIRST, None),
        ("3/4-2024", DAY_FIRST, None),
        ("20240229", ISO, None),
        ("٢٠٢٤-01-01", ISO, None),
    ],
)
def test_reading(text: str, form: str, moment: datetime | None) -> None:
    assert reader(form)(text) == moment


def test_values_that_are_dates_already() -> None:
    read = reader(None)
    assert read(date(2024, 1, 2)) == datetime(2024, 1, 2)
    assert read(datetime(2024, 1, 2, 3)) == datetime(2024, 1, 2, 3)
    assert read(datetime(2024, 1, 2, 3, tzinfo=UTC)) == datetime(2024, 1, 2, 3)
    east = timezone(timedelta(hours=2))
    assert read(datetime(2024, 1, 2, 1, tzinfo=east)) == datetime(2024, 1, 1, 23)


def test_dots_are_day_first() -> None:
    assert find_form(["1.2.2024", "3.4.2024"])[0] == DAY_FIRST


def test_one_that_is_not_decides() -> None:
    assert find_form(["2024-01-01", "soon"]) == (None, "")
    assert find_form(["2024-01-01", "31/01/2024"]) == (None, "")


def test_numbers() -> None:
    found = numbers([datetime(1970, 1, 2, 12), None, datetime(2024, 2, 29)])
    assert PARTS == ("days since 1970", "month", "weekday", "hour")
    assert found[0].tolist() == [1.5, 1, 5, 12]  # a Friday
    assert np.isnan(found[1]).all()
    assert found[2].tolist() == [19782, 2, 4, 0]
