"""Impacts: Newton's restitution along normals, Coulomb's friction, all contacts together (Moreau 1988, Glocker 2001).

Unless contacts collide in turn, every contact takes part, also one that rests, and may open: so a block rocks over from
one corner to the other. With friction, Newton's rule may gain energy (Kane and Levinson 1985). Then all restitutions
are scaled down for this impact, to the largest factor that does not gain; with factor 0 none can.
"""

import math

from hybridsim.engine.compiler.slices import subarray
from hybridsim.multibody.vectors import length_of

from .aims import aim_at_bounce, aim_at_standstill
from .corners import put_middle
from .layout import (
    FORWARD,
    HOLDS,
    KINETIC,
    first_of,
    is_down,
    is_spatial,
    normal_of,
    patch_of,
    point_bit,
    slip_bit,
)
from .modes import AT_REST, GAIN, NO_MODE, find_mode, gain_of, resolves
from .sets import NEXT, ONLY_FREE, all_slips, set_of
from .sliding import twist_of
from .solve import solve_mode
from .terms import change_of_speeds, kinetic_energy

NO_IMPACT, JAMMED, IMPACT, REST = 0, NO_MODE, NO_MODE - 1, NO_MODE - 2
"""What comes before the next mode: nothing; an impact without collision, where no mode is consistent, which stops slips
(Genot and Brogliato 1999); an impact; the limit of infinitely many, an impact without restitution."""

LEAVES = 1e-6
"""Speed below which a point does not leave an impact, as a fraction of `rest_speed`."""

LOW = 1.0
"""Height of a flight that rounding hides, as a multiple of how far the point was below its plane as it landed."""

MOST_IN_TURN = 1000
"""Most impacts of single contacts, one after the other; what approaches then collides together."""

BISECTIONS = 40
"""Halvings of the factor of restitutions: beyond, it does not change in a float of single precision."""


def strike(x_new, work, layout, p, members, kind):
    """Change the speeds by an impact at the points that are members.

    Parameters
    ----------
    x_new : array
        State; its speeds are changed.
    work : (size,) array
        Work space, as `find_delassus` leaves it; W u becomes that after the impact.
    layout : Layout
        Where everything lies.
    p : array
        Parameters.
    members : int
        The points that take part.
    kind : int
        IMPACT, JAMMED or REST.

    Returns
    -------
    int
        1 if there is a solution, otherwise 0.
    """
    if layout.in_turn == 1 and kind == IMPACT and strike_in_turn(x_new, work, layout, p, members) == 1:
        return 1
    return strike_once(x_new, work, layout, p, members, kind)


def forget_impulses(x_new, layout):
    """Begin the record of what collides in an event: no impulses, and restitutions that are not scaled."""
    first, n = first_impulse(layout), (1 + layout.tangents) * layout.n_contacts
    for k in range(n):
        x_new[first + k] = 0.0
    x_new[first + n] = 1.0


def strike_in_turn(x_new, work, layout, p, members):
    """Let the point that approaches fastest collide by itself, again and again; return 1 when none approaches."""
    for _ in range(MOST_IN_TURN):
        fastest, bit = -AT_REST, 0
        aim_at_standstill(work, layout)
        for i in range(layout.n_points):
            r = normal_of(work, layout, i)
            if is_down(work, layout, members, i) and work[layout.velocity + r] < fastest * work[layout.scale + r]:
                fastest = work[layout.velocity + r] / work[layout.scale + r]
                bit = 1 << point_bit(work, layout, i)
        if bit == 0:
            return 1
        if strike_once(x_new, work, layout, p, bit, IMPACT) == 0:
            return 0
    return 0


def strike_once(x_new, work, layout, p, members, kind):
    """Change the speeds by one impact, like `strike`."""
    bounce = 1.0 if kind == IMPACT else 0.0
    if solve_impact(work, layout, p, members, bounce, 1 if kind == JAMMED else 0) < 0:
        return 0
    if bounce > 0.0 and gains(work, layout):
        low, high = 0.0, bounce
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            if solve_impact(work, layout, p, members, middle, 0) >= 0 and not gains(work, layout):
                low = middle
            else:
                high = middle
        if solve_impact(work, layout, p, members, low, 0) < 0:
            return 0
        scale = first_impulse(layout) + (1 + layout.tangents) * layout.n_contacts
        x_new[scale] = min(x_new[scale], low)
    if kind == JAMMED and not resolves(work, layout, members):
        return 0
    add_impulses(x_new, work, layout)
    change_speeds(x_new, work, layout)
    return 1


