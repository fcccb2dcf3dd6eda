"""Both sides of M udot = f + W^T lambda, and the small problem z = w + G lambda that contacts see of it.

With M = L^T L, X = W L^-1 (a row for each row of W) and y = L^-T f:  G = X X^T  is the matrix of Delassus (1917), and
z = W udot + c = X y + c + G lambda.  The same G says what impulses do:  W u+ = W u- + G Lambda.
"""

import math

from hybridsim.engine.compiler.slices import subarray

from .layout import is_needed, read_layout

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
    factorise(work, layout.mass, n)
    solve_transposed(work, layout.y, layout.force, layout.mass, n)
    if mode == -1:
        find_momentum(work, layout, u)
    for r in range(n_rows):
        if is_needed(work, layout, mode, r):
            row = layout.rows + (n + 1) * r
            solve_transposed(work, layout.x + n * r, row, layout.mass, n)
            velocity = 0.0
            for k in range(n):
                velocity += work[row + k] * u[k]
            work[layout.velocity + r] = velocity
            for s in range(r + 1):
                if is_needed(work, layout, mode, s):
                    product = scalar_product(work, layout.x + n * r, layout.x + n * s, n)
                    work[layout.delassus + n_rows * r + s] = work[layout.delassus + n_rows * s + r] = product
        elif layout.tangents == 2:
            for k in range(n):
                work[layout.x + n * r + k] = 0.0


def find_momentum(work, layout, u):
    """Find L u, whose square is twice the kinetic energy."""
    n = layout.n_speeds
    for k in range(n):
        row = layout.mass + n * k
        momentum = u[k] / work[row + k]
        for m in range(k):
            momentum += work[row + m] * u[m]
        work[layout.momentum + k] = momentum


def speeds_in(x, layout):
    """Return the speeds within a state."""
    return subarray(x, layout.n_coordinates, layout.n_speeds)


def factorise(work, first, n):
    """Put the factor L of a symmetric, positive matrix L^T L in its lower half, with 1 / L_kk on its diagonal.

    Begun at the last row, it leaves 0 what is 0 because two speeds are those of different limbs (Featherstone 2005).
    """
    for step in range(n):
        k = n - 1 - step
        row = first + n * k
        work[row + k] = 1.0 / math.sqrt(work[row + k])
        for m in range(k):
            work[row + m] *= work[row + k]
        for i in range(k):
            factor = work[row + i]
            for m in range(i + 1):
                work[first + n * i + m] -= factor * work[row + m]


def solve_transposed(work, solution, right, factor, n):
    """Solve L^T solution = right; the three begin at these indices of the work space."""
    for k in range(n):
        work[solution + k] = work[right + k]
    for step in range(n):
        k = n - 1 - step
        row = factor + n * k
        work[solution + k] *= work[row + k]
        found = work[solution + k]
        for m in range(k):
            work[solution + m] -= found * work[row + m]


def solve_lower(work, solution, factor, n):
    """Solve L solution = right, in place."""
    for k in range(n):
        row = factor + n * k
        left = work[solution + k]
        for m in range(k):
            left -= work[row + m] * work[solution + m]
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
        change = 0.0
        for r in range(layout.n_rows):
            if work[layout.multipliers + r] != 0.0 or layout.tangents == 2:
                change += work[layout.x + n * r + k] * work[layout.multipliers + r]
        work[layout.change + k] = change
    solve_lower(work, layout.change, layout.mass, n)


def kinetic_energy(work, layout):
    """Return the kinetic energy [J]."""
    return 0.5 * scalar_product(work, layout.momentum, layout.momentum, layout.n_speeds)
