"""What happens at an event: a foot lands, leaves, or exchanges its name with the other; a limit is reached."""

from hybridsim import scratch, subarray
from hybridsim.multibody import (
    kinematics,
    point_of,
    rotation_of,
)

from .body import (
    DATA,
    MOTION,
    TREE,
    F,
    N,
    describe,
    heel1,
    heel2,
    toe1,
    toe2,
)
from .dynamics import N_REACTIONS, Instant, build_of
from .friction import begin_slip, follow_slip
from .impacts import collide, complete, exchange, land, straighten
from .jamming import LEAST_RATIO
from .limits import GIVE_WAY, HINGED, MIN_PIVOT, NO_LIMIT, WARN, concerns, find_limits, give_way, policy_of
from .posture import pose
from .records import (
    AFTER,
    BEFORE,
    DURING,
    FLAT,
    GROUND_LIMITS,
    HEEL,
    HOLDS,
    LEAVING_FOOT,
    MESSAGE_OF_CAUSE,
    N_BOUNDARIES,
    N_CAUSES,
    N_LIMITS,
    NO_RANK,
    NOT_STANDING,
    ON_EDGE,
    REPLACED,
    SLIPS,
    STANCE_BITS,
    TOE,
    B,
    Feet,
    Foot,
    P,
    S,
    chart_of,
    feet_of,
    foot1_of,
    foot2_of,
    mode_of,
    on_ground,
    push_of,
    slips,
)

TRUNK, FOOT2 = range(2)
"""What a controller can turn."""
NO_COMMAND, LIFT_HEEL, EXCHANGE, RELEASE = range(4)
"""What a controller can ask for: that heel 1 leaves the ground; that foot 1 does, and foot 2 becomes foot 1; foot 2."""
MAX_CHANGES = 6
"""How often feet can give way at one instant: both slip, both leave, and more after an exchange."""
MAX_ROLL_OF_LEVEL_SOLE = 0.02
"""Roll of a sole on the ground [rad] from which on it is on its edge."""
GROUND_TOLERANCE = 1e-6
"""Roll of a sole [rad], and height as part of the stature, of a foot that stands at the start."""


def transition(x_new, t, x, p, chart, crossed, torque, sole_moment, command, keeps_flat, respond, turning):
    """Follow the controller's transition: its torques may have jumped, so that all limits are examined.

    A controller responds at once where a foot lands or leaves.
    """
    push = push_of(chart)
    if crossed[B.push_begins]:
        push = DURING
    elif crossed[B.push_ends]:
        push = AFTER
    before = feet_of(chart)
    instant = Instant(t, x_new, p, chart_of(before, push), torque, sole_moment)
    landed = land(x_new, t, p, before, crossed, keeps_flat)
    feet = let_go(follow_slips(instant, landed, crossed), p, crossed)
    return settle(instant, feet, int(command(t)), crossed, keeps_flat, respond, turning)


def settle(instant, feet, order, crossed, keeps_flat, respond, turning):
    """Find how the feet stand, from what they would do if the ground could hold all of them; return the chart."""
    before, push = feet_of(instant.chart), push_of(instant.chart)
    chart, known = instant.chart, False
    for _ in range(MAX_CHANGES):
        feet = obey(instant.x, instant.p, feet, order)
        moved = feet.mode != before.mode
        moved |= feet.foot1.contact != before.foot1.contact or feet.foot2.contact != before.foot2.contact
        if not moved:
            foot1, foot2 = risen(feet.foot1, crossed[B.clear1]), risen(feet.foot2, crossed[B.clear2])
            feet = Feet(feet.mode, foot1, foot2, feet.turned)
            if crossed[B.clear2]:
                instant.x[S.ground2] = instant.x[S.ground_ahead]
        chart = chart_of(feet, push)
        if feet.mode != before.mode and on_ground(feet.foot1.contact) and not on_ground(feet.foot2.contact):
            straighten(instant.x, instant.p, chart)
        complete(instant.x, instant.p, chart)
        if moved:
            respond(instant.t, chart & STANCE_BITS)
        feet = Feet(feet.mode, feet.foot1, feet.foot2, follow_turn(instant, feet, turning))
        chart = chart_of(feet, push)
        if order in (EXCHANGE, RELEASE) and keeps_flat(instant.t) != 0.0 and not on_ground(feet.foot2.contact):
            instant.x[S.ground_ahead] = instant.x[S.ground1]  # the last step lands beside foot 1
        yielding = examine(in_chart(instant, chart), crossed, moved or known)
        if yielding == NO_LIMIT:
            return chart
        feet, order, known = give_way(feet, yielding), NO_COMMAND, True
        if yielding == B.jam:
            stick(instant.x, instant.p, feet)
    instant.x[S.cause] = float(B.jam + 1)
    return chart


