"""A walk from rest to rest: preview of the centre of pressure, steps, and torques, at each sample.

At a sample the controller reads coordinates and speeds, looks where it is in its plan, and holds the torques that it
finds until the next one. A foot that lands or leaves makes a sample at once, and samples are counted from where a phase
begins: what happens in a step depends only on the state in which it begins. With steps = 0 the biped stands.

    phase       until                       the plan's centre of pressure goes
    hold        hold_time                   it rests between the feet
    shift       shift_time                  to foot 2, on which the first step stands
    single      foot 2 lands                along the sole of foot 1, whose heel may rise before the end
    double      double_time, foot 2 flat    from foot 1 to foot 2; then the feet exchange their names
    stopping    stop_time                   from foot 1 to the middle
    standing                                it rests between the feet
"""

import math

from hybridsim import Part, scratch
from hybridsim.multibody import Vector, centre_of_mass, kinematics, momentum, point_of, spin_of, velocity_of
from hybridsim.multibody.vectors import put, times
from hybridsim_models.biped.anthropometry import HEEL_TO_TOE, STRAIGHT_HEIGHT
from hybridsim_models.biped.body import DATA, MOTION, N_JOINTS, ORIGIN, TREE, Build, F, N, describe
from hybridsim_models.biped.contacts import X, ahead_of, pitch_about, pitch_rate2
from hybridsim_models.biped.dynamics import JOINT_Y, LEG_SIZE
from hybridsim_models.biped.records import FLAT, foot1_of, foot2_of, mode_of, on_ground
from hybridsim_models.biped.transitions import EXCHANGE, LIFT_HEEL, NO_COMMAND

from .anticipation import expect_stance
from .goals import LIGHTEST, TIME_ROUNDING, Centre, Sample, choose_goal, heel_rises, moment_of
from .known import properties_of, with_stance
from .law import N_TORQUES, find_torques
from .plan import DOUBLE, HOLD, SHIFT, SINGLE, STANDING, STEPS_AHEAD, STOPPING, Gait, duration_of, middle
from .preview import put_cart
from .records import (
    BOUNDARIES,
    COUNTED,
    DRIVEN,
    INPUTS,
    KAJITA,
    MESSAGES,
    NO_RECOVERY,
    OUTPUTS,
    PARAMETERS,
    PEOPLE,
    SHORT,
    STATES,
    STEP,
    B,
    P,
    S,
    Y,
)
from .recovery import catch, count_recovery
from .strength import limit_torques
from .turning import follow_frame, turns, yaw_of_trunk

NO_SAMPLE = -1.0
"""Value of `seen` before the first sample."""
MOST_TURN = 1.2
"""Of a step [rad]: the path has corners beside the feet, along axes across them."""
STANDING_COP = 0.085 / 1.75
"""Centre of pressure of a biped at rest, ahead of its heels, as part of the stature."""


def torque(t, x, p, chart, side, joint):
    """Return the torque of a motor [N m]."""
    return x[S.asked_ankle_x_right + LEG_SIZE * side + joint]


def sole_moment(t, x, p, chart, side):
    """Return the moment of the toes of a foot against the ground [N m]."""
    return x[S.asked_sole_right + side]


def command(t, x, p, chart):
    """Return what the plant shall do with the feet."""
    return x[S.order]


def keeps_flat(t, x, p, chart):
    """Return whether the heel of foot 1 stays on the ground when foot 2 lands: in the last step."""
    return 1.0 if x[S.steps_left] == 0.0 else 0.0


def boundaries(g, t, x, p, chart):
    g[B.sample] = x[S.phase_start] + x[S.samples] * p[P.sample_time] - t


def initial_chart(x_new, t, x, p):
    if x[S.seen] == NO_SAMPLE:
        x_new[S.phase_start], x_new[S.samples], x_new[S.length] = t, 1.0, p[P.step_length]
        x_new[S.steps_left] = p[P.steps] + 1.0 if p[P.steps] > 0.0 else 0.0
        if p[P.walk] != COUNTED:
            x_new[S.steps_left] = never_last(p) if goes(p) else 0.0
    return 0


