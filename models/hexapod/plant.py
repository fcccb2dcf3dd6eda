"""The hexapod without its controller: flow, boundaries, transitions. See `model` for the whole.

`torque(t, leg, phi, phidot)` [N m], what the motor of a leg is asked for, and `hip_angle(t, leg)` [rad], the posture in
which a run begins, come from the controller.
"""

import math

from hybridsim import scratch

from .battery import discharge_rate
from .body import POSE, find_pose, move_body, turn_initial_attitude
from .contact import find_ground, grip, hold, rest_toe, rising_speed, slide_toe, tug
from .legs import (
    FORCE,
    LEG,
    NORMAL,
    PUSH,
    RATE_PHI,
    RHO,
    SLIDE,
    TORQUE,
    add_load,
    damper_power,
    find_leg,
    load_flying_leg,
    put_toe,
)
from .motor import current
from .records import (
    CHARGE,
    DAMPER_LOSS,
    EMPTY,
    EMPTY_BIT,
    FDOT,
    FLIGHT_REACTION,
    FRICTION_LOSS,
    HIP_DAMPING,
    IMPACT_LOSS,
    LEG_MASS,
    LIFTOFF,
    MOTOR_WORK,
    N_LEGS,
    NO_ATTITUDE,
    PITCH,
    POSED,
    PULLING,
    Q_RL,
    Q_W,
    R_X,
    ROLL,
    SLIP,
    SLIP_BITS,
    STICK,
    TAKEOFF_SPEED,
    TOO_LONG,
    TOPPLED,
    TOUCHDOWN,
    UNDERGROUND,
    YAW,
    F,
    in_stance,
    is_empty,
    is_slipping,
)
from .terrain import gradient, height

FLIGHT, STUCK, SLIPPING = range(3)

PULL_TOLERANCE, DEPTH_TOLERANCE = 1e-6, 1e-9
"""What rounding may leave of a pull [N] and of a toe's depth [m] at an event."""


def vector_field(xdot, t, x, p, chart, torque):
    pose, load, c = scratch(POSE), scratch(6), scratch(LEG)
    find_pose(pose, x)
    for i in range(6):
        load[i] = 0.0
    work, damped, rubbed, amperes = 0.0, 0.0, 0.0, 0.0
    for leg in range(N_LEGS):
        find_leg(c, x, p, chart, pose, leg)
        counts = True
        if in_stance(chart, leg):
            stand(c, t, x, p, chart, pose, leg, torque)
            if is_slipping(chart, leg):
                rubbed += slide_toe_in_world(xdot, x, p, c, pose, leg)
        else:
            load_flying_leg(c, t, x, p, chart, pose, leg, torque)
            fly(xdot, x, p, c, pose, leg)
            counts = p[FLIGHT_REACTION] != 0.0
        gear_loss = p[HIP_DAMPING] * c[RATE_PHI] * c[RATE_PHI]
        if counts:
            add_load(load, c)
            damped += damper_power(c, p) + gear_loss
            work += c[TORQUE] * c[RATE_PHI] + gear_loss
        amperes += abs(current(c[TORQUE] + p[HIP_DAMPING] * c[RATE_PHI], p))
    move_body(xdot, x, p, pose, load)
    xdot[MOTOR_WORK], xdot[DAMPER_LOSS], xdot[FRICTION_LOSS] = work, damped, rubbed
    if not is_empty(chart):
        xdot[CHARGE] = -discharge_rate(amperes, p)


def stand(c, t, x, p, chart, pose, leg, torque):
    """Forces and slip velocity of a leg in stance."""
    if is_slipping(chart, leg):
        find_ground(c, x, p, pose, leg)
        slide_toe(c, t, x, p, chart, leg, torque, False)
    else:
        load_resting(c, t, x, p, chart, pose, leg, torque)


def load_resting(c, t, x, p, chart, pose, leg, torque):
    find_ground(c, x, p, pose, leg)
    rest_toe(c, t, x, p, chart, leg, torque)


def slide_toe_in_world(xdot, x, p, c, pose, leg):
    """The toe's velocity, along the ground to the last bit, and the power that friction takes [W]."""
    toe, power, slopes = F + 3 * leg, 0.0, scratch(2)
    for i in range(3):
        power += c[FORCE + i] * c[SLIDE + i]
    for i in range(2):
        xdot[toe + i] = pose[3 * i] * c[SLIDE] + pose[3 * i + 1] * c[SLIDE + 1] + pose[3 * i + 2] * c[SLIDE + 2]
    gradient(slopes, x[toe], x[toe + 1], p)
    xdot[toe + 2] = slopes[0] * xdot[toe] + slopes[1] * xdot[toe + 1]
    return power


def fly(xdot, x, p, c, pose, leg):
    toe = 3 * leg
    for i in range(3):
        xdot[F + toe + i] = x[FDOT + toe + i]
        push = pose[3 * i] * c[FORCE] + pose[3 * i + 1] * c[FORCE + 1] + pose[3 * i + 2] * c[FORCE + 2]
        xdot[FDOT + toe + i] = push / p[LEG_MASS]


