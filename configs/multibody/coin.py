"""A coin that is thrown: it lands on its rim, slips, and rolls on in a curve, leaning."""

from hybridsim.contacts import Disk, contact_model
from hybridsim.multibody import Body, Free, Mechanism

RADIUS = 0.3
COIN = Mechanism(Body("coin", Free("coin"), mass=1.0, inertia=(RADIUS**2 / 4, RADIUS**2 / 2, RADIUS**2 / 4)))

MODEL = contact_model(
    "coin",
    COIN,
    [Disk("rim", "coin", RADIUS, axis=(0.0, 1.0, 0.0), friction=0.25)],
    initial={"coin_z": 0.3, "coin_qw": 0.99, "coin_qx": -0.12, "coin_xdot": 2.0, "coin_wy": 5.0, "coin_wz": 0.5},
    doc="a coin that is thrown, lands on its rim, slips, and rolls on in a curve, leaning",
)
