"""The data home: where corpora are looked for, and where pooch downloads them to."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from underdog.checks import import_extra

DATA_HOME = "UNDERDOG_DATA"
TEXT_FOLDER = "text"
SECONDS = 30.0
"""After which a server that sends nothing is given up."""

GivenPath: TypeAlias = str | os.PathLike[str]
T = TypeVar("T")


@dataclass(frozen=True)
class Remote:
    """A file to download.

    Attributes
    ----------
    path : str
        Where it goes in the data home.
    addresses : where it can be had, tried in this order
    sha256 : str, optional
        Of its bytes; None where it is not known.
    """

    path: str
    addresses: tuple[str, ...]
    sha256: str | None = None


@dataclass(frozen=True)
class Source:
    """Where to take a corpus from: the arguments that all loaders share.

    Attributes
    ----------
    archive : path or None
        A local copy; nothing is downloaded then.
    data_home : path or None
        See `get_data_home`.
    download_if_missing : bool
    verbose : int
        Whether a download shows its progress.
    """

    archive: GivenPath | None
    data_home: GivenPath | None
    download_if_missing: bool
    verbose: int


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


def load(name: str, remotes: Sequence[Remote], read: Callable[[Path], T], source: Source) -> T:
    """Read a corpus from the archive given, from the data home, or from a download.

    `read` raises ValueError with what is wrong with a path, in words that can follow the path.
    """
    new: list[Path] = []
    if source.archive is not None:
        path = _given(Path(source.archive).expanduser())
    else:
        home = get_data_home(source.data_home)
        path, missing = _find(name, remotes, home)
        if missing and not source.download_if_missing:
            raise OSError(
                f"{name} is neither in {home} nor in {home / TEXT_FOLDER}, and "
                "download_if_missing=False: allow the download or give a local file with archive="
            )
        new = [download(remote, home, verbose=source.verbose) for remote in missing]
    try:
        return read(path)
    except ValueError as error:
        if new:
            for file in new:
                file.unlink()
            raise OSError(
                f"what was downloaded as {path} {error}. It was deleted: try again later, or give "
                "a local copy with archive="
            ) from error
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


def _find(name: str, remotes: Sequence[Remote], home: Path) -> tuple[Path, list[Remote]]:
    """The path of a corpus in the data home, and which of its files are still to be downloaded.

    Looked for are the file or folder `name` in the data home and in its folder `text`, then the
    files of `remotes`: their folder or, if there is only one, the file itself is the path.
    """
    for place in (home / name, home / TEXT_FOLDER / name):
        if place.exists():
            return place, []
    missing = [remote for remote in remotes if not (home / remote.path).exists()]
    return home / os.path.commonpath([remote.path for remote in remotes]), missing


def download(remote: Remote, home: Path, *, verbose: int = 1, seconds: float = SECONDS) -> Path:
    """Download a file to the data home, from the first address that has the right bytes.

    It appears under its name only when it is complete and has the known SHA-256.
    """
    pooch = import_extra("pooch", "datasets", f"downloading {Path(remote.path).name}")
    from requests import RequestException

    target = home / remote.path
    bar = bool(verbose) and sys.stderr.isatty() and find_spec("tqdm") is not None
    failures = []
    for address in remote.addresses:
        try:
            with _quiet(pooch.get_logger()):
                pooch.retrieve(
                    address,
                    remote.sha256,
                    fname=target.name,
                    path=target.parent,
                    downloader=pooch.HTTPDownloader(progressbar=bar, timeout=seconds),
                )
        except (RequestException, ValueError) as error:  # ValueError: another SHA-256
            failures.append(f"  {address}: {error}")
        else:
            return target
    tried = "\n".join(failures)
    raise OSError(
        f"{target.name} could not be downloaded. Tried were\n{tried}\n"
        f"Is there a connection to the internet? The file is expected at {target}; a local copy "
        "can be given with archive="
    )


@contextmanager
def _quiet(logger: Any) -> Iterator[None]:
    """Leave out what pooch says about each file: a progress bar says enough."""
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
