"""What happens at an event: a foot lands, leaves, or exchanges its name with the other; a limit is reached."""

import math

from hybridsim import part, scratch
from hybridsim.multibody import (
    bounce_row,
    complete_speeds,
    impact,
    kinematics,
    mass_matrix,
    point_of,
    rotation_of,
    spin_of,
    velocity_of,
)

from .body import DATA, FIRST_JOINT, MASSES, MOTION, N_JOINTS, TREE, WORK, F, N, Q, U, describe, toe2
from .contacts import FZ, N_WRENCH, ROWS, collect, ground_rows, held_rows, partition_of, write_rows
from .dynamics import FORCES, JOINT_Y, LEG, Instant, build_of
from .limits import HINGED, RELEASE, SMALLEST_PIVOT, WARN, concerns, find_limits, policy_of
from .posture import pose
from .records import (
    AFTER,
    BEFORE,
    DURING,
    FLAT,
    GROUND_LIMITS,
    HEEL,
    N_LIMITS,
    NO_POSTURE,
    NO_RANK,
    STANCE_BITS,
    TOE,
    B,
    Feet,
    P,
    S,
    chart_of,
    feet_of,
    on_ground,
    push_of,
)

NO_COMMAND, LIFT_HEEL, EXCHANGE = range(3)
"""What a controller can ask for: that heel 1 leaves the ground, or that foot 1 does and foot 2 becomes foot 1."""
STATE = 2 * N
"""Coordinates and speeds."""
MOST_RELEASES = 3
"""How often feet can leave at one instant: both, and once more after an exchange."""
PULL_TOLERANCE = 0.01
"""Largest downward impulse [N s] that the ground may give to foot 1 when foot 2 lands."""


def transition(x_new, t, x, p, chart, crossed, torque, sole_moment, command, keeps_flat, respond):
    """Follow the controller's transition: its torques may have jumped, so that all limits are examined.

    A controller responds at once where a foot lands or leaves.
    """
    push = push_of(chart)
    if crossed[B.push_begins]:
        push = DURING
    elif crossed[B.push_ends]:
        push = AFTER
    feet = feet_of(chart)
    after, order = let_go(land(x_new, t, p, feet, crossed, keeps_flat), p, crossed), int(command(t))
    for _ in range(MOST_RELEASES):
        after = obey(x_new, p, after, order)
        moved = after.mode != feet.mode or after.foot1 != feet.foot1 or after.foot2 != feet.foot2
        if not moved:
            clear1, clear2 = int(feet.clear1 or crossed[B.clear1] != 0), int(feet.clear2 or crossed[B.clear2] != 0)
            after = Feet(feet.mode, feet.foot1, feet.foot2, clear1, clear2)
        chart = chart_of(after, push)
        complete(x_new, p, chart)
        if moved:
            respond(t, chart & STANCE_BITS)
        pulled = examine(Instant(t, x_new, p, chart, torque, sole_moment), crossed, moved)
        if pulled == 0:
            break
        after, order = release(after, pulled), NO_COMMAND
    return chart


def land(x_new, t, p, feet, crossed, keeps_flat):
    """Let the points that have reached the ground land, in a plastic impact."""
    landed1 = landed(crossed[B.toe1_down], crossed[B.heel1_down], p)
    landed2 = landed(crossed[B.toe2_down], crossed[B.heel2_down], p)
    if not (landed1 or landed2):
        return feet
    foot1 = feet.foot1 | landed1
    clear1 = feet.clear1
    # At a step, the heel of foot 1 leaves the ground as that of foot 2 reaches it, unless the biped wants to stop.
    if not on_ground(feet.foot2) and on_ground(landed2) and foot1 == FLAT and keeps_flat(t) == 0.0:
        foot1, clear1 = TOE, 0
    after = Feet(feet.mode, foot1, feet.foot2 | landed2, clear1, feet.clear2)
    pull = collide(x_new, p, after)
    if pull > PULL_TOLERANCE and p[P.on_lift] == RELEASE and on_ground(feet.foot1) and on_ground(after.foot2):
        return Feet(feet.mode, 0, after.foot2, 0, after.clear2)
    return after


