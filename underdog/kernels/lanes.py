"""Two neighbouring integers as one number of the processor: one instruction loads or adds both.

Numba has no such type, and its compiler finds such pairs in loops over rows only, not in sums over
listed rows. Without compiled code they are arrays of two.
"""

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, overload, register_model

PAIR = ir.VectorType(ir.IntType(64), 2)


class PairType(types.Type):
    """The type of two int64."""

    def __init__(self) -> None:
        super().__init__(name="Pair")


@register_model(PairType)
class PairModel(models.PrimitiveModel):
    """A vector of two int64."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, PAIR)


pair = PairType()


def no_pair():
    """Two zeros."""
    return np.zeros(2, np.int64)


def pair_at(array, row):
    """Both numbers of a row of a contiguous (n, 2) array."""
    return array[row].copy()


def add_pairs(a, b):
    """The sums of the first and of the second numbers."""
    return a + b


def first_of(a):
    """The first number of a pair."""
    return a[0]


def second_of(a):
    """The second number of a pair."""
    return a[1]


@intrinsic
def _no_pair(_context):
    def generate(_context, _builder, _signature, _values):
        return ir.Constant(PAIR, [0, 0])

    return pair(), generate


@intrinsic
def _pair_at(_context, array, row):
    def generate(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        place = builder.gep(data, [builder.mul(values[1], values[1].type(2))])
        found = builder.load(builder.bitcast(place, PAIR.as_pointer()))
        found.align = 8  # that of one int64
        return found

    return pair(array, row), generate


@intrinsic
def _add_pairs(_context, a, b):
    def generate(_context, builder, _signature, values):
        return builder.add(*values)

    return pair(a, b), generate


@intrinsic
def _first_of(_context, a):
    def generate(_context, builder, _signature, values):
        return builder.extract_element(values[0], ir.IntType(32)(0))

    return types.int64(a), generate


@intrinsic
def _second_of(_context, a):
    def generate(_context, builder, _signature, values):
        return builder.extract_element(values[0], ir.IntType(32)(1))

    return types.int64(a), generate


@overload(no_pair)
def _compiled_no_pair():
    return lambda: _no_pair()


@overload(pair_at)
def _compiled_pair_at(array, row):  # noqa: ARG001 - any place
    if array.layout == "C" and array.ndim == 2 and array.dtype == types.int64:
        return lambda array, row: _pair_at(array, row)
    return None  # a type error


@overload(add_pairs)
def _compiled_add_pairs(a, b):  # noqa: ARG001 - both are pairs
    return lambda a, b: _add_pairs(a, b)


@overload(first_of)
def _compiled_first_of(a):  # noqa: ARG001 - a pair
    return lambda a: _first_of(a)


@overload(second_of)
def _compiled_second_of(a):  # noqa: ARG001 - a pair
    return lambda a: _second_of(a)
