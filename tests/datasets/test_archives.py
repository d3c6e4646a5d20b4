"""Files out of archives: only those asked for, only in memory, only up to a size."""

import gzip
import io
import json
import tarfile

import pytest

from underdog.datasets import archives
from underdog.datasets.archives import holds_files, lines_of, read_files, read_json_lines

PATTERN = r"page-\d\.txt"


def add(archive, name, content):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


@pytest.fixture
def packed(tmp_path):
    path = tmp_path / "pages.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        add(archive, "deep/down/page-2.txt", b"two")
        add(archive, "../../page-1.txt", b"one")
        add(archive, "page-1.txt.exe", b"no")
        link = tarfile.TarInfo("page-3.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        folder = tarfile.TarInfo("page-4.txt")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
    return path


def test_files_of_an_archive_come_in_the_order_of_their_names_and_nothing_is_unpacked(packed):
    assert list(read_files(packed, PATTERN).items()) == [
        ("page-1.txt", b"one"),
        ("page-2.txt", b"two"),
    ]
    assert list(packed.parent.iterdir()) == [packed]


def test_files_of_a_folder(tmp_path):
    (tmp_path / "page-1.txt").write_bytes(b"one")
    (tmp_path / "other.txt").write_bytes(b"no")
    (tmp_path / "page-2.txt").mkdir()
    assert read_files(tmp_path, PATTERN) == {"page-1.txt": b"one"}


def test_only_folders_and_tar_archives_hold_files(packed):
    plain = packed.with_name("plain")
    plain.write_bytes(b"plain")
    assert holds_files(packed)
    assert holds_files(packed.parent)
    assert not holds_files(plain)


@pytest.mark.parametrize("length", [0, 5, 100])
def test_a_cut_archive_is_an_error(packed, length):
    packed.write_bytes(packed.read_bytes()[:length])
    with pytest.raises(ValueError, match="is not a whole tar archive"):
        read_files(packed, PATTERN)


def test_an_archive_that_becomes_too_large_is_refused_before_it_is_read(packed, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_ARCHIVE", 5)
    with pytest.raises(ValueError, match="unpacks to more than 5 bytes"):
        read_files(packed, PATTERN)


@pytest.mark.parametrize("place", ["archive", "folder"])
def test_a_file_that_is_too_large_is_refused(packed, monkeypatch, place):
    (packed.parent / "page-2.txt").write_bytes(b"two")
    monkeypatch.setattr(archives, "LARGEST_FILE", 2)
    path = packed if place == "archive" else packed.parent
    with pytest.raises(ValueError, match=r"holds more than 2 bytes as page-2\.txt"):
        read_files(path, PATTERN)


def test_only_line_feeds_end_lines_and_blank_ones_are_left_out():
    assert lines_of(b"a\x85b\r\n\n \nc", "latin-1") == ["a\x85b", "c"]


def test_fields_of_json_lines(tmp_path):
    path = tmp_path / "lines.jsonl.gz"
    lines = [{"text": "a\u2028b", "label": 1, "more": 2}, {"label": 3, "text": "c"}]
    path.write_bytes(
        gzip.compress("\n".join(json.dumps(x, ensure_ascii=False) for x in lines).encode())
    )
    assert read_json_lines(path, "text", "label") == [("a\u2028b", 1), ("c", 3)]


@pytest.mark.parametrize(
    "content",
    [
        b"not gzip",
        gzip.compress(b'{"text": 1}', mtime=0)[:-9],
        gzip.compress(b"not json", mtime=0),
        gzip.compress(b'{"other": 1}', mtime=0),
        gzip.compress(b"[1]", mtime=0),
        gzip.compress(b"1", mtime=0),
        gzip.compress(b'{"text": "\xff"}', mtime=0),
    ],
)
def test_what_is_not_json_lines_is_an_error(tmp_path, content):
    path = tmp_path / "lines.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a whole file of JSON lines with text"):
        read_json_lines(path, "text")
