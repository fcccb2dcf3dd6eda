"""Where the numbers of contacts lie: in the chart, in g, in p, and in the work space of the kernels.

Row 2 i is along the normal of point i, row 2 i + 1 along its tangent. A chart has for each point a bit that says whether
it is down, and for each patch two bits that say whether it holds or slips; `mode` is such a number, too.
"""

from __future__ import annotations

from typing import NamedTuple

from hybridsim.typing import IntArray

HOLDS, FORWARD, BACKWARD = range(3)
"""How a patch with a point on its plane moves along it: not at all, along its tangent, or against it."""
ALL_SLIPS = 7
"""A set of all three, as bits."""

HOLD_FORWARD, HOLD_BACKWARD, STOP, JAM = range(4)
PER_PATCH = 4
"""Boundaries of a patch: the forces that keep it from slipping forward and backward; its slip; its jam."""

STABILISE, REST_SPEED, N_GENERAL = range(3)
STATIC, KINETIC, RESTITUTION, N_FRICTION = range(4)
PLANE_X, PLANE_Z, PLANE_SLOPE, N_PLANE = range(4)
"""Parameters of all contacts, of a patch, of a plane."""


class Layout(NamedTuple):
    """Sizes, bits and places.

    Attributes
    ----------
    n_coordinates, n_speeds, n_points, n_rows, n_patches : int
        Sizes; two rows for each point.
    patch : (n_points,) int array
        The patch of each point.
    first : (n_patches + 1,) int array
        The first point of each patch.
    point_bit, slip_bit : int arrays
        Bits of the chart.
    general : int
        Index in p of the parameters of all contacts.
    friction, plane : (n_patches,) int arrays
        Indices in p of the first parameter of each patch and of its plane.
    mass ... : int
        Where arrays begin in the work space: mass matrix M, afterwards its factor L; generalised forces f; rows [W c];
        gaps [m], the size of the distances that they were found from, and the gap that is none; W u; X = W L^-T, row by row; y = L^-1 f, and
        L^T u; G = X X^T; of the problem z = base + G lambda: base, target of z, scale of z, friction of each patch;
        lambda; z; unknowns, matrix, inverse and right side of a system; a change of the speeds.
    size : int
        Size of the work space.
    """

    n_coordinates: int
    n_speeds: int
    n_points: int
    n_rows: int
    n_patches: int
    patch: IntArray
    first: IntArray
    point_bit: IntArray
    slip_bit: IntArray
    general: int
    friction: IntArray
    plane: IntArray
    mass: int
    force: int
    rows: int
    gaps: int
    reach: int
    near: int
    velocity: int
    x: int
    y: int
    momentum: int
    delassus: int
    base: int
    target: int
    scale: int
    grip: int
    multipliers: int
    z: int
    unknowns: int
    matrix: int
    inverse: int
    right: int
    change: int
    size: int


def work_sizes(n: int, points: int, patches: int) -> dict[str, int]:
    """Return the sizes of the arrays in the work space, in their order."""
    rows, unknowns = 2 * points, points + patches
    return {
        "mass": n * n,
        "force": n,
        "rows": rows * (n + 1),
        "gaps": points,
        "reach": points,
        "near": points,
        "velocity": rows,
        "x": rows * n,
        "y": n,
        "momentum": n,
        "delassus": rows * rows,
        "base": rows,
        "target": rows,
        "scale": rows,
        "grip": patches,
        "multipliers": rows,
        "z": rows,
        "unknowns": unknowns,
        "matrix": unknowns * unknowns,
        "inverse": 2 * unknowns * unknowns,
        "right": unknowns,
        "change": n,
    }


def is_down(layout, mode, i):
    """Return whether point i is on its plane."""
    return (mode >> layout.point_bit[i]) & 1


def slip_of(layout, mode, j):
    """Return HOLDS, FORWARD or BACKWARD."""
    return (mode >> layout.slip_bit[j]) & 3


def sign_of(slip):
    """Return the direction of a slip along the tangent."""
    return 1.0 if slip == FORWARD else (-1.0 if slip == BACKWARD else 0.0)


def leader_of(layout, mode, j):
    """Return the first point of a patch that is down, -1 if none is: friction acts there.

    All points that are down lie on one line along the plane, so that one tangential row does for all.
    """
    for i in range(layout.first[j], layout.first[j + 1]):
        if is_down(layout, mode, i):
            return i
    return -1


def row_of(layout, mode, k):
    """Return the row of the k-th possible unknown, -1 if it is none: normal forces first, then those of patches."""
    if k < layout.n_points:
        return 2 * k if is_down(layout, mode, k) else -1
    j = k - layout.n_points
    leader = leader_of(layout, mode, j)
    return 2 * leader + 1 if leader >= 0 and slip_of(layout, mode, j) == HOLDS else -1