def boundaries(g, t, x, p, chart, torque):
    pose, c = scratch(POSE), scratch(LEG)
    find_pose(pose, x)
    for leg in range(N_LEGS):
        if not in_stance(chart, leg):
            g[TOUCHDOWN + 2 * leg] = gap(x, p, leg)
            continue
        find_leg(c, x, p, chart, pose, leg)
        load_resting(c, t, x, p, chart, pose, leg, torque)
        if is_slipping(chart, leg):
            g[STICK + leg] = tug(c, t, p, chart, leg, torque)
            g[LIFTOFF + 2 * leg] = grip(c, t, p, chart, leg, torque)
        else:
            g[SLIP + leg] = hold(c, p)
            g[LIFTOFF + 2 * leg] = c[PUSH]
    if not is_empty(chart):
        g[EMPTY] = x[CHARGE]


def gap(x, p, leg):
    """Height of the toe above the ground [m]."""
    toe = F + 3 * leg
    return x[toe + 2] - height(x[toe], x[toe + 1], p)


def transition(x_new, t, x, p, chart, crossed, torque):
    """After what the controller has done. As torques may have jumped, every other leg in stance is looked at anew."""
    if crossed[EMPTY]:
        chart |= 1 << EMPTY_BIT
        x_new[CHARGE] = 0.0
    pose, c = scratch(POSE), scratch(LEG)
    find_pose(pose, x_new)
    for leg in range(N_LEGS):
        if crossed[TOUCHDOWN + 2 * leg]:
            chart = land(x_new, c, t, p, chart, pose, leg, torque)
        elif crossed[STICK + leg]:
            chart = with_leg(chart, leg, STUCK)
        elif crossed[SLIP + leg]:
            chart = break_away(x_new, c, t, p, chart, pose, leg, torque)
        elif crossed[LIFTOFF + 2 * leg]:
            chart = let_go(x_new, c, t, p, chart, pose, leg, torque)
        elif in_stance(chart, leg):
            chart = settle(x_new, c, t, p, chart, pose, leg, torque, 0.0)
    return chart


def with_leg(chart, leg, state):
    """The chart with this leg in FLIGHT, STUCK or SLIPPING."""
    chart &= ~((1 << leg) | (1 << (SLIP_BITS + leg)))
    if state == STUCK:
        return chart | (1 << leg)
    return chart | (1 << leg) | (1 << (SLIP_BITS + leg)) if state == SLIPPING else chart


def land(x_new, c, t, p, chart, pose, leg, torque):
    """A toe meets the ground: a plastic impact. Where the leg would pull at once, the toe stays in flight."""
    toe = 3 * leg
    before = toe_energy(x_new, p, leg)
    find_leg(c, x_new, p, chart, pose, leg)
    find_ground(c, x_new, p, pose, leg)
    speed = 0.0
    for i in range(3):
        speed -= x_new[FDOT + toe + i] * (
            pose[3 * i] * c[NORMAL] + pose[3 * i + 1] * c[NORMAL + 1] + pose[3 * i + 2] * c[NORMAL + 2]
        )
    for i in range(3):
        x_new[FDOT + toe + i] = 0.0
    x_new[F + toe + 2] = height(x_new[F + toe], x_new[F + toe + 1], p)
    chart = settle(x_new, c, t, p, with_leg(chart, leg, STUCK), pose, leg, torque, speed)
    x_new[IMPACT_LOSS] += before
    return chart


def settle(x_new, c, t, p, chart, pose, leg, torque, speed):
    """Does a leg whose toe is on the ground stick, slip, or leave it? speed [m/s]: at which it came down just now.

    A toe that comes down while its leg pulls rises again, as fast as the pull and the dampers want it, no faster than
    it came. Left without that speed, it would be back at once where its sideways motion presses it down: again and
    again, sooner and sooner, until the leg does not pull any more.
    """
    find_leg(c, x_new, p, chart, pose, leg)
    load_resting(c, t, x_new, p, chart, pose, leg, torque)
    spare = -tug(c, t, p, chart, leg, torque) if is_slipping(chart, leg) else hold(c, p)
    if c[PUSH] > 0.0 and (spare > 0.0 or (spare == 0.0 and not is_slipping(chart, leg))):
        return with_leg(chart, leg, STUCK)
    if grip(c, t, p, chart, leg, torque) > 0.0:
        return with_leg(chart, leg, SLIPPING)
    slide_toe(c, t, x_new, p, chart, leg, torque, True)
    rise = min(rising_speed(c, t, x_new, p, chart, leg, torque), speed)
    return take_off(x_new, c, p, chart, pose, leg, max(rise, p[TAKEOFF_SPEED]))


