"""What the functions of models call: kernels that take arrays and numbers, and are compiled once for all mechanisms.

The work space begins with the layout, so that the same machine code serves every number of bodies and contacts. In an
event, a model finds its terms anew wherever state or speeds have changed, and calls the next kernel:

    begin_event      the points that take part, raised to their planes
    decide           the next mode; or IMPACT or REST, or JAMMED where no mode is consistent
    begin_impacts    no impulses yet
    collide, go_on   an impact, and the mode after it
"""

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer, real, void
from hybridsim.engine.status import DECLINED

from .aims import aim_at_rest, aim_at_standstill
from .corners import find_demand, fourth_share, friction_at, pressure_centre, pressure_of, put_pulls
from .impacts import IMPACT, LEAVES, REST, capture, forget_impulses, strike
from .layout import (
    FREE,
    HOLD_BACKWARD,
    HOLD_FORWARD,
    HOLDS,
    JAM,
    REST_SPEED,
    STATIC,
    STOP,
    boundary_of,
    is_down,
    is_ignored,
    is_spatial,
    leader_of,
    patch_of,
    read_layout,
    return_of,
    seen_of,
    sign_of,
    slip_bit,
    slip_of,
    slip_row,
    spin_of,
)
from .modes import find_at_once, find_mode
from .settle import choose, find_impact, find_released, find_stopped, find_touching, goes_on, is_hit, is_limit, stop
from .sliding import MOST_TURNS, keep_leans, put_slide_boundaries, solve_sliding, turn_slips
from .slips import (
    slips_at_rest,
    slips_before,
    slips_of_arriving,
    slips_of_chart,
    slips_of_speeds,
    slips_shared,
    with_crawling,
)
from .soles import made_flat
from .solve import JAMS, ease_of, find_multipliers, follows, jams, limit_of, load_of, multipliers_of, solve_mode
from .terms import (
    ROUNDING,
    change_of_speeds,
    find_delassus,
    find_momentum,
    kinetic_energy,
    solve_lower,
    speeds_in,
)
from .touching import aim_at_closed_loops, find_below, find_level, find_near, is_near, raise_points

SEPARATE = find_at_once, find_demand, find_mode, find_multipliers, follows, fourth_share, put_pulls, turn_slips
"""What the functions below call that is compiled on its own, also through others: it is looked for here."""

AGAIN = REST - 1
"""What stands for a mode where more points touch as others have been raised: an event begins again."""


@separate(void)
def solve_chart(work, u, p, chart):
    """Find the forces of a chart, from M, f, rows and gaps."""
    layout = read_layout(work)
    find_delassus(work, layout, u, chart)
    aim_at_rest(work, layout, p, chart)
    if layout.tangents == 2:
        solve_sliding(work, layout, p, chart, False, 0, MOST_TURNS)
    else:
        multipliers_of(work, layout, chart)


@separate(void)
def put_rates(udot, work):
    """Write M^-1 (f + W^T lambda), after `solve_chart`."""
    layout = read_layout(work)
    change_of_speeds(work, layout)
    solve_lower(work, layout, layout.y)
    for k in range(layout.n_speeds):
        udot[k] = work[layout.y + k] + work[layout.change + k]


@separate(void)
def put_boundaries(g, work, p, chart):
    """Write the boundaries of a chart: gaps and normal forces of points, margins, slips and jams of patches."""
    layout = read_layout(work)
    for i in range(layout.n_points):
        if is_down(work, layout, chart, i):
            g[layout.n_points + i] = pressure_of(work, layout, chart, i)
        elif is_ignored(work, layout, chart, patch_of(work, layout, i)):
            j = patch_of(work, layout, i)
            g[return_of(work, layout, j)] = max(work[layout.waits + j], -work[layout.gaps + i])
        else:
            g[i] = work[layout.gaps + i]
    for j in range(layout.n_slipping):
        r, slip, first = slip_row(work, layout, chart, j), slip_of(work, layout, chart, j), boundary_of(layout, j)
        if r < 0 or slip == FREE:
            continue
        if is_spatial(layout, j):
            put_slide_boundaries(g, work, layout, p, chart, j)
        elif slip == HOLDS:
            most, force = limit_of(work, layout, p, j, STATIC), work[layout.multipliers + r]
            g[first + HOLD_FORWARD], g[first + HOLD_BACKWARD] = most + force, most - force
        else:
            g[first + STOP] = sign_of(slip) * work[layout.velocity + r]
            if jams(work, layout, chart, j):
                g[first + JAM] = ease_of(work, layout, chart, leader_of(work, layout, chart, j)) - JAMS


