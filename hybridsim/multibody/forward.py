"""Forward dynamics of a mechanism without constraints, in one call."""

import numpy as np

from hybridsim.engine.compiler.slices import subarray

from .dynamics import inertia_forces, mass_matrix
from .joint_forces import add_joint_forces
from .motion import kinematics
from .reduced import Partition, solve_constrained, work_size
from .tree import end_of

LARGEST_MECHANISM = 1000
"""Most speeds of a mechanism without constraints."""

NO_INDICES, ALL_INDICES = np.zeros(1, np.int64), np.arange(LARGEST_MECHANISM)


def forward_dynamics(udot, tree, data, q, u, gravity, work):
    """Find the rates of the speeds that gravity, springs, dampers and other generalised forces make.

    Parameters
    ----------
    udot : (n_speeds,) array
        Receives the rates.
    tree : Tree
        The mechanism.
    data : array
        Constants of its bodies and joints.
    q, u : arrays
        Coordinates and speeds.
    gravity : Vector
        Acceleration of gravity [m/s^2].
    work : (size,) array
        Work space: `scratch(SIZE)` with `SIZE = mechanism.size`. Afterwards it begins with what `kinematics` finds.
    """
    n = tree.n_speeds
    mass, force, rest = end_of(tree), end_of(tree) + n * n, end_of(tree) + n * n + n
    kinematics(work, tree, data, q, u)
    mass_matrix(subarray(work, mass, n * n), work, tree, data)
    inertia_forces(subarray(work, force, n), work, tree, data, gravity)
    for i in range(force, force + n):
        work[i] = -work[i]
    add_joint_forces(subarray(work, force, n), tree, data, q, u)
    no_rows = subarray(work, rest, 0)
    free = Partition(0, n, NO_INDICES, ALL_INDICES)
    solve_constrained(
        udot,
        no_rows,
        subarray(work, mass, n * n),
        subarray(work, force, n),
        no_rows,
        free,
        subarray(work, rest, work_size(n)),
    )
