"""The forces of all contacts in space at once, for what trying modes does not find.

Forces are improved one after the other (projected Gauss and Seidel; Jourdan, Alart and Jean 1998): a normal force by
what its row misses, but never below 0; friction against the twist, but never beyond mu N. What this comes to is a
solution whatever its mode is: also where two contacts of one body hold together what neither could hold alone.
"""

from hybridsim.multibody.vectors import ZERO, Vector, length_of, minus, put, times, vector_at

from .layout import (
    BEGINS,
    FREE,
    HOLDS,
    SLIPS,
    STATIC,
    first_of,
    friction_of,
    is_down,
    leader_of,
    normal_of,
    point_bit,
    slip_bit,
    slip_of,
    slip_row,
    spin_of,
)
from .sets import ONLY_FREE, allowed_of
from .sliding import begin_centre, mean_of, pressure_centre, slip_direction, twist_of, unit
from .soles import is_whole
from .solve import load_of

SHARES = (0.5, 0.8, 0.95, 0.99, 0.999, 1.0)
N_SHARES = len(SHARES)
"""Parts of static friction with which holding is tried."""

MOST_SWEEPS, FOUND, STANDS = 5000, 1e-13, 1e-10
"""Most times that all forces are improved; the change of z, as a fraction of its scale, at which they are found; the
twist that is none."""


def find_forces(work, layout, p, members, sets, slipping, share):
    """Find multipliers and z, with base and target as they are; return whether they are found.

    Parameters
    ----------
    work, layout, p, members
        As of `modes.find_mode`.
    sets : int
        Where the sets of slips begin: of each patch, how it may slip.
    slipping : int
        A mode: what slips there has kinetic friction, all else static friction; -1 for an impact.
    share : float
        The part of static friction that may be used.
    """
    for r in range(layout.n_rows):
        work[layout.multipliers + r], work[layout.z + r] = 0.0, work[layout.base + r]
    for j in range(layout.n_contacts):
        put(work, layout.direction + 3 * j, ZERO)
        begin_centre(work, layout, members, j)
    for _ in range(MOST_SWEEPS):
        change = 0.0
        for i in range(layout.n_points):
            if is_down(work, layout, members, i):
                r = normal_of(work, layout, i)
                better = max(0.0, improved(work, layout, r))
                change = max(change, change_force(work, layout, r, better))
        for j in range(layout.n_slipping):
            if j < layout.n_contacts and leader_of(work, layout, members, j) >= 0:
                most = share * p[friction_of(work, layout, j) + STATIC]
                if slip_of(work, layout, slipping, j) != HOLDS:
                    most = work[layout.grip + j]
                change = max(change, improve_friction(work, layout, p, members, sets, most, j))
            elif j >= layout.n_contacts:
                change = max(change, improve_joint(work, layout, p, sets, j))
        for r in range(layout.n_rows - layout.n_loop_rows, layout.n_rows):
            change = max(change, change_force(work, layout, r, improved(work, layout, r)))
        if change <= FOUND:
            return True
    return False


def improved(work, layout, r):
    """Return the multiplier with which a row alone would meet its target."""
    missed = work[layout.z + r] - work[layout.target + r]
    return work[layout.multipliers + r] - missed / work[layout.delassus + (layout.n_rows + 1) * r]


def change_force(work, layout, r, force):
    """Change a multiplier, and z with it; return how far its own z changes, as a fraction of its scale."""
    change = force - work[layout.multipliers + r]
    if change == 0.0:
        return 0.0
    work[layout.multipliers + r] = force
    for s in range(layout.n_rows):
        work[layout.z + s] += work[layout.delassus + layout.n_rows * s + r] * change
    size = abs(change) * work[layout.delassus + (layout.n_rows + 1) * r]
    return size / work[layout.scale + r] if work[layout.scale + r] > 0.0 else size


