"""The person without what drives it: torques of joints, what a controller may know, and the model."""

import math

from hybridsim import Output, Parameter, Records, Slot, scratch
from hybridsim.contacts import contact_model
from hybridsim_models.biped.anthropometry import HAT_CENTRE

from .control.walking import PART as WALKING
from .fall import FALL, N_PARTS, PARTS
from .muscles import motor_torque, tissue_torque
from .person import BUILD, FIRST_JOINT, JOINTS, MECHANISM, N_COORDINATES, PER_LEG, SIDES, N, soles_of
from .push import PUSHES
from .standing import STANDING

HIP, KNEE, FOOT = 0, 3, 4
Z, QW, FIRST_ANGLE = 2, 3, 7
"""Joints of a leg that bend as the person stands; coordinates: place and attitude of the trunk, and then the angles."""
LEFT_KNEE, RIGHT_KNEE, PELVIS, LEFT_SHOULDER, RIGHT_SHOULDER, HEAD = range(6)
KNEE_RADIUS, PELVIS_RADIUS, SHOULDER_RADIUS, HEAD_RADIUS = 0.06, 0.1, 0.06, 0.1
"""How thick the body is there [m]."""
SOLE_BITS = 6
"""Of the chart for each sole: its four corners, and its slip."""
PUSH_HEIGHT = HAT_CENTRE * BUILD.stature
"""Where pushes act, above the middle of the hips [m]."""
PARAMETERS = Records(
    Parameter("strength", 1.0, "", "factor of the motors' peak torques", lower=0.0),
    Parameter("start_knee", 0.35, "rad", "flexion of the knees where a run begins upright", lower=0.01, upper=2.0),
    Parameter("start_lean", 0.03, "rad", "of the line from ankle to hip there, forward"),
    Parameter("joint_damping", 0.1, "N m s/rad", "of the tissue in each joint", lower=0.0),
)
P = PARAMETERS.indices
OUTPUTS = Records(
    *(Output(f"{side}_{joint}_motor", "N m") for side in SIDES for joint in JOINTS),
    Output("saturated", "", "number of motors that give less than is asked of them"),
    Output("joint_power", "W", "of all joints, torque of motor and tissue times rate"),
    Output("push_power", "W", "of the push"),
    *(Output(f"{part}_height", "m", "above the level ground") for part in PARTS),
)
N_MOTORS = len(SIDES) * PER_LEG
SATURATED, JOINT_POWER, PUSH_POWER, HEIGHTS = N_MOTORS, N_MOTORS + 1, N_MOTORS + 2, N_MOTORS + 3


def given_torque(t, x, p, side, joint, torque):
    """Return what a motor gives [N m]."""
    speed = x[N_COORDINATES + FIRST_JOINT + PER_LEG * side + joint]
    return motor_torque(joint, torque(t, side, joint), speed, p[P.strength])


def forces(force, t, x, p, torque, push):
    for i in range(N_MOTORS):
        side, joint = i // PER_LEG, i % PER_LEG
        angle, speed = x[FIRST_ANGLE + i], x[N_COORDINATES + FIRST_JOINT + i]
        tissue = tissue_torque(joint, angle, speed, p[P.joint_damping])
        force[FIRST_JOINT + i] += tissue + given_torque(t, x, p, side, joint, torque)
    add_push(force, t, x, push)


def add_push(force, t, x, push):
    """Add a push on the trunk to the forces of its six speeds; those of rotation are along its own axes."""
    along_x, along_y, along_z = push(t, 0), push(t, 1), push(t, 2)
    force[0] += along_x
    force[1] += along_y
    force[2] += along_z
    force[3] -= PUSH_HEIGHT * into_trunk(x, 1, along_x, along_y, along_z)
    force[4] += PUSH_HEIGHT * into_trunk(x, 0, along_x, along_y, along_z)


def into_trunk(x, axis, along_x, along_y, along_z):
    """Return the component of a vector of the world along an axis of the trunk."""
    a, b, c = attitude_column(x, axis)
    return a * along_x + b * along_y + c * along_z


def attitude_column(x, axis):
    """Return an axis of the trunk in the world, from its quaternion."""
    w, i, j, k = x[QW], x[QW + 1], x[QW + 2], x[QW + 3]
    scale = 2.0 / (w * w + i * i + j * j + k * k)
    if axis == 0:
        return 1.0 - scale * (j * j + k * k), scale * (i * j + k * w), scale * (i * k - j * w)
    if axis == 1:
        return scale * (i * j - k * w), 1.0 - scale * (i * i + k * k), scale * (j * k + i * w)
    return scale * (i * k + j * w), scale * (j * k - i * w), 1.0 - scale * (i * i + j * j)


