"""A user-written controller for the biped: springs and dampers at all joints, which hold the posture of the start.

    hybridsim check configs/biped/stiff.py
    hybridsim run configs/biped/stiff.yaml

It knows neither the mass centre nor the ground. It has no clock: its torques follow angles and speeds at all times.
"""

from hybridsim import Parameter, Part, Records, State
from hybridsim_models.biped.body import FIRST_JOINT, N_JOINTS
from hybridsim_models.biped.dynamics import JOINT_Y, KNEE_JOINT, LEG_SIZE
from hybridsim_models.biped.records import mode_of

NAMES = ("ankle_x", "ankle_y", "ankle_z", "knee", "hip_x", "hip_y")
STATES = Records(
    *(State(f"rest_{name}_{side}", 0.0, "rad", continuous=False) for side in ("right", "left") for name in NAMES),
    State("begun", 0.0, "", "1: the rest angles are known", continuous=False),
)
PARAMETERS = Records(
    Parameter("ankle_stiffness", 800.0, "N m/rad", lower=0.0),
    Parameter("stiffness", 3000.0, "N m/rad", "of hips and knees", lower=0.0),
    Parameter("damping_time", 0.1, "s", "damping over stiffness", lower=0.0),
)
S = STATES.indices
P = PARAMETERS.indices


def torque(t, x, p, chart, side, joint, coordinate, speed, stance):
    """Return the torque of a motor [N m]: `side` is 0 for the right leg and 1 for the left one."""
    mode = mode_of(stance(t))
    error = x[S.rest_ankle_x_right + LEG_SIZE * side + joint] - signed(
        joint, side, mode, coordinate(t, place(joint, side, mode))
    )
    rate = signed(joint, side, mode, speed(t, place(joint, side, mode)))
    stiffness = p[P.ankle_stiffness] if joint < KNEE_JOINT else p[P.stiffness]
    return stiffness * (error - p[P.damping_time] * rate)


def place(joint, side, mode):
    """Return where a joint is among coordinates and speeds; the joints of leg 2 come in reverse order."""
    return FIRST_JOINT + (joint if side == mode else N_JOINTS - 1 - joint)


def signed(joint, side, mode, value):
    """Return an angle or a speed with the sign that it has in leg 1: y angles of leg 2 have the other one."""
    return -value if side != mode and joint in JOINT_Y else value


def respond(t, x, p, chart, standing, coordinate):
    """Take the posture of the start as the one to hold: the plant calls this when it is in posture."""
    if x[S.begun] == 0.0:
        for side in range(2):
            for joint in range(LEG_SIZE):
                angle = coordinate(t, place(joint, side, mode_of(standing)))
                x[S.rest_ankle_x_right + LEG_SIZE * side + joint] = signed(joint, side, mode_of(standing), angle)
        x[S.begun] = 1.0
    return 0.0


def sole_moment(t, x, p, chart, side):
    """Return the moment of the toes of a foot that is not flat [N m]."""
    return 0.0


def command(t, x, p, chart):
    """Return what the plant shall do with the feet: nothing."""
    return 0


def keeps_flat(t, x, p, chart):
    """Return whether the heel of foot 1 stays on the ground when foot 2 lands."""
    return 1.0


def turning(t, x, p, chart, body):
    """Return the yaw acceleration of the trunk (body = 0) or of foot 2 in the air (1): none."""
    return 0.0


PART = Part(
    "stiff",
    STATES,
    couplings=(torque, sole_moment, command, keeps_flat, respond, turning),
    parameters=PARAMETERS,
    slot="biped.control",
    doc="springs and dampers at all joints, which hold the posture of the start",
)
