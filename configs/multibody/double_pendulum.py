"""A double pendulum: two uniform rods of 1 m and 1 kg."""

from hybridsim import Model, scratch, subarray
from hybridsim.multibody import Body, Mechanism, Revolute, coordinate_rates, forward_dynamics, scene_of

ROD = {"mass": 1.0, "centre": (0.0, 0.0, -0.5), "inertia": (1 / 12, 1 / 12, 0.0)}
PENDULUM = Mechanism(
    Body("upper", Revolute("hip", "y"), **ROD),
    Body("lower", Revolute("knee", "y", place=(0.0, 0.0, -1.0)), parent="upper", **ROD),
)
TREE, DATA, GRAVITY, SIZE = PENDULUM.tree, PENDULUM.data, PENDULUM.gravity, PENDULUM.size
Q, U = TREE.n_coordinates, TREE.n_speeds


def vector_field(xdot, t, x, p, chart):
    u = subarray(x, Q, U)  # the state is q, and then u
    coordinate_rates(xdot, TREE, x, u)
    forward_dynamics(subarray(xdot, Q, U), TREE, DATA, x, u, GRAVITY, scratch(SIZE))


SCENE, poses = scene_of(PENDULUM)
MODEL = Model(
    "double_pendulum", PENDULUM.states(hip=2.1, knee=0.5), vector_field=vector_field, scene=SCENE, poses=poses
)
