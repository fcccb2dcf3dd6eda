"""Force and moment of all that acts on a mechanism from outside, from how it moves (Newton and Euler)."""

from .dynamics import tensor_times
from .tree import (
    FORCE,
    FRAME_SIZE,
    MOMENT,
    ORIGIN,
    PRISMATIC,
    SUM_SIZE,
    TENSOR,
    TORQUE,
    TOTAL_MASS,
    WRENCH_SIZE,
    axes_of,
    speeds_of,
    sums_of,
    wrenches_of,
)
from .vectors import Vector, cross, minus, plus, times, vector_at


def external_wrench(motion, tree, udot, point):
    """Return force and moment about a point of the world of everything from outside but gravity.

    They are the rates of momentum and angular momentum, less those that the weights make. Forces between bodies do not
    enter, so that this is what the ground must give, also in directions in which the mechanism has no speed.

    Parameters
    ----------
    motion : (size,) array
        As `mass_matrix` and `inertia_forces` leave it.
    tree : Tree
        The mechanism.
    udot : (n_speeds,) array
        Rates of the speeds.
    point : Vector
        The point [m].

    Returns
    -------
    tuple of two Vector
        Force [N] and moment about the point [N m], in the axes of the world.
    """
    axes, sums, wrenches = axes_of(tree), sums_of(tree), wrenches_of(tree)
    force, moment = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    for frame in range(1, tree.n_frames):
        arm = minus(vector_at(motion, frame * FRAME_SIZE + ORIGIN), point)
        if tree.parent[frame] == 0:
            held = vector_at(motion, wrenches + frame * WRENCH_SIZE + FORCE)
            force = plus(force, held)
            moment = plus(moment, plus(vector_at(motion, wrenches + frame * WRENCH_SIZE + TORQUE), cross(arm, held)))
        total = sums + frame * SUM_SIZE
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            axis = times(udot[j], vector_at(motion, axes + 3 * j))
            if tree.kind[frame] == PRISMATIC:
                push = times(motion[total + TOTAL_MASS], axis)
                turn = cross(vector_at(motion, total + MOMENT), axis)
            else:
                push = cross(axis, vector_at(motion, total + MOMENT))
                turn = tensor_times(motion, total + TENSOR, axis)
            force = plus(force, push)
            moment = plus(moment, plus(turn, cross(arm, push)))
    return force, moment
