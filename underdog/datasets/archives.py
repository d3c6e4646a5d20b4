"""Files out of an archive or a folder, read in memory: nothing is unpacked to the disk."""

from __future__ import annotations

import gzip
import json
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

LARGEST_FILE = 1 << 26
LARGEST_ARCHIVE = 1 << 28

DAMAGED = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile)


def holds_files(path: Path) -> bool:
    """Whether it is a folder or a tar archive."""
    return path.is_dir() or tarfile.is_tarfile(path)


def read_files(path: Path, pattern: str) -> dict[str, bytes]:
    """The contents of the files whose names match a pattern, in the order of their names.

    Parameters
    ----------
    path : Path
        A tar archive, compressed or not, or a folder. Of an archive all folders are searched.
    pattern : str
        A regular expression for the whole name, without folders.

    Returns
    -------
    contents : dict of str to bytes
    """
    if path.is_dir():
        places = [place for place in path.iterdir() if re.fullmatch(pattern, place.name)]
        found = {place.name: _read_whole(place) for place in places if place.is_file()}
    else:
        try:
            with tarfile.open(path) as archive:
                found = dict(_members(archive, pattern))
        except DAMAGED as error:
            raise ValueError(f"is not a whole tar archive: {error}") from error
    return dict(sorted(found.items()))


def _read_whole(path: Path) -> bytes:
    with path.open("rb") as file:
        return _limited(file, path.name)


def _members(archive: tarfile.TarFile, pattern: str) -> Iterator[tuple[str, bytes]]:
    total = 0
    for member in archive:
        total += member.size
        if total > LARGEST_ARCHIVE:
            raise ValueError(f"unpacks to more than {LARGEST_ARCHIVE} bytes")
        name = PurePosixPath(member.name).name
        if member.isreg() and re.fullmatch(pattern, name):
            file = archive.extractfile(member)
            assert file is not None
            yield name, _limited(file, name)


def _limited(file: IO[bytes] | gzip.GzipFile, name: str) -> bytes:
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ValueError(f"holds more than {LARGEST_FILE} bytes as {name}")
    return content


def lines_of(content: bytes, encoding: str = "utf-8") -> list[str]:
    """The lines that are not blank. Only a line feed ends a line, unlike in `str.splitlines`."""
    lines = (line.strip() for line in content.decode(encoding).split("\n"))
    return [line for line in lines if line]


def read_json_lines(path: Path, *fields: str) -> list[tuple[Any, ...]]:
    """These fields of the objects of a file compressed with gzip that has one object per line."""
    try:
        with gzip.open(path) as file:
            content = _limited(file, path.name)
        return [tuple(map(json.loads(line).__getitem__, fields)) for line in lines_of(content)]
    except (*DAMAGED, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"is not a whole file of JSON lines with {', '.join(fields)}, compressed with gzip: "
            f"{error!r}"
        ) from error
