"""The open-loop clock of a gait, and a PD controller at each hip (SimSect's `open_loop`).

Each leg turns once per period t_c: slowly through phi_s about phi_o, in the time t_s, while it is to stand; fast
through the rest. `footfall` and `lag0` ... say by which part of a turn each leg is behind; those of a tripod are half
a period behind the others. A leg's clock counts half turns. The phases of a leg are 0, the second half of the slow
swing, which begins at phi_o; 1 and 2, the halves of the fast one; 3, the first half of the slow swing. phi_ref is
piecewise linear in t; running forward it falls, as toes ahead have positive angles. `smooth` rounds its corners, and
with `max_wait` a leg whose toe is late waits for it before phase 3. The clock's numbers are inputs, and a change takes
effect when leg 0 begins a half turn: it changes from 3 to 0 or from 1 to 2.
"""

import math

from hybridsim import Boundary, Input, Message, Output, Parameter, Part, Records, State

from .records import LEGS, N_LEGS

STATES = Records(
    *(State(f"phi_ref{i}", 0.0, "rad", f"reference of the hip angle of leg {i}") for i in LEGS),
    State("used_t_c", 0.0, "s", "period in use; 0: the clocks start with the run", continuous=False),
    State("used_t_s_left", 0.0, "s", "slow swing in use, legs 3-5", continuous=False),
    State("used_t_s_right", 0.0, "s", "slow swing in use, legs 0-2", continuous=False),
    State("used_phi_s", 0.0, "rad", "angle of the slow swing in use", continuous=False),
    State("used_phi_o_left", 0.0, "rad", "offset in use, legs 3-5", continuous=False),
    State("used_phi_o_right", 0.0, "rad", "offset in use, legs 0-2", continuous=False),
    State("used_turn_left", 0.0, "", "direction in use, legs 3-5: -1 = forward", continuous=False),
    State("used_turn_right", 0.0, "", "direction in use, legs 0-2: -1 = forward", continuous=False),
    State("used_blend", 0.0, "s", "duration of a rounded corner in use", continuous=False),
    *(State(f"clock_start{i}", 0.0, "s", f"where the count of leg {i} begins", continuous=False) for i in LEGS),
    *(State(f"half_turns{i}", 0.0, "", f"of leg {i}, since then", continuous=False) for i in LEGS),
    *(State(f"swings{i}", 0.0, "", f"1: leg {i} is in the half turn of phases 2 and 3", continuous=False) for i in LEGS),
    *(State(f"waits{i}", 0.0, "", f"1: leg {i} waits for its toe to land", continuous=False) for i in LEGS),
)
GAITS = ("forward", "backward", "turn_left", "turn_right")
FOOTFALLS = ("tripod", "wave", "pronk", "bound")
TURNS_BEHIND = (
    *(0.0, 0.5, 0.0, 0.5, 0.0, 0.5),
    *(0.0, 1.0 / 6.0, 2.0 / 6.0, 0.5, 4.0 / 6.0, 5.0 / 6.0),
    *(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    *(0.0, 0.0, 0.5, 0.0, 0.0, 0.5),
)
"""By `footfall`, how far each of the six legs is behind [turns]."""
PARAMETERS = Records(
    Parameter("gait", "forward", "", "which way the legs turn; turns are in place", choices=GAITS),
    Parameter("k_p", 24.03, "N m/rad", "gain on the angle", lower=0.0),
    Parameter("k_d", 0.6727, "N m s/rad", "gain on the speed", lower=0.0),
    Parameter("footfall", "tripod", "", "which legs are together, and which behind", choices=FOOTFALLS),
    *(Parameter(f"lag{i}", 0.0, "", f"turns by which leg {i} is behind, added to that of footfall") for i in LEGS),
    Parameter("max_wait", 0.0, "s", "for a toe that is late a leg waits no longer than this; 0: never", lower=0.0),
)
INPUTS = Records(
    Input("t_c", 0.53, "s", "period", lower=1e-3),
    Input("t_s", 0.329978, "s", "duration of the slow swing", lower=1e-3),
    Input("phi_s", 0.6981, "rad", "angle of the slow swing", lower=0.0, upper=6.28),
    Input("phi_o", -0.175, "rad", "offset of the slow swing's middle; negative: to the rear"),
    Input("dt_s", 0.0, "s", "turns to the right: slow swing of the left legs longer, of the right shorter"),
    Input("dphi_o", 0.0, "rad", "turns to the right: offset of the left legs less, of the right more"),
    Input("smooth", 0.0, "", "part of the period in which a corner of phi_ref is rounded", lower=0.0, upper=0.5),
)
BOUNDARIES = Records(
    *(Boundary(f"tick{i}", f"the clock begins the next phase of leg {i}", "s", time=True) for i in LEGS),
    *(Boundary(f"lands{i}", f"toe {i}, for which its clock waits, reaches the ground", "m", touch="ignore") for i in LEGS),
)
OUTPUTS = Records(*(Output(f"phase{i}", "", f"of leg {i}, 0 to 3") for i in LEGS))

MESSAGES = (
    Message("the clock: t_s, with dt_s added or subtracted, must lie between 0 and t_c"),
    Message("the clock: corners overlap; smooth t_c must not exceed t_s, with dt_s added or subtracted, nor t_c - t_s"),
)
NO_SWING, OVERLAP = 1, 2

S, B, Y = STATES.indices, BOUNDARIES.indices, OUTPUTS.indices
P = (PARAMETERS + INPUTS).indices
FORWARD, BACKWARD, TURN_LEFT, TURN_RIGHT = range(len(GAITS))

BLEND_ANGLE = 0.1
"""Within this angle [rad] of +-pi, the error is reduced linearly to zero, so that it is continuous."""
LAG_STEP = 2.0**-30
"""Lags are rounded to this [turns], so that legs of one third and of five sixths, half a turn apart, tick together."""


def torque(t, x, p, chart, leg, phi, phidot):
    """Return the torque of the PD control of a hip [N m]."""
    phase = phase_of(chart, leg)
    return p[P.k_p] * angle_error(x[S.phi_ref0 + leg] - phi) + p[P.k_d] * (reference_rate(t, x, phase, leg) - phidot)


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
        if crossed[B.tick0 + leg] and (x[S.waits0 + leg] == 0.0):
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
        begun = x_new[S.clock_start0 + leg] + x_new[S.half_turns0 + leg] * old
        if half != old:
            begins_now = crossed[B.tick0 + leg] and phase_of(chart, leg) in (0, 2)
            done = 0.0 if begins_now else (t - begun) / old
            x_new[S.clock_start0 + leg] = begun if begins_now else t - done * half
            x_new[S.half_turns0 + leg] = 0.0
        if x_new[S.waits0 + leg] == 0.0:
            chart = with_phase(chart, leg, phase_at(x_new, t, leg))
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
        chart = with_phase(chart, leg, phase_at(x_new, t, leg))
        if x[S.used_t_c] == 0.0:
            x_new[S.phi_ref0 + leg] = reference_at(x_new, t, phase_of(chart, leg), leg)
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


def phase_of(chart, leg):
    return chart >> (2 * leg) & 3


def with_phase(chart, leg, phase):
    shift = 2 * leg
    return chart & ~(3 << shift) | phase << shift


def side(leg):
    """Return 1 for the legs on the right, 0-2, else 0: added to the index of a left state, it gives the leg's own."""
    return 1 if leg < 3 else 0


def slow_rate(x, leg):
    """Return the rate of the slow swing [rad/s]."""
    return x[S.used_turn_left + side(leg)] * x[S.used_phi_s] / x[S.used_t_s_left + side(leg)]


def fast_rate(x, leg):
    """Return the rate of the fast swing [rad/s]."""
    slow, turn = x[S.used_t_s_left + side(leg)], x[S.used_turn_left + side(leg)]
    return turn * (2.0 * math.pi - x[S.used_phi_s]) / (x[S.used_t_c] - slow)


def reference_rate(t, x, phase, leg):
    """Return the rate of phi_ref [rad/s]: near a rounded corner it goes from that before to that behind linearly."""
    if x[S.waits0 + leg] != 0.0:
        return 0.0
    rate = slow_rate(x, leg) if phase in (0, 3) else fast_rate(x, leg)
    if x[S.used_blend] == 0.0:
        return rate
    change = rate_change(x, phase, leg)
    return rate + (change if phase in (0, 2) else -change) * blended(t, x, phase, leg)


def rate_change(x, phase, leg):
    """Return the change of the rate at the corner where phase 0 or 2 ends [rad/s], which is where 1 or 3 begins."""
    change = fast_rate(x, leg) - slow_rate(x, leg)
    return change if phase in (0, 1) else -change


def blended(t, x, phase, leg):
    """Return how far the rate goes towards that on the other side of the corner: 1/2 at it, 0 half a blend away."""
    return max(0.5 - abs(t - corner(x, phase, leg)) / x[S.used_blend], 0.0)


def phase_start(x, phase, leg):
    """Return phi_ref where a phase begins [rad]."""
    angle = straight_start(x, phase, leg)
    if phase in (1, 3):  # at a corner; the blend is half done
        angle += rate_change(x, phase, leg) * x[S.used_blend] / 8.0
    return angle


def straight_start(x, phase, leg):
    """Return phi_ref where a phase begins [rad], without rounded corners."""
    turn, half = x[S.used_turn_left + side(leg)], 0.5 * x[S.used_phi_s]
    angle = x[S.used_phi_o_left + side(leg)]
    if phase == 1:
        angle += turn * half
    elif phase == 2:
        angle += turn * math.pi
    elif phase == 3:
        angle -= turn * half
    return angle


def reference_at(x, t, phase, leg):
    """Return phi_ref at a time [rad]: straight pieces, and at the corners between them parabolas."""
    rate = slow_rate(x, leg) if phase in (0, 3) else fast_rate(x, leg)
    begin = half_turn_start(x, leg) if phase in (0, 2) else corner(x, phase, leg)
    angle = straight_start(x, phase, leg) + rate * (t - begin)
    if x[S.used_blend] > 0.0:
        angle += 0.5 * rate_change(x, phase, leg) * x[S.used_blend] * blended(t, x, phase, leg) ** 2
    return angle


def phase_at(x, t, leg):
    """Return the phase of a leg in its half turn at a time."""
    phase = 2 * int(x[S.swings0 + leg])
    return phase + 1 if t >= corner(x, phase, leg) else phase


def half_turn_start(x, leg):
    """Return when the present half turn of a leg began [s]."""
    return x[S.clock_start0 + leg] + x[S.half_turns0 + leg] * (0.5 * x[S.used_t_c])


def corner(x, phase, leg):
    """Return when phase 0 or 2 ends, or when 1 or 3 began [s]."""
    slow, half = x[S.used_t_s_left + side(leg)], 0.5 * x[S.used_t_c]
    begun = x[S.clock_start0 + leg] + x[S.half_turns0 + leg] * half
    return begun + (0.5 * slow if phase in (0, 1) else half - 0.5 * slow)


def phase_end(x, p, phase, leg):
    """Return the time at which a phase ends [s]: a multiple of the half period, or within it; or the end of a wait."""
    if x[S.waits0 + leg] != 0.0:
        return corner(x, phase, leg) + p[P.max_wait]
    if phase in (1, 3):
        return x[S.clock_start0 + leg] + (x[S.half_turns0 + leg] + 1.0) * (0.5 * x[S.used_t_c])
    return corner(x, phase, leg)


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
