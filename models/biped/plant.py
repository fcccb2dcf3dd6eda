"""The biped without its controller: flow, boundaries and outputs. See `model` for the whole."""

from hybridsim import scratch
from hybridsim.multibody import (
    point_of,
    spin_of,
    velocity_of,
)
from hybridsim.multibody.vectors import dot

from .body import MOTION, F, N, heel1, heel2, toe1, toe2
from .dynamics import (
    FORCES,
    Instant,
    accelerate,
    motor_power,
    push_force,
    trunk_centre,
)
from .limits import HINGED, concerns, find_limits
from .records import (
    BEFORE,
    DURING,
    HEEL,
    N_LIMITS,
    TOE,
    B,
    P,
    S,
    foot1_of,
    foot2_of,
    is_fresh,
    on_ground,
    push_of,
)


def vector_field(xdot, t, x, p, chart, torque, sole_moment):
    instant = Instant(t, x, p, chart, torque, sole_moment)
    udot, forces, motion = scratch(N), scratch(FORCES), scratch(MOTION)
    accelerate(udot, forces, motion, instant)
    for i in range(N):
        xdot[i] = x[N + i]
        xdot[N + i] = udot[i]
    xdot[S.motor_work] = motor_power(forces, instant, spin_of(motion, F.foot2).y)
    xdot[S.push_work] = dot(push_force(instant), velocity_of(motion, F.hat, trunk_centre(p)))


def boundaries(g, t, x, p, chart, torque, sole_moment):
    limits, motion = scratch(N_LIMITS), scratch(MOTION)
    find_limits(limits, motion, Instant(t, x, p, chart, torque, sole_moment))
    for limit in range(N_LIMITS):
        if concerns(limit, chart):
            g[limit] = limits[limit]
    write_gaps(g, motion, p, chart)
    if push_of(chart) == BEFORE:
        g[B.push_begins] = p[P.push_start] - t
    elif push_of(chart) == DURING:
        g[B.push_ends] = p[P.push_start] + p[P.push_duration] - t
    if is_fresh(chart):
        g[B.settled] = x[S.stance_since] - t


def write_gaps(g, motion, p, chart):
    """Write how high the points of the feet are that are not on the ground; of a hinged foot, one point is enough."""
    h, foot1, foot2 = p[P.stature], foot1_of(chart), foot2_of(chart)
    hinged = p[P.feet] == HINGED
    if not foot1 & TOE and not (hinged and on_ground(foot1)):
        g[B.toe1_down] = point_of(motion, F.foot1, toe1(h)).z
    if not foot1 & HEEL and not (hinged and on_ground(foot1)):
        g[B.heel1_down] = point_of(motion, F.foot1, heel1(h)).z
    if not foot2 & TOE and not (hinged and on_ground(foot2)):
        g[B.toe2_down] = point_of(motion, F.foot2, toe2(h)).z
    if not foot2 & HEEL and not (hinged and on_ground(foot2)):
        g[B.heel2_down] = point_of(motion, F.foot2, heel2(h)).z
