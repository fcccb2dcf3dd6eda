"""n links on a cart, held upright by torques at their joints, T = -K x (equations of Moore and van den Bogert 2014).

All masses are 1 kg, all lengths 1 m; a spring and a damper hold the cart. The state is the position of the cart and the
angles of the links from upright, and then their rates. Row j of the gains K is that of the joint below link j.
"""

import math

from hybridsim import Input, Model, Parameter, Records, State, scratch

SPRING, DAMPER, GRAVITY = 10.0, 5.0, 9.81
SQUARED, ABOVE = 11 * 11, 12  # room for ten links


def slopes(xdot, x, p, n):
    """Write the slopes of n links: the forces on the right of the equations of motion, over the mass matrix."""
    size = n + 1
    mass, torque = scratch(SQUARED), scratch(ABOVE)
    torques(torque, x, p, n)
    for i in range(size):
        xdot[i] = x[size + i]
    xdot[size] = p[1] - SPRING * x[0] - DAMPER * x[size]
    mass[0] = size
    for j in range(1, size):
        above = size - j  # masses from link j on
        mass[j] = mass[j * size] = -above * math.cos(x[j])
        xdot[size] -= above * math.sin(x[j]) * x[size + j] * x[size + j]
        xdot[size + j] = GRAVITY * above * math.sin(x[j]) + torque[j] - torque[j + 1]
        for i in range(1, size):
            both = size - max(i, j)
            mass[j * size + i] = both * math.cos(x[j] - x[i])
            xdot[size + j] -= both * math.sin(x[j] - x[i]) * x[size + i] * x[size + i]
    eliminate(mass, xdot, size)


def torques(torque, x, p, n):
    """Write the torques below each link, and 0 for the cart and beyond the last link."""
    k, columns = int(p[0]), 2 * (n + 1)
    torque[0] = torque[n + 1] = 0.0
    for j in range(n):
        torque[j + 1] = 0.0
        for i in range(columns):
            torque[j + 1] -= p[k + j * columns + i] * x[i]


def eliminate(mass, xdot, size):
    """Solve mass u' = forces by Gauss's elimination; the forces are the second half of xdot, and become u'."""
    for i in range(size):
        for j in range(i + 1, size):
            factor = mass[j * size + i] / mass[i * size + i]
            for column in range(i, size):
                mass[j * size + column] -= factor * mass[i * size + column]
            xdot[size + j] -= factor * xdot[size + i]
    for back in range(size):
        i = size - 1 - back
        for j in range(i + 1, size):
            xdot[size + i] -= mass[i * size + j] * xdot[size + j]
        xdot[size + i] /= mass[i * size + i]


def cart(n):
    """Return the model of n links, at most ten."""

    def vector_field(xdot, t, x, p, chart):
        slopes(xdot, x, p, n)

    units = [("m", "m/s"), *[("rad", "rad/s")] * n]
    return Model(
        f"cart_with_{n}_links",
        Records(
            *(State(f"q{i}", 0.0, unit) for i, (unit, _) in enumerate(units)),
            *(State(f"u{i}", 0.0, unit) for i, (_, unit) in enumerate(units)),
        ),
        vector_field=vector_field,
        parameters=Records(Parameter("gains", (0.0,) * (2 * n * (n + 1)), "", "row by row")),
        inputs=Records(Input("force", 0.0, "N", "on the cart")),
    )
