"""A projectile thrown upwards through a level: it passes twice, and near the top the two passages lie close together.

What is crossed in both directions takes two charts, each with the boundary that leads out of it. The transition leaves
the state as it is.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("y", 0.0, "m", "height"), State("v", 10.0, "m/s", "upward speed"))
PARAMETERS = Records(Parameter("gravity", 9.81, "m/s^2"), Parameter("level", 5.0, "m", "height of the level"))
CHARTS = Records(Chart("below", "under the level"), Chart("above", "over the level"))
BOUNDARIES = Records(
    Boundary("rises", "the projectile reaches the level from below", "m", degree=1),
    Boundary("falls", "the projectile reaches the level from above", "m", degree=1),
)
Y, V = STATES.index("y"), STATES.index("v")
GRAVITY, LEVEL = PARAMETERS.index("gravity"), PARAMETERS.index("level")
BELOW, ABOVE = CHARTS.index("below"), CHARTS.index("above")
RISES, FALLS = BOUNDARIES.index("rises"), BOUNDARIES.index("falls")


def vector_field(xdot, t, x, p, chart):
    xdot[Y] = x[V]
    xdot[V] = -p[GRAVITY]


def boundaries(g, t, x, p, chart):
    if chart == BELOW:
        g[RISES] = p[LEVEL] - x[Y]
    else:
        g[FALLS] = x[Y] - p[LEVEL]


def transition(x_new, t, x, p, chart, crossed):
    return ABOVE if chart == BELOW else BELOW


def initial_chart(x_new, t, x, p):
    return ABOVE if x[Y] > p[LEVEL] else BELOW


MODEL = Model(
    "projectile",
    STATES,
    (vector_field, boundaries, transition, initial_chart),
    PARAMETERS,
    charts=CHARTS,
    boundaries=BOUNDARIES,
    doc="A projectile through a level: two crossings that may lie arbitrarily close together",
)
