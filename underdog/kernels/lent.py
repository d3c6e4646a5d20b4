"""Named tuples of arrays that a kernel lends to the functions that it calls.

Numba passes every number of every array of a tuple to a called function: hundreds of them, which
take long to compile and to pass. A lent tuple is passed as its address. Its arrays are borrowed:
nobody counts who uses them, because the kernel that lends them keeps them.
"""

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
)
from numba.np.arrayobj import make_array


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


@intrinsic
def _lend(_context, given):
    """The address of a tuple, valid until the function that calls this ends."""

    def generate(_context, builder, _signature, values):
        return cgutils.alloca_once_value(builder, values[0])

    return Lent(given)(given), generate


def _keep(given: Any) -> Any:
    return given


lend = _keep if numba.config.DISABLE_JIT else _lend
