"""Soles, contacts with four corners in space: flat, they have down an edge, one corner, or all."""

from .layout import first_of, is_down, is_spatial, patch_of, point_bit


def count_down(work, layout, mode, j):
    """Return how many points of a patch are down."""
    count = 0
    for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
        count += is_down(work, layout, mode, i)
    return count


def is_fourth(work, layout, mode, i):
    """Return whether all four points of a contact in space are down and this is the last: three rows keep it flat."""
    j = patch_of(work, layout, i)
    return is_spatial(layout, j) and i == first_of(work, layout, j) + 3 and count_down(work, layout, mode, j) == 4


def is_whole(work, layout, mode):
    """Return whether each contact has down what a flat body can: of four points an edge, a corner, or all."""
    for j in range(layout.n_contacts):
        first = first_of(work, layout, j)
        if first_of(work, layout, j + 1) - first == 4:
            count, ends = count_down(work, layout, mode, j), is_down(work, layout, mode, first)
            diagonal = count == 2 and ends == is_down(work, layout, mode, first + 2)
            if count == 3 or diagonal:
                return False
    return True


def made_whole(work, layout, mode, kept):
    """Return a mode in which, of three corners and of a diagonal, one opens whose opposite is down, other than kept."""
    found = mode
    for i in range(layout.n_points if layout.tangents == 2 else 0):
        j = patch_of(work, layout, i)
        first = first_of(work, layout, j)
        if i != kept and first_of(work, layout, j + 1) - first == 4 and count_down(work, layout, found, j) < 4:
            if is_down(work, layout, found, first + (i - first + 2) % 4):
                found &= ~(1 << point_bit(work, layout, i))
    return found


def made_flat(work, layout, members):
    """Return points with all corners of each sole of which they have a diagonal: no other corner has a gap then."""
    found = members
    for j in range(layout.n_contacts if layout.tangents == 2 else 0):
        first = first_of(work, layout, j)
        for i in range(first, first + 2 if first_of(work, layout, j + 1) - first == 4 else first):
            if is_down(work, layout, members, i) and is_down(work, layout, members, i + 2):
                found |= 15 << point_bit(work, layout, first)
    return found


def released_with(work, layout, chart, i):
    """Return the bits of what opens where the force of point i vanishes: it, or what is opposite an edge of four."""
    j = patch_of(work, layout, i)
    if not is_spatial(layout, j) or count_down(work, layout, chart, j) < 4:
        return 1 << point_bit(work, layout, i)
    first = first_of(work, layout, j)
    far = first + (i - first + 2) % 4, first + (i - first + 3) % 4
    return (1 << point_bit(work, layout, far[0])) | (1 << point_bit(work, layout, far[1]))
