"""The decorators for compiled code, which is cached, releases the GIL and is never parallel."""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import event

from underdog.kernels import linked
from underdog.kernels.quiet import QUIET

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""There is no wrapper for callers in C, which would take time to compile and load."""

COMPILING = "underdog: compiling, once for this machine; this may take a minute"

YOUNG = 100_000
"""Objects that Python makes before it looks for unused ones, while kernels are compiled."""

_warned = False


class FirstCompilation(event.Listener):
    """Prints a message on a terminal when a kernel of underdog is compiled, once per process.

    Without cached code the first fit may take a minute without any other output.
    """

    def __init__(self) -> None:
        self.printed = False

    def on_start(self, event: Any) -> None:
        if self.printed or not _is_ours(event) or not _is_terminal():
            return
        if QUIET in os.environ:
            return
        self.printed = True
        sys.stderr.write(f"{COMPILING}\n")
        sys.stderr.flush()

    def on_end(self, event: Any) -> None:
        pass


class FewCollections(event.Listener):
    """Lets Python look for unused objects less often while kernels of underdog are compiled.

    Numba makes millions of objects and needs most of them until the end. To look through them again
    and again takes a seventh of the time, and finds so little that hardly less memory is used.
    """

    def __init__(self) -> None:
        self.depth = 0  # kernels that are compiled for each other, by one thread at a time
        self.usual = gc.get_threshold()

    def on_start(self, event: Any) -> None:
        if not _is_ours(event):
            return
        if self.depth == 0:
            self.usual = gc.get_threshold()
            if 0 < self.usual[0] < YOUNG:  # 0 is never
                gc.set_threshold(YOUNG, *self.usual[1:])
        self.depth += 1

    def on_end(self, event: Any) -> None:
        if not _is_ours(event):
            return
        self.depth -= 1
        if self.depth == 0:
            gc.set_threshold(*self.usual)


def _is_ours(event: Any) -> bool:
    module = event.data["dispatcher"].py_func.__module__
    return bool(module.startswith("underdog."))


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


event.register("numba:compile", FirstCompilation())
event.register("numba:compile", FewCollections())


def kernel(function: Callable[..., Any], inline: bool = False) -> Callable[..., Any]:
    """Compile `function` on first use and cache the machine code on disk.

    Where other kernels call it, it is compiled as a part of these, like `inner`. If no cache
    directory is writable, there is one warning, and the function is compiled in every process.
    """
    made = _cached(function, {**OPTIONS, "forceinline": inline})
    linked.call_instead(made, inner(function, inline))
    return made


def _cached(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    global _warned
    try:
        made = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        if not _warned:
            _warned = True
            warnings.warn(
                "underdog found no writable directory for compiled code and will compile it in "
                "every process; set NUMBA_CACHE_DIR to a writable directory",
                stacklevel=3,
            )
        return numba.njit(**options)(function)
    _stamp(made)
    return made


def _stamp(dispatcher: Any) -> None:
    """Let cached code be used only with the files that it was made from.

    Numba looks at the file of the function alone, but code of kernels in other files is part of it.
    """
    file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(file, "_source_stamp"):
        file._source_stamp = (file._source_stamp, _digest())


@cache
def _digest() -> str:
    """Of the source of all kernels."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` as a part of each loop that calls it, however long it is.

    A loop with a call is not vectorised.
    """
    return kernel(function, inline=True)


def inner(function: Callable[..., Any], inline: bool = False) -> Callable[..., Any]:
    """Compile `function` for calls from other kernels only, as a part of these; see `linked`.

    It has no wrapper for calls from Python, which takes long to compile if there are many arrays.
    """
    options = {**OPTIONS, "forceinline": inline, "no_cpython_wrapper": True}
    return numba.njit(**linked.OPTIONS, **options)(function)


def inner_inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """`inlined`, for calls from other kernels only."""
    return inner(function, inline=True)


def merged(function: Callable[..., Any]) -> Callable[..., Any]:
    """Put the body of `function` into each kernel that calls it, before types are inferred.

    A function with dozens of arrays takes seconds to compile for itself.
    """
    return numba.njit(inline="always", **OPTIONS)(function)
