"""A man of average build, for a stature of 1 m and a mass of 1 kg: masses, lengths and moments of inertia.

P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics 29(9), 1223-1230
(1996), table 4, males: masses as parts of that of the body, places of mass centres and radii of gyration as parts of
the length of the segment. His subjects are 1.741 m tall on average. The height of the ankle, the foot's parts, the
distance of the hips, and where the arms hang are ours.
"""

from typing import NamedTuple

from hybridsim.multibody import Vector

STATURE = 1.741
"""Mean stature of de Leva's males [m]: the lengths below are theirs."""


class Segment(NamedTuple):
    """A rigid part of the body.

    Attributes
    ----------
    mass : float
        Part of the mass of the body.
    length : float
        Part of the stature.
    centre : float
        Distance of the mass centre from the upper end, or from the heel, as part of the stature.
    inertia : Vector
        Principal moments of inertia about the mass centre, x forward, y to the left, z up, as parts of M H^2.
    """

    mass: float
    length: float
    centre: float
    inertia: Vector


def segment(mass, length, centre, gyration):
    """Return a segment from its row of the table: its length in m, `gyration` about x, y and z in lengths."""
    own = length / STATURE
    return Segment(mass, own, centre * own, Vector(*(mass * (radius * own) ** 2 for radius in gyration)))


FOOT = segment(0.0137, 0.2581, 0.4415, (0.124, 0.245, 0.257))
SHANK = segment(0.0433, 0.4403, 0.4395, (0.251, 0.246, 0.102))
THIGH = segment(0.1416, 0.4222, 0.4095, (0.329, 0.329, 0.149))
TRUNK = segment(0.4346, 0.5319, 0.4486, (0.372, 0.347, 0.191))
HEAD = segment(0.0694, 0.2033, 0.5976, (0.362, 0.376, 0.312))
UPPER_ARM = segment(0.0271, 0.2817, 0.5772, (0.285, 0.269, 0.158))
FOREARM = segment(0.0162, 0.2689, 0.4574, (0.276, 0.265, 0.121))
HAND = segment(0.0061, 0.0862, 0.7900, (0.628, 0.513, 0.401))

ANKLE_HEIGHT = 0.039
HIP_HEIGHT = ANKLE_HEIGHT + SHANK.length + THIGH.length
"""Heights as parts of the stature, of a body that stands straight."""
HIP_DISTANCE = 0.17 / 1.75
"""From hip to hip, as part of the stature."""
SHOULDER_HEIGHT, SHOULDER_SIDE = 0.513 / 1.75, 0.191 / 1.75
"""Where the arms hang: above the middle of the hips, and to the side of it, as parts of the stature."""
FOOT_CENTRE_HEIGHT = 0.5 * ANKLE_HEIGHT
"""Height of the foot's mass centre above the sole, as part of the stature."""
HEEL_TO_ANKLE, HEEL_TO_TOE = 0.24 * FOOT.length, 0.73 * FOOT.length
"""From the heel to the ankle, and to the hinge of the toes (the ball of the foot), as parts of the stature."""
SOLE_WIDTH = 0.055
"""Width of the sole, as part of the stature."""


def head_arms_trunk():
    """Return mass, height of the mass centre above the hips, and inertia of head, arms and trunk as one body."""
    pieces = [(TRUNK, 0.0, TRUNK.length - TRUNK.centre), (HEAD, 0.0, 1.0 - HIP_HEIGHT - HEAD.centre)]
    for side in (-SHOULDER_SIDE, SHOULDER_SIDE):
        top = SHOULDER_HEIGHT
        for piece in (UPPER_ARM, FOREARM, HAND):
            pieces.append((piece, side, top - piece.centre))
            top -= piece.length
    mass = sum(piece.mass for piece, _, _ in pieces)
    centre = sum(piece.mass * z for piece, _, z in pieces) / mass
    x = sum(piece.inertia.x + piece.mass * (y * y + (z - centre) ** 2) for piece, y, z in pieces)
    y = sum(piece.inertia.y + piece.mass * (z - centre) ** 2 for piece, _, z in pieces)
    z = sum(piece.inertia.z + piece.mass * side * side for piece, side, _ in pieces)
    return mass, centre, Vector(x, y, z)


HAT_MASS, HAT_CENTRE, HAT_INERTIA = head_arms_trunk()
"""Head, arms and trunk: mass, height of the mass centre above the hips, moments of inertia."""
STRAIGHT_HEIGHT = HAT_MASS * (HIP_HEIGHT + HAT_CENTRE) + 2.0 * (
    FOOT.mass * FOOT_CENTRE_HEIGHT
    + SHANK.mass * (ANKLE_HEIGHT + SHANK.length - SHANK.centre)
    + THIGH.mass * (HIP_HEIGHT - THIGH.centre)
)
"""Height of the mass centre of a body that stands straight, as part of the stature."""