def improve_friction(work, layout, p, members, sets, coefficient, j):
    """Improve the friction of a contact, which is kept where its direction is; return how far it changes."""
    r, d, allowed = slip_row(work, layout, members, j), layout.direction + 3 * j, allowed_of(work, sets, j)
    if allowed == ONLY_FREE:
        return 0.0
    load, centre = load_of(work, layout, j), pressure_centre(work, layout, members, j)
    work[layout.centre + 2 * j], work[layout.centre + 2 * j + 1] = centre.x, centre.y
    most = coefficient * load
    if allowed & 1:
        step = times(0.9 / mean_of(work, layout, r, j), twist_of(work, layout, members, j, layout.z))
        force = minus(vector_at(work, d), step)
        size = length_of(force)
        force = times(most / size, force) if size > most else force
    else:
        mode = (SLIPS if allowed & (1 << SLIPS) else BEGINS) << slip_bit(work, layout, j)
        force = times(-work[layout.grip + j] * load, slip_direction(work, layout, p, members | mode, j))
    put(work, d, force)
    return put_friction(work, layout, force, load, j)


def put_friction(work, layout, force, load, j):
    """Share the friction of a contact among its points; return how far it changes."""
    change, spin = 0.0, spin_of(work, layout, j)
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        at = normal_of(work, layout, i)
        share = work[layout.multipliers + at] / load if load > 0.0 else 0.0
        change = max(change, change_force(work, layout, at + 1, share * force.x))
        change = max(change, change_force(work, layout, at + 2, share * force.y))
    if spin >= 0:
        change = max(change, change_force(work, layout, spin, work[layout.lever + j] * force.z))
    return change


def improve_joint(work, layout, p, sets, j):
    """Improve the dry friction of a joint; return how far it changes."""
    r, allowed, most = slip_row(work, layout, 0, j), allowed_of(work, sets, j), p[friction_of(work, layout, j) + STATIC]
    if allowed == ONLY_FREE:
        return 0.0
    force = min(max(improved(work, layout, r), -most), most)
    if not allowed & 1:
        force = -work[layout.grip + j] if allowed & 2 else work[layout.grip + j]
    return change_force(work, layout, r, force)


def mode_at_once(work, layout, p, members, sets, friction):
    """Return whether the forces of all contacts are found, and their mode.

    What slips has kinetic friction: it is found with static friction first. What holds does so with as small a part of
    this as will do, where no mode says how forces are shared.
    """
    found, mode = False, -1
    for k in range(0 if friction == STATIC else N_SHARES - 1, N_SHARES):
        if mode != members:
            found = find_forces(work, layout, p, members, sets, 0 if friction == STATIC else -1, SHARES[k])
            mode = mode_of_forces(work, layout, members, sets)
    if friction == STATIC and mode != members:
        found = find_forces(work, layout, p, members, sets, mode, 1.0)
        mode = mode_of_forces(work, layout, members, sets)
    return found, mode


def mode_of_forces(work, layout, members, sets):
    """Return the mode of what `find_forces` has found, and put the directions of slips in their places."""
    mode = members
    for j in range(layout.n_patches):
        down = 0
        for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
            if work[layout.multipliers + normal_of(work, layout, i)] <= 0.0:
                down |= 1 << point_bit(work, layout, i)
        if is_whole(work, layout, mode & ~down):
            mode &= ~down
        if j < layout.n_contacts:
            mode |= slide_of_forces(work, layout, mode, sets, j) << slip_bit(work, layout, j)
    return mode


def slide_of_forces(work, layout, mode, sets, j):
    """Return how a contact slips, and put its direction in its place."""
    r, d, allowed = slip_row(work, layout, mode, j), layout.direction + 3 * j, allowed_of(work, sets, j)
    if r < 0:
        return HOLDS
    begin_centre(work, layout, mode, j)
    centre = pressure_centre(work, layout, mode, j)
    work[layout.centre + 2 * j], work[layout.centre + 2 * j + 1] = centre.x, centre.y
    force, twist = vector_at(work, d), twist_of(work, layout, mode, j, layout.z)
    scale = max(work[layout.scale + r], work[layout.scale + r + 1])
    if allowed == ONLY_FREE:
        return FREE
    if allowed & 1 and length_of(twist) <= STANDS * scale:
        torque = work[layout.lever + j] * force.z + centre.x * force.y - centre.y * force.x
        put(work, d, Vector(force.x, force.y, torque))
        return HOLDS
    put(work, d, unit(times(-1.0, force), force))
    return SLIPS if allowed & (1 << SLIPS) else BEGINS
