"""The clock of each leg: its half turns and phases, and the angle phi_ref that the hip is to have.

A leg's clock counts half turns. Its phases are 0, the second half of the slow swing, which begins at phi_o; 1 and 2,
the halves of the fast swing; 3, the first half of the slow one. phi_ref is piecewise linear in t; running forward it
falls, as toes ahead have positive angles. `smooth` rounds its corners: the rate goes from one to the other linearly,
which is what RHexLib's cubic splines are. A leg that waits stands at the corner where phase 3 begins.
"""

import math

from hybridsim import Boundary, Input, Message, Output, Parameter, Records, State

from .records import LEGS

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
    *(State(f"swings{i}", 0.0, "", f"1: leg {i} is in phase 2 or 3, else 0", continuous=False) for i in LEGS),
    *(State(f"waits{i}", 0.0, "", f"1: leg {i} waits for its toe to land", continuous=False) for i in LEGS),
)
GAITS = ("forward", "backward", "turn_left", "turn_right")
FOOTFALLS = ("tripod", "wave", "pronk", "bound")
TURNS_BEHIND = (
    *(0.0, 0.5, 0.0, 0.5, 0.0, 0.5),
    *(0.0, 1.0 / 6.0, 2.0 / 6.0, 0.5, 4.0 / 6.0, 5.0 / 6.0),
    *(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    *(0.0, 1.0 / 3.0, 0.5, 0.0, 1.0 / 3.0, 0.5),
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
    *(Boundary(f"lands{i}", f"toe {i}, for which the clock waits, touches down", "m", touch="ignore") for i in LEGS),
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

LAG_STEP = 2.0**-44
"""Lags are rounded to this [turns], so that legs of one third and of five sixths, half a turn apart, tick together."""


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
    if x[S.used_blend] <= 0.0:
        return rate
    change = rate_change(x, phase, leg)
    return rate + (change if phase in (0, 2) else -change) * blend(t, x, phase, leg)


def rate_change(x, phase, leg):
    """Return the change of the rate at the corner where phase 0 or 2 ends [rad/s], which is where 1 or 3 begins."""
    change = fast_rate(x, leg) - slow_rate(x, leg)
    return change if phase in (0, 1) else -change


def blend(t, x, phase, leg):
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


def reference_at(t, x, phase, leg):
    """Return phi_ref at a time [rad]: straight pieces, and at the corners between them parabolas."""
    rate = slow_rate(x, leg) if phase in (0, 3) else fast_rate(x, leg)
    begin = half_turn_start(x, leg) if phase in (0, 2) else corner(x, phase, leg)
    angle = straight_start(x, phase, leg) + rate * (t - begin)
    if x[S.used_blend] > 0.0:
        angle += 0.5 * rate_change(x, phase, leg) * x[S.used_blend] * blend(t, x, phase, leg) ** 2
    return angle


def phase_at(t, x, leg):
    """Return the phase of a leg in its half turn at a time."""
    phase = 2 * int(x[S.swings0 + leg])
    return phase + 1 if t >= corner(x, phase, leg) else phase


def half_turn_start(x, leg):
    """Return when the present half turn of a leg began [s]."""
    return x[S.clock_start0 + leg] + x[S.half_turns0 + leg] * (0.5 * x[S.used_t_c])


def corner(x, phase, leg):
    """Return when phase 0 or 2 ends, or when 1 or 3 began [s]."""
    slow = x[S.used_t_s_left + side(leg)]
    return half_turn_start(x, leg) + (0.5 * slow if phase in (0, 1) else 0.5 * x[S.used_t_c] - 0.5 * slow)


def phase_end(x, p, phase, leg):
    """Return the time at which a phase ends [s]: a multiple of the half period, or within it; or the end of a wait."""
    if x[S.waits0 + leg] != 0.0:
        return corner(x, phase, leg) + p[P.max_wait]
    if phase in (1, 3):
        return x[S.clock_start0 + leg] + (x[S.half_turns0 + leg] + 1.0) * (0.5 * x[S.used_t_c])
    return corner(x, phase, leg)
