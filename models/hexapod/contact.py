"""Toes on the ground: push, friction, slipping, and what becomes of a toe that lands or is let go.

A toe in stance has no mass. Stuck, it rests. It slips where the drag D of the resting toe would leave the cone, D >
mu N; then the leg's own dampers set its velocity u, so that drag is again mu N, along u (Coulomb). At D = mu N that
velocity is zero, so the flow is continuous there. A slipping toe goes on while there is a velocity for it (`tug`). It
leaves the ground where none is left at which friction could take the drag (`grip`), which is usually where even the
freely sliding toe is not pressed down any more; it starts its flight at that velocity, and nothing drives it back. (Let
go at rest, it would be pulled sideways and pressed down again at once.)

With friction = creep, SimSect's law, drag exceeds the cone by creep_damping |u|, which tends to creep_limit mu N.
"""

import math

from hybridsim import scratch

from .legs import (
    DAMPER_RHO,
    DAMPER_THETA,
    DRAG,
    E_PHI,
    E_RHO,
    E_THETA,
    FORCE,
    NORMAL,
    PHI,
    PUSH,
    RATE_PHI,
    REACH,
    RESTING,
    RHO,
    SLIDE,
    SPRING_RHO,
    SPRING_THETA,
    load_leg,
)
from .motor import hip_torque
from .records import CREEP, CREEP_DAMPING, CREEP_LIMIT, FRICTION, FRICTION_COEFF, F
from .terrain import gradient

SMALL_RATE = 1e-2
"""Over this step [rad/s] the slope of the hip torque is found; on a piecewise linear law that is exact, to 1e-13."""
AGREEMENT = 1e-11
"""Between the hip torque and its linear model [N m] when a slip velocity is taken as found."""
MAX_MODELS, MAX_TRIALS = 30, 60
PARTS = 8
"""Of the way from rest to free sliding; the first in which a root shows is searched."""
LEAST_FRICTION, LEAST_DAMPING = 1e-9, 1e-3
"""So that a toe on ice, too, lets go where nothing presses it down; and for legs without dampers [N s/m]."""

ENOUGH = 1.0
"""Friction to spare [N] with which a toe surely stays."""

A11, A12, A22, B1, B2, C1, C2, N0 = range(8)
REST_RATE, AHEAD1, AHEAD2, LIFT, RATE, TORQUE_AT_REST, TORQUE_SLOPE, SCALE = range(8, 16)
MODEL = 16
"""A sliding toe, with u in the two tangents. Without the hip torque, drag = b - A u and push = N0 + c . u. The hip
turns at REST_RATE + AHEAD . u; its torque adds AHEAD per N m to the drag and takes LIFT from the push, and at a RATE
its tangent is TORQUE_AT_REST + TORQUE_SLOPE (AHEAD . u)."""


def find_ground(leg_space, x, p, pose, leg):
    """The normal of the ground under the toe, in B."""
    c = leg_space
    slopes = scratch(2)
    gradient(slopes, x[F + 3 * leg], x[F + 3 * leg + 1], p)
    size = 1.0 / math.sqrt(1.0 + slopes[0] * slopes[0] + slopes[1] * slopes[1])
    for i in range(3):
        c[NORMAL + i] = size * (pose[6 + i] - slopes[0] * pose[i] - slopes[1] * pose[3 + i])


def press(leg_space):
    """PUSH and DRAG of the leg's FORCE."""
    c = leg_space
    push = -(c[NORMAL] * c[FORCE] + c[NORMAL + 1] * c[FORCE + 1] + c[NORMAL + 2] * c[FORCE + 2])
    dx = c[FORCE] + push * c[NORMAL]
    dy = c[FORCE + 1] + push * c[NORMAL + 1]
    dz = c[FORCE + 2] + push * c[NORMAL + 2]
    c[PUSH], c[DRAG] = push, math.sqrt(dx * dx + dy * dy + dz * dz)


