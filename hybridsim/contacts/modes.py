"""Which mode comes next: a complementarity problem, solved by trying the modes one after the other.

Of a patch, what is down is tried before what opens, and holding before slipping. The first mode that is consistent is
taken: N >= 0 where a point is down, z_n >= its target where it opens, |T| <= mu N where a patch holds; and one that was
at rest and begins to slip does so the way it was said to.
"""

from typing import NamedTuple

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer
from hybridsim.multibody.vectors import dot, vector_at
from hybridsim.typing import FloatArray

from .cones import mode_at_once
from .layout import (
    ALL_SLIPS,
    BOTH_WAYS,
    FREE,
    HOLDS,
    KINETIC,
    ONLY_FREE,
    SLIP_BITS,
    STATIC,
    allowed_of,
    first_of,
    friction_of,
    is_down,
    is_spatial,
    leader_of,
    normal_of,
    point_bit,
    read_layout,
    sign_of,
    slip_bit,
    slip_of,
    slip_row,
)
from .sliding import friction_at, is_whole, pressure_of, size_of, solve_sliding, twist_of
from .solve import DEPENDENT, JAMS, count_down, ease_of, find_multipliers, follows, jams, limit_of, solve_mode

STRICT, CONSISTENT = 1e-13, 1e-9
"""Deviations from a condition that count as none, as fractions of its row's scale; the second if the first fails."""

NO_MODE = -2
"""What stands for a mode where none is consistent; -1 declines an event."""

MOST_TRIALS = 1 << 20
"""Most modes of one model."""

SEPARATE = find_multipliers, follows
"""What the functions below call that is compiled on its own, also through others: it is looked for here."""


@separate(integer)
def find_mode(work, p, members, allowed, friction, begin):
    """Return the first consistent mode, NO_MODE if there is none; multipliers and z are its own.

    Parameters
    ----------
    work : (size,) array
        Work space, with base and target.
    p : array
        Parameters.
    members : int
        The points that may be down, as bits.
    allowed : int
        Of each patch, whether it may hold, slip forward, slip backward; where there is no friction, it slips freely.
    friction : int
        STATIC or KINETIC: the coefficient up to which a patch holds.
    begin : int
        1 if a mode that misses its conditions by CONSISTENT is as good as any, 0 if better ones come first.
    """
    layout = read_layout(work)
    sets, trials = with_free(work, layout, p, allowed), 1
    for j in range(layout.n_patches):
        trials *= count_options(work, layout, members, sets, j)
    for number in range(begin * trials, 2 * trials):
        tolerance = STRICT if number < trials else CONSISTENT
        mode = mode_of_trial(work, layout, members, sets, number % trials)
        if layout.tangents == 2 and not is_whole(work, layout, mode):
            continue
        missed = solve_sliding(work, layout, p, mode, -1, sets)
        limits = Limits(p, members, sets, friction, tolerance)
        if missed <= CONSISTENT and is_consistent(work, layout, mode, limits):
            return mode
    if layout.tangents == 1 or members == 0:
        return NO_MODE
    found, mode = mode_at_once(work, layout, p, members, sets, friction)
    if found and friction == KINETIC:
        return mode
    missed = solve_mode(work, layout, mode, -1)
    limits = Limits(p, members, sets, friction, CONSISTENT)
    return mode if missed <= CONSISTENT and is_consistent(work, layout, mode, limits) else NO_MODE


class Limits(NamedTuple):
    """What the conditions of a mode are: parameters, members, sets of slips, coefficient of friction, tolerance."""

    p: FloatArray
    members: int
    allowed: int
    friction: int
    tolerance: float


def with_free(work, layout, p, allowed):
    """Return the sets of slips, without friction where there is none."""
    found = allowed
    for j in range(layout.n_slipping):
        if p[friction_of(work, layout, j) + STATIC] <= 0.0:
            found &= ~(ALL_SLIPS << (SLIP_BITS * j))
            found |= ONLY_FREE << (SLIP_BITS * j)
    return found


def count_slips(slips):
    """Return how many slips a set has."""
    return (slips & 1) + ((slips >> 1) & 1) + ((slips >> 2) & 1) + (slips >> 3)


def count_options(work, layout, members, allowed, j):
    """Return in how many ways a patch can be: each set of its members with each slip, and open; a joint cannot open."""
    slips = count_slips(allowed_of(allowed, j)) if j < layout.n_slipping else 1
    if layout.n_contacts <= j < layout.n_slipping:
        return slips
    return ((1 << count_down(work, layout, members, j)) - 1) * slips + 1


def mode_of_trial(work, layout, members, allowed, trial):
    """Return the mode with this number, of those that may be; 0 has all members down and holding."""
    mode, rest = 0, trial
    for j in range(layout.n_patches):
        options = count_options(work, layout, members, allowed, j)
        digit, rest = rest % options, rest // options
        if digit == options - 1 and not layout.n_contacts <= j < layout.n_slipping:
            continue  # open
        slips = allowed_of(allowed, j) if j < layout.n_slipping else 1
        n_slips = count_slips(slips)
        chosen = (1 << count_down(work, layout, members, j)) - 1 - digit // n_slips
        for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
            if is_down(work, layout, members, i):
                mode |= (chosen & 1) << point_bit(work, layout, i)
                chosen >>= 1
        if j < layout.n_slipping:
            mode |= slip_with_number(slips, digit % n_slips, is_spatial(layout, j)) << slip_bit(work, layout, j)
    return mode