@separate(integer)
def put_outputs(y, work, chart):
    """Write force along normal and tangent and slip of each contact, gap and force of each point; then other forces.

    These are the friction of joints, and the forces of loops; and in space, friction and slip along the second tangent
    of each contact, and the torque of friction. Return the number of all.
    """
    layout = read_layout(work)
    for j in range(layout.n_contacts):
        r = slip_row(work, layout, chart, j)
        y[3 * j] = y[3 * j + 1] = y[3 * j + 2] = 0.0
        if r >= 0:
            y[3 * j] = load_of(work, layout, j)
            y[3 * j + 1] = (
                friction_at(work, layout, j, pressure_centre(work, layout, chart, j)).x
                if layout.tangents == 2
                else work[layout.multipliers + r]
            )
            y[3 * j + 2] = 0.0 if slip_of(work, layout, chart, j) == HOLDS else work[layout.velocity + r]
    n = 3 * layout.n_contacts
    for i in range(layout.n_points):
        y[n + 2 * i] = work[layout.gaps + i]
        y[n + 2 * i + 1] = pressure_of(work, layout, chart, i)
    n += 2 * layout.n_points
    first = slip_row(work, layout, 0, layout.n_contacts) if layout.n_slipping > layout.n_contacts else layout.n_rows
    first = min(first, layout.n_rows - layout.n_loop_rows)
    for r in range(first, layout.n_rows):
        y[n + r - first] = work[layout.multipliers + r]
    n += layout.n_rows - first
    for j in range(layout.n_contacts if layout.tangents == 2 else 0):
        r = slip_row(work, layout, chart, j)
        y[n + 3 * j] = y[n + 3 * j + 1] = y[n + 3 * j + 2] = 0.0
        if r >= 0:
            friction = friction_at(work, layout, j, pressure_centre(work, layout, chart, j))
            y[n + 3 * j] = friction.y
            y[n + 3 * j + 1] = work[layout.lever + j] * friction.z if spin_of(work, layout, j) >= 0 else 0.0
            y[n + 3 * j + 2] = 0.0 if slip_of(work, layout, chart, j) == HOLDS else work[layout.velocity + r + 1]
    return n + (3 * layout.n_contacts if layout.tangents == 2 else 0)


@separate(real)
def energy_of(work, u):
    """Return the kinetic energy of speeds."""
    layout = read_layout(work)
    find_momentum(work, layout, u)
    return kinetic_energy(work, layout)


@separate(real)
def loop_error(work):
    """Return the largest gap of a loop."""
    layout = read_layout(work)
    largest = 0.0
    for k in range(layout.n_loop_rows):
        largest = max(largest, abs(work[layout.gaps + layout.n_points + k]))
    return largest


@separate(integer)
def close_loops(work, u):
    """Return 1 if the loops are closed; otherwise find the change of the coordinates that closes them (Newton)."""
    layout = read_layout(work)
    find_delassus(work, layout, u, -1)
    aim_at_standstill(work, layout)
    if aim_at_closed_loops(work, layout) <= ROUNDING:
        return 1
    open_mode = 0
    for j in range(layout.n_slipping):
        open_mode |= FREE << slip_bit(work, layout, j)
    solve_mode(work, layout, open_mode, True)
    change_of_speeds(work, layout)
    return 0


@separate(integer)
def open_loop(work, closed):
    """Return the number of the loop with the widest gap, from 1; 0 if none is wider than what is none."""
    layout = read_layout(work)
    found, widest = 0, 0.0
    for k in range(layout.n_loops):
        for r in range(int(work[layout.loop + k]), int(work[layout.loop + k + 1])):
            i = layout.n_points + r - (layout.n_rows - layout.n_loop_rows)
            if not abs(work[layout.gaps + i]) <= closed * work[layout.near + i] + widest:
                found, widest = k + 1, abs(work[layout.gaps + i])
    return found


@separate(integer)
def begin_event(work, u, chart, crossed):
    """Return the points that take part, and find the change of the coordinates that raises them to their planes."""
    layout = read_layout(work)
    for j in range(layout.n_contacts):
        ignored = is_ignored(work, layout, chart, j) and not crossed[return_of(work, layout, j)]
        work[layout.ignored + j] = 1.0 if ignored else 0.0
    for i in range(layout.n_points):
        work[layout.depth + i] = max(-work[layout.gaps + i], 0.0)
    find_delassus(work, layout, u, -1)
    velocities = layout.z if find_stopped(work, layout, chart, crossed) else layout.velocity
    touching = find_touching(work, layout, chart, crossed)
    level = find_level(work, layout) if is_limit(layout, crossed) else find_near(work, layout, velocities)
    raise_points(work, layout, made_flat(work, layout, touching))
    return made_flat(work, layout, touching | level)


