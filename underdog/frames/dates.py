"""Dates: how they are written, and the numbers that are made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np

from underdog.data.days import DAYS, EPOCH, HOUR, WEEKDAY
from underdog.types import Floats

FORMS = ISO, DAY_FIRST, MONTH_FIRST = "year-month-day", "day/month/year", "month/day/year"

PARTS = (DAYS, "month", WEEKDAY, HOUR)
"""Numbers of a date; Monday is 1. Times are in UTC; one without a zone is taken to be."""

_TIME = r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)? ?(Z|[+-]\d{2}:?\d{2})?)?"
_YEAR_FIRST = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})" + _TIME, re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})" + _TIME, re.ASCII)


def find_form(texts: Iterable[str]) -> tuple[str | None, str]:
    """The format in which all of these dates are written, or None; and why it is ambiguous.

    31/1/2024 is day first and 1/31/2024 month first; if every value could be both, the format is
    ambiguous. 31.1.2024 is always day first.
    """
    forms = set(FORMS)
    for text in texts:
        forms = {form for form in forms if _parse(text, form) is not None}
        if not forms:
            return None, ""
    if ISO in forms and len(forms) > 1:  # there were no texts
        return None, ""
    if len(forms) > 1:
        return None, f"dates that could be {' or '.join(sorted(forms))}"
    return forms.pop(), ""


def written(form: str, example: str) -> str:
    """The format with the separators of an example: day.month.year of 15.08.2023.

    Examples
    --------
    >>> from underdog.frames.dates import DAY_FIRST, written
    >>> written(DAY_FIRST, "15.08.2023")
    'day.month.year'
    """
    found = _YEAR_LAST.fullmatch(example)
    return form if found is None else form.replace("/", found[2])


def reader(form: str | None) -> Callable[[Any], datetime | None]:
    """A function from a value of a column to its moment; None if it is not a date."""

    def read(value: Any) -> datetime | None:
        if isinstance(value, datetime):
            return _utc(value)
        if isinstance(value, date):
            return datetime(value.year, value.month, value.day)
        if isinstance(value, str):
            return _parse(value, form or ISO)
        return None

    return read


def numbers(moments: list[datetime | None]) -> Floats:
    """A row for each moment and a column for each of PARTS; NaN where there is none."""
    place = {moment: number for number, moment in enumerate(dict.fromkeys(moments))}
    distinct = np.full((len(place), len(PARTS)), np.nan)
    day = timedelta(days=1)
    for number, moment in enumerate(place):
        if moment is not None:
            days = (moment - EPOCH) / day
            distinct[number] = days, moment.month, moment.isoweekday(), moment.hour
    return distinct[[place[moment] for moment in moments]]


def _parse(text: str, form: str) -> datetime | None:
    text = text.strip()
    if form == ISO:
        found = _YEAR_FIRST.fullmatch(text)
        if found is None:
            return None
        year, month, day, *rest = found.groups()
    else:
        found = _YEAR_LAST.fullmatch(text)
        if found is None:
            return None
        first, mark, second, year, *rest = found.groups()
        if form == MONTH_FIRST and mark == ".":
            return None
        day, month = (first, second) if form == DAY_FIRST else (second, first)
    hour, minute, seconds, zone = rest
    try:
        moment = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(seconds or 0)
        )
        return moment if zone in (None, "Z") else moment - _offset(zone)
    except (OverflowError, ValueError):
        return None


def _offset(zone: str) -> timedelta:
    sign = -1 if zone[0] == "-" else 1
    return sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)
