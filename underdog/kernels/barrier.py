"""Threads that wait for each other inside compiled code.

Handing work to a thread takes some 50 microseconds, and meeting at a barrier less than one. All
threads of a barrier must run at the same time, see `Workers.together`.
"""

import os

import numba
from llvmlite import ir
from numba.extending import intrinsic
from numba.types import ExternalFunction, boolean, int32, int64, void

from underdog.kernels.jit import kernel

SPINS = 200
"""Looks at the counter before the processor is offered to somebody else."""
RELEASED = 1 << 62
"""Added to a counter to release all threads, when one of them will never arrive."""


@intrinsic
def _add(_context, array, value):  # noqa: ARG001 - always int64
    """Add to array[0] in one step; returns what was there before."""

    def generate(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        return builder.atomic_rmw("add", data, values[1], "seq_cst")

    return int64(array, int64), generate


@intrinsic
def _load(_context, array):
    """array[0], as the other threads see it."""

    def generate(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        return builder.load_atomic(data, "seq_cst", ir.IntType(64).width // 8)

    return int64(array), generate


@intrinsic
def _store(_context, array, value):  # noqa: ARG001 - always int64
    """Set array[0], so that other threads see it and all that was written before it."""

    def generate(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        builder.store_atomic(values[1], data, "seq_cst", ir.IntType(64).width // 8)
        return context.get_dummy_value()

    return void(array, int64), generate


@intrinsic
def _exchange(_context, array, old, new):  # noqa: ARG001 - always int64
    """Set array[0] in one step if it has the old value; returns whether it had."""

    def generate(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        found = builder.cmpxchg(data, values[1], values[2], "seq_cst", "seq_cst")
        return builder.extract_value(found, 1)

    return boolean(array, int64, int64), generate


if os.name == "posix":
    _yield = ExternalFunction("sched_yield", int32())
else:

    @kernel
    def _yield():
        return 0


@kernel
def offer(tries):
    """Offer the processor to somebody else after so many looks."""
    if tries > SPINS:
        _yield()


@kernel
def wait(counter, n_threads):
    """Wait until all threads have called this; returns False if they were released instead.

    counter[0] is 0 at the start. It is never reset: the k-th meeting ends at k * n_threads.
    """
    if n_threads == 1:
        return True
    arrived = _add(counter, 1) + 1
    goal = (arrived + n_threads - 1) // n_threads * n_threads
    spins = 0
    while True:
        now = _load(counter)
        if now >= RELEASED:
            return False
        if now >= goal:
            return True
        spins += 1
        offer(spins)


@kernel
def take(counter, count, n_threads):
    """Take the next `count` of the numbers from counter[0] on; returns the first of them.

    Every number is taken by one thread only.
    """
    if n_threads > 1:
        return _add(counter, count)
    counter[0] += count
    return counter[0] - count


@kernel
def put(place, value):
    """Write place[0] for another thread, and with it all that was written before."""
    _store(place, value)


@kernel
def exchange(place, old, new):
    """Write `new` to place[0] if `old` is there; only one of several threads gets True."""
    return _exchange(place, old, new)


@kernel
def look(place):
    """What another thread has put in place[0]."""
    return _load(place)


@kernel
def changes(place, value, counter):
    """Wait until place[0] is not `value`; returns False if the threads of a counter were released.

    Unlike at a barrier, only one thread waits.
    """
    spins = 0
    while _load(place) == value:
        if _load(counter) >= RELEASED:
            return False
        spins += 1
        offer(spins)
    return True


@kernel
def release(counter):
    """End all waiting: one of the threads will not arrive."""
    _add(counter, RELEASED)


def can_meet() -> bool:
    """Whether threads can wait for each other: only in compiled code."""
    return not numba.config.DISABLE_JIT
