"""Where friction jams a foot that slips (Painleve's paradox).

The pressure of a foot that slips brings its friction along, and friction may press the foot down: the more, the more
pressure there is. With the reactions that have no friction, of the efforts E0, and those that have, of E,

    pressure with friction = pressure without / r,      r = det(A M^-1 E^T) / det(A M^-1 E0^T).

Where r falls to 0 no pressure is large enough: within no time at all, an impulse brings the foot to rest, an impact
without a collision (Genot and Brogliato, Eur. J. Mech. A 18, 653-677 (1999)). Where r is negative no slip obeys
Coulomb's law, and a foot that friction does not hold leaves the ground.
"""

from hybridsim import scratch
from hybridsim.multibody import Vector, direction_row, mass_matrix, solve_held

from .body import DATA, MASSES, TREE, WORK, N, describe
from .contacts import (
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
LEAST_RATIO = 0.05
"""The ratio at which a foot jams: friction then makes its pressure 20 times as large."""


def jam_margin(motion, instant):
    """Return how far the feet that slip are from jamming: r less its least value."""
    p, chart, count = instant.p, instant.chart, ground_rows(instant.chart) + count_held_rows(instant.chart)
    data, mass, rows = scratch(DATA), scratch(MASSES), scratch(ROWS_SIZE)
    describe(data, build_of(p))
    mass_matrix(mass, motion, TREE, data)
    write_rows(rows, motion, chart, p[P.stature])
    for i in range(count):
        rows[(N + 1) * i + N] = 0.0  # what friction does is looked at alone
    write_efforts(rows, count, ground_rows(chart), p[P.held] == IDEAL_HOLDS)
    pressed1, pressed2 = pressures(mass, rows, motion, instant, 0), pressures(mass, rows, motion, instant, 1)
    return (1.0 - pressed1[0]) * (1.0 - pressed2[1]) - pressed1[1] * pressed2[0] - LEAST_RATIO


def pressures(mass, rows, motion, instant, foot):
    """Return the pressures on foot 1 and 2 that the friction of a foot makes, per unit of its own pressure.

    They are 0 where a foot does not slip.
    """
    p, chart = instant.p, instant.chart
    if not slips(chart, foot):
        return 0.0, 0.0
    udot, reactions, force, work = scratch(N), scratch(N_REACTIONS), scratch(ROW), scratch(WORK)
    d = slip_direction(motion, instant, foot)
    friction = Vector(-p[P.friction] * d.x, -p[P.friction] * d.y, 0.0)
    direction_row(force, motion, TREE, 0, contact_point(chart, foot, p[P.stature]), friction)
    solve_held(udot, reactions, mass, force, rows, partition_of(chart), work)
    of_foot1 = reactions[0] if slips(chart, 0) else 0.0
    return of_foot1, reactions[rows_of_foot(chart, 0)] if slips(chart, 1) else 0.0
