"""The constants of a mechanism as two arrays, so that kernels which read them are compiled once for all mechanisms.

A named tuple is packed field by field, those of a tuple within it in its place. The whole numbers begin with one for
each field: its value, or where its array begins, among the whole numbers or among the real ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer, void
from hybridsim.engine.compiler.slices import subarray
from hybridsim.multibody.dynamics import kinetic_energy, potential_energy
from hybridsim.multibody.joint_forces import spring_energy
from hybridsim.multibody.motion import coordinate_rates
from hybridsim.multibody.tree import Tree
from hybridsim.multibody.vectors import dot, vector_at
from hybridsim.typing import FloatArray, IntArray

from .layout import read_layout
from .rows import Bodies, Joints, Loops, Soft, joint_terms, loop_terms, mechanism_terms, put_motors

MANY = 2**30
"""More numbers than any array has."""

LIES = 1e-3
"""Sine of the angle between its axis and the normal below which a wheel lies on its side."""


class Packed(NamedTuple):
    """The constants of a mechanism, of its joints or of its loops."""

    whole: IntArray
    real: FloatArray


def pack(constants: Bodies | Joints | Loops | Soft) -> Packed:
    """Return constants as two arrays."""
    fields = list(_fields(constants))
    head, whole, real = [], [len(fields)], [0]
    whole_parts, real_parts = [], []
    for each in fields:
        values = np.ravel(each)
        if isinstance(each, int):
            head.append(each)
        elif values.dtype.kind == "i":
            head.append(sum(whole))
            whole.append(len(values))
            whole_parts.append(values)
        else:
            head.append(sum(real))
            real.append(len(values))
            real_parts.append(values)
    return Packed(np.concatenate([head, *whole_parts]).astype(np.int64), np.concatenate([*real_parts, [0.0]]))


def _fields(constants: Any) -> Any:
    for each in constants:
        yield from _fields(each) if isinstance(each, Tree | Bodies | Joints) else (each,)


def read_tree(whole):
    """Return the tree that packed `Bodies` begin with."""
    return Tree(
        whole[0],
        whole[1],
        whole[2],
        subarray(whole, whole[3], MANY),
        subarray(whole, whole[4], MANY),
        subarray(whole, whole[5], MANY),
        subarray(whole, whole[6], MANY),
        subarray(whole, whole[7], MANY),
        subarray(whole, whole[8], MANY),
    )


def read_bodies(whole, real):
    """Return packed `Bodies`."""
    return Bodies(
        read_tree(whole),
        subarray(real, whole[9], MANY),
        vector_at(real, whole[10]),
        whole[11],
        subarray(whole, whole[12], MANY),
        subarray(real, whole[13], MANY),
        subarray(whole, whole[14], MANY),
        subarray(whole, whole[15], MANY),
        subarray(whole, whole[16], MANY),
        subarray(real, whole[17], MANY),
        real[whole[18]],
        whole[19],
    )


def read_soft(whole, real):
    """Return packed `Soft`."""
    springs, table = subarray(whole, whole[27], MANY), subarray(real, whole[30], MANY)
    return Soft(read_bodies(whole, real), read_joints(whole, real, 20), springs, whole[28], whole[29], table)


def read_joints(whole, real, first):
    """Return packed `Joints` whose fields begin there."""
    return Joints(
        whole[first],
        whole[first + 1],
        whole[first + 2],
        subarray(whole, whole[first + 3], MANY),
        subarray(real, whole[first + 4], MANY),
        subarray(whole, whole[first + 5], MANY),
        subarray(whole, whole[first + 6], MANY),
    )


@separate(void)
def find_bodies(work, motion, whole, real, x, p, mode):
    """See `mechanism_terms`."""
    mechanism_terms(work, motion, read_bodies(whole, real), x, p, mode)


@separate(integer)
def lying_wheel(work, whole, real):
    """Return the number of the first wheel, from 1, that touches while it lies on its side; 0 if there is none."""
    layout, bodies = read_layout(work), read_bodies(whole, real)
    for i in range(bodies.n_points):
        axis, touches = vector_at(bodies.axes, 3 * i), work[layout.gaps + i] <= work[layout.near + i]
        if dot(axis, axis) > 0.0 and touches and work[layout.along + 2 * i] < LIES:
            return i + 1
    return 0


@separate(void)
def find_joints(work, whole, real, x, p):
    """See `joint_terms`."""
    joint_terms(work, read_joints(whole, real, 0), x, p)


@separate(void)
def find_loops(work, motion, tree, whole, real, p):
    """See `loop_terms`; `tree` are the whole numbers of the bodies."""
    loops = Loops(subarray(whole, whole[0], MANY), subarray(real, whole[1], MANY), real[whole[2]])
    loop_terms(work, motion, read_tree(tree), loops, p)


@separate(void)
def put_motor_forces(y, whole, real, x, p, n_coordinates):
    """Write the forces of all motors."""
    put_motors(y, read_joints(whole, real, 0), x, p, n_coordinates)


@separate(void)
def put_coordinate_rates(qdot, whole, q, u):
    """Write the rates of the coordinates."""
    coordinate_rates(qdot, read_tree(whole), q, u)


@separate(void)
def put_energies(y, motion, whole, real, x):
    """Write kinetic energy, potential energy and their sum."""
    bodies = read_bodies(whole, real)
    y[0] = kinetic_energy(motion, bodies.tree, bodies.data)
    weights = potential_energy(motion, bodies.tree, bodies.data, bodies.gravity)
    y[1] = weights + spring_energy(bodies.tree, bodies.data, x)
    y[2] = y[0] + y[1]
