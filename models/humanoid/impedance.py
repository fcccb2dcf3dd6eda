"""Impedance of joints: torque = stiffness (target - angle) - damping speed, with targets that are curves of a cycle.

J. van den Kieboom, thesis 6244, EPFL 2014, chapter 4: `const` has one stiffness and damping
for each joint; `step` has two of both, the first between two phases of the cycle; `ppoly` has curves of them, too. Both
legs have the same numbers, half a cycle apart. A user's part needs the functions `torque` and `target`.
"""

from hybridsim import Boundary, Parameter, Part, Records

from .curve import curve_at
from .winter import FIT

JOINTS, LEGS = ("hip", "knee", "ankle"), ("left", "right")
POINTS = 4
STIFFNESS = {"hip": 700.0, "knee": 600.0, "ankle": 400.0}
DAMPING = {"hip": 16.0, "knee": 14.0, "ankle": 2.0}


def curve_parameters(name, shares, values, unit, doc):
    """Return the parameters of a curve: its shares, and its values at the points."""
    return (
        Parameter(f"{name}_shares", shares, "", "of the cycle, between the points of its curve", lower=1e-3),
        Parameter(f"{name}_{doc}", values, unit, "at the points of its curve"),
    )


def target_parameters(joint):
    """Return the parameters of the curve that a joint follows."""
    return curve_parameters(joint, *FIT[joint], "rad", "angles")


def stiffness_parameters(joint, number=""):
    """Return stiffness and damping of a joint."""
    return (
        Parameter(f"{joint}_stiffness{number}", STIFFNESS[joint], "N m/rad", lower=0.0),
        Parameter(f"{joint}_damping{number}", DAMPING[joint], "N m s/rad", lower=0.0),
    )


CONST_PARAMETERS = Records(
    *(each for joint in JOINTS for each in (*target_parameters(joint), *stiffness_parameters(joint)))
)
C = CONST_PARAMETERS.indices
OF_JOINT = len(CONST_PARAMETERS) // len(JOINTS)


def const_target(t, x, p, chart, leg, joint, phase):
    own = OF_JOINT * joint
    return curve_at(phase(t, leg), p, int(p[C.hip_shares + own]), int(p[C.hip_angles + own]), POINTS)


def const_torque(t, x, p, chart, leg, joint, angle, speed, phase):
    own = OF_JOINT * joint
    target = curve_at(phase(t, leg), p, int(p[C.hip_shares + own]), int(p[C.hip_angles + own]), POINTS)
    return p[C.hip_stiffness + own] * (target - angle) - p[C.hip_damping + own] * speed


CONST = Part(
    "const",
    couplings={"torque": const_torque, "target": const_target},
    parameters=CONST_PARAMETERS,
    doc="one stiffness and damping for each joint",
)

STEP_PARAMETERS = Records(
    *(
        each
        for joint in JOINTS
        for each in (
            *target_parameters(joint),
            *stiffness_parameters(joint),
            *stiffness_parameters(joint, "_2"),
            Parameter(f"{joint}_begin", 0.0, "", "phase from which on the first of both act", lower=0.0, upper=1.0),
            Parameter(
                f"{joint}_end", 0.5, "", "phase up to which they act; never, if it is not later", lower=0.0, upper=1.0
            ),
        )
    )
)
STEP_BOUNDARIES = Records(
    *(Boundary(f"{leg}_{joint}_step", "its impedance changes", "s", time=True) for leg in LEGS for joint in JOINTS)
)
Q, OF_STEP = STEP_PARAMETERS.indices, len(STEP_PARAMETERS) // len(JOINTS)
PER_LEG = len(JOINTS)
N_WINDOWS = len(LEGS) * PER_LEG


def step_target(t, x, p, chart, leg, joint, phase):
    own = OF_STEP * joint
    return curve_at(phase(t, leg), p, int(p[Q.hip_shares + own]), int(p[Q.hip_angles + own]), POINTS)


def step_torque(t, x, p, chart, leg, joint, angle, speed, phase):
    own = OF_STEP * joint
    target = curve_at(phase(t, leg), p, int(p[Q.hip_shares + own]), int(p[Q.hip_angles + own]), POINTS)
    if chart >> (PER_LEG * leg + joint) & 1:
        return p[Q.hip_stiffness + own] * (target - angle) - p[Q.hip_damping + own] * speed
    return p[Q.hip_stiffness_2 + own] * (target - angle) - p[Q.hip_damping_2 + own] * speed


def step_boundaries(g, t, x, p, chart, wait):
    for window in range(N_WINDOWS):
        leg, own = window // PER_LEG, OF_STEP * (window % PER_LEG)
        begin, end = p[Q.hip_begin + own], p[Q.hip_end + own]
        if begin < end:
            g[window] = wait(t, leg, end if chart >> window & 1 else begin)


def step_transition(x_new, t, x, p, chart, crossed):
    new = chart
    for window in range(N_WINDOWS):
        if crossed[window]:
            new ^= 1 << window
    return new


def step_begin(x_new, t, x, p, phase):
    chart = 0
    for window in range(N_WINDOWS):
        leg, own = window // PER_LEG, OF_STEP * (window % PER_LEG)
        if p[Q.hip_begin + own] <= phase(t, leg) < p[Q.hip_end + own]:
            chart |= 1 << window
    return chart


STEP = Part(
    "step",
    couplings={"torque": step_torque, "target": step_target},
    boundaries=step_boundaries,
    transition=step_transition,
    initial_chart=step_begin,
    parameters=STEP_PARAMETERS,
    boundary_records=STEP_BOUNDARIES,
    chart_fields={"stiff": N_WINDOWS},
    doc="two of both, the first between two phases of the cycle",
)

PPOLY_PARAMETERS = Records(
    *(
        each
        for joint in JOINTS
        for each in (
            *target_parameters(joint),
            *curve_parameters(f"{joint}_stiffness", (0.2,) * 5, (STIFFNESS[joint],) * 4, "N m/rad", "values"),
            *curve_parameters(f"{joint}_damping", (0.2,) * 5, (DAMPING[joint],) * 4, "N m s/rad", "values"),
        )
    )
)
R, OF_PPOLY = PPOLY_PARAMETERS.indices, len(PPOLY_PARAMETERS) // PER_LEG


def ppoly_target(t, x, p, chart, leg, joint, phase):
    own = OF_PPOLY * joint
    return curve_at(phase(t, leg), p, int(p[R.hip_shares + own]), int(p[R.hip_angles + own]), POINTS)


def ppoly_torque(t, x, p, chart, leg, joint, angle, speed, phase):
    own, s = OF_PPOLY * joint, phase(t, leg)
    target = curve_at(s, p, int(p[R.hip_shares + own]), int(p[R.hip_angles + own]), POINTS)
    k = curve_at(s, p, int(p[R.hip_stiffness_shares + own]), int(p[R.hip_stiffness_values + own]), POINTS)
    b = curve_at(s, p, int(p[R.hip_damping_shares + own]), int(p[R.hip_damping_values + own]), POINTS)
    return k * (target - angle) - b * speed


PPOLY = Part(
    "ppoly",
    couplings={"torque": ppoly_torque, "target": ppoly_target},
    parameters=PPOLY_PARAMETERS,
    doc="curves of stiffness and damping",
)
