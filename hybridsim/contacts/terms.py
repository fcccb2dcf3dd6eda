"""Both sides of M udot = f + W^T lambda, and the small problem z = w + G lambda that contacts see of it.

With M = L L^T, X = W L^-T (a row for each row of W) and y = L^-1 f:  G = X X^T  is the matrix of Delassus (1917), and
z = W udot + c = X y + c + G lambda.  The same G says what impulses do:  W u+ = W u- + G Lambda.
"""

import math
from typing import NamedTuple

from hybridsim.engine.compiler.slices import subarray
from hybridsim.multibody.dynamics import inertia_forces, mass_matrix
from hybridsim.multibody.joint_forces import add_joint_forces
from hybridsim.multibody.motion import kinematics, point_of
from hybridsim.multibody.rows import Point, direction_row
from hybridsim.multibody.tree import Tree
from hybridsim.multibody.vectors import Vector, vector_at
from hybridsim.typing import FloatArray, IntArray

from .layout import (
    PLANE_SLOPE,
    PLANE_X,
    PLANE_Z,
    patch_of,
    point_bit,
    read_layout,
)

NEAR = 1e-9
"""Gap that is none at an event, as a fraction of the mechanism's size: two ends of a level bar land at once."""

EPSILON = 2.220446049250313e-16
ROUNDING = 16.0 * EPSILON
"""Effect of rounding on a gap, as a fraction of the distances that it is found from."""


class Bodies(NamedTuple):
    """A mechanism and its points: the frames of these, their places in the frames, and the mechanism's size [m]."""

    tree: Tree
    data: FloatArray
    gravity: Vector
    frames: IntArray
    places: FloatArray
    length: float


def mechanism_terms(work, motion, bodies, x, p):
    """Find M, f, rows and gaps of a mechanism whose points meet planes.

    Parameters
    ----------
    work : (size,) array
        Work space of the contacts.
    motion : array
        Work space of the mechanism.
    bodies : Bodies
        The mechanism.
    x, p : arrays
        State and parameters.
    """
    layout, tree = read_layout(work), bodies.tree
    n = layout.n_speeds
    force, rows, u = (
        subarray(work, layout.force, n),
        subarray(work, layout.rows, layout.n_rows * (n + 1)),
        subarray(x, layout.n_coordinates, n),
    )
    kinematics(motion, tree, bodies.data, x, u)
    mass_matrix(subarray(work, layout.mass, n * n), motion, tree, bodies.data)
    inertia_forces(force, motion, tree, bodies.data, bodies.gravity)
    for k in range(n):
        force[k] = -force[k]
    add_joint_forces(force, tree, bodies.data, x, u)
    for i in range(layout.n_points):
        plane = int(work[layout.plane + patch_of(work, layout, i)])
        sine, cosine = math.sin(p[plane + PLANE_SLOPE]), math.cos(p[plane + PLANE_SLOPE])
        point = Point(bodies.frames[i], vector_at(bodies.places, 3 * i))
        direction_row(rows, motion, tree, 2 * i, point, Vector(-sine, 0.0, cosine))
        direction_row(rows, motion, tree, 2 * i + 1, point, Vector(cosine, 0.0, sine))
        position = point_of(motion, point.frame, point.place)
        right, up = position.x - p[plane + PLANE_X], position.z - p[plane + PLANE_Z]
        reach = abs(sine) * (abs(position.x) + abs(right)) + abs(cosine) * (abs(position.z) + abs(up)) + bodies.length
        put_gap(work, layout, i, cosine * up - sine * right, reach, bodies.length)


def equation_terms(work, length):
    """Set how precise the gaps of equations of motion are, whose size is this length."""
    layout = read_layout(work)
    for i in range(layout.n_points):
        work[layout.reach + i], work[layout.near + i] = length, (NEAR + 4.0 * ROUNDING) * length


def put_gap(work, layout, i, gap, reach, length):
    """Put the gap of a point, how large the distances are that it comes from, and the gap that is none."""
    work[layout.gaps + i], work[layout.reach + i] = gap, reach
    work[layout.near + i] = NEAR * length + 4.0 * ROUNDING * reach


def find_delassus(work, layout, u, mode):
    """Find L, X, y, L^T u, W u and G from M, f and the rows, of the points that are down in this mode.

    Parameters
    ----------
    work : (size,) array
        Work space of the contacts.
    layout : Layout
        Where everything lies.
    u : (n_speeds,) array
        Speeds.
    mode : int
        Points; -1 for all.
    """
    n, n_rows = layout.n_speeds, layout.n_rows
    factorise(work, layout.mass, n)
    solve_lower(work, layout.y, layout.force, layout.mass, n)
    for k in range(n):
        work[layout.momentum + k] = 0.0
        for m in range(k, n):
            work[layout.momentum + k] += work[layout.mass + n * m + k] * u[m]
    for r in range(n_rows):
        if mode == -1 or (mode >> point_bit(work, layout, r // 2)) & 1:
            row = layout.rows + (n + 1) * r
            solve_lower(work, layout.x + n * r, row, layout.mass, n)
            work[layout.velocity + r] = 0.0
            for k in range(n):
                work[layout.velocity + r] += work[row + k] * u[k]
            for s in range(r + 1):
                product = scalar_product(work, layout.x + n * r, layout.x + n * s, n)
                work[layout.delassus + n_rows * r + s] = work[layout.delassus + n_rows * s + r] = product


def speeds_in(x, layout):
    """Return the speeds within a state."""
    return subarray(x, layout.n_coordinates, layout.n_speeds)


def factorise(work, first, n):
    """Put the lower factor of a symmetric, positive matrix in its place (Cholesky)."""
    for k in range(n):
        for m in range(k, n):
            left = work[first + n * m + k]
            for s in range(k):
                left -= work[first + n * m + s] * work[first + n * k + s]
            work[first + n * m + k] = math.sqrt(left) if m == k else left / work[first + n * k + k]


def solve_lower(work, solution, right, factor, n):
    """Solve L solution = right; the three begin at these indices of the work space."""
    for k in range(n):
        left = work[right + k]
        for m in range(k):
            left -= work[factor + n * k + m] * work[solution + m]
        work[solution + k] = left / work[factor + n * k + k]


def solve_upper(work, solution, factor, n):
    """Solve L^T solution = right, in place."""
    for step in range(n):
        k = n - 1 - step
        left = work[solution + k]
        for m in range(k + 1, n):
            left -= work[factor + n * m + k] * work[solution + m]
        work[solution + k] = left / work[factor + n * k + k]


def scalar_product(work, a, b, n):
    """Return the scalar product of two vectors that begin at these indices."""
    total = 0.0
    for k in range(n):
        total += work[a + k] * work[b + k]
    return total


def change_of_speeds(work, layout):
    """Find M^-1 W^T lambda, the change of the speeds that impulses make."""
    n = layout.n_speeds
    for k in range(n):
        work[layout.change + k] = 0.0
        for r in range(layout.n_rows):
            if work[layout.multipliers + r] != 0.0:
                work[layout.change + k] += work[layout.x + n * r + k] * work[layout.multipliers + r]
    solve_upper(work, layout.change, layout.mass, n)


def kinetic_energy(work, layout):
    """Return the kinetic energy [J]."""
    return 0.5 * scalar_product(work, layout.momentum, layout.momentum, layout.n_speeds)
