"""Where the memory of an array comes from: compiled functions that NumPy calls.

Small arrays are in memory. Larger ones are in memory while there is room, and the largest ones are
always in a file that is mapped into memory; so are all for which there is no room. Places in the
file are used again as soon as they are free. NumPy calls these functions while it raises errors,
too, so they must not run any Python.
"""

import numba
from llvmlite import ir
from numba.extending import intrinsic
from numba.types import ExternalFunction, int32, int64, void

from underdog.kernels.jit import inner

(LOCK, BASE, RESERVED, GROWN, FILE, N_FREE, SMALL, LARGE, ROOM, IN_MEMORY, N_MAPPED, MAPPED,
 MOST_MAPPED) = range(13)  # fmt: skip
"""Places in the state, which is an array of integers:

a lock; the address of the file in memory, how far it may grow and has grown, and its descriptor;
the number of free places; sizes below which arrays are always in memory, and from which on they
are always in the file; how many bytes there may be in memory, and are; the number of arrays in the
file, their bytes, and the most of these so far."""
FREE, CAPACITY = 16, 8192
"""Where the list of free places begins, sorted, each a start and a length; how many it can have."""
STATE_SIZE = FREE + 2 * CAPACITY
HEADER = 64
"""Bytes before each array, for where it is and how long; a cache line, so that it stays aligned."""
PAGE, GROWTH = 1 << 12, 1 << 26
"""Places in the file are whole pages, and the file grows by this many bytes or more."""
PLAIN, COUNTED, IN_FILE = range(3)
"""Where an array is: in memory, too small to be counted; in memory; in the file."""
WORD = 8

_malloc = ExternalFunction("malloc", int64(int64))
_calloc = ExternalFunction("calloc", int64(int64, int64))
_realloc = ExternalFunction("realloc", int64(int64, int64))
_release = ExternalFunction("free", void(int64))
_fill = ExternalFunction("memset", int64(int64, int32, int64))
_copy = ExternalFunction("memcpy", int64(int64, int64, int64))
_reserve = ExternalFunction("posix_fallocate", int32(int32, int64, int64))
_yield = ExternalFunction("sched_yield", int32())


@intrinsic
def _get(_context, address):  # noqa: ARG001 - always int64
    """The integer at an address."""

    def generate(_context, builder, _signature, values):
        return builder.load(builder.inttoptr(values[0], ir.IntType(64).as_pointer()))

    return int64(int64), generate


@intrinsic
def _put(_context, address, value):  # noqa: ARG001 - always int64
    """Write an integer to an address."""

    def generate(context, builder, _signature, values):
        builder.store(values[1], builder.inttoptr(values[0], ir.IntType(64).as_pointer()))
        return context.get_dummy_value()

    return void(int64, int64), generate


@intrinsic
def _swap(_context, address, value):  # noqa: ARG001 - always int64
    """Write an integer to an address in one step; returns what was there before."""

    def generate(_context, builder, _signature, values):
        place = builder.inttoptr(values[0], ir.IntType(64).as_pointer())
        return builder.atomic_rmw("xchg", place, values[1], "seq_cst")

    return int64(int64, int64), generate


@inner
def _lock(state):
    while _swap(state + WORD * LOCK, 1) == 1:
        _yield()


@inner
def _unlock(state):
    _swap(state + WORD * LOCK, 0)


@inner
def _add(state, place, value):
    _put(state + WORD * place, _get(state + WORD * place) + value)


@inner
def _take(state, length):
    """A free place in the file, the first one that is long enough; 0 if the disk is full."""
    count = _get(state + WORD * N_FREE)
    free = state + WORD * FREE
    for place in range(count):
        entry = free + 2 * WORD * place
        start, room = _get(entry), _get(entry + WORD)
        if room < length:
            continue
        if room > length:
            _put(entry, start + length)
            _put(entry + WORD, room - length)
            return start
        for other in range(place, count - 1):
            entry = free + 2 * WORD * other
            _put(entry, _get(entry + 2 * WORD))
            _put(entry + WORD, _get(entry + 3 * WORD))
        _put(state + WORD * N_FREE, count - 1)
        return start
    grown = _get(state + WORD * GROWN)
    more = max(length, GROWTH)
    if grown + more > _get(state + WORD * RESERVED):
        return 0
    if _reserve(_get(state + WORD * FILE), grown, more) != 0:
        return 0
    _put(state + WORD * GROWN, grown + more)
    start = _get(state + WORD * BASE) + grown
    if more > length:
        _give(state, start + length, more - length)
    return start


