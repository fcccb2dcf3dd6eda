"""How patches may slip next, as the chart that ends, its event and their speeds say."""

from .layout import (
    BACKWARD,
    BEGINS,
    FORWARD,
    FREE,
    HOLD_BACKWARD,
    HOLD_FORWARD,
    HOLDS,
    PACE,
    STATIC,
    boundary_of,
    is_spatial,
    normal_of,
    slip_of,
    slip_row,
)
from .modes import AT_REST
from .sets import (
    ALL_SLIPS,
    ARRIVING,
    AT_REST_IN_SPACE,
    BEFORE,
    BOTH_WAYS,
    NEXT,
    ONLY_FREE,
    all_slips,
    allowed_of,
    set_of,
)
from .sliding import CRAWLS, HYSTERESIS, is_slower, slide_of_chart, slide_of_speeds
from .solve import limit_of

TIED = 1e-9
"""A force or a margin this small beside the largest normal force crosses together with one that does."""


def largest_load(work, layout):
    """Return the largest normal force."""
    largest = 0.0
    for i in range(layout.n_points):
        largest = max(largest, work[layout.multipliers + normal_of(work, layout, i)])
    return largest


def slips_of_chart(work, layout, p, chart, crossed, stopped, arriving):
    """Return how each patch may slip next: as it did, or as margins say that have crossed; anyhow, if it has stopped.

    The multipliers are those of the old chart (`find_released`). What arrives slips as `slips_of_arriving` says.
    """
    allowed, largest = set_of(layout, NEXT), largest_load(work, layout)
    for j in range(layout.n_slipping):
        r, slip = slip_row(work, layout, chart, j), slip_of(work, layout, chart, j)
        first = boundary_of(layout, j)
        slips = ALL_SLIPS
        if is_spatial(layout, j):
            rests = (stopped >> j) & 1
            slips = AT_REST_IN_SPACE if rests else slide_of_chart(work, layout, p, chart, j, crossed, TIED * largest)
        elif r >= 0 and slip != HOLDS and slip != FREE and not (stopped >> j) & 1:
            slips = 1 << slip
        elif r >= 0 and slip in (HOLDS, FREE):
            most, force = limit_of(work, layout, p, j, STATIC), work[layout.multipliers + r]
            tied = TIED * (largest if j < layout.n_contacts else most)
            backward = crossed[first + HOLD_BACKWARD] or most - force <= tied
            forward = crossed[first + HOLD_FORWARD] or most + force <= tied
            if backward != forward:
                slips = (1 << (BACKWARD if backward else FORWARD)) | ONLY_FREE
        work[allowed + j] = allowed_of(work, arriving, j) or slips
    return allowed


def with_crawling(work, layout, p, chart, crossed, stopped):
    """Return the patches that have stopped, with the contacts in space that are all but at rest or have turned round.

    Contacts of a body stop together: rounding decides whose boundary crosses. What has turned round as its slip began
    has its pace crossed, although it is not fast.
    """
    found = stopped
    for j in range(layout.n_contacts if layout.tangents == 2 else 0):
        turned = slip_of(work, layout, chart, j) == BEGINS and crossed[boundary_of(layout, j) + PACE] != 0
        if slip_row(work, layout, chart, j) >= 0 and (turned or stopped != 0):
            found |= (1 if is_slower(work, layout, p, chart, j, HYSTERESIS if turned else CRAWLS) else 0) << j
    return found


def slips_before(work, layout, p, chart, crossed, stopped, arriving):
    """Return how each patch may slip next, whatever its margins say: as it did, anyhow if it has stopped."""
    allowed = set_of(layout, BEFORE)
    for j in range(layout.n_slipping):
        slip, first = slip_of(work, layout, chart, j), boundary_of(layout, j)
        rests = slip in (HOLDS, FREE) or (stopped >> j) & 1
        slips = all_slips(layout, j) if rests else 1 << slip
        if is_spatial(layout, j):
            slips = slips if rests else slide_of_chart(work, layout, p, chart, j, crossed, 0.0)
        elif crossed[first + HOLD_FORWARD] or crossed[first + HOLD_BACKWARD]:
            slips &= ~1
        work[allowed + j] = allowed_of(work, arriving, j) or slips
    return allowed


def slips_shared(work, layout, chart, crossed, before, k):
    """Return how each patch may slip next where patch k has to carry what another at rest cannot, if it can.

    Nothing decides what patches share that keep each other from moving: one holds on, though its margin has crossed.
    """
    allowed = set_of(layout, NEXT)
    for j in range(layout.n_slipping):
        first, slips = boundary_of(layout, j), allowed_of(work, before, j)
        at_limit = crossed[first + HOLD_FORWARD] or crossed[first + HOLD_BACKWARD]
        if j == k:
            slips = ONLY_FREE | BOTH_WAYS
        elif at_limit and slip_of(work, layout, chart, j) == HOLDS:
            slips |= 1
        work[allowed + j] = slips
    return allowed


def slips_at_rest(work, layout, chart, stopped, arriving):
    """Return a set that has HOLDS for each patch that has not slipped so far, or has stopped, or arrives at rest."""
    resting = set_of(layout, NEXT)
    for j in range(layout.n_slipping):
        holds = slip_of(work, layout, chart, j) == HOLDS or (stopped >> j) & 1
        work[resting + j] = (allowed_of(work, arriving, j) or (1 if holds else 0)) & 1
    return resting


def slips_of_arriving(work, layout, p, chart, members):
    """Return how contacts that are open in a chart, and touch without an impact, slip; 0 for all others.

    Velocities are z: those once what holds does not move.
    """
    arriving = set_of(layout, ARRIVING)
    for j in range(layout.n_slipping):
        work[arriving + j] = 0.0
        if j < layout.n_contacts and slip_row(work, layout, chart, j) < 0 <= slip_row(work, layout, members, j):
            work[arriving + j] = slips_of_speed(work, layout, p, members, j, layout.z)
    return arriving


def slips_of_speeds(work, layout, p, members):
    """Return how each patch may slip next: as it moves, anyhow if it does not.

    Scales are those of velocities, after an impact those before it: what an impact stops is zero beside them.
    """
    allowed = set_of(layout, NEXT)
    for j in range(layout.n_slipping):
        work[allowed + j] = slips_of_speed(work, layout, p, members, j, layout.velocity)
    return allowed


def slips_of_speed(work, layout, p, members, j, velocities):
    """Return how a patch may slip next; the velocities of rows begin at `velocities`."""
    r = slip_row(work, layout, members, j)
    if is_spatial(layout, j):
        return slide_of_speeds(work, layout, p, members, j, velocities, AT_REST)
    least = AT_REST * work[layout.scale + r] if r >= 0 else 0.0
    if r >= 0 and abs(work[velocities + r]) > least:
        return 1 << (FORWARD if work[velocities + r] > 0.0 else BACKWARD)
    return ALL_SLIPS