def never_last(p):
    """Return the steps that are left to a walk without an end: its plan does not see those that become shorter."""
    return STEPS_AHEAD + 1.0 + p[P.slowing]


def slowing_of(p):
    """Return how many steps become shorter; not more than there are."""
    return min(p[P.slowing], p[P.steps]) if p[P.walk] == COUNTED else p[P.slowing]


def goes(p):
    """Return whether a walk without an end goes on."""
    return p[P.walk] != DRIVEN or p[P.go] > 0.5


def turning(t, x, p, chart, body):
    """Return the yaw acceleration of the trunk (body = 0) or of foot 2 in the air (1), in the own frame [rad/s^2]."""
    return x[S.asked_turn_trunk + body]


def validate(t, x, p, chart, stature, slope, heading):
    if p[P.walk_height] >= STRAIGHT_HEIGHT * stature(t):
        return 1
    if abs(p[P.turn_rate]) * (p[P.single_time] + p[P.double_time]) > MOST_TURN:
        return 2
    if p[P.descent_part] <= p[P.apex_part]:
        return 3
    return 4 if slope(t) != 0.0 and (p[P.turn_rate] != 0.0 or heading(t) != 0.0) else 0


def transition(
    x_new,
    t,
    x,
    p,
    chart,
    crossed,
    coordinate,
    speed,
    stance,
    hinged,
    body_mass,
    stature,
    gravity,
    slope,
    ground,
    heading,
    origin,
):
    x_new[S.samples] = x[S.samples] + 1.0
    follow_frame(x_new, heading(t), origin(t, 0), origin(t, 1), p[P.preview] == KAJITA)
    body = properties_of(t, int(stance(t)), body_mass, gravity, stature, slope, ground)
    take_sample(x_new, t, p, body, hinged(t), coordinate, speed)
    return chart


def respond(
    t, x, p, chart, standing, coordinate, speed, hinged, body_mass, stature, gravity, slope, ground, heading, origin
):
    """Take a sample where a foot has landed or left; `standing` is the new stance, and x is written."""
    follow_frame(x, heading(t), origin(t, 0), origin(t, 1), p[P.preview] == KAJITA)
    body = properties_of(t, standing, body_mass, gravity, stature, slope, ground)
    take_sample(x, t, p, body, hinged(t), coordinate, speed)
    return 0.0


def take_sample(x_new, t, p, body, hinged, coordinate, speed):
    """Find the torques that are held until the next sample."""
    q, u, motion, data, torques = scratch(N), scratch(N), scratch(MOTION), scratch(DATA), scratch(N_TORQUES)
    for i in range(N):
        q[i], u[i] = coordinate(t, i), speed(t, i)
    describe(data, Build(body.mass, body.stature, 1.0, 0.0, 1.0))
    kinematics(motion, TREE, data, q, u)
    gait = gait_of(x_new, p, body, hinged)
    sample = Sample(t, p, body, hinged, gait, motion, centre_of(motion, data, body, p))
    advance(x_new, sample)
    x_new[S.seen] = body.stance
    expected, limited = expect_stance(x_new, sample), p[P.limits] == PEOPLE
    goal = choose_goal(x_new, sample, expected)
    if on_ground(foot1_of(body.stance)):
        there = with_stance(body, expected)
        find_torques(torques, q, u, data, there, goal, limited)
        x_new[S.asked_turn_trunk], x_new[S.asked_turn_foot2] = goal.trunk_turn, goal.foot2_turn
    else:
        x_new[S.asked_turn_trunk] = x_new[S.asked_turn_foot2] = 0.0
        for i in range(N_TORQUES):
            torques[i] = 0.0  # in flight
    if limited:
        x_new[S.motor_use] = limit_torques(torques, u)
    hold_torques(x_new, torques, mode_of(body.stance))


