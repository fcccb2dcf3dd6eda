"""A human who wears the robot of least_work.yaml on both legs: topology 10, with actuators in its joints 1 and 3."""

from pathlib import Path

from hybridsim_models.humanoid.body import human
from hybridsim_models.wearable.device import robot_from
from hybridsim_models.wearable.worn import wearer

ROBOT = robot_from(Path(__file__).with_name("least_work.yaml"))
MODEL = wearer("walk_10", human(), ROBOT, frequency=0.9, doc="a human who wears a robot of topology 10 on both legs")
