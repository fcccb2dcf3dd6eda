"""A central pattern generator: six coupled oscillators in place of a clock, and a PD controller at each hip.

Each leg has a phase; neighbours, along a side and across the body, pull each other towards the lags of a gait.
`footfall` is an input: changed while the robot walks, the legs slide over from one gait into the other. The hip angle
follows the phase by a map of the circle that is slow about phi_o and fast through the rest, smooth everywhere, and that
sweeps phi_s within t_s of a period t_c at rest. With `load_feedback`, a leg that bears load stays in stance for longer,
and one that is about to stand waits for the ground (Righetti and Ijspeert 2008).
"""

import dataclasses
import math

import numpy as np

from hybridsim import Input, Message, Parameter, State
from hybridsim.networks import Edge, Edges, Node, Nodes, Sine, network

from .open_loop import angle_error
from .records import N_LEGS

FOOTFALLS = {
    "tripod": (0.0, 0.5, 0.0, 0.5, 0.0, 0.5),
    "wave": (0.0, 1.0 / 6.0, 2.0 / 6.0, 0.5, 4.0 / 6.0, 5.0 / 6.0),
    "ripple": (0.0, 1.0 / 3.0, 2.0 / 3.0, 0.5, 5.0 / 6.0, 1.0 / 6.0),
}
"""By how much each leg is behind [turns]: 0-2 on the right, 3-5 on the left, from rear to front."""

NEIGHBOURS = ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5))
SOURCES = np.array([pair[0] for pair in NEIGHBOURS] + [pair[1] for pair in NEIGHBOURS])
TARGETS = np.array([pair[1] for pair in NEIGHBOURS] + [pair[0] for pair in NEIGHBOURS])
SHARPNESS = 8
"""Exponent of the part of a turn within which load feedback acts: half of its strength 24 degrees away."""


def turn(xdot, t, x, p, inflow):
    xdot[0] = 2.0 * math.pi / p[0] + inflow[0]


def first(t, source, p):
    return source[0]


def lagging(t, target, p):
    return target[0] + p[2 + int(p[1] + 0.5)]


def weight(t, source, p):
    return p[0]


LEG = Node(
    "leg",
    [State("phase", 0.0, "rad", "0 in the middle of the slow swing")],
    parameters=[
        *(Parameter("t_c", 1.0), Parameter("t_s", 1.0), Parameter("phi_s"), Parameter("phi_o")),
        *(Parameter("k_p"), Parameter("k_d"), Parameter("load_feedback")),
    ],
    inflows=("pull",),
    vector_field=turn,
)
PULL = Edge(
    "pull",
    {"pull": Sine(first, lagging, weight)},
    source=("phase",),
    target=("phase",),
    parameters=[Parameter("weight", 1.0), Parameter("footfall"), *(Parameter(name, 0.0, "rad") for name in FOOTFALLS)],
)


def lags(behind):
    """Return by how much the target of each pull settles behind its source [rad]."""
    turns = np.array(behind)
    return 2.0 * math.pi * (turns[TARGETS] - turns[SOURCES])


NETWORK = network(
    "cpg",
    {
        "cpg": Nodes(
            LEG,
            N_LEGS,
            phase=tuple(-2.0 * math.pi * behind for behind in FOOTFALLS["tripod"]),
            t_c=Input("t_c", 0.53, "s", "period", lower=1e-3),
            t_s=Input("t_s", 0.329978, "s", "duration of the slow swing", lower=1e-3),
            phi_s=Input("phi_s", 0.6981, "rad", "angle of the slow swing", lower=1e-3, upper=6.28),
            phi_o=Input("phi_o", -0.175, "rad", "offset of the slow swing's middle; negative: to the rear"),
            k_p=Parameter("k_p", 24.03, "N m/rad", "gain on the angle", lower=0.0),
            k_d=Parameter("k_d", 0.6727, "N m s/rad", "gain on the speed", lower=0.0),
            load_feedback=Parameter("load_feedback", 0.0, "", "how much load stretches stance", lower=0.0, upper=0.95),
        )
    },
    [
        Edges(
            PULL,
            "cpg",
            "cpg",
            (SOURCES, TARGETS),
            weight=Parameter("coupling", 10.0, "1/s", "with which neighbours pull each other", lower=0.0),
            footfall=Input("footfall", 0.0, "", f"gait: {', '.join(FOOTFALLS)} are 0, 1, 2", lower=0.0, upper=2.0),
            **{name: lags(behind) for name, behind in FOOTFALLS.items()},
        )
    ],
    part_for="hexapod.control_type",
)
P, S = (NETWORK.parameters + NETWORK.inputs).indices, NETWORK.states.indices
FREE_FIELD = NETWORK.vector_field


def slowness(p):
    """Return the rate of the hip in mid-stance over that of the phase; in mid-swing it is the inverse."""
    return math.tan(0.25 * p[P.phi_s]) / math.tan(0.5 * math.pi * p[P.t_s] / p[P.t_c])


def reference(phase, p):
    """Return the hip angle of a phase [rad]; running forward it falls, as toes ahead have positive angles."""
    half = 0.5 * phase
    return p[P.phi_o] - 2.0 * math.atan2(slowness(p) * math.sin(half), math.cos(half))


def reference_rate(phase, p):
    """Return its rate at the speed of an oscillator that nothing pulls [rad/s]."""
    q, half = slowness(p), 0.5 * phase
    slope = q / (math.cos(half) ** 2 + (q * math.sin(half)) ** 2)
    return -2.0 * math.pi / p[P.t_c] * slope


def torque(t, x, p, chart, leg, phi, phidot):
    """Return the torque of the PD control of a hip [N m]."""
    phase = x[S.cpg_phase + leg]
    return p[P.k_p] * angle_error(reference(phase, p) - phi) + p[P.k_d] * (reference_rate(phase, p) - phidot)


def hip_angle(t, x, p, chart, leg):
    """Return the hip angle that is wanted [rad]."""
    return reference(x[S.cpg_phase + leg], p)


def vector_field(xdot, t, x, p, chart, on_ground):
    FREE_FIELD(xdot, t, x, p, chart)
    if p[P.load_feedback] <= 0.0:
        return
    stance = math.pi * p[P.t_s] / p[P.t_c]
    for leg in range(N_LEGS):
        phase = x[S.cpg_phase + leg]
        corner = phase - stance if on_ground(t, leg) else phase + stance  # the end of stance, or its beginning
        held = max(math.cos(corner), 0.0) ** SHARPNESS
        xdot[S.cpg_phase + leg] -= p[P.load_feedback] * held * 2.0 * math.pi / p[P.t_c]


def validate(t, x, p, chart):
    return 0 if 0.0 < p[P.t_s] < p[P.t_c] else NO_SWING


NO_SWING = 1

PART = dataclasses.replace(
    NETWORK,
    vector_field=vector_field,
    couplings=(torque, hip_angle),
    validate=validate,
    messages=(Message("the pattern generator: t_s must lie between 0 and t_c"),),
    doc="six coupled oscillators, and PD control at the hips",
)