def gait_of(x_new, p, body, hinged):
    """Return how to walk; a biped in tandem, on toe 1 and heel 2, rests in the middle between these."""
    tandem = not hinged and foot1_of(body.stance) != FLAT and foot2_of(body.stance) != FLAT and p[P.steps] == 0.0
    rest = (-0.5 * HEEL_TO_TOE if tandem else STANDING_COP - HEEL_TO_TOE) * body.stature
    recovers = x_new[S.recovers]
    caught = p[P.short_time] if recovers == SHORT else p[P.forward_time]
    return Gait(
        length=x_new[S.length],
        width=p[P.foot_lines],
        strays=recovers != NO_RECOVERY,
        single=p[P.single_time] if recovers == NO_RECOVERY else caught,
        double=p[P.double_time],
        hold=p[P.hold_time],
        shift=p[P.shift_time],
        stop=p[P.stop_time],
        rate=math.sqrt(body.gravity / p[P.walk_height]),
        first=p[P.cop_first],
        last=p[P.cop_last],
        rest=rest,
        heel_off=p[P.heel_off],
        turn=x_new[S.turn] if recovers == NO_RECOVERY else 0.0,
        slowing=slowing_of(p) if recovers == NO_RECOVERY else 0.0,
    )


def centre_of(motion, data, body, p):
    """Return the mass centre and its velocity; on a slope, as far uphill as it is above the centre of pressure.

    There it moves as c'' = w0^2 (c - z tan(slope) - p), with the part of gravity along the ground.
    """
    place, moving = centre_of_mass(motion, TREE, data), momentum(motion, TREE, data)
    above = Vector(place.x - p[P.walk_height] * math.tan(body.slope), place.y, place.z)
    return Centre(above, times(1.0 / body.mass, moving))


def advance(x_new, sample):
    """Begin the phase that stance and time call for, and tell the plant what its feet shall do."""
    seen, stance, t = x_new[S.seen], sample.body.stance, sample.t
    phase = int(x_new[S.phase])
    x_new[S.order] = NO_COMMAND
    if seen == NO_SAMPLE:
        begin(x_new, sample, HOLD)
    elif stance != seen:
        follow_stance(x_new, sample, phase, int(seen))
    phase = int(x_new[S.phase])
    if heel_rises(x_new, sample) and foot1_of(stance) == FLAT:
        x_new[S.order] = LIFT_HEEL
    if sample.p[P.recovery] == STEP and stance == seen:
        order = catch(x_new, sample)
        x_new[S.order] = float(order) if order != NO_COMMAND else x_new[S.order]
    if t - x_new[S.phase_start] < duration_of(phase, sample.gait) - TIME_ROUNDING or x_new[S.order] != NO_COMMAND:
        return
    if sample.p[P.walk] == DRIVEN and phase in (HOLD, STANDING) and goes(sample.p):
        x_new[S.steps_left] = never_last(sample.p)
    if phase in (HOLD, STANDING) and x_new[S.steps_left] > 0.0:
        begin(x_new, sample, SHIFT)
    elif phase == STOPPING:
        x_new[S.recovers] = NO_RECOVERY
        begin(x_new, sample, STANDING)
    elif phase == SHIFT or (phase == DOUBLE and (sample.hinged or foot2_of(stance) == FLAT)):
        x_new[S.order] = EXCHANGE


def follow_stance(x_new, sample, phase, seen):
    """Begin the phase of a stance that is new."""
    stance = sample.body.stance
    if not on_ground(foot2_of(stance)):
        if mode_of(stance) != mode_of(seen) or on_ground(foot2_of(seen)):
            count_step(x_new, sample)
            begin(x_new, sample, SINGLE)
        return
    if phase == SINGLE:
        begin(x_new, sample, DOUBLE if x_new[S.steps_left] > 0.0 else STOPPING)
    if foot2_of(stance) == FLAT:
        x_new[S.share_start], x_new[S.share_delay] = max(x_new[S.share], LIGHTEST), sample.t - x_new[S.phase_start]


