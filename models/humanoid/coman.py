"""The robot CoMan in the sagittal plane, 27.3 kg, on rigid feet."""

from .body import coman
from .plant import humanoid

MODEL = humanoid(
    "coman", coman(), doc="the robot CoMan in the sagittal plane, driven by impedance (van den Kieboom 2014)"
)
