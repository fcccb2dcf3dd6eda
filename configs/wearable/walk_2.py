"""A human who wears the robot of stride.yaml on both legs: topology 2, with actuators in its joints 2 and 4."""

from hybridsim_models.humanoid.body import human
from hybridsim_models.wearable.device import Robot
from hybridsim_models.wearable.worn import wearer

ROBOT = Robot(
    edges="03 04 15 26 35 46",  # bodies 0 to 2 are torso, thigh and shank, 3 to 6 the links
    places=[(0.0, 0.99792), (0.0, 1.034208), (0.0, 0.765), (0.0, 0.4725), (-0.114, 1.231), (-0.136, 1.039)],
    actuators=(2, 4),
)
MODEL = wearer("walk_2", human(), ROBOT, frequency=0.9, doc="a human who wears a robot of topology 2 on both legs")