def break_away(x_new, c, t, p, chart, pose, leg, torque):
    """A toe at the edge of the cone slips, or leaves the ground if nothing would press it down."""
    find_leg(c, x_new, p, chart, pose, leg)
    find_ground(c, x_new, p, pose, leg)
    if grip(c, t, p, chart, leg, torque) > 0.0:
        return with_leg(chart, leg, SLIPPING)
    slide_toe(c, t, x_new, p, chart, leg, torque, True)
    return take_off(x_new, c, p, chart, pose, leg, p[TAKEOFF_SPEED])


def let_go(x_new, c, t, p, chart, pose, leg, torque):
    if not is_slipping(chart, leg):
        return break_away(x_new, c, t, p, chart, pose, leg, torque)
    find_leg(c, x_new, p, chart, pose, leg)
    find_ground(c, x_new, p, pose, leg)
    slide_toe(c, t, x_new, p, chart, leg, torque, True)
    return take_off(x_new, c, p, chart, pose, leg, p[TAKEOFF_SPEED])


def take_off(x_new, c, p, chart, pose, leg, rise):
    """Into flight, at the velocity of a toe that slides freely, exactly along the ground, and rises at `rise` [m/s]."""
    toe = 3 * leg
    slopes = scratch(2)
    gradient(slopes, x_new[F + toe], x_new[F + toe + 1], p)
    x_new[F + toe + 2] = height(x_new[F + toe], x_new[F + toe + 1], p)
    for i in range(2):
        x_new[FDOT + toe + i] = pose[3 * i] * c[SLIDE] + pose[3 * i + 1] * c[SLIDE + 1] + pose[3 * i + 2] * c[SLIDE + 2]
    x_new[FDOT + toe + 2] = slopes[0] * x_new[FDOT + toe] + slopes[1] * x_new[FDOT + toe + 1]
    if rise > 0.0:
        along = rise / math.sqrt(1.0 + slopes[0] * slopes[0] + slopes[1] * slopes[1])
        x_new[FDOT + toe] -= along * slopes[0]
        x_new[FDOT + toe + 1] -= along * slopes[1]
        x_new[FDOT + toe + 2] += along
    x_new[IMPACT_LOSS] -= toe_energy(x_new, p, leg)
    return with_leg(chart, leg, FLIGHT)


def toe_energy(x, p, leg):
    """Kinetic energy of a toe in flight [J]."""
    toe = FDOT + 3 * leg
    return 0.5 * p[LEG_MASS] * (x[toe] ** 2 + x[toe + 1] ** 2 + x[toe + 2] ** 2)


def initial_chart(x_new, t, x, p, torque, hip_angle):
    """Put the toes in posture, unless that has been done (`posed`); those that reach the ground start in stance."""
    if has_no_attitude(x):
        return 0
    pose, c = scratch(POSE), scratch(LEG)
    turn_initial_attitude(x_new, x[ROLL], x[PITCH], x[YAW])
    x_new[ROLL], x_new[PITCH], x_new[YAW] = 0.0, 0.0, 0.0
    find_pose(pose, x_new)
    chart = 0
    if x_new[CHARGE] <= 0.0:
        chart |= 1 << EMPTY_BIT
    for leg in range(N_LEGS):
        toe = F + 3 * leg
        if x[POSED] == 0.0:
            put_toe(x_new, p, pose, leg, hip_angle(t, leg))
        ground = height(x_new[toe], x_new[toe + 1], p)
        if x_new[toe + 2] < ground or (x_new[toe + 2] == ground and rests(x_new, leg)):
            x_new[toe + 2] = ground
            for i in range(3):
                x_new[FDOT + 3 * leg + i] = 0.0
            chart = settle(x_new, c, t, p, with_leg(chart, leg, STUCK), pose, leg, torque, 0.0)
    x_new[POSED] = 1.0
    return chart


def rests(x, leg):
    toe = FDOT + 3 * leg
    return x[toe] == 0.0 and x[toe + 1] == 0.0 and x[toe + 2] == 0.0


def has_no_attitude(x):
    """Is the quaternion so short that it has no direction?"""
    return x[Q_W] ** 2 + x[Q_W + 1] ** 2 + x[Q_W + 2] ** 2 + x[Q_W + 3] ** 2 < 1e-12


def validate(t, x, p, chart, torque):
    if has_no_attitude(x):
        return NO_ATTITUDE
    if x[R_X + 2] < height(x[R_X], x[R_X + 1], p):
        return TOPPLED
    pose, c = scratch(POSE), scratch(LEG)
    find_pose(pose, x)
    warning = 0
    for leg in range(N_LEGS):
        if not in_stance(chart, leg):
            if gap(x, p, leg) < -DEPTH_TOLERANCE:
                return UNDERGROUND
            continue
        find_leg(c, x, p, chart, pose, leg)
        stand(c, t, x, p, chart, pose, leg, torque)
        if c[PUSH] < -PULL_TOLERANCE:
            return PULLING
        if c[RHO] > p[Q_RL]:
            warning = TOO_LONG
    return warning
