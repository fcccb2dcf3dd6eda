"""Predator and prey (Lotka 1925, Volterra 1926). Time is in years."""

from hybridsim import Model, Parameter, Records, State

PARAMETERS = Records(
    Parameter("births", 0.5, "1/a", "of prey", lower=0.0),
    Parameter("eaten", 0.02, "1/a", "prey, for each predator", lower=0.0),
    Parameter("deaths", 0.8, "1/a", "of predators", lower=0.0),
    Parameter("fed", 0.02, "1/a", "predators, for each prey", lower=0.0),
)
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[0] * (p[P.births] - p[P.eaten] * x[1])
    xdot[1] = x[1] * (p[P.fed] * x[0] - p[P.deaths])


MODEL = Model(
    "predator_prey",
    Records(State("prey", 30.0, "", "thousands", lower=0.0), State("predators", 4.0, "", "thousands", lower=0.0)),
    vector_field=vector_field,
    parameters=PARAMETERS,
)
