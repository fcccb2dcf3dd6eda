"""The table of a sweep: its columns, the Parquet parts that it is kept in, and how to read them back."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hybridsim._version import __version__
from hybridsim.config.source import shown
from hybridsim.config.sweep.metrics import COUNTS, STATUS
from hybridsim.config.sweep.sweeping import Axis, Metric, SweepConfig
from hybridsim.errors import ConfigError
from hybridsim.sweeps.manifest import PLAN, RESUME, listed, part_files, read_description
from hybridsim.sweeps.plan import Block, Plan

Results = Mapping[str, NDArray[Any]]

ROW = "row"


def with_status(config: SweepConfig) -> SweepConfig:
    """The sweep with the status of each run among its metrics, first if it was not asked for.

    A row without it could not tell a run that failed from one that did not.
    """
    if any(metric.kind == STATUS for metric in config.metrics):
        return config
    taken = {ROW, *(axis.name for axis in config.axes), *(metric.name for metric in config.metrics)}
    name = STATUS
    while name in taken:
        name = f"run_{name}"
    return replace(config, metrics=(Metric(name, STATUS, "", 0, ""), *config.metrics))


def status_column(metrics: Sequence[Metric]) -> str:
    """The column that holds the status."""
    return next(metric.name for metric in metrics if metric.kind == STATUS)


@dataclass(frozen=True, slots=True)
class Columns:
    """What the table of a sweep looks like, whoever computes it and wherever it is kept.

    `schema` : `row`, the axes, the metrics; units are in the fields' metadata.
    """

    config: SweepConfig
    plan: Plan
    schema: pa.Schema

    @classmethod
    def of(cls, config: SweepConfig, plan: Plan) -> Columns:
        """`config` : with a status, see `with_status`."""
        fields = [
            _field(ROW, pa.int64(), ""),
            *(_field(axis.name, _axis_type(axis), axis.unit) for axis in config.axes),
            *(_field(metric.name, _metric_type(metric), metric.unit) for metric in config.metrics),
        ]
        metadata = {"hybridsim": __version__, "model": config.run.model.name}
        return cls(config, plan, pa.schema(fields, metadata=metadata))

    def rows(self, block: Block) -> pa.Array:
        """The numbers of a block's rows."""
        return _array(np.arange(block.first, block.end, dtype=np.int64), pa.int64())

    def table(self, block: Block, results: Results) -> pa.Table:
        """The rows of a block: its numbers, its axes, and what was found."""
        values = self.plan.values(block.first, block.end)
        columns = [
            self.rows(block),
            *(_array(values[axis.key], _axis_type(axis)) for axis in self.config.axes),
            *(_metric_array(results[metric.name], metric) for metric in self.config.metrics),
        ]
        return pa.Table.from_arrays(columns, schema=self.schema)

    def statuses(self, table: pa.Table) -> Counter[str]:
        """How many rows ended in which way."""
        return count_statuses(table, status_column(self.config.metrics))


def count_statuses(table: pa.Table, column: str) -> Counter[str]:
    """How often each status occurs in a column."""
    counted = table[column].value_counts()
    return Counter({pair["values"]: pair["counts"] for pair in counted.to_pylist()})


def words_of(table: pa.Table, column: str) -> NDArray[Any]:
    """A column of words, (n,). (Its `to_numpy` imports pandas where there is one.)"""
    encoded = table[column].combine_chunks().dictionary_encode()
    words: NDArray[Any] = np.array(encoded.dictionary.to_pylist(), dtype=object)[np.from_dlpack(encoded.indices)]
    return words


def _field(name: str, kind: pa.DataType, unit: str) -> pa.Field:
    return pa.field(name, kind, metadata={"unit": unit})


def _axis_type(axis: Axis) -> pa.DataType:
    return {"f": pa.float64(), "i": pa.int64()}.get(axis.values.dtype.kind, pa.string())


def _metric_type(metric: Metric) -> pa.DataType:
    return pa.string() if metric.kind == STATUS else pa.int64() if metric.kind in COUNTS else pa.float64()


