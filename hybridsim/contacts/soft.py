"""Soft contacts: each point is a spring with a damper along the normal, and another along the plane that may slip.

The pad at a point has no mass. With a gap g, it presses with N = -k g - c gdot; it touches at g = 0 and leaves where N
is 0, before g is, as it never pulls. Along the plane its spring, stretched by xi, pulls with F = k xi + c v, v the
velocity of the body. It holds while |F| <= mu_s N: then T = F and xidot = v. Otherwise it slips along F: T = mu_k N is
what spring and damper pull with, k xi + c xidot = T, and v - xidot, along F, is the velocity with which the pad slips.
So it holds again where |F| = mu_k N, and xi never jumps, nor does T if mu_s = mu_k. All this depends on the state
alone: no point knows of another. Stops of joints are points without friction.
"""

from typing import NamedTuple

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer, void
from hybridsim.multibody.constants import set_constants
from hybridsim.multibody.vectors import ZERO, Vector, dot, length_of, minus, plus, times

from .constants import read_soft
from .layout import Layout, friction_of, normal_of, patch_of, read_layout
from .rows import contact_terms, joint_terms

OPEN, HOLDS, FORWARD, BACKWARD, FREE, LEAVES = range(6)
SOFT_BITS, STOP_BITS = 3, 2
"""What a soft point does, and the bits of it: forward is any direction in space, free is without friction; one that
leaves is still below its plane, where its damper would pull. A stop is open or does the last two: 0, 1 and 2."""

GAP, CLEAR, FORCE, GRIP, STOP, N_BOUNDARIES = range(6)
"""Boundaries of a soft point, and their number; a stop has the first N_STOP_BOUNDARIES."""
N_STOP_BOUNDARIES = 3

STIFFNESS, DAMPING, STATIC, KINETIC, SPRING, DASHPOT = range(6)
"""Parameters of a soft contact; the last four of one with friction, the last two of its tangential springs."""

TABLE_SIZE = Layout._fields.index("mass")
"""The scalar that says where the tables of a layout end."""


class Pad(NamedTuple):
    """A soft point: N [N], pull F of its tangential spring, friction T that it has, xidot, the velocity it slips with.

    N and F are what they would be if it pressed and held.
    """

    first: int
    """The index of its parameters in p."""
    normal: float
    pull: Vector
    friction: Vector
    rate: Vector
    slip: Vector


@separate(void)
def find_soft(soft, whole, real, motion, x, p):
    """Find rows and gaps of soft points, in a work space of their own."""
    pads = read_soft(whole, real)
    set_constants(soft, pads.table, int(pads.table[TABLE_SIZE]))
    contact_terms(soft, read_layout(soft), motion, pads.bodies, x, p, -1)
    joint_terms(soft, pads.joints, x, p)


@separate(void)
def find_soft_velocities(soft, x):
    """Find the velocities of soft points, from their rows."""
    layout = read_layout(soft)
    for r in range(layout.n_rows):
        row = layout.rows + (layout.n_speeds + 1) * r
        soft[layout.velocity + r] = 0.0
        for k in range(layout.n_speeds):
            soft[layout.velocity + r] += soft[row + k] * x[layout.n_coordinates + k]


def bit_of(pads, i):
    """Return the lowest bit of a soft point."""
    n = pads.bodies.n_points
    return pads.bit + SOFT_BITS * min(i, n) + STOP_BITS * max(i - n, 0)


def first_boundary(pads, i):
    """Return the first boundary of a soft point."""
    n = pads.bodies.n_points
    return N_BOUNDARIES * min(i, n) + N_STOP_BOUNDARIES * max(i - n, 0)


def code_of(pads, chart, i):
    """Return what a soft point does in a chart; one without friction neither holds nor slips against it."""
    if i >= pads.bodies.n_points:
        code = (chart >> bit_of(pads, i)) & 3
        return FREE - 1 + code if code > 0 else OPEN
    code = (chart >> bit_of(pads, i)) & 7
    return FREE if pads.springs[i] < 0 and code in (HOLDS, FORWARD, BACKWARD) else code


def with_code(pads, chart, i, code):
    """Return a chart in which a soft point does this."""
    is_stop, bit = i >= pads.bodies.n_points, bit_of(pads, i)
    number = max(code - FREE + 1, 0) if is_stop else code
    return (chart & ~((3 if is_stop else 7) << bit)) | (number << bit)


def is_pressed(code):
    """Return whether a point presses on its plane."""
    return code != OPEN and code != LEAVES


