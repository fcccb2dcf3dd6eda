"""No control: all motors are off. The biped collapses."""

from hybridsim import Part


def torque(t, x, p, chart, side, joint):
    return 0.0


def sole_moment(t, x, p, chart, side):
    return 0.0


def command(t, x, p, chart):
    return 0


def keeps_flat(t, x, p, chart):
    return 1.0


def respond(t, x, p, chart, standing):
    return 0.0


def turning(t, x, p, chart, body):
    return 0.0


PART = Part(
    "passive",
    couplings=(torque, sole_moment, command, keeps_flat, respond, turning),
    slot="biped.control",
    doc="no control: all motors are off",
)