def slip_with_number(slips, number, is_sliding):
    """Return the member of a set of slips with this number; one that is FREE comes before those that move.

    In space, where it carries no friction, FREE is the last one; the first where nothing holds.
    """
    left = number
    for k in range(4):
        slip = (k + 1) % 3 + 1 if k > 0 else HOLDS
        if is_sliding:
            slip = k if slips & 1 else (k + 3) % 4
        if (slips >> slip) & 1:
            if left == 0:
                return slip
            left -= 1
    return HOLDS


def is_consistent(work, layout, mode, limits):
    """Return whether the solved mode keeps its conditions, within rounding."""
    wide = layout.n_rows + 1
    for i in range(layout.n_points):
        if not is_down(work, layout, limits.members, i):
            continue
        r = normal_of(work, layout, i)
        within = limits.tolerance * work[layout.scale + r]
        if is_down(work, layout, mode, i):
            if pressure_of(work, layout, mode, i) * work[layout.delassus + wide * r] < -within:
                return False
        elif work[layout.z + r] < work[layout.target + r] - within:
            return False
    for j in range(layout.n_slipping):
        r = slip_row(work, layout, mode, j)
        if r >= 0 and not is_slip_consistent(work, layout, mode, limits, j):
            return False
    return True


def is_slip_consistent(work, layout, mode, limits, j):
    """Return whether a patch that is down holds within its cone, or slips as it is said to, and does not jam."""
    r, slip = slip_row(work, layout, mode, j), slip_of(work, layout, mode, j)
    scale = work[layout.scale + r]
    if is_spatial(layout, j):
        return is_slide_consistent(work, layout, mode, limits, j)
    is_free = slip == FREE and allowed_of(limits.allowed, j) != ONLY_FREE
    if slip == HOLDS or is_free:
        excess = abs(work[layout.multipliers + r]) - limit_of(work, layout, limits.p, j, limits.friction)
        stays = not is_free or abs(work[layout.z + r]) <= CONSISTENT * scale
        stays = stays and (not is_free or follows(work, mode, r) == 1)
        return stays and excess * work[layout.delassus + (layout.n_rows + 1) * r] <= limits.tolerance * scale
    if limits.friction == STATIC and slip != FREE and jams(work, layout, mode, j):
        if ease_of(work, layout, mode, leader_of(work, layout, mode, j)) <= JAMS:
            return False
    if j >= layout.n_contacts and slip != FREE and is_at_stop(work, layout, mode, r):
        return False
    allowed, along = allowed_of(limits.allowed, j), sign_of(slip) * work[layout.z + r]
    least = CONSISTENT * STRICT / limits.tolerance  # where more may hold, what slips less is a slip, too
    if (allowed & 1 or allowed & BOTH_WAYS == BOTH_WAYS) and not along > least * scale:
        return False
    begins = allowed & (1 | ONLY_FREE) and slip != FREE and limits.friction == STATIC
    turns = along > DEPENDENT * scale  # what others keep from moving may be at a dead centre, where it turns round
    return not begins or turns or (along >= -DEPENDENT * scale and follows(work, mode, r) == 0)


def is_slide_consistent(work, layout, mode, limits, j):
    """Return the same of a contact in space: what begins to slip does so against the direction of its friction."""
    r, slip, allowed = slip_row(work, layout, mode, j), slip_of(work, layout, mode, j), allowed_of(limits.allowed, j)
    scale = max(work[layout.scale + r], work[layout.scale + r + 1])
    if slip == HOLDS:
        excess = size_of(friction_at(work, layout, mode, j)) - limit_of(work, layout, limits.p, j, limits.friction)
        return excess * work[layout.delassus + (layout.n_rows + 1) * r] <= limits.tolerance * scale
    z = twist_of(work, layout, mode, j, layout.z)
    if slip == FREE:
        return allowed == ONLY_FREE or size_of(z) <= CONSISTENT * scale
    if limits.friction == STATIC and jams(work, layout, mode, j):
        if ease_of(work, layout, mode, leader_of(work, layout, mode, j)) <= JAMS:
            return False
    along = dot(z, vector_at(work, layout.direction + 3 * j))
    least = CONSISTENT * STRICT / limits.tolerance  # where more may hold, what slips less is a slip, too
    return not allowed & 1 or (along > least * scale and size_of(z) - along <= CONSISTENT * scale)


def is_at_stop(work, layout, mode, r):
    """Return whether the joint of this row is at a stop, whose row is its own but for a sign: it does not slip."""
    wide = layout.n_rows + 1
    for i in range(first_of(work, layout, layout.n_slipping), layout.n_points):
        s = normal_of(work, layout, i)
        both = work[layout.delassus + wide * r] * work[layout.delassus + wide * s]
        product = work[layout.delassus + layout.n_rows * r + s]
        if is_down(work, layout, mode, i) and product * product >= (1.0 - CONSISTENT) * both:
            return True
    return False
