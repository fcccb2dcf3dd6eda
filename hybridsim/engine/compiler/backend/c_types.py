"""numba's types of what the engine names by C types, dtypes and tables of pointers."""

from __future__ import annotations

from typing import Any

import numba
from numba import types

from hybridsim.engine.compiler.backend.shaped_record import ShapedRecord
from hybridsim.engine.compiler.shape import shape_names
from hybridsim.engine.compiler.signatures import CType, Signature, boolean, integer, integers, pair, pointer, real, void

NUMBA_TYPES: dict[CType, types.Type] = {
    real: types.float64,
    integer: types.int64,
    boolean: types.boolean,
    void: types.void,
    pointer: types.CPointer(types.float64),
    integers: types.CPointer(types.int64),
    pair: types.UniTuple(types.float64, 2),
}
"""C type -> numba's."""


def numba_signature(signature: Signature) -> Any:
    """Return numba's signature of a C function."""
    return NUMBA_TYPES[signature.returns](*(NUMBA_TYPES[argument] for argument in signature.arguments))


def pointer_to(array: Any) -> types.Type:
    """Return the type of a pointer to the entries of an array; of an array of one record, the record."""
    shape = shape_names(array.dtype)
    if shape is not None:
        return ShapedRecord(array.dtype, shape)
    element: Any = numba.from_dtype(array.dtype)
    return element if isinstance(element, types.Record) else types.CPointer(element)
