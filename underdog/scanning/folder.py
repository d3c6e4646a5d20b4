"""The folder of a scan: blocks while it is made, then arrays with a manifest."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from underdog.scanning.blocks import RowSource
from underdog.scanning.joining import Contents, join
from underdog.scanning.pieces import piece_of, save_piece

FORMAT = 1
MANIFEST, WORK, JOURNAL, LOCK = "manifest.json", "blocks", "journal.json", "lock"


class DamagedScanError(ValueError):
    """The folder of a scan has been damaged or changed."""


def is_scan(folder: Path) -> bool:
    """Whether there is a complete scan in a folder."""
    return (folder / MANIFEST).is_file()


def make(
    folder: Path, source: RowSource, options: dict[str, Any], memory: int, from_one: bool
) -> None:
    """Read a source into a folder, or go on where this was interrupted."""
    work = folder / WORK
    work.mkdir(exist_ok=True)
    with _alone(folder):
        made = {"format": FORMAT, "source": source.fingerprint, "options": options}
        started = _read(work / JOURNAL)
        if started is None or source.fingerprint is None or started["made_from"] != made:
            shutil.rmtree(work)
            work.mkdir()
            started = {"made_from": made, "memory": memory}
            _write(work / JOURNAL, started)
        paths = sorted(work.glob("*.npz"))
        row = 0
        for number, block in enumerate(source.blocks(started["memory"])):
            if number < len(paths):  # read before the interruption
                row += int(block.X.shape[0])
                continue
            piece = piece_of(block, options["categorical"], row)
            paths.append(work / f"{number:09}.npz")
            save_piece(paths[-1], piece)
            row += piece.n_rows
        if not row:
            raise ValueError("the source has no rows")
        try:
            contents = join(folder, paths, from_one)
        except (BadZipFile, EOFError, KeyError) as error:
            raise DamagedScanError(
                f"a block in {work} is damaged ({error}): delete {folder} and scan again"
            ) from None
        files = {f"{name.replace(' ', '-')}.npy": None for name in contents["arrays"]}
        marks = {name: _mark(folder / name) for name in files}
        _write(folder / MANIFEST, {**made, "contents": contents, "files": marks})
        shutil.rmtree(work)


def made_from(folder: Path) -> dict[str, Any]:
    """The source and the options of a complete scan."""
    return _manifest(folder)


def read(folder: Path, is_new: bool = False) -> tuple[Contents, dict[str, Any]]:
    """What is in a folder, and its arrays; a folder that is not new is checked for damage."""
    manifest = _manifest(folder)
    files = {} if is_new else manifest["files"]
    for name, mark in files.items():
        path = folder / name
        if not path.is_file() or _mark(path) != mark:
            raise DamagedScanError(
                f"{path} is damaged, or was changed after the scan: delete {folder} and scan again"
            )
    arrays = {
        name: np.load(folder / f"{name.replace(' ', '-')}.npy", mmap_mode="c", allow_pickle=False)
        for name in manifest["contents"]["arrays"]
    }
    # Plain arrays over the maps: kernels are compiled for these.
    plain = {name: np.asarray(array) for name, array in arrays.items()}
    return manifest["contents"], plain


def _manifest(folder: Path) -> dict[str, Any]:
    manifest = _read(folder / MANIFEST)
    if manifest is None or manifest.get("format") != FORMAT:
        raise DamagedScanError(f"{folder} has no scan of this version: delete it and scan again")
    return manifest


def _mark(path: Path) -> list[Any]:
    """The size and the digest of a file."""
    with path.open("rb") as file:
        return [path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()]


def _write(path: Path, values: dict[str, Any]) -> None:
    """Write plain values with their digest; the file has its name only if it is complete."""
    text = json.dumps(values)
    digest = hashlib.sha256(text.encode()).hexdigest()
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(f"{digest}\n{text}\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _read(path: Path) -> dict[str, Any] | None:
    """What was written; None if there is no such file."""
    if not path.is_file():
        return None
    digest, _, text = path.read_text(encoding="utf-8").partition("\n")
    text = text.removesuffix("\n")
    if hashlib.sha256(text.encode()).hexdigest() != digest:
        raise DamagedScanError(
            f"{path} is damaged, or was changed after the scan: delete {path.parent} and scan again"
        )
    values: dict[str, Any] = json.loads(text)
    return values


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Refuse to write to a folder that another process writes to."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    with (folder / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"another process scans into {folder}: wait for it") from None
        yield
