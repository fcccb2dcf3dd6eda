"""A block on a rough table, with friction in the vector field and no chart in which it sticks."""

import math

from hybridsim import Model, Records, State


def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = math.sin(t) - math.copysign(2.0, x[1])


MODEL = Model("rubbing", Records(State("y", 0.0, "m"), State("v", 0.01, "m/s")), vector_field=vector_field, doc=__doc__)