def follow_turn(instant, feet, turning):
    """Take over how trunk and foot 2 shall turn; return whether the biped has begun to, so that feet may have a yaw."""
    x_new, t = instant.x, instant.t
    x_new[S.trunk_turn], x_new[S.foot2_turn] = turning(t, TRUNK), turning(t, FOOT2)
    moving = x_new[S.trunk_turn] != 0.0 or x_new[S.foot2_turn] != 0.0
    return int(feet.turned != 0 or moving)


def in_chart(instant, chart):
    """Return the same instant in another chart."""
    return Instant(instant.t, instant.x, instant.p, chart, instant.torque, instant.sole_moment)


def risen(foot, has_risen):
    """Return a foot whose points that are not on the ground may have risen above it."""
    return Foot(foot.contact, int(foot.clear or has_risen != 0), foot.slips)


def follow_slips(instant, feet, crossed):
    """Return the feet; one that slips may have come to rest, and `examine` may let it slip again.

    A foot that stops takes speed from the other, which may stop, too.
    """
    motion, data, x, p = scratch(MOTION), scratch(DATA), instant.x, instant.p
    while feet.foot1.slips != HOLDS or feet.foot2.slips != HOLDS:
        now = in_chart(instant, chart_of(feet, 0))
        describe(data, build_of(p))
        kinematics(motion, TREE, data, x, subarray(x, N, N))
        slipping = feet
        foot1 = follow_slip(slipping.foot1, motion, now, crossed, 0)
        foot2 = follow_slip(slipping.foot2, motion, now, crossed, 1)
        feet = Feet(slipping.mode, foot1, foot2, slipping.turned)
        if not (stops(slipping.foot1, feet.foot1) or stops(slipping.foot2, feet.foot2)):
            break
        stick(x, p, feet)
    return feet


def stick(x, p, feet):
    """Make the impact in which feet that have slipped come to rest."""
    impulse1, impulse2 = x[S.impulse1_z], x[S.impulse2_z]
    collide(x, p, feet)
    x[S.impulse1_z], x[S.impulse2_z] = impulse1, impulse2  # those of the last foot that has landed


def stops(before, after):
    """Return whether a foot has stopped to slip."""
    return before.slips != HOLDS and after.slips == HOLDS


def let_go(feet, p, crossed):
    """Let a foot leave the ground that would have to pull at it, if that is the policy."""
    if p[P.on_lift] == GIVE_WAY:
        for limit in (B.lift1, B.lift2):
            feet = give_way(feet, limit) if crossed[limit] else feet
    return feet