def along_plane(values, first, layout):
    """Return a vector along both tangents of a plane, or along the only one."""
    return Vector(values[first], values[first + 1] if layout.tangents == 2 else 0.0, 0.0)


def pad_of(soft, layout, pads, i, x, p, code):
    """Return the forces of a soft point that does this, and how its tangential spring moves."""
    first, at, r = friction_of(soft, layout, patch_of(soft, layout, i)), pads.springs[i], normal_of(soft, layout, i)
    normal = -p[first + STIFFNESS] * soft[layout.gaps + i] - p[first + DAMPING] * soft[layout.velocity + r]
    nothing = times(normal, ZERO)
    if i >= pads.bodies.n_points:
        return Pad(first, normal, nothing, nothing, nothing, nothing)
    velocity = along_plane(soft, layout.velocity + r + 1, layout)
    if at < 0:
        return Pad(first, normal, nothing, nothing, nothing, velocity)
    spring = times(p[first + SPRING], along_plane(x, at, layout))
    pull, friction = plus(spring, times(p[first + DASHPOT], velocity)), nothing
    if code == HOLDS:
        return Pad(first, normal, pull, pull, velocity, nothing)
    if code in (FORWARD, BACKWARD):
        friction = times(p[first + KINETIC] * normal, direction_of(layout, code, pull))
    rate = times(1.0 / p[first + DASHPOT], minus(friction, spring))
    return Pad(first, normal, pull, friction, rate, velocity if code == FREE else minus(velocity, rate))


def direction_of(layout, code, pull):
    """Return the direction of a slip, which is that of the spring's force."""
    if layout.tangents == 1:
        return plus(Vector(1.0 if code == FORWARD else -1.0, 0.0, 0.0), times(0.0, pull))
    length = length_of(pull)
    return times(1.0 / length, pull) if length > 0.0 else pull


def grip_left(pad, p):
    """Return (mu_s N)^2 - F^2."""
    most = p[pad.first + STATIC] * pad.normal
    return most * most - dot(pad.pull, pad.pull)


def slip_left(layout, pad, p, code):
    """Return F - mu_k N, F along the slip."""
    return dot(pad.pull, direction_of(layout, code, pad.pull)) - p[pad.first + KINETIC] * pad.normal


@separate(void)
def press(work, soft, whole, real, x, p, chart):
    """Add the forces of soft points to the generalised forces."""
    layout, pads, force = read_layout(soft), read_soft(whole, real), read_layout(work).force
    wide = layout.n_speeds + 1
    for i in range(layout.n_points):
        code = code_of(pads, chart, i)
        if is_pressed(code):
            pad, row = pad_of(soft, layout, pads, i, x, p, code), layout.rows + wide * normal_of(soft, layout, i)
            for k in range(layout.n_speeds):
                work[force + k] += pad.normal * soft[row + k]
                if pads.springs[i] >= 0:
                    work[force + k] -= pad.friction.x * soft[row + wide + k]
                if pads.springs[i] >= 0 and layout.tangents == 2:
                    work[force + k] -= pad.friction.y * soft[row + 2 * wide + k]


@separate(integer)
def chart_after(soft, whole, real, x, p, chart, crossed):
    """Return the chart after an event, as far as soft points go.

    What a boundary says that has crossed is not asked again of values that are rounding.
    """
    layout, pads, new = read_layout(soft), read_soft(whole, real), chart
    for i in range(layout.n_points):
        code, first = code_of(pads, chart, i), first_boundary(pads, i)
        found, turns = code, crossed[first + (GAP if code == OPEN else FORCE)] != 0
        if code == OPEN and soft[layout.velocity + normal_of(soft, layout, i)] > 0.0:
            turns = False  # its gap is rounding, and it rises
        if turns == is_pressed(code):  # it does not press
            is_clear = code == OPEN or crossed[first + CLEAR] != 0 or soft[layout.gaps + i] >= 0.0
            found = OPEN if is_clear else LEAVES
        elif pads.springs[i] < 0:
            found = FREE
        elif crossed[first + STOP]:
            found = HOLDS
        elif crossed[first + GRIP] or turns:
            pad = pad_of(soft, layout, pads, i, x, p, code)
            found = grip_of(layout, pads, i, pad, p, crossed[first + GRIP] == 0)
        new = with_code(pads, new, i, found)
    remember(soft, layout)
    return new


