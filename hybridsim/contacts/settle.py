"""What an event does: which points take part, what of the old mode is decided, and how the new one begins.

Whether a contact is at rest is known from the chart and from what has crossed, or from an impact that has brought it to
rest to rounding, and never from a speed that is small.
"""

from hybridsim.engine.memory import AT_LIMIT
from hybridsim.multibody.vectors import dot, vector_at

from .aims import aim_at_rest, aim_at_standstill
from .corners import friction_at, middle_of, pressure_of, reach_of
from .impacts import IMPACT, JAMMED, NO_IMPACT, REST, change_speeds, project
from .layout import (
    FREE,
    HOLDS,
    JAM,
    STATIC,
    STOP,
    boundary_of,
    is_down,
    is_spatial,
    n_boundaries,
    normal_of,
    point_bit,
    sign_of,
    slip_bit,
    slip_of,
    slip_row,
)
from .modes import AT_REST, find_mode
from .sets import allowed_of
from .sliding import MOST_TURNS, lean_as_found, leans_as_before, moves_in_space, solve_sliding
from .slips import TIED, largest_load
from .soles import released_with
from .solve import DEPENDENT, limit_of, load_of, solve_mode
from .terms import EPSILON, ROUNDING

MOST_PROJECTIONS, WELL_PROJECTED = 4, 512.0
"""How often velocities are projected, where rows all but follow from each other, and the part that may be left."""


def is_limit(layout, crossed):
    """Return whether the event is a limit of infinitely many impacts, at which slips end infinitely often, too."""
    count = 0
    for b in range(n_boundaries(layout)):
        count += crossed[b] == AT_LIMIT
    return count > 0


def find_touching(work, layout, chart, crossed):
    """Return the points that are down, and those that have come down now; near ones take part in an event, too."""
    touching = 0
    for i in range(layout.n_points):
        if is_down(work, layout, chart, i) or crossed[i]:
            touching |= 1 << point_bit(work, layout, i)
    return touching


def find_stopped(work, layout, chart, crossed):
    """Return the patches whose slips end, as bits; the velocities of rows are then z.

    They are those that the boundaries say, and those whose slips would turn round or end where these end: joints of a
    loop stop together, and rounding decides whose boundary crosses.
    """
    aim_at_standstill(work, layout)
    stopped, held, found = 0, chart, 0
    for j in range(layout.n_slipping):
        found |= (1 if crossed[boundary_of(layout, j) + STOP] else 0) << j
    for _ in range(layout.n_slipping + 1):
        for j in range(layout.n_slipping):
            held = held_of(work, layout, held, j) if (found >> j) & 1 else held
        solve_mode(work, layout, held, True)
        stopped = found
        for j in range(layout.n_slipping if stopped else 0):
            r, sign = slip_row(work, layout, chart, j), sign_of(slip_of(work, layout, chart, j))
            if r >= 0 and sign != 0.0 and not is_spatial(layout, j):
                least = AT_REST * work[layout.scale + r]
                moves = j >= layout.n_contacts or sign * work[layout.velocity + r] > least  # or has begun just now
                found |= (1 if moves and sign * work[layout.z + r] <= least else 0) << j
        if found == stopped:
            break
    return stopped


def find_impact(work, layout, chart, members, crossed, slow):
    """Return what sort of impact an event is.

    A point that crosses its plane although it moves off has flown so low that rounding hides it: it would cross at this
    instant again and again.

    Parameters
    ----------
    work : (size,) array
        Work space, as `find_delassus` leaves it.
    layout : Layout
        Where everything lies.
    chart : int
        The chart that ends.
    members : int
        The points that take part.
    crossed : (n_boundaries,) int array
        The boundaries that have crossed.
    slow : float
        Below this speed, what moves off so comes to rest.
    """
    found = NO_IMPACT
    aim_at_standstill(work, layout)
    if is_limit(layout, crossed):
        return REST
    for j in range(layout.n_contacts):
        if crossed[boundary_of(layout, j) + JAM]:
            found = JAMMED
    for i in range(layout.n_points):
        if crossed[i] and not is_down(work, layout, chart, i):
            r = normal_of(work, layout, i)
            return REST if AT_REST * work[layout.scale + r] < work[layout.velocity + r] < slow else IMPACT
    return IMPACT if is_hit(work, layout, chart, members) else found


def is_hit(work, layout, chart, members):
    """Return whether a point that touches, and was not down, moves to its plane; scales are those of velocities."""
    for i in range(layout.n_points):
        if is_down(work, layout, members, i) and not is_down(work, layout, chart, i):
            r = normal_of(work, layout, i)
            if work[layout.velocity + r] < -AT_REST * work[layout.scale + r]:
                return True
    return False


def find_released(work, layout, p, chart, crossed):
    """Return the points of the old chart that open: their forces have crossed, or vanish at the same instant."""
    aim_at_rest(work, layout, p, -1)
    solve_sliding(work, layout, p, chart, True, 0, MOST_TURNS)
    released, tied = 0, TIED * largest_load(work, layout)
    for i in range(layout.n_points):
        if is_down(work, layout, chart, i) and (
            crossed[layout.n_points + i] or pressure_of(work, layout, chart, i) <= tied
        ):
            released |= released_with(work, layout, chart, i)
    return released


