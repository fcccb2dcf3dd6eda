"""Where the numbers of contacts lie: in the chart, in g, in p, and in the work space of the kernels.

Row 2 i is along the normal of point i, row 2 i + 1 along its tangent. A chart has a bit for each point, whether it is
down, and two bits for each patch, whether it holds or slips; `mode` is such a number, too.
"""

from __future__ import annotations

from typing import NamedTuple

HOLDS, FORWARD, BACKWARD, FREE = range(4)
"""How a patch with a point on its plane moves along it: not at all, along its tangent, against it, or without friction.

It is free where its coefficient is 0, and where other contacts keep it from moving along its plane anyhow: then no
friction is one of the answers, and as good as any."""
ALL_SLIPS, ONLY_FREE, SLIP_BITS = 15, 8, 4
"""Sets of these, as bits: all; that without friction. Sets of all patches have so many bits for each."""

HOLD_FORWARD, HOLD_BACKWARD, STOP, JAM = range(4)
PER_PATCH = 4
"""Boundaries of a patch: the forces that keep it from slipping forward and backward; its slip; its jam."""

STABILISE, REST_SPEED, N_GENERAL = range(3)
STATIC, KINETIC, RESTITUTION, N_FRICTION = range(4)
PLANE_X, PLANE_Z, PLANE_SLOPE, N_PLANE = range(4)
"""Parameters of all contacts, of a patch, of a plane."""


class Layout(NamedTuple):
    """Sizes and places: whole numbers, which begin the work space as doubles, in this order.

    Attributes
    ----------
    n_coordinates, n_speeds, n_points, n_rows, n_patches : int
        Sizes; two rows for each point.
    general : int
        Index in p of the parameters of all contacts; those of the patches follow, and of the planes.
    patch, first, plane : int
        Where arrays begin: the patch of each point; the first point of each patch, and behind the last; the index in p
        of each patch's plane.
    mass, force, rows : int
        Mass matrix M, afterwards its factor L; generalised forces f; rows [W c].
    gaps, reach, near : int
        Gaps [m], the size of the distances that they were found from, and the gap that is none.
    velocity, x, y, momentum, delassus : int
        W u; X = W L^-T, row by row; y = L^-1 f; L^T u; G = X X^T.
    base, target, scale, grip : int
        Of the problem z = base + G lambda: base, target of z, scale of z, and friction of each patch.
    multipliers, z : int
        lambda and z.
    active, partner, drag, n_active : int
        Rows of the unknowns; the tangents that friction pulls along with them, and by which factor; their number.
    unknowns, matrix, inverse, right : int
        A system of equations.
    change : int
        A change of the speeds.
    """

    n_coordinates: int
    n_speeds: int
    n_points: int
    n_rows: int
    n_patches: int
    general: int
    patch: int
    first: int
    plane: int
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
    active: int
    partner: int
    drag: int
    n_active: int
    unknowns: int
    matrix: int
    inverse: int
    right: int
    change: int


N_SCALARS = len(Layout._fields)


def read_layout(work):
    """Return the layout that the work space begins with."""
    return Layout(
        int(work[0]),  # n_coordinates
        int(work[1]),  # n_speeds
        int(work[2]),  # n_points
        int(work[3]),  # n_rows
        int(work[4]),  # n_patches
        int(work[5]),  # general
        int(work[6]),  # patch
        int(work[7]),  # first
        int(work[8]),  # plane
        int(work[9]),  # mass
        int(work[10]),  # force
        int(work[11]),  # rows
        int(work[12]),  # gaps
        int(work[13]),  # reach
        int(work[14]),  # near
        int(work[15]),  # velocity
        int(work[16]),  # x
        int(work[17]),  # y
        int(work[18]),  # momentum
        int(work[19]),  # delassus
        int(work[20]),  # base
        int(work[21]),  # target
        int(work[22]),  # scale
        int(work[23]),  # grip
        int(work[24]),  # multipliers
        int(work[25]),  # z
        int(work[26]),  # active
        int(work[27]),  # partner
        int(work[28]),  # drag
        int(work[29]),  # n_active
        int(work[30]),  # unknowns
        int(work[31]),  # matrix
        int(work[32]),  # inverse
        int(work[33]),  # right
        int(work[34]),  # change
    )


def work_sizes(n: int, points: int, patches: int) -> dict[str, int]:
    """Return the sizes of the arrays in the work space, in their order."""
    rows, unknowns = 2 * points, points + patches
    return {
        "patch": points,
        "first": patches + 1,
        "plane": patches,
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
        "active": unknowns,
        "partner": unknowns,
        "drag": unknowns,
        "n_active": 1,
        "unknowns": unknowns,
        "matrix": unknowns * unknowns,
        "inverse": 2 * unknowns * unknowns,
        "right": unknowns,
        "change": n,
    }


def patch_of(work, layout, i):
    """Return the patch of point i."""
    return int(work[layout.patch + i])


def first_of(work, layout, j):
    """Return the first point of patch j."""
    return int(work[layout.first + j])


def point_bit(work, layout, i):
    """Return the bit of point i: those of the points of a patch come first, then two that say how it slips."""
    return i + 2 * patch_of(work, layout, i)


def slip_bit(work, layout, j):
    """Return the lower of the two bits that say how patch j slips."""
    return first_of(work, layout, j + 1) + 2 * j


def friction_of(layout, j):
    """Return the index in p of the parameters of patch j."""
    return layout.general + N_GENERAL + N_FRICTION * j


def is_down(work, layout, mode, i):
    """Return whether point i is on its plane."""
    return (mode >> point_bit(work, layout, i)) & 1


def slip_of(work, layout, mode, j):
    """Return HOLDS, FORWARD or BACKWARD."""
    return (mode >> slip_bit(work, layout, j)) & 3


def sign_of(slip):
    """Return the direction of a slip along the tangent."""
    return 1.0 if slip == FORWARD else (-1.0 if slip == BACKWARD else 0.0)


def leader_of(work, layout, mode, j):
    """Return the first point of a patch that is down, -1 if none is: friction acts there.

    All points that are down lie on one line along the plane, so that one tangential row does for all.
    """
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        if is_down(work, layout, mode, i):
            return i
    return -1