def obey(x_new, p, feet, order):
    """Do what the controller asks for; a foot 2 that stands alone becomes foot 1."""
    if order == LIFT_HEEL and feet.foot1.contact == FLAT:
        feet = Feet(feet.mode, Foot(TOE, 0, feet.foot1.slips), feet.foot2, feet.turned)
    if order == RELEASE and on_ground(feet.foot1.contact):
        x_new[S.ground_ahead] = x_new[S.ground1] + p[P.step_height]
        return Feet(feet.mode, feet.foot1, LEAVING_FOOT, feet.turned)
    if not on_ground(feet.foot2.contact) or (order != EXCHANGE and on_ground(feet.foot1.contact)):
        return feet
    exchange(x_new, p, feet)
    if order == EXCHANGE:
        x_new[S.ground_ahead] = x_new[S.ground1] + p[P.step_height]
    if p[P.feet] != HINGED:
        return Feet(1 - feet.mode, feet.foot2, LEAVING_FOOT, feet.turned)
    # The hinge of a foot that was on its heel jumps to its toe, which must come to rest.
    after = Feet(1 - feet.mode, Foot(TOE, 0, feet.foot2.slips), LEAVING_FOOT, feet.turned)
    collide(x_new, p, after)
    return after


def examine(instant, crossed, moved):
    """Examine all limits: beyond one, the run ends, or a warning begins; `crossed` is old if the feet have `moved`.

    Returns
    -------
    int
        The limit at which a foot shall leave or slip: the first foot at which the ground would have to pull, or else
        that which needs most friction; NO_LIMIT if the feet can stand as they do.
    """
    x_new, p, chart = instant.x, instant.p, instant.chart
    limits, forces, motion = scratch(N_LIMITS), scratch(N_REACTIONS), scratch(MOTION)
    pivot = find_limits(limits, forces, motion, instant)
    yielding, cause = NO_LIMIT, fault_of(pivot, motion, chart)
    forget_warnings(x_new, crossed)
    if concerns(B.jam, chart) and limits[B.jam] <= 0.0 and cause != NO_RANK:
        if can_unjam(limits, p, chart):
            return unjam(chart)
        cause = B.jam + 1
    for limit in range(N_LIMITS):
        policy = policy_of(p, limit, chart)
        if not is_beyond(limits, limit, chart, crossed, moved):
            continue
        if policy == WARN:
            x_new[S.warned] = float(int(x_new[S.warned]) | 1 << limit)
        elif policy == GIVE_WAY:
            yielding = worse(limits, yielding, limit)
        elif cause == 0:
            cause = limit + 1
    if yielding == NO_LIMIT or cause == NO_RANK:
        x_new[S.cause] = float(cause) if x_new[S.cause] == 0.0 else x_new[S.cause]
        return NO_LIMIT
    if yielding in (B.slip1, B.slip2):
        begin_slip(x_new, forces, yielding - B.slip1)
    return yielding


def is_beyond(limits, limit, chart, crossed, moved):
    """Return whether the state is beyond a limit, or has just reached it."""
    return concerns(limit, chart) and ((crossed[limit] and not moved) or limits[limit] <= 0.0)


def forget_warnings(x_new, crossed):
    """Forget the limits beyond which the state was, unless the event is the crossing of a limit.

    So a limit warns once until the next event of another kind, such as a sample of the controller.
    """
    for limit in range(N_LIMITS):
        if crossed[limit]:
            return
    x_new[S.warned] = 0.0


def can_unjam(limits, p, chart):
    """Return whether feet that jam can go on: one under way comes to rest; one that begins to slip leaves the ground.

    There its pressure would be negative if it had no friction: it is negative in the air.
    """
    under_way = slips(chart, 0) == SLIPS or slips(chart, 1) == SLIPS
    return under_way or (p[P.on_lift] == GIVE_WAY and limits[B.jam] <= -LEAST_RATIO)


def unjam(chart):
    """Return the limit at which feet that jam give way."""
    if slips(chart, 0) == SLIPS or slips(chart, 1) == SLIPS:
        return B.jam
    return B.lift1 if slips(chart, 0) else B.lift2


def fault_of(pivot, motion, chart):
    """Return NO_RANK if constraints do not determine the speeds, ON_EDGE if a sole on the ground is rolled, or 0."""
    if pivot < MIN_PIVOT:
        return NO_RANK
    roll1 = abs(rotation_of(motion, F.foot1).y.z) if on_ground(foot1_of(chart)) else 0.0
    roll2 = abs(rotation_of(motion, F.foot2).y.z) if on_ground(foot2_of(chart)) else 0.0
    return 0 if max(roll1, roll2) < MAX_ROLL_OF_LEVEL_SOLE else ON_EDGE


