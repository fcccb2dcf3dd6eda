"""A motor with a permanent magnet: the current through its winding, and the speed of its shaft."""

from hybridsim import Input, Model, Parameter, Records, State

PARAMETERS = Records(
    Parameter("resistance", 1.0, "ohm", lower=0.0),
    Parameter("inductance", 0.05, "H", lower=1e-6),
    Parameter("constant", 0.1, "N m/A", "torque over current, and voltage over speed"),
    Parameter("inertia", 0.002, "kg m^2", lower=1e-6),
    Parameter("friction", 0.001, "N m s", lower=0.0),
)
P = PARAMETERS.indices
VOLTAGE = len(PARAMETERS)


def vector_field(xdot, t, x, p, chart):
    current, speed = x[0], x[1]
    xdot[0] = (p[VOLTAGE] - p[P.resistance] * current - p[P.constant] * speed) / p[P.inductance]
    xdot[1] = (p[P.constant] * current - p[P.friction] * speed) / p[P.inertia]


MODEL = Model(
    "dc_motor",
    Records(State("current", 0.0, "A"), State("speed", 0.0, "rad/s")),
    vector_field=vector_field,
    parameters=PARAMETERS,
    inputs=Records(Input("voltage", 0.0, "V")),
)
