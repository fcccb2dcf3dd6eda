"""The compass gait on 3 degrees, from its gait (Goswami et al. 1996): what every contender of it is given.

A state is (theta_st, theta_sw, thetadot_st, thetadot_sw), the angles from the slope's normal, as in models/walkers. A
stride is two charts: swing leg behind, to where it passes; swing leg ahead, to its heelstrike.
"""

from __future__ import annotations

import math

SLOPE = math.radians(3.0)
START = (-0.271028680498821, 0.271028680498821, 1.092383589883602, 0.377373948907195)
PERIOD = 0.734346391158719  # [s]
PARAMETERS = (5.0, 10.0, 0.5, 0.5, 9.81, SLOPE)  # m, m_H, a, b, g, slope


def end(strides: int) -> float:
    """Return when contenders are compared [s]: a third of a stride after so many strides."""
    return (strides + 1.0 / 3.0) * PERIOD
