"""Torques from outside, held until they change: inputs of the 12 motors and of both soles.

With it, `hybridsim linearize` shows how the biped answers to each torque, and a program of the user's can drive it.
"""

from hybridsim import Input, Part, Records
from hybridsim_models.biped.dynamics import LEG_SIZE

from .records import JOINT_NAMES, SIDES

INPUTS = Records(
    *(
        Input(f"motor_{joint}_{side}", 0.0, "N m", "as if its leg were leg 1")
        for side in SIDES
        for joint in JOINT_NAMES
    ),
    *(Input(f"sole_{side}", 0.0, "N m", "moment of the toes against the ground, about y") for side in SIDES),
)
P = INPUTS.indices


def torque(t, x, p, chart, side, joint):
    """Return the torque of a motor [N m]."""
    return p[P.motor_ankle_x_right + LEG_SIZE * side + joint]


def sole_moment(t, x, p, chart, side):
    """Return the moment of the toes of a foot against the ground [N m]."""
    return p[P.sole_right + side]


def command(t, x, p, chart):
    return 0


def keeps_flat(t, x, p, chart):
    return 1.0


def respond(t, x, p, chart, standing):
    return 0.0


def turning(t, x, p, chart, body):
    return 0.0


PART = Part(
    "commanded",
    couplings=(torque, sole_moment, command, keeps_flat, respond, turning),
    inputs=INPUTS,
    slot="biped.control",
    doc="torques set from outside, held between calls",
)
