"""The open-loop clock of an alternating tripod, and a PD controller at each hip (SimSect's `open_loop`).

Each leg turns once per period t_c: slowly through phi_s about phi_o, in the time t_s, while it is to stand; fast
through the rest. Tripods {0, 2, 4} and {1, 3, 5} are half a period apart. The phases of a leg are 0, the second half of
the slow swing, which begins at phi_o; 1 and 2, the halves of the fast one; 3, the first half of the slow swing. phi_ref
is piecewise linear in t; running forward it falls, as toes ahead have positive angles. The clock's numbers are inputs,
and a change takes effect at the instants at which all legs change from 3 to 0 or from 1 to 2.
"""

import math

from hybridsim import Boundary, Input, Message, Output, Parameter, Part, Records, State

from .records import LEGS, N_LEGS

STATES = Records(
    *(State(f"phi_ref{i}", 0.0, "rad", f"reference of the hip angle of leg {i}") for i in LEGS),
    State("used_t_c", 0.0, "s", "period in use; 0: the clock starts with the run", continuous=False),
    State("used_t_s_left", 0.0, "s", "slow swing in use, legs 3-5", continuous=False),
    State("used_t_s_right", 0.0, "s", "slow swing in use, legs 0-2", continuous=False),
    State("used_phi_s", 0.0, "rad", "angle of the slow swing in use", continuous=False),
    State("used_phi_o_left", 0.0, "rad", "offset in use, legs 3-5", continuous=False),
    State("used_phi_o_right", 0.0, "rad", "offset in use, legs 0-2", continuous=False),
    State("used_turn_left", 0.0, "", "direction in use, legs 3-5: -1 = forward", continuous=False),
    State("used_turn_right", 0.0, "", "direction in use, legs 0-2: -1 = forward", continuous=False),
    State("clock_start", 0.0, "s", "where the count of half periods begins", continuous=False),
    State("half_periods", 0.0, "", "since then", continuous=False),
    State("tripod", 0.0, "", "which one stands: 0 = {0, 2, 4}", continuous=False),
)
GAITS = ("forward", "backward", "turn_left", "turn_right")
PARAMETERS = Records(
    Parameter("gait", "forward", "", "which way the legs turn; turns are in place", choices=GAITS),
    Parameter("k_p", 24.03, "N m/rad", "gain on the angle", lower=0.0),
    Parameter("k_d", 0.6727, "N m s/rad", "gain on the speed", lower=0.0),
)
INPUTS = Records(
    Input("t_c", 0.53, "s", "period", lower=1e-3),
    Input("t_s", 0.329978, "s", "duration of the slow swing", lower=1e-3),
    Input("phi_s", 0.6981, "rad", "angle of the slow swing", lower=0.0, upper=6.28),
    Input("phi_o", -0.175, "rad", "offset of the slow swing's middle; negative: to the rear"),
    Input("dt_s", 0.0, "s", "turns to the right: slow swing of the left legs longer, of the right shorter"),
    Input("dphi_o", 0.0, "rad", "turns to the right: offset of the left legs less, of the right more"),
)
BOUNDARIES = Records(
    *(Boundary(f"tick{i}", f"the clock begins the next phase of leg {i}", "s", time=True) for i in LEGS)
)
OUTPUTS = Records(*(Output(f"phase{i}", "", f"of leg {i}, 0 to 3") for i in LEGS))

MESSAGES = (Message("the clock: t_s, with dt_s added or subtracted, must lie between 0 and t_c"),)
NO_SWING = 1

S, B, Y = STATES.indices, BOUNDARIES.indices, OUTPUTS.indices
P = (PARAMETERS + INPUTS).indices
FORWARD, BACKWARD, TURN_LEFT, TURN_RIGHT = range(len(GAITS))

BLEND_ANGLE = 0.1
"""Within this angle [rad] of +-pi, the error is reduced linearly to zero, so that it is continuous."""


def torque(t, x, p, chart, leg, phi, phidot):
    """Return the torque of the PD control of a hip [N m]."""
    phase = phase_of(chart, leg)
    return p[P.k_p] * angle_error(x[S.phi_ref0 + leg] - phi) + p[P.k_d] * (reference_rate(x, phase, leg) - phidot)


def angle_error(difference):
    """Return an angle wrapped to (-pi, pi] [rad]; near the opposite side it falls to zero, so that it is continuous."""
    error = difference - 2.0 * math.pi * math.floor(difference / (2.0 * math.pi) + 0.5)
    opposite = math.pi - abs(error)
    return error if opposite >= BLEND_ANGLE else math.copysign(opposite * (math.pi - BLEND_ANGLE) / BLEND_ANGLE, error)


def hip_angle(t, x, p, chart, leg):
    """Return the hip angle of the posture in which a run begins [rad]."""
    return x[S.phi_ref0 + leg]


def vector_field(xdot, t, x, p, chart):
    for leg in range(N_LEGS):
        xdot[S.phi_ref0 + leg] = reference_rate(x, phase_of(chart, leg), leg)


def boundaries(g, t, x, p, chart):
    for leg in range(N_LEGS):
        g[B.tick0 + leg] = phase_end(x, phase_of(chart, leg), leg) - t


