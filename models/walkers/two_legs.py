"""What two-legged walkers with straight legs have in common: charts, boundaries, and when they have fallen.

Straight legs of equal length scuff: where they pass each other, the swing foot is not above the slope. These models
ignore every contact of the swing foot until it is ahead of the stance foot and has been above the slope there. So a
step has two charts, which differ only in what they watch for: in `leg_behind` the legs have to pass, in `leg_ahead`
the swing foot has to come down (`heelstrike`), or the leg swings back (`returning`). A foot that comes down behind is
ignored, too: a walker that tips back falls.
"""

import math

from hybridsim import Boundary, Chart, Message, Records
from hybridsim.multibody import Vector

CHARTS = Records(
    Chart("leg_behind", "the swing leg is behind the stance leg, or beside it"),
    Chart("leg_ahead", "the swing leg is ahead of the stance leg"),
)
# At `passing` the swing foot may be below the slope. Then `heelstrike` is armed when the foot has come up.
BOUNDARIES = Records(
    Boundary("passing", "the swing leg passes the stance leg", "rad", degree=1),
    Boundary("returning", "the swing leg swings back past the stance leg", "rad", degree=1),
    Boundary("heelstrike", "the swing foot comes down ahead", "rad", degree=1, armed="when_positive"),
)
MESSAGES = (
    Message("the walker has fallen forwards: its hip is on the slope"),
    Message("the walker has fallen backwards: its hip is on the slope"),
)
FORWARDS, BACKWARDS = 1, 2
C = CHARTS.indices
ORIGIN = Vector(0.0, 0.0, 0.0)


def chart_of(spread, spread_rate):
    """Return the chart by the angle from the swing leg forwards to the stance leg [rad] and its rate [rad/s]."""
    ahead = spread < 0.0 or (spread == 0.0 and spread_rate < 0.0)
    return C.leg_ahead if ahead else C.leg_behind


def fallen(theta):
    """Return the number of the message if the hip is on the slope, else 0; theta > 0 [rad]: hip ahead of the foot."""
    if theta >= 0.5 * math.pi:
        return FORWARDS
    return BACKWARDS if theta <= -0.5 * math.pi else 0


def gravity_on(slope, g):
    """Return gravity on a slope, which falls towards +x."""
    return Vector(g * math.sin(slope), 0.0, -g * math.cos(slope))
