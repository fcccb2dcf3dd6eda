"""Two quantities that change steadily and pass a threshold each; an alarm at a given time sets both anew.

At the threshold a quantity is put `back`, or passes: then the chart remembers on which side it is, and the alarm's
transition, which may carry it across, answers for that. The band is a boundary that is there where `top` lies over the
threshold: it is positive between the two.
"""

from hybridsim import Boundary, Model, Parameter, Records, State

N = 2
STATES = Records(State("y_1"), State("y_2"))
PARAMETERS = Records(
    Parameter("rate_1", 1.0),
    Parameter("rate_2", 2.0),
    Parameter("threshold", 1.0),
    Parameter("response", "back", choices=("back", "pass")),
    Parameter("back", 0.0),
    Parameter("alarm_time", 1e9, "s"),
    Parameter("alarm_value", 0.0, "", "what the alarm sets both to"),
    Parameter("top", -1e9),
)
BOUNDARIES = Records(
    Boundary("reaches_1", degree=1),
    Boundary("reaches_2", degree=1),
    Boundary("alarm", time=True),
    Boundary("leaves_band", degree=2, armed="when_positive"),
)
THRESHOLD, RESPONSE, BACK, ALARM_TIME, ALARM_VALUE, TOP = range(2, len(PARAMETERS))
ALARM, LEAVES_BAND = range(N, len(BOUNDARIES))
RUNG = 1 << N
"""The bit of the chart that is set after the alarm; the lower bits show which states have passed their thresholds."""


def vector_field(xdot, t, x, p, chart):
    for i in range(N):
        xdot[i] = p[i]


def boundaries(g, t, x, p, chart):
    for i in range(N):
        if p[TOP] < p[THRESHOLD] and not chart >> i & 1:
            g[i] = ahead(i, x, p)
    if chart < RUNG:
        g[ALARM] = p[ALARM_TIME] - t
    if p[TOP] > p[THRESHOLD]:
        g[LEAVES_BAND] = (x[0] - p[THRESHOLD]) * (p[TOP] - x[0])


def transition(x_new, t, x, p, chart, crossed):
    for i in range(N):
        if crossed[i] and p[RESPONSE] == 0.0:
            x_new[i] = p[BACK]
        elif crossed[i]:
            chart |= 1 << i
    if crossed[ALARM]:
        for i in range(N):
            x_new[i] = p[ALARM_VALUE]
        return RUNG + sides(x_new, p)
    return chart


def initial_chart(x_new, t, x, p):
    return sides(x, p)


def ahead(i, x, p):
    """How far the threshold lies ahead of quantity i."""
    return p[THRESHOLD] - x[i] if p[i] > 0.0 else x[i] - p[THRESHOLD]


def sides(x, p):
    chart = 0
    for i in range(N):
        if ahead(i, x, p) < 0.0:
            chart |= 1 << i
    return chart


MODEL = Model(
    "thresholds",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    chart_fields={"passed_1": 1, "passed_2": 1, "rung": 1},
    boundary_records=BOUNDARIES,
)