def transition(x_new, t, x, p, chart, crossed):
    turns = False
    for leg in range(N_LEGS):
        if crossed[B.tick0 + leg]:
            phase = (phase_of(chart, leg) + 1) % 4
            turns = turns or phase in (0, 2)
            chart = with_phase(chart, leg, phase)
    if turns:
        begin_half_period(x_new, p)
    for leg in range(N_LEGS):
        if crossed[B.tick0 + leg]:
            x_new[S.phi_ref0 + leg] = phase_start(x_new, phase_of(chart, leg), leg)
    return chart


def begin_half_period(x_new, p):
    x_new[S.half_periods] += 1.0
    x_new[S.tripod] = 1.0 - x_new[S.tripod]
    if p[P.t_c] != x_new[S.used_t_c]:
        x_new[S.clock_start] += x_new[S.half_periods] * 0.5 * x_new[S.used_t_c]
        x_new[S.half_periods] = 0.0
    take_parameters(x_new, p)


def take_parameters(x_new, p):
    """Put the parameters and inputs of the clock into use."""
    ahead = -1.0 if p[P.gait] == BACKWARD else 1.0
    x_new[S.used_t_c], x_new[S.used_phi_s] = p[P.t_c], p[P.phi_s]
    x_new[S.used_t_s_left], x_new[S.used_t_s_right] = p[P.t_s] + p[P.dt_s], p[P.t_s] - p[P.dt_s]
    x_new[S.used_phi_o_left] = p[P.phi_o] - ahead * p[P.dphi_o]
    x_new[S.used_phi_o_right] = p[P.phi_o] + ahead * p[P.dphi_o]
    x_new[S.used_turn_left] = -1.0 if p[P.gait] == FORWARD or p[P.gait] == TURN_RIGHT else 1.0
    x_new[S.used_turn_right] = -1.0 if p[P.gait] == FORWARD or p[P.gait] == TURN_LEFT else 1.0


def initial_chart(x_new, t, x, p):
    """Start the clock, unless it runs (`used_t_c`); each leg's phase at time t."""
    if x[S.used_t_c] == 0.0:
        x_new[S.clock_start], x_new[S.half_periods], x_new[S.tripod] = t, 0.0, 0.0
        take_parameters(x_new, p)
        for leg in range(N_LEGS):
            x_new[S.phi_ref0 + leg] = phase_start(x_new, 2 * swings(x_new, leg), leg)
    chart = 0
    for leg in range(N_LEGS):
        phase = 2 * swings(x_new, leg)
        if t >= phase_end(x_new, phase, leg):
            phase += 1
        chart = with_phase(chart, leg, phase)
    return chart


def outputs(y, t, x, p, chart):
    for leg in range(N_LEGS):
        y[Y.phase0 + leg] = phase_of(chart, leg)


def validate(t, x, p, chart):
    for leg in (0, N_LEGS - 1):
        if not 0.0 < x[S.used_t_s_left + side(leg)] < x[S.used_t_c]:
            return NO_SWING
    return 0


def phase_of(chart, leg):
    return chart >> (2 * leg) & 3


def with_phase(chart, leg, phase):
    shift = 2 * leg
    return chart & ~(3 << shift) | phase << shift


def swings(x, leg):
    """Return 1 if the leg is in the tripod that swings in this half period, else 0."""
    return (leg + int(x[S.tripod])) % 2


def side(leg):
    """Return 1 for the legs on the right, 0-2, else 0: added to the index of a left state, it gives the leg's own."""
    return 1 if leg < 3 else 0


def reference_rate(x, phase, leg):
    """Return the rate of phi_ref in a phase [rad/s]."""
    slow, turn = x[S.used_t_s_left + side(leg)], x[S.used_turn_left + side(leg)]
    if phase in (0, 3):
        return turn * x[S.used_phi_s] / slow
    return turn * (2.0 * math.pi - x[S.used_phi_s]) / (x[S.used_t_c] - slow)


def phase_start(x, phase, leg):
    """Return phi_ref where a phase begins [rad]."""
    turn, half = x[S.used_turn_left + side(leg)], 0.5 * x[S.used_phi_s]
    angle = x[S.used_phi_o_left + side(leg)]
    if phase == 1:
        angle += turn * half
    elif phase == 2:
        angle += turn * math.pi
    elif phase == 3:
        angle -= turn * half
    return angle


def phase_end(x, phase, leg):
    """Return the time at which a phase ends [s]: a multiple of the half period, or within it."""
    slow, half = x[S.used_t_s_left + side(leg)], 0.5 * x[S.used_t_c]
    if phase in (1, 3):
        return x[S.clock_start] + (x[S.half_periods] + 1.0) * half
    begun = x[S.clock_start] + x[S.half_periods] * half
    return begun + (0.5 * slow if phase == 0 else half - 0.5 * slow)


PART = Part(
    "open_loop",
    STATES,
    couplings=(torque, hip_angle),
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    validate=validate,
    outputs=outputs,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=MESSAGES,
    inputs=INPUTS,
    chart_fields={"phase": 12},
    slot="hexapod.control_type",
    doc="the clock of an alternating tripod, open loop, and PD control at the hips",
)
