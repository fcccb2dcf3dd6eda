"""The rows of a sweep and the blocks they are computed in: everything follows from a row's number."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.sweep.sweeping import Axis, SweepConfig

DIGITS = 7
"""Digits of a row's number in the names of files, at least: names sort as rows do."""

FEW = 2048
"""Below so many rows, a sweep has half as many parts."""


@dataclass(frozen=True, slots=True)
class Block:
    """The rows `first` to `end - 1`, computed together and kept in one part."""

    first: int
    end: int

    def __len__(self) -> int:
        return self.end - self.first


class Plan:
    """What a sweep computes: the product of its factors, the last one varying fastest, cut into blocks of rows.

    Parameters
    ----------
    config : the sweep. Its axes are kept as they are given; a row's values are found from its number.
    """

    def __init__(self, config: SweepConfig) -> None:
        self.factors = config.factors
        self._sizes = [len(factor[0].values) for factor in config.factors]
        self.n_rows = prod(self._sizes)
        self.block = min(config.block or default_block(self.n_rows), self.n_rows)
        self.n_blocks = -(-self.n_rows // self.block)

    @property
    def axes(self) -> tuple[Axis, ...]:
        return tuple(axis for factor in self.factors for axis in factor)

    @property
    def digits(self) -> int:
        """How many digits a row's number has in the names of files."""
        return max(DIGITS, len(str(self.n_rows - 1)))

    def __iter__(self) -> Iterator[Block]:
        return (self[number] for number in range(self.n_blocks))

    def __getitem__(self, number: int) -> Block:
        return Block(number * self.block, min((number + 1) * self.block, self.n_rows))

    def values(self, first: int, end: int) -> dict[str, NDArray[Any]]:
        """The values of the rows `first` to `end - 1`: axis key -> (end - first,), in the axis's unit."""
        rows = np.arange(first, end, dtype=np.int64)
        values: dict[str, NDArray[Any]] = {}
        for size, factor in zip(reversed(self._sizes), reversed(self.factors), strict=True):
            rows, places = np.divmod(rows, size)
            values.update({axis.key: axis.values[places] for axis in reversed(factor)})
        return {axis.key: values[axis.key] for axis in self.axes}

    def row(self, number: int) -> dict[str, Any]:
        """The values of one row as plain numbers and words: axis key -> value."""
        return {key: column.tolist()[0] for key, column in self.values(number, number + 1).items()}

    def described(self) -> dict[str, Any]:
        """The plan as plain data: the same for the same rows in the same blocks."""
        return {"axes": described_axes(self.factors), "rows": self.n_rows, "block": self.block}


def described_axes(factors: tuple[tuple[Axis, ...], ...]) -> dict[str, Any]:
    """Each axis by its name: key, unit, whether in degrees, factor; how many values, the ends, a hash of them all."""
    return {
        axis.name: {
            "key": axis.key,
            "unit": axis.unit,
            "degrees": bool(axis.degrees),
            "factor": number,
            "n": len(axis.values),
            "first": axis.values[:1].tolist()[0],
            "last": axis.values[-1:].tolist()[0],
            "values": hash_of(axis.values),
        }
        for number, factor in enumerate(factors)
        for axis in factor
    }


def hash_of(values: NDArray[Any]) -> str:
    """A hash of numbers or words; of numbers, every bit counts."""
    content = values.tobytes() if values.dtype.kind in "if" else "\0".join(map(str, values.tolist())).encode()
    return hashlib.sha256(values.dtype.kind.encode() + content).hexdigest()[:16]


def default_block(n_rows: int) -> int:
    """Rows per part: enough parts to share among threads and to lose little, not so many that they cost time."""
    n_parts = 32 if n_rows < FEW else 64
    return max(1, min(-(-n_rows // n_parts), 4096), -(-n_rows // 1000))
