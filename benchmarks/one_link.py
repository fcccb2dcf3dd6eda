"""One link on a cart, held upright by a torque T = -K x: the problem of Moore and van den Bogert, with n = 1.

Mass 1 kg each, length 1 m; spring 10 N/m and damper 5 N s/m hold the cart; 9.81 m/s^2. The state is the position of the
cart and the angle of the link from upright, and their rates.
"""

import math

from hybridsim import Input, Model, Parameter, Records, State

STATES = Records(State("q0", 0.0, "m"), State("q1", 0.0, "rad"), State("u0", 0.0, "m/s"), State("u1", 0.0, "rad/s"))
PARAMETERS = Records(*(Parameter(f"k{i}", 0.0) for i in range(4)))
INPUTS = Records(Input("force", 0.0, "N", "on the cart"))


def vector_field(xdot, t, x, p, chart):
    sine, cosine = math.sin(x[1]), math.cos(x[1])
    torque = -p[0] * x[0] - p[1] * x[1] - p[2] * x[2] - p[3] * x[3]
    on_cart = p[4] - 10.0 * x[0] - 5.0 * x[2] - sine * x[3] * x[3]
    on_link = 9.81 * sine + torque
    determinant = 2.0 - cosine * cosine
    xdot[0] = x[2]
    xdot[1] = x[3]
    xdot[2] = (on_cart + cosine * on_link) / determinant
    xdot[3] = (cosine * on_cart + 2.0 * on_link) / determinant


MODEL = Model("one_link", STATES, vector_field=vector_field, parameters=PARAMETERS, inputs=INPUTS)
