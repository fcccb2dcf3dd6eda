"""Both sides of M udot = f + W^T lambda, and the small problem z = w + G lambda that contacts see of it.

With M = L^T L, X = W L^-1 (a row for each row of W) and y = L^-T f:  G = X X^T  is the matrix of Delassus (1917), and
z = W udot + c = X y + c + G lambda.  The same G says what impulses do:  W u+ = W u- + G Lambda.
"""

import math

from hybridsim.engine.compiler.slices import subarray

from .layout import FREE, HOLDS, chain_of, is_down, leader_of, normal_of, patch_of, read_layout, slip_of
from .soles import is_fourth

NEAR = 1e-9
"""Gap that is none at an event, as a fraction of the mechanism's size: two ends of a level bar land at once."""

EPSILON = 2.220446049250313e-16
ROUNDING = 16.0 * EPSILON
"""Effect of rounding on a gap, as a fraction of the distances that it is found from."""


def equation_terms(work, length):
    """Set how precise the gaps of equations of motion are, whose size is this length."""
    layout = read_layout(work)
    for i in range(layout.n_points):
        work[layout.reach + i], work[layout.near + i] = length, (NEAR + 4.0 * ROUNDING) * length


def put_gap(work, layout, i, gap, reach, length):
    """Put a gap, how large the distances are that it comes from, and the gap that is none."""
    work[layout.gaps + i], work[layout.reach + i] = gap, reach
    work[layout.near + i] = NEAR * length + 4.0 * ROUNDING * reach


def find_delassus(work, layout, u, mode):
    """Find L, X, y, W u and G from M, f and the rows, of the points that are down in this mode; and L u, if all are.

    Parameters
    ----------
    work : (size,) array
        Work space of the contacts.
    layout : Layout
        Where everything lies.
    u : (n_speeds,) array
        Speeds.
    mode : int
        Points; -1 for all.
    """
    n, n_rows = layout.n_speeds, layout.n_rows
    factorise(work, layout)
    for k in range(n):
        work[layout.y + k] = work[layout.force + k]
    for k in range(n - 1, -1, -1):
        eliminate(work, layout, layout.y, k)
    if mode == -1:
        find_momentum(work, layout, u)
    list_needed(work, layout, mode)
    for a in range(layout.needed + 1, layout.needed + 1 + int(work[layout.needed])):
        r = int(work[a])
        put_row(work, layout, u, r)
        for b in range(layout.needed + 1, a + 1):
            s = int(work[b])
            product = row_product(work, layout, r, layout.x + n * s)
            work[layout.delassus + n_rows * r + s] = work[layout.delassus + n_rows * s + r] = product


def list_needed(work, layout, mode):
    """List the rows that count in a mode."""
    count = 0
    for r in range(layout.n_rows):
        if is_needed(work, layout, mode, r):
            count += 1
            work[layout.needed + count] = r
    work[layout.needed] = count


def is_needed(work, layout, mode, r):
    """Return whether row r counts in a mode; all if -1.

    Of a point that is down, its normal, but for that of the last of four, and the rows along its plane if it leads its
    patch, or its friction acts against a slip in space; about a normal, if its patch is down; all others.
    """
    i = int(work[layout.holder + r])
    if i < -1 and mode != -1:
        return leader_of(work, layout, mode, -2 - i) >= 0
    if mode == -1 or i < 0:
        return True
    if not is_down(work, layout, mode, i) or is_fourth(work, layout, mode, i):
        return False
    j = patch_of(work, layout, i)
    slides = layout.tangents == 2 and slip_of(work, layout, mode, j) not in (HOLDS, FREE)
    return slides or r == normal_of(work, layout, i) or i == leader_of(work, layout, mode, j)


