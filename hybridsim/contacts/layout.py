"""Where the numbers of contacts lie: in the chart, in g, in p, and in the work space of the kernels.

Points are what may open: those of contacts, then the stops of joints. Patches are groups of points, in this order:
contacts; joints with dry friction, which have no points; the two stops of a joint. The first two kinds slip. Rows are
those of the contacts, for each point along its normal and its tangent; one for each stop; one for each joint with dry
friction; and those of loops, which always hold. A chart has a bit for each point, whether it is down, and two bits for
each patch that slips, whether it does; `mode` is such a number, too.

In space, a contact has the rows of a second tangent, behind those of the first; one of several points also has a row
that says how fast it turns about the normal.
"""

from __future__ import annotations

from typing import NamedTuple

from .fixed_points import size_of_steps

HOLDS, FORWARD, BACKWARD, FREE = range(4)
"""How a patch with a point on its plane moves along it: not at all, along its tangent, against it, or without friction.

It is free where its coefficient is 0, and where other contacts keep it from moving along its plane anyhow: then no
friction is one of the answers, and as good as any."""
SLIPS, BEGINS = 1, 2
"""In space, contacts slip in any direction; BEGINS is a slip that begins or ends, whose direction is remembered."""

HOLD_FORWARD, HOLD_BACKWARD, STOP, JAM = range(4)
"""Boundaries of a patch: the forces that keep it from slipping forward and backward; its slip; its jam. Joints do not
jam, and have the first three."""
HOLD, PACE = 0, 1
"""The first two in space: what is left of the friction that holds; how far a slip is from being slow or fast."""

STABILISE, REST_SPEED, BEGIN_SPEED = range(3)
STATIC, KINETIC, RESTITUTION = range(3)
PLANE_X, PLANE_Z, PLANE_SLOPE, PLANE_HEADING = range(4)
"""Parameters of all contacts, of a patch, of a plane; BEGIN_SPEED and PLANE_HEADING in space alone."""


class Layout(NamedTuple):
    """Sizes and places: whole numbers, which begin the work space as doubles, in this order.

    Attributes
    ----------
    n_coordinates, n_speeds, n_points, n_rows : int
        Sizes.
    n_contacts, n_slipping, n_patches, n_loops, n_loop_rows : int
        Patches: contacts; these and joints with dry friction; all. Loops, and their rows, the last ones.
    in_turn, tangents : int
        1 if contacts collide one after the other; tangents of each contact: 1 in the plane, 2 in space.
    general : int
        Index in p of parameters of all contacts.
    patch, normal, first, friction, plane : int
        Where arrays begin: the patch and the row of each point; the first point of each patch, and behind the last; the
        indices in p of each patch's parameters, and of each contact's plane.
    holder, gap, loop : int
        The point that a row belongs to, -1 if it always counts, -2 - j if it turns contact j; the gap that it keeps, -1
        for none; the first row of each loop, and behind the last.
    spin : int
        In space, the row of each contact that says how fast it turns, -1 if it is a single point.
    chains : int
        Where a list begins, for each speed and then for each row, and behind the last; then the lists: the speeds
        before this one that move its joint, and those that move the row; the last ones first.
    mass, force, rows : int
        Mass matrix M, afterwards its factor L; generalised forces f; rows [W c].
    gaps, reach, near : int
        Of points, then of the rows of loops: gaps [m], the size of the distances that they were found from, and the
        gap that is none.
    needed, velocity, x, y, momentum, delassus : int
        The number of rows that count, and these; W u; X = W L^-1, row by row; y = L^-T f; L u; G = X X^T.
    base, target, scale, grip, stick, multipliers, z : int
        Of z = base + G lambda: base, target and scale of z, kinetic and static friction of each patch; lambda and z.
    active, partner, drag, n_active, weight : int
        Rows of the unknowns; tangents that friction pulls along, and by which factor; their number, and their weights.
    unknowns, matrix, factors, undecided, right, change : int
        A system of equations, and vectors that it maps to 0; a change of the speeds.
    direction, turned, lean, lever, centre : int
        In space, of each contact: the twist at its middle that friction acts against, along both tangents and about
        the normal; how it is found; that in which its slip began; the lever of friction about the normal; and the
        middle of its points from the first one that is down on.
    pull, spread, along : int
        In space, the direction that friction acts against at each point; of each contact with four points down, what
        the share of the last one adds for a normal force of 1, and this share; each point's place along both tangents.
    passed, waits, ignored, depth : int
        Of each contact, the one that it has to pass, -1 for none; how far it is behind, and whether it is ignored; how
        far each point was below its plane where the event began.
    sets : int
        Sets of slips of all patches: four after each other.
    """

    n_coordinates: int
    n_speeds: int
    n_points: int
    n_rows: int
    n_contacts: int
    n_slipping: int
    n_patches: int
    n_loops: int
    n_loop_rows: int
    in_turn: int
    tangents: int
    general: int
    patch: int
    normal: int
    first: int
    friction: int
    plane: int
    holder: int
    gap: int
    loop: int
    spin: int
    chains: int
    mass: int
    force: int
    rows: int
    gaps: int
    reach: int
    near: int
    needed: int
    velocity: int
    x: int
    y: int
    momentum: int
    delassus: int
    base: int
    target: int
    scale: int
    grip: int
    stick: int
    multipliers: int
    z: int
    active: int
    partner: int
    drag: int
    n_active: int
    weight: int
    unknowns: int
    matrix: int
    factors: int
    undecided: int
    right: int
    change: int
    direction: int
    turned: int
    lean: int
    lever: int
    centre: int
    pull: int
    spread: int
    along: int
    passed: int
    waits: int
    ignored: int
    depth: int
    sets: int


