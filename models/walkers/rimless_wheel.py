"""The rimless wheel: spokes without a rim, rolling down a slope from spoke to spoke (McGeer 1990).

n spokes of length l, 2 alpha = 2 pi / n apart, meet at a hub. The wheel has the mass m and the moment of inertia I
about its hub, so J = m l^2 + I about a foot. `theta` is the angle of the spoke on the ground from the vertical,
positive when the hub is downhill of the foot, as in the models of Goswami and of Drake. It is a pendulum,

    J thetaddot = m g l sin(theta)

until the next spoke touches the ground, where theta rises to slope + alpha (`strike_forward`) or falls to slope - alpha
(`strike_backward`). The angular momentum about the new foot is the same before and after, and so

    thetadot+ = eta thetadot,    eta = (m l^2 cos(2 alpha) + I) / J,    theta+ = theta -+ 2 alpha

If eta <= 0, which needs four spokes or fewer, the old foot cannot leave the ground, and the collision stops the wheel.

On slopes with |slope| < alpha the wheel can stand on two spokes (`resting`). A wheel that is too slow rocks from spoke
to spoke and comes to rest by infinitely many collisions in finite time; theta is then that of either of the two spokes.

Rolling, the rate after a collision is the same each time if thetadot+^2 = eta^2 / (1 - eta^2) (4 m g l / J) sin(alpha)
sin(slope). The next spoke is reached if thetadot+^2 > 2 m g l (1 - cos(slope - alpha)) / J, for 0 < slope < alpha.
"""

import math

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State
from hybridsim.scene import HIDDEN, Body, Cylinder, Sphere, between, placed

from .scene import (
    FOOT_RADIUS,
    HIP_COLOUR,
    LEG_RADIUS,
    STANCE_COLOUR,
    SWING_COLOUR,
    leg_direction,
    scene_on_points,
    world,
)

STATES = Records(
    State("theta", 0.0, "rad", "spoke on the ground, from the vertical; positive: hub downhill of the foot"),
    State("thetadot", 1.0, "rad/s", "rate of theta; positive: downhill"),
    State("walked", 0.0, "m", "along the slope to the foot", continuous=False),
)
PARAMETERS = Records(
    Parameter("n", 8, "", "number of spokes", lower=3, integer=True),
    Parameter("slope", 0.08, "rad", "of the ground", lower=-math.pi / 2, upper=math.pi / 2),
    Parameter("l", 1.0, "m", "length of a spoke", lower=1e-9),
    Parameter("g", 9.81, "m/s^2", "gravity", lower=0.0),
    Parameter("m", 1.0, "kg", "mass", lower=1e-9),
    Parameter("I", 0.0, "kg m^2", "moment of inertia about the hub", lower=0.0),
)
CHARTS = Records(Chart("rolling", "on one spoke"), Chart("resting", "on two spokes"))
BOUNDARIES = Records(
    Boundary("strike_forward", "the next spoke downhill touches the ground", "rad", degree=1, rest="resting"),
    Boundary("strike_backward", "the next spoke uphill touches the ground", "rad", degree=1, rest="resting"),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("theta", "rad", "spoke on the ground, from the vertical"),
    Output("thetadot", "rad/s"),
    Output("hub_x", "m", "hub from the foot, along the slope"),
    Output("hub_y", "m", "hub above the slope"),
    Output("clearance", "m", "lowest other foot above the slope"),
    Output("kinetic", "J"),
    Output("potential", "J", "of the hub's height above the foot"),
    Output("energy", "J", "kinetic + potential"),
)
MAX_SPOKES = 24  # drawn
P = PARAMETERS.indices
SCENE = scene_on_points(
    Body("hub", Sphere(0.1), HIP_COLOUR),
    *(Body(f"spoke_{k}", Cylinder(LEG_RADIUS), SWING_COLOUR if k else STANCE_COLOUR) for k in range(MAX_SPOKES)),
    *(Body(f"foot_{k}", Sphere(FOOT_RADIUS), SWING_COLOUR if k else STANCE_COLOUR) for k in range(MAX_SPOKES)),
    slope=P.slope,
    outputs=("thetadot", "energy"),
    follow="hub",
    below=0.1,
    distance=6.0,
)
S = STATES.indices
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    if chart == C.rolling:
        xdot[S.theta] = x[S.thetadot]
        xdot[S.thetadot] = p[P.m] * p[P.g] * p[P.l] / inertia(p) * math.sin(x[S.theta])


