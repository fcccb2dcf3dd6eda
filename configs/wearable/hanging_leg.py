"""A leg that hangs from a frame and is moved by its robot: the dynamics of the default design of the model `wearable`.

The actuators follow the angles that they have in Winter's gait by springs and dampers; nothing else moves the leg. Each
link hangs from one of its joints, those with actuators first, and pins close the loops. A joint's mass belongs to its
body with the larger number.
"""

import itertools
import math

import numpy as np

from hybridsim import Parameter, Records
from hybridsim.contacts import Pin, contact_model
from hybridsim.multibody import Body, Linkage, Mechanism, Revolute
from hybridsim_models.wearable.records import PARAMETERS as DEFAULTS
from hybridsim_models.wearable.topologies import DESIGNS, TOPOLOGIES
from hybridsim_models.wearable.winter import CYCLE, HARMONICS, HIP_ANGLE, KNEE_ANGLE, harmonics_of

SETTING = {record.name: record.default for record in DEFAULTS}
TOPOLOGY, *ACTUATED = DESIGNS[SETTING["design"]]
HIP, KNEE = 0.972, 0.522
LEG = {"thigh": (7.0, 0.1944, 0.1452), "shank": (3.29 + 0.98, 0.25, 0.11)}
"""Mass [kg], centre below the joint [m] and moment of inertia about it [kg m^2]; the foot belongs to the shank."""
RADIUS, BAR = 0.05, 0.7  # of actuators [m], and mass of bars [kg/m]
LINKAGE = Linkage(
    {"hip": (0.0, HIP, "-y"), "knee": (0.0, KNEE, "y")},
    TOPOLOGIES[TOPOLOGY],
    [
        (0.0, HIP + SETTING["torso"] * 0.5184),
        (0.0, HIP + SETTING["second"] * 0.5184),
        (0.0, HIP - SETTING["thigh"] * 0.45),
        (0.0, KNEE - SETTING["shank"] * 0.45),
        (SETTING["pin1_x"], SETTING["pin1_z"]),
        (SETTING["pin2_x"], SETTING["pin2_z"]),
    ],
)
LINKS = range(LINKAGE.n_limb, LINKAGE.n_bodies)


def parts_of(link):
    """Yield mass, place and own moment of inertia of each part of a link: bars and joints."""
    own = [k for k, edge in enumerate(LINKAGE.edges) if link in edge]
    for one, other in itertools.combinations(own, 2):
        a, b = LINKAGE.places[one], LINKAGE.places[other]
        length = float(np.linalg.norm(a - b))
        yield BAR * length, 0.5 * (a + b), BAR * length**3 / 12
    for joint in own:
        if max(LINKAGE.edges[joint]) == link:
            mass = SETTING["actuator_mass"] if joint in ACTUATED else SETTING["joint_mass"]
            yield mass, LINKAGE.places[joint], 0.5 * mass * RADIUS**2


def link_body(link, joint, parent, origins):
    """Return a link that hangs from a body at a joint."""
    parts, origin = [*parts_of(link)], LINKAGE.places[joint]
    mass = sum(m for m, _, _ in parts)
    centre = sum(m * place for m, place, _ in parts) / mass
    inertia = sum(own + m * float(np.sum((place - centre) ** 2)) for m, place, own in parts)
    hinge = Revolute(f"joint{joint + 1}", "y", place=in_plane(origin - origins[parent]))
    origins[link] = origin
    place = in_plane(centre - origin)
    return Body(f"link{link}", hinge, NAMES[parent], mass=mass, centre=place, inertia=bar(inertia, place))


def bar(moment, way):
    """Return the inertia (3, 3) of a thin bar along a way in the plane, with this moment about an axis across it."""
    along = np.asarray(way) / np.linalg.norm(way)
    return moment * (np.eye(3) - np.outer(along, along))


def in_plane(place):
    return float(place[0]), 0.0, float(place[1])


