"""What the muscles of a person can give: peak torques of joints, less while they shorten (parameter `limits: people`).

A motor gives at most its peak, and 1 - w/w_max of it where the joint turns with w in the torque's direction. The
numbers are rounded, for a healthy young man of 73 kg, from general knowledge of the strength of joints (as in D. E.
Anderson, M. L. Madigan and M. A. Nussbaum, J. Biomechanics 40, 3105-3113 (2007)): for orientation, not their data.
"""

from hybridsim_models.biped.body import FIRST_JOINT, N_JOINTS
from hybridsim_models.biped.dynamics import JOINT_Y, LEG_SIZE

UNLIMITED = 1e9
MOST = (40.0, 50.0, UNLIMITED, 250.0, 140.0, 150.0)
LEAST = (40.0, 190.0, UNLIMITED, 120.0, 140.0, 230.0)
"""Peak torques in leg 1 that increase and that decrease an angle [N m]: ankle x, dorsi- and plantar flexion, ankle z
(which holds), extension and flexion of the knee, hip x, flexion and extension of the hip."""
FASTEST = (15.0, 11.0, UNLIMITED, 17.0, 10.0, 14.0)
"""Rates at which nothing is left [rad/s]."""
LEAST_PART = 1e-3
"""Of a peak, that is left at these rates."""


MOST_FRICTION = 0.5
"""Of the standing foot, that a swinging leg may use."""


def limit_torques(torques, u):
    """Clip the torques of the motors, in the order of the speeds u; return the largest part asked of a limit."""
    use = 0.0
    for i in range(N_JOINTS):
        limit = limit_of(i, torques[i], u)
        use = max(use, abs(torques[i]) / limit)
        torques[i] = min(max(torques[i], -limit), limit)
    return use


def limit_of(i, torque, u):
    """Return the largest torque that a motor, by its number among the 12, can give in the direction of this one."""
    joint = i if i < LEG_SIZE else 2 * LEG_SIZE - 1 - i
    turned = -1.0 if i >= LEG_SIZE and joint in JOINT_Y else 1.0
    sign = turned if torque > 0.0 else -turned
    peak = MOST[joint] if sign > 0.0 else LEAST[joint]
    return peak * min(max(1.0 - sign * turned * u[FIRST_JOINT + i] / FASTEST[joint], LEAST_PART), 1.0)


def part_within(slow, quick, u, slow_use, quick_use):
    """Return how much of a motion can be had, in tenths: 0, the torques `slow`, to 1, `quick`.

    It keeps motors within their limits, and the friction that the standing foot uses below MOST_FRICTION, if it can.
    """
    for tenth in range(10):
        part = 1.0 - 0.1 * tenth
        fits = slow_use + part * (quick_use - slow_use) < MOST_FRICTION
        for i in range(N_JOINTS):
            torque = slow[i] + part * (quick[i] - slow[i])
            fits = fits and abs(torque) <= limit_of(i, torque, u)
        if fits:
            return part
    return 0.0