def _array(values: NDArray[Any], kind: pa.DataType, valid: NDArray[np.bool_] | None = None) -> pa.Array:
    """A column of `kind`, with nulls where `valid` says so. (`pa.array` imports pandas where there is one: 0.5 s.)"""
    validity = None if valid is None or valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))
    if kind == pa.string():
        return _words(values)
    numbers = np.ascontiguousarray(values, dtype=kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(numbers), [validity, pa.py_buffer(numbers)])


def _words(values: NDArray[Any]) -> pa.Array:
    """A column of few words many times: each is encoded once, and taken by its place."""
    texts: list[bytes] = []
    places = np.full(len(values), -1, np.int32)
    while (places < 0).any():
        word = values[np.argmax(places < 0)]
        places[values == word] = len(texts)
        texts.append(str(word).encode())
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    dictionary = pa.Array.from_buffers(
        pa.string(), len(texts), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    )
    return dictionary.take(_array(places, pa.int32()))


def _metric_array(values: NDArray[Any], metric: Metric) -> pa.Array:
    """A time that never came is a null; every other nan is a number that is none."""
    return _array(values, _metric_type(metric), ~np.isnan(values) if metric.kind == "time" else None)


def serialised(table: pa.Table) -> pa.Buffer:
    """The table as a Parquet file: the same bytes for the same rows, with checksums in it."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, version="2.6", compression="zstd", write_page_checksum=True)
    return sink.getvalue()


def read_part(path: Path) -> pa.Table | None:
    """The rows in a part file, or None if it is damaged.

    Raises
    ------
    ConfigError : the file cannot be opened.
    """
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read ({problem.strerror}); check its permissions") from None
    try:
        with pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True) as file:
            return file.read()
    except (pa.ArrowException, OSError):
        return None


@dataclass(frozen=True, slots=True)
class SweepTable:
    """What a folder of results holds.

    Attributes
    ----------
    table : the finished rows, in order: `row`, the axes, the metrics; units are in the fields' metadata (`unit`).
    axes : of each axis: name, key, unit, degrees (were its values given in degrees?), factor (axes of one factor vary
        together; the last factor varies fastest), n (how many values), first and last of them, values (a hash).
    metrics : of each metric: name, kind, of, number, unit.
    n_rows : how many rows the plan has.
    model : the model's name.
    """

    table: pa.Table
    axes: list[dict[str, Any]]
    metrics: list[dict[str, Any]]
    n_rows: int
    model: str

    def statuses(self) -> Counter[str]:
        """How many of the finished rows ended in which way."""
        column = next(metric["name"] for metric in self.metrics if metric["kind"] == STATUS)
        return count_statuses(self.table, column)


def folder_of(given: object) -> Path:
    """A folder as Python names it.

    Raises
    ------
    ConfigError : it is neither text nor a path.
    """
    if not isinstance(given, str | os.PathLike):
        raise ConfigError(f"folder: expected a path, found {shown(given)}; give one as text, or as a Path")
    return Path(given)


def read_sweep(folder: str | os.PathLike[str]) -> SweepTable:
    """The results in a folder that a sweep wrote, finished or not.

    Raises
    ------
    ConfigError : the folder holds no sweep, or a part of it is damaged.
    """
    folder = folder_of(folder)
    parts = [path for _, path in part_files(folder)]
    description = read_description(folder)
    if description is None and parts:
        raise ConfigError(f"{folder / PLAN}: there is no such file beside the parts; bring it back or compute anew")
    if description is None:
        raise ConfigError(f"{folder}: holds no results of a sweep; give the folder that `hybridsim sweep` wrote")
    tables = [_whole_part(path) for path in parts]
    if not tables:
        raise ConfigError(f"{folder}: no block of this sweep is finished yet; compute some with {RESUME}")
    return SweepTable(
        table=pa.concat_tables(tables),
        axes=listed(description["axes"]),
        metrics=listed(description["metrics"]),
        n_rows=description["rows"],
        model=description["model"],
    )


def _whole_part(path: Path) -> pa.Table:
    table = read_part(path)
    if table is None:
        raise ConfigError(f"{path}: the part is damaged; compute it again with {RESUME}")
    return table
