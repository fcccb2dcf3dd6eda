"""The biped without its controller: flow, boundaries and outputs. See `model` for the whole."""

from hybridsim import scratch
from hybridsim.multibody import velocity_of
from hybridsim.multibody.vectors import dot

from .body import MOTION, F, N
from .dynamics import (
    N_REACTIONS,
    Instant,
    accelerate,
    motor_power,
    push_force,
    trunk_centre,
)
from .friction import slip_power, start_margin, stick_margin
from .limits import CLEAR_HEIGHT, HEIGHT_OF_OTHERS, WARNED, concerns, gaps_of, is_warned, write_limits
from .records import (
    BEFORE,
    BEGINS,
    DURING,
    N_LIMITS,
    B,
    P,
    S,
    is_clear,
    push_of,
    slips,
)


def vector_field(xdot, t, x, p, chart, torque, sole_moment):
    instant = Instant(t, x, p, chart, torque, sole_moment)
    udot, forces, motion = scratch(N), scratch(N_REACTIONS), scratch(MOTION)
    accelerate(udot, forces, motion, instant)
    write_slopes(xdot, udot, forces, motion, instant)


def write_slopes(xdot, udot, forces, motion, instant):
    """Write the slopes, after `accelerate`."""
    x, p = instant.x, instant.p
    for i in range(N):
        xdot[i] = x[N + i]
        xdot[N + i] = udot[i]
    xdot[S.motor_work] = motor_power(forces, motion, instant)
    xdot[S.slip_loss] = slip_power(forces, motion, instant)
    xdot[S.push_work] = dot(push_force(instant), velocity_of(motion, F.hat, trunk_centre(p)))


def boundaries(g, t, x, p, chart, torque, sole_moment):
    udot, forces, motion = scratch(N), scratch(N_REACTIONS), scratch(MOTION)
    instant = Instant(t, x, p, chart, torque, sole_moment)
    accelerate(udot, forces, motion, instant)
    write_boundaries(g, udot, forces, motion, instant)


def slopes_and_boundaries(xdot, g, t, x, p, chart, torque, sole_moment):
    instant = Instant(t, x, p, chart, torque, sole_moment)
    udot, forces, motion = scratch(N), scratch(N_REACTIONS), scratch(MOTION)
    accelerate(udot, forces, motion, instant)
    write_slopes(xdot, udot, forces, motion, instant)
    write_boundaries(g, udot, forces, motion, instant)


def write_boundaries(g, udot, forces, motion, instant):
    """Write the boundaries, after `accelerate`."""
    t, x, p, chart, limits = instant.t, instant.x, instant.p, instant.chart, scratch(N_LIMITS)
    write_limits(limits, udot, forces, motion, instant)
    for limit in range(N_LIMITS):
        if concerns(limit, chart):
            g[limit] = WARNED if is_warned(x, limit) else limits[limit]
    for foot in range(2):
        if slips(chart, foot):
            g[B.stick1 + foot] = stick_margin(motion, instant, foot)
        if slips(chart, foot) == BEGINS:
            g[B.fast1 + foot] = start_margin(motion, instant, foot)
    write_gaps(g, gaps_of(motion, x, p, chart), chart)
    if push_of(chart) == BEFORE:
        g[B.push_begins] = p[P.push_start] - t
    elif push_of(chart) == DURING:
        g[B.push_ends] = p[P.push_start] + p[P.push_duration] - t


def write_gaps(g, gaps, chart):
    """Write how high the points of the feet are that are not on the ground, or how far they are from having risen.

    A foot that leaves begins on the ground: it can land again when it has risen a little.
    """
    for foot in range(2):
        toe, heel = (gaps.toe1, gaps.heel1) if foot == 0 else (gaps.toe2, gaps.heel2)
        if toe == HEIGHT_OF_OTHERS and heel == HEIGHT_OF_OTHERS:
            continue
        if not is_clear(chart, foot):
            g[B.clear1 + foot] = CLEAR_HEIGHT - min(toe, heel)
            continue
        if toe != HEIGHT_OF_OTHERS:
            g[B.toe1_down + 2 * foot] = toe
        if heel != HEIGHT_OF_OTHERS:
            g[B.heel1_down + 2 * foot] = heel
