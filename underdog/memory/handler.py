"""The hook of NumPy for the memory of arrays (NEP 49), which it offers to programs in C."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from underdog.kernels import memory
from underdog.kernels.barrier import can_meet
from underdog.types import Integers

SET_HANDLER = 304
"""The place of PyDataMem_SetHandler in the table of NumPy's functions, which never changes."""
NAME = b"mem_handler"
"""The name that NumPy wants a capsule with a handler to have."""


class _Functions(ctypes.Structure):
    """PyDataMemAllocator of NumPy."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("state", "new", "zeros", "other", "free"))


class _Handler(ctypes.Structure):
    """PyDataMem_Handler of NumPy."""

    _fields_ = (("name", ctypes.c_char * 127), ("version", ctypes.c_uint8), ("own", _Functions))


@cache
def _machine_code() -> Any:
    made: Any = memory.addresses
    return made()


@cache
def _set_handler() -> Any:
    """NumPy's function, which returns the handler that was used before."""
    package = "numpy._core" if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else "numpy.core"
    core = import_module(f"{package}._multiarray_umath")
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer(core._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(table[SET_HANDLER] or 0)


class Handler:
    """NumPy's arrays with memory from `underdog.kernels.memory`, with a state of their own.

    Arrays keep a reference to what made them, which must not end before they do.
    """

    def __init__(self, state: Integers) -> None:
        code = [function.address for function in _machine_code()]
        self._struct = _Handler(b"underdog", 1, _Functions(state.ctypes.data, *code))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self._capsule = new(ctypes.addressof(self._struct), NAME, None)

    @contextmanager
    def used(self) -> Iterator[None]:
        """New arrays of this context get their memory here."""
        before = _set_handler()(self._capsule)
        try:
            yield
        finally:
            _set_handler()(before)


def is_possible() -> bool:
    """Whether arrays can be in files: on Linux, with compiled code."""
    return sys.platform == "linux" and can_meet() and np.intp().itemsize == 8
