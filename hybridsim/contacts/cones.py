"""The forces of all contacts in space at once, for what trying modes does not find.

Forces are improved one after the other (projected Gauss and Seidel; Jourdan, Alart and Jean 1998): a normal force by
what its row misses, but never below 0; friction against the twist, but never beyond mu N. What this comes to is a
solution whatever its mode is: also where two contacts of one body hold together what neither could hold alone.
"""

from hybridsim.multibody.vectors import ZERO, Vector, length_of, minus, put, times, vector_at

from .corners import corner_twist, friction_at, place_of, put_middle, put_pulls, unit
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
    patch_of,
    point_bit,
    slip_bit,
    slip_of,
    slip_row,
    spin_of,
)
from .sets import ONLY_FREE, allowed_of
from .sliding import mean_of, slip_direction, twist_of
from .soles import is_whole

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
        put_middle(work, layout, members, j)
        for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
            put(work, layout.pull + 3 * i, ZERO)
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
    """Improve the friction of a contact, which is kept point by point where their directions are."""
    change, allowed, d = 0.0, allowed_of(work, sets, j), times(0.0, vector_at(work, layout.pull))
    if allowed == ONLY_FREE:
        return 0.0
    if not allowed & 1:
        mode = (SLIPS if allowed & (1 << SLIPS) else BEGINS) << slip_bit(work, layout, j)
        d = slip_direction(work, layout, p, members | mode, j)
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        if is_down(work, layout, members, i):
            change = max(change, improve_corner(work, layout, d, coefficient, allowed & 1, i))
    return change


def improve_corner(work, layout, d, coefficient, holds, i):
    """Improve the friction of a point, against d if it cannot hold; return how far it changes."""
    j, at, pull = patch_of(work, layout, i), normal_of(work, layout, i), layout.pull + 3 * i
    spin, lever, load = spin_of(work, layout, j), work[layout.lever + j], work[layout.multipliers + at]
    old, turn = vector_at(work, pull), work[layout.z + spin] * lever if spin >= 0 else 0.0 * load
    force = times(-work[layout.grip + j] * load, unit(corner_twist(work, layout, i, d), d))
    if holds:
        step = 0.9 / mean_of(work, layout, at + 1, j)
        force = minus(old, times(step, Vector(work[layout.z + at + 1], work[layout.z + at + 2], turn)))
        size, most = length_of(force), coefficient * load
        force = times(most / size, force) if size > most else force
    put(work, pull, force)
    change = change_force(work, layout, at + 1, force.x)
    change = max(change, change_force(work, layout, at + 2, force.y))
    if spin >= 0:
        torque = work[layout.multipliers + spin] + lever * (force.z - old.z)
        change = max(change, change_force(work, layout, spin, torque))
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
    put_middle(work, layout, mode, j)
    twist = twist_of(work, layout, mode, j, layout.z)
    scale = max(work[layout.scale + r], work[layout.scale + r + 1])
    if allowed == ONLY_FREE:
        return FREE
    if allowed & 1 and length_of(twist) <= STANDS * scale:
        force = friction_at(work, layout, j, place_of(work, layout, leader_of(work, layout, mode, j)))
        put(
            work,
            d,
            Vector(force.x, force.y, force.z * work[layout.lever + j] if spin_of(work, layout, j) >= 0 else 0.0),
        )
        return HOLDS
    put(work, d, unit(twist, twist))
    work[layout.spread + 4 * j + 3] = 0.25
    put_pulls(work, mode, j)
    return SLIPS if allowed & (1 << SLIPS) else BEGINS
