"""A JSON array of objects is read like the same objects on lines."""

import json

import pytest

from tests.reading.reading_files import Write, refused, rows
from underdog.reading import read

OBJECTS = [{"a": 1, "b": "x"}, {"a": 2.5}, {"b": "\u00e4\U0001f600", "a": None, "c": [1]}]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt", "x"])
@pytest.mark.parametrize("indent", [None, 2])
def test_it_is_read_like_lines(write: Write, name: str, indent: int | None) -> None:
    lines = read(write("".join(json.dumps(each) + "\n" for each in OBJECTS), "lines.jsonl"))
    found = read(write(" \n" + json.dumps(OBJECTS, indent=indent) + "\n", name))
    assert rows(found) == rows(lines)
    assert found.frame.schema == lines.frame.schema
    assert found.notes == lines.notes


def test_some_columns_and_other_encodings(write: Write) -> None:
    text = json.dumps(OBJECTS, ensure_ascii=False)
    found = read(write(text.encode("utf-16"), "x.json"), columns=["b"])
    assert rows(found) == [("x",), (None,), ("\u00e4\U0001f600",)]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[]", ": there are no rows"),
        ("[\n]\n", ": there are no rows"),
        ('[{"a": 1},\n 7]', r", row 2 \(line 2\): this element is '7', which is not an object: .*"),
        ("[[1, 2]]", r", row 1 \(line 1\): this element is '\[1, 2\]', which is not an object: .*"),
        ('[{"a": 1},\n{"a": }]', r", row 2 \(line 2\): this is not JSON \(Expecting value\): .*"),
        ('[{"a": 1},\n]', r", row 2 \(line 2\): this is not JSON \(Expecting value\): each .*"),
        ('[{"a":\n1}\n{"a": 2}]', r", row 1 \(line 1\): after this element a comma or the end .*"),
        ('[{"a": 1}', r", row 1 \(line 1\): after this element a comma or the end of the arr.*"),
        ("[" * 100_000, r", row 1 \(line 1\): this is not JSON \(nested too deeply\): .*"),
        ('[{"a": 1}]\n{"a": 2}', ", line 1: there is more after the end of the array"),
        ('[{"a": "\\ud83d"}]', r", row 1 \(line 1\), column 'a': '\\ud83d' is half of a surr.*"),
    ],
)
def test_what_is_refused(write: Write, content: str, sentence: str) -> None:
    refused(write(content, "x.json"), sentence)
