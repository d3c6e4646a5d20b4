"""A file that is mapped into memory, in which arrays have their places."""

from __future__ import annotations

import ctypes
import os
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from underdog.kernels import memory
from underdog.memory.handler import Handler

ADDRESSES = (1 << 44, 1 << 40, 1 << 37)
"""How far the file may grow, in bytes: addresses cost nothing, but their number may be limited."""
READ_WRITE, SHARED, NOT_RESERVED, NOT_IN_CHILDREN = 3, 1, 0x4000, 10
SMALL = 1 << 16
"""Arrays with fewer bytes are always in memory."""


class Region:
    """Arrays of NumPy, of which those that do not fit are in a file that has no name.

    The file is on disk: the system writes its pages there when it needs their memory. A process
    that is forked does not see it. Arrays give back their memory through the region they are from,
    which must never end: it is opened again instead.
    """

    def __init__(self) -> None:
        self._file, self._base, self._reserved = -1, 0, 0
        self.entered = False
        """Whether new arrays are made here."""
        self.state = np.zeros(memory.STATE_SIZE, dtype=np.int64)
        self.handler = Handler(self.state)

    def open(self, folder: Path, room: int, large: int) -> None:
        """Make a new file.

        Parameters
        ----------
        folder : path
            Where the file is.
        room : int
            How many bytes of arrays may be in memory.
        large : int
            Arrays with as many bytes are always in the file.
        """
        file = _nameless(folder)
        try:
            self._base, self._reserved = _mapped(file)
        except OSError:
            os.close(file)
            raise
        self._file, self.entered = file, True
        state = self.state
        state[[memory.BASE, memory.RESERVED, memory.FILE]] = self._base, self._reserved, file
        state[[memory.GROWN, memory.N_FREE, memory.MOST_MAPPED]] = 0
        state[[memory.SMALL, memory.LARGE, memory.ROOM]] = min(SMALL, large), large, room

    @property
    def most_bytes(self) -> int:
        """The most bytes of arrays that were in the file at a time."""
        return int(self.state[memory.MOST_MAPPED])

    def close(self) -> bool:
        """Close the file, unless it is still used; returns whether it is closed."""
        if self._file >= 0 and not self.entered and not self.state[memory.N_MAPPED]:
            _library().munmap(self._base, self._reserved)
            os.close(self._file)
            self._file = -1
            self.state[memory.LARGE], self.state[memory.ROOM] = 1 << 62, 1 << 62
        return self._file < 0


def _nameless(folder: Path) -> int:
    """The descriptor of a file that ends with the process."""
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError:  # file systems without such files
        file, name = tempfile.mkstemp(prefix=".underdog-", dir=folder)
        os.unlink(name)
        return file


@cache
def _library() -> ctypes.CDLL:
    """The functions of the system that map files."""
    library = ctypes.CDLL(None, use_errno=True)
    size, number, address = ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p
    library.mmap.restype = address
    library.mmap.argtypes = [address, size, number, number, number, ctypes.c_int64]
    library.munmap.argtypes = [address, size]
    library.madvise.argtypes = [address, size, number]
    return library


def _mapped(file: int) -> tuple[int, int]:
    """The address of a file in memory, and how far it may grow."""
    for size in ADDRESSES:
        base = _library().mmap(None, size, READ_WRITE, SHARED | NOT_RESERVED, file, 0)
        if base not in (None, ctypes.c_void_p(-1).value):
            _library().madvise(base, size, NOT_IN_CHILDREN)
            return int(base), size
    error = ctypes.get_errno()
    raise OSError(error, f"{os.strerror(error)}: a file cannot be mapped into memory")
