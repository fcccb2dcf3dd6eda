"""Impacts: Newton's restitution along normals, Coulomb's friction, all contacts together (Moreau 1988, Glocker 2001).

Every contact takes part, also one that rests, and may open: so a block rocks over from one corner to the other. With
friction, Newton's rule may gain energy (Kane and Levinson 1985). Then all restitutions are scaled down for this impact,
to the largest factor that does not gain; with factor 0 none can.
"""

from hybridsim.engine.compiler.slices import subarray

from .layout import (
    ALL_SLIPS,
    FORWARD,
    HOLDS,
    KINETIC,
    SLIP_BITS,
    first_of,
    is_down,
    point_bit,
    slip_bit,
)
from .modes import find_mode
from .solve import aim_at_bounce, aim_at_standstill, solve_mode
from .terms import change_of_speeds, kinetic_energy

GAIN = 1e-12
"""Energy that an impact may gain by rounding, as a fraction of the kinetic energy."""

LEAVES = 1e-6
"""Speed below which a point does not leave an impact, as a fraction of `rest_speed`."""

BISECTIONS = 40
"""Halvings of the factor of restitutions: beyond, it does not change in a float of single precision."""


def strike(work, layout, p, members, bounce):
    """Find the impulses of an impact at the points that are members.

    Parameters
    ----------
    work : (size,) array
        Work space, as `find_delassus` leaves it.
    layout : Layout
        Where everything lies.
    p : array
        Parameters.
    members : int
        The points that take part.
    bounce : float
        Factor of the restitutions; 0 for an impact without collision, which stops slips (Genot and Brogliato 1999), and
        at a limit of impacts.

    Returns
    -------
    int
        1 if there is a solution, otherwise 0.
    """
    if solve_impact(work, layout, p, members, bounce) < 0:
        return 0
    if bounce > 0.0 and gains(work, layout):
        low, high = 0.0, bounce
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            if solve_impact(work, layout, p, members, middle) >= 0 and not gains(work, layout):
                low = middle
            else:
                high = middle
        if solve_impact(work, layout, p, members, low) < 0:
            return 0
    return 1


def solve_impact(work, layout, p, members, bounce):
    """Return the mode of an impact, NO_MODE if there is none."""
    aim_at_bounce(work, layout, p, bounce)
    everything = 0
    for j in range(layout.n_patches):
        everything |= ALL_SLIPS << (SLIP_BITS * j)
    return find_mode(work, layout, p, members, everything, KINETIC)


def gain_of(work, layout):
    """Return the energy that the solved impact gains: the work of the impulses, Lambda (W u- + W u+) / 2."""
    gain = 0.0
    for r in range(layout.n_rows):
        gain += 0.5 * work[layout.multipliers + r] * (work[layout.velocity + r] + work[layout.z + r])
    return gain


def gains(work, layout):
    """Return whether the solved impact gains energy, beyond rounding."""
    return gain_of(work, layout) > GAIN * kinetic_energy(work, layout)


def loses(work, layout):
    """Return whether the solved impact stops something: otherwise an impact without collision resolves nothing."""
    return gain_of(work, layout) < -GAIN * kinetic_energy(work, layout)


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

    The speeds are projected, in the metric of M, so that no energy is gained.
    """
    held = 0
    for j in range(layout.n_patches):
        slip = FORWARD
        for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
            if is_down(work, layout, members, i) and abs(work[layout.velocity + 2 * i]) < slow:
                held |= 1 << point_bit(work, layout, i)
                if abs(work[layout.velocity + 2 * i + 1]) < slow:
                    slip = HOLDS
        held |= slip << slip_bit(work, layout, j)
    project(x_new, work, layout, held)


def project(x_new, work, layout, mode):
    """Project the speeds on those with which what is down in a mode stays down, and what holds does not move."""
    aim_at_standstill(work, layout)
    solve_mode(work, layout, mode, -1)
    change_speeds(x_new, work, layout)