def boundaries(g, t, x, p, chart):
    if chart == C.rolling:
        g[B.strike_forward] = p[P.slope] + math.pi / p[P.n] - x[S.theta]
        g[B.strike_backward] = x[S.theta] - (p[P.slope] - math.pi / p[P.n])


def transition(x_new, t, x, p, chart, crossed):
    alpha = math.pi / p[P.n]
    shrink = (p[P.m] * p[P.l] * p[P.l] * math.cos(2.0 * alpha) + p[P.I]) / inertia(p)
    x_new[S.theta] = p[P.slope] - alpha if crossed[B.strike_forward] else p[P.slope] + alpha
    x_new[S.walked] += (2.0 if crossed[B.strike_forward] else -2.0) * p[P.l] * math.sin(alpha)
    x_new[S.thetadot] = shrink * x[S.thetadot] if shrink > 0.0 else 0.0
    return C.resting if x_new[S.thetadot] == 0.0 and abs(p[P.slope]) < alpha else C.rolling


def initial_chart(x_new, t, x, p):
    alpha = math.pi / p[P.n]
    on_two_spokes = x[S.theta] == p[P.slope] - alpha or x[S.theta] == p[P.slope] + alpha
    return C.resting if on_two_spokes and x[S.thetadot] == 0.0 and abs(p[P.slope]) < alpha else C.rolling


def outputs(y, t, x, p, chart):
    incline = x[S.theta] - p[P.slope]
    y[Y.time] = t
    y[Y.theta], y[Y.thetadot] = x[S.theta], x[S.thetadot]
    y[Y.hub_x] = p[P.l] * math.sin(incline)
    y[Y.hub_y] = p[P.l] * math.cos(incline)
    y[Y.clearance] = y[Y.hub_y] - p[P.l] * math.cos(2.0 * math.pi / p[P.n] - abs(incline))
    y[Y.kinetic] = 0.5 * inertia(p) * x[S.thetadot] * x[S.thetadot]
    y[Y.potential] = p[P.m] * p[P.g] * p[P.l] * math.cos(x[S.theta])
    y[Y.energy] = y[Y.kinetic] + y[Y.potential]


def inertia(p):
    """Return J, about a foot [kg m^2]."""
    return p[P.m] * p[P.l] * p[P.l] + p[P.I]


def poses(T, t, x, p, chart):
    """Of more spokes than are drawn, those next to the ground are; the first one is on it."""
    n, length, slope = int(p[P.n]), p[P.l], p[P.slope]
    incline = x[S.theta] - slope
    height = length * math.cos(incline)
    along_hub = x[S.walked] + length * math.sin(incline)
    hub = world(along_hub, height, slope)
    T[BODY.hub] = placed(hub)
    for k in range(MAX_SPOKES):
        if k >= n:
            T[BODY.spoke_0 + k] = T[BODY.foot_0 + k] = HIDDEN
            continue
        turns = (k + 1) // 2 if k % 2 else -(k // 2)  # 0, 1, -1, 2, -2, ..
        along, above = length * leg_direction(incline + turns * 2.0 * math.pi / n)
        foot = world(along_hub - along, height - above, slope)
        T[BODY.spoke_0 + k] = between(foot, hub)
        T[BODY.foot_0 + k] = placed(foot)


MODEL = Model(
    "rimless_wheel",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    scene=SCENE,
    doc="The rimless wheel: rolls down a slope from spoke to spoke, or comes to rest on two (McGeer 1990)",
)
