"""The role of each column of a frame, found from all of its values, whatever their order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np

from underdog.checks import check_choice
from underdog.data.levels import FEW_ROWS, MAX_LEVELS, mostly_different
from underdog.frames.columns import (
    holds_dates,
    holds_numbers,
    numbers_of,
    refuse_other_types,
    texts_of,
)
from underdog.frames.dates import ISO, find_form, written
from underdog.frames.errors import BadData
from underdog.frames.values import is_absent, is_code, number_of

ROLES = ("number", "category", "text", "date", "identifier", "constant")
LEFT_OUT = ("identifier", "constant")

TRUTH = "true/false"
"""The form of a category of true and false: programs differ in upper and lower case."""

LONG, MANY = 5, 100
"""With so many words per value and so many different values, even repeated values are texts."""

_NAMED_IDENTIFIER = re.compile(r"(?i)(^|[\W_])(id|ids|uuid|guid|index|idx|rowid|row|key|nr|no)$")
_CAMEL_IDENTIFIER = re.compile(r"[a-z](Id|ID|Key|Index)$")
_UNNAMED = re.compile(r"column \d+|Unnamed: \d+|")


@dataclass(frozen=True)
class Role:
    """What a column is, and why.

    `form` is how its dates are written, or TRUTH where its categories are true and false.
    """

    kind: str
    reason: str
    form: str | None = None

    def __str__(self) -> str:
        return f"{self.kind} ({self.reason})"


def given_role(kind: str, name: str, series: Any) -> Role:
    """The role that the user has given."""
    check_choice(f"the role of column {name!r}", kind, *ROLES)
    if kind not in LEFT_OUT:
        refuse_other_types(name, series)
    form = None
    if kind == "category":
        form = _truth(text for text in texts_of(series) if text is not None)
    if kind == "date" and not holds_dates(series):
        texts = {text for text in texts_of(series) if text is not None and not is_absent(text)}
        form, doubt = find_form(texts)
        if doubt:
            raise BadData(f"{doubt}: write them as {ISO}", column=name)
    return Role(kind, "as given", form)


def find_role(name: str, series: Any) -> Role:
    """The role that the values suggest."""
    refuse_other_types(name, series)
    if holds_numbers(series):
        return _role_of_numbers(name, numbers_of(name, series))
    counts = Counter(series.to_list() if holds_dates(series) else texts_of(series))
    missing = counts.pop(None, 0)
    if not counts:
        return Role("constant", "all values are missing")
    if len(counts) == 1 and not missing:
        return Role("constant", "the same value in all rows")
    if holds_dates(series):
        role = Role("date", "by its type")
    elif series.dtype in (nw.Categorical, nw.Enum, nw.Boolean) and len(counts) <= MAX_LEVELS:
        role = Role("category", f"{_levels(len(counts))}, by its type", _truth(counts))
    else:
        role = _role_of_texts(counts)
    return replace(role, reason=f"{role.reason}{_gaps(missing)}")


def _role_of_numbers(name: str, values: Any) -> Role:
    present = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    if not len(present):
        return Role("constant", "all values are missing")
    low, high = present.min(), present.max()
    missing = len(values) - len(present)
    if low == high and not missing:
        return Role("constant", f"{_number(low)} in all rows")
    if not missing and len(values) >= FEW_ROWS and _numbers_rows(name, values, low, high):
        spread = f"{len(values):,} different whole numbers in {len(values):,} rows"
        return Role("identifier", f"{spread}, and the name of an identifier")
    return Role("number", f"from {_number(low)} to {_number(high)}{_gaps(missing)}")


def _gaps(missing: int) -> str:
    return f", {missing:,} missing" if missing else ""


def _numbers_rows(name: str, values: Any, low: Any, high: Any) -> bool:
    """Whether the numbers only identify the row."""
    unnamed = _UNNAMED.fullmatch(name) is not None
    if unnamed and not (low in (0, 1) and high - low == len(values) - 1):
        return False
    if not (unnamed or _NAMED_IDENTIFIER.search(name) or _CAMEL_IDENTIFIER.search(name)):
        return False
    whole = values.dtype.kind != "f" or bool((values == np.floor(values)).all())
    return whole and len(np.unique(values)) == len(values)


def _role_of_texts(counts: Counter[str]) -> Role:
    given = [text for text in counts if not is_absent(text)]
    doubt = ""
    if given and all(number_of(text) is not None for text in given):
        if not any(map(is_code, given)):
            return Role("number", f"text that holds only numbers{_absent(counts)}")
    elif given:
        form, doubt = find_form(given)
        if form is not None:
            example = min(given).strip()
            return Role("date", f"dates like {example}, read as {written(form, example)}", form)
    role = _role_of_words(counts)
    return replace(role, reason=f"{role.reason}: {doubt}") if doubt else role


def _absent(counts: Counter[str]) -> str:
    """Which texts were taken as missing numbers."""
    marks = sorted({text.strip() for text in counts if is_absent(text)} - {""})
    if not marks:
        return ""
    return f"; {', '.join(map(repr, marks))} {'means' if len(marks) == 1 else 'mean'} missing"


def _role_of_words(counts: Counter[str]) -> Role:
    rows, distinct = sum(counts.values()), len(counts)
    words = sum(len(text.split()) * times for text, times in counts.items()) / rows
    spread = f"{distinct:,} different values in {rows:,} rows"
    different = mostly_different(distinct, rows)
    if (words >= 2 and different) or (words >= LONG and distinct > MANY):
        return Role("text", f"{words:.1f} words on average, {spread}")
    if (rows >= FEW_ROWS and different) or distinct > MAX_LEVELS:
        return Role("identifier", f"{spread}, too few rows for each value")
    return Role("category", _levels(distinct), _truth(counts))


def _truth(texts: Iterable[str]) -> str | None:
    return TRUTH if all(text.lower() in ("true", "false") for text in texts) else None


def _levels(count: int) -> str:
    return f"{count:,} different values" if count != 1 else "1 value"


def _number(value: Any) -> str:
    """A number as people write it: 1490400 and not 1.4904e+06."""
    whole = np.isfinite(value) and value == np.floor(value) and abs(value) < 1e15
    return f"{int(value):,}" if whole else f"{value:.6g}"
