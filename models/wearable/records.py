"""States, parameters, charts and outputs of a robot on a leg."""

import math

import numpy as np

from hybridsim import Boundary, Chart, Constant, Message, Output, Parameter, Records, State

from .topologies import DESIGNS, EDGES, N_BODIES, N_LINKS
from .winter import CYCLE, HIP_ANGLE, HIP_MOMENT, KNEE_ANGLE, KNEE_MOMENT, harmonics_of

STATES = Records(
    *(
        State(f"link{link}_{what}", 0.0, unit, f"{text} of link {link}; it follows from the leg's angles at the start")
        for link in range(N_BODIES, N_BODIES + N_LINKS)
        for what, unit, text in (("x", "m", "forward"), ("z", "m", "height"), ("turn", "rad", "turned, from z to x"))
    ),
    State("work", 0.0, "J", "of both actuators of a leg in the first stride, positive and negative, without signs"),
    State("singular", 0.0, "s", "time in singular postures, weighted with how far beyond the limits they are"),
)
PARAMETERS = Records(
    Parameter("design", "t2_24", "", "topology and joints with actuators", choices=tuple(DESIGNS)),
    Parameter("torso", 0.05, "", "joint on the torso, from the hip (0) up to the chest (1)", lower=0.0, upper=1.0),
    Parameter("thigh", 0.46, "", "joint on the thigh, from the hip (0) down to the knee (1)", lower=0.0, upper=1.0),
    Parameter("shank", 0.11, "", "joint on the shank, from the knee (0) down to the ankle (1)", lower=0.0, upper=1.0),
    Parameter("second", 0.12, "", "second joint on one of them, in topologies 1 to 3", lower=0.0, upper=1.0),
    *(
        Parameter(f"pin{k}_{axis}", value, "m", f"of joint {k} between links, {text} in upright stance")
        for k, place in enumerate(((-0.114, 1.231), (-0.136, 1.039), (-0.036, 0.622)), start=1)
        for axis, value, text in zip("xz", place, ("in front of the leg", "height"), strict=True)
    ),
    Parameter("body_mass", 70.0, "kg", "of the human", lower=1e-9),
    Parameter("torso_length", 0.5184, "m", "from the hip to the chest", lower=1e-3),
    Parameter("thigh_length", 0.45, "m", lower=1e-3),
    Parameter("shank_length", 0.45, "m", lower=1e-3),
    Parameter("ankle_height", 0.072, "m", lower=0.0),
    Parameter("body_centre", 1.1, "m", "height of the human's centre of mass in upright stance"),
    Parameter("cycle", CYCLE, "s", "duration of a stride", lower=1e-3),
    Parameter("sway", 0.0, "rad", "offset of hip and knee in the strides behind the first: four corners", lower=0.0),
    Parameter("least", 0.2, "", "singular value of the actuators' rates per hip and knee rates", lower=1e-6),
    Parameter("largest", 5.0, "", "the same", lower=1e-6),
    Parameter(
        "singular_postures", "counted", "", "whether a run goes on in them, or ends", choices=("counted", "refused")
    ),
    Parameter("actuator_mass", 2.0, "kg", lower=0.0),
    Parameter("joint_mass", 0.5, "kg", "of a joint without actuator", lower=0.0),
    Parameter("bar_mass", 0.7, "kg/m", lower=0.0),
    Parameter("hip_angle", tuple(np.radians(harmonics_of(HIP_ANGLE))), "rad", "flexion: mean, cosine, sine, cosine .."),
    Parameter("knee_angle", tuple(np.radians(harmonics_of(KNEE_ANGLE))), "rad", "flexion, likewise"),
    Parameter("hip_moment", tuple(-harmonics_of(HIP_MOMENT)), "N m/kg", "towards flexion, likewise"),
    Parameter("knee_moment", tuple(-harmonics_of(KNEE_MOMENT)), "N m/kg", "towards flexion, likewise"),
)
CONSTANTS = Records(Constant("edges", np.array(EDGES)), Constant("designs", np.array([*DESIGNS.values()]).ravel()))
CHARTS = Records(
    Chart("moving", "the links follow the leg"),
    Chart("mirrored", "the same, where their equations have a negative determinant"),
    Chart("locked", "they do not let the leg go where it wants"),
    Chart("refused", "the actuators do not, as the posture is singular"),
)
BOUNDARIES = Records(
    Boundary("lock", "links come into line, and lock the leg or hang loose"),
    Boundary("singular_posture", "a singular value leaves its limits, and `singular_postures` is refused"),
)
MESSAGES = (
    Message("the linkage is locked: it does not let the leg go on; move joints, or choose another design"),
    Message(
        "the posture is singular: the rates of the actuators per hip and knee rates have a singular value beyond "
        "{least} or {largest}; move joints, choose a design with other actuators, or write singular_postures: counted"
    ),
)
OUTPUTS = Records(
    Output("hip", "rad", "flexion"),
    Output("knee", "rad", "flexion"),
    Output("torque_1", "N m", "of the first actuator, with which the leg's own muscles have nothing to do"),
    Output("torque_2", "N m", "of the second"),
    Output("rate_1", "rad/s", "of the first actuator"),
    Output("rate_2", "rad/s", "of the second"),
    Output("power", "W", "of both, each without its sign"),
    Output("leg_power", "W", "of hip and knee, each without its sign: of actuators in the leg's own joints"),
    Output("least_value", "", "least singular value of the actuators' rates per hip and knee rates"),
    Output("largest_value", "", "largest singular value"),
    Output("margin", "", "determinant of the links' equations, by their lengths"),
    Output("gap", "m", "largest of the joints"),
    Output("longest_bar", "m"),
    Output("shortest_bar", "m"),
    Output("mass", "kg", "of the robot on both legs"),
    Output("centre", "m", "height of the centre of mass of human and robot in upright stance"),
)
S, C, B, Y = STATES.indices, CHARTS.indices, BOUNDARIES.indices, OUTPUTS.indices
P = (PARAMETERS + CONSTANTS).indices
REFUSED = 1.0
"""Value of `singular_postures`."""
LOCKED = 1e-3
"""Margin at which a linkage counts as locked."""
LARGEST_STEP = math.radians(5.0)
"""Of hip and knee, on the way from upright stance to the first posture [rad]."""