@inner
def _give(state, start, length):
    """Put a place on the list of free ones, together with its neighbours."""
    count = _get(state + WORD * N_FREE)
    free = state + WORD * FREE
    place = count
    while place > 0 and _get(free + 2 * WORD * (place - 1)) > start:
        place -= 1
    entry = free + 2 * WORD * place
    if place > 0:
        before = entry - 2 * WORD
        if _get(before) + _get(before + WORD) == start:
            length += _get(before + WORD)
            start = _get(before)
            place, entry = place - 1, before
            for other in range(place, count - 1):
                here = free + 2 * WORD * other
                _put(here, _get(here + 2 * WORD))
                _put(here + WORD, _get(here + 3 * WORD))
            count -= 1
    if place < count and start + length == _get(entry):
        _put(entry + WORD, length + _get(entry + WORD))
        _put(entry, start)
    elif count < CAPACITY:  # else the place is lost until the file is closed
        for other in range(count, place, -1):
            here = free + 2 * WORD * other
            _put(here, _get(here - 2 * WORD))
            _put(here + WORD, _get(here - WORD))
        _put(entry, start)
        _put(entry + WORD, length)
        count += 1
    _put(state + WORD * N_FREE, count)


@inner
def _in_memory(state, size):
    """Whether an array of this many bytes is kept in memory."""
    if size < _get(state + WORD * SMALL):
        return PLAIN
    if size >= _get(state + WORD * LARGE):
        return IN_FILE
    room = _get(state + WORD * ROOM) - _get(state + WORD * IN_MEMORY)
    return COUNTED if size <= room else IN_FILE


@inner
def _new(state, size, zero):
    where = _in_memory(state, size)
    if where == IN_FILE:
        length = (size + HEADER + PAGE - 1) // PAGE * PAGE
        _lock(state)
        start = _take(state, length)
        if start != 0:
            _add(state, N_MAPPED, 1)
            _add(state, MAPPED, length)
            most = max(_get(state + WORD * MOST_MAPPED), _get(state + WORD * MAPPED))
            _put(state + WORD * MOST_MAPPED, most)
        _unlock(state)
        if start != 0 and zero:
            _fill(start, 0, length)
    else:
        length = size
        start = _calloc(1, size + HEADER) if zero else _malloc(size + HEADER)
        if start != 0 and where == COUNTED:
            _lock(state)
            _add(state, IN_MEMORY, size)
            _unlock(state)
    if start == 0:
        return 0
    _put(start, where)
    _put(start + WORD, length)
    return start + HEADER


@inner
def _drop(state, address):
    if address == 0:
        return
    start = address - HEADER
    where, length = _get(start), _get(start + WORD)
    if where == PLAIN:
        _release(start)
        return
    _lock(state)
    if where == COUNTED:
        _add(state, IN_MEMORY, -length)
    else:
        _add(state, N_MAPPED, -1)
        _add(state, MAPPED, -length)
        _give(state, start, length)
    _unlock(state)
    if where == COUNTED:
        _release(start)


def allocate(state, size):
    """The address of a new array."""
    return _new(state, size, False)


def allocate_zeros(state, count, item):
    """The address of a new array of zeros."""
    return _new(state, count * item, True)


def reallocate(state, address, size):
    """The address of an array with another size, and the contents that it had."""
    if address != 0 and _get(address - HEADER) == PLAIN and _in_memory(state, size) == PLAIN:
        start = _realloc(address - HEADER, size + HEADER)
        if start == 0:
            return 0
        _put(start + WORD, size)
        return start + HEADER
    made = _new(state, size, False)
    if made != 0 and address != 0:
        _copy(made, address, min(size, _get(address - HEADER + WORD)))
        _drop(state, address)
    return made


def release(state, address, size):  # noqa: ARG001 - NumPy gives the size
    """Give back the memory of an array."""
    _drop(state, address)


def addresses():
    """The machine code of the four functions, which must be kept as long as it is used."""
    of_two, of_three = int64(int64, int64), int64(int64, int64, int64)
    return (
        numba.cfunc(of_two, cache=True)(allocate),
        numba.cfunc(of_three, cache=True)(allocate_zeros),
        numba.cfunc(of_three, cache=True)(reallocate),
        numba.cfunc(void(int64, int64, int64), cache=True)(release),
    )
