"""Prefetching: load data into the cache before it is needed.

The processor prefetches sequential data, but only to the end of a page of 4 KB, and not if the
order looks random. A prefetch reads nothing and cannot fail: any position is allowed.
"""

from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.types import void

LINE = 64
"""Bytes of a cache line."""


def fetch(array, place):
    """Prefetch array[place] of a one-dimensional array; without compiled code, do nothing."""


@intrinsic
def _prefetch(_context, array, place):
    def generate(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        address = builder.bitcast(builder.gep(data, [values[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        # for reading; to be kept in all caches; data, not instructions
        builder.call(ask, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return void(array, place), generate


@overload(fetch)
def _fetch(array, place):  # noqa: ARG001 - any types
    return lambda array, place: _prefetch(array, place)