def rest_toe(leg_space, t, x, p, chart, leg, torque):
    """Forces of the leg while its toe rests on the ground."""
    c = leg_space
    load_leg(c, t, x, p, chart, leg, torque, c[RESTING], c[RESTING + 1], c[RESTING + 2])
    press(c)
    c[SLIDE], c[SLIDE + 1], c[SLIDE + 2] = 0.0, 0.0, 0.0


def hold(leg_space, p):
    """How much more drag the cone would hold [N]; of a resting toe: positive = it sticks, negative = it slips."""
    return p[FRICTION_COEFF] * leg_space[PUSH] - leg_space[DRAG]


def slide_toe(leg_space, t, x, p, chart, leg, torque, free):
    """Forces of the leg, and velocity, while its toe slips; with `free` as if there were no friction."""
    c = leg_space
    tangents, u, model = scratch(6), scratch(2), scratch(MODEL)
    find_tangents(tangents, c)
    find_model(model, tangents, c, t, p, chart, leg, torque)
    if free:
        slip_at(u, model, c, t, p, chart, leg, torque, 0.0)
    else:
        find_slide(u, model, c, t, p, chart, leg, torque)
    for i in range(3):
        c[SLIDE + i] = u[0] * tangents[i] + u[1] * tangents[3 + i]
    load_leg(
        c,
        t,
        x,
        p,
        chart,
        leg,
        torque,
        c[RESTING] + c[SLIDE],
        c[RESTING + 1] + c[SLIDE + 1],
        c[RESTING + 2] + c[SLIDE + 2],
    )
    press(c)


def grip(leg_space, t, p, chart, leg, torque):
    """Push to spare [N] at the best of the velocities tried: (friction - drag) / mu; without any, a toe lets go.

    At free sliding, z = 0, there is no drag, and that is the push. A leg that drags its toe may be pressed down by
    friction itself: then it lets go, with a jerk, where no velocity is left at which drag is as large as friction.
    Others than free sliding are tried only where they may matter: what there is to spare counts up to ENOUGH, or as
    much as at free sliding.
    """
    tangents, u, model = scratch(6), scratch(2), scratch(MODEL)
    find_tangents(tangents, leg_space)
    find_model(model, tangents, leg_space, t, p, chart, leg, torque)
    most = -surplus(u, model, leg_space, t, p, chart, leg, torque, 0.0)
    k = 0
    while k < PARTS - 1 and most < ENOUGH:
        k += 1
        most = min(max(most, -surplus(u, model, leg_space, t, p, chart, leg, torque, part(k))), ENOUGH)
    return most / (friction_coeff(p) * (1.0 + (p[CREEP_LIMIT] if p[FRICTION] == CREEP else 0.0)))


def part(k):
    """The z that is tried after k of PARTS, closer to each other near rest."""
    return 1.0 - (1.0 - k / PARTS) ** 2


def tug(leg_space, t, p, chart, leg, torque):
    """Drag to spare [N] with which a slipping toe goes on; without any, it sticks.

    That is the resting toe's, unless slipping takes from its push: then a toe at rest would hold where a slipping one
    goes on, as long as at one velocity drag exceeds friction, and at a greater one friction the drag. It stops, with a
    jerk, where that ends. Counted up to ENOUGH, as in `grip`.
    """
    most = -hold(leg_space, p)
    if most >= ENOUGH:
        return most
    tangents, u, model = scratch(6), scratch(2), scratch(MODEL)
    find_tangents(tangents, leg_space)
    find_model(model, tangents, leg_space, t, p, chart, leg, torque)
    faster = -surplus(u, model, leg_space, t, p, chart, leg, torque, 0.0)
    k = 0
    while k < PARTS - 1 and most < ENOUGH:
        k += 1
        here = surplus(u, model, leg_space, t, p, chart, leg, torque, part(k))
        most = min(max(most, min(here, faster)), ENOUGH)
        faster = max(faster, -here)
    return most


