"""What the robot looks like: torso and one leg, the bars of the links, and their joints, larger where actuators are."""

import numpy as np

from hybridsim import Records
from hybridsim.scene import HIDDEN, Body, Camera, Capsule, Cylinder, Scene, Sphere, between, placed

from .linkage import find_leg, find_places, hip_height, on_link
from .mass import is_actuated
from .records import P
from .statics import gait_at
from .topologies import N_BODIES, N_JOINTS, N_LINKS, SHANK, THIGH, TORSO

LEG_COLOUR, BAR_COLOURS, JOINT_COLOUR, ACTUATOR_COLOUR = (
    *("#aab3bb", ("#2f7fa8", "#2b7a4b", "#c8553d", "#8a4fa3")),
    *("#2f3a45", "#e0a030"),
)
N_BARS = 3
"""Most bars of a link."""
SIDE = -0.12  # in front of the leg, seen from the right [m]
SCENE = Scene(
    Records(
        *(Body(name, Cylinder(radius), LEG_COLOUR) for name, radius in (("torso", 0.07), ("thigh", 0.05))),
        Body("shank", Cylinder(0.04), LEG_COLOUR),
        Body("head", Sphere(0.09), LEG_COLOUR),
        *(
            Body(f"bar_{link}_{bar}", Cylinder(0.012), BAR_COLOURS[link])
            for link in range(N_LINKS)
            for bar in range(N_BARS)
        ),
        *(Body(f"joint_{joint}", Sphere(0.018), JOINT_COLOUR) for joint in range(N_JOINTS)),
        *(Body(f"actuator_{number}", Capsule(0.035, 0.04), ACTUATOR_COLOUR) for number in range(2)),
    ),
    ground=None,
    camera=Camera(at=(0.0, 0.0, 0.9), distance=4.0, view=(0.0, 1.0, 0.0)),
    outputs=("power", "torque_1", "torque_2"),
)
BODY = SCENE.bodies.indices
UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Turns the axis of a capsule across the picture."""


def point(pose, place, side=0.0):
    """Return where a place of upright stance is on a body with this pose, (3,) [m]."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    return np.array([pose[0] + cos * place[0] + sin * place[1], side, pose[1] - sin * place[0] + cos * place[1]])


def poses(T, t, x, p, chart):
    leg, places, gait = np.zeros(3 * N_BODIES), np.zeros(2 * N_JOINTS), gait_at(t, p)
    find_leg(leg, p, gait.hip, gait.knee)
    find_places(places, p)
    leg = leg.reshape(N_BODIES, 3)
    joints, links = places.reshape(N_JOINTS, 2), np.reshape(x[: 3 * N_LINKS], (N_LINKS, 3))
    hip, knee, ankle = (0.0, hip_height(p)), (0.0, hip_height(p) - p[P.thigh_length]), (0.0, p[P.ankle_height])
    chest = (0.0, hip[1] + p[P.torso_length])
    T[BODY.torso] = between(point(leg[TORSO], hip), point(leg[TORSO], chest))
    T[BODY.thigh] = between(point(leg[THIGH], hip), point(leg[THIGH], knee))
    T[BODY.shank] = between(point(leg[SHANK], knee), point(leg[SHANK], ankle))
    T[BODY.head] = placed(point(leg[TORSO], (0.0, chest[1] + 0.15)))
    n_actuators = 0
    for link in range(N_LINKS):
        own = [joint for joint in range(N_JOINTS) if on_link(p, joint, N_BODIES + link)]
        ends = [(one, other) for k, one in enumerate(own) for other in own[k + 1 :]]
        for bar in range(N_BARS):
            at = BODY.bar_0_0 + N_BARS * link + bar
            T[at] = HIDDEN
            if bar < len(ends):
                T[at] = between(*(point(links[link], joints[joint], SIDE) for joint in ends[bar]))
    for joint in range(N_JOINTS):
        link = next(k for k in range(N_LINKS) if on_link(p, joint, N_BODIES + k))
        where = point(links[link], joints[joint], SIDE)
        T[BODY.joint_0 + joint] = placed(where)
        if is_actuated(p, joint):
            T[BODY.actuator_0 + n_actuators] = placed(where, UPRIGHT)
            n_actuators += 1
