"""Which mode comes next: a complementarity problem, solved by trying the modes one after the other.

Of a patch, what is down is tried before what opens, and holding before slipping. The first mode that is consistent is
taken: N >= 0 where a point is down, z_n >= its target where it opens, |T| <= mu N where a patch holds; and one that was
at rest and begins to slip does so the way it was said to.

Where modes are many, what misses its conditions in the first one is changed, all of it at once while this may help,
then what comes first of it (block pivoting: Judice and Pires 1994), until nothing does.
"""

from typing import NamedTuple

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer
from hybridsim.multibody.vectors import dot, length_of, minus, vector_at
from hybridsim.typing import FloatArray

from .cones import mode_at_once
from .corners import find_demand, fourth_share, pressure_of, put_pulls
from .layout import (
    BACKWARD,
    BEGINS,
    FORWARD,
    FREE,
    HOLDS,
    KINETIC,
    SLIPS,
    STATIC,
    first_of,
    is_down,
    is_spatial,
    leader_of,
    normal_of,
    patch_of,
    point_bit,
    read_layout,
    sign_of,
    slip_bit,
    slip_of,
    slip_row,
)
from .sets import BOTH_WAYS, ONLY_FREE, allowed_of, with_free
from .sliding import MOST_TURNS, solve_onwards, solve_sliding, turn_slips, twist_of
from .soles import is_whole, made_whole, released_with
from .solve import DEPENDENT, JAMS, ease_of, find_multipliers, follows, jams, limit_of
from .terms import kinetic_energy
from .trials import count_options, mode_like, mode_of_trial, slip_with_number

STRICT, CONSISTENT = 1e-13, 1e-9
"""Deviations from a condition that count as none, as fractions of its row's scale; the second if the first fails."""

FIRST_TURNS, FAR = 12, 0.1
"""Turns of slips after which a mode in space is given up, and the deviation from a condition at which it is."""

GAIN, AT_REST = 1e-12, 1e-11
"""Energy that an impact may gain by rounding, as a fraction of the kinetic energy; speed of a row that is rounding, as
a fraction of its scale sqrt(G_rr u M u)."""

NO_MODE = -2
"""What stands for a mode where none is consistent; -1 declines an event."""

FEW_TRIALS, FEW_IN_SPACE, MOST_IN_SPACE = 1 << 12, 1 << 6, 1 << 20
"""Up to so many modes are tried without pivoting, in the plane and in space, where each takes many turns; and up to so
many, in space, where pivoting finds none: in the plane this has found none either, and taken minutes."""

MOST_AT_ONCE, MOST_PIVOTS = 12, 100
"""How often all is changed that misses its conditions, and how often a mode is changed at most."""

SEPARATE = find_demand, find_multipliers, follows, fourth_share, put_pulls, turn_slips
"""What the functions below call that is compiled on its own, also through others: it is looked for here."""