def find_tangents(tangents, leg_space):
    """Two tangents of the ground, orthonormal (Duff et al. 2017). Friction is the same all around: any will do."""
    c = leg_space
    nx, ny, nz = c[NORMAL], c[NORMAL + 1], c[NORMAL + 2]
    sign = math.copysign(1.0, nz)
    a = -1.0 / (sign + nz)
    b = nx * ny * a
    tangents[0], tangents[1], tangents[2] = 1.0 + sign * nx * nx * a, sign * b, -sign * nx
    tangents[3], tangents[4], tangents[5] = b, sign + ny * ny * a, -ny


def find_slide(u, model, leg_space, t, p, chart, leg, torque):
    """U = the velocity in the tangents: drag = (mu N + creep) u / |u|.

    With drag = k u, every k >= 0 has one solution, as the leg's damping and the hip torque's fall with the rate both
    make the drag smaller the faster the toe moves. k = a z / (1 - z) goes from free sliding, z = 0, to rest, z = 1, and
    the root of drag - mu N - creep is sought in z; the highest of several, so that it follows from rest without a jump.
    z can go somewhat beyond 1, too: as long as ((1 - z) A + a z) is positive.
    """
    low = fastest = 1.0
    at_low = at_rest = most = surplus(u, model, leg_space, t, p, chart, leg, torque, low)
    k = PARTS
    while at_low < 0.0 and k > 1:
        k -= 1
        low = part(k)
        at_low = surplus(u, model, leg_space, t, p, chart, leg, torque, low)
        if at_low > most:
            fastest, most = low, at_low
    best, at_best = float(k), math.inf
    while most >= 0.0 and k > 0:
        k -= 1
        high, at_high, low = low, at_low, part(k)
        at_low = surplus(u, model, leg_space, t, p, chart, leg, torque, low)
        if at_low < 0.0:
            refine(u, model, leg_space, t, p, chart, leg, torque, low, high, at_low, at_high)
            return
        if at_low < at_best:
            best, at_best = float(k), at_low
    if most < 0.0 or 0.0 < -at_rest < at_best:
        stop_toe(u, model, leg_space, t, p, chart, leg, torque, fastest if most < 0.0 else 1.0, at_rest)
    else:
        look_closer(u, model, leg_space, t, p, chart, leg, torque, best)


def stop_toe(u, model, leg_space, t, p, chart, leg, torque, z, at_rest):
    """Beyond the boundary where a toe sticks: the velocity goes on through zero, or stays where it was the last."""
    if z < 1.0:
        slip_at(u, model, leg_space, t, p, chart, leg, torque, z)
        return
    high = 1.0 + 0.5 * model[SCALE] / (model[SCALE] + hip_damping(model))
    at_high = surplus(u, model, leg_space, t, p, chart, leg, torque, high)
    if at_high > 0.0:
        refine(u, model, leg_space, t, p, chart, leg, torque, z, high, at_rest, at_high)


def look_closer(u, model, leg_space, t, p, chart, leg, torque, best):
    """A root beside z = part(best); without any, as there is beyond a boundary, that itself."""
    for k in range(1, 4):
        for side in (1.0, -1.0):
            place = best + side * 0.5**k
            if not 0.0 <= place <= PARTS:
                continue
            low = part(place)
            at_low = surplus(u, model, leg_space, t, p, chart, leg, torque, low)
            if at_low < 0.0:
                high = part(best if side < 0.0 else best + 1.0)
                at_high = surplus(u, model, leg_space, t, p, chart, leg, torque, high)
                refine(u, model, leg_space, t, p, chart, leg, torque, low, high, at_low, at_high)
                return
    slip_at(u, model, leg_space, t, p, chart, leg, torque, part(best))


