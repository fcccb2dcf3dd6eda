"""The wrenches of the ground on both feet, against the rate of the momentum of seven bodies placed by plain matrices.

Nothing here uses the multibody kernel: rotations are matrices, velocities complex steps, rates of momentum differences.
"""

import numpy as np
import pytest

from hybridsim_models.biped import anthropometry as table
from hybridsim_models.biped.body import MOTION
from hybridsim_models.biped.contacts import FOOT2_ROLL, N_GROUND
from hybridsim_models.biped.dynamics import N_REACTIONS
from hybridsim_models.biped.limits import find_limits
from hybridsim_models.biped.records import FLAT, HEEL, N_LIMITS, TOE, B, P, is_turned

from .biped_states import STANCES, accelerate, outputs_of, random_moving, stance_name

STEP = 2e-5
"""Of the differences [s]; their error is of fourth order."""
AXES = ("zxy", "xyz", "y", "xy", "yx", "y", "zyx")
"""Of the joints, from each body before to the next; the angle about z of foot 1 is missing, and zero."""


def rotation(axis, angle):
    """The matrix of a rotation about an axis."""
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3, dtype=np.result_type(angle, float))
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[i, j], matrix[j, i] = -np.sin(angle), np.sin(angle)
    return matrix


def bodies(p):
    """Of each body: mass, inertia, mass centre, and the next joint, in its frame, whose origin is its first joint."""
    m, h = p[P.mass], p[P.stature]
    foot, shank, thigh = table.FOOT, table.SHANK, table.THIGH
    trunk = table.Segment(table.HAT_MASS * p[P.hat_factor], 0.0, 0.0, table.HAT_INERTIA)
    up, ankle, hips = table.FOOT_CENTRE_HEIGHT, table.ANKLE_HEIGHT, table.HIP_DISTANCE
    toe_to_ankle = table.HEEL_TO_ANKLE - table.HEEL_TO_TOE
    given = (
        (foot, (foot.centre - table.HEEL_TO_TOE, 0, up), (toe_to_ankle, 0, ankle)),
        (shank, (0, 0, shank.length - shank.centre), (0, 0, shank.length)),
        (thigh, (0, 0, thigh.length - thigh.centre), (0, 0, thigh.length)),
        (trunk, (0, hips / 2, table.HAT_CENTRE + p[P.hat_shift] / h), (0, hips, 0)),
        (thigh, (0, 0, -thigh.centre), (0, 0, -thigh.length)),
        (shank, (0, 0, -shank.centre), (0, 0, -shank.length)),
        (foot, (foot.centre - table.HEEL_TO_ANKLE, 0, up - ankle), (0, 0, 0)),
    )
    turning = m * h * h * p[P.inertia_factor]
    return [(m * s.mass, turning * np.diag(s.inertia), h * np.array(c), h * np.array(n)) for s, c, n in given]


def placed(p, q):
    """Origins and rotations of the bodies where the coordinates are q."""
    place, axes_of = q[:3], np.eye(3)
    angles, found = iter([0.0, *q[3:]]), []
    for (*_, onward), axes in zip(bodies(p), AXES, strict=True):
        for axis in axes:
            axes_of = axes_of @ rotation(axis, next(angles))
        found.append((place, axes_of))
        place = place + axes_of @ onward
    return found


def momenta(p, q, u):
    """Momentum, and angular momentum about the origin of the world."""
    total, turning = np.zeros(3), np.zeros(3)
    for (mass, inertia, centre, _), (place, rotation) in zip(bodies(p), placed(p, q + 1e-30j * u), strict=True):
        at, axes = place + rotation @ centre, rotation.real
        velocity, rates = at.imag / 1e-30, rotation.imag @ axes.T / 1e-30
        spin = np.array([rates[2, 1], rates[0, 2], rates[1, 0]])
        total += mass * velocity
        turning += mass * np.cross(at.real, velocity) + axes @ inertia @ axes.T @ spin
    return np.concatenate([total, turning])


def rate_of_momenta(moving, udot):
    """The rates of both along the motion."""
    rates = 0.0
    for k, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
        s = k * STEP
        rates = rates + weight * momenta(moving.p, moving.q + s * moving.u + 0.5 * s * s * udot, moving.u + s * udot)
    return rates / (12.0 * STEP)


def about_origin(force, place, moment=(0.0, 0.0, 0.0)):
    """Force and moment about the origin of the world."""
    return np.concatenate([force, np.asarray(moment) + np.cross(place, force)])


def points_of(moving):
    """Where the points of both feet are: (toe 1, heel 1), (toe 2, heel 2)."""
    h, found = moving.p[P.stature], placed(moving.p, moving.q)
    sole = h * table.HEEL_TO_TOE * np.array([1.0, 0.0, 0.0])
    heel_of_2 = h * np.array([-table.HEEL_TO_ANKLE, 0.0, -table.ANKLE_HEIGHT])
    toe1, axes1 = found[0]
    ankle2, axes2 = found[6]
    heel2 = ankle2 + axes2 @ heel_of_2
    return (toe1, toe1 - axes1 @ sole), (heel2 + axes2 @ sole, heel2)


