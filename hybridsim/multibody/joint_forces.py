"""Springs, dampers and limits of joints."""

from .tree import DAMPING, LOWER, PRISMATIC, REST, REVOLUTE, SPRING_SIZE, STIFFNESS, UPPER, speeds_of, springs_of


def add_joint_forces(forces, tree, data, q, u):
    """Add what the springs and dampers of the joints drive the speeds with.

    Parameters
    ----------
    forces : (n_speeds,) array
        Generalised forces [N or N m].
    tree : Tree
        The mechanism.
    data : array
        Constants of its bodies and joints.
    q, u : arrays
        Coordinates and speeds.
    """
    for frame in range(1, tree.n_frames):
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            constants = springs_of(tree) + j * SPRING_SIZE
            forces[j] -= data[constants + DAMPING] * u[j]
            if tree.kind[frame] == REVOLUTE or tree.kind[frame] == PRISMATIC:
                forces[j] -= data[constants + STIFFNESS] * (q[tree.coordinate[frame]] - data[constants + REST])


def spring_energy(tree, data, q):
    """Return the energy that the springs of the joints hold [J]."""
    energy = 0.0
    for frame in range(1, tree.n_frames):
        if tree.kind[frame] == REVOLUTE or tree.kind[frame] == PRISMATIC:
            constants = springs_of(tree) + tree.speed[frame] * SPRING_SIZE
            stretch = q[tree.coordinate[frame]] - data[constants + REST]
            energy += 0.5 * data[constants + STIFFNESS] * stretch * stretch
    return energy


def lower_margin(tree, data, value, speed):
    """Return how far a coordinate is above its lower limit: a boundary function.

    `value` is the coordinate of a revolute or prismatic joint, `speed` the index of its speed:
    `lower_margin(TREE, DATA, x[Q.knee], U.kneedot)`.
    """
    return value - data[springs_of(tree) + speed * SPRING_SIZE + LOWER]


def upper_margin(tree, data, value, speed):
    """Return how far a coordinate is below its upper limit: a boundary function; see `lower_margin`."""
    return data[springs_of(tree) + speed * SPRING_SIZE + UPPER] - value
