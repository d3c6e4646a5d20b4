"""Compiling functions that other kernels call.

Numba optimises a function together with all that it calls, and makes machine code of both. Where
one kernel calls another, and that a third, the last one is compiled three times. The functions here
are translated only. They are optimised once, in the kernel that is called from Python.
"""

import re
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher

TRIED = ((0, 60), (0, 68))
"""The first and the last version of Numba with which this was tried.

It overrides methods that Numba does not document, so other versions compile as they always do.
"""


def can_link(version: str) -> bool:
    """Whether functions can be compiled in this way with this version of Numba."""
    first, last = TRIED
    return first <= tuple(int(part) for part in re.findall(r"\d+", version)[:2]) <= last


class LinkedLibrary(JITCodeLibrary):
    """A function and all that it calls, neither optimised together nor turned into machine code."""

    def _optimize_final_module(self) -> None:
        """Later, with the kernel that calls it."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """What Numba tells the environment of a function to, which only Python objects need."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """There is nothing to set yet."""


class LinkedCompiler(Compiler):
    """Numba's compiler with that library."""

    def __init__(self, typing_context: Any, context: Any, library: Any, *rest: Any) -> None:
        own = LinkedLibrary(context.codegen(), "linked") if library is None else library
        super().__init__(typing_context, context, own, *rest)


OPTIONS: dict[str, Any] = {"pipeline_class": LinkedCompiler} if can_link(numba.__version__) else {}
"""For numba.njit."""


def call_instead(kernel: Any, part: Any) -> None:
    """Let other kernels call `part`, made of the same function, wherever they call a kernel.

    Most of what kernels call is never called from Python, and then no machine code is made of it.
    """
    if OPTIONS and isinstance(kernel, Dispatcher):
        kernel.get_call_template, kernel.get_overload = part.get_call_template, part.get_overload
