"""Sets of slips: how patches may slip, as bits, in the work space."""

from .layout import STATIC, friction_of, is_spatial

ALL_SLIPS, ONLY_FREE, AT_REST_IN_SPACE, BOTH_WAYS = 15, 8, 13, 6
"""Sets of these, as bits: all; that without friction. In space, what is at rest may hold, begin to slip, or be free. In
the plane, it may slip both ways."""
ARRIVING, BEFORE, NEXT, FREED = range(4)
"""What sets of slips of all patches are there: how what arrives slips, 0 for all else; how each may slip whatever its
margins say; how it may slip; and that without friction where there is none."""


def set_of(layout, which):
    """Return where the sets of slips of all patches begin: ARRIVING or others."""
    return layout.sets + which * layout.n_slipping


def allowed_of(work, sets, j):
    """Return how a patch may slip, of the sets of slips that begin there."""
    return int(work[sets + j])


def all_slips(layout, j):
    """Return the set of slips of a patch that may begin to slip."""
    return AT_REST_IN_SPACE if is_spatial(layout, j) else ALL_SLIPS


def with_free(work, layout, p, allowed):
    """Return where the sets of slips begin that are without friction where there is none."""
    found = set_of(layout, FREED)
    for j in range(layout.n_slipping):
        work[found + j] = work[allowed + j] if p[friction_of(work, layout, j) + STATIC] > 0.0 else ONLY_FREE
    return found