@separate(integer)
def begin_run(work, u):
    """Return the points that touch, like `begin_event`; -k if the k-th point is below its plane."""
    layout = read_layout(work)
    for i in range(layout.n_points):
        j = patch_of(work, layout, i)
        if j < layout.n_contacts:
            work[layout.ignored + j] = 0.0
            behind = return_of(work, layout, j) >= 0 and work[layout.waits + j] > 0.0
            work[layout.ignored + j] = 1.0 if behind and not is_near(work, layout, i) else 0.0
    find_delassus(work, layout, u, -1)
    below = find_below(work, layout)
    for i in range(layout.n_points):
        work[layout.depth + i] = 0.0
    aim_at_standstill(work, layout)
    members = made_flat(work, layout, find_near(work, layout, layout.velocity))
    raise_points(work, layout, 0)
    return -below if below else members


@separate(integer)
def decide(x_new, work, p, before_event, members, crossed):
    """Return the mode after an event, IMPACT or REST if one comes first, JAMMED, DECLINED; or AGAIN."""
    layout = read_layout(work)
    chart = seen_of(work, layout, before_event)
    find_delassus(work, layout, speeds_in(x_new, layout), -1)
    stopped = find_stopped(work, layout, chart, crossed)
    if find_near(work, layout, layout.z if stopped else layout.velocity) & ~members:
        return AGAIN
    kind = find_impact(work, layout, chart, members, crossed, p[layout.general + REST_SPEED])
    if kind < 0:
        return kind
    arriving = slips_of_arriving(work, layout, p, chart, members)
    released = find_released(work, layout, p, chart, crossed)
    stopped = with_crawling(work, layout, p, chart, crossed, stopped)
    before = slips_before(work, layout, p, chart, crossed, stopped, arriving)
    slips = slips_of_chart(work, layout, p, chart, crossed, stopped, arriving)
    mode = choose(work, layout, p, members & ~released, slips, chart)
    if mode < 0:
        mode = choose(work, layout, p, members, before, chart)
    for k in range(layout.n_slipping if mode < 0 and layout.tangents == 1 else 0):
        if slip_of(work, layout, chart, k) == HOLDS and slip_row(work, layout, chart, k) >= 0:
            mode = choose(work, layout, p, members, slips_shared(work, layout, chart, crossed, before, k), chart)
        if mode >= 0:
            break
    if mode >= 0 and goes_on(x_new, work, layout, p, chart, mode, crossed):
        return DECLINED
    if mode >= 0:
        stop(x_new, work, layout, mode, members, slips_at_rest(work, layout, chart, stopped, arriving))
        keep_leans(x_new, work, layout, mode)
    return mode


@separate(integer)
def with_ignored(work, mode, chart):
    """Return a mode in which contacts are ignored that were so before, or open now behind what they have to pass."""
    layout, found = read_layout(work), mode
    for j in range(layout.n_contacts if mode >= 0 else 0):
        if return_of(work, layout, j) >= 0 and leader_of(work, layout, mode, j) < 0:
            opens = leader_of(work, layout, chart, j) >= 0 and work[layout.waits + j] > 0.0
            if opens or work[layout.ignored + j] != 0.0:
                found |= 1 << slip_bit(work, layout, j)
    return found


@separate(integer)
def decide_first(x_new, work, p, members):
    """Return the mode in which a run begins, IMPACT if one comes first, or JAMMED."""
    layout = read_layout(work)
    find_delassus(work, layout, speeds_in(x_new, layout), -1)
    aim_at_standstill(work, layout)
    if is_hit(work, layout, 0, members):
        return IMPACT
    slips = slips_of_speeds(work, layout, p, members)
    mode = choose(work, layout, p, members, slips, -1)
    if mode >= 0:
        stop(x_new, work, layout, mode, members, slips)
        keep_leans(x_new, work, layout, mode)
    return mode


@separate(void)
def begin_impacts(x_new, work):
    """Begin the record of impulses: an event may have an impact, and then one without collision."""
    forget_impulses(x_new, read_layout(work))


@separate(integer)
def collide(x_new, work, p, members, kind):
    """Change the speeds by an impact of this kind; return 0 if it has no solution."""
    layout = read_layout(work)
    if strike(x_new, work, layout, p, members, kind) == 0:
        return 0
    slow = p[layout.general + REST_SPEED]
    aim_at_rest(work, layout, p, -1)
    capture(x_new, work, layout, members, slow if kind == REST else LEAVES * slow)
    return 1


@separate(integer)
def go_on(x_new, work, p, members, before_event):
    """Return the mode after an impact, or JAMMED. Scales are those of the velocities before it."""
    layout = read_layout(work)
    find_delassus(work, layout, speeds_in(x_new, layout), -1)
    left = made_flat(work, layout, find_near(work, layout, layout.velocity) & members)
    slips = slips_of_speeds(work, layout, p, left)
    mode = choose(work, layout, p, left, slips, seen_of(work, layout, before_event))
    if mode >= 0:
        stop(x_new, work, layout, mode, left, slips)
        keep_leans(x_new, work, layout, mode)
    return mode
