"""Days since 1970, which stand for dates: what columns of them are called, and dates as text."""

from __future__ import annotations

import math
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

DAYS: Final = "days since 1970"
WEEKDAY: Final = "weekday"
HOUR: Final = "hour"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
EPOCH: Final = datetime(1970, 1, 1)
_PER_DAY = {
    "minutes": 1440,
    "seconds": 86_400,
    "milliseconds": 86_400 * 10**3,
    "microseconds": 86_400 * 10**6,
}
"""Units in which a time is written, the coarsest first."""


def part_name(date: str, part: str) -> str:
    """What a number that is made of a date is called."""
    return f"{date}: {part}"


def date_name(name: str) -> str | None:
    """The name of the date, where a column holds its days since 1970; else None.

    Examples
    --------
    >>> from underdog.data.days import date_name
    >>> date_name("signed: days since 1970")
    'signed'
    """
    end = part_name("", DAYS)
    return name.removesuffix(end) if name.endswith(end) else None


def weekday_text(name: str, names: Collection[str], number: float) -> str | None:
    """The name of a weekday from 1 to 7, if the column is made of a date; else None.

    As with whole days, those above 5.5 are those above 5, which is Friday.

    Examples
    --------
    >>> from underdog.data.days import weekday_text
    >>> names = ["signed: days since 1970", "signed: weekday"]
    >>> weekday_text("signed: weekday", names, 5.5), weekday_text("weekday", ["weekday"], 5.5)
    ('Friday', None)
    """
    end = part_name("", WEEKDAY)
    if not name.endswith(end) or part_name(name.removesuffix(end), DAYS) not in names:
        return None
    return WEEKDAYS[math.floor(number) - 1] if 1.0 <= number < 8.0 else None


def date_text(days: float, slack: float, whole: bool) -> str | None:
    """Days since 1970 as a date, with a time where `whole` is false; None where there is none.

    Parameters
    ----------
    days : float
    slack : float
        By how many days the text may be off.
    whole : bool
        Whether there are whole days only. Then those above 18413.5 are those above day 18413.

    Examples
    --------
    >>> from underdog.data.days import date_text
    >>> date_text(18413.5, 0.0, whole=True), date_text(18413.5, 0.0, whole=False)
    ('2020-05-31', '2020-05-31 12:00')
    """
    try:
        if whole:
            return (EPOCH + timedelta(days=math.floor(days))).date().isoformat()
        for unit, count in _PER_DAY.items():
            near = round(days * count) / count
            text = (EPOCH + timedelta(days=near)).isoformat(" ", unit)
            if abs(near - days) <= slack:
                break
        return text
    except (OverflowError, ValueError):  # beyond the calendar
        return None
