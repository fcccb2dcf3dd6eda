"""Impacts of feet that reach the ground, the exchange of the feet, and the speeds that follow from others.

An impact is plastic and holds all that lands. Its constraints are ideal: motors give no impulse, so that what joints
hold otherwise is here held by nature, and no energy is gained.
"""

import math

from hybridsim import scratch, subarray
from hybridsim.multibody import (
    Vector,
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
from hybridsim.multibody.vectors import dot

from .body import (
    DATA,
    FIRST_JOINT,
    MASSES,
    MOTION,
    N_JOINTS,
    TREE,
    WORK,
    F,
    N,
    Q,
    U,
    describe,
    heel1,
    heel2,
    toe1,
    toe2,
)
from .contacts import (
    FZ,
    N_WRENCH,
    ROWS_SIZE,
    TX,
    across_of,
    ahead_of,
    collect,
    count_held_rows,
    ground_rows,
    partition_of,
    pitch_about,
    write_rows,
)
from .dynamics import JOINT_Y, LEG_SIZE, N_REACTIONS, build_of
from .limits import CLEAR_HEIGHT, GIVE_WAY, HINGED, give_way
from .records import FLAT, HEEL, TOE, B, Feet, Foot, P, S, chart_of, foot2_of, is_turned, on_ground, slips

STATE_SIZE = 2 * N
"""Coordinates and speeds."""
LEFT_OF_ANGLES = 1e-6
"""The most that integration leaves of an angle that is held [rad]; after a flight a foot may be rolled by more."""


def land(x_new, t, p, feet, crossed, keeps_flat):
    """Let the points that have reached the ground land, in a plastic impact."""
    landed1 = contact_of_landing(crossed[B.toe1_down], crossed[B.heel1_down], p, TOE)
    landed2 = contact_of_landing(crossed[B.toe2_down], crossed[B.heel2_down], p, HEEL)
    if not (landed1 or landed2):
        return feet
    foot1 = Foot(feet.foot1.contact | landed1, feet.foot1.clear, feet.foot1.slips)
    # At a step, the heel of foot 1 leaves the ground as that of foot 2 reaches it, unless the biped wants to stop.
    steps = not on_ground(feet.foot2.contact) and on_ground(landed2)
    if steps and foot1.contact == FLAT and keeps_flat(t) == 0.0:
        foot1 = Foot(TOE, 0, foot1.slips)
    foot2 = Foot(feet.foot2.contact | landed2, feet.foot2.clear, feet.foot2.slips)
    return strike(x_new, p, feet, Feet(feet.mode, foot1, foot2, feet.turned))


def strike(x_new, p, before, after):
    """Make the impact; if the ground would have to pull at a foot that stood, and feet can leave, without that foot.

    A foot that would come down again before it is clear of the ground stays: its pull is within what the model tells
    apart, and the other foot would for a moment carry all weight.
    """
    speeds, loss = scratch(N), x_new[S.impact_loss]
    for i in range(N):
        speeds[i] = x_new[N + i]
    collide(x_new, p, after)
    released = without_pulled(x_new, before, after)
    if p[P.on_lift] != GIVE_WAY or released == after:
        return after
    again(x_new, p, speeds, loss, released)
    if rises(x_new, p, before, released):
        return released
    again(x_new, p, speeds, loss, after)
    return after


def again(x_new, p, speeds, loss, feet):
    """Make an impact anew, from the speeds and the loss before it."""
    for i in range(N):
        x_new[N + i] = speeds[i]
    x_new[S.impact_loss] = loss
    collide(x_new, p, feet)


def without_pulled(x_new, before, after):
    """Return the feet after an impact; if the ground would have to pull at one that stood, without that one."""
    if only_stands(before.foot1, after.foot1) and x_new[S.impulse1_z] < 0.0:
        return give_way(after, B.lift1)
    if only_stands(before.foot2, after.foot2) and x_new[S.impulse2_z] < 0.0:
        return give_way(after, B.lift2)
    return after


def rises(x_new, p, before, after):
    """Return whether a foot that an impact has released gets clear of the ground, thrown up with the speed it has."""
    h, motion, data, slowest = p[P.stature], scratch(MOTION), scratch(DATA), math.inf
    describe(data, build_of(p))
    kinematics(motion, TREE, data, x_new, subarray(x_new, N, N))
    if not on_ground(after.foot1.contact):
        slowest = rising_speed(motion, before.foot1.contact, F.foot1, toe1(h), heel1(h))
    if not on_ground(after.foot2.contact):
        slowest = min(slowest, rising_speed(motion, before.foot2.contact, F.foot2, toe2(h), heel2(h)))
    return slowest > math.sqrt(2.0 * p[P.g] * CLEAR_HEIGHT)


def rising_speed(motion, contact, frame, toe, heel):
    """Return how fast the slower of the points rises at which a foot stood [m/s], inf if none stood."""
    speed = math.inf
    if contact & TOE:
        speed = min(speed, velocity_of(motion, frame, toe).z)
    if contact & HEEL:
        speed = min(speed, velocity_of(motion, frame, heel).z)
    return speed


def only_stands(before, after):
    """Return whether a foot was on the ground and no other point of it lands."""
    return on_ground(before.contact) and after.contact | before.contact == before.contact


def contact_of_landing(toe, heel, p, hinge):
    """Return what of a foot has landed: of a hinged foot, its hinge."""
    if toe and heel:
        return hinge if p[P.feet] == HINGED else FLAT
    if toe:
        return TOE
    return HEEL if heel else 0


def collide(x_new, p, feet):
    """Find the speeds after an impact that makes the constraints of these feet hold, with its loss and impulses."""
    chart = chart_of(feet, 0)
    motion, data, mass, after = scratch(MOTION), scratch(DATA), scratch(MASSES), scratch(N)
    rows, work, reactions, impulses = scratch(ROWS_SIZE), scratch(WORK), scratch(N_REACTIONS), scratch(N_REACTIONS)
    before = subarray(x_new, N, N)
    describe(data, build_of(p))
    kinematics(motion, TREE, data, x_new, before)
    mass_matrix(mass, motion, TREE, data)
    write_rows(rows, motion, chart, p[P.stature])
    for i in range(ground_rows(chart) + count_held_rows(chart)):
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


def exchange(x_new, p, feet):
    """Exchange the names of the feet: the same motion, seen in a mirror, with foot 2 as foot 1.

    Angles about x and z change their limb and keep their sign; those about y change both. The frame turns with the
    feet: foot 1 has no yaw in it. What integration has left of a yaw is dropped in a biped that has not begun to turn.
    """
    h = p[P.stature]
    x_new[S.ground1], x_new[S.ground2] = x_new[S.ground2], x_new[S.ground1]
    x_new[S.ground_ahead] = x_new[S.ground2]
    motion, data, old = scratch(MOTION), scratch(DATA), scratch(STATE_SIZE)
    for i in range(2 * N):
        old[i] = x_new[i]
    describe(data, build_of(p))
    kinematics(motion, TREE, data, old, subarray(old, N, N))
    ahead, toe = ahead_of(motion, chart_of(feet, 0), 1), point_of(motion, F.foot2, toe2(h))
    if feet.turned:
        toe = turn_frame(x_new, toe, old[Q.toe_x], ahead, 1.0 - 2.0 * feet.mode)
    velocity = along(velocity_of(motion, F.foot2, toe2(h)), ahead)
    slip = along(Vector(x_new[S.slip2_x], x_new[S.slip2_y], 0.0), ahead)
    axes, spin = rotation_of(motion, F.foot2), along(spin_of(motion, F.foot2), ahead)
    roll, pitch = math.atan2(axes.y.z, dot(axes.y, across_of(ahead))), pitch_about(motion, F.foot2, ahead)
    x_new[S.slip1_x], x_new[S.slip1_y] = slip.x, -slip.y
    x_new[Q.toe_x], x_new[Q.toe_y], x_new[Q.toe_z] = toe.x, -toe.y, toe.z
    x_new[Q.foot1_x], x_new[Q.foot1_y] = -roll, pitch
    x_new[N + U.toe_xdot], x_new[N + U.toe_ydot], x_new[N + U.toe_zdot] = velocity.x, -velocity.y, velocity.z
    x_new[N + U.foot1_xdot] = -spin.x
    x_new[N + U.foot1_ydot] = spin.y * math.cos(roll) + spin.z * math.sin(roll)
    for i in range(N_JOINTS):
        joint = i if i < LEG_SIZE else 2 * LEG_SIZE - 1 - i
        sign = -1.0 if joint in JOINT_Y else 1.0
        other = 2 * FIRST_JOINT + N_JOINTS - 1 - (FIRST_JOINT + i)
        x_new[FIRST_JOINT + i] = sign * old[other]
        x_new[N + FIRST_JOINT + i] = sign * old[N + other]


def along(a, ahead):
    """Return the components of a vector along axes that are turned about z: ahead, across, up."""
    return Vector(dot(a, ahead), dot(a, across_of(ahead)), a.z)


def turn_frame(x_new, toe, toe1_x, ahead, mirror):
    """Turn the biped's own frame so that its x axis points ahead, along foot 2; return the toe of foot 2 in it.

    Feet stand beside the corners of a polygon, straight across from them, and point halfway between its sides. So the
    corner beside foot 1 is on the x axis, and the next one lies in the direction of half the angle: it becomes the
    origin, so that a walk on a circle returns in its own frame.
    """
    yaw, old = math.atan2(ahead.y, ahead.x), x_new[S.heading]
    across = toe.y - math.tan(0.5 * yaw) * (toe.x - toe1_x)
    x, y = toe.x + across * ahead.y, mirror * (toe.y - across * ahead.x)
    x_new[S.heading] = old + mirror * yaw
    x_new[S.origin_x] += x * math.cos(old) - y * math.sin(old)
    x_new[S.origin_y] += x * math.sin(old) + y * math.cos(old)
    return Vector(0.0, across, toe.z)


def complete(x_new, p, chart):
    """Let the dependent speeds follow from the others: what integration has left of A u is taken away.

    A biped that turns keeps the rates with which trunk and foot 2 do.
    """
    motion, data, rows = scratch(MOTION), scratch(DATA), scratch(ROWS_SIZE)
    work, values = scratch(WORK), scratch(N_REACTIONS)
    describe(data, build_of(p))
    u = subarray(x_new, N, N)
    kinematics(motion, TREE, data, x_new, u)
    write_rows(rows, motion, chart, p[P.stature])
    for i in range(N_REACTIONS):
        values[i] = 0.0
    if is_turned(chart) and not on_ground(foot2_of(chart)):
        values[ground_rows(chart)] = spin_of(motion, F.hat).z
        values[ground_rows(chart) + 1] = spin_of(motion, F.foot2).z
    complete_speeds(u, rows, values, partition_of(chart), work)


def straighten(x_new, p, chart):
    """Let feet be level and straight of which the first stands: what integration has left of such angles is taken away.

    Rows keep rates only: a foot that is rolled by 1e-12 would stay so for ever, and a walk be no isolated orbit. The
    yaw of the trunk is no such angle: where it rolls and pitches it yaws, with a rate about z that is held at 0.
    """
    motion, data, rows, work = scratch(MOTION), scratch(DATA), scratch(ROWS_SIZE), scratch(WORK)
    off, change, yaw, roll = scratch(N_REACTIONS), scratch(N), ground_rows(chart) + 1, ground_rows(chart) + 2
    describe(data, build_of(p))
    kinematics(motion, TREE, data, x_new, subarray(x_new, N, N))
    write_rows(rows, motion, chart, p[P.stature])
    for i in range(N_REACTIONS):
        off[i] = 0.0
    for i in range(N):
        change[i] = 0.0
    across1, across2 = rotation_of(motion, F.foot1).y, rotation_of(motion, F.foot2).y
    yawed = 0.0 if is_turned(chart) else across2.x  # the controller turns foot 2 in a biped that turns
    if max(abs(across1.z), abs(across2.z), abs(yawed)) > LEFT_OF_ANGLES:
        return
    off[1 if slips(chart, 0) else TX], off[yaw], off[roll] = -across1.z, yawed, -across2.z
    complete_speeds(change, rows, off, partition_of(chart), work)
    for i in range(N):
        x_new[i] += change[i]
