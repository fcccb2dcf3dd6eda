"""numba's types of what the engine names by C types, dtypes and tables of pointers."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model

from hybridsim.engine.compiler.shape import SHAPE_PREFIX, shape_names
from hybridsim.engine.compiler.signatures import CType, Signature, boolean, integer, integers, pair, pointer, real, void


class ShapedRecord(types.Type):
    """The type of the address of a record of words, some of which are settings of the shape."""

    def __init__(self, dtype: np.dtype[Any], shape: tuple[str, ...]) -> None:
        self.dtype, self.shape = dtype, shape
        super().__init__(name="ShapedRecord")

    @property
    def key(self) -> Any:
        """What tells two types apart; the name, which becomes a part of symbols, is short."""
        return self.dtype


@register_model(ShapedRecord)
class _ShapedRecordModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, numba_type: Any) -> None:
        super().__init__(dmm, numba_type, ir.IntType(64).as_pointer())


@infer_getattr
class _ShapedRecordAttributes(AttributeTemplate):
    key = ShapedRecord

    def generic_resolve(self, record: Any, name: str) -> Any:  # type: ignore[override]
        fields = record.dtype.fields
        return (types.float64 if fields[name][0].kind == "f" else types.int64) if name in fields else None


@lower_getattr_generic(ShapedRecord)
def _load_setting(context: Any, builder: Any, record: ShapedRecord, value: Any, name: str) -> Any:
    assert record.dtype.fields is not None
    field, offset = record.dtype.fields[name][:2]
    word = ir.DoubleType() if field.kind == "f" else ir.IntType(64)
    words = builder.bitcast(value, word.as_pointer())
    if name in record.shape:
        return builder.call(_reading_function(builder.module, f"{SHAPE_PREFIX}{name}", word, offset // 8), [words])
    return _word(builder, words, offset // 8)


def _word(builder: Any, words: Any, index: int) -> Any:
    return builder.load(builder.gep(words, [ir.Constant(ir.IntType(64), index)]))


def _reading_function(module: Any, symbol: str, word: Any, index: int) -> Any:
    """Return the function of a module that reads this word of the record; define it if it is missing.

    The linkage lets a function of the same name replace it.
    """
    if symbol in module.globals:
        return module.globals[symbol]
    function = ir.Function(module, ir.FunctionType(word, [word.as_pointer()]), symbol)
    function.linkage = "linkonce_odr"
    for attribute in ("alwaysinline", "nounwind"):
        function.attributes.add(attribute)
    body = ir.IRBuilder(function.append_basic_block())
    body.ret(_word(body, function.args[0], index))
    return function


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
