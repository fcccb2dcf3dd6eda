"""A ball that bounces on a table, which vibrates up and down: s = A sin(phase), phase' = w, A w^2 = acceleration * g.

The states are those of the ball as the table sees it, so that resting on it is standing still. In free flight the ball
falls toward the table with the pull g (1 - acceleration sin(phase)); at the table its rate becomes -e rate. While the
pull is positive, infinitely many bounces bring the ball to rest there in finite time (chattering). It then moves with
the table, in the chart `resting`, until the pull falls to zero, at sin(phase) = 1 / acceleration. There the ball lifts
off, at first by less than rounding; it cannot touch the table while that falls faster than it does (`rising`). Once a
period of the table the boundary `period` sets the phase back by 2 pi; it changes nothing else, and is the section of
the stroboscopic map.

One bounce in n periods T of the table. (P. J. Holmes, J. Sound Vib. 84, 1982, for an approximate map, in which the
table stays at its mean height; J. M. Luck and A. Mehta, Phys. Rev. E 48, 1993, for the exact one.) The ball lands where
it has left, after n T, so it leaves with the speed V = g n T / 2 and lands with -V. The impact, V - s' = e (V + s'),
gives the speed of the table s' = V (1 - e) / (1 + e), that is

    acceleration cos(phase) = n pi (1 - e) / (1 + e)

and such a motion exists from acceleration = n pi (1 - e) / (1 + e) on. Let an impact be later by d and the speed after
it higher by u; at the next impact they are d + a u and c d + (a c + e^2) u, with a = (1 + e) / g and c = (1 + e) s''.
The map has the determinant e^2 and the trace 1 + e^2 - (1 + e)^2 acceleration sin(phase). A multiplier is -1, and the
motion doubles its period, where the trace is -(1 + e^2), that is

    acceleration sin(phase) = 2 (1 + e^2) / (1 + e)^2

so that acceleration^2 is the sum of the squares of the two right-hand sides.
"""

import math

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State
from hybridsim.scene import Body, Box, Camera, Ground, Scene, Sphere, placed

FULL_TURN = 2.0 * math.pi
STATES = Records(
    State("gap", 0.0, "m", "height of the ball above the table", lower=0.0),
    State("rate", 0.0, "m/s", "upward speed of the ball, seen from the table"),
    State("phase", 0.0, "rad", "of the table; set back by 2 pi each period", lower=0.0, upper=FULL_TURN),
)
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2", lower=1e-6),
    Parameter("frequency", 5.0, "Hz", "of the table", lower=1e-6),
    Parameter("acceleration", 1.3, "", "greatest acceleration of the table / gravity", lower=0.0),
    Parameter("restitution", 0.5, "", "e: rate after a bounce / before", lower=0.0, upper=1.0),
)
CHARTS = Records(
    Chart("bouncing"),
    Chart("resting", "moves with the table"),
    Chart("rising", "has lifted off from rest; the table falls faster than the ball, and cannot touch it"),
)
BOUNDARIES = Records(
    Boundary("table", "the ball hits the table", "m", degree=1, rest="resting"),
    Boundary("liftoff", "the table falls away from under the resting ball", "m/s^2"),
    Boundary("slowdown", "the table no longer falls faster than the ball that has lifted off", "m/s^2"),
    Boundary("period", "a period of the table is over", "rad", degree=1),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("height", "m", "of the ball above the table's mean height"),
    Output("speed", "m/s", "upward"),
    Output("table_height", "m", "of the table above its mean height"),
    Output("gap", "m", "height of the ball above the table"),
    Output("phase", "rad", "of the table"),
)
RADIUS, TOP = 0.02, 0.01  # of the ball; half the thickness of the table's top [m]
SCENE = Scene(
    bodies=Records(Body("ball", Sphere(RADIUS), "#c8553d"), Body("plate", Box((0.3, 0.3, 2.0 * TOP)), "#3f5f7f")),
    ground=Ground(height=-0.12, checker=0.05),
    camera=Camera(at=(0.0, 0.0, 0.05), distance=0.9, view=(0.3, 1.0, -0.2)),
    outputs=("height", "table_height"),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.phase] = FULL_TURN * p[P.frequency]
    if chart != C.resting:
        xdot[S.gap] = x[S.rate]
        xdot[S.rate] = -pull(x, p)


def boundaries(g, t, x, p, chart):
    g[B.period] = FULL_TURN - x[S.phase]
    if chart == C.bouncing:
        g[B.table] = x[S.gap]
    elif chart == C.resting:
        g[B.liftoff] = pull(x, p)
    else:
        g[B.slowdown] = -pull(x, p)


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.period]:
        x_new[S.phase] = x[S.phase] - FULL_TURN
    if crossed[B.liftoff]:
        x_new[S.gap] = 0.0
        x_new[S.rate] = 0.0
        return C.rising
    if crossed[B.slowdown]:
        return C.bouncing
    if crossed[B.table]:
        x_new[S.rate] = -p[P.restitution] * x[S.rate]
        return chart_on_the_table(x_new, p)
    return chart


def initial_chart(x_new, t, x, p):
    return chart_on_the_table(x, p) if x[S.gap] == 0.0 else C.bouncing


def chart_on_the_table(x, p):
    if x[S.rate] != 0.0:
        return C.bouncing
    return C.resting if pull(x, p) > 0.0 else C.rising


def pull(x, p):
    """The acceleration with which the free ball approaches the table [m/s^2]."""
    return p[P.gravity] * (1.0 - p[P.acceleration] * math.sin(x[S.phase]))


def amplitude(p):
    return p[P.acceleration] * p[P.gravity] / (FULL_TURN * p[P.frequency]) ** 2


def outputs(y, t, x, p, chart):
    table, speed = amplitude(p) * math.sin(x[S.phase]), FULL_TURN * p[P.frequency] * amplitude(p) * math.cos(x[S.phase])
    y[Y.time], y[Y.gap], y[Y.phase] = t, x[S.gap], x[S.phase]
    y[Y.height] = table + x[S.gap]
    y[Y.speed] = speed + x[S.rate]
    y[Y.table_height] = table


def poses(T, t, x, p, chart):
    table = amplitude(p) * math.sin(x[S.phase])
    T[BODY.ball] = placed((0.0, 0.0, table + x[S.gap] + RADIUS))
    T[BODY.plate] = placed((0.0, 0.0, table - TOP))


MODEL = Model(
    "vibrating_table",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    scene=SCENE,
    plots=("height", "table_height", "chart"),
    doc="A ball that bounces on a vibrating table, rests on it, and lifts off",
)
