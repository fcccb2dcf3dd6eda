"""Key poses of a run.

A pose is ten numbers: position (3) [m], quaternion (w, x, y, z), and scale (3); a scale of 0 stands for a hidden body.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.viewer.source import Source

POSITION, QUATERNION, SCALE = slice(0, 3), slice(3, 7), slice(7, 10)
"""Where position, quaternion and scale are among the ten numbers of a pose."""
BEFORE, AFTER = range(2)
"""Sides of a jump."""


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """Key poses in the order of time; of two at one time, the first is before a jump.

    Attributes
    ----------
    t : (n,) array
        Times [s].
    poses : (n, n_bodies, 10) array
        Poses of all bodies.
    outputs : (n, n_outputs) array
        The outputs that are shown.
    """

    t: FloatArray
    poses: FloatArray
    outputs: FloatArray


class Taken:
    """Keys in the order in which they are taken, many at once, which is faster; they are known by their numbers.

    Parameters
    ----------
    source : Source
        The run.
    columns : sequence of int
        Indices of the outputs that are shown, among all of the model; -1 for one that it does not have.

    Attributes
    ----------
    t, side : list
        Time [s] and side of each key.
    poses, outputs : list of array
        Its poses (n_bodies, 10) and outputs (n_outputs,).
    needed : set of int
        The keys that interpolation does not replace.
    """

    def __init__(self, source: Source, columns: Sequence[int]) -> None:
        self._source, self._columns = source, columns
        self.t, self.side, self.needed = list[float](), list[int](), set[int]()
        self.poses, self.outputs = list[FloatArray](), list[FloatArray]()

    def take(self, moments: Sequence[tuple[float, int]]) -> list[int]:
        """Take the keys at times and sides, and return their numbers."""
        first = len(self.t)
        if moments:
            poses, outputs = self._source.shown([(t, side == BEFORE) for t, side in moments])
            self.poses += [*poses_as_numbers(poses)]
            self.outputs += [*np.column_stack([outputs, np.full(len(moments), math.nan)])[:, self._columns]]
        self.t += [t for t, _ in moments]
        self.side += [side for _, side in moments]
        return [*range(first, len(self.t))]

    def put(self, t: float, poses: FloatArray, outputs: FloatArray) -> list[int]:
        """Take a key whose poses and outputs are known, after the jumps at a time, and return its number."""
        self.poses, self.outputs = [*self.poses, poses], [*self.outputs, outputs]
        self.t, self.side = [*self.t, t], [*self.side, AFTER]
        return [len(self.t) - 1]

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        """Return keys in the order of time."""
        return sorted(numbers, key=lambda number: (self.t[number], self.side[number]))

    def keys(self) -> Keys:
        """Return those that are needed."""
        numbers = self.in_order(self.needed)
        t, poses, outputs = (np.array([column[i] for i in numbers]) for column in (self.t, self.poses, self.outputs))
        return Keys(t, continuous(poses), outputs)

    def poses_of(self, tuples: Sequence[tuple[int, ...]]) -> Iterable[FloatArray]:
        """Return the poses of the first keys of n tuples (n, n_bodies, 10), then of the second ones, and so on."""
        return (np.array([self.poses[i] for i in numbers]) for numbers in zip(*tuples, strict=True))


def poses_as_numbers(poses: FloatArray) -> FloatArray:
    """Return transforms (..., 4, 4) as position, quaternion and scale (..., 10); 0 for what is hidden."""
    axes = poses[..., :3, :3]
    scale = np.sqrt((axes * axes).sum(axis=-2))
    shown = (poses[..., 3, 3] != 0.0) & (scale > 0.0).all(axis=-1)
    m = axes / np.where(scale > 0.0, scale, 1.0)[..., None, :]
    # The outer product q q' of the quaternion; its row with the largest diagonal gives q.
    product, trace = np.empty((*shown.shape, 4, 4)), m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    product[..., 0, 0] = 1.0 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        product[..., i + 1, i + 1] = 1.0 + 2.0 * m[..., i, i] - trace
        product[..., 0, i + 1] = product[..., i + 1, 0] = m[..., k, j] - m[..., j, k]
        product[..., j + 1, k + 1] = product[..., k + 1, j + 1] = m[..., j, k] + m[..., k, j]
    largest = np.einsum("...ii->...i", product).argmax(axis=-1)[..., None, None]
    rows = np.take_along_axis(product, largest, axis=-2)[..., 0, :]
    quaternion = rows / np.sqrt((rows * rows).sum(axis=-1, keepdims=True))
    numbers = np.concatenate([poses[..., :3, 3], quaternion, scale], axis=-1)
    return np.where(shown[..., None], numbers, 0.0)


def aligned(poses: FloatArray, others: FloatArray) -> FloatArray:
    """Return poses (..., 10) with quaternions of the sign that is nearer to others; q and -q are one rotation."""
    dots = (poses[..., QUATERNION] * others[..., QUATERNION]).sum(axis=-1)
    result = poses.copy()
    result[..., QUATERNION] *= np.where(dots < 0.0, -1.0, 1.0)[..., None]
    return result


def continuous(poses: FloatArray) -> FloatArray:
    """Return poses (n, n_bodies, 10) whose quaternions change no sign; a hidden body keeps its place, with scale 0."""
    hidden = poses[:, :, 9] == 0.0
    numbers = np.where(hidden, 0, np.arange(len(poses))[:, None])
    last = np.maximum.accumulate(numbers, axis=0)
    filled: FloatArray = poses[last, np.arange(poses.shape[1])]
    filled[:, :, SCALE] = np.where(hidden[:, :, None], 0.0, filled[:, :, SCALE])
    dots = (filled[1:, :, QUATERNION] * filled[:-1, :, QUATERNION]).sum(axis=2)
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)
    filled[1:, :, QUATERNION] *= signs[:, :, None]
    return filled
