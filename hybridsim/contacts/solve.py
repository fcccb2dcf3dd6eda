"""The forces of one mode: which points are down, and which patches hold or slip.

Unknown are the normal forces of points that are down, the tangential forces of patches that hold, and the forces of
loops. A patch that slips has T = -mu s N, s the direction of its slip, which makes its columns G_n - mu s G_t; a joint
that slips has a friction that is known. Rows may repeat each other (a table with three legs in a plane); where A has a
weak pivot, A + eps D is solved, and three refinements lambda += (A + eps D)^-1 (b - A lambda) take eps out again: the
proximal point method (Rockafellar 1976; Carpentier, Budhiraja and Mansard 2021). It decides about no rank, and so the
forces are smooth where A becomes singular. They are those of least norm, with the weights D.
"""

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer
from hybridsim.multibody.vectors import vector_at

from .layout import (
    BACKWARD,
    FORWARD,
    FREE,
    HOLDS,
    first_of,
    friction_of,
    is_down,
    is_spatial,
    normal_of,
    patch_of,
    point_bit,
    read_layout,
    sign_of,
    slip_bit,
    slip_of,
    slip_row,
    spin_of,
)
from .linear import find_unknowns, solve_decomposed, vector_of
from .soles import count_down, is_fourth

DEPENDENT = 1e-6
"""What is left of a row's G_rr, as a fraction, where other rows keep it from moving."""

FOLLOWS = 1e-10
"""The same where the system of the other rows is solved: near a dead centre of a loop, its inverse is less exact."""

SPARED, LOADED = 1e2, 1e-2
"""Weights of friction, which has a limit, and of loops, in the norm that is least where several share a load."""

JAMS = 1e-9
"""The ease of a slip that jams: it does not fall to 0 in steps that are no smaller than rounding of t."""


def solve_mode(work, layout, mode, finds_z):
    """Find multipliers of a mode, and z of all rows.

    Parameters
    ----------
    work : (size,) array
        Work space, in which a function of `aims` has put base and target.
    layout : Layout
        Where everything lies.
    mode : int
        Which points are down, and how the patches slip.
    finds_z : bool
        Whether z is found.

    Returns
    -------
    float
        The largest part of the targets that is missed, as a fraction of their scales; 0 unless z is found.
    """
    m = find_multipliers(work, mode)
    missed = 0.0
    for r in range(layout.n_rows if finds_z else 0):
        z = work[layout.base + r]
        for s in range(layout.n_rows):
            if work[layout.multipliers + s] != 0.0 or layout.tangents == 2:
                z += work[layout.delassus + layout.n_rows * r + s] * work[layout.multipliers + s]
        work[layout.z + r] = z
    for a in range(m if finds_z else 0):
        r = int(work[layout.active + a])
        off = abs(work[layout.z + r] - work[layout.target + r])
        if work[layout.scale + r] > 0.0 and off > missed * work[layout.scale + r]:
            missed = off / work[layout.scale + r]
    return missed


@separate(integer)
def find_multipliers(work, mode):
    """Find the multipliers of a mode, compiled once for all that solve modes at events; return as `multipliers_of`."""
    return multipliers_of(work, read_layout(work), mode)


def multipliers_of(work, layout, mode):
    """Find the multipliers of a mode; return the number of unknowns.

    What others keep from moving (FREE) carries what it would if it held, at most its static friction; they carry the
    rest.
    """
    held = with_all_held(work, layout, mode)
    m = solve_active(work, layout, held, mode)
    for _ in range(layout.n_slipping if held != mode else 0):
        limited = held
        for j in range(layout.n_slipping):
            r = slip_row(work, layout, mode, j)
            if r >= 0 and slip_of(work, layout, mode, j) == FREE and slip_of(work, layout, held, j) == HOLDS:
                force, most = work[layout.multipliers + r], work[layout.stick + j] * load_of(work, layout, j)
                if abs(force) > most:
                    limited |= (FORWARD if force < 0.0 else BACKWARD) << slip_bit(work, layout, j)
        if limited == held:
            break
        held = limited
        m = solve_active(work, layout, held, mode)
    return m


def with_all_held(work, layout, mode):
    """Return the mode in which also that holds which others keep from moving, if it has friction."""
    held = mode
    for j in range(layout.n_contacts if layout.tangents == 2 else 0, layout.n_slipping):
        if slip_of(work, layout, mode, j) == FREE and work[layout.stick + j] > 0.0:
            held &= ~(FREE << slip_bit(work, layout, j))
    return held


def solve_active(work, layout, mode, free):
    """Find the multipliers of a mode in which nothing FREE carries friction; return the number of unknowns.

    What slips in this mode, but is FREE in the other one, has static friction.
    """
    m = find_active(work, layout, mode, free)
    write_system(work, layout, m)
    find_unknowns(work, layout, m)
    put_multipliers(work, layout, m)
    return m


