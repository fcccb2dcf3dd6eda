"""A human of 1.80 m and 70 kg in the sagittal plane, with toes."""

from .body import human
from .plant import humanoid

MODEL = humanoid(
    "human",
    human(),
    torque_limit=1e6,
    frequency=0.9,
    ligament=1e6,
    doc="a human in the sagittal plane, driven by impedance (van den Kieboom 2014)",
)