@separate(integer)
def chart_anew(soft, whole, real, x, p, chart, is_first):
    """Return the chart where a run begins, or where an impact or a projection has changed velocities, of soft points.

    Unless the run begins, what is not touched by the change stays as it is.
    """
    layout, pads, new = read_layout(soft), read_soft(whole, real), chart
    for i in range(layout.n_points):
        code, r, moved = code_of(pads, chart, i), normal_of(soft, layout, i), is_first != 0
        for k in range(r, r + (1 + layout.tangents if i < pads.bodies.n_points else 1)):
            moved = moved or soft[layout.velocity + k] != soft[layout.base + k]
        if moved:
            new = with_code(pads, new, i, code_anew(soft, layout, pads, i, x, p, code))
    remember(soft, layout)
    return new


def remember(soft, layout):
    """Keep the velocities, to see whether they change."""
    for r in range(layout.n_rows):
        soft[layout.base + r] = soft[layout.velocity + r]


def code_anew(soft, layout, pads, i, x, p, code):
    """Return what a point does, as its state says, that has done this."""
    pad = pad_of(soft, layout, pads, i, x, p, code)
    if soft[layout.gaps + i] > 0.0:
        return OPEN
    if pad.normal < 0.0:
        return LEAVES
    slips = code in (FORWARD, BACKWARD) and slip_left(layout, pad, p, code) > 0.0
    return code if slips else grip_of(layout, pads, i, pad, p, True)


def grip_of(layout, pads, i, pad, p, may_hold):
    """Return what a point does that presses, unless it slips on."""
    if pads.springs[i] < 0 or p[pad.first + STATIC] <= 0.0:
        return FREE
    if may_hold and grip_left(pad, p) >= 0.0:
        return HOLDS
    return BACKWARD if layout.tangents == 1 and pad.pull.x < 0.0 else FORWARD


@separate(void)
def put_spring_rates(xdot, soft, whole, real, x, p, chart):
    """Write how the tangential springs move."""
    layout, pads = read_layout(soft), read_soft(whole, real)
    for i in range(layout.n_points):
        at = pads.springs[i]
        if at >= 0:
            rate = pad_of(soft, layout, pads, i, x, p, code_of(pads, chart, i)).rate
            xdot[at] = rate.x
            if layout.tangents == 2:
                xdot[at + 1] = rate.y


@separate(void)
def put_soft_boundaries(g, soft, whole, real, x, p, chart):
    """Write the boundaries of soft points."""
    layout, pads = read_layout(soft), read_soft(whole, real)
    for i in range(layout.n_points):
        code, first, gap = code_of(pads, chart, i), first_boundary(pads, i), soft[layout.gaps + i]
        pad = pad_of(soft, layout, pads, i, x, p, code)
        if code == OPEN:
            g[first + GAP] = gap
        elif code == LEAVES:
            g[first + CLEAR], g[first + FORCE] = -gap, -pad.normal
        else:
            g[first + FORCE] = pad.normal
        if code == HOLDS:
            g[first + GRIP] = grip_left(pad, p)
        elif code in (FORWARD, BACKWARD):
            g[first + STOP] = slip_left(layout, pad, p, code)


@separate(integer)
def put_soft_outputs(y, soft, whole, real, x, p, chart):
    """Write gap, normal force, friction and slip of soft points, gap and force of stops; return their number."""
    layout, pads, n = read_layout(soft), read_soft(whole, real), 0
    for i in range(layout.n_points):
        code = code_of(pads, chart, i)
        pad, presses = pad_of(soft, layout, pads, i, x, p, code), is_pressed(code)
        y[n], y[n + 1] = soft[layout.gaps + i], pad.normal if presses else 0.0
        if i >= pads.bodies.n_points:
            n += 2
            continue
        y[n + 2], y[n + 3] = -pad.friction.x, pad.slip.x if presses else 0.0
        if layout.tangents == 2:
            y[n + 4], y[n + 5] = -pad.friction.y, pad.slip.y if presses else 0.0
        n += 2 + 2 * layout.tangents
    return n


@separate(void)
def add_spring_energy(y, soft, whole, real, x, p):
    """Add the energy of springs to the potential energy and to the sum, behind the kinetic energy."""
    layout, pads = read_layout(soft), read_soft(whole, real)
    for i in range(layout.n_points):
        first, depth = friction_of(soft, layout, patch_of(soft, layout, i)), min(soft[layout.gaps + i], 0.0)
        energy = 0.5 * p[first + STIFFNESS] * depth * depth
        if pads.springs[i] >= 0:
            stretch = along_plane(x, pads.springs[i], layout)
            energy += 0.5 * p[first + SPRING] * dot(stretch, stretch)
        y[1], y[2] = y[1] + energy, y[2] + energy
