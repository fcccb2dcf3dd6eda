"""A quadruped of a URDF that trots in the x-z plane: its motors follow sines, diagonal legs together.

Rotors, stiffness and damping of the motors are those of the Unitree Go1, a robot of 12 kg, in MuJoCo Menagerie.
"""

import math
from pathlib import Path

from hybridsim import Parameter, Records
from hybridsim.contacts import RoundFoot, contact_model
from hybridsim.multibody import load_mechanism

ROBOT = load_mechanism(Path(__file__).with_name("quadruped.urdf"), base="planar")
LEGS = ("front_left", "front_right", "hind_left", "hind_right")
PHASES = (0.0, math.pi, math.pi, 0.0)
FEET = [RoundFoot(leg, f"{leg}_shank", (0.0, 0.0, -0.22), 0.02, friction=1.0) for leg in LEGS]
HIP, KNEE = 0.5, -1.0
PARAMETERS = Records(
    Parameter("stiffness", 100.0, "N m/rad", "of all motors"),
    Parameter("damping", 2.0, "N m s/rad", "of all motors"),
    Parameter("frequency", 2.5, "1/s", "of strides"),
    Parameter("swing", 0.2, "rad", "amplitude of the hips"),
    Parameter("lift", 0.6, "rad", "by which a knee bends while its leg swings forward"),
)
Q, U, P = ROBOT.q.front_left_hip, ROBOT.u.front_left_hipdot, PARAMETERS.indices


def motors(force, t, x, p):
    """Hip and knee of each leg follow their targets; a leg swings forward while its knee is bent."""
    for leg in range(4):
        angle = 2.0 * math.pi * p[P.frequency] * t + PHASES[leg]
        bend = max(math.cos(angle), 0.0) ** 2
        targets = (HIP + p[P.swing] * math.sin(angle) + 0.5 * p[P.lift] * bend, KNEE - p[P.lift] * bend)
        for joint in range(2):
            i = 2 * leg + joint
            force[U + i] += p[P.stiffness] * (targets[joint] - x[Q + i]) - p[P.damping] * x[N + U + i]


N = ROBOT.tree.n_coordinates
POSTURE = {f"{leg}_{joint}": value for leg in LEGS for joint, value in (("hip", HIP), ("knee", KNEE))}
HEIGHT = 0.02 - min(float(ROBOT.position(POSTURE, foot.body, foot.centre)[2]) for foot in FEET)
MODEL = contact_model(
    "quadruped",
    ROBOT,
    FEET,
    forces=motors,
    parameters=PARAMETERS,
    initial={**POSTURE, "base_z": HEIGHT},
    doc="quadruped that trots in the plane by motors that follow sines",
)
