"""Columns of texts that are numbers."""

from __future__ import annotations

from typing import Any

from underdog.frames.errors import row_number
from underdog.frames.values import ABSENT, EXACT, NUMBER, PADDED, shown
from underdog.reading.optional import polars

DECIMAL_COMMA = r"^[+-]?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?$"
THOUSANDS = r"^[+-]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?$"

COMMAS = DECIMAL, BETWEEN = "decimal", "thousands"
"""What commas in numbers are."""
EXAMPLES = {
    DECIMAL: "as decimal commas (0,5 is 0.5)",
    BETWEEN: "as thousands separators (1,000 is 1000)",
}


def as_numbers(frame: Any) -> dict[str, Any]:
    """The columns of texts that hold only numbers, as Float64; missing values are null or NaN.

    Columns whose values would lose digits are left out: 007, or whole numbers that are too long
    for a float.
    """
    pl = polars()
    numbers = frame.select(pl.all().cast(pl.Float64, strict=False))
    plain = (
        after == before and not padded and not large
        for before, after, padded, large in zip(
            frame.null_count().row(0),
            numbers.null_count().row(0),
            frame.select(pl.all().str.contains(PADDED).any()).row(0),
            numbers.select((pl.all().abs() > EXACT).any()).row(0),
            strict=True,
        )
    )
    found = {
        texts.name: own if is_plain else _carefully(texts)
        for texts, own, is_plain in zip(frame, numbers, plain, strict=True)
    }
    return {name: own for name, own in found.items() if own is not None}


def _carefully(texts: Any) -> Any:
    """The numbers of one column, or None."""
    present = without_absent(texts)
    numbers = present.cast(polars().Float64, strict=False)
    if numbers.null_count() > present.null_count() or present.str.contains(PADDED).any():
        return None
    too_long = present.filter(numbers.abs() > EXACT).str.contains("^[+-]?[0-9]+$").any()
    return None if too_long else numbers


def without_absent(texts: Any) -> Any:
    """Texts without spaces around them, null where they stand for a missing number."""
    stripped = texts.str.strip_chars()
    return stripped.set(stripped.is_in(list(ABSENT)), None)


def localised(texts: Any, separator: str, known: str | None) -> tuple[Any, list[str]]:
    """Numbers that are written with commas, and what their commas may be: first the one used.

    None if they are not such numbers. "1,234" may have either comma of COMMAS, "0,126" has a
    decimal one. If `known` does not say it, commas that may be either are decimal, unless commas
    also separate the values.
    """
    present = without_absent(texts)
    if known is None and not present.str.contains("[0-9],[0-9]").any():
        return None, []
    fit = [
        commas
        for commas, pattern in ((DECIMAL, DECIMAL_COMMA), (BETWEEN, THOUSANDS))
        if known in (None, commas) and present.str.contains(pattern).all()
    ]
    if not fit:
        return None, []
    if separator == ",":
        fit.reverse()
    if fit[0] == DECIMAL:
        present = present.str.replace_all(".", "", literal=True)
    plain = present.str.replace_all(",", "." if fit[0] == DECIMAL else "", literal=True)
    return plain.cast(polars().Float64), fit


def commas_note(name: str, kinds: list[str]) -> str:
    """A sentence about how the commas of a column were read, and how else they could be."""
    used, *other = (EXAMPLES[kind] for kind in kinds)
    could = f"; they could also be read {other[0]}" if other else ""
    return f"Commas in column {name!r} were read {used}{could}."


def mixture(name: str, texts: Any) -> str:
    """A sentence about a column that was read as text though most values are numbers, or ""."""
    present = without_absent(texts)
    wrong = ~present.str.contains(NUMBER)
    count, total = int(wrong.sum()), len(present) - present.null_count()
    if 0 < count < total / 2:
        first = int(wrong.fill_null(False).arg_max())
        return (
            f"Column {name!r} was read as text: {count:,} of {total:,} values are not numbers, "
            f"the first is {shown(texts[first])} in {row_number(first + 1)}."
        )
    losing = _losing(present)
    if count or not len(losing):
        return ""
    return (
        f"Column {name!r} was read as text, because values such as {shown(losing[0])} would lose "
        "digits as numbers."
    )


def _losing(texts: Any) -> Any:
    """Numbers that would lose digits: codes with leading zeros, or else very long ones."""
    codes = texts.filter(texts.str.contains(PADDED))
    return (codes if len(codes) else texts.filter(texts.str.len_bytes() > 15)).drop_nulls()