def find_model(model, tangents, leg_space, t, p, chart, leg, torque):
    """Drag and push without the hip torque, and what that adds per N m."""
    c, m = leg_space, model
    for k in range(MODEL):
        m[k] = 0.0
    for axis in range(2):
        e = E_RHO + 3 * axis
        at_rest = c[e] * c[RESTING] + c[e + 1] * c[RESTING + 1] + c[e + 2] * c[RESTING + 2]
        if axis == 0:
            damping = c[DAMPER_RHO]
            force = c[SPRING_RHO] - damping * at_rest
        else:
            damping = c[DAMPER_THETA] / (c[RHO] * c[RHO])
            force = c[SPRING_THETA] / c[RHO] - damping * at_rest
        n = c[e] * c[NORMAL] + c[e + 1] * c[NORMAL + 1] + c[e + 2] * c[NORMAL + 2]
        t1 = c[e] * tangents[0] + c[e + 1] * tangents[1] + c[e + 2] * tangents[2]
        t2 = c[e] * tangents[3] + c[e + 1] * tangents[4] + c[e + 2] * tangents[5]
        m[A11] += damping * t1 * t1
        m[A12] += damping * t1 * t2
        m[A22] += damping * t2 * t2
        m[B1] += force * t1
        m[B2] += force * t2
        m[C1] += damping * n * t1
        m[C2] += damping * n * t2
        m[N0] -= force * n
    m[REST_RATE] = (c[E_PHI + 1] * c[RESTING + 1] + c[E_PHI + 2] * c[RESTING + 2]) / c[REACH]
    m[AHEAD1] = (c[E_PHI + 1] * tangents[1] + c[E_PHI + 2] * tangents[2]) / c[REACH]
    m[AHEAD2] = (c[E_PHI + 1] * tangents[4] + c[E_PHI + 2] * tangents[5]) / c[REACH]
    m[LIFT] = (c[E_PHI + 1] * c[NORMAL + 1] + c[E_PHI + 2] * c[NORMAL + 2]) / c[REACH]
    place_torque(m, c, t, p, chart, leg, torque, m[REST_RATE])
    m[SCALE] = c[DAMPER_RHO] + c[DAMPER_THETA] / (c[RHO] * c[RHO]) + LEAST_DAMPING


def place_torque(model, leg_space, t, p, chart, leg, torque, rate):
    """The tangent of the hip torque over the hip rate [rad/s], there."""
    m, phi = model, leg_space[PHI]
    here = hip_torque(t, p, chart, leg, phi, rate, torque)
    slope = (hip_torque(t, p, chart, leg, phi, rate + SMALL_RATE, torque) - here) / SMALL_RATE
    m[RATE], m[TORQUE_SLOPE] = rate, min(slope, -1e-9)
    m[TORQUE_AT_REST] = here - m[TORQUE_SLOPE] * (rate - m[REST_RATE])


def hip_damping(model):
    """That the hip torque adds to A [N s/m]."""
    return -model[TORQUE_SLOPE] * (model[AHEAD1] ** 2 + model[AHEAD2] ** 2)


def slip_at(u, model, leg_space, t, p, chart, leg, torque, z):
    """U at z, and its drag [N].

    Where the tangent of the hip torque leads to another rate than its own, that tells on which side the solution is:
    Newton's method with a bracket, exact after as many tangents as there are kinks on the way.
    """
    m, low, high, drag = model, -math.inf, math.inf, 0.0
    for _ in range(MAX_MODELS):
        drag = slip_along_tangent(u, m, z)
        turned = m[AHEAD1] * u[0] + m[AHEAD2] * u[1]
        rate, expected = m[REST_RATE] + turned, m[TORQUE_AT_REST] + m[TORQUE_SLOPE] * turned
        if abs(hip_torque(t, p, chart, leg, leg_space[PHI], rate, torque) - expected) <= AGREEMENT:
            return drag
        if rate > m[RATE]:
            low = m[RATE]
        else:
            high = m[RATE]
        rate = rate if low < rate < high else 0.5 * (low + high)
        place_torque(m, leg_space, t, p, chart, leg, torque, rate)
    return drag


