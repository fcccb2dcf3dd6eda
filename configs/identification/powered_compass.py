"""The compass gait on level ground with a torque at the hip: it turns the swing leg forwards, the stance leg back.

To the equations of `compass_gait` come +torque in that of the swing leg, and -torque in that of the stance leg.
"""

import dataclasses
import math

from hybridsim import Input, Records
from hybridsim_models.walkers import compass_gait
from hybridsim_models.walkers.compass_gait import S, solve
from hybridsim_models.walkers.compass_gait import vector_field as fall

TORQUE = len(compass_gait.PARAMETERS)


def vector_field(xdot, t, x, p, chart):
    fall(xdot, t, x, p, chart)
    cosine = math.cos(x[S.theta_st] - x[S.theta_sw])
    stance, swing = solve(cosine, -p[TORQUE], p[TORQUE], p)
    xdot[S.thetadot_st] += stance
    xdot[S.thetadot_sw] += swing


LEVEL = Records(
    *(dataclasses.replace(each, default=0.0) if each.name == "slope" else each for each in compass_gait.PARAMETERS)
)
MODEL = dataclasses.replace(
    compass_gait.MODEL,
    name="powered_compass",
    vector_field=vector_field,
    parameters=LEVEL,
    inputs=Records(Input("torque", 0.0, "N m", "on the swing leg at the hip, positive forwards")),
)
