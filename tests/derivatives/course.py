"""A model with one chart, or two, for each kind of event: the parameter `course` says in which the run begins."""

import math

from hybridsim import DECLINED, Boundary, Chart, Model, Parameter, Records, State

STATES = Records(State("x", 0.3), State("y", 1.0), State("v", 0.4))
PARAMETERS = Records(
    Parameter("course", 0, integer=True),
    Parameter("k", 1.2),
    Parameter("push", 0.5),
    Parameter("edge", 0.7),
    Parameter("begin", 0.0, "s"),
)
CHARTS = Records(
    *(Chart(name) for name in ("free", "falling", "timed", "dipping", "above", "below")),
    *(Chart(name) for name in ("tied", "first", "second", "declining", "given_above", "given_below")),
)
BOUNDARIES = Records(
    Boundary("floor"),
    Boundary("bell", time=True),
    Boundary("dip", touch="trigger"),
    Boundary("from_above"),
    Boundary("from_below"),
    Boundary("tie_a"),
    Boundary("tie_b"),
    Boundary("at_once"),
    Boundary("ignored"),
)
S, P, C, B = STATES.indices, PARAMETERS.indices, CHARTS.indices, BOUNDARIES.indices


def surface(t, x, p):
    """Zero where `above` and `below` meet: a curved surface that moves."""
    return x[S.v] - p[P.edge] * math.sin(x[S.x]) - 0.1 * x[S.y] * x[S.y] - 0.05 * math.cos(t - p[P.begin])


def vector_field(xdot, t, x, p, chart):
    xdot[S.x] = x[S.v]
    xdot[S.y] = 1.0
    if chart in (C.above, C.given_above):
        xdot[S.v] = 2.0 * x[S.y] - 2.0 * p[P.k] - 0.3 * x[S.x]
    elif chart in (C.below, C.given_below):
        xdot[S.v] = p[P.k] - 0.2 * x[S.v]
    elif chart == C.dipping:
        xdot[S.y] = x[S.v] + 0.1 * x[S.x]
        xdot[S.v] = p[P.k]
    else:
        xdot[S.y] = x[S.v]
        xdot[S.v] = -p[P.k] - 0.1 * x[S.v] * x[S.v] + 0.2 * math.sin(x[S.x])


def boundaries(g, t, x, p, chart):
    if chart == C.falling:
        g[B.floor] = x[S.y] - 0.1 * math.sin(x[S.x])
    elif chart == C.timed:
        g[B.bell] = p[P.edge] + p[P.begin] - t
    elif chart == C.dipping:
        g[B.dip] = x[S.y] - 0.3 * p[P.edge] * x[S.x]
    elif chart in (C.above, C.given_above):
        g[B.from_above] = surface(t, x, p)
    elif chart in (C.below, C.given_below):
        g[B.from_below] = -surface(t, x, p)
    elif chart == C.tied:
        g[B.tie_a], g[B.tie_b] = x[S.y], 2.0 * x[S.y] + p[P.push] - 0.5
    elif chart == C.first:
        g[B.floor] = x[S.y]
    elif chart == C.second:
        g[B.at_once] = x[S.x] - p[P.edge]
    elif chart == C.declining:
        g[B.ignored], g[B.floor] = x[S.y] - 0.5, x[S.y]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.ignored]:
        return DECLINED
    if chart in (C.above, C.below):
        return C.above + C.below - chart
    if chart in (C.given_above, C.given_below):
        return C.given_above + C.given_below - chart
    if chart == C.first:
        x_new[S.x] = p[P.edge]
        return C.second
    x_new[S.v] = -p[P.push] * x[S.v] + 0.1 * x[S.x] * math.cos(t - p[P.begin])
    if chart == C.dipping:
        x_new[S.v] = x[S.v] - p[P.push]
    return C.falling if chart == C.falling else C.free


def sliding_field(xdot, t, x, p, chart, adjacent_chart):
    """Filippov's field on the surface between `above` and `below`, by hand."""
    slope = x[S.v] * p[P.edge] * math.cos(x[S.x]) + 0.2 * x[S.y] - 0.05 * math.sin(t - p[P.begin])
    xdot[S.x], xdot[S.y], xdot[S.v] = x[S.v], 1.0, slope


def initial_chart(x_new, t, x, p):
    x_new[S.v] = x[S.v] * (1.0 + 0.1 * p[P.push])
    return int(p[P.course])


def course(**functions):
    return Model(
        "course",
        STATES,
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        initial_chart=initial_chart,
        parameters=PARAMETERS,
        charts=CHARTS,
        boundary_records=BOUNDARIES,
        **functions,
    )


COURSE = course()
GIVEN = course(sliding_field=sliding_field)
"""The same with a field for its slides."""
