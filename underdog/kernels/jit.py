"""The one place where compiled code is switched on: cached, without the GIL, never parallel."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numba

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""No wrapper for callers in C: there are none, and compiling and loading it takes time."""

_warned = False


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` on first use and keep the machine code on disk.

    Where no cache directory is writable numba refuses to decorate; then one warning is given and
    the function is compiled in every process.
    """
    global _warned
    try:
        return numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:
        if not _warned:
            _warned = True
            warnings.warn(
                "underdog found no writable directory for compiled code and will compile it in "
                "every process; set NUMBA_CACHE_DIR to a writable directory",
                stacklevel=2,
            )
        return numba.njit(**OPTIONS)(function)
