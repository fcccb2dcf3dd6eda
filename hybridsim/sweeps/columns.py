"""Columns of the tables of a sweep: Arrow arrays of numbers and words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hybridsim.config.sweep import Axis


def field_of(name: str, kind: pa.DataType, unit: str) -> pa.Field:
    """Return the description of a column, with its unit."""
    return pa.field(name, kind, metadata={"unit": unit})


def axis_type(axis: Axis) -> pa.DataType:
    """Return the type of the column of an axis."""
    return {"f": pa.float64(), "i": pa.int64()}.get(axis.values.dtype.kind, pa.string())


def make_column(values: NDArray[Any], kind: pa.DataType, valid: NDArray[np.bool_] | None = None) -> pa.Array:
    """Return a column of a type, null where not `valid`; `pa.array` would import pandas, which takes 0.5 s."""
    validity = None if valid is None or valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))
    if kind == pa.string():
        return words_column(values)
    numbers = np.ascontiguousarray(values, dtype=kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(numbers), [validity, pa.py_buffer(numbers)])


def words_column(values: NDArray[Any]) -> pa.Array:
    """Return a column of few different words: each is encoded once."""
    texts: list[bytes] = []
    indices = np.full(len(values), -1, np.int32)
    while (indices < 0).any():
        word = values[np.argmax(indices < 0)]
        indices[values == word] = len(texts)
        texts.append(str(word).encode())
    words = [texts[index] for index in indices.tolist()]  # Arrow's `take` would import all its functions, 0.07 s
    ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), len(words), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(words))])
