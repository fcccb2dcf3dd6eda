"""The planar walker whose joints follow schedules over the gait cycle: torque - stiffness x angle - damping x rate."""

from hybridsim import Model, Parameter, Records, scratch, subarray

from .planar_gait import FIRST, SCENE, WALKER, N, T, move, poses
from .planar_gait import PARAMETERS as PLANT

POINTS = 10
CYCLE = 1.0
SIZE = T + 6
OWN = Records(
    Parameter("torque", (0.0,) * (6 * POINTS), "N m", "of each joint, at ten points of the cycle"),
    Parameter("stiffness_of", (50.0,) * (6 * POINTS), "N m/rad", "likewise"),
    Parameter("damping_of", (5.0,) * (6 * POINTS), "N m s/rad", "likewise"),
)
PARAMETERS = Records(*PLANT, *OWN)
P = PARAMETERS.indices


def scheduled(p, first, joint, t):
    """Return what a schedule says of a joint, on straight lines between its points."""
    place = POINTS * (t / CYCLE - int(t / CYCLE))
    i = int(place)
    part = place - i
    j = i + 1 if i + 1 < POINTS else 0
    return (1.0 - part) * p[first + POINTS * joint + i] + part * p[first + POINTS * joint + j]


def vector_field(xdot, t, x, p, chart):
    q = scratch(SIZE)
    for i in range(T):
        q[i] = p[i]
    for j in range(6):
        angle, rate = x[FIRST + j], x[N + FIRST + j]
        q[T + j] = (
            scheduled(p, int(p[P.torque]), j, t)
            - scheduled(p, int(p[P.stiffness_of]), j, t) * angle
            - scheduled(p, int(p[P.damping_of]), j, t) * rate
        )
    for i in range(N):
        xdot[i] = x[N + i]
    move(subarray(xdot, N, N), x, q)


MODEL = Model(
    "scheduled_gait",
    WALKER.states(hip_z=0.94),
    vector_field=vector_field,
    parameters=PARAMETERS,
    scene=SCENE,
    poses=poses,
)
