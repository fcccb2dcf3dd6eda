"""The posture in which a run begins: feet where the parameters put them, trunk upright, mass centre above its place.

Hip, knee and ankle follow from each other: the distance of hip and ankle gives the knee, the direction from hip to
ankle the two angles of the hip, and what is left of the foot's attitude the three angles of the ankle.
"""

import math
from typing import NamedTuple

from hybridsim import scratch
from hybridsim.multibody import Vector, centre_of_mass, kinematics
from hybridsim.multibody.vectors import IDENTITY, UNIT_X, UNIT_Y, after, length_of, minus, plus, turn_about

from .anthropometry import ANKLE_HEIGHT, HEEL_TO_ANKLE, HEEL_TO_TOE, HIP_DISTANCE, SHANK, THIGH
from .body import DATA, MOTION, TREE, N, Q, describe
from .dynamics import build_of
from .records import NO_POSTURE, TOO_LOW, P

ITERATIONS = 60
"""In each one the hips move by as much as the mass centre is off; it follows them by more than a half."""


REACH, STRAIGHT = 1e-9, 1e-6
"""How near the mass centre must come to its place, as part of the stature; how far a knee must be bent [rad]."""


class LegAngles(NamedTuple):
    """Angles of leg 1 [rad]; those of leg 2 in its mirror image."""

    ankle_x: float
    ankle_y: float
    ankle_z: float
    knee: float
    hip_x: float
    hip_y: float


def pose(x_new, p):
    """Write the coordinates of the posture; return 0, or the number of the message that says why there is none."""
    h, half = p[P.stature], 0.5 * p[P.start_width]
    q, u, motion, data = x_new, scratch(N), scratch(MOTION), scratch(DATA)
    for i in range(N):
        u[i] = 0.0
    describe(data, build_of(p))
    pitch1, pitch2 = p[P.start_pitch1], p[P.start_pitch2]
    ankle1 = ankle_at(Vector(0.0, -half, 0.0), (HEEL_TO_ANKLE - HEEL_TO_TOE) * h, ANKLE_HEIGHT * h, pitch1)
    heel2 = Vector(p[P.start_step] - HEEL_TO_TOE * h, half, 0.0)
    ankle2 = ankle_at(heel2, HEEL_TO_ANKLE * h, ANKLE_HEIGHT * h, pitch2)
    lean, slope = p[P.start_height] * math.tan(p[P.slope]), p[P.slope]
    target = Vector(0.5 * p[P.start_step] - HEEL_TO_TOE * h + p[P.start_cop] + lean, 0.0, p[P.start_height])
    hips = target
    q[Q.toe_x], q[Q.toe_y], q[Q.toe_z], q[Q.foot1_x], q[Q.foot1_y] = 0.0, -half, 0.0, 0.0, pitch1
    for _ in range(ITERATIONS):
        side = 0.5 * HIP_DISTANCE * h
        to_ankle1 = in_trunk(minus(ankle1, plus(hips, Vector(0.0, -side, 0.0))), slope)
        to_ankle2 = in_trunk(minus(ankle2, plus(hips, Vector(0.0, side, 0.0))), slope)
        leg1 = leg_angles(to_ankle1, pitch1 - slope, h)
        leg2 = leg_angles(Vector(to_ankle2.x, -to_ankle2.y, to_ankle2.z), pitch2 - slope, h)
        put_legs(q, leg1, leg2)
        kinematics(motion, TREE, data, q, u)
        hips = plus(hips, minus(target, centre_of_mass(motion, TREE, data)))
    if not are_knees_bent(q):
        return NO_POSTURE
    return 0 if length_of(minus(target, centre_of_mass(motion, TREE, data))) < REACH * h else TOO_LOW


def in_trunk(a, slope):
    """Return a vector in the axes of a trunk that is upright on a slope, where it is pitched by the slope."""
    sine, cosine = math.sin(slope), math.cos(slope)
    return Vector(cosine * a.x - sine * a.z, a.y, sine * a.x + cosine * a.z)


def are_knees_bent(q):
    """Return whether both knees are bent: a leg that is too short for its place is straight."""
    return q[Q.knee1] < -STRAIGHT and q[Q.knee2] > STRAIGHT


def ankle_at(point, ahead, above, pitch):
    """Return the ankle of a foot that is pitched about a point of its sole [m]."""
    sine, cosine = math.sin(pitch), math.cos(pitch)
    return plus(point, Vector(ahead * cosine + above * sine, 0.0, above * cosine - ahead * sine))


def leg_angles(to_ankle, pitch, stature):
    """Return the angles of leg 1 under an upright trunk.

    Parameters
    ----------
    to_ankle : Vector
        From the hip to the ankle, in the axes of the trunk [m].
    pitch : float
        Of the foot [rad].
    stature : float
        Of the body [m].

    Returns
    -------
    LegAngles
        The angles; those of a straight leg if it is too short.
    """
    thigh, shank = THIGH.length * stature, SHANK.length * stature
    square = to_ankle.x * to_ankle.x + to_ankle.y * to_ankle.y + to_ankle.z * to_ankle.z
    bend = (square - thigh * thigh - shank * shank) / (2.0 * thigh * shank)
    bend = min(max(bend, -1.0), 1.0)
    knee = -math.acos(bend)
    # From hip to ankle, in the axes of the thigh
    x, z = shank * math.sin(knee), -thigh - shank * bend
    hip_x = math.asin(min(max(to_ankle.y / z, -1.0), 1.0))
    hip_y = math.atan2(to_ankle.z, to_ankle.x) - math.atan2(z * math.cos(hip_x), x)
    shank_axes = turn_about(turn_about(turn_about(IDENTITY, UNIT_Y, -hip_y), UNIT_X, -hip_x), UNIT_Y, -knee)
    seen = after(turn_about(IDENTITY, UNIT_Y, -pitch), shank_axes)
    return LegAngles(
        ankle_x=math.atan2(-seen.z.y, seen.z.z),
        ankle_y=math.asin(seen.z.x),
        ankle_z=math.atan2(-seen.y.x, seen.x.x),
        knee=knee,
        hip_x=hip_x,
        hip_y=hip_y,
    )


def put_legs(q, leg1, leg2):
    """Write the angles of both legs: leg 2 is the mirror image of a leg 1."""
    q[Q.ankle1_x], q[Q.ankle1_y], q[Q.ankle1_z] = leg1.ankle_x, leg1.ankle_y, leg1.ankle_z
    q[Q.knee1], q[Q.hip1_x], q[Q.hip1_y] = leg1.knee, leg1.hip_x, leg1.hip_y
    q[Q.ankle2_x], q[Q.ankle2_y], q[Q.ankle2_z] = leg2.ankle_x, -leg2.ankle_y, leg2.ankle_z
    q[Q.knee2], q[Q.hip2_x], q[Q.hip2_y] = -leg2.knee, leg2.hip_x, -leg2.hip_y
