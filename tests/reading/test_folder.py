"""A folder with a sub-folder for each class."""

from pathlib import Path

from tests.reading.reading_files import refused, rows
from underdog.reading import read


def put(folder: Path, **files: bytes) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_classes_and_texts(tmp_path: Path) -> None:
    put(
        tmp_path,
        spam__b=b"free prize",
        spam__a=b"\xef\xbb\xbfwin",
        ham__deep__c=b"see you",
        ham___dot_hidden=b"\x00",
        _dot_git__x=b"\x00",
    )
    data = read(tmp_path)
    assert rows(data) == [("see you",), ("win",), ("free prize",)]
    assert data.target == ["ham", "spam", "spam"]
    assert (data.format, data.notes) == ("folder", ())


def test_what_is_told(tmp_path: Path) -> None:
    put(tmp_path, a__x=b"caf\xe9", a__y=b" \n", b__z=b"ok")
    data = read(tmp_path)
    assert rows(data)[0] == ("café",)
    assert data.notes == (
        f"{tmp_path}/a/x: Line 1 is not UTF-8: the file was read as Windows-1252.",
        "Empty files: 1.",
    )


def test_texts_without_classes(tmp_path: Path) -> None:
    data = read(put(tmp_path, one=b"hello", two=b"world"))
    assert (rows(data), data.target) == ([("hello",), ("world",)], None)


def test_what_is_refused(tmp_path: Path) -> None:
    refused(tmp_path, ": the folder is empty")
    (tmp_path / "a").mkdir()
    refused(tmp_path, ": the sub-folders have no files")
    put(tmp_path, a__picture=b"\x89PNG\x00")
    refused(tmp_path, "/a/picture, line 1: this is not a text file: there is a NUL character")
    put(tmp_path, loose=b"x")
    refused(tmp_path, ": the sub-folders are the classes, but 'loose' is in none of them: move .*")
    refused(tmp_path / "loose", ": this is not a folder", format="folder")
