"""Another impedance: joints follow sines of the cycle."""

import math

from hybridsim import Parameter, Part, Records

MEAN, SWING, PEAK = (0.25, 0.5, 0.25), (0.2, 0.3, 0.1), (0.95, 0.75, 0.75)  # of hip, knee and ankle
PARAMETERS = Records(Parameter("stiffness", 600.0, "N m/rad"), Parameter("damping", 4.0, "N m s/rad"))
P = PARAMETERS.indices


def target(t, x, p, chart, leg, joint, phase):
    return MEAN[joint] + SWING[joint] * math.cos(2.0 * math.pi * (phase(t, leg) - PEAK[joint]))


def torque(t, x, p, chart, leg, joint, angle, speed, phase):
    return p[P.stiffness] * (target(t, x, p, chart, leg, joint, phase) - angle) - p[P.damping] * speed


PART = Part("sines", couplings=(torque, target), parameters=PARAMETERS, slot="coman.control")
