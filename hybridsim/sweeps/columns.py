"""Columns of tables as arrays, without `to_numpy`, which imports pandas if it is installed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hybridsim.sweeps.part_file import raw_numbers, validity


def words_of(table: pa.Table, column: str) -> NDArray[Any]:
    """Return a column of words as an array (n,)."""
    encoded = table[column].combine_chunks().dictionary_encode()
    words: NDArray[Any] = np.array(encoded.dictionary.to_pylist(), dtype=object)[np.from_dlpack(encoded.indices)]
    return words


def numbers_of(table: pa.Table, column: str) -> NDArray[Any]:
    """Return a column of numbers as an array (n,), nan where it is null."""
    values = table[column].combine_chunks()
    numbers, valid = raw_numbers(values), validity(values)
    return numbers if valid.all() else np.where(valid, numbers, np.nan)


def column_of(table: pa.Table, column: str) -> NDArray[Any]:
    """Return a column of words or numbers as an array (n,)."""
    is_word = pa.types.is_string(table.schema.field(column).type)
    return words_of(table, column) if is_word else numbers_of(table, column)


def count_statuses(table: pa.Table, column: str) -> Counter[str]:
    """Return how often each status occurs in a column."""
    return Counter(table[column].to_pylist())
