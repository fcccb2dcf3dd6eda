"""What is asked of z at rows: accelerations of what is down, velocities after impacts, changes; and their scales."""

import math

from .layout import (
    KINETIC,
    RESTITUTION,
    STABILISE,
    STATIC,
    friction_of,
    gap_of,
    normal_of,
    patch_of,
    spin_of,
)
from .terms import row_product, scalar_product


def aim_at_rest(work, layout, p, mode):
    """Ask for accelerations z = -2 a W u - a^2 gap: what is down stays down (Baumgarte 1972, critically damped).

    This is for the rows that `find_delassus` has listed for this mode. Scales of z are found for all rows,
    where `mode` is -1, alone.
    """
    n, a = layout.n_speeds, p[layout.general + STABILISE]
    size = math.sqrt(scalar_product(work, layout.y, layout.y, n))
    for k in range(layout.needed + 1, layout.needed + 1 + int(work[layout.needed])):
        r = int(work[k])
        drift = work[layout.rows + (n + 1) * r + n]
        work[layout.base + r] = row_product(work, layout, r, layout.y) + drift
        work[layout.target + r] = -2.0 * a * work[layout.velocity + r] - a * a * gap_of(work, layout, r)
        if mode == -1:
            work[layout.scale + r] = math.sqrt(work[layout.delassus + (layout.n_rows + 1) * r]) * size + abs(drift)
    for j in range(layout.n_slipping):
        work[layout.grip + j] = p[friction_of(work, layout, j) + KINETIC]
        work[layout.stick + j] = p[friction_of(work, layout, j) + STATIC]
    if mode == -1:
        widen_scales(work, layout)


def widen_scales(work, layout):
    """Give the rows along the plane of a contact in space the largest of its scales: it may not move along all."""
    for i in range(layout.n_points if layout.tangents == 2 else 0):
        r, j = normal_of(work, layout, i), patch_of(work, layout, i)
        if j < layout.n_contacts:
            widest = max(work[layout.scale + r], work[layout.scale + r + 1], work[layout.scale + r + 2])
            work[layout.scale + r + 1] = work[layout.scale + r + 2] = widest
            if spin_of(work, layout, j) >= 0:
                spin = layout.scale + spin_of(work, layout, j)
                work[spin] = max(work[spin], widest / work[layout.lever + j])


def aim_at_bounce(work, layout, p, bounce):
    """Ask for velocities after an impact (Newton): along normals turned round, times restitution and `bounce`."""
    aim_at_standstill(work, layout)
    for j in range(layout.n_contacts):
        work[layout.grip + j] = work[layout.stick + j] = p[friction_of(work, layout, j) + KINETIC]
    for i in range(layout.n_points):
        r = normal_of(work, layout, i)
        restitution = p[friction_of(work, layout, patch_of(work, layout, i)) + RESTITUTION]
        work[layout.target + r] = -bounce * restitution * min(work[layout.velocity + r], 0.0)


def aim_at_standstill(work, layout):
    """Ask for velocities 0, without friction: a projection."""
    size = math.sqrt(scalar_product(work, layout.momentum, layout.momentum, layout.n_speeds))
    for r in range(layout.n_rows):
        work[layout.base + r] = work[layout.velocity + r]
        work[layout.target + r] = 0.0
        work[layout.scale + r] = math.sqrt(work[layout.delassus + (layout.n_rows + 1) * r]) * size
    for j in range(layout.n_patches):
        work[layout.grip + j] = work[layout.stick + j] = 0.0
    widen_scales(work, layout)
