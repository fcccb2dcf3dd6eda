"""Models for sweeps, each for one thing that the package's own models do not have."""

import math

from hybridsim import DECLINED, Boundary, Model, Output, Parameter, Records, State


def stiffness(p):
    """So many springs of one kind side by side."""
    return p[1] * p[int(p[2]) + int(p[0])]


def springs():
    """A mass on springs above a table; there is no state for a start too fast upwards, downwards no chart."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -stiffness(p) * x[0]

    def boundaries(g, t, x, p, chart):
        g[0] = x[0] + 0.5

    def transition(x_new, t, x, p, chart, crossed):
        x_new[1] = -x[1]
        return 0

    def initial_chart(x_new, t, x, p):
        if x[1] > 5.0:
            x_new[0] = math.nan
        return 1 if x[1] < -5.0 else 0

    def outputs(y, t, x, p, chart):
        y[0] = stiffness(p) * x[0]

    return Model(
        "springs",
        Records(State("z", 1.0), State("v")),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        initial_chart=initial_chart,
        outputs=outputs,
        parameters=Records(
            Parameter("spring", "medium", choices=("soft", "medium", "stiff")),
            Parameter("n_springs", 1, integer=True),
            Parameter("stiffnesses", (0.5, 1.0, 2.5)),
        ),
        boundary_records=Records(Boundary("table", degree=1)),
        output_records=Records(Output("pull")),
    )


def decay():
    """xdot = -rate x, and nothing else: no boundary, no output, no chart to choose."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = -p[0] * x[0]

    return Model(
        "decay",
        Records(State("x", 1.0)),
        vector_field=vector_field,
        parameters=Records(Parameter("rate", 1.0)),
    )


def dips():
    """A point that moves with speed 1 over a hollow, deepest at z = 1, where it misses the ground by a gap."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = 1.0

    def boundaries(g, t, x, p, chart):
        g[0] = (x[0] - 1.0) ** 2 + p[0]

    def transition(x_new, t, x, p, chart, crossed):
        return DECLINED

    def outputs(y, t, x, p, chart):
        y[0] = (x[0] - 1.0) ** 2 + p[0]
        y[1] = -y[0]

    return Model(
        "dips",
        Records(State("z")),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        outputs=outputs,
        parameters=Records(Parameter("gap", 1e-3)),
        boundary_records=Records(Boundary("hollow", degree=2)),
        output_records=Records(Output("height"), Output("drop")),
    )


def two_slides():
    """Slides along x = 0 from t = 1 to 4, begun from below, and again from above: from 4 to 6 the upper flow rises.

    A touch at t = 2 is only reported; there a third of the lamp's light, 100, shines: the upper chart's share.
    """

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = 1.0 if chart == 0 else 0.25 * (t - 4.0) * (6.0 - t)

    def boundaries(g, t, x, p, chart):
        if chart == 0:
            g[0] = -x[0]
        else:
            g[1] = x[0]
        g[2] = (t - 2.0) ** 2 + 1e-3

    def transition(x_new, t, x, p, chart, crossed):
        if crossed[2]:
            return DECLINED
        return 1 - chart

    def outputs(y, t, x, p, chart):
        y[0] = 0.0 if chart == 0 else 1.0 / ((t - 2.0) ** 2 + 1e-2)

    return Model(
        "two_slides",
        Records(State("x", -1.0)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        outputs=outputs,
        charts=("below", "above"),
        boundary_records=Records(Boundary("up", degree=1), Boundary("down", degree=1), Boundary("flicker", degree=2)),
        output_records=Records(Output("lamp")),
    )