def landed(toe, heel, p):
    """Return what of a foot has landed: of a hinged foot, one point."""
    if toe and heel:
        return HEEL if p[P.feet] == HINGED else FLAT
    if toe:
        return TOE
    return HEEL if heel else 0


def let_go(feet, p, crossed):
    """Let a foot leave the ground that would have to pull at it, if that is the policy."""
    if p[P.on_lift] != RELEASE:
        return feet
    return release(feet, (1 if crossed[B.lift1] else 0) | (2 if crossed[B.lift2] else 0))


def release(feet, which):
    """Return the feet where foot 1 (bit 0) or foot 2 (bit 1) has left the ground."""
    if which & 1:
        feet = Feet(feet.mode, 0, feet.foot2, 0, feet.clear2)
    if which & 2:
        feet = Feet(feet.mode, feet.foot1, 0, feet.clear1, 0)
    return feet


def obey(x_new, p, feet, order):
    """Do what the controller asks for; a foot 2 that stands alone becomes foot 1."""
    if order == LIFT_HEEL and feet.foot1 == FLAT:
        feet = Feet(feet.mode, TOE, feet.foot2, 0, feet.clear2)
    if not on_ground(feet.foot2) or (order != EXCHANGE and on_ground(feet.foot1)):
        return feet
    exchange(x_new, p)
    if p[P.feet] != HINGED:
        return Feet(1 - feet.mode, feet.foot2, 0, feet.clear2, 0)
    # The hinge of a foot that was on its heel jumps to its toe, which must come to rest.
    after = Feet(1 - feet.mode, TOE, 0, 0, 0)
    collide(x_new, p, after)
    return after


def collide(x_new, p, feet):
    """Find the speeds after an impact that makes the constraints hold, all of them ideal.

    Motors give no impulse, so that what joints hold otherwise is here held by nature: then no energy is gained.

    Returns
    -------
    float
        With which the ground would have to pull at foot 1 [N s].
    """
    chart = chart_of(feet, 0)
    motion, data, mass, after = scratch(MOTION), scratch(DATA), scratch(MASSES), scratch(N)
    rows, work, reactions, impulses = scratch(ROWS), scratch(WORK), scratch(FORCES), scratch(FORCES)
    before = part(x_new, N, N)
    describe(data, build_of(p))
    kinematics(motion, TREE, data, x_new, before)
    mass_matrix(mass, motion, TREE, data)
    write_rows(rows, motion, chart, p[P.stature])
    for i in range(ground_rows(chart) + held_rows(chart)):
        bounce_row(rows, TREE, i, 0.0, before)
    impact(after, reactions, mass, before, rows, partition_of(chart), work)
    collect(impulses, reactions, chart)
    loss = 0.0
    for i in range(N):
        for j in range(N):
            loss += 0.5 * (after[i] - before[i]) * mass[N * i + j] * (after[j] - before[j])
    for i in range(N):
        before[i] = after[i]
    x_new[S.impact_loss] += loss
    x_new[S.impulse1_z], x_new[S.impulse2_z] = impulses[FZ], impulses[N_WRENCH + FZ]
    return -impulses[FZ]


def exchange(x_new, p):
    """Exchange the names of the feet: the same motion, seen in a mirror, with foot 2 as foot 1.

    Angles about x and z change their limb and keep their sign; those about y change both. What integration has left of
    a yaw of foot 2 is dropped.
    """
    h = p[P.stature]
    motion, data, old = scratch(MOTION), scratch(DATA), scratch(STATE)
    for i in range(2 * N):
        old[i] = x_new[i]
    describe(data, build_of(p))
    kinematics(motion, TREE, data, old, part(old, N, N))
    toe, velocity = point_of(motion, F.foot2, toe2(h)), velocity_of(motion, F.foot2, toe2(h))
    axes, spin = rotation_of(motion, F.foot2), spin_of(motion, F.foot2)
    roll, pitch = math.atan2(axes.y.z, axes.y.y), math.atan2(axes.z.x, axes.x.x)
    x_new[Q.toe_x], x_new[Q.toe_y], x_new[Q.toe_z] = toe.x, -toe.y, toe.z
    x_new[Q.foot1_x], x_new[Q.foot1_y] = -roll, pitch
    x_new[N + U.toe_xdot], x_new[N + U.toe_ydot], x_new[N + U.toe_zdot] = velocity.x, -velocity.y, velocity.z
    x_new[N + U.foot1_xdot] = -spin.x
    x_new[N + U.foot1_ydot] = spin.y * math.cos(roll) + spin.z * math.sin(roll)
    for i in range(N_JOINTS):
        joint = i if i < LEG else 2 * LEG - 1 - i
        sign = -1.0 if joint in JOINT_Y else 1.0
        other = 2 * FIRST_JOINT + N_JOINTS - 1 - (FIRST_JOINT + i)
        x_new[FIRST_JOINT + i] = sign * old[other]
        x_new[N + FIRST_JOINT + i] = sign * old[N + other]


