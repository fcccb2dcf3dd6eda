"""A block on a smooth floor, with a force."""

from hybridsim import Input, Model, Records, State


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[0]


MODEL = Model(
    "block",
    Records(State("x", 0.0, "m"), State("v", 0.0, "m/s")),
    vector_field=vector_field,
    inputs=Records(Input("u", 0.0, "m/s^2", "force over mass")),
)
