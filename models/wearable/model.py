"""A robot on a leg, in a gait: what its two actuators have to do, without a simulation of the walk itself.

Hip and knee follow given curves, by default Winter's. The four links follow hip and knee: the rates of their poses
solve the equations of the joints, and gaps close exponentially. Where the links come into line, the leg is locked, and
the run ends. The torques of the actuators are those with which they alone do what hip and knee do in the gait (statics;
the robot's own weight and inertia are left out), and `work` is the integral of their power, each without its sign, over
the first stride. With `sway`, four more strides go by the corners of a square around the curves, to see singular
postures close by.

Postures count as singular where the rates of the actuators per rates of hip and knee have a singular value beyond
`least` and `largest`: there the torques of the actuators are far larger or smaller than those of the leg.
"""

from hybridsim import Model, scratch

from .linkage import (
    GAP,
    HIP,
    KNEE,
    PLACES,
    RATES,
    RIGHT,
    ROWS,
    N,
    close,
    find_places,
    size_of,
    solve_equations,
    write_equations,
)
from .mass import write_bars
from .records import (
    BOUNDARIES,
    CHARTS,
    CONSTANTS,
    LARGEST_STEP,
    LOCKED,
    MESSAGES,
    OUTPUTS,
    PARAMETERS,
    REFUSED,
    STATES,
    B,
    C,
    P,
    S,
    Y,
)
from .scene import SCENE, poses
from .statics import demand_of, gait_at

CLOSING = 20.0
"""Rate at which gaps close [1/s]."""


def solve(rates, places, gait, x, p):
    """Write the rates of the links (3 N); return the determinant by the lengths of the links."""
    rows = scratch(ROWS)
    write_equations(rows, x, places, p, gait.hip, gait.knee)
    return solve_equations(rates, rows, N, RIGHT) / size_of(places, p)


def vector_field(xdot, t, x, p, chart):
    if chart >= C.locked:
        return
    rates, places, gait = scratch(RATES), scratch(PLACES), gait_at(t, p)
    find_places(places, p)
    solve(rates, places, gait, x, p)
    for k in range(N):
        xdot[k] = rates[N * HIP + k] * gait.hip_rate + rates[N * KNEE + k] * gait.knee_rate
        xdot[k] += CLOSING * rates[N * GAP + k]
    demand = demand_of(rates, gait, p)
    xdot[S.work] = demand.power if t < p[P.cycle] else 0.0
    xdot[S.singular] = demand.excess


def boundaries(g, t, x, p, chart):
    if chart >= C.locked:
        return
    rates, places, gait = scratch(RATES), scratch(PLACES), gait_at(t, p)
    find_places(places, p)
    determinant = solve(rates, places, gait, x, p)
    g[B.lock] = (determinant if chart == C.moving else -determinant) - LOCKED
    if p[P.singular_postures] == REFUSED:
        g[B.singular_posture] = distance_to_singular(rates, gait, p)


def distance_to_singular(rates, gait, p):
    """Return how far the singular values are within their limits, each in parts of its limit."""
    demand = demand_of(rates, gait, p)
    return min(demand.least / p[P.least] - 1.0, 1.0 - demand.largest / p[P.largest])


def transition(x_new, t, x, p, chart, crossed):
    return C.locked if crossed[B.lock] else C.refused


def initial_chart(x_new, t, x, p):
    """Close the loops, in steps from upright stance to the posture of the first instant."""
    places, gait = scratch(PLACES), gait_at(t, p)
    find_places(places, p)
    for k in range(N):
        x_new[k] = 0.0
    size = size_of(places, p)
    first = close(x_new, places, p, 0.0, 0.0) / size
    n_steps = 1 + int(max(abs(gait.hip), abs(gait.knee)) / LARGEST_STEP)
    for step in range(1, n_steps + 1):
        determinant = close(x_new, places, p, gait.hip * step / n_steps, gait.knee * step / n_steps) / size
        if not abs(determinant) > LOCKED or determinant * first < 0.0:
            for k in range(N):
                x_new[k] = 0.0
            return C.locked
    return C.moving if first > 0.0 else C.mirrored


def validate(t, x, p, chart):
    """Return which message ends the run; where it begins, a posture clearly beyond the limits does, too."""
    if chart >= C.locked:
        return 1 + chart - C.locked
    if p[P.singular_postures] != REFUSED:
        return 0
    rates, places, gait = scratch(RATES), scratch(PLACES), gait_at(t, p)
    find_places(places, p)
    solve(rates, places, gait, x, p)
    return 2 if distance_to_singular(rates, gait, p) < -1e-6 else 0


def outputs(y, t, x, p, chart):
    rates, places, rows, bars = scratch(RATES), scratch(PLACES), scratch(ROWS), scratch(4)
    gait = gait_at(t, p)
    find_places(places, p)
    y[Y.gap] = write_equations(rows, x, places, p, gait.hip, gait.knee)
    y[Y.margin] = abs(solve_equations(rates, rows, N, RIGHT) / size_of(places, p))
    demand = demand_of(rates, gait, p)
    y[Y.hip], y[Y.knee] = gait.hip, gait.knee
    y[Y.torque_1], y[Y.torque_2] = demand.torque_1, demand.torque_2
    y[Y.rate_1], y[Y.rate_2], y[Y.power] = demand.rate_1, demand.rate_2, demand.power
    y[Y.leg_power] = abs(gait.hip_moment * gait.hip_rate) + abs(gait.knee_moment * gait.knee_rate)
    y[Y.least_value], y[Y.largest_value] = demand.least, demand.largest
    write_bars(bars, places, p)
    y[Y.longest_bar], y[Y.shortest_bar], y[Y.mass] = bars[0], bars[1], 2.0 * bars[2]
    whole = p[P.body_mass] + 2.0 * bars[2]
    y[Y.centre] = (p[P.body_mass] * p[P.body_centre] + 2.0 * bars[3]) / whole


MODEL = Model(
    "wearable",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    validate=validate,
    outputs=outputs,
    poses=poses,
    parameters=PARAMETERS,
    constants=CONSTANTS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=MESSAGES,
    scene=SCENE,
    doc="A robot of four links on a leg that walks: torques, work and singular postures of its two actuators",
)