def choose(work, layout, p, members, allowed, before):
    """Return the mode in which the motion goes on, NO_MODE if there is none; `before` is the chart that ends, or -1."""
    aim_at_rest(work, layout, p, -1)
    mode = find_mode(work, p, members, allowed, STATIC, 0, before)
    if mode >= 0:
        lean_as_found(work, layout, mode, allowed)
    return mode


def stop(x_new, work, layout, mode, members, slips):
    """Take away what rounding and integration have left of the velocities of what is down or opens, holds or has held.

    A slip begins with velocity 0, in the direction that the margin says which has crossed; and so does a gap.
    At a dead centre, what slips on may have a velocity against its direction that no other one takes away.
    """
    aim_at_standstill(work, layout)
    still = 0
    for j in range(layout.n_slipping):
        rests = slip_row(work, layout, mode, j) >= 0 and slip_of(work, layout, mode, j) != FREE
        still |= (HOLDS if rests and allowed_of(work, slips, j) & 1 else FREE) << slip_bit(work, layout, j)
    for i in range(layout.n_points):
        still |= is_down(work, layout, members, i) << point_bit(work, layout, i)
    for k in range(MOST_PROJECTIONS):
        if not is_moving(work, layout, mode, still, 1.0 if k == 0 else WELL_PROJECTED):
            break
        project(x_new, work, layout, still)
        aim_at_standstill(work, layout)
    for j in range(layout.n_slipping if layout.tangents == 1 else 0):
        r, sign = slip_row(work, layout, mode, j), sign_of(slip_of(work, layout, mode, j))
        if r >= 0 and -DEPENDENT * work[layout.scale + r] < sign * work[layout.velocity + r] < 0.0:
            halt(x_new, work, layout, r)


def halt(x_new, work, layout, r):
    """Take away the velocity of a row by a force of its own, where others keep it from moving but for rounding."""
    force = -work[layout.velocity + r] / work[layout.delassus + (layout.n_rows + 1) * r]
    for s in range(layout.n_rows):
        work[layout.multipliers + s] = force if s == r else 0.0
        work[layout.z + s] = work[layout.velocity + s] + work[layout.delassus + layout.n_rows * s + r] * force
    change_speeds(x_new, work, layout)


def is_moving(work, layout, mode, still, factor):
    """Return whether what should be at rest moves by more than rounding times a factor."""
    moves, least = False, factor * EPSILON
    for j in range(layout.n_slipping):
        r = slip_row(work, layout, mode, j)
        if slip_of(work, layout, still, j) == HOLDS:
            moves = moves or abs(work[layout.velocity + r]) > least * work[layout.scale + r]
            moves = moves or (is_spatial(layout, j) and moves_in_space(work, layout, j, r, least))
    for i in range(layout.n_points):
        if is_down(work, layout, still, i):
            r = normal_of(work, layout, i)
            moves = moves or abs(work[layout.velocity + r]) > least * work[layout.scale + r]
    for r in range(layout.n_rows - layout.n_loop_rows, layout.n_rows):
        moves = moves or abs(work[layout.velocity + r]) > factor * ROUNDING * work[layout.scale + r]
    return moves


def goes_on(x_new, work, layout, p, chart, mode, crossed):
    """Return whether all that has happened is that a slip, begun at this instant, has stopped by rounding.

    In space, it may also begin anew as it did before: what turns while it begins may move a little backward at first.
    Otherwise, the patch would hold with all the friction that there is, in the direction of the slip; multipliers are
    those of the mode in which it holds. Joints of a loop, which slip together, would hold with it or carry what they
    can.
    """
    count, stopped, held, answer, again = 0, 0, chart, False, layout.tangents == 2 and mode == chart
    for b in range(n_boundaries(layout)):
        count += 1 if crossed[b] else 0
    for j in range(layout.n_slipping):
        slip, r = slip_of(work, layout, chart, j), slip_row(work, layout, mode, j)
        stops = crossed[boundary_of(layout, j) + STOP] != 0
        stopped += 1 if stops else 0
        again = again and (not stops or leans_as_before(x_new, work, layout, j))
        if r >= 0 and slip_of(work, layout, mode, j) == HOLDS and slip != HOLDS:
            held = held_of(work, layout, held, j)
            most = limit_of(work, layout, p, j, STATIC)
            against = -sign_of(slip) * work[layout.multipliers + r]
            if is_spatial(layout, j):
                lean = vector_at(work, layout.lean + 3 * j)
                part = -dot(friction_at(work, layout, j, middle_of(work, layout, j)), lean)
                against = part * load_of(work, layout, j) / reach_of(work, layout, mode, j, lean)
            answer = answer or most - against <= TIED * most
        elif j >= layout.n_contacts and slip_of(work, layout, mode, j) == FREE:
            held |= FREE << slip_bit(work, layout, j)
    return count == stopped and ((again and stopped > 0) or (answer and mode == held))


def held_of(work, layout, chart, j):
    """Return a chart in which patch j holds."""
    return chart & ~(3 << slip_bit(work, layout, j))