def slip_along_tangent(u, model, z):
    """U = (1 - z) M b and drag = a z M b with M = ((1 - z) A + a z)^-1."""
    m, s = model, model[TORQUE_SLOPE]
    d11 = (1.0 - z) * (m[A11] - s * m[AHEAD1] * m[AHEAD1]) + m[SCALE] * z
    d22 = (1.0 - z) * (m[A22] - s * m[AHEAD2] * m[AHEAD2]) + m[SCALE] * z
    d12 = (1.0 - z) * (m[A12] - s * m[AHEAD1] * m[AHEAD2])
    b1, b2 = m[B1] + m[AHEAD1] * m[TORQUE_AT_REST], m[B2] + m[AHEAD2] * m[TORQUE_AT_REST]
    scale = 1.0 / (d11 * d22 - d12 * d12)
    q1, q2 = scale * (d22 * b1 - d12 * b2), scale * (d11 * b2 - d12 * b1)
    u[0], u[1] = (1.0 - z) * q1, (1.0 - z) * q2
    return m[SCALE] * z * math.sqrt(q1 * q1 + q2 * q2)


def surplus(u, model, leg_space, t, p, chart, leg, torque, z):
    """Drag less what friction takes [N]; leaves the velocity at z in u."""
    m = model
    drag = slip_at(u, m, leg_space, t, p, chart, leg, torque, z)
    hip = m[TORQUE_AT_REST] + m[TORQUE_SLOPE] * (m[AHEAD1] * u[0] + m[AHEAD2] * u[1])
    push = m[N0] + m[C1] * u[0] + m[C2] * u[1] - m[LIFT] * hip
    resistance = friction_coeff(p) * push
    if p[FRICTION] == CREEP:
        limit = p[CREEP_LIMIT] * friction_coeff(p) * push
        excess = p[CREEP_DAMPING] * math.copysign(math.sqrt(u[0] * u[0] + u[1] * u[1]), 1.0 - z)
        resistance += excess / (1.0 + max(excess, 0.0) / limit) if limit > 0.0 else limit
    return drag - resistance


def friction_coeff(p):
    return max(p[FRICTION_COEFF], LEAST_FRICTION)


def refine(u, model, leg_space, t, p, chart, leg, torque, low, high, at_low, at_high):
    """Anderson and Bjorck's variant of the false position (1973)."""
    side = 0
    for _ in range(MAX_TRIALS):
        z = (low * at_high - high * at_low) / (at_high - at_low)
        value = surplus(u, model, leg_space, t, p, chart, leg, torque, z)
        if abs(value) <= 1e-13 * (1.0 + abs(model[N0])) or high - low < 1e-15:
            return
        if value < 0.0:
            if side == -1:
                at_high *= kept(value / at_low)
            low, at_low, side = z, value, -1
        else:
            if side == 1:
                at_low *= kept(value / at_high)
            high, at_high, side = z, value, 1


def kept(share):
    """Of the value at the other end, if the value at this end has fallen to this share, for the second time."""
    return 1.0 - share if share < 1.0 else 0.5


def rising_speed(leg_space, t, x, p, chart, leg, torque):
    """How fast a toe that is pulled off the ground would rise without its mass [m/s]: pull / damping."""
    c = leg_space
    here = hip_torque(t, p, chart, leg, c[PHI], c[RATE_PHI], torque)
    there = hip_torque(t, p, chart, leg, c[PHI], c[RATE_PHI] + SMALL_RATE, torque)
    along = c[E_RHO] * c[NORMAL] + c[E_RHO + 1] * c[NORMAL + 1] + c[E_RHO + 2] * c[NORMAL + 2]
    aside = c[E_THETA] * c[NORMAL] + c[E_THETA + 1] * c[NORMAL + 1] + c[E_THETA + 2] * c[NORMAL + 2]
    around = c[E_PHI + 1] * c[NORMAL + 1] + c[E_PHI + 2] * c[NORMAL + 2]
    damping = c[DAMPER_RHO] * along**2 + c[DAMPER_THETA] * (aside / c[RHO]) ** 2
    damping += (here - there) / SMALL_RATE * (around / c[REACH]) ** 2
    return -c[PUSH] / max(damping, 1e-9)