def complete(x_new, p, chart):
    """Let the dependent speeds follow from the others: what integration has left of A u is taken away."""
    motion, data, rows, work, zeros = scratch(MOTION), scratch(DATA), scratch(ROWS), scratch(WORK), scratch(FORCES)
    describe(data, build_of(p))
    u = part(x_new, N, N)
    kinematics(motion, TREE, data, x_new, u)
    write_rows(rows, motion, chart, p[P.stature])
    for i in range(FORCES):
        zeros[i] = 0.0
    complete_speeds(u, rows, zeros, partition_of(chart), work)


def examine(instant, crossed, moved):
    """Examine all limits: beyond one, the run ends, or a warning begins. Limits of feet that have moved are new.

    Returns
    -------
    int
        Bit 0 for foot 1 and bit 1 for foot 2, if the ground would have to pull at it and it shall leave then.
    """
    x_new, p, chart = instant.x, instant.p, instant.chart
    limits, motion = scratch(N_LIMITS), scratch(MOTION)
    pivot = find_limits(limits, motion, instant)
    x_new[S.warned], pulled = 0.0, 0
    for limit in range(N_LIMITS):
        if not concerns(limit, chart) or not ((crossed[limit] and not moved) or limits[limit] < 0.0):
            continue
        if policy_of(p, limit) == WARN:
            x_new[S.warned] += float(1 << limit)
        elif policy_of(p, limit) == RELEASE:
            pulled |= 1 << (limit - B.lift1)
        elif x_new[S.cause] == 0.0:
            x_new[S.cause] = limit + 1.0
    if pivot < SMALLEST_PIVOT:
        x_new[S.cause] = float(NO_RANK)
    return pulled


def initial_chart(x_new, t, x, p, torque, sole_moment, respond):
    """Put the biped in posture, unless that has been done (`posed`), and let the controller begin."""
    if x[S.posed] == 0.0:
        x_new[S.posed] = 1.0 if pose(x_new, p) else 2.0
    foot1 = TOE if p[P.feet] == HINGED or p[P.start_pitch1] > 0.0 else FLAT
    foot2 = HEEL if p[P.feet] == HINGED or p[P.start_pitch2] < 0.0 else FLAT
    push = BEFORE
    if t >= p[P.push_start]:
        push = DURING if t < p[P.push_start] + p[P.push_duration] else AFTER
    raised1, raised2 = int(p[P.start_pitch1] > 0.0), int(p[P.start_pitch2] < 0.0)
    chart = chart_of(Feet(int(p[P.start_mode]), foot1, foot2, raised1, raised2), push)
    if x_new[S.posed] == 1.0:
        complete(x_new, p, chart)
        respond(t, chart & STANCE_BITS)
        examine(Instant(t, x_new, p, chart, torque, sole_moment), scratch(N_LIMITS), True)
    return chart


def validate(t, x, p, chart):
    if x[S.posed] == 2.0:
        return NO_POSTURE
    if x[S.cause] != 0.0:
        return int(x[S.cause])
    warned = int(x[S.warned])
    for limit in range(GROUND_LIMITS):
        if warned >> limit & 1:
            return N_LIMITS + limit + 1
    return 0
