"""A pole that hangs from a cart on a rail, with a force on the cart (masses and length of Kelly 2017, section 6)."""

import math

from hybridsim import Input, Model, Records, State

CART, POLE, LENGTH, GRAVITY = 1.0, 0.3, 0.5, 9.81


def vector_field(xdot, t, x, p, chart):
    s, c, force = math.sin(x[1]), math.cos(x[1]), p[0]
    along = force + POLE * s * (LENGTH * x[3] ** 2 + GRAVITY * c)
    across = -(force * c + POLE * LENGTH * x[3] ** 2 * c * s + (CART + POLE) * GRAVITY * s)
    moved = CART + POLE * s * s
    xdot[0] = x[2]
    xdot[1] = x[3]
    xdot[2] = along / moved
    xdot[3] = across / (LENGTH * moved)


MODEL = Model(
    "cart_pole",
    Records(
        State("q", 0.0, "m", "of the cart"),
        State("theta", 0.0, "rad", "of the pole, from hanging down"),
        State("qdot", 0.0, "m/s"),
        State("thetadot", 0.0, "rad/s"),
    ),
    vector_field=vector_field,
    inputs=Records(Input("force", 0.0, "N", "on the cart")),
)