def count_step(x_new, sample):
    """Count a step that begins, unless the walk has no end, or one more is to catch the biped."""
    p, left = sample.p, max(x_new[S.steps_left] - 1.0, 0.0)
    if x_new[S.recovers] != NO_RECOVERY:
        count_recovery(x_new, sample)
        return
    if p[P.walk] != COUNTED:
        left = never_last(p) if goes(p) else min(left, p[P.slowing] + 1.0)
    x_new[S.steps_left] = left


def begin(x_new, sample, phase):
    """Begin a phase: count samples from here, note where the feet are, and where the plan is."""
    p = sample.p
    x_new[S.phase], x_new[S.phase_start], x_new[S.samples] = phase, sample.t, 1.0
    x_new[S.length] = p[P.speed] * (p[P.single_time] + p[P.double_time]) if p[P.walk] == DRIVEN else p[P.step_length]
    rate = p[P.turn_rate] if x_new[S.recovers] == NO_RECOVERY else 0.0
    x_new[S.turn] = rate * (p[P.single_time] + p[P.double_time])
    if phase == HOLD:
        moment = moment_of(x_new, sample)
        rest = middle(moment.foot1, moment.foot2, sample.gait)
        x_new[S.cop_plan_x], x_new[S.cop_plan_y] = rest.x, rest.y
        put_cart(x_new, sample.t, rest)
    x_new[S.plan_x], x_new[S.plan_y] = x_new[S.cop_plan_x], x_new[S.cop_plan_y]
    motion, ahead = sample.motion, ahead_of(sample.motion, sample.body.stance, 1)
    x_new[S.pitch1_start], x_new[S.pitch1_rate] = pitch_about(motion, F.foot1, X), spin_of(motion, F.foot1).y
    x_new[S.pitch2_start] = pitch_about(motion, F.foot2, ahead)
    x_new[S.pitch2_rate] = pitch_rate2(motion, sample.body.stance)
    if turns(x_new, sample.body.stance):
        x_new[S.trunk_yaw_start], x_new[S.foot2_yaw_start] = yaw_of_trunk(motion), math.atan2(ahead.y, ahead.x)
    if phase != SINGLE:
        x_new[S.ground_left] = sample.body.ground1
    put(x_new, S.ankle_x_start, point_of(motion, F.foot2, ORIGIN))
    put(x_new, S.ankle_x_rate, velocity_of(motion, F.foot2, ORIGIN))


def hold_torques(x_new, torques, mode):
    """Hold the torques until the next sample, by side: those of leg 2 as if it were leg 1."""
    leg1, leg2 = S.asked_ankle_x_right + LEG_SIZE * mode, S.asked_ankle_x_right + LEG_SIZE * (1 - mode)
    for joint in range(LEG_SIZE):
        turned = -1.0 if joint in JOINT_Y else 1.0
        x_new[leg1 + joint] = torques[joint]
        x_new[leg2 + joint] = turned * torques[N_JOINTS - 1 - joint]
    x_new[S.asked_sole_right + mode], x_new[S.asked_sole_left - mode] = torques[N_JOINTS], torques[N_JOINTS + 1]


def outputs(y, t, x, p, chart, heading, origin):
    cosine, sine = math.cos(heading(t)), math.sin(heading(t))
    for i in range(0, Y.walk_phase, 2):
        along, across = x[S.xi_x + i], x[S.xi_x + i + 1]
        y[i] = origin(t, 0) + cosine * along - sine * across
        y[i + 1] = origin(t, 1) + sine * along + cosine * across
    y[Y.walk_phase], y[Y.steps_to_go], y[Y.motor_use_now] = x[S.phase], x[S.steps_left], x[S.motor_use]


PART = Part(
    "walking",
    STATES,
    couplings=(torque, sole_moment, command, keeps_flat, respond, turning),
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    outputs=outputs,
    validate=validate,
    parameters=PARAMETERS,
    inputs=INPUTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=MESSAGES,
    slot="biped.control",
    doc="a walk from rest to rest, straight or on a curve, with preview of the divergent component",
)