NAMES = {0: "world", 1: "thigh", 2: "shank", **{link: f"link{link}" for link in LINKS}}
ORIGINS = {0: np.zeros(2), 1: np.array([0.0, HIP]), 2: np.array([0.0, KNEE])}
BODIES, PINS, LEFT = [], [], sorted(range(6), key=lambda joint: joint not in ACTUATED)
for name, hinge, (mass, depth, inertia) in (
    ("thigh", Revolute("hip", "-y", place=(0.0, 0.0, HIP)), LEG["thigh"]),
    ("shank", Revolute("knee", "y", place=(0.0, 0.0, KNEE - HIP)), LEG["shank"]),
):
    parent = "world" if name == "thigh" else "thigh"
    centre = (0.0, 0.0, -depth)
    BODIES.append(Body(name, hinge, parent, mass=mass, centre=centre, inertia=bar(inertia, centre)))
while len(ORIGINS) < LINKAGE.n_bodies:
    chosen = next(k for k in LEFT if (LINKAGE.edges[k][0] in ORIGINS) != (LINKAGE.edges[k][1] in ORIGINS))
    LEFT.remove(chosen)
    known, new = sorted(LINKAGE.edges[chosen], key=lambda body: body not in ORIGINS)
    BODIES.append(link_body(new, chosen, known, ORIGINS))
for joint in LEFT:
    first, second = LINKAGE.edges[joint]
    place, to = (in_plane(LINKAGE.places[joint] - ORIGINS[body]) for body in (first, second))
    PINS.append(Pin(f"pin{joint + 1}", NAMES[first], place, on=NAMES[second], to=to))
LEG_AND_ROBOT = Mechanism(*BODIES)

GAIT = np.radians(np.stack([HIP_ANGLE, KNEE_ANGLE], axis=-1))
TARGETS = tuple(harmonics_of(LINKAGE.close(GAIT).relative[:, joint]) for joint in ACTUATED)
PARAMETERS = Records(
    Parameter("stiffness", 6000.0, "N m/rad", "of the actuators", lower=0.0),
    Parameter("damping", 60.0, "N m s/rad", "of the actuators", lower=0.0),
    Parameter("cycle", CYCLE, "s", "of a stride", lower=1e-3),
    *(
        Parameter(f"target{k + 1}", tuple(TARGETS[k]), "rad", "mean, then cosine and sine of harmonics")
        for k in range(2)
    ),
)
P, N = PARAMETERS.indices, LEG_AND_ROBOT.tree.n_coordinates
FIRST, SECOND = (getattr(LEG_AND_ROBOT.q, f"joint{joint + 1}") for joint in ACTUATED)


def actuators(force, t, x, p):
    for number in range(2):
        first = int(p[P.target1 + number])
        target, rate = p[first], 0.0
        for k in range(1, HARMONICS + 1):
            angle, pace = 2.0 * math.pi * k * t / p[P.cycle], 2.0 * math.pi * k / p[P.cycle]
            target += p[first + 2 * k - 1] * math.cos(angle) + p[first + 2 * k] * math.sin(angle)
            rate += pace * (p[first + 2 * k] * math.cos(angle) - p[first + 2 * k - 1] * math.sin(angle))
        i = FIRST if number == 0 else SECOND
        force[i] += p[P.stiffness] * (target - x[i]) + p[P.damping] * (rate - x[N + i])


START = LINKAGE.close(GAIT[:1])
INITIAL = {"hip": GAIT[0, 0], "knee": GAIT[0, 1]}
INITIAL |= {
    f"joint{k + 1}": START.relative[0, k] for k in range(6) if f"joint{k + 1}" in LEG_AND_ROBOT.coordinates.names
}
MODEL = contact_model(
    "hanging_leg",
    LEG_AND_ROBOT,
    loops=PINS,
    forces=actuators,
    parameters=PARAMETERS,
    initial={name: float(value) for name, value in INITIAL.items()},
    doc="a leg on a frame, moved through a gait by the two actuators of a linkage that it wears",
)
