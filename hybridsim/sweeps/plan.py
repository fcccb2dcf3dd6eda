"""The rows of a sweep, and the blocks of rows that are computed together; both follow from the number of a row."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.sweep import Axis, SweepConfig
from hybridsim.config.sweep.metrics import kept_counts, to_measure
from hybridsim.errors import ConfigError
from hybridsim.simulation.available_memory import available_memory

MIN_ROW_DIGITS = 7
"""Fewest digits of a row's number in file names; with leading zeros, names sort as rows do."""

MIN_ROWS_FOR_MANY_PARTS = 2048
"""A sweep of fewer rows has 32 parts, others have 64."""

MAX_KEPT = 2**20
"""Most values at the last events of runs in a part whose size is chosen here: they are in memory at once."""

BYTES_PER_KEPT_VALUE = 100
"""Memory for one of them: as it is measured, put in order, and written with its row, boundary and number."""


@dataclass(frozen=True, slots=True)
class Block:
    """The rows `first` to `end - 1`, which are computed together and kept in one part."""

    first: int
    end: int

    def __len__(self) -> int:
        return self.end - self.first


class Rows:
    """Rows of a table in blocks of one size; the last one may have fewer.

    Parameters
    ----------
    n_rows, block : int
        Number of rows, of all and of a block.

    Attributes
    ----------
    n_blocks : int
        Number of blocks.
    """

    def __init__(self, n_rows: int, block: int) -> None:
        self.n_rows, self.block = n_rows, block
        self.n_blocks = -(-n_rows // block)

    @property
    def digits(self) -> int:
        """Number of digits of a row's number in file names."""
        return max(MIN_ROW_DIGITS, len(str(self.n_rows - 1)))

    def __iter__(self) -> Iterator[Block]:
        return (self[number] for number in range(self.n_blocks))

    def __getitem__(self, number: int) -> Block:
        return Block(number * self.block, min((number + 1) * self.block, self.n_rows))


class Plan(Rows):
    """The rows of a sweep: the product of its factors, the last one varying fastest, divided into blocks.

    Memory does not grow with the number of rows: the values of a row are computed from its number.

    Parameters
    ----------
    config : SweepConfig
        The sweep.

    Attributes
    ----------
    factors : tuple of Factor
        Its factors.
    axes : tuple of Axis
        All axes, factor by factor.
    n_rows : int
        Number of rows.
    block : int
        Rows per block; the last block may have fewer.
    n_blocks : int
        Number of blocks.
    """

    def __init__(self, config: SweepConfig) -> None:
        self.factors, self.axes = config.factors, config.axes
        self._sizes = [len(factor[0].values) for factor in config.factors]
        n_rows, kept = prod(self._sizes), sum(kept_counts(to_measure(config.metrics)))
        super().__init__(n_rows, min(config.block or default_block(n_rows, kept), n_rows))
        _refuse_too_large(config, self.block * kept)

    def values(self, first: int, end: int) -> dict[str, NDArray[Any]]:
        """Return the values of the rows `first` to `end - 1`: axis key -> (end - first,) array in the axis's unit."""
        rows = np.arange(first, end, dtype=np.int64)
        values: dict[str, NDArray[Any]] = {}
        for size, factor in zip(reversed(self._sizes), reversed(self.factors), strict=True):
            rows, indices = np.divmod(rows, size)
            values.update({axis.key: axis.values[indices] for axis in reversed(factor)})
        return {axis.key: values[axis.key] for axis in self.axes}

    def row(self, number: int) -> dict[str, Any]:
        """Return the values of one row as plain numbers and words: axis key -> value."""
        return {key: column.tolist()[0] for key, column in self.values(number, number + 1).items()}

    def description(self) -> dict[str, Any]:
        """Return the plan as plain data, for files; two plans with the same rows in the same blocks have equal data."""
        return {"axes": axis_descriptions(self.factors), "rows": self.n_rows, "block": self.block}


def axis_descriptions(factors: tuple[tuple[Axis, ...], ...]) -> dict[str, Any]:
    """Return for each axis by name: key, unit, degrees, factor, number of values, their ends, a hash of them."""
    return {
        axis.name: {
            "key": axis.key,
            "unit": axis.unit,
            "degrees": bool(axis.degrees),
            "factor": index,
            "n": len(axis.values),
            "first": axis.values[:1].tolist()[0],
            "last": axis.values[-1:].tolist()[0],
            "values": hash_of(axis.values),
        }
        for index, factor in enumerate(factors)
        for axis in factor
    }


def hash_of(values: NDArray[Any]) -> str:
    """Return a hash of numbers or words; numbers are hashed bit by bit."""
    content = values.tobytes() if values.dtype.kind in "if" else "\0".join(map(str, values.tolist())).encode()
    return hashlib.sha256(values.dtype.kind.encode() + content).hexdigest()[:16]


def default_block(n_rows: int, n_kept: int = 0) -> int:
    """Return the rows per part: 32 parts (64 from MIN_ROWS_FOR_MANY_PARTS rows on), at most 4096 rows per part.

    If that makes more than 1000 parts, there are 1000, with more rows; but where metrics at the last events keep
    `n_kept` values of each run, no more rows than have MAX_KEPT of them.
    """
    n_parts = 32 if n_rows < MIN_ROWS_FOR_MANY_PARTS else 64
    block = max(1, min(-(-n_rows // n_parts), 4096), -(-n_rows // 1000))
    return max(1, min(block, MAX_KEPT // n_kept)) if n_kept else block


def _refuse_too_large(config: SweepConfig, n_kept: int) -> None:
    """Refuse a block with more values at events than the memory has room for."""
    needed, left = BYTES_PER_KEPT_VALUE * n_kept, available_memory()
    if needed > left:
        place = config.run.origins.get("sweep.block", "sweep.block")
        raise ConfigError(
            f"{place}: sweep.block: {n_kept:,} values at the last events of the runs of one part take "
            f"{needed / 1e9:.2g} GB, and {left / 1e9:.2g} GB are left; expected a part that fits; "
            "give `block` fewer rows, or leave it out, or ask `last` for fewer events"
        )
