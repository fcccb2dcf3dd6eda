"""The shape of a run: settings by which compiled code counts its loops, and which can become constants of it.

The engine is compiled once, and takes sizes from a record. Compiled again with the sizes of one model and method as
constants, it takes five sixths of the time for a small model: loops of known lengths are unrolled, and what the
model does not have is left out. The arithmetic is the same.

So that this needs no second translation from Python, compiled code reads a setting of the shape by a function,
`shape.NAME`, and is kept before it is optimised (`ObjectCode.bitcode`), when functions that return constants can still
replace those that read the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

SHAPE_PREFIX = "shape."
"""How the symbols of the functions begin."""

C_TYPES = {"i": "i64", "f": "double"}
"""LLVM's name of a setting's type, by the kind of its dtype."""

_names: dict[np.dtype[Any], tuple[str, ...]] = {}


def with_shape(dtype: np.dtype[Any], names: tuple[str, ...]) -> np.dtype[Any]:
    """Declare which fields of a record of words are settings of the shape; returns its dtype."""
    _names[dtype] = names
    return dtype


def shape_names(dtype: np.dtype[Any]) -> tuple[str, ...] | None:
    """Return the names of the settings of the shape; None for any other record."""
    return _names.get(dtype)


def shape_of(settings: Any) -> bytes:
    """Return the settings of the shape, word after word, from an array of one record."""
    words: bytes = settings.view(np.int64)[[index for _, _, index in _places()]].tobytes()
    return words


def constant_functions(shape: bytes) -> str:
    """Return LLVM's assembly of functions that return these settings of the shape."""
    words = np.frombuffer(shape, np.int64).tolist()
    functions = (_constant_function(name, kind, word) for (name, kind, _), word in zip(_places(), words, strict=True))
    return "\n".join(functions)


def _places() -> Iterator[tuple[str, str, int]]:
    """Go through the settings of the shape: the name, LLVM's type, and the index of the word in the record."""
    for dtype, names in _names.items():
        assert dtype.fields is not None
        for name in names:
            field, offset = dtype.fields[name][:2]
            yield name, C_TYPES[field.kind], offset // 8


def _constant_function(name: str, c_type: str, word: int) -> str:
    constant = str(word) if c_type == "i64" else f"0x{word & 2**64 - 1:016X}"
    head = f'define {c_type} @"{SHAPE_PREFIX}{name}"({c_type}* %record) alwaysinline nounwind'
    return f"{head} {{\n  ret {c_type} {constant}\n}}"