@separate(integer)
def find_mode(work, p, members, allowed, friction, begin, before):
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
        Where the sets of slips begin: of each patch, whether it may hold, slip forward, slip backward; where there is
        no friction, it slips freely.
    friction : int
        STATIC or KINETIC: the coefficient up to which a patch holds.
    begin : int
        1 for an impact without collision: a mode that misses its conditions by CONSISTENT is as good as any, and one
        that stops nothing is none; 0 if better ones come first.
    before : int
        The chart that ends, or a negative number: where modes are many, it may go on.
    """
    layout = read_layout(work)
    sets, trials = with_free(work, layout, p, allowed), 1
    for j in range(layout.n_patches):
        trials *= count_options(work, layout, members, sets, j)
    few, most = (FEW_TRIALS, FEW_TRIALS) if layout.tangents == 1 else (FEW_IN_SPACE, MOST_IN_SPACE)
    mode = find_by_pivoting(work, layout, p, members, sets, friction, begin) if trials > few else NO_MODE
    if mode == NO_MODE and trials > few and layout.tangents == 2 and begin == 0:
        mode = find_at_once(work, p, members, sets, friction)
    if mode == NO_MODE and trials > few and before >= 0:
        mode = go_on_as(
            work, layout, mode_like(work, layout, members, sets, before), Limits(p, members, sets, friction, CONSISTENT)
        )
    if mode != NO_MODE:
        return mode
    passes = 1 + layout.tangents if trials <= few else 2
    trials = trials if trials <= most else 0
    for number in range(begin * trials, passes * trials):
        tolerance = STRICT if number < trials else CONSISTENT
        mode = mode_of_trial(work, layout, members, sets, number % trials)
        if layout.tangents == 2 and not is_whole(work, layout, mode):
            continue
        if is_solution(work, layout, mode, Limits(p, members, sets, friction, tolerance), number >= 2 * trials):
            if begin == 0 or resolves(work, layout, members):
                return mode
    if layout.tangents == 1 or members == 0 or (trials > few and begin == 0):
        return NO_MODE
    return find_at_once(work, p, members, sets, friction)


def go_on_as(work, layout, mode, limits):
    """Return a mode if it is consistent, else NO_MODE."""
    if not is_whole(work, layout, mode) or not is_solution(work, layout, mode, limits, True):
        return NO_MODE
    return mode


@separate(integer)
def find_at_once(work, p, members, sets, friction):
    """Return the mode of the forces of all contacts at once; NO_MODE if none are found."""
    layout = read_layout(work)
    found, mode = mode_at_once(work, layout, p, members, sets, friction)
    if found and friction == KINETIC:
        return mode
    missed = solve_onwards(work, layout, p, mode, True, sets, MOST_TURNS)
    limits = Limits(p, members, sets, friction, CONSISTENT)
    return mode if missed <= CONSISTENT and is_consistent(work, layout, mode, limits) else NO_MODE


def is_solution(work, layout, mode, limits, is_patient):
    """Return whether a mode keeps its conditions, once it is solved.

    In space, the directions of slips take many turns. One that is far off after the first ones is given up, unless
    `is_patient`: no other mode has been found.
    """
    if layout.tangents == 2 and not is_patient:
        solve_sliding(work, layout, limits.p, mode, True, limits.allowed, FIRST_TURNS)
        rough = Limits(limits.p, limits.members, limits.allowed, limits.friction, FAR)
        if not is_consistent(work, layout, mode, rough):
            return False
    missed = solve_sliding(work, layout, limits.p, mode, True, limits.allowed, MOST_TURNS)
    return missed <= CONSISTENT and is_consistent(work, layout, mode, limits)


def resolves(work, layout, members):
    """Return whether the solved impact stops something: it takes energy away, or stops a slip, however slow.

    Otherwise an impact without collision resolves nothing, as no impulse at all, which may keep all conditions, too.
    """
    if gain_of(work, layout) < -GAIN * kinetic_energy(work, layout):
        return True
    for j in range(layout.n_contacts):
        r = slip_row(work, layout, members, j)
        least = AT_REST * work[layout.scale + r] if r >= 0 else 0.0
        if r >= 0 and abs(work[layout.velocity + r]) > least >= abs(work[layout.z + r]):
            return True
    return False


def gain_of(work, layout):
    """Return the energy that the solved impact gains: the work of the impulses, Lambda (W u- + W u+) / 2."""
    gain = 0.0
    for r in range(layout.n_rows):
        gain += 0.5 * work[layout.multipliers + r] * (work[layout.velocity + r] + work[layout.z + r])
    return gain


def find_by_pivoting(work, layout, p, members, sets, friction, begin):
    """Return a consistent mode, like `find_mode`, from the first one on; NO_MODE if changes come to none."""
    for k in range(begin, 2):
        limits = Limits(p, members, sets, friction, STRICT if k == 0 else CONSISTENT)
        mode = made_whole(work, layout, mode_of_trial(work, layout, members, sets, 0), -1)
        for change in range(MOST_PIVOTS):
            is_found = is_solution(work, layout, mode, limits, layout.tangents == 1)
            if is_found and (layout.tangents == 1 or is_whole(work, layout, mode)):
                return mode if begin == 0 or resolves(work, layout, members) else NO_MODE
            mode = changed_mode(work, layout, mode, limits, change < MOST_AT_ONCE)
    return NO_MODE


def changed_mode(work, layout, mode, limits, at_once):
    """Return a solved mode in which all that misses its conditions is changed, or the first that does."""
    found = mode
    for i in range(layout.n_points):
        if (at_once or found == mode) and not is_point_consistent(work, layout, mode, limits, i):
            found = with_changed_point(work, layout, found, limits, i)
    for j in range(layout.n_slipping):
        if (at_once or found == mode) and slip_row(work, layout, mode, j) >= 0:
            if not is_slip_consistent(work, layout, mode, limits, j):
                slip = other_slip(work, layout, mode, limits, j)
                find_multipliers(work, mode)
                if slip_row(work, layout, found, j) >= 0:
                    found = (found & ~(FREE << slip_bit(work, layout, j))) | (slip << slip_bit(work, layout, j))
    return found


def with_changed_point(work, layout, mode, limits, i):
    """Return a mode in which a point opens, or comes down; of four corners, with what a flat sole takes along."""
    j, opens, found = patch_of(work, layout, i), is_down(work, layout, mode, i), mode
    if opens:
        found &= ~released_with(work, layout, mode, i)
    elif leader_of(work, layout, mode, j) < 0 and j < layout.n_slipping:
        found |= slip_of_landing(work, layout, limits, i, j) << slip_bit(work, layout, j)
    found |= 0 if opens else 1 << point_bit(work, layout, i)
    if layout.tangents == 2 and not is_whole(work, layout, found):
        for other in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
            found |= is_down(work, layout, limits.members, other) << point_bit(work, layout, other)
        found = made_whole(work, layout, found, i)
    if j < layout.n_slipping and leader_of(work, layout, found, j) < 0:
        found &= ~(FREE << slip_bit(work, layout, j))
    return found


def slip_of_landing(work, layout, limits, i, j):
    """Return how a patch slips whose point comes down in a solved mode: as it moves."""
    allowed, along = allowed_of(work, limits.allowed, j), work[layout.z + normal_of(work, layout, i) + 1]
    wanted = SLIPS if allowed & (1 << SLIPS) else BEGINS
    if layout.tangents == 1:
        wanted = FORWARD if along > 0.0 else BACKWARD
    return wanted if (allowed >> wanted) & 1 else slip_with_number(allowed, 0, is_spatial(layout, j))


def other_slip(work, layout, mode, limits, j):
    """Return how a patch may slip that does not keep its conditions as it does in a solved mode."""
    r, slip = slip_row(work, layout, mode, j), slip_of(work, layout, mode, j)
    allowed = allowed_of(work, limits.allowed, j)
    if is_spatial(layout, j):
        slides = BEGINS if allowed & (1 << BEGINS) else SLIPS
        return HOLDS if allowed & 1 and slip != HOLDS else slides if allowed & (1 << slides) else slip
    forward = work[layout.multipliers + r] < 0.0
    if slip == HOLDS and allowed & ONLY_FREE and follows(work, mode | FREE << slip_bit(work, layout, j), r) == 1:
        return FREE
    missed = work[layout.z + r] - work[layout.target + r]
    if slip == FREE and abs(missed) > CONSISTENT * work[layout.scale + r]:
        forward = missed > 0.0
    elif slip != HOLDS and allowed & 1:
        return HOLDS
    wanted = FORWARD if forward else BACKWARD
    return wanted if (allowed >> wanted) & 1 else slip_with_number(allowed & ~(1 << slip) or allowed, 0, False)


class Limits(NamedTuple):
    """What the conditions of a mode are: parameters, members, sets of slips, coefficient of friction, tolerance."""

    p: FloatArray
    members: int
    allowed: int
    friction: int
    tolerance: float


def is_consistent(work, layout, mode, limits):
    """Return whether the solved mode keeps its conditions, within rounding."""
    for i in range(layout.n_points):
        if not is_point_consistent(work, layout, mode, limits, i):
            return False
    for j in range(layout.n_slipping):
        r = slip_row(work, layout, mode, j)
        if r >= 0 and not is_slip_consistent(work, layout, mode, limits, j):
            return False
    return True


def is_point_consistent(work, layout, mode, limits, i):
    """Return whether a point that is down presses, or one that opens moves off."""
    if not is_down(work, layout, limits.members, i):
        return True
    r = normal_of(work, layout, i)
    within = limits.tolerance * work[layout.scale + r]
    if is_down(work, layout, mode, i):
        return pressure_of(work, layout, mode, i) * work[layout.delassus + (layout.n_rows + 1) * r] >= -within
    return work[layout.z + r] >= work[layout.target + r] - within


def is_slip_consistent(work, layout, mode, limits, j):
    """Return whether a patch that is down holds within its cone, or slips as it is said to, and does not jam."""
    r, slip = slip_row(work, layout, mode, j), slip_of(work, layout, mode, j)
    scale = work[layout.scale + r]
    if is_spatial(layout, j):
        return is_slide_consistent(work, layout, mode, limits, j)
    is_free = slip == FREE and allowed_of(work, limits.allowed, j) != ONLY_FREE
    if slip == HOLDS or is_free:
        excess = abs(work[layout.multipliers + r]) - limit_of(work, layout, limits.p, j, limits.friction)
        stays = not is_free or abs(work[layout.z + r] - work[layout.target + r]) <= CONSISTENT * scale
        stays = stays and (not is_free or follows(work, mode, r) == 1)
        return stays and excess * work[layout.delassus + (layout.n_rows + 1) * r] <= limits.tolerance * scale
    if limits.friction == STATIC and slip != FREE and jams(work, layout, mode, j):
        if ease_of(work, layout, mode, leader_of(work, layout, mode, j)) <= JAMS:
            return False
    if j >= layout.n_contacts and slip != FREE and is_at_stop(work, layout, mode, r):
        return False
    allowed, along = allowed_of(work, limits.allowed, j), sign_of(slip) * work[layout.z + r]
    least = CONSISTENT * STRICT / limits.tolerance  # where more may hold, what slips less is a slip, too
    if (allowed & 1 or allowed & BOTH_WAYS == BOTH_WAYS) and not along > least * scale:
        return False
    begins = allowed & (1 | ONLY_FREE) and slip != FREE and limits.friction == STATIC
    turns = along > DEPENDENT * scale  # what others keep from moving may be at a dead centre, where it turns round
    return not begins or turns or (along >= -DEPENDENT * scale and follows(work, mode, r) == 0)


def is_slide_consistent(work, layout, mode, limits, j):
    """Return the same of a contact in space: what begins to slip does so against the direction of its friction."""
    r, slip = slip_row(work, layout, mode, j), slip_of(work, layout, mode, j)
    allowed = allowed_of(work, limits.allowed, j)
    scale = max(work[layout.scale + r], work[layout.scale + r + 1])
    if slip == HOLDS:
        excess = find_demand(work, mode, j) - limit_of(work, layout, limits.p, j, limits.friction)
        return excess * work[layout.delassus + (layout.n_rows + 1) * r] <= limits.tolerance * scale
    z = twist_of(work, layout, mode, j, layout.z)
    if slip == FREE:
        missed = length_of(minus(z, twist_of(work, layout, mode, j, layout.target)))
        return allowed == ONLY_FREE or missed <= max(CONSISTENT, limits.tolerance) * scale
    if limits.friction == STATIC and jams(work, layout, mode, j):
        if ease_of(work, layout, mode, leader_of(work, layout, mode, j)) <= JAMS:
            return False
    along = dot(z, vector_at(work, layout.direction + 3 * j))
    least = CONSISTENT * STRICT / limits.tolerance  # where more may hold, what slips less is a slip, too
    return not allowed & 1 or (
        along > least * scale and length_of(z) - along <= max(CONSISTENT, limits.tolerance) * scale
    )


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
