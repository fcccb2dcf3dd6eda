"""Which points are at their planes, and the change of coordinates that brings them there."""

from .aims import aim_at_standstill
from .layout import FORWARD, is_down, normal_of, patch_of, point_bit, slip_bit
from .modes import AT_REST
from .solve import solve_mode
from .terms import ROUNDING, change_of_speeds

DEEPEST = 1000.0
"""How far below its plane a point is raised, as a multiple of the gap that is none: integration moves what is still."""


def is_near(work, layout, i):
    """Return whether the gap of point i is none, and counts."""
    near, gap = work[layout.near + i], work[layout.gaps + i]
    return -DEEPEST * near <= gap <= near and not hidden(work, layout, i)


def hidden(work, layout, i):
    """Return whether point i is that of a contact which is ignored in this event."""
    j = patch_of(work, layout, i)
    return j < layout.n_contacts and work[layout.ignored + j] != 0.0


def find_near(work, layout, velocities):
    """Return the points whose gap is none and that do not move off; velocities and their scales are those of rows."""
    near = 0
    for i in range(layout.n_points):
        r = normal_of(work, layout, i)
        if is_near(work, layout, i) and work[velocities + r] <= AT_REST * work[layout.scale + r]:
            near |= 1 << point_bit(work, layout, i)
    return near


def find_below(work, layout):
    """Return the number of the first point, counted from 1, that is below its plane; 0 if there is none."""
    for i in range(layout.n_points):
        if work[layout.gaps + i] < -work[layout.near + i] and not hidden(work, layout, i):
            return i + 1
    return 0


def find_level(work, layout):
    """Return the points whose gap is none, also those that move off: impacts at their limit leave rounding alone."""
    level = 0
    for i in range(layout.n_points):
        if is_near(work, layout, i):
            level |= 1 << point_bit(work, layout, i)
    return level


def raise_points(work, layout, touching):
    """Find the change of coordinates that brings points to their planes: those that touch, and those that are below.

    Points that this would move below theirs come to them, too. It closes loops; it is the smallest in the metric of M,
    and 0 where the gaps are rounding.
    """
    aim_at_standstill(work, layout)
    largest, mode = aim_at_closed_loops(work, layout), touching
    for j in range(layout.n_slipping):
        mode |= FORWARD << slip_bit(work, layout, j)
    for i in range(layout.n_points):
        work[layout.base + normal_of(work, layout, i)] = work[layout.gaps + i]
        if is_near(work, layout, i) and work[layout.gaps + i] < 0.0:
            mode |= 1 << point_bit(work, layout, i)
        if is_down(work, layout, mode, i):
            largest = max(largest, abs(work[layout.gaps + i]) / work[layout.reach + i])
    for _ in range(layout.n_points + 1):
        solve_mode(work, layout, mode, True)
        raised = mode | find_sunk(work, layout)
        if raised == mode:
            break
        mode = raised
    change_of_speeds(work, layout)
    if largest <= ROUNDING:
        for k in range(layout.n_speeds):
            work[layout.change + k] = 0.0


def find_sunk(work, layout):
    """Return the points whose gaps, which are z, the solved change makes negative."""
    sunk = 0
    for i in range(layout.n_points):
        sinks = work[layout.gaps + i] >= 0.0 and work[layout.z + normal_of(work, layout, i)] < 0.0
        if sinks and not hidden(work, layout, i):
            sunk |= 1 << point_bit(work, layout, i)
    return sunk


def aim_at_closed_loops(work, layout):
    """Ask for a change that closes the loops; return the largest gap as a fraction of the distances it comes from."""
    largest = 0.0
    for k in range(layout.n_loop_rows):
        gap = work[layout.gaps + layout.n_points + k]
        work[layout.base + layout.n_rows - layout.n_loop_rows + k] = gap
        largest = max(largest, abs(gap) / work[layout.reach + layout.n_points + k])
    return largest
