"""The open-loop clock of a gait, and a PD controller at each hip (SimSect's `open_loop`).

Each leg turns once per period t_c: slowly through phi_s about phi_o, in the time t_s, while it is to stand; fast
through the rest. `footfall` and `lag0` ... say by which part of a turn each leg is behind; one tripod is half a period
behind the other. With `max_wait`, a leg whose toe is late waits for it before its slow swing. The clock's numbers are
inputs, and a change takes effect when leg 0 begins a half turn. See `clock` for the phases of a leg and its angle.
"""

import math

from hybridsim import Part

from .clock import (
    BACKWARD,
    BOUNDARIES,
    FORWARD,
    INPUTS,
    LAG_STEP,
    MESSAGES,
    NO_SWING,
    OUTPUTS,
    OVERLAP,
    PARAMETERS,
    STATES,
    TURN_LEFT,
    TURN_RIGHT,
    TURNS_BEHIND,
    B,
    P,
    S,
    Y,
    corner,
    phase_at,
    phase_end,
    phase_of,
    phase_start,
    reference_at,
    reference_rate,
    side,
    with_phase,
)
from .records import N_LEGS

TURNS_PER_RADIAN = 0.5 / math.pi
BLEND_ANGLE = 0.1
"""Within this angle [rad] of +-pi, the error is reduced linearly to zero, so that it is continuous."""


def torque(t, x, p, chart, leg, phi, phidot):
    """Return the torque of the PD control of a hip [N m]."""
    phase = phase_of(chart, leg)
    return p[P.k_p] * angle_error(x[S.phi_ref0 + leg] - phi) + p[P.k_d] * (reference_rate(t, x, phase, leg) - phidot)


def angle_error(difference):
    """Return an angle wrapped to (-pi, pi] [rad]; near the opposite side it falls to zero, so that it is continuous."""
    error = difference - 2.0 * math.pi * math.floor(difference * TURNS_PER_RADIAN + 0.5)
    opposite = math.pi - abs(error)
    return error if opposite >= BLEND_ANGLE else math.copysign(opposite * (math.pi - BLEND_ANGLE) / BLEND_ANGLE, error)


def hip_angle(t, x, p, chart, leg):
    """Return the hip angle of the posture in which a run begins [rad]."""
    return x[S.phi_ref0 + leg]


def vector_field(xdot, t, x, p, chart):
    for leg in range(N_LEGS):
        xdot[S.phi_ref0 + leg] = reference_rate(t, x, phase_of(chart, leg), leg)


def boundaries(g, t, x, p, chart, toe_height):
    for leg in range(N_LEGS):
        g[B.tick0 + leg] = phase_end(x, p, phase_of(chart, leg), leg) - t
        if x[S.waits0 + leg] != 0.0:
            g[B.lands0 + leg] = toe_height(t, leg)


def transition(x_new, t, x, p, chart, crossed, on_ground):
    for leg in range(N_LEGS):
        if crossed[B.tick0 + leg] or crossed[B.lands0 + leg]:
            phase = next_phase(x_new, t, p, phase_of(chart, leg), leg, on_ground(t, leg))
            chart = with_phase(chart, leg, phase)
    if crossed[B.tick0] and phase_of(chart, 0) in (0, 2):
        chart = take_inputs(x_new, t, p, chart, crossed)
    for leg in range(N_LEGS):
        if crossed[B.tick0 + leg] and x[S.waits0 + leg] == 0.0:
            x_new[S.phi_ref0 + leg] = phase_start(x_new, phase_of(chart, leg), leg)
    return chart


def next_phase(x_new, t, p, phase, leg, stands):
    """Count half turns, or begin or end to wait; return the phase that begins."""
    if x_new[S.waits0 + leg] != 0.0:
        x_new[S.waits0 + leg] = 0.0
        x_new[S.clock_start0 + leg] += t - corner(x_new, 3, leg)
        return 3
    if phase == 2 and p[P.max_wait] > 0.0 and not stands:
        x_new[S.waits0 + leg] = 1.0
    if phase in (1, 3):
        x_new[S.half_turns0 + leg] += 1.0
        x_new[S.swings0 + leg] = 1.0 - x_new[S.swings0 + leg]
    return (phase + 1) % 4