def find_active(work, layout, mode, free):
    """List the rows of the unknowns, normal forces first, and what friction of slipping patches adds to these.

    Multipliers are those that are known, friction of joints that slip, and those that the unknowns begin with.

    Returns
    -------
    int
        The number of unknowns.
    """
    m = 0
    for r in range(layout.n_rows):
        work[layout.multipliers + r] = 0.0
    for i in range(layout.n_points):
        if is_down(work, layout, mode, i) and not is_fourth(work, layout, mode, i):
            j = patch_of(work, layout, i)
            work[layout.active + m] = normal_of(work, layout, i)
            grip = friction_in(work, layout, free, j) if j < layout.n_contacts else 0.0
            sign = sign_of(slip_of(work, layout, mode, j))
            spatial = is_spatial(layout, j)
            work[layout.partner + m] = normal_of(work, layout, i) + 1 if spatial else slip_row(work, layout, mode, j)
            work[layout.drag + m] = grip * (abs(sign) if spatial else sign)
            m += 1
    n_normals = m
    for j in range(layout.n_slipping):
        r, slip = slip_row(work, layout, mode, j), slip_of(work, layout, mode, j)
        if r >= 0 and slip == HOLDS:
            work[layout.active + m] = r
            work[layout.drag + m] = 0.0
            m += 1
            if is_spatial(layout, j):
                m = hold_in_space(work, layout, j, r, m)
        elif j >= layout.n_contacts:
            work[layout.multipliers + r] = -friction_in(work, layout, free, j) * sign_of(slip)
    for r in range(layout.n_rows - layout.n_loop_rows, layout.n_rows):
        work[layout.active + m] = r
        work[layout.drag + m] = 0.0
        m += 1
    write_weights(work, layout, m, n_normals, mode != free)
    work[layout.n_active] = m
    return m


def write_weights(work, layout, m, n_normals, is_shared):
    """Write the weights of the unknowns in the norm that is least where nothing else decides.

    That of a normal force contains its friction, so that forces do not jump where what is FREE comes to its limit.
    """
    spared, loaded = (SPARED, LOADED) if is_shared else (1.0, 1.0)
    for a in range(m):
        drag = work[layout.drag + a]
        held = loaded if a >= m - layout.n_loop_rows else spared
        work[layout.weight + a] = 1.0 + spared * drag * drag if a < n_normals else held


def friction_in(work, layout, mode, j):
    """Return the friction of a patch: kinetic, and static where it is FREE, as others keep it from moving."""
    return work[(layout.stick if slip_of(work, layout, mode, j) == FREE else layout.grip) + j]


def hold_in_space(work, layout, j, r, m):
    """List the second tangent, and the row about the normal, of a contact that holds; return the number of unknowns.

    What forces that hold together do not decide is as in the direction of the contact, 0 unless trying found no mode.
    """
    spin, begin = spin_of(work, layout, j), vector_at(work, layout.direction + 3 * j)
    if work[layout.grip + j] > 0.0:
        work[layout.multipliers + r], work[layout.multipliers + r + 1] = begin.x, begin.y
        work[layout.multipliers + max(spin, 0)] += begin.z if spin >= 0 else 0.0
    work[layout.active + m], work[layout.drag + m] = r + 1, 0.0
    if spin < 0:
        return m + 1
    work[layout.active + m + 1], work[layout.drag + m + 1] = spin, 0.0
    return m + 2


def pulled(work, layout, first, partner):
    """Return the entry of a row of G, which begins at `first`, along the direction that friction acts against."""
    if layout.tangents == 1:
        return work[first + partner]
    i = int(work[layout.holder + partner])
    j, d = patch_of(work, layout, i), layout.pull + 3 * i
    spin, more = spin_of(work, layout, j), layout.spread + 4 * j
    entry = work[d] * work[first + partner] + work[d + 1] * work[first + partner + 1]
    if spin < 0:
        return entry
    entry += work[layout.lever + j] * work[d + 2] * work[first + spin]
    if work[more + 3] > 0.0:
        at = first + normal_of(work, layout, first_of(work, layout, j))
        entry += work[more] * work[at + 1] + work[more + 1] * work[at + 2] + work[more + 2] * work[first + spin]
    return entry


