"""Commands from outside, held until they change: the voltage of each hip motor, or the torque it is asked for.

This is how RHexLib drove SimSect as if it were hardware: a separate program sets `simulation.inputs["voltage0"]` ...
each millisecond and calls `simulation.advance(t)`.
"""

from hybridsim import Input, Parameter, Part, Records

from .records import LEGS

COMMANDS = ("voltage", "torque")

PARAMETERS = Records(
    Parameter("command", "voltage", "", "what the inputs are", choices=COMMANDS),
    *(Parameter(f"posture{i}", 0.0, "rad", f"hip angle of leg {i} at the start") for i in LEGS),
    Parameter("drive_torque", 0.0161 * 33.0625 / 1.34, "N m/V", "torque of a standing motor per voltage, at the leg"),
    Parameter("drive_back_emf", 33.0625 / 61.261056, "V s/rad", "voltage that a motor makes per speed of the leg"),
    Parameter("drive_voltage", 24.0, "V", "the most that is given", lower=0.0),
)
INPUTS = Records(
    *(Input(f"voltage{i}", 0.0, "V", f"at motor {i}, with command = voltage") for i in LEGS),
    *(Input(f"drive{i}", 0.0, "N m", f"wanted of motor {i} at the leg, with command = torque") for i in LEGS),
)

P = (PARAMETERS + INPUTS).indices
TORQUE_COMMAND = COMMANDS.index("torque")


def torque(t, x, p, chart, leg, phi, phidot):
    """Return the torque at the leg [N m], before the motor's limit."""
    if p[P.command] == TORQUE_COMMAND:
        return p[P.drive0 + leg]
    volts = min(max(p[P.voltage0 + leg], -p[P.drive_voltage]), p[P.drive_voltage])
    return p[P.drive_torque] * (volts - p[P.drive_back_emf] * phidot)


def hip_angle(t, x, p, chart, leg):
    """Return the hip angle of the posture in which a run begins [rad]."""
    return p[P.posture0 + leg]


PART = Part(
    "held",
    couplings=(torque, hip_angle),
    parameters=PARAMETERS,
    inputs=INPUTS,
    slot="hexapod.control_type",
    doc="voltages or torques set from outside, held between calls",
)