def take_inputs(x_new, t, p, chart, crossed):
    """Put the inputs into use, where leg 0 begins a half turn; the others keep the part of theirs that is done."""
    old = 0.5 * x_new[S.used_t_c]
    left, right = x_new[S.used_t_s_left], x_new[S.used_t_s_right]
    take_numbers(x_new, p)
    half = 0.5 * x_new[S.used_t_c]
    if half == old and left == x_new[S.used_t_s_left] and right == x_new[S.used_t_s_right]:
        return chart
    for leg in range(N_LEGS):
        if half != old:
            begun = x_new[S.clock_start0 + leg] + x_new[S.half_turns0 + leg] * old
            begins_now = crossed[B.tick0 + leg] and phase_of(chart, leg) in (0, 2)
            x_new[S.clock_start0 + leg] = begun if begins_now else t - (t - begun) / old * half
            x_new[S.half_turns0 + leg] = 0.0
        if x_new[S.waits0 + leg] == 0.0:
            chart = with_phase(chart, leg, phase_at(t, x_new, leg))
    return chart


def take_numbers(x_new, p):
    """Put the numbers of parameters and inputs into use."""
    ahead = -1.0 if p[P.gait] == BACKWARD else 1.0
    x_new[S.used_t_c], x_new[S.used_phi_s] = p[P.t_c], p[P.phi_s]
    x_new[S.used_t_s_left], x_new[S.used_t_s_right] = p[P.t_s] + p[P.dt_s], p[P.t_s] - p[P.dt_s]
    x_new[S.used_phi_o_left] = p[P.phi_o] - ahead * p[P.dphi_o]
    x_new[S.used_phi_o_right] = p[P.phi_o] + ahead * p[P.dphi_o]
    x_new[S.used_turn_left] = -1.0 if p[P.gait] == FORWARD or p[P.gait] == TURN_RIGHT else 1.0
    x_new[S.used_turn_right] = -1.0 if p[P.gait] == FORWARD or p[P.gait] == TURN_LEFT else 1.0
    x_new[S.used_blend] = p[P.smooth] * p[P.t_c]


def initial_chart(x_new, t, x, p):
    """Start the clocks, unless they run (`used_t_c`); each leg's phase at time t."""
    if x[S.used_t_c] == 0.0:
        take_numbers(x_new, p)
    chart = 0
    for leg in range(N_LEGS):
        if x[S.used_t_c] == 0.0:
            start_clock(x_new, t, p, leg)
        chart = with_phase(chart, leg, phase_at(t, x_new, leg))
        if x[S.used_t_c] == 0.0:
            x_new[S.phi_ref0 + leg] = reference_at(t, x_new, phase_of(chart, leg), leg)
    return chart


def start_clock(x_new, t, p, leg):
    """Set the clock of a leg to where it is at the start of a run."""
    behind = TURNS_BEHIND[N_LEGS * int(p[P.footfall]) + leg] + p[P.lag0 + leg]
    steps = math.floor(behind / LAG_STEP + 0.5)
    done = 2.0 * (math.ceil(steps * LAG_STEP) - steps * LAG_STEP)
    x_new[S.swings0 + leg] = math.floor(done)
    x_new[S.clock_start0 + leg] = t - (done - math.floor(done)) * 0.5 * x_new[S.used_t_c]
    x_new[S.half_turns0 + leg], x_new[S.waits0 + leg] = 0.0, 0.0


def outputs(y, t, x, p, chart):
    for leg in range(N_LEGS):
        y[Y.phase0 + leg] = phase_of(chart, leg)


def validate(t, x, p, chart):
    for leg in (0, N_LEGS - 1):
        slow = x[S.used_t_s_left + side(leg)]
        if not 0.0 < slow < x[S.used_t_c]:
            return NO_SWING
        if x[S.used_blend] > min(slow, x[S.used_t_c] - slow):
            return OVERLAP
    return 0


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
    doc="the clock of a gait, open loop, and PD control at the hips",
)