def weights_and_pushes(moving, mirror):
    """What acts from outside besides the ground."""
    p, total = moving.p, np.zeros(6)
    for (mass, _, centre, _), (place, rotation) in zip(bodies(p), placed(p, moving.q), strict=True):
        total += about_origin(np.array([0.0, 0.0, -mass * p[P.g]]), place + rotation @ centre)
    push = p[P.force_x : P.force_z + 1] + (moving.chart >> 5 & 3 == 1) * p[P.push_x : P.push_z + 1]
    (_, _, centre, _), (place, rotation) = bodies(p)[3], placed(p, moving.q)[3]
    return total + about_origin(push * (1.0, mirror, 1.0), place + rotation @ centre)


def reported(y, foot, mirror):
    """The wrench on a foot as the outputs have it, in the frame of the mode: force, and moments about x and y."""
    force = np.array([y[f"fx{foot}"], mirror * y[f"fy{foot}"], y[f"fz{foot}"]])
    return force, np.array([mirror * y[f"tx{foot}"], y[f"ty{foot}"]])


def moved(moving, shift):
    """The same biped elsewhere on the ground."""
    x = moving.x.copy()
    x[:2] += shift
    return moving._replace(x=x)


def ahead_of_foot2(moving):
    """Along the ground, straight to the front of foot 2 once it may have a yaw; else along x."""
    if not is_turned(moving.chart):
        return np.array([1.0, 0.0])
    across = placed(moving.p, moving.q)[6][1][:2, 1]
    return np.array([across[1], -across[0]]) / np.linalg.norm(across)


def excess(moving):
    """What the reported wrenches lack for Newton's and Euler's laws, and the largest component of what they balance."""
    mirror = 1.0 - 2.0 * (moving.chart & 1)
    udot, forces, _ = accelerate(moving)
    y = outputs_of(moving)
    (toe1, _), (toe2, heel2) = points_of(moving)
    feet = moving.chart >> 1 & 3, moving.chart >> 3 & 3
    known = weights_and_pushes(moving, mirror)
    if feet[0]:
        force, moment = reported(y, 1, mirror)
        known = known + about_origin(force, toe1, [*moment, mirror * y["tz1"]])
    if feet[1]:
        # the ground gives foot 2 no yaw moment about the point at which it holds it
        force, moment = reported(y, 2, mirror)
        held = toe2 if feet[1] == TOE else heel2
        known = known + about_origin(force, heel2, [*moment, np.cross(held - heel2, force)[2]])
    if moving.p[P.held] == 1.0:  # by nature
        roll = forces[FOOT2_ROLL] * ahead_of_foot2(moving) if not feet[1] else np.zeros(2)
        known = known + np.array([0.0, 0.0, 0.0, *roll, forces[N_GROUND] + forces[N_GROUND + 1]])
    rates = rate_of_momenta(moving, udot)
    return rates - known, np.abs(rates).max()


STANDING = [each for each in STANCES if each[0]] + [(FLAT, TOE), (HEEL, TOE), (HEEL, HEEL), (HEEL, FLAT)]


@pytest.mark.members(4)
@pytest.mark.parametrize("turned", [0, 1])
@pytest.mark.parametrize("held", ["joints", "ideal"])
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", STANDING, ids=stance_name)
def test_wrenches_of_the_ground_and_what_is_known_make_the_rate_of_momentum(stance, mode, held, turned):
    for seed in range(3):
        lacks, size = excess(random_moving(seed, stance, mode, held, turned=turned))
        np.testing.assert_allclose(lacks, 0.0, rtol=0, atol=2e-8 * size)


@pytest.mark.members(2)
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", [(FLAT, TOE), (TOE, TOE), (HEEL, TOE)], ids=stance_name)
def test_they_do_so_where_feet_slip_and_elsewhere_in_place_and_time(stance, mode):
    for slipping in ((0, 2), (2, 0), (2, 2)):
        moving = random_moving(4, stance, mode, "joints", slipping, friction=0.4)
        lacks, size = excess(moving)
        np.testing.assert_allclose(lacks, 0.0, rtol=0, atol=2e-8 * size)
        far = moved(moving, (30.0, -70.0))._replace(t=1e9)
        assert outputs_of(far)["tz1"] == pytest.approx(outputs_of(moving)["tz1"], rel=1e-9, abs=1e-9 * size)


@pytest.mark.members(6)
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", STANDING, ids=stance_name)
def test_friction_resists_the_yaw_moment_about_the_point_that_the_ground_holds(stance, mode):
    moving = random_moving(5, stance, mode)
    p, y, limits = moving.p, outputs_of(moving), np.zeros(N_LIMITS)
    find_limits(limits, np.zeros(N_REACTIONS), np.zeros(MOTION), moving.instant)
    mirror = 1.0 - 2.0 * mode
    force, _ = reported(y, 1, mirror)
    (toe1, heel1), _ = points_of(moving)
    held = heel1 if stance[0] == HEEL else toe1
    yaw = mirror * y["tz1"] - np.cross(held - toe1, force)[2]
    most = p[P.friction] * p[P.twist_radius] * (y["fz1"] + y["fz2"])
    expected = (most**2 - yaw**2) / (p[P.mass] * p[P.g] * p[P.stature])
    assert limits[B.twist1] == pytest.approx(expected, rel=1e-9, abs=1e-9)