N_SCALARS = len(Layout._fields)


def read_layout(work):
    """Return the layout that the work space begins with."""
    # fmt: off
    return Layout(
        int(work[0]), int(work[1]), int(work[2]), int(work[3]), int(work[4]), int(work[5]), int(work[6]),
        int(work[7]), int(work[8]), int(work[9]), int(work[10]), int(work[11]), int(work[12]), int(work[13]),
        int(work[14]), int(work[15]), int(work[16]), int(work[17]), int(work[18]), int(work[19]), int(work[20]),
        int(work[21]), int(work[22]), int(work[23]), int(work[24]), int(work[25]), int(work[26]), int(work[27]),
        int(work[28]), int(work[29]), int(work[30]), int(work[31]), int(work[32]), int(work[33]), int(work[34]),
        int(work[35]), int(work[36]), int(work[37]), int(work[38]), int(work[39]), int(work[40]), int(work[41]),
        int(work[42]), int(work[43]), int(work[44]), int(work[45]), int(work[46]), int(work[47]), int(work[48]),
        int(work[49]), int(work[50]), int(work[51]), int(work[52]), int(work[53]), int(work[54]), int(work[55]),
        int(work[56]), int(work[57]), int(work[58]), int(work[59]), int(work[60]), int(work[61]), int(work[62]),
        int(work[63]), int(work[64]),
    )
    # fmt: on


def work_sizes(
    n: int, points: int, patches: int, slipping: int, loop_rows: int, rows: int, space: int
) -> dict[str, int]:
    """Return the sizes of the arrays in the work space behind the tables, in their order; `space`: contacts there."""
    unknowns, gaps = points + slipping + loop_rows + 2 * space, points + loop_rows
    return {
        "mass": n * n,
        "force": n,
        "rows": rows * (n + 1),
        **dict.fromkeys(("gaps", "reach", "near"), gaps),
        "needed": 1 + rows,
        "velocity": rows,
        "x": rows * n,
        "y": n,
        "momentum": n,
        "delassus": rows * rows,
        **dict.fromkeys(("base", "target", "scale"), rows),
        **dict.fromkeys(("grip", "stick"), patches),
        "multipliers": rows,
        "z": rows,
        **dict.fromkeys(("active", "partner", "drag"), unknowns),
        "n_active": 1,
        "weight": unknowns,
        "unknowns": unknowns,
        "matrix": unknowns * unknowns,
        "factors": unknowns * (unknowns + 2),
        "undecided": unknowns * unknowns,
        "right": unknowns,
        "change": n,
        "direction": 3 * space,
        "turned": 4 * space + size_of_steps(4 * space),
        "lean": 3 * space,
        "lever": space,
        "centre": 2 * space,
        "pull": 3 * points if space else 0,
        "spread": 4 * space,
        "along": 2 * points if space else 0,
        "waits": slipping,
        "ignored": slipping,
        "depth": points,
        "sets": 4 * slipping,
    }


