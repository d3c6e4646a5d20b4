"""Named tuples of arrays that a kernel lends to the functions that it calls.

Numba passes every number of every array of a tuple to a called function: hundreds of them, which
take long to compile and to pass. A lent tuple is passed as its address. Its arrays are borrowed:
nobody counts who uses them, because the kernel that lends them keeps them.

Numba also looks at every array whenever a kernel is called from Python, which takes as long as to
split a small node. A kept tuple is looked at once, and is then passed as its address, too.
"""

import hashlib
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array

from underdog.kernels.jit import kernel


class Lent(types.Type):
    """The type of a lent tuple."""

    def __init__(self, content: types.BaseNamedTuple) -> None:
        self.content = content
        super().__init__(f"Lent({content})")


@register_model(Lent)
class _Address(models.PrimitiveModel):
    """The address of the tuple."""

    def __init__(self, manager, of_type):
        content = manager.lookup(of_type.content).get_value_type()
        super().__init__(manager, of_type, ir.PointerType(content))


@infer_getattr
class _Fields(AttributeTemplate):
    """Fields have the types that they have in the tuple; a tuple in it is lent, too."""

    key = Lent

    def generic_resolve(self, lent, name):
        if name not in lent.content.fields:
            return None
        field = lent.content[lent.content.fields.index(name)]
        return Lent(field) if isinstance(field, types.BaseNamedTuple) else field


@lower_getattr_generic(Lent)
def _field(context, builder, lent, address, name):
    place = lent.content.fields.index(name)
    field = lent.content[place]
    own = cgutils.gep_inbounds(builder, address, 0, place)
    if isinstance(field, types.BaseNamedTuple):
        return own
    value = builder.load(own)
    if isinstance(field, types.Array):
        array = make_array(field)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        value = array._getvalue()
    return value


class KeptType(types.Type):
    """The type of a kept tuple."""

    def __init__(self, content: types.BaseNamedTuple) -> None:
        self.content = content
        super().__init__(f"Kept({content})")


register_model(KeptType)(_Address)


class Kept:
    """A named tuple of arrays with its address, for kernels that are called again and again.

    Parameters
    ----------
    content : NamedTuple
        Its arrays must not be replaced. They live as long as this.
    """

    def __init__(self, content: Any) -> None:
        self.content = content
        self._memory = np.empty(ROOM, dtype=np.uint8)
        self.address = self._memory.ctypes.data
        key = int(_write(content, self._memory))
        if key not in _TYPES:
            _TYPES[key] = KeptType(numba.typeof(content))
        self.numba_type = _TYPES[key]


ROOM = 1 << 15
"""Bytes for the numbers and addresses of a kept tuple."""
_TYPES: dict[int, KeptType] = {}
"""The types by their keys: to find out the type of a tuple takes longer than to grow a tree."""


@typeof_impl.register(Kept)
def _type_of(kept, _context):
    return kept.numba_type


@unbox(KeptType)
def _unbox(of_type, kept, context):
    address = context.pyapi.object_getattr_string(kept, "address")
    number = context.pyapi.long_as_longlong(address)
    context.pyapi.decref(address)
    content = context.context.data_model_manager.lookup(of_type.content).get_value_type()
    return NativeValue(context.builder.inttoptr(number, ir.PointerType(content)))


@intrinsic
def _write_to(_context, content, memory):
    """Write a tuple to memory; returns the key of its type."""
    name = hashlib.sha256(str(content).encode()).digest()
    key = int.from_bytes(name[:7], "little")

    def generate(context, builder, signature, values):
        if context.get_abi_sizeof(values[0].type) > ROOM:
            raise ValueError(f"a kept tuple has room for {ROOM} bytes: make ROOM larger")
        data = context.make_array(signature.args[1])(context, builder, values[1]).data
        builder.store(values[0], builder.bitcast(data, ir.PointerType(values[0].type)))
        return context.get_constant(types.int64, key)

    return types.int64(content, memory), generate


@kernel
def _write(content, memory):
    return _write_to(content, memory)


@intrinsic
def _lend(_context, given):
    """The address of a tuple, valid until the function that calls this ends."""

    def generate(_context, builder, _signature, values):
        if isinstance(given, KeptType):
            return values[0]
        return cgutils.alloca_once_value(builder, values[0])

    return Lent(given.content if isinstance(given, KeptType) else given)(given), generate


def _as_it_is(given: Any) -> Any:
    return given


lend = _as_it_is if numba.config.DISABLE_JIT else _lend
keep = _as_it_is if numba.config.DISABLE_JIT else Kept