@separate(integer)
def follows(work, mode, r):
    """Return whether what is down and what holds in a mode keep a row from moving: its own row follows from theirs."""
    layout, smooth = read_layout(work), mode
    for j in range(layout.n_slipping):
        if slip_of(work, layout, mode, j) != HOLDS:
            smooth |= FREE << slip_bit(work, layout, j)
    m, row = find_active(work, layout, smooth, smooth), layout.delassus + layout.n_rows * r
    write_system(work, layout, m)
    for a in range(m):
        work[layout.right + a] = work[row + int(work[layout.active + a])]
        work[layout.multipliers + int(work[layout.active + a])] = 0.0
    find_unknowns(work, layout, m)
    vector = vector_of(layout, m)
    for a in range(m):
        work[vector + a] = work[layout.right + a]
    solve_decomposed(work, layout, m)
    left = own = work[row + r]
    rough = own  # by the factors alone
    for a in range(m):
        left -= work[layout.unknowns + a] * work[layout.right + a]
        rough -= work[vector + a] * work[layout.right + a]
    find_multipliers(work, mode)
    return 1 if abs(rough) <= DEPENDENT * own or abs(left) <= FOLLOWS * own else 0


def write_system(work, layout, m):
    """Write the m x m matrix A and the right side of the unknowns."""
    for a in range(m):
        row = int(work[layout.active + a])
        first = layout.delassus + layout.n_rows * row
        for b in range(m):
            value = work[first + int(work[layout.active + b])]
            if work[layout.drag + b] != 0.0:
                value -= work[layout.drag + b] * pulled(work, layout, first, int(work[layout.partner + b]))
            work[layout.matrix + m * a + b] = value
        work[layout.right + a] = work[layout.target + row] - work[layout.base + row]
        for j in range(layout.n_contacts, layout.n_slipping):
            r = slip_row(work, layout, 0, j)
            if work[layout.multipliers + r] != 0.0:
                work[layout.right + a] -= work[first + r] * work[layout.multipliers + r]


def put_multipliers(work, layout, m):
    """Put the unknowns into their rows, and friction of slipping patches beside them."""
    for a in range(m):
        work[layout.multipliers + int(work[layout.active + a])] = work[layout.unknowns + a]
        if work[layout.drag + a] != 0.0:
            drag, row = work[layout.drag + a] * work[layout.unknowns + a], int(work[layout.partner + a])
            if layout.tangents == 1:
                work[layout.multipliers + row] -= drag
            else:
                put_friction_in_space(work, layout, row, drag)


def put_friction_in_space(work, layout, row, drag):
    """Put friction of this size at a point that slips against its direction, and about the normal."""
    i = int(work[layout.holder + row])
    j, d = patch_of(work, layout, i), layout.pull + 3 * i
    spin, more = spin_of(work, layout, j), layout.spread + 4 * j
    work[layout.multipliers + row] -= drag * work[d]
    work[layout.multipliers + row + 1] -= drag * work[d + 1]
    if spin >= 0:
        work[layout.multipliers + spin] -= drag * work[layout.lever + j] * work[d + 2]
    if spin >= 0 and work[more + 3] > 0.0:
        at = layout.multipliers + normal_of(work, layout, first_of(work, layout, j))
        work[at + 1] -= drag * work[more]
        work[at + 2] -= drag * work[more + 1]
        work[layout.multipliers + spin] -= drag * work[more + 2]


def load_of(work, layout, j):
    """Return the sum of the normal forces of a patch; 1 for a joint, whose friction is a force or a torque itself."""
    load = 0.0 if j < layout.n_contacts else 1.0
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        load += work[layout.multipliers + normal_of(work, layout, i)]
    return load


def limit_of(work, layout, p, j, friction):
    """Return the largest force with which a patch holds; `friction` is STATIC or KINETIC."""
    return p[friction_of(work, layout, j) + friction] * load_of(work, layout, j)


def jams(work, layout, chart, j):
    """Return whether a slipping patch may jam: one that stands on a single point."""
    return count_down(work, layout, chart, j) == 1


def ease_of(work, layout, mode, i):
    """Return 1 / (G_ii (A^-1)_ii) of a point that slips: without other contacts 1 - mu s G_nt / G_nn.

    As it falls to 0, the normal force grows without bound (Painleve). It is 1 where others keep the point on its plane.
    """
    m, at, r = int(work[layout.n_active]), 0, normal_of(work, layout, i)
    for a in range(m):
        at = a if int(work[layout.active + a]) == r else at
    vector = vector_of(layout, m)
    for a in range(m):
        work[vector + a] = 1.0 if a == at else 0.0
    solve_decomposed(work, layout, m)
    ease = 1.0 / (work[vector + at] * work[layout.delassus + (layout.n_rows + 1) * r])
    if abs(ease) >= DEPENDENT:
        return ease
    spared = follows(work, mode & ~(1 << point_bit(work, layout, i)), r)
    find_multipliers(work, mode)
    return 1.0 if spared == 1 else ease
