"""The data home: where corpora are looked for, and where they are downloaded to."""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import TypeAlias, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

DATA_HOME = "UNDERDOG_DATA"
TEXT_FOLDER = "text"
LARGEST_DOWNLOAD = 1 << 28
CHUNK = 1 << 16
SECONDS = 30.0
TRIES = 3

GivenPath: TypeAlias = str | os.PathLike[str]
T = TypeVar("T")


class CutOffError(ConnectionError):
    """A download ended early; what has arrived is kept."""


@dataclass(frozen=True)
class Remote:
    """A file to download: its path in the data home, its addresses, and what its content must be.

    `check` raises ValueError with what is wrong, in words that can follow the file's name.
    """

    path: str
    addresses: tuple[str, ...]
    check: Callable[[Path], object]


def get_data_home(data_home: GivenPath | None = None) -> Path:
    """The folder where corpora are kept; it is made if it is not there.

    Parameters
    ----------
    data_home : path, default=None
        None takes the environment variable UNDERDOG_DATA, or else `~/.underdog_data`.

    Returns
    -------
    data_home : Path

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from underdog.datasets import get_data_home
    >>> with TemporaryDirectory() as folder:
    ...     get_data_home(folder + "/corpora").is_dir()
    True
    """
    home = Path(data_home or os.environ.get(DATA_HOME) or "~/.underdog_data").expanduser()
    home.mkdir(parents=True, exist_ok=True)
    return home


def load(
    name: str,
    remotes: Sequence[Remote],
    read: Callable[[Path], T],
    *,
    archive: GivenPath | None,
    data_home: GivenPath | None,
    download_if_missing: bool,
    verbose: int,
) -> T:
    """Read a corpus from the archive given, from the data home, or from a download.

    `read` raises ValueError with what is wrong with a path, in words that can follow the path.
    """
    if archive is None:
        path = _obtain(name, remotes, get_data_home(data_home), download_if_missing, verbose)
    else:
        path = _given(Path(archive).expanduser())
    try:
        return read(path)
    except ValueError as error:
        raise ValueError(
            f"{path} {error}. Give another copy with archive=, or delete this one from the data "
            "home to have it downloaded"
        ) from error


def _given(archive: Path) -> Path:
    if not archive.exists():
        raise FileNotFoundError(
            f"archive={str(archive)!r} is not there: give the path of a file or a folder"
        )
    return archive


def _obtain(
    name: str, remotes: Sequence[Remote], home: Path, download_if_missing: bool, verbose: int
) -> Path:
    """The path of a corpus in the data home.

    Looked for are the file or folder `name` in the data home and in its folder `text`, then the
    files of `remotes`. What is missing of these is downloaded; their folder or, if there is only
    one, the file itself is the answer.
    """
    for place in (home / name, home / TEXT_FOLDER / name):
        if place.exists():
            return place
    missing = [remote for remote in remotes if not (home / remote.path).exists()]
    if missing and not download_if_missing:
        raise OSError(
            f"{name} is neither in {home} nor in {home / TEXT_FOLDER}, and "
            "download_if_missing=False: allow the download or give a local file with archive="
        )
    for remote in missing:
        download(remote, home, verbose=verbose)
    return home / os.path.commonpath([remote.path for remote in remotes])


def download(remote: Remote, home: Path, *, verbose: int = 1, seconds: float = SECONDS) -> Path:
    """Download a file to the data home, from the first address that has the right content.

    It appears under its name only when it is complete and checked. What has arrived of an
    interrupted download is kept in a `.part` file per address, and the next call goes on from it.
    """
    target = home / remote.path
    target.parent.mkdir(parents=True, exist_ok=True)
    parts = {address: _part_of(target, address) for address in remote.addresses}
    failures = []
    for address, part in parts.items():
        try:
            _complete(address, part, verbose, seconds)
            remote.check(part)
        except (URLError, HTTPException, ConnectionError, TimeoutError) as error:
            failures.append(f"  {address}: {error}")
        except ValueError as error:
            part.unlink(missing_ok=True)
            failures.append(f"  {address}: what is there {error}")
        else:
            part.replace(target)
            for rest in parts.values():
                rest.unlink(missing_ok=True)
            return target
    tried = "\n".join(failures)
    raise OSError(
        f"{target.name} could not be downloaded. Tried were\n{tried}\n"
        f"The file is expected at {target}; a local copy can be given with archive="
    )


def _part_of(target: Path, address: str) -> Path:
    """One part per address, since mirrors may hold the same corpus in different bytes."""
    return target.with_name(f"{target.name}.{zlib.crc32(address.encode()):08x}.part")


def _complete(address: str, part: Path, verbose: int, seconds: float) -> None:
    """Go on at once where a download was cut off, a few times."""
    for left in reversed(range(TRIES)):
        try:
            return _go_on(address, part, verbose, seconds)
        except CutOffError:
            if not left:
                raise


def _go_on(address: str, part: Path, verbose: int, seconds: float) -> None:
    """Ask for what is missing of the part; from the start if that cannot be had."""
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": "underdog"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        with urlopen(Request(address, headers=headers), timeout=seconds) as answer:
            resumed = answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")
            with part.open("ab" if resumed else "wb") as file:
                for chunk in _chunks(answer, have if resumed else 0, verbose):
                    file.write(chunk)
    except HTTPError as error:
        error.close()
        if error.code != 416 or not have:
            raise
        # the part has all bytes or more: nobody knows whether the right ones
        part.unlink()
        _go_on(address, part, verbose, seconds)


def _chunks(answer: HTTPResponse, done: int, verbose: int) -> Iterator[bytes]:
    """The content piece by piece; an error if it is shorter than announced or far too long."""
    announced = answer.headers.get("Content-Length")
    total = done + int(announced) if announced is not None else None
    bar = _Bar(total, verbose)
    try:
        while done != total and (chunk := _read(answer)):
            done += len(chunk)
            if done > LARGEST_DOWNLOAD:
                raise ValueError(f"has more than {LARGEST_DOWNLOAD} bytes")
            yield chunk
            bar.show(done)
    finally:
        bar.close()
    if total is not None and done < total:
        raise CutOffError(f"cut off after {done} of {total} bytes")


def _read(answer: HTTPResponse) -> bytes:
    try:
        return answer.read1(CHUNK)  # what has arrived, so that nothing is lost if no more comes
    except (HTTPException, OSError) as error:
        raise CutOffError(f"cut off: {error!r}") from error


class _Bar:
    """A progress bar on the standard error stream, if that is a terminal."""

    def __init__(self, total: int | None, verbose: int) -> None:
        self.total = total
        self._wanted = bool(verbose) and sys.stderr.isatty()
        self._shown = 0.0

    def show(self, done: int) -> None:
        """Draw it, ten times a second and at the end."""
        now = time.perf_counter()
        if not self._wanted or (now - self._shown < 0.1 and done != self.total):
            return
        self._shown = now
        line = f"{done / 1e6:.1f} MB"
        if self.total:
            filled = 24 * done // self.total
            line = f"[{'#' * filled}{'.' * (24 - filled)}] {line} of {self.total / 1e6:.1f} MB"
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line on which the bar was drawn."""
        if self._shown:
            sys.stderr.write("\n")
            sys.stderr.flush()
