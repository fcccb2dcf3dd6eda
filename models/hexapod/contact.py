"""Toes on the ground: push, friction, slipping, and what becomes of a toe that lands or is let go.

A toe in stance has no mass. Stuck, it rests. It slips where the drag D of the resting toe would leave the cone, D >
mu N; then the leg's own dampers set its velocity u, so that drag is again mu N, along u (Coulomb). At D = mu N that
velocity is zero: stick and slip meet on one boundary, from both sides, and the flow is continuous there. A toe leaves
the ground when even sliding freely, without any drag, it would not be pressed down: so it starts its flight at that
velocity, and nothing drives it back. (Let go at rest, it would be pulled sideways and pressed down again at once.)

With friction = creep, SimSect's law, drag exceeds the cone by creep_damping |u|; less where the push is small.
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
from .records import CREEP, CREEP_DAMPING, CREEP_PUSH, FRICTION, FRICTION_COEFF, F
from .terrain import gradient

SMALL_RATE = 1e-4
"""Over this step [rad/s] the slope of the hip torque is found; on a piecewise linear law that is exact."""
AGREEMENT = 1e-11
"""Between the hip torque and its linear model [N m] when a slip velocity is taken as found."""
MAX_MODELS, MAX_TRIALS = 30, 60

A11, A12, A22, B1, B2, C1, C2, N0 = range(8)
MODEL = 8
"""Linear model of a sliding toe, with u in the two tangents: drag = b - A u, push = N0 + c . u."""


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
    find_slide(u, model, tangents, c, t, x, p, chart, leg, torque, free)
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


def find_tangents(tangents, leg_space):
    """Two tangents of the ground, orthonormal (Duff et al. 2017). Friction is the same all around: any will do."""
    c = leg_space
    nx, ny, nz = c[NORMAL], c[NORMAL + 1], c[NORMAL + 2]
    sign = math.copysign(1.0, nz)
    a = -1.0 / (sign + nz)
    b = nx * ny * a
    tangents[0], tangents[1], tangents[2] = 1.0 + sign * nx * nx * a, sign * b, -sign * nx
    tangents[3], tangents[4], tangents[5] = b, sign + ny * ny * a, -ny


def find_slide(u, model, tangents, leg_space, t, x, p, chart, leg, torque, free):
    """U = the velocity in the tangents, where the hip torque at the rate that it makes is that of the linear model.

    The torque falls with the hip rate, so the rate that a model leads to tells on which side the solution is: Newton's
    method with a bracket, exact after as many models as there are kinks on the way.
    """
    c = leg_space
    resting_rate = (c[E_PHI + 1] * c[RESTING + 1] + c[E_PHI + 2] * c[RESTING + 2]) / c[REACH]
    ahead1 = (c[E_PHI + 1] * tangents[1] + c[E_PHI + 2] * tangents[2]) / c[REACH]
    ahead2 = (c[E_PHI + 1] * tangents[4] + c[E_PHI + 2] * tangents[5]) / c[REACH]
    rate, low, high = resting_rate, -math.inf, math.inf
    for _ in range(MAX_MODELS):
        here = hip_torque(t, p, chart, leg, c[PHI], rate, torque)
        slope = (hip_torque(t, p, chart, leg, c[PHI], rate + SMALL_RATE, torque) - here) / SMALL_RATE
        slope = min(slope, -1e-9)
        find_model(model, tangents, c, here + slope * (resting_rate - rate), -slope)
        solve_friction(u, model, p, free)
        new_rate = resting_rate + ahead1 * u[0] + ahead2 * u[1]
        there = hip_torque(t, p, chart, leg, c[PHI], new_rate, torque)
        if abs(there - (here + slope * (new_rate - rate))) <= AGREEMENT:
            return
        if new_rate > rate:
            low = rate
        else:
            high = rate
        rate = new_rate if low < new_rate < high else 0.5 * (low + high)


def find_model(model, tangents, leg_space, torque, hip_damping):
    """Drag and push as affine functions of u: torque [N m] at u = 0, hip_damping [N m s/rad]."""
    c, m = leg_space, model
    for k in range(MODEL):
        m[k] = 0.0
    for axis in range(3):
        e = E_RHO + 3 * axis
        at_rest = c[e] * c[RESTING] + c[e + 1] * c[RESTING + 1] + c[e + 2] * c[RESTING + 2]
        if axis == 0:
            damping = c[DAMPER_RHO]
            force = c[SPRING_RHO] - damping * at_rest
        elif axis == 1:
            damping = c[DAMPER_THETA] / (c[RHO] * c[RHO])
            force = c[SPRING_THETA] / c[RHO] - damping * at_rest
        else:
            damping = hip_damping / (c[REACH] * c[REACH])
            force = torque / c[REACH]
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


def solve_friction(u, model, p, free):
    """U of a linear model: drag = (mu N + creep) u / |u|.

    u = (1 - z) M b and drag = a z M b with M = ((1 - z) A + a z)^-1 go from free sliding, z = 0, to rest, z = 1; a
    is above A's eigenvalues, so M exists also somewhat beyond. The root of drag - mu N - creep is sought in z.
    """
    slip_at(u, model, 0.0)
    if free:
        return
    low, high = 0.0, 1.0
    at_low, at_high = surplus(u, model, p, low), surplus(u, model, p, high)
    if at_high < 0.0:
        low, at_low, high = high, at_high, 1.5
        at_high = surplus(u, model, p, high)
    if at_low >= 0.0 or at_high <= 0.0:
        surplus(u, model, p, low if at_low >= 0.0 else high)
        return
    refine(u, model, p, low, high, at_low, at_high)


def refine(u, model, p, low, high, at_low, at_high):
    """Illinois' variant of the false position."""
    side = 0
    for _ in range(MAX_TRIALS):
        z = (low * at_high - high * at_low) / (at_high - at_low)
        value = surplus(u, model, p, z)
        if abs(value) <= 1e-13 * (1.0 + abs(model[N0])) or high - low < 1e-15:
            return
        if value < 0.0:
            low, at_low = z, value
            at_high = at_high * 0.5 if side == -1 else at_high
            side = -1
        else:
            high, at_high = z, value
            at_low = at_low * 0.5 if side == 1 else at_low
            side = 1


def slip_at(u, model, z):
    """U at z, and the drag per velocity that goes with it, relative to 1 - z."""
    m = model
    a = m[A11] + m[A22] + 1e-12
    d11, d22, d12 = (1.0 - z) * m[A11] + a * z, (1.0 - z) * m[A22] + a * z, (1.0 - z) * m[A12]
    scale = 1.0 / (d11 * d22 - d12 * d12)
    q1, q2 = scale * (d22 * m[B1] - d12 * m[B2]), scale * (d11 * m[B2] - d12 * m[B1])
    u[0], u[1] = (1.0 - z) * q1, (1.0 - z) * q2
    return a * z * math.sqrt(q1 * q1 + q2 * q2)


def surplus(u, model, p, z):
    """Drag less what friction takes [N]; leaves the velocity at z in u."""
    drag = slip_at(u, model, z)
    push = model[N0] + model[C1] * u[0] + model[C2] * u[1]
    resistance = p[FRICTION_COEFF] * push
    if p[FRICTION] == CREEP and push > 0.0:
        speed = math.copysign(math.sqrt(u[0] * u[0] + u[1] * u[1]), 1.0 - z)
        resistance += p[CREEP_DAMPING] * speed * push / (push + p[CREEP_PUSH])
    return drag - resistance


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