def outputs(y, t, x, p, chart, torque, push):
    y[SATURATED] = y[JOINT_POWER] = 0.0
    for i in range(N_MOTORS):
        side, joint = i // PER_LEG, i % PER_LEG
        rate = x[N_COORDINATES + FIRST_JOINT + i]
        y[i] = given_torque(t, x, p, side, joint, torque)
        y[SATURATED] += 1.0 if y[i] != torque(t, side, joint) else 0.0
        y[JOINT_POWER] += (y[i] + tissue_torque(joint, x[FIRST_ANGLE + i], rate, p[P.joint_damping])) * rate
    force = scratch(N)
    for i in range(FIRST_JOINT):
        force[i] = 0.0
    add_push(force, t, x, push)
    y[PUSH_POWER] = 0.0
    for i in range(FIRST_JOINT):
        y[PUSH_POWER] += force[i] * x[N_COORDINATES + i]
    for part in range(N_PARTS):
        y[HEIGHTS + part] = clearance(t, x, p, chart, part)


def prepare(x_new, t, x, p):
    """Let a person of whom no height is given stand, upright on flat soles, with bent knees."""
    if x[Z] != 0.0:
        return
    hip, knee, ankle = rest(p, HIP), rest(p, KNEE), rest(p, FOOT)
    for side in range(2):
        first = FIRST_ANGLE + PER_LEG * side
        x_new[first + HIP], x_new[first + KNEE], x_new[first + FOOT] = hip, knee, ankle
    x_new[Z] = BUILD.thigh * math.cos(hip) + BUILD.shank * math.cos(ankle) + BUILD.ankle


def rest(p, joint):
    """Return the angle of a joint where the person stands [rad]."""
    knee = p[P.start_knee]
    hip = math.atan2(BUILD.shank * math.sin(knee), BUILD.thigh + BUILD.shank * math.cos(knee)) - p[P.start_lean]
    if joint == HIP:
        return hip
    if joint == KNEE:
        return knee
    return knee - hip if joint == FOOT else 0.0


def away(t, x, p, chart, side, joint):
    """Return by how much a joint is away from where it is as the person stands [rad]."""
    return x[FIRST_ANGLE + PER_LEG * side + joint] - rest(p, joint)


def turning(t, x, p, chart, side, joint):
    """Return how fast a joint turns [rad/s]."""
    return x[N_COORDINATES + FIRST_JOINT + PER_LEG * side + joint]


def clearance(t, x, p, chart, part):
    """Return how high a part of the body is above the level ground [m]."""
    if part <= RIGHT_KNEE:
        return height_of_knee(x, part) - KNEE_RADIUS
    if part == PELVIS:
        across = abs(attitude_column(x, 1)[2])
        return x[Z] - BUILD.half_hips * across - PELVIS_RADIUS
    if part == HEAD:
        return height_in_trunk(x, 0.0, 0.0, BUILD.head_height - HEAD_RADIUS) - HEAD_RADIUS
    side = 1.0 if part == LEFT_SHOULDER else -1.0
    return height_in_trunk(x, 0.0, side * BUILD.shoulder_side, BUILD.shoulder_height) - SHOULDER_RADIUS


def height_in_trunk(x, along_x, along_y, along_z):
    """Return the height of a point of the trunk."""
    return (
        x[Z]
        + attitude_column(x, 0)[2] * along_x
        + attitude_column(x, 1)[2] * along_y
        + attitude_column(x, 2)[2] * along_z
    )


def height_of_knee(x, side):
    hip, mirror = FIRST_ANGLE + PER_LEG * side, 1.0 - 2.0 * side
    down = BUILD.thigh * math.cos(x[hip + 1])
    along_y = mirror * (BUILD.half_hips + BUILD.thigh * math.sin(x[hip + 1]))
    return height_in_trunk(x, down * math.sin(x[hip]), along_y, -down * math.cos(x[hip]))


def coordinate(t, x, p, chart, i):
    """Return a coordinate [m, rad]."""
    return x[i]


def speed(t, x, p, chart, i):
    """Return a speed [m/s, rad/s]."""
    return x[N_COORDINATES + i]


def corners(t, x, p, chart, side):
    """Return how many corners of a sole are down."""
    down, number = chart >> (SOLE_BITS * side), 0
    for corner in range(4):
        number += (down >> corner) & 1
    return number


SENSORS = (away, turning, clearance, coordinate, speed, corners)
MODEL = contact_model(
    "human3d",
    MECHANISM,
    soles_of(BUILD, 0.6),
    forces=forces,
    outputs=outputs,
    prepare=prepare,
    parameters=PARAMETERS,
    output_records=OUTPUTS,
    rest_speed=10.0,
    slots=(
        Slot(
            "control",
            couplings=("torque",),
            choices={"standing": STANDING, "walking": WALKING},
            default="standing",
            sensors=SENSORS,
            doc="what drives the joints",
        ),
        Slot(
            "pushes",
            couplings=("push",),
            choices={"window": PUSHES},
            default="window",
            sensors=SENSORS,
            doc="what pushes the trunk",
        ),
        Slot("watch", couplings=(), choices={"fall": FALL}, default="fall", sensors=SENSORS, doc="what ends a run"),
    ),
    doc="person in space on two soles, who tips, slips and falls to the ground",
)
