"""A part of the table of a sweep: a Parquet file with checksums, which may be damaged when it is read again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hybridsim.errors import ConfigError
from hybridsim.simulation.available_memory import available_memory
from hybridsim.sweeps.event_table import ROW_COLUMN
from hybridsim.sweeps.manifest import RESUME_ADVICE, read_whole
from hybridsim.sweeps.plan import Block

CHECKSUM = b"checksum"
"""Key of the checksum of a part's values in its metadata."""

BYTES_PER_NUMBER = 8


def to_parquet_bytes(table: pa.Table) -> pa.Buffer:
    """Return a table as a Parquet file with checksums; the same rows give the same bytes."""
    sink = pa.BufferOutputStream()
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), CHECKSUM: _checksum(table)})
    pq.write_table(table, sink, version="2.6", compression="zstd", write_page_checksum=True)
    return sink.getvalue()


def _checksum(table: pa.Table) -> bytes:
    """Return a checksum of a table's names and values, which does not depend on how a file encodes them."""
    digest = hashlib.sha256()
    for name, column in zip(table.column_names, table.columns, strict=True):
        digest.update(f"{name} {column.type} {len(column)} ".encode())
        if pa.types.is_string(column.type):
            digest.update(repr(column.to_pylist()).encode())
            continue
        values = column.combine_chunks()
        valid = validity(values)
        numbers = np.where(valid, raw_numbers(values), 0)
        digest.update(valid.tobytes())
        digest.update(np.where(np.isnan(numbers), np.nan, numbers).astype(numbers.dtype).tobytes())
    return digest.hexdigest().encode()


def validity(array: pa.Array) -> NDArray[np.int8]:
    """Return 1 where a column has a value, 0 where it is null; Arrow's `is_valid` imports all its functions, 0.07 s."""
    bitmap = array.buffers()[0]
    if bitmap is None:
        return np.ones(len(array), np.int8)
    bits = np.unpackbits(np.frombuffer(bitmap, np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(np.int8)


def raw_numbers(array: pa.Array) -> NDArray[Any]:
    """Return the numbers of a column, anything where they are null; `fill_null` would import pandas, if installed."""
    kind = np.dtype(array.type.to_pandas_dtype())
    numbers: NDArray[Any] = np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)
    return numbers


def read_part(path: Path) -> pa.Table | None:
    """Return the rows in a part file, None if it is damaged or its values are not those that were written.

    Raises
    ------
    ConfigError
        If the file cannot be read at all.
    """
    try:
        with pq.ParquetFile(pa.BufferReader(read_whole(path)), page_checksum_verification=True) as file:
            found = file.metadata
            if found.num_rows * found.num_columns * BYTES_PER_NUMBER > available_memory():
                return None
            table = file.read()
        metadata = dict(table.schema.metadata or {})
        return table.replace_schema_metadata(metadata) if metadata.pop(CHECKSUM, None) == _checksum(table) else None
    except ConfigError:
        raise
    except Exception:  # a damaged file makes pyarrow raise anything, and so do the values of other types
        return None


def is_within(table: pa.Table, block: Block) -> bool:
    """Return whether all rows of a part are of this block."""
    rows = raw_numbers(table[ROW_COLUMN].combine_chunks())
    return bool(np.all((rows >= block.first) & (rows < block.end)))


def read_parts(blocks: Iterable[Block], paths: Iterable[Path]) -> pa.Table | None:
    """Return the rows of all parts, None if there are none; each has the rows of its block, and the same columns."""
    tables: list[pa.Table] = []
    for block, path in zip(blocks, paths, strict=False):
        if (table := read_part(path)) is None:
            raise ConfigError(
                f"{path}: the part is damaged, or its values were altered; compute it again with {RESUME_ADVICE}"
            )
        if not (table.schema.equals([*tables, table][0].schema) and is_within(table, block)):
            raise ConfigError(
                f"{path}: holds other rows or columns than this sweep's; move it away, and compute it with "
                f"{RESUME_ADVICE}"
            )
        tables.append(table)
    return pa.concat_tables(tables) if tables else None