def patch_of(work, layout, i):
    """Return the patch of point i."""
    return int(work[layout.patch + i])


def chain_of(work, layout, k):
    """Return where the list of a speed, or behind these of a row, begins: it ends where the next one does."""
    return int(work[layout.chains + k])


def normal_of(work, layout, i):
    """Return the row along the normal of point i; of a contact, that along its tangent follows."""
    return int(work[layout.normal + i])


def first_of(work, layout, j):
    """Return the first point of patch j."""
    return int(work[layout.first + j])


def point_bit(work, layout, i):
    """Return the bit of point i: those of the points of a patch come first, then two that say how it slips."""
    return i + 2 * min(patch_of(work, layout, i), layout.n_slipping)


def slip_bit(work, layout, j):
    """Return the lower of the two bits that say how patch j slips."""
    return first_of(work, layout, j + 1) + 2 * j


def friction_of(work, layout, j):
    """Return the index in p of the parameters of patch j."""
    return int(work[layout.friction + j])


def boundary_of(layout, j):
    """Return the first boundary of patch j, which slips; gaps and forces of all points come before."""
    return 2 * layout.n_points + 3 * j + min(j, layout.n_contacts)


def n_boundaries(layout):
    """Return the number of boundaries, but for those of contacts that are ignored, which come last."""
    return boundary_of(layout, layout.n_slipping)


def return_of(work, layout, j):
    """Return the boundary where contact j, which has to pass another one, counts again; -1 for any other contact."""
    if j >= layout.n_contacts or work[layout.passed + j] < 0.0:
        return -1
    before = 0
    for k in range(j):
        before += work[layout.passed + k] >= 0.0
    return n_boundaries(layout) + before


def is_ignored(work, layout, chart, j):
    """Return whether contact j is open and ignored until it has passed another one: its bits of slip are not 0."""
    if j >= layout.n_contacts or work[layout.passed + j] < 0.0:
        return False
    return leader_of(work, layout, chart, j) < 0 and slip_of(work, layout, chart, j) != HOLDS


def seen_of(work, layout, chart):
    """Return a chart as if no contact were ignored."""
    seen = chart
    for j in range(layout.n_contacts):
        if is_ignored(work, layout, chart, j):
            seen &= ~(3 << slip_bit(work, layout, j))
    return seen


def is_down(work, layout, mode, i):
    """Return whether point i is on its plane."""
    return (mode >> point_bit(work, layout, i)) & 1


def gap_of(work, layout, r):
    """Return the gap that row r keeps, 0 where it keeps none."""
    gap = int(work[layout.gap + r])
    return work[layout.gaps + gap] if gap >= 0 else 0.0


def slip_of(work, layout, mode, j):
    """Return HOLDS, FORWARD, BACKWARD or FREE."""
    return (mode >> slip_bit(work, layout, j)) & 3 if j < layout.n_slipping else FREE


def is_spatial(layout, j):
    """Return whether patch j is a contact that slips along two tangents."""
    return layout.tangents == 2 and j < layout.n_contacts


def spin_of(work, layout, j):
    """Return the row along which a contact in space turns about the normal, -1 if it has none."""
    return int(work[layout.spin + j])


def sign_of(slip):
    """Return the direction of a slip along the tangent."""
    return 1.0 if slip == FORWARD else (-1.0 if slip == BACKWARD else 0.0)


def leader_of(work, layout, mode, j):
    """Return the first point of a patch that is down, -1 if none is: friction acts there.

    All points that are down lie on one line along the plane, so that one tangential row does for all.
    """
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        if is_down(work, layout, mode, i):
            return i
    return -1


def slip_row(work, layout, mode, j):
    """Return the row along which patch j slips, -1 if it is open or has none; a joint always has one."""
    if j >= layout.n_contacts:
        return layout.n_rows - layout.n_loop_rows - layout.n_slipping + j if j < layout.n_slipping else -1
    leader = leader_of(work, layout, mode, j)
    return normal_of(work, layout, leader) + 1 if leader >= 0 else -1
