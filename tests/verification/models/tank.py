"""A tank empties through a hole (Torricelli) into a bucket: its level is zero from a finite time on.

Nothing tells an empty tank when it has become empty, so that no flow leads backwards from there.
"""

from hybridsim import Model, Records, State

STATES = Records(State("level", 1.0, "m"), State("bucket", 0.0, "m"))


def vector_field(xdot, t, x, p, chart):
    xdot[0] = -(max(x[0], 0.0) ** 0.5)
    xdot[1] = max(x[0], 0.0) ** 0.5


MODEL = Model("tank", STATES, vector_field=vector_field)
