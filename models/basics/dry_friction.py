"""A block on a spring that rubs on a moving belt: xddot = -k x - F sgn(v - belt), per unit of mass.

Where the block has the speed of the belt, friction from both sides holds it there, as long as the spring does not pull
harder than F: the run slides along v = belt (Filippov 1988). Nothing in the model says "stick"; compare `stick_slip`,
which has a chart for it, and so can hold the block with more than the friction of slipping.
"""

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State

STATES = Records(State("x", 1.0, "m", "stretch of the spring"), State("v", 0.0, "m/s", "speed of the block"))
PARAMETERS = Records(
    Parameter("stiffness", 1.0, "1/s^2", "k: of the spring, per unit of mass", lower=0.0),
    Parameter("friction", 0.3, "m/s^2", "F: of the belt, per unit of mass", lower=0.0),
    Parameter("belt", 0.0, "m/s", "speed of the belt"),
)
CHARTS = Records(Chart("faster", "the block outruns the belt"), Chart("slower", "the belt outruns the block"))
BOUNDARIES = Records(
    Boundary("slows_down", "the block comes down to the speed of the belt", "m/s", degree=1),
    Boundary("speeds_up", "the block comes up to the speed of the belt", "m/s", degree=1),
)
OUTPUTS = Records(Output("x", "m"), Output("v", "m/s"), Output("friction_force", "m/s^2", "of the belt on the block"))
X, V = STATES.index("x"), STATES.index("v")
STIFFNESS, FRICTION, BELT = (PARAMETERS.index(name) for name in ("stiffness", "friction", "belt"))
FASTER, SLOWER = CHARTS.index("faster"), CHARTS.index("slower")
SLOWS_DOWN, SPEEDS_UP = BOUNDARIES.index("slows_down"), BOUNDARIES.index("speeds_up")


def force(p, chart):
    """Of the belt on the block."""
    return -p[FRICTION] if chart == FASTER else p[FRICTION]


def vector_field(xdot, t, x, p, chart):
    xdot[X] = x[V]
    xdot[V] = -p[STIFFNESS] * x[X] + force(p, chart)


def boundaries(g, t, x, p, chart):
    if chart == FASTER:
        g[SLOWS_DOWN] = x[V] - p[BELT]
    else:
        g[SPEEDS_UP] = p[BELT] - x[V]


def transition(x_new, t, x, p, chart, crossed):
    return SLOWER if chart == FASTER else FASTER


def initial_chart(x_new, t, x, p):
    return FASTER if x[V] > p[BELT] else SLOWER


def outputs(y, t, x, p, chart):
    y[0], y[1], y[2] = x[X], x[V], force(p, chart)


MODEL = Model(
    "dry_friction",
    STATES,
    (vector_field, boundaries, transition, initial_chart, outputs),
    PARAMETERS,
    charts=CHARTS,
    boundaries=BOUNDARIES,
    outputs=OUTPUTS,
    doc="A block on a spring and a moving belt: dry friction, sticking as a slide",
)