def first_impulse(layout):
    """Return the place in the state of the impulses of the last event that collided, behind the directions of slips."""
    leans = 3 * layout.n_contacts if layout.tangents == 2 else 0
    return layout.n_coordinates + layout.n_speeds + 2 + leans


def add_impulses(x_new, work, layout):
    """Add the impulses of the solved impact to those that the state keeps: of each contact, along its axes."""
    wide = 1 + layout.tangents
    for i in range(layout.n_points):
        j, r = patch_of(work, layout, i), normal_of(work, layout, i)
        if j < layout.n_contacts:
            for k in range(wide):
                x_new[first_impulse(layout) + wide * j + k] += work[layout.multipliers + r + k]


def solve_impact(work, layout, p, members, bounce, begin):
    """Return the mode of an impact, NO_MODE if there is none; dry friction of joints is finite, and has no impulse.

    Where a slip jams, `begin` is 1: something has to stop, by an impulse that is at the edge of the cone.
    """
    aim_at_bounce(work, layout, p, bounce)
    everything = set_of(layout, NEXT)
    for j in range(layout.n_slipping):
        work[everything + j] = all_slips(layout, j) if j < layout.n_contacts else ONLY_FREE
    return find_mode(work, p, members, everything, KINETIC, begin, -1)


def gains(work, layout):
    """Return whether the solved impact gains energy, beyond rounding."""
    return gain_of(work, layout) > GAIN * kinetic_energy(work, layout)


def change_speeds(x_new, work, layout):
    """Add what the multipliers change to the speeds, and to W u."""
    change_of_speeds(work, layout)
    u = subarray(x_new, layout.n_coordinates, layout.n_speeds)
    for k in range(layout.n_speeds):
        u[k] += work[layout.change + k]
    for r in range(layout.n_rows):
        work[layout.velocity + r] = work[layout.z + r]


def capture(x_new, work, layout, members, slow):
    """Bring to rest what leaves an impact more slowly than `slow`: bounces that would go on without end.

    So would those that rise no higher than rounding has put the point below its plane; scales are those of
    accelerations. The speeds are projected, in the metric of M, so that no energy is gained. What then moves to its
    plane, as the other end of a sole does that the projection turns, comes to rest with it.
    """
    held = 0
    for j in range(layout.n_patches):
        slip = FORWARD
        for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
            r = normal_of(work, layout, i)
            depth = work[layout.depth + i] if layout.tangents == 1 else 0.0  # in space, gaps are less precise
            low = math.sqrt(2.0 * work[layout.scale + r] * LOW * depth)
            if is_down(work, layout, members, i) and abs(work[layout.velocity + r]) < max(slow, low):
                held |= 1 << point_bit(work, layout, i)
                along = abs(work[layout.velocity + r + 1])
                if is_spatial(layout, j):
                    put_middle(work, layout, members, j)
                    along = length_of(twist_of(work, layout, members, j, layout.velocity))
                slip = HOLDS if j < layout.n_contacts and along < max(slow, low) else slip
        held |= slip << slip_bit(work, layout, j) if j < layout.n_slipping else 0
    project(x_new, work, layout, held)
    for _ in range(layout.n_points):
        arrives = approaching(work, layout, members)
        if arrives == 0:
            break
        held |= arrives
        project(x_new, work, layout, held)


def approaching(work, layout, members):
    """Return the points that are members and move to their planes; scales are those of velocities."""
    found = 0
    for i in range(layout.n_points):
        r = normal_of(work, layout, i)
        if is_down(work, layout, members, i) and work[layout.velocity + r] < -AT_REST * work[layout.scale + r]:
            found |= 1 << point_bit(work, layout, i)
    return found


def project(x_new, work, layout, mode):
    """Project the speeds on those with which what is down in a mode stays down, and what holds does not move."""
    aim_at_standstill(work, layout)
    solve_mode(work, layout, mode, True)
    change_speeds(x_new, work, layout)
