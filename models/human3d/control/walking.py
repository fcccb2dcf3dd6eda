"""A walk from rest to rest, and steps that catch the body: a plan, footholds, and torques at each sample.

At a sample the controller reads coordinates, speeds and which corners of the soles are down, looks where it is in its
plan, and holds the torques that it finds until the next one. Phases and plan are those of the `biped`:

    phase       until                       the plan's centre of pressure goes
    hold        hold_time                   it rests between the feet
    shift       shift_time                  to foot 2, on which the first step stands
    single      foot 2 lands                along the sole of foot 1
    double      double_time                 from foot 1 to foot 2; then the feet exchange their names
    stopping    stop_time                   from foot 1 to the middle
    standing                                it rests between the feet
"""

import math

from hybridsim import Part, scratch
from hybridsim.multibody import Vector, centre_of_mass, kinematics, momentum, point_of, velocity_of
from hybridsim_models.biped.control.plan import (
    DOUBLE,
    HOLD,
    SHIFT,
    SINGLE,
    STANDING,
    STOPPING,
    Gait,
    duration_of,
    middle,
)
from hybridsim_models.human3d.person import FIRST_JOINT, PER_LEG, TREE, N

from .body import DATA, MASS, MOTION, SOLES, G
from .goals import Sample, choose_goal, moment_of
from .law import find_torques
from .records import BOUNDARIES, NO_RECOVERY, OUTPUTS, PARAMETERS, STATES, UNBEGUN, B, P, S, Y
from .recovery import must_step

N_COORDINATES, N_MOTORS, N_FEET = TREE.n_coordinates, 2 * PER_LEG, 12
TIME_ROUNDING = 1e-9
"""How near an instant must be to count as reached [s]."""
LANDS_AFTER = 0.5
"""Part of a step after which a foot that touches the ground has landed."""
REST = -0.104
"""Centre of pressure of a person at rest, ahead of the tips of the soles [m]."""


def torque(t, x, p, chart, side, joint, turning):
    """Return what is asked of a motor [N m]."""
    i, since = PER_LEG * side + joint, t - (x[S.next_sample] - p[P.sample_time])
    asked = x[S.asked_left_hip_flexion + i] + x[S.rise_left_hip_flexion + i] * since
    return asked - p[P.steadying] * turning(t, side, joint)


def boundaries(g, t, x, p, chart):
    g[B.sample] = x[S.next_sample] - t


def initial_chart(x_new, t, x, p):
    if x[S.phase] == UNBEGUN and x[S.next_sample] == 0.0:
        x_new[S.next_sample] = t + p[P.sample_time]
        x_new[S.steps_left] = p[P.steps] + 1.0 if p[P.steps] > 0.0 else 0.0
    return 0


def transition(x_new, t, x, p, chart, crossed, coordinate, speed, corners):
    x_new[S.next_sample] = t + p[P.sample_time]
    q, u, motion = scratch(N_COORDINATES), scratch(N), scratch(MOTION)
    torques, rates, feet = scratch(N_MOTORS), scratch(N_MOTORS), scratch(N_FEET)
    for i in range(N_COORDINATES):
        q[i] = coordinate(t, i)
    for i in range(N):
        u[i] = speed(t, i)
    kinematics(motion, TREE, DATA, q, u)
    place, moving = centre_of_mass(motion, TREE, DATA), momentum(motion, TREE, DATA)
    velocity = Vector(moving.x / MASS, moving.y / MASS, moving.z / MASS)
    left, right = int(corners(t, 0)), int(corners(t, 1))
    advance(x_new, Sample(t, p, gait_of(x_new, p), motion, place, velocity, left, right))
    sample = Sample(t, p, gait_of(x_new, p), motion, place, velocity, left, right)
    goal = choose_goal(x_new, feet, sample)
    find_torques(torques, rates, q, u, motion, feet, goal)
    for i in range(N_MOTORS):
        x_new[S.asked_left_hip_flexion + i] = torques[i] + p[P.steadying] * u[FIRST_JOINT + i]
        x_new[S.rise_left_hip_flexion + i] = p[P.steadying] * rates[i]
    return chart


def gait_of(x_new, p):
    """Return how to walk, or to catch the body."""
    catches = x_new[S.recovers] != NO_RECOVERY
    return Gait(
        length=p[P.step_length],
        width=p[P.foot_lines],
        strays=catches,
        single=p[P.recovery_time] if catches else p[P.single_time],
        double=p[P.double_time],
        hold=p[P.hold_time],
        shift=p[P.shift_time],
        stop=p[P.stop_time],
        rate=math.sqrt(G / p[P.walk_height]),
        first=p[P.cop_first],
        last=p[P.cop_last],
        rest=REST,
        heel_off=1.0,
        turn=0.0,
        slowing=0.0,
    )


def advance(x_new, sample):
    """Begin the phase that time, feet and a push call for."""
    phase, elapsed = x_new[S.phase], sample.t - x_new[S.phase_start]
    if phase == UNBEGUN:
        begin(x_new, sample, HOLD)
        return
    if phase == SINGLE:
        swinging = sample.right if x_new[S.foot1] == 0.0 else sample.left
        if swinging > 0 and elapsed > LANDS_AFTER * sample.gait.single:
            begin(x_new, sample, DOUBLE if x_new[S.steps_left] > 0.0 else STOPPING)
        return
    stands = must_step(x_new, sample)
    if stands >= 0:
        x_new[S.foot1], x_new[S.recovers] = stands, 1.0
        x_new[S.recovery_steps] += 1.0
        begin(x_new, sample, SINGLE)
        return
    if elapsed < duration_of(int(phase), sample.gait) - TIME_ROUNDING:
        return
    if phase in (HOLD, STANDING) and x_new[S.steps_left] > 0.0:
        begin(x_new, sample, SHIFT)
    elif phase in (SHIFT, DOUBLE):
        x_new[S.foot1], x_new[S.steps_left] = 1.0 - x_new[S.foot1], x_new[S.steps_left] - 1.0
        begin(x_new, sample, SINGLE)
    elif phase == STOPPING:
        x_new[S.recovers] = NO_RECOVERY
        begin(x_new, sample, STANDING)


def begin(x_new, sample, phase):
    """Begin a phase: note where the feet are, and where the plan is."""
    x_new[S.phase], x_new[S.phase_start] = phase, sample.t
    if phase == HOLD:
        moment = moment_of(x_new, sample)
        rest = middle(moment.foot1, moment.foot2, sample.gait)
        x_new[S.cop_goal_x], x_new[S.cop_goal_y] = rest.x, rest.y
    x_new[S.plan_x], x_new[S.plan_y] = x_new[S.cop_goal_x], x_new[S.cop_goal_y]
    foot = SOLES[1 - int(x_new[S.foot1])]
    place, moving = point_of(sample.motion, foot.frame, foot.place), velocity_of(sample.motion, foot.frame, foot.place)
    x_new[S.sole_x_start], x_new[S.sole_y_start], x_new[S.sole_z_start] = place.x, place.y, place.z
    x_new[S.sole_x_rate], x_new[S.sole_y_rate] = moving.x, moving.y


def outputs(y, t, x, p, chart):
    for i in range(Y.walk_phase):
        y[i] = x[S.xi_x + i]
    y[Y.walk_phase], y[Y.steps_to_go], y[Y.steps_to_catch] = x[S.phase], x[S.steps_left], x[S.recovery_steps]


PART = Part(
    "walking",
    STATES,
    couplings=(torque,),
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    parameters=PARAMETERS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    slot="human3d.control",
    doc="a walk from rest to rest, and steps that catch a person who is pushed",
)
