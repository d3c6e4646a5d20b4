"""One JSON array of objects, such as [{"age": 31}, {"age": 54}]."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from underdog.frames.errors import BadData
from underdog.frames.values import shown

ONE_OBJECT = 'each element must be one object, such as {"age": 31, "city": "Rome"}'

_space = re.compile(r"[ \t\n\r]*")


def array_records(file: BinaryIO, path: str) -> Iterator[tuple[int, bool, dict[str, Any]]]:
    """The line of each object, whether it may have escaped characters, and the object."""
    text = file.read().decode()
    escaped, decoder = "\\u" in text, json.JSONDecoder()
    place = _after(text, _after(text, 0) + 1)  # after the bracket
    row, line, seen = 0, 1, 0
    ends = text[place : place + 1] == "]"
    while not ends:
        row += 1
        line, seen = line + text.count("\n", seen, place), place
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "nested too deeply")
            problem = f"this is not JSON ({reason}): {ONE_OBJECT}"
            raise BadData(problem, path=path, row=row, line=line) from None
        if not isinstance(value, dict):
            found = shown(text[place:end])
            problem = f"this element is {found}, which is not an object: {ONE_OBJECT}"
            raise BadData(problem, path=path, row=row, line=line)
        yield line, escaped, value
        place = _after(text, end)
        mark = text[place : place + 1]
        if mark not in (",", "]"):
            problem = "after this element a comma or the end of the array, ], is missing"
            raise BadData(problem, path=path, row=row, line=line)
        ends = mark == "]"
        place = place if ends else _after(text, place + 1)
    if _after(text, place + 1) < len(text):
        line = 1 + text.count("\n", 0, place)
        raise BadData("there is more after the end of the array", path=path, line=line)


def _after(text: str, place: int) -> int:
    """The next place that is not white space."""
    found = _space.match(text, place)
    return len(text) if found is None else found.end()
