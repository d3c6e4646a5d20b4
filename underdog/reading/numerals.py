"""Texts of a column as numbers, where all of them are."""

from __future__ import annotations

from typing import Any

from underdog.frames.values import ABSENT, EXACT, NUMBER, PADDED, shown
from underdog.reading.optional import polars

DECIMAL_COMMA = r"^[+-]?(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?$"
THOUSANDS = r"^[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?$"

COMMAS = DECIMAL, BETWEEN = "decimal", "thousands"
"""What commas in numbers are."""
SAID = {DECIMAL: "a decimal comma", BETWEEN: "commas between thousands"}


def as_numbers(frame: Any) -> dict[str, Any]:
    """The columns of a frame of texts that are numbers, as Float64, null or NaN where missing.

    No column is among them whose numbers would lose digits: 007 would, and whole numbers that are
    too long for a float.
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
    """Numbers with commas, and what these are, of COMMAS: as they were read, then as they could be.

    None if they are no such numbers. "1,234" can be both. If it is not known what the commas are,
    it has a decimal comma in a file whose values are not separated by commas.
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


def mixture(name: str, texts: Any) -> str:
    """A sentence about a column of numbers that had to be read as text; else nothing."""
    present = without_absent(texts)
    wrong = ~present.str.contains(NUMBER)
    count, total = int(wrong.sum()), len(present) - present.null_count()
    if 0 < count < total / 2:
        first = int(wrong.fill_null(False).arg_max())
        return (
            f"Column {name!r} was read as text: {count:,} of {total:,} values are not numbers, "
            f"the first is {shown(texts[first])} in row {first + 1:,}."
        )
    if total and not count:
        return (
            f"Column {name!r} was read as text, because its numbers would lose digits, such as "
            f"{shown(_losing(present))}."
        )
    return ""


def _losing(texts: Any) -> str:
    codes = texts.filter(texts.str.contains(PADDED))
    return str((codes if len(codes) else texts.filter(texts.str.len_bytes() > 15)).drop_nulls()[0])
