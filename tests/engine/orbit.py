"""A planet around a sun with GM = 1, from its perihelion; the semi-major axis is 1, so a year lasts 2 pi."""

import math

from hybridsim import Model, Parameter, Records, State

STATES = Records(State("x"), State("y"), State("vx"), State("vy"))
PARAMETERS = Records(Parameter("eccentricity", 0.3))


def vector_field(xdot, t, x, p, chart):
    inverse_cube = (x[0] * x[0] + x[1] * x[1]) ** -1.5
    xdot[0] = x[2]
    xdot[1] = x[3]
    xdot[2] = -x[0] * inverse_cube
    xdot[3] = -x[1] * inverse_cube


def initial_chart(x_new, t, x, p):
    x_new[0] = 1.0 - p[0]
    x_new[3] = math.sqrt((1.0 + p[0]) / (1.0 - p[0]))
    return 0


MODEL = Model("orbit", STATES, vector_field=vector_field, initial_chart=initial_chart, parameters=PARAMETERS)
