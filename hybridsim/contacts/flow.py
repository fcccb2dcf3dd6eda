"""What a chart means: its vector field, its boundaries, and the outputs of contacts."""

from .layout import (
    FREE,
    HOLD_BACKWARD,
    HOLD_FORWARD,
    HOLDS,
    JAM,
    PER_PATCH,
    STATIC,
    STOP,
    friction_of,
    is_down,
    leader_of,
    slip_of,
)
from .settle import slip_speed
from .solve import aim_at_rest, ease_of, jams, load_of, solve_mode
from .terms import change_of_speeds, find_delassus, solve_upper


def find_forces(work, layout, u, p, chart):
    """Find the forces of a chart, from M, f, rows and gaps."""
    find_delassus(work, layout, u, chart)
    aim_at_rest(work, layout, p, chart)
    solve_mode(work, layout, chart, chart)


def find_rates(udot, work, layout):
    """Write M^-1 (f + W^T lambda), after `find_forces`."""
    change_of_speeds(work, layout)
    solve_upper(work, layout.y, layout.mass, layout.n_speeds)
    for k in range(layout.n_speeds):
        udot[k] = work[layout.y + k] + work[layout.change + k]


def write_boundaries(g, work, layout, p, chart):
    """Write the boundaries of a chart: gaps and normal forces of points, margins, slips and jams of patches."""
    for i in range(layout.n_points):
        if is_down(work, layout, chart, i):
            g[layout.n_points + i] = work[layout.multipliers + 2 * i]
        else:
            g[i] = work[layout.gaps + i]
    for j in range(layout.n_patches):
        leader = leader_of(work, layout, chart, j)
        if leader < 0 or slip_of(work, layout, chart, j) == FREE:
            continue
        first = 2 * layout.n_points + PER_PATCH * j
        if slip_of(work, layout, chart, j) == HOLDS:
            most = p[friction_of(layout, j) + STATIC] * load_of(work, layout, j)
            force = work[layout.multipliers + 2 * leader + 1]
            g[first + HOLD_FORWARD], g[first + HOLD_BACKWARD] = most + force, most - force
        else:
            g[first + STOP] = slip_speed(work, layout, chart, j)
            if jams(work, layout, chart, j):
                g[first + JAM] = ease_of(work, layout, chart, leader)


def write_outputs(y, work, layout, chart):
    """Write force along normal and tangent and slip of each patch, then the gap of each point."""
    for j in range(layout.n_patches):
        leader = leader_of(work, layout, chart, j)
        y[3 * j] = y[3 * j + 1] = y[3 * j + 2] = 0.0
        if leader >= 0:
            y[3 * j] = load_of(work, layout, j)
            y[3 * j + 1] = work[layout.multipliers + 2 * leader + 1]
            y[3 * j + 2] = 0.0 if slip_of(work, layout, chart, j) == HOLDS else work[layout.velocity + 2 * leader + 1]
    for i in range(layout.n_points):
        y[3 * layout.n_patches + 2 * i] = work[layout.gaps + i]
        y[3 * layout.n_patches + 2 * i + 1] = work[layout.multipliers + 2 * i]
