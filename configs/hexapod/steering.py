"""A user-written controller for the hexapod: the open-loop clock, and on top of it steering towards a heading.

    hybridsim check configs/hexapod/steering.py
    hybridsim run configs/hexapod/steering.yaml

Where the body does not point to where it should, the legs of one side are set further forward and those of the other
further back: the clock's differential turning, with its offset in the hands of a compass.
"""

import dataclasses

from hybridsim import Input, Records
from hybridsim_models.hexapod.open_loop import PART as CLOCK
from hybridsim_models.hexapod.open_loop import angle_error
from hybridsim_models.hexapod.open_loop import torque as clock_torque

INPUTS = Records(
    *CLOCK.inputs,
    Input("heading", 0.0, "rad", "where to go: 0 is along y, positive to the left"),
    Input("steering", 0.3, "", "offset of the legs per error of the heading", lower=0.0),
    Input("most_steering", 0.12, "rad", "the largest offset that steers", lower=0.0),
)
P = (CLOCK.parameters + INPUTS).indices
YAW = 2


def torque(t, x, p, chart, leg, phi, phidot, attitude):
    """That of the clock [N m], for a leg that is steered."""
    error = angle_error(p[P.heading] - attitude(t, YAW))
    steer = min(max(p[P.steering] * error, -p[P.most_steering]), p[P.most_steering])
    side = 1.0 if leg >= 3 else -1.0  # legs 3 to 5 are on the left
    return clock_torque(t, x, p, chart, leg, phi - side * steer, phidot)


PART = dataclasses.replace(
    CLOCK,
    name="steering",
    couplings={**CLOCK.couplings, "torque": torque},
    inputs=INPUTS,
    doc="the open-loop clock, steered towards a heading",
)
