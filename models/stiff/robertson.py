"""Three reactions whose rates differ by nine powers of ten: A -> B slowly, 2 B -> B + C at once, B + C -> A + C fast.

    adot = -slow a + fast b c,  bdot = slow a - fast b c - fastest b^2,  cdot = fastest b^2

The amounts add up to what they were. B appears within a millisecond, and stays as rare as its reactions balance; the
rest takes 1e11 s. (Robertson 1966; Hairer, Wanner: Solving Ordinary Differential Equations II, 1996, IV.1, equation
1.4.)
"""

from hybridsim import Model, Output, Parameter, Records, State

STATES = Records(
    State("a", 1.0, "", "amount of A", lower=0.0),
    State("b", 0.0, "", "amount of B"),
    State("c", 0.0, "", "amount of C"),
)
PARAMETERS = Records(
    Parameter("slow", 0.04, "1/s", "rate of A -> B", lower=0.0),
    Parameter("fast", 1e4, "1/s", "rate of B + C -> A + C", lower=0.0),
    Parameter("fastest", 3e7, "1/s", "rate of 2 B -> B + C", lower=0.0),
)
OUTPUTS = Records(
    Output("time", "s"),
    Output("a", "", "amount of A"),
    Output("b", "", "amount of B"),
    Output("c", "", "amount of C"),
    Output("total", "", "amount of all three, which stays"),
)
S = STATES.indices
P = PARAMETERS.indices
Y = OUTPUTS.indices


def vector_field(xdot, t, x, p, chart):
    slow, fast, fastest = p[P.slow] * x[S.a], p[P.fast] * x[S.b] * x[S.c], p[P.fastest] * x[S.b] * x[S.b]
    xdot[S.a] = fast - slow
    xdot[S.b] = slow - fast - fastest
    xdot[S.c] = fastest


def outputs(y, t, x, p, chart):
    y[Y.time] = t
    y[Y.a], y[Y.b], y[Y.c] = x[S.a], x[S.b], x[S.c]
    y[Y.total] = x[S.a] + x[S.b] + x[S.c]


MODEL = Model(
    "robertson",
    STATES,
    vector_field=vector_field,
    parameters=PARAMETERS,
    outputs=outputs,
    output_records=OUTPUTS,
    doc="Robertson's chemical reactions, with rates from 0.04 to 3e7 per second",
)
