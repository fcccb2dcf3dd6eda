"""Where friction jams a foot that slips (Painleve's paradox).

The pressure of a foot that slips brings its friction along, and friction may press the foot down: the more, the more
pressure there is. With the reactions that have no friction, of the efforts E0, and those that have, of E,

    pressure with friction = pressure without / r,      r = det(A M^-1 E^T) / det(A M^-1 E0^T).

Where r falls to 0 no pressure is large enough: within no time at all, an impulse brings the foot to rest, an impact
without a collision (Genot and Brogliato, Eur. J. Mech. A 18, 653-677 (1999)). Where r is negative no slip obeys
Coulomb's law, and a foot that friction does not hold leaves the ground.

Both determinants are found as parts of that of ideal efforts, det(A M^-1 A^T), which is positive. The one without
friction may fall to 0, too: then the torques of joints cannot hold the yaw of trunk and foot without friction, and r
changes its sign through infinity. A foot jams there as well.
"""

from hybridsim import scratch
from hybridsim.multibody import Vector, direction_row, mass_matrix, solve_held

from .body import DATA, MASSES, TREE, WORK, N, describe
from .contacts import (
    HOLDING,
    N_HELD,
    ROWS_SIZE,
    contact_point,
    count_held_rows,
    ground_rows,
    partition_of,
    rows_of_foot,
    write_efforts,
    write_rows,
)
from .dynamics import IDEAL_HOLDS, N_REACTIONS, build_of
from .friction import slip_direction
from .records import P, slips

ROW = N + 1
"""Size of a row."""
SIZE = N_HELD + 2
CELLS = SIZE * SIZE
"""Rows with efforts that may not be ideal: what joints hold, and the heights of two feet."""
LEAST_RATIO, FAR_RATIO = 0.05, 20.0
"""The ratio at which a foot jams: friction then makes its pressure 20 times as large; and one that is on its way to
infinity."""


def jam_margin(motion, instant):
    """Return how far the feet that slip are from jamming: r less its least value, or less where r is very large."""
    p, chart = instant.p, instant.chart
    data, mass, rows = scratch(DATA), scratch(MASSES), scratch(ROWS_SIZE)
    describe(data, build_of(p))
    mass_matrix(mass, motion, TREE, data)
    write_rows(rows, motion, chart, p[P.stature])
    count = ground_rows(chart) + count_held_rows(chart)
    for i in range(count):
        rows[ROW * i + N] = 0.0  # what efforts do is looked at alone
    write_efforts(rows, count, ground_rows(chart), True)
    table, force = scratch(CELLS), scratch(ROW)
    for k in range(SIZE):
        for i in range(SIZE):
            table[SIZE * i + k] = 1.0 if i == k else 0.0
    for k in range(0 if p[P.held] == IDEAL_HOLDS else count_held_rows(chart)):
        for i in range(N):
            force[i] = 1.0 if i == HOLDING[k] else 0.0
        write_column(table, k, 0.0, mass, force, rows, chart)
    for foot in range(2):
        if slips(chart, foot):
            d = slip_direction(motion, instant, foot)
            friction = Vector(-p[P.friction] * d.x, -p[P.friction] * d.y, 0.0)
            direction_row(force, motion, TREE, 0, contact_point(chart, foot, p[P.stature]), friction)
            write_column(table, N_HELD + foot, 1.0, mass, force, rows, chart)
    return margin_of(determinant(table, SIZE), determinant(table, N_HELD))


def margin_of(rough, smooth):
    """Return the margin of r = rough / smooth, the determinants with friction and without.

    Beyond FAR_RATIO it goes with 1 / r, so that it is 0, and continuous, where r changes its sign through infinity.
    """
    if rough == 0.0:
        return -LEAST_RATIO  # also where both are 0
    if abs(rough) <= FAR_RATIO * abs(smooth):
        return rough / smooth - LEAST_RATIO
    sign = 1.0 if rough * smooth > 0.0 else -1.0
    return (FAR_RATIO - sign * LEAST_RATIO) * FAR_RATIO * smooth / rough


def write_column(table, k, ideal, mass, force, rows, chart):
    """Write which ideal efforts do the same as a force, besides `ideal` of its own row k."""
    udot, reactions, work = scratch(N), scratch(N_REACTIONS), scratch(WORK)
    solve_held(udot, reactions, mass, force, rows, partition_of(chart), work)
    for i in range(SIZE):
        row = row_of(chart, i)
        if row >= 0:
            table[SIZE * i + k] = (ideal if i == k else 0.0) - reactions[row]


def row_of(chart, i):
    """Return the row that is held by joint i, or keeps the height of a foot that slips; -1 if there is none."""
    if i < N_HELD:
        return ground_rows(chart) + i if i < count_held_rows(chart) else -1
    if not slips(chart, i - N_HELD):
        return -1
    return rows_of_foot(chart, 0) if i > N_HELD else 0


def determinant(table, n):
    """Return the determinant of the first n rows and columns, by elimination."""
    a, product = scratch(CELLS), 1.0
    for i in range(CELLS):
        a[i] = table[i]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            best = i if abs(a[SIZE * i + k]) > abs(a[SIZE * best + k]) else best
        for j in range(n if best != k else 0):
            a[SIZE * k + j], a[SIZE * best + j] = a[SIZE * best + j], -a[SIZE * k + j]
        product = product * a[SIZE * k + k]
        for i in range(k + 1 if product != 0.0 else n, n):
            factor = a[SIZE * i + k] / a[SIZE * k + k]
            for j in range(k, n):
                a[SIZE * i + j] -= factor * a[SIZE * k + j]
    return product
