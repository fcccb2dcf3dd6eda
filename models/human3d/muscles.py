"""Torques of joints: what stretched tissue holds, and how much a motor of human strength can give.

A joint's tissue resists at the ends of its range, k1 exp(k2 (q - b)) + k3 exp(k4 (q - a)) - d u, with the numbers that
A. Falisse and others publish with their three-dimensional predictive simulations of walking (J. R. Soc. Interface 16,
20190402, 2019), and the form of F. C. Anderson's thesis (Austin, 1999); those of the hip's rotation are ours. Beyond
exponents of 6 it goes on as a straight line. Motors give peak (1 - u / fastest) in their own direction, as muscles do
less the faster they shorten; peaks and speeds are rounded numbers for a man of 75 kg, from general knowledge. None of
these numbers was looked up again.
"""

import math
from typing import NamedTuple


class Tissue(NamedTuple):
    """Numbers of the formula, of one joint: N m, 1/rad, and rad."""

    k1: float
    k2: float
    b: float
    k3: float
    k4: float
    a: float


class Strength(NamedTuple):
    """Peak torques in the direction of a joint's angle and against it [N m], and the speed where they end [rad/s]."""

    up: float
    down: float
    fastest: float


TISSUES = (
    Tissue(-2.44, 5.05, 1.81, 1.51, -21.88, -0.698),
    Tissue(-0.03, 14.94, 0.5, 0.03, -14.94, -0.5),
    Tissue(-0.03, 14.94, 0.92, 0.03, -14.94, -0.92),
    Tissue(-11.03, 11.33, 2.4, 6.09, -33.94, -0.13),
    Tissue(-2.03, 38.11, 0.52, 0.18, -12.12, -0.74),
    Tissue(-60.21, 16.32, 0.65, 60.21, -16.32, -0.65),
)
STRENGTHS = (
    Strength(150.0, 230.0, 14.0),
    Strength(140.0, 140.0, 10.0),
    Strength(60.0, 60.0, 10.0),
    Strength(120.0, 250.0, 17.0),
    Strength(50.0, 190.0, 11.0),
    Strength(40.0, 40.0, 15.0),
)
"""In the order of a leg's joints. The knee's published angle is extension: here it is flexion."""
LARGEST_EXPONENT = 6.0


def growth(exponent):
    """Return exp(exponent), beyond its limit as the straight line with the same slope there."""
    if exponent < LARGEST_EXPONENT:
        return math.exp(exponent)
    return math.exp(LARGEST_EXPONENT) * (1.0 + exponent - LARGEST_EXPONENT)


def tissue_torque(joint, angle, speed, damping):
    """Return what the tissue of a joint gives [N m]."""
    k1, k2, b, k3, k4, a = TISSUES[joint]
    return k1 * growth(k2 * (angle - b)) + k3 * growth(k4 * (angle - a)) - damping * speed


def motor_torque(joint, wanted, speed, strength):
    """Return what a motor gives of what is wanted [N m]; `strength` is a factor of its peak torques."""
    up, down, fastest = STRENGTHS[joint]
    most = strength * up * max(1.0 - speed / fastest, 0.0)
    least = -strength * down * max(1.0 + speed / fastest, 0.0)
    return min(max(wanted, least), most)
