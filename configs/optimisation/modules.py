"""A chain of modules on the ground, in the plane: each of its six joints oscillates, turns on and on, or is locked.

Roombots are such modules (Sproewitz and others 2008), and each of their motors may do any of the three. What a joint
does is a word of a parameter, and so the search for a gait is one in 3^6 = 729 spaces.
"""

import math

from hybridsim import Parameter, Records
from hybridsim.contacts import Patch, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Revolute

JOINTS, LENGTH, MASS = 6, 0.11, 0.7  # joints; length [m] and mass [kg] of a module
ROD = {"mass": MASS, "centre": (0.5 * LENGTH, 0.0, 0.0), "inertia": (2e-3, MASS * LENGTH**2 / 12, 2e-3)}
CHAIN = Mechanism(
    Body("module0", Planar("base", normal="y"), **ROD),
    *(
        Body(f"module{k}", Revolute(f"joint{k}", "y", place=(LENGTH, 0.0, 0.0)), f"module{k - 1}", **ROD)
        for k in range(1, JOINTS + 1)
    ),
)
PAD = {"stiffness": 4e3, "damping": 40.0, "tangential": {"stiffness": 2e3, "damping": 20.0}, "friction": 0.8}
PADS = [
    Patch("tail", "module0", [(0.0, 0.0, 0.0)], **PAD),
    *(Patch(f"pad{k}", f"module{k}", [(LENGTH, 0.0, 0.0)], **PAD) for k in range(JOINTS + 1)),
]
MODES = ("oscillate", "rotate", "locked")
OSCILLATE, ROTATE, _ = range(3)
PARAMETERS = Records(
    *(Parameter(f"mode{k}", "oscillate", "", f"of joint {k}", choices=MODES) for k in range(1, JOINTS + 1)),
    *(Parameter(f"swing{k}", 0.5, "rad", f"amplitude of joint {k}") for k in range(1, JOINTS + 1)),
    *(
        Parameter(f"bend{k}", 0.0, "rad", f"about which joint {k} oscillates, or is locked")
        for k in range(1, JOINTS + 1)
    ),
    *(Parameter(f"lag{k}", 1.0 * k, "rad", f"of joint {k}") for k in range(1, JOINTS + 1)),
    Parameter("frequency", 0.5, "1/s"),
    Parameter("stiffness", 20.0, "N m/rad", "of all motors"),
    Parameter("damping", 0.1, "N m s/rad", "of all motors"),
)
Q, U, N, P = CHAIN.q.joint1, CHAIN.u.joint1dot, CHAIN.tree.n_coordinates, PARAMETERS.indices


def motors(force, t, x, p):
    """Each joint follows its target, which begins at 0 within half a second."""
    begin = min(2.0 * t, 1.0)
    for k in range(JOINTS):
        angle = 2.0 * math.pi * p[P.frequency] * t
        target = begin * p[P.bend1 + k]
        if p[P.mode1 + k] == OSCILLATE:
            target += begin * p[P.swing1 + k] * math.sin(angle - p[P.lag1 + k])
        elif p[P.mode1 + k] == ROTATE:
            target = angle
        force[U + k] += p[P.stiffness] * (target - x[Q + k]) - p[P.damping] * x[N + U + k]


MODEL = contact_model(
    "modules",
    CHAIN,
    PADS,
    forces=motors,
    parameters=PARAMETERS,
    initial={"base_z": 0.01},
    doc="chain of seven modules that crawls, tumbles or rolls by six joints of three modes",
)
