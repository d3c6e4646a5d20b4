"""A limit on the memory of arrays: those beyond it are on disk."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from threading import Lock

from underdog.checks import notify
from underdog.memory.handler import is_possible
from underdog.memory.region import Region

UNITS = {"": 1, "B": 1, **{f"{p}B": 1000 ** (e + 1) for e, p in enumerate("KMGT")}}
UNITS |= {f"{p}IB": 1024 ** (e + 1) for e, p in enumerate("KMGT")}
LEAST = 1 << 24
SHARE, PIECES = 2, 32
"""Arrays may take 1 / SHARE of the limit, and each of them less than 1 / PIECES.

What is left is for everything else: blocks that are read, objects of Python, gaps between arrays.
"""

_active: ContextVar[Region | None] = ContextVar("region", default=None)
_choosing = Lock()
_regions: list[Region] = []
"""All regions: those that are closed are opened again."""


def bytes_of(limit: int | str) -> int:
    """A number of bytes, from a number or a text such as "512MB", "4 GB" or "2GiB".

    Examples
    --------
    >>> from underdog.memory import bytes_of
    >>> bytes_of("1.5GB")
    1500000000
    """
    found = re.fullmatch(r"\s*([\d.]+)\s*([A-Za-z]*)\s*", str(limit))
    try:
        size = int(float(found[1]) * UNITS[found[2].upper()]) if found else 0
    except (KeyError, ValueError):
        size = 0
    if size < LEAST or isinstance(limit, bool):
        raise ValueError(
            f"memory_limit={limit!r} must be at least 16 MiB: give a number of bytes, or a text "
            "such as '4GB'"
        )
    return size


@contextmanager
def memory_limit(limit: int | str, folder: str | PathLike[str] | None = None) -> Iterator[None]:
    """Keep arrays beyond a limit in a file, while the statements below `with` run.

    All arrays of NumPy that are made there count, of any library. Small ones are in memory, large
    ones in a file without a name, which is mapped into memory: the system keeps in its page cache
    what it has memory for, and writes the rest to disk. Nothing else changes, so results are the
    same to the last bit. Objects of Python, and arrays of libraries that do not use NumPy's memory,
    are in memory as ever.

    Arrays may outlive the limit. The file ends with the last of them, or with the process.

    This is for Linux. Elsewhere there is a warning, and no limit.

    Parameters
    ----------
    limit : int or str
        Bytes of memory in addition to what the process has already, or a text such as "4GB".
    folder : path, optional
        Where the file is; by default the folder for temporary files. It should be on a fast disk
        with room for what does not fit: roughly 150 bytes for each row and label, and two for each
        value. A folder in
        memory (tmpfs) saves nothing.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from underdog import GradientBoostingClassifier, memory_limit
    >>> X, y = load_iris(return_X_y=True)
    >>> with memory_limit("1GB"):
    ...     model = GradientBoostingClassifier().fit(X, y)
    """
    size = bytes_of(limit)
    if not is_possible():
        notify("memory_limit works on Linux, with compiled code: here, all arrays are in memory")
        yield
        return
    place = Path(tempfile.gettempdir() if folder is None else folder)
    with _choosing:
        region = next((one for one in _regions if one.close()), None)
        if region is None:
            region = Region()
            _regions.append(region)
        region.open(place, size // SHARE, size // PIECES)
    token = _active.set(region)
    try:
        with region.handler.used():
            yield
    except MemoryError as error:
        error.add_note(f"Arrays beyond memory_limit are in {place}: its disk may be full.")
        raise
    finally:
        _active.reset(token)
        region.entered = False
        region.close()


def active() -> Region | None:
    """Where arrays are that do not fit in memory, if there is a limit."""
    return _active.get()


def available() -> int:
    """Bytes of memory that this process can still take, as far as the system says."""
    found = []
    with suppress(OSError, ValueError):  # no container, or one without a limit
        found.append(_number("memory.max") - _number("memory.current"))
    with suppress(OSError):  # not on Linux
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found += [int(line.split()[1]) << 10 for line in lines if "MemAvailable" in line]
    return max(LEAST, min(found, default=1 << 32))


def _number(name: str) -> int:
    """A number that the system says about this container."""
    return int(Path("/sys/fs/cgroup", name).read_text(encoding="ascii"))