def worse(limits, first, second):
    """Return which of two limits counts: any before none, a pull before a slip, and the larger slip."""
    if first == B.slip1 and second == B.slip2 and limits[second] < limits[first]:
        return second
    return second if first == NO_LIMIT else first


def initial_chart(x_new, t, x, p, torque, sole_moment, respond):
    """Put the biped in posture, unless its states are given (`posed`), and let the controller begin."""
    foot1 = TOE if p[P.feet] == HINGED or p[P.start_pitch1] > 0.0 else FLAT
    foot2 = HEEL if p[P.feet] == HINGED or p[P.start_pitch2] < 0.0 else FLAT
    mode, push, crossed = int(p[P.start_mode]), push_at(t, p), scratch(N_BOUNDARIES)
    clear1, clear2 = int(p[P.start_pitch1] > 0.0), int(p[P.start_pitch2] < 0.0)
    feet = Feet(mode, Foot(foot1, clear1, HOLDS), Foot(foot2, clear2, HOLDS), 0)
    chart = chart_of(feet, push)
    x_new[S.cause] = float(find_posture(x_new, p, feet))
    for i in range(N_BOUNDARIES):
        crossed[i] = 0.0
    yielding = NO_LIMIT if x_new[S.cause] != 0.0 else 0
    while yielding != NO_LIMIT:
        complete(x_new, p, chart)
        respond(t, chart & STANCE_BITS)
        yielding = examine(Instant(t, x_new, p, chart, torque, sole_moment), crossed, True)
        feet = give_way(feet, yielding)
        chart = chart_of(feet, push)
    return chart


def push_at(t, p):
    """Return whether the push is to come, goes on, or is over; one of no force is."""
    pushes = p[P.push_x] != 0.0 or p[P.push_y] != 0.0 or p[P.push_z] != 0.0
    if pushes and t < p[P.push_start]:
        return BEFORE
    return DURING if pushes and t < p[P.push_start] + p[P.push_duration] else AFTER


def find_posture(x_new, p, feet):
    """Put the biped in posture, or see whether it stands as it is; return the number of a message, or 0."""
    if x_new[S.posed] != 0.0:
        return 0 if stands(x_new, p, feet) else NOT_STANDING
    for i in range(N):
        if x_new[i] != 0.0:
            return REPLACED
    x_new[S.posed] = 1.0
    return pose(x_new, p)


def stands(x_new, p, feet):
    """Return whether the points that shall be on the ground are there, with soles that are level across."""
    h, motion, data = p[P.stature], scratch(MOTION), scratch(DATA)
    describe(data, build_of(p))
    kinematics(motion, TREE, data, x_new, subarray(x_new, N, N))
    off = max(abs(rotation_of(motion, F.foot1).y.z), abs(rotation_of(motion, F.foot2).y.z))
    for point, place in ((TOE, toe1(h)), (HEEL, heel1(h))):
        if feet.foot1.contact & point:
            off = max(off, abs(point_of(motion, F.foot1, place).z - x_new[S.ground1]) / h)
    for point, place in ((TOE, toe2(h)), (HEEL, heel2(h))):
        if feet.foot2.contact & point:
            off = max(off, abs(point_of(motion, F.foot2, place).z - x_new[S.ground2]) / h)
    return off < GROUND_TOLERANCE


def validate(t, x, p, chart):
    cause, warned = int(x[S.cause]), int(x[S.warned])
    for limit in range(GROUND_LIMITS):
        if cause == 0 and warned >> limit & 1:
            cause = N_LIMITS + limit + 1
    return MESSAGE_OF_CAUSE[cause + N_CAUSES * mode_of(chart) if cause != 0 else 0]