def put_row(work, layout, u, r):
    """Find X and W u of a row."""
    n, row = layout.n_speeds, layout.rows + (layout.n_speeds + 1) * r
    velocity = 0.0
    for k in range(n):
        work[layout.x + n * r + k] = work[row + k]
    for e in range(chain_of(work, layout, n + r), chain_of(work, layout, n + r + 1)):
        k = int(work[e])
        velocity += work[row + k] * u[k]
        eliminate(work, layout, layout.x + n * r, k)
    work[layout.velocity + r] = velocity


def row_product(work, layout, r, other):
    """Return the scalar product of X of a row and of a vector that begins at this index."""
    row, total = layout.x + layout.n_speeds * r, 0.0
    for e in range(chain_of(work, layout, layout.n_speeds + r), chain_of(work, layout, layout.n_speeds + r + 1)):
        k = int(work[e])
        total += work[row + k] * work[other + k]
    return total


def find_momentum(work, layout, u):
    """Find L u, whose square is twice the kinetic energy."""
    n = layout.n_speeds
    for k in range(n):
        row = layout.mass + n * k
        momentum = u[k] / work[row + k]
        for e in range(chain_of(work, layout, k), chain_of(work, layout, k + 1)):
            momentum += work[row + int(work[e])] * u[int(work[e])]
        work[layout.momentum + k] = momentum


def speeds_in(x, layout):
    """Return the speeds within a state."""
    return subarray(x, layout.n_coordinates, layout.n_speeds)


def factorise(work, layout):
    """Put the factor L of the mass matrix M = L^T L in its lower half, with 1 / L_kk on its diagonal.

    Begun at the last row, it leaves 0 what is 0 because two speeds are those of different limbs (Featherstone 2005).
    """
    n, first = layout.n_speeds, layout.mass
    for k in range(n - 1, -1, -1):
        row, begin, end = first + n * k, chain_of(work, layout, k), chain_of(work, layout, k + 1)
        work[row + k] = 1.0 / math.sqrt(work[row + k])
        for e in range(begin, end):
            work[row + int(work[e])] *= work[row + k]
        for e in range(begin, end):
            i = int(work[e])
            part = work[row + i]  # read once: the compiler does not know that what is written lies elsewhere
            for m in range(i + 1):
                work[first + n * i + m] -= part * work[row + m]


def eliminate(work, layout, solution, k):
    """Find unknown k of L^T solution = right, in place, and take its part off those before it."""
    row = layout.mass + layout.n_speeds * k
    part = work[solution + k] * work[row + k]
    work[solution + k] = part
    for m in range(k):
        work[solution + m] -= part * work[row + m]


def solve_lower(work, layout, solution):
    """Solve L solution = right, in place."""
    for k in range(layout.n_speeds):
        row, left = layout.mass + layout.n_speeds * k, work[solution + k]
        for e in range(chain_of(work, layout, k), chain_of(work, layout, k + 1)):
            left -= work[row + int(work[e])] * work[solution + int(work[e])]
        work[solution + k] = left * work[row + k]


def scalar_product(work, a, b, n):
    """Return the scalar product of two vectors that begin at these indices."""
    total = 0.0
    for k in range(n):
        total += work[a + k] * work[b + k]
    return total


def change_of_speeds(work, layout):
    """Find M^-1 W^T lambda, the change of the speeds that impulses make.

    In space, friction along a tangent that is 0 may have a derivative.
    """
    n = layout.n_speeds
    for k in range(n):
        work[layout.change + k] = 0.0
    for a in range(layout.needed + 1, layout.needed + 1 + int(work[layout.needed])):
        r = int(work[a])
        if work[layout.multipliers + r] != 0.0 or layout.tangents == 2:
            for e in range(chain_of(work, layout, n + r), chain_of(work, layout, n + r + 1)):
                k = int(work[e])
                work[layout.change + k] += work[layout.x + n * r + k] * work[layout.multipliers + r]
    solve_lower(work, layout, layout.change)


def kinetic_energy(work, layout):
    """Return the kinetic energy [J]."""
    return 0.5 * scalar_product(work, layout.momentum, layout.momentum, layout.n_speeds)
