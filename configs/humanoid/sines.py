"""Another impedance: joints follow sines of the cycle."""

import math

from hybridsim import Parameter, Part, Records

NUMBERS = {
    "hip": (0.25, 0.2, 0.95, 800.0, 12.0),
    "knee": (0.5, 0.3, 0.75, 600.0, 10.0),
    "ankle": (0.25, 0.1, 0.75, 400.0, 2.0),
}
WORDS = ("mean", "swing", "peak", "stiffness", "damping")
PARAMETERS = Records(
    *(
        Parameter(f"{joint}_{word}", value)
        for joint in NUMBERS
        for word, value in zip(WORDS, NUMBERS[joint], strict=True)
    )
)
P = PARAMETERS.indices


def target(t, x, p, chart, leg, joint, phase):
    i = 5 * joint
    return p[P.hip_mean + i] + p[P.hip_swing + i] * math.cos(2.0 * math.pi * (phase(t, leg) - p[P.hip_peak + i]))


def torque(t, x, p, chart, leg, joint, angle, speed, phase):
    i = 5 * joint
    error = target(t, x, p, chart, leg, joint, phase) - angle
    return p[P.hip_stiffness + i] * error - p[P.hip_damping + i] * speed


PART = Part("sines", couplings=(torque, target), parameters=PARAMETERS, slot="coman.control")
